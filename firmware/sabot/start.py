"""What a controller does before it plays: configuration, board, journal, deck; and what it tells of the last time.

Entry points: :func:`settings` (the checked configuration), :func:`accepted`, :func:`open_journal`, :func:`tell`,
:func:`released`, :func:`seal`, :func:`lock_out`, :func:`keep`, :func:`deck`, :func:`badges`, :func:`expanders`,
:func:`refused`, :func:`rounds_so_far`, :class:`Refused`; :data:`ONLY` the start needs these modules. A controller that
cannot vouch for these does not play.
"""

import os
from binascii import unhexlify
from hashlib import sha256

from sabot import config, installed, integrity
from sabot.config_parts import ConfigError, is_whole
from sabot.faults import Faults, last_word
from sabot.journal import recovery
from sabot.journal.errors import JournalError
from sabot.journal.journal import Journal
from sabot.journal.opening import format_storage, meaning
from sabot.services import acceptance
from sabot.services.deck import CUT, Deck
from sabot.services.keyed import hmac_sha256
from sabot.settings import Settings
from sabot.wire import head, meters
from sabot.wire.codes import ROLES, VOID_REASONS
from sabot.wire.records import RecordError, code_of, parse
from sabot.wire.signed import DEVELOPMENT, second

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

ONLY = (
    "sabot.start", "sabot.compose", "sabot.boards.pico2_parts", "sabot.journal.opening", "sabot.journal.recovery",
    "sabot.journal.segment", "sabot.services.acceptance", "sabot.rules.edges", "sabot.rules.variants",
    "sabot.config", "sabot.config_parts", "sabot.config_spots", "sabot.wire.states", "sabot.wire.head",
    "sabot.installed", "sabot.integrity", "sabot.wire.signed", "sabot.badge_file", "sabot.services.badge_met",
)  # fmt: skip
_PROVISION = "provision.json"
_UID_BYTES = 8
_CARDS_A_PACK = 52
_MOST_CUTS = 2
_LOOK_BACK = 300  # records: some twenty rounds, or a night of wrong keys


class Refused(Exception):
    """The controller will not play; ``code`` is stable, the text says what and what to do."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


def settings() -> Settings:
    """The configuration in force; Refused (``configuration``)."""
    try:
        return config.load()
    except ConfigError as error:
        raise Refused("configuration", str(error))


def accepted(found: Settings) -> None:
    """Whether the house has accepted its paytable; Refused (``paytable``)."""
    refusal = acceptance.missing(found)
    if refusal:
        raise Refused("paytable", refusal)


def deck(found: Settings) -> "Deck | None":
    """The cards of the deck list, None where no reader sees one; Refused (``deck``)."""
    if found.deal == "none" or (found.shoe == "optical" and found.discard < 0):
        return None
    try:
        decks = 2 if found.decks_alternate else 1
        return _deck_of(config.read_json("deck.json"), found.device_key, found.decks, decks)
    except (ValueError, ConfigError) as error:
        raise Refused("deck", "deck.json: %s; register the deck again" % error)


def _mask_of(key: bytes, uid: bytes) -> int:
    """The byte that hides the code of the card with this UID, under the controller's own key."""
    return hmac_sha256(key, b"card" + uid)[0]


def _deck_of(entries: "list[Any]", key: bytes, packs: int, decks: int = 1) -> Deck:
    """The deck of a list as stored: [UID in hexadecimal, masked code], with the number of its deck, 0 or 1, of two.

    A cut card or two may be there besides, whose code is ``CUT``. ValueError names a bad entry.
    """
    each = packs * _CARDS_A_PACK
    if not isinstance(entries, list) or not 0 <= len(entries) - each * decks <= _MOST_CUTS:
        raise ValueError("a list of %d cards is expected, and at most %d cut cards" % (each * decks, _MOST_CUTS))
    found = Deck(len(entries), each, decks)
    held = [0] * decks
    cuts = len(entries)  # from the end
    times = bytearray(_CARDS_A_PACK * decks)
    for index in range(len(entries)):
        uid, code, deck = _card_of(entries[index], key, decks)
        if code == CUT:
            cuts -= 1
            at = cuts
            often = at < each * decks
        else:
            at = deck * each + held[deck]
            held[deck] += 1
            times[deck * _CARDS_A_PACK + code] += 1
            often = times[deck * _CARDS_A_PACK + code] > packs
        if often or found.card(uid) >= 0:
            raise ValueError("card %d of the list is there too often" % index)
        found.put(at, uid, code)
    return found


def _card_of(entry: "Any", key: bytes, decks: int) -> "tuple[bytes, int, int]":
    wanted = 2 if decks == 1 else 3
    if not isinstance(entry, list) or len(entry) != wanted:
        raise ValueError("a card is [UID, code%s]" % (", deck" if decks > 1 else ""))
    deck = entry[2] if decks > 1 else 0
    if not isinstance(entry[0], str) or not isinstance(entry[1], int) or deck not in range(decks):
        raise ValueError("a card is [UID, code%s]" % (", deck" if decks > 1 else ""))
    uid = unhexlify(entry[0])
    if len(uid) != _UID_BYTES:
        raise ValueError("a UID has 8 bytes")
    code = entry[1] ^ _mask_of(key, uid)
    if not 0 <= code <= CUT:
        raise ValueError("a card of the list is none; was it written for another controller?")
    return uid, code, deck


def badges(found: Settings) -> bytes:
    """The badges that are enrolled, as `badge_met.entry` makes them; none without a reader.

    Refused (``configuration``) when the list makes no sense.
    """
    if not found.badge_reader:
        return b""
    from sabot.badge_file import FILE
    from sabot.services.badge_met import MOST, entry

    names = os.listdir()
    if FILE not in names and second(FILE) not in names:
        return b""
    try:
        given = config.read_json(FILE)
        if not isinstance(given, list) or len(given) > MOST:
            raise ValueError("a list of at most %d badges is expected" % MOST)
        return b"".join([_badge_of(each, entry) for each in given])
    except (ValueError, TypeError, ConfigError) as error:
        text = "%s: %s; remove it and its copy, and enrol the badges again" % (FILE, error)
        raise Refused("configuration", text)


def _badge_of(given: "Any", entry: "Any") -> bytes:
    if not isinstance(given, list) or len(given) != 3 or given[1] not in ROLES[1:]:
        raise ValueError("a badge is [UID, role, number]")
    uid = unhexlify(given[0])
    if len(uid) not in (4, 7) or not is_whole(given[2], 1, 0xFFFF):
        raise ValueError("a badge is [UID, role, number]")
    made: bytes = entry(ROLES.index(given[1]), given[2], uid)
    return made


def expanders(parts: "Any") -> None:
    """Bring up the expanders, and with them keys and antenna switches; Refused (``expander``)."""
    try:
        parts.start_expanders()
    except Exception as error:
        raise Refused("expander", "a port expander does not answer (%s); check the wiring" % error)


def open_journal(fram: "Any", clock: "Any", board: "Any", faults: Faults) -> Journal:
    """The journal in its memory, a blank one formatted; Refused (``memory``, ``unprovisioned``, ``journal``).

    A flash that has failed, while no record is in it alone, is a fault.
    """
    try:
        fram.start()
    except Exception as error:
        raise Refused("memory", "the journal's memory cannot be used (%s); check its wiring and its type" % error)
    journal = Journal(fram, clock, os, open, board.SEGMENTS)
    try:
        try:
            found = journal.open()
        except JournalError as error:
            if error.code != "unformatted":
                raise
            _provision(fram, board.unique_id())
            found = journal.open()
    except JournalError as error:
        raise _refusal(error)
    faults.journal = journal
    if not found.flash:
        faults.tell("flash", 0, "cannot be read")
    try:
        while journal.full and journal.crowded:  # the power went before the table had closed, or come to rest
            for _ in journal.moves():
                pass
    except JournalError as error:
        if error.code != "flash":
            raise _refusal(error)  # the flash's own fault shows again as soon as the table rests
    return journal


def tell(
    journal: Journal, found: Settings, faults: Faults, cause: int, version: str
) -> "tuple[str, list[tuple[int, int]] | None]":
    """Record this start, what ended the one before, and the round that it left open; Refused (``journal_full``).

    Returns what somebody has to clear first (`recovery.standing`); and the bets that go back, as (place, cents), when
    the power went in a round (None: it did not).
    """
    try:
        standing = recovery.standing(journal)
        by = installed.left_by(journal)
        journal.append(code_of("power_on"), {"cause": cause, "version": version, "config_hash": found.hash})
        crash = last_word()
        if crash:
            faults.record("task", 0, "crash: " + crash)
        installed.tell(journal, found, by)
        if _PROVISION in os.listdir():
            # The power went between the key's writing and the file's removal, or a second key was brought.
            faults.record("configuration", 0, "key file removed: there is a key")
            os.remove(_PROVISION)
        returned = void_open_round(journal, standing)
    except JournalError as error:
        raise _refusal(error)
    return standing, returned


def released(found: Settings) -> "tuple[str, Refused | None]":
    """Who signed the program that runs (a fingerprint, ``development`` or ``none``), and why it may not play.

    That is one code, ``integrity``, for whoever opens the journal first and records it.
    """
    by, wrong = integrity.checked(found.release)
    signer = by.decode() or "none"
    if by == DEVELOPMENT:
        signer = "development"
    return signer, Refused("integrity", wrong + "; install the release again") if wrong else None


def keep(reporter: Faults) -> None:
    """Make both copies of the settings alike and record what was not whole; Refused (``journal``, ``journal_full``)."""

    def told(text: str) -> None:
        reporter.record("configuration", 0, text)

    try:
        integrity.settings(told)
    except JournalError as error:
        raise _refusal(error)


def refused(app: "Any", fram: "Any", part: str, error: Refused) -> None:
    """Record why the controller does not play: in its journal, or, where that cannot be opened, in the status alone."""
    try:
        if not app.journal:
            fram.start()
            journal = Journal(fram, app.clock)
            journal.open()
            app.journal = app.reporter.journal = journal
        app.reporter.record(part, 0, str(error))
    except JournalError as closed:
        app.faults["journal"] = closed.code
    except Exception as failed:  # the memory's own, whichever memory it is
        app.faults["fram"] = str(failed)
    raise error


def seal(app: "Any", found: Settings) -> None:
    """Tell ``app`` whether its journal says that it is sealed; Refused (``published_keys``, ``seal``).

    A seal stands for configuration and keys. It lies in the journal's memory, where no flashing reaches: with others on
    the board, or with keys that everybody knows, a sealed controller does not play.
    """
    journal = app.journal
    app.settings = installed.stands_for(found)
    app.published = not found.release or app.signer == "development" or _published(found, journal)
    held = meters.sealed(journal.meters)
    app.sealed = len(held) > 0
    if not app.sealed:
        return
    code = ""
    if app.published:
        code, text = (
            "published_keys",
            "the controller is sealed, and one of its keys, or its release's, is published; commission it anew",
        )
    elif held != app.settings:
        code, text = "seal", "settings or keys are not those that were sealed; put those back, or unseal and seal anew"
    if code:
        try:
            app.reporter.record("configuration", 0, code)
        except JournalError as error:
            raise _refusal(error)
        raise Refused(code, text)


def _published(found: Settings, journal: Journal) -> bool:
    """Whether a key of the controller, or the journal's first one, is one of those published for development."""
    held = [found.device_key, found.casino_key]
    for role in found.role_keys:
        held.append(found.role_keys[role])
    for name in ("device", "casino", "dealer", "supervisor", "technician", "auditor"):
        if _development_key(name) in held:
            return True
    return journal.begun_with(head.key_id(_development_key("journal")))


def _development_key(name: str) -> bytes:
    return sha256(b"sabot development key: " + name.encode()).digest()


def _refusal(error: JournalError) -> Refused:
    if error.code == "full":
        return Refused("journal_full", "%s; pull and acknowledge it, then start the controller again" % meaning(error))
    return Refused("journal", "%s; the record is kept as it is: call the auditor" % meaning(error))


def _provision(fram: "Any", unique_id: bytes) -> None:
    """Write the first key into a blank memory; the file that brought it is then gone from the controller."""
    try:
        key = config.key_of(config.read_json(_PROVISION), "journal")
    except ConfigError as error:
        raise Refused("unprovisioned", "the journal's memory is blank and there is no key for it (%s)" % error)
    format_storage(fram, key, unique_id, False, os)
    os.remove(_PROVISION)


def void_open_round(journal: Journal, standing: str) -> "list[tuple[int, int]] | None":
    """A round that a power cut ended is void: unsettled bets go back as they were locked, settled ones stand.

    The void names what is `standing`: should the power go again at once, nothing before it is looked at.
    """
    lost = recovery.last_round(journal)
    if lost is None:
        return None
    if not lost.reported:
        journal.append(code_of("power_lost_in_play"), {"round": lost.number, "table_state": lost.state_number})
    article = recovery.VOID_WITH + standing if standing else "house"
    values = {"round": lost.number, "reason": VOID_REASONS.index("power_cut"), "by": 0, "article": article}
    rows: list[tuple[int, int]] = lost.unsettled()
    values["spots"] = rows
    journal.append(code_of("void"), values)
    return rows


def lock_out(access: "Any", journal: Journal) -> None:
    """Let wrong proofs before the restart count on in ``access``: the newest in a row, as far as records are whole.

    So neither a session, nor a cable, nor the power ends a lock-out.
    """
    wrong = 0
    wanted = code_of("access")
    try:
        for sequence in range(journal.last, max(journal.last - _LOOK_BACK, journal.first - 1), -1):
            data = journal.read(sequence)
            if data and data[2] == wanted:
                if parse(data)["fields"]["granted"]:
                    break
                wrong += 1
    except (JournalError, RecordError):
        pass  # a damaged record is the auditor's business; what is newer counts
    access.resume(wrong)


def rounds_so_far(journal: Journal) -> "tuple[int, int]":
    """Number of the last round and how many were played, so that both go on after a restart."""
    counted = meters.as_dict(journal.meters)
    number = counted["rounds"] + counted["voids"]  # the least it can be, when the last round's records are gone
    for _sequence, data in journal.records_from(max(journal.boundary, 1)):
        fields = parse(data)["fields"]
        number = max(number, fields.get("round", 0))
    return number, counted["rounds"]
