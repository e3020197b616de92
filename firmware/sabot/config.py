"""The configuration of one table, read from ``config.json`` and ``keys.json`` and checked as a whole.

Entry points: :func:`load` (files to :class:`~sabot.settings.Settings`), :func:`checked`, :data:`FIELDS`,
:class:`ConfigError` (field, value, what is allowed, article). A configuration that does not hold together is refused;
nothing is corrected silently. ``docs/configuration.md`` says what each field means. Needed at the start only.
"""

import json
from binascii import hexlify, unhexlify
from hashlib import sha256

from sabot import integrity
from sabot.config_parts import ConfigError, choice, dictionary, is_whole, whole
from sabot.config_spots import bet_limits, couple, place_spots
from sabot.rules import games
from sabot.rules.game import LOCK_FIRST_CARD, Game, fingerprint, most_cards
from sabot.rules.variants import configure, options
from sabot.settings import Settings
from sabot.wire.codes import kinds

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

VERSION = 1
KEY_SIZE = 32
_MAX_CENTS = (1 << 30) - 1
_PACK = 52
_KEYED = ("dealer", "supervisor", "technician", "auditor")  # roles that prove themselves over the link
_SIGNS = ("supervisor", "technician", "auditor")  # authorities: two of them accept a paytable

# Fields that are whole numbers: name, lowest, highest, default (-: must be there).
_WHOLE = """
version 1 1 -
table 1 65535 -
casino 1 65535 -
decks 1 8 1
retries 1 32 8
dwell_ms 0 5000 500
restore_ms 500 60000 5000
moved_ms 1000 60000 15000
mispay_ms 5000 300000 20000
large_cents 1 1073741823 10000
large_times 1 100 4
keyed_cents 0 1073741823 10000
payment_cents 1 1073741823 10000
half_rounding 1 10000 1
afi_chip 1 255 113
afi_card 1 255 114
"""

# Fields that are words: name, then what is allowed, the default first.
_WORDS = """
gate_after confirm key
close_by reveal key
deal cards packets none
shoe rfid optical both
payment_order right_to_left left_to_right none
sign_on required off
language fr en
"""

_YES_OR_NO = ("losers_first", "decks_alternate", "badge_reader")  # no is the default
_OTHERS = (
    "game",
    "options",
    "readers",
    "couples_with",
    "limits",
    "visibility",
    "consequences",
    "behind_cut_card",
    "accepted",
)

# What the house does about a card that went astray: the kind of irregularity, then the words, the default first.
_CONSEQUENCES = """
exposed burn go_on void_hand void_round
misplaced swap void_hand void_round
foul_hand void_hand void_round
misdeal void_round dealer
"""


def _lines(table: str) -> "list[list[str]]":
    return [line.split(" ") for line in table.split("\n") if line]


# Every field there is; another one is a mistake in writing, which would leave a default in force.
FIELDS = tuple([line[0] for line in _lines(_WHOLE + _WORDS)]) + _YES_OR_NO + _OTHERS


def key_of(data: "Any", field: str) -> bytes:
    """A key of 32 bytes from hexadecimal text in an object; ConfigError, which never shows the value."""
    value = data.get(field) if isinstance(data, dict) else None
    try:
        key = unhexlify(value) if isinstance(value, str) else b""
    except ValueError:
        key = b""
    if len(key) != KEY_SIZE:
        raise ConfigError(field, "(hidden)", "%d bytes as hexadecimal text" % KEY_SIZE)
    return key


def checked(data: "dict[str, Any]", keys: "dict[str, Any]") -> Settings:
    """Check a configuration and its keys; ConfigError names the first field that cannot stand."""
    if not isinstance(data, dict):
        raise ConfigError("config.json", data, "an object")
    if not isinstance(keys, dict):
        raise ConfigError("keys.json", "(hidden)", "an object")
    try:
        text = canonical(data)
    except (TypeError, RuntimeError):  # the board's JSON reader takes names that are no texts, and any nesting
        raise ConfigError("config.json", "(hidden)", "texts as names, and no deep nesting") from None
    for name in sorted(data):
        if name not in FIELDS:
            raise ConfigError(name, data[name], "a field of the configuration: " + " ".join(FIELDS))
    found = Settings()
    for name, low, high, default in _lines(_WHOLE):
        setattr(found, name, whole(data, name, int(low), int(high), None if default == "-" else int(default)))
    for words in _lines(_WORDS):
        setattr(found, words[0], choice(data, words[0], words[1:]))
    for name in _YES_OR_NO:
        value = data.get(name, False)
        if not isinstance(value, bool):
            raise ConfigError(name, value, "true or false")
        setattr(found, name, value)
    if found.afi_chip == found.afi_card:
        raise ConfigError("afi_card", found.afi_card, "another family than the chips', afi_chip")
    if found.restore_ms < found.dwell_ms:
        # What is taken would be told before what came for it could be: no exchange would ever be seen as one.
        raise ConfigError("restore_ms", found.restore_ms, "at least dwell_ms, %d" % found.dwell_ms)
    _choose_game(found, data)
    place_spots(found, data)
    couple(found, data)
    found.limits = bet_limits(found.game, data)
    _deal(found, data)
    found.visibility = _visibility(data)
    found.consequences = _consequences(data)
    _keys(found, data, keys)
    found.hash = sha256(text).digest()[:8]
    return found


def _choose_game(found: Settings, data: "dict[str, Any]") -> None:
    found.game_id = choice(data, "game", games.GAMES, None)
    game = games.load(found.game_id)
    if found.decks not in game.decks:
        raise ConfigError("decks", found.decks, " or ".join([str(n) for n in game.decks]), game.decks_article)
    found.game = _house_version(game, dictionary(data, "options"))
    found.game_hash = fingerprint(found.game)


def _house_version(game: Game, given: "dict[str, Any]") -> Game:
    """The game with the house's options; its hash, which every round record carries, tells which they are."""
    known = options(game)
    chosen = {}
    for name, allowed in known:
        chosen[name] = choice(given, name, allowed, allowed[0], "options.")
    for name in sorted(given):
        if name not in chosen:
            names = " ".join([known_name for known_name, _allowed in known]) or "none"
            raise ConfigError("options." + name, given[name], "an option of this game: " + names)
    return configure(game, **chosen)


def _deal(found: Settings, data: "dict[str, Any]") -> None:
    """What the deal style and the number of cards ask for."""
    game = found.game
    if found.deal != "cards":
        for bet in game.bets:
            if bet.lock == LOCK_FIRST_CARD:
                allowed = "cards, or options.initial_lock announcement: no beam sees the first card"
                raise ConfigError("deal", found.deal, allowed, bet.article)
    if found.deal == "packets" and game.contest is not None and game.contest.war:
        raise ConfigError("deal", found.deal, "cards or none: this game is dealt card by card", "67.37")
    if found.shoe != "rfid" and found.deal != "cards":
        raise ConfigError("shoe", found.shoe, "rfid, unless deal is cards")
    if found.decks_alternate and found.deal != "packets":
        raise ConfigError("decks_alternate", True, "false, unless deal is packets")
    packs = _PACK * found.decks
    worst = most_cards(game, len(found.seats))
    found.behind_cut_card = data.get("behind_cut_card", worst)
    if not is_whole(found.behind_cut_card, worst, packs):
        # The round in which the cut card comes is played to its end (operations, Bataille).
        allowed = "a whole number from %d, the most cards a round can take, to %d" % (worst, packs)
        article = game.decision.bet_article if game.contest is not None and game.contest.war else game.card_articles[0]
        raise ConfigError("behind_cut_card", found.behind_cut_card, allowed, article)


def _visibility(data: "dict[str, Any]") -> "dict[str, str]":
    given = dictionary(data, "visibility")
    for kind in sorted(given):
        if kind == "none" or kind not in kinds():
            raise ConfigError("visibility." + kind, given[kind], "a kind of irregularity: " + " ".join(kinds()[1:]))
        choice(given, kind, ("public", "dealer", "silent"), None, "visibility.")
    return given


def _consequences(data: "dict[str, Any]") -> "dict[str, str]":
    given = dictionary(data, "consequences")
    found = {}
    for words in _lines(_CONSEQUENCES):
        found[words[0]] = choice(given, words[0], words[1:], words[1], "consequences.")
    for kind in sorted(given):
        if kind not in found:
            raise ConfigError("consequences." + kind, given[kind], " or ".join(sorted(found)) + " as a name")
    return found


def _keys(found: Settings, data: "dict[str, Any]", keys: "dict[str, Any]") -> None:
    found.release = hexlify(key_of(keys, "release")) if "release" in keys else b""  # the key that signs releases
    found.device_key = key_of(keys, "device")
    found.casino_key = key_of(keys, "casino")
    roles = keys.get("roles", {})
    if not isinstance(roles, dict) or [role for role in roles if role not in _KEYED]:
        raise ConfigError("roles", "(hidden)", "an object with keys of " + " ".join(_KEYED))
    found.role_keys = {}
    for role in sorted(roles):
        found.role_keys[role] = key_of(roles, role)
    if found.sign_on == "required" and "dealer" not in roles:
        raise ConfigError("sign_on", "required", "off, where keys.json has no key of the role dealer")
    accepted = dictionary(data, "accepted")
    found.accepted = {}
    for role in sorted(accepted):
        if role not in _SIGNS:
            raise ConfigError("accepted." + role, accepted[role], "an acceptance by " + " or ".join(_SIGNS))
        found.accepted[role] = key_of(accepted, role)


def canonical(value: "Any") -> bytes:
    """One fixed text for a JSON value, whatever the order of its keys: what the configuration's hash is taken over."""
    if isinstance(value, dict):
        parts = []
        for key in sorted(value):
            if not isinstance(key, str):
                raise TypeError("a name that is no text")
            parts.append(json.dumps(key).encode() + b":" + canonical(value[key]))
        return b"{" + b",".join(parts) + b"}"
    if isinstance(value, list):
        return b"[" + b",".join([canonical(item) for item in value]) + b"]"
    return json.dumps(value).encode()


def read_json(path: str) -> "Any":
    """A settings file of the board, or its second copy; ConfigError when neither is there, or whole, or JSON."""
    try:
        return integrity.read(path)
    except OSError:
        raise ConfigError(path, "missing", "the file that provisioning writes") from None
    except ValueError:
        raise ConfigError(path, "unreadable", "JSON text") from None


def load(folder: str = "") -> Settings:
    """Read and check ``config.json`` and ``keys.json`` of the board's root, or of ``folder`` (with its ``/``)."""
    return checked(read_json(folder + "config.json"), read_json(folder + "keys.json"))
