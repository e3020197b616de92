"""The composition root: board, drivers, services and table put together, and the order in which they start.

Entry point: :func:`run`, called by ``main.py`` with the board's module. A controller that cannot vouch for its
configuration, its memory or its cards does not play: it keeps the gate shut, answers the host, and says why.
"""

import asyncio
import gc
import io
import os
import sys

from sabot import __version__, config
from sabot.journal import recovery
from sabot.journal.errors import JournalError
from sabot.journal.journal import Journal
from sabot.services import acceptance
from sabot.services.access import Access
from sabot.services.chips import Chips
from sabot.services.clock import Clock
from sabot.services.deck import Deck
from sabot.services.lamps import BAR, Lamps
from sabot.services.link import Link
from sabot.services.link_commands import Commands
from sabot.services.panel import AnnouncementKey, KeyPad, Panel
from sabot.services.scanner import ReaderScan, Scanner
from sabot.services.shoe import Gate, Shoe
from sabot.services.supervisor import WATCHDOG_MS, Supervisor, critical
from sabot.table.presence import Presence
from sabot.table.table import Table
from sabot.wire import meters
from sabot.wire.codes import FAULTS, VOID_REASONS, visibility
from sabot.wire.records import code_of, parse

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

CHIPS = 254  # chips known at a time: what lies on 28 spots, and what lay there in the last rounds
_PROVISION = "provision.json"
_CRASH = "crash.txt"
_CRASH_CHARACTERS = 1000
_CRASH_BYTES = 4 * _CRASH_CHARACTERS
_DETAIL = 120  # bytes of a fault's detail in a record


class Refused(Exception):
    """The controller will not play; ``code`` is stable, the text says what and what to do."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


class Ports:
    """What the table needs of the world: see ``table.table``."""

    def __init__(self, journal: "Any", clock: Clock, chips: Chips, lamps: Lamps, gate: Gate, random: "Any") -> None:
        self.journal = journal
        self.clock = clock
        self.chips = chips
        self.lamps = lamps
        self.gate = gate
        self.random = random
        self.scanner: "Any" = None
        self.prompt: "Any" = None


class App:
    """One controller. ``board`` is a module of ``boards``."""

    def __init__(self, board: "Any") -> None:
        self.version = __version__
        self.unique_id = board.unique_id()
        self.table_number = 0
        self.game_id = ""
        self.sealed = False
        self.ready = False
        self.fault = ("", "")
        self.faults: "dict[str, str]" = {}
        self.journal: "Any" = None
        self.table: "Any" = None
        self.clock = Clock()
        self.access = Access({}, self.unique_id, board.random_bytes)
        self._board = board
        self._parts: "Any" = None
        self._ports: "Any" = None
        self._supervisor: "Any" = None

    def status(self) -> "dict[str, Any]":
        """State of the table, the journal's fill, faults. No card, no key.

        Anyone may ask, so what is kept from the players' eyes is told to a proved role alone.
        """
        status: "dict[str, Any]" = {"ready": self.ready, "faults": self.faults}
        if self.fault[0]:
            status["refused"] = {"code": self.fault[0], "text": self.fault[1]}
        if self.journal:
            journal = self.journal
            status["journal"] = {
                "first": journal.first,
                "last": journal.last,
                "acknowledged": journal.acknowledged,
                "used": journal.used,
                "capacity": journal.capacity,
                "full": journal.full,
            }
        if self.table:
            status["round"] = self.table.status()
            if not self.access.role:
                open_to_all = []
                for issue in status["round"]["issues"]:
                    if visibility(issue["kind"]) != "silent":
                        open_to_all.append(issue)
                status["round"]["issues"] = open_to_all
        return status

    async def main(self) -> None:
        """Start everything, then serve for ever; ends only when the link's task dies, and then the board resets."""
        asyncio.get_event_loop().set_exception_handler(self._task_failed)
        tasks: "list[Any]" = []
        try:
            self._start(tasks)
            self.ready = True
        except Refused as error:
            self.fault = (error.code, str(error))
            tasks = []
        except Exception as error:
            # Starting again would end here again: somebody has to be told, and only the link can do it.
            self.fault = ("start", "%s: %s; report it" % (type(error).__name__, error))
            tasks = []
        stdin, stdout = self._board.streams()
        link = Link(stdin, stdout, Commands(self))
        if self.table:
            self._ports.prompt = link.prompt
        running = []
        for name, body in tasks:
            running.append(asyncio.create_task(critical(name, body, self._supervisor.died)))
        gc.collect()
        gc.threshold(-1)  # from here on the supervisor says when
        await link.run()

    def _start(self, tasks: "list[Any]") -> None:
        try:
            settings = config.load()
        except config.ConfigError as error:
            raise Refused("configuration", str(error))
        self.table_number = settings.table_number
        self.game_id = settings.game_id
        self.sealed = settings.sealed
        self.access = Access(settings.role_keys, self.unique_id, self._board.random_bytes)
        refusal = acceptance.missing(settings)
        if refusal:
            raise Refused("paytable", refusal)
        places = tuple(sorted([place for place in settings.antennas if place]))
        parts = self._board.Board(settings, len(places) + BAR)
        self._parts = parts
        self._open_journal(settings)
        try:
            deck = Deck(config.read_json("deck.json"), settings.device_key, settings.decks)
        except (ValueError, config.ConfigError) as error:
            raise Refused("deck", "deck.json: %s; register the deck again" % error)
        try:
            parts.start_expanders()
        except Exception as error:
            raise Refused("expander", "a port expander does not answer (%s); check the wiring" % error)
        self._compose(settings, parts, places, deck, tasks)

    def _open_journal(self, settings: "Any") -> None:
        try:
            self._parts.fram.start()
        except Exception as error:
            raise Refused("memory", "the journal's memory cannot be used (%s); check its wiring and its type" % error)
        journal = Journal(self._parts.fram, self.clock)
        try:
            try:
                journal.open()
            except JournalError as error:
                if error.code != "unformatted":
                    raise
                self._provision(journal)
                journal.open()
            self.journal = journal
            self._tell_start(journal, settings)
        except JournalError as error:
            if error.code == "full":
                raise Refused("journal_full", "%s; pull and acknowledge it, then start the controller again" % error)
            raise Refused("journal", "%s; the record is kept as it is: call the auditor" % error)

    def _tell_start(self, journal: Journal, settings: "Any") -> None:
        """Record this start, what ended the one before, and the round that it left open."""
        cause = self._board.reset_cause()
        journal.append(code_of("power_on"), {"cause": cause, "version": self.version, "config_hash": settings.hash})
        crash = _last_word()
        if crash:
            self._record_fault("task", 0, "crash: " + crash)
        if not journal.boundary and journal.first == 1 and journal.boot == 1:
            values = {"game": settings.game_id, "game_hash": settings.game_hash, "config_hash": settings.hash}
            journal.append(code_of("configured"), values)
        if _PROVISION in os.listdir():
            # The power went between the key's writing and the file's removal, or a second key was brought.
            self._record_fault("configuration", 0, "key file removed: there is a key")
            os.remove(_PROVISION)
        self._void_open_round(journal)

    def _provision(self, journal: Journal) -> None:
        """Write the first key into a blank memory; the file that brought it is then gone from the controller."""
        try:
            key = config.key_of(config.read_json(_PROVISION), "journal")
        except config.ConfigError as error:
            raise Refused("unprovisioned", "the journal's memory is blank and there is no key for it (%s)" % error)
        journal.format(key, self.unique_id)
        os.remove(_PROVISION)

    @staticmethod
    def _void_open_round(journal: Journal) -> None:
        """A round that a power cut ended is void: unsettled bets go back as they were locked, settled ones stand."""
        lost = recovery.last_round(journal)
        if lost is None:
            return
        if not lost.reported:
            journal.append(code_of("power_lost_in_play"), {"round": lost.number, "table_state": lost.state_number})
        journal.append(
            code_of("void"),
            {
                "round": lost.number,
                "reason": VOID_REASONS.index("power_cut"),
                "by": 0,
                "article": "house",
                "spots": lost.unsettled(),
            },
        )

    def _compose(
        self, settings: "Any", parts: "Any", places: "tuple[int, ...]", deck: Deck, tasks: "list[Any]"
    ) -> None:
        board = self._board
        chips = Chips(CHIPS, settings.casino, settings.casino_key)
        lamps = Lamps(parts.lamps, places)
        gate = Gate(parts.gate)
        ports = Ports(self.journal, self.clock, chips, lamps, gate, board.random_bytes)
        ports.prompt = _nobody
        self._ports = ports
        table = Table(settings, settings.game, ports, *_rounds_so_far(self.journal))
        self.table = table
        presence = Presence(len(settings.antennas), CHIPS, table)
        scans = []
        for number in range(settings.readers):
            first = number * config.ANTENNAS_A_READER
            wired = [n for n in range(first, first + config.ANTENNAS_A_READER) if settings.antennas[n]]
            positions = [n - first for n in wired]
            make = parts.readers[number]
            scans.append(
                ReaderScan(
                    make.reader,
                    parts.switches[number],
                    tuple(wired),
                    tuple(positions),
                    make,
                    presence,
                    chips,
                    self._fault_of("reader", number),
                )
            )
        scanner = Scanner(scans, settings.antennas)
        ports.scanner = scanner
        shoe = Shoe(
            parts.shoe.reader,
            parts.shoe,
            parts.beam,
            gate,
            deck,
            settings.afi_card,
            table.leaving,
            table.card,
            self._fault_of("shoe", 0),
        )
        announcement = AnnouncementKey(parts.rnvp)
        pad = KeyPad(parts.interrupt, parts.expanders, parts.keys, parts.expander_fault)
        panel = Panel(announcement, pad, table, self._key_stuck)
        watchdog = board.Board.watchdog(WATCHDOG_MS)
        supervisor = Supervisor(
            watchdog,
            self.clock,
            (scanner, shoe, panel),
            ("scanner", "shoe", "panel"),
            self._may_collect,
            self._task_died,
            self._tick,
        )
        self._supervisor = supervisor
        announcement.start(board.BOTH_EDGES)
        pad.start(board.FALLING_EDGE)
        shoe.start(board.FALLING_EDGE)
        tasks.append(("panel", panel.run()))
        tasks.append(("scanner", scanner.run()))
        tasks.append(("shoe", shoe.run()))
        tasks.append(("supervisor", supervisor.run()))

    def _fault_of(self, part: str, index: int) -> "Any":
        """A function that takes a part's fault code, or ``""`` when the part is back."""

        def told(code: str) -> None:
            self._fault(part, index, code)

        return told

    def _fault(self, part: str, index: int, code: str) -> None:
        name = "%s %d" % (part, index)
        if code:
            self.faults[name] = code
            self._record_fault(part, index, code)
        elif name in self.faults:
            del self.faults[name]
            self.journal.append(code_of("fault_cleared"), {"part": FAULTS.index(part), "index": index, "by": 0})

    def _record_fault(self, part: str, index: int, detail: str) -> None:
        values = {"part": FAULTS.index(part), "index": index, "detail": detail[:_DETAIL]}
        self.journal.append(code_of("fault"), values)

    def _key_stuck(self, edge: int) -> None:
        self.faults["key rnvp"] = "stuck"
        self.table.stuck(edge)

    def _tick(self, ticks: int) -> None:
        """The table's own clock, and the warning when half the journal waits for a host; allocates nothing else."""
        self.table.tick(ticks)
        half = self.journal.half
        if half != ("journal_half 0" in self.faults):
            self._fault("journal_half", 0, "connect a host" if half else "")

    def _may_collect(self) -> bool:
        """Whether no bet can be locked and no card dealt: the stated windows of a collection."""
        return self.table.state in ("closed", "opening", "idle", "settling", "suspended")

    def _task_died(self, name: str, reason: str) -> None:
        """The safe state: gate shut, table suspended, recorded; nothing plays until the controller is started again."""
        self.faults["task " + name] = reason
        self._ports.gate.set(False)
        try:
            self._record_fault("task", 0, name + ": " + reason)
        except JournalError as error:
            self.faults["journal"] = error.code  # it can be the journal itself that has failed
        try:
            self.table.halt()
        except JournalError as error:
            self.faults["journal"] = error.code  # halted all the same; only the record of it is missing

    def _task_failed(self, loop: "Any", context: "dict[str, Any]") -> None:
        """A task ended by an exception that nothing expected: told in the status, and never printed to the port."""
        self.faults["task"] = type(context["exception"]).__name__


def _rounds_so_far(journal: Journal) -> "tuple[int, int]":
    """Number of the last round and how many were played, so that both go on after a restart."""
    counted = meters.as_dict(journal.meters)
    number = counted["rounds"] + counted["voids"]  # the least it can be, when the last round's records are gone
    for _sequence, data in journal.records_from(max(journal.boundary, 1)):
        fields = parse(data)["fields"]
        number = max(number, fields.get("round", 0))
    return number, counted["rounds"]


def _nobody(kind: int, place: int, amount: int) -> None:
    """Prompts before the link is up have no reader."""


def _leave_word(error: Exception) -> None:
    """Keep why the controller went down, for the journal of the next start; nothing goes to the port."""
    text = io.StringIO()
    sys.print_exception(error, text)
    try:
        with open(_CRASH, "w") as file:
            file.write(text.getvalue()[-_CRASH_CHARACTERS:])
    except OSError:
        return  # no room in flash: the watchdog's cause in power_on is all that is left


def _last_word() -> str:
    """The last line that the crash before this start left, or an empty text; it is then gone."""
    try:
        with open(_CRASH, "rb") as file:
            last = file.read(_CRASH_BYTES).strip().split(b"\n")[-1]
        os.remove(_CRASH)
    except OSError:
        return ""
    # The power may have gone while it was written: whatever stands there must fit a record.
    return "".join([chr(byte) if 32 <= byte < 127 else "?" for byte in last[:_DETAIL]])


def run(board: "Any") -> None:
    """Serve the table for ever on ``board``; whatever ends it, the controller starts again and no prompt is reached."""
    try:
        asyncio.run(App(board).main())
    except Exception as error:
        _leave_word(error)
    finally:
        board.reset()
