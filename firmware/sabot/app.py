"""The application: starts the controller, watches over it, and says what state it is in.

Entry point: :func:`run`, called by ``main.py`` with the board's module. What comes before the play is in ``start``, how
the parts are put together in ``compose``. A controller that cannot vouch for its configuration, its memory or its cards
does not play: it keeps the gate shut, answers the host, and says why.
"""

import asyncio
import gc
import sys

from sabot import __version__
from sabot.faults import Faults, leave_word
from sabot.journal.errors import JournalError
from sabot.services.access import Access
from sabot.services.clock import Clock
from sabot.services.display import Display
from sabot.services.lamps import BAR
from sabot.services.link import Link
from sabot.services.link_commands import Commands
from sabot.services.supervisor import critical

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_NO_MORE = ("storage", "closed")  # codes of a journal that keeps nothing until the next start


class App:
    """One controller. ``board`` is a module of ``boards``."""

    def __init__(self, board: "Any") -> None:
        self.version = __version__
        self.unique_id = board.unique_id()
        self.table_number = 0
        self.game_id = ""
        self.sealed = False  # what the journal says, once it is open
        self.settings = b""  # what a seal would stand for
        self.signer = ""  # of the program: a fingerprint, "development" or "none"
        self.published = True  # whether a key is one that everybody knows
        self.ready = False
        self.fault = ("", "")
        self.reporter = Faults()
        self.faults = self.reporter.parts
        self.journal: "Any" = None
        self.table: "Any" = None
        self.clock = Clock()
        self.access = Access({}, self.unique_id, board.random_bytes)
        self.display: "Any" = None  # before the start
        self.badges: "Any" = None  # where no badge reader is fitted
        self.forget = _forget
        self._board = board
        self._playing: "Any" = None  # what has been composed
        self._moves: "Any" = None  # steps of a segment that is being written

    def status(self) -> "dict[str, Any]":
        """State of the table, the journal's fill, faults. No card, no key.

        Anyone may ask, so what is kept from the players' eyes, and from the dealer's, is told to some roles alone.
        """
        status: "dict[str, Any]" = {"ready": self.ready, "faults": self.faults, "signer": self.signer}
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
            if not self.confides():
                open_to_all = []
                for issue in status["round"]["issues"]:
                    if issue["visible"] != "silent":
                        open_to_all.append(issue)
                status["round"]["issues"] = open_to_all
        return status

    def confides(self) -> bool:
        """Whether the host has proved a role that may know what is kept from the players' and the dealer's eyes."""
        return self.access.role not in ("", "dealer")

    def lines(self) -> "list[str]":
        """What the dealer's display shows, line by line; none without a display."""
        lines: list[str] = self.display.shown if self.display else []
        return lines

    async def main(self) -> None:
        """Start everything, then serve for ever; ends only when the link's task dies, and then the board resets."""
        asyncio.get_event_loop().set_exception_handler(self._task_failed)
        self._try_start()
        stdin, stdout = self._board.streams()
        link = Link(stdin, stdout, Commands(self))
        running = []
        if self.display:
            if self.fault[0]:
                self.display.refuse(self.fault[0])
            running.append(asyncio.create_task(critical("display", self.display.run(), self._part_died)))
        if self.badges:
            running.append(asyncio.create_task(critical("badge_reader", self.badges.run(), self._part_died)))
        if self._playing:
            self._playing.ports.link = link
            for name, body in self._playing.tasks:
                running.append(asyncio.create_task(critical(name, body, self._playing.supervisor.died)))
        gc.collect()
        gc.threshold(-1)  # from here on the supervisor says when
        await link.run()

    def _try_start(self) -> None:
        from sabot import start

        try:
            self._start(start)
            self.ready = True
        except start.Refused as error:
            self.fault = (error.code, str(error))
        except Exception as error:
            # Starting again would end here again: somebody has to be told, and only the link can do it.
            self.fault = ("start", "%s: %s; report it" % (type(error).__name__, error))
        for name in start.ONLY:
            _forget(name)
        _forget("sabot.rules.games." + self.game_id)

    def _start(self, start: "Any") -> None:
        from sabot.compose import compose, lamp_places

        board = self._board
        parts = board.parts()
        self.display = Display(parts.display, parts.display_fault, self.faults, self.part("display"), _forget)
        try:
            settings = start.settings()
        except start.Refused as error:
            start.refused(self, parts.fram, "configuration", error)
        self.table_number = settings.table
        self.game_id = settings.game_id
        self.access = Access(settings.role_keys, self.unique_id, board.random_bytes)
        parts.fit(settings, len(lamp_places(settings)) + BAR)
        self.clock.attach(parts.clock, parts.clock_fault)
        self.signer, damaged = start.released(settings)
        self.journal = start.open_journal(parts.fram, self.clock, board, self.reporter)
        start.lock_out(self.access, self.journal)
        if damaged:
            start.refused(self, parts.fram, "integrity", damaged)
        standing, returned = start.tell(self.journal, settings, self.reporter, board.reset_cause(), self.version)
        start.seal(self, settings)
        start.keep(self.reporter)
        start.accepted(settings)
        self.clock.on_fault = self.reporter.of("clock", 0)
        if self.clock.fault:
            self.clock.on_fault(self.clock.fault)
        try:
            deck = start.deck(settings)
            badges = start.badges(settings)
        except start.Refused as error:
            start.refused(self, parts.fram, "configuration", error)
        start.expanders(parts)
        so_far = start.rounds_so_far(self.journal)
        self._playing = compose(self, board, parts, settings, deck, badges, self.display, so_far)
        self.table = self._playing.table
        if returned is not None:
            self.display.power_lost(returned)
        if standing:
            self.table.stands(standing)

    def self_test(self, tries: int) -> "Any":
        """Begin the self-test of a closed table, `services.self_test`; None when it is not closed."""
        if not self.ready or self.table.state != "closed":
            return None
        from sabot.services.self_test import SelfTest

        test = SelfTest(self, self._playing, tries)
        test.task = asyncio.create_task(test.run())
        return test

    def end_self_test(self) -> None:
        """Its result has been fetched, or nobody will."""
        _forget("sabot.services.self_test")

    def boot_loader(self) -> None:
        """Leave for the boot loader: nothing of this program runs any more."""
        if self._playing:
            self._playing.leave()
        self._board.boot_loader()

    def answer(self, challenge: bytes) -> bytes:
        """What proves the program's files to whoever made the challenge; empty without a release."""
        from sabot import integrity

        proof = integrity.answer(challenge, self.unique_id)
        for name in integrity.ONLY:
            _forget(name)
        return proof

    def keep_badges(self, entries: bytes, record: "Any") -> None:
        """Put these badges in the file's place: `badge_file.keep`."""
        from sabot import badge_file, integrity

        badge_file.keep(entries, record)
        for name in ("sabot.badge_file",) + integrity.ONLY:
            _forget(name)

    def prompt(self) -> None:
        """Leave for the interpreter's prompt: the controller starts again without its table, until the next start."""
        if self._playing:
            self._playing.leave()
        self._board.prompt()

    def tick(self, ticks: int) -> None:
        """The table's own clock, the warning when half the journal waits for a host, and a step of a segment.

        Allocates nothing else where a bet can be locked or a card dealt.
        """
        self._playing.tick(ticks)
        half = self.journal.half
        if half != ("journal_half 0" in self.faults):
            self.reporter.tell("journal_half", 0, "connect a host" if half else "")
        if (self._moves or self.journal.crowded) and self.table.rests:
            fault = ""
            try:
                if not self._moves:
                    self._moves = self.journal.moves()
                next(self._moves)
                return
            except StopIteration:
                pass
            except JournalError as error:
                if error.code != "flash":
                    raise
                fault = "does not take records"
            self._moves = None
            _forget("sabot.journal.segment")  # what a step takes is dropped when there are no more
            self.reporter.tell("flash", 0, fault)

    def may_collect(self) -> bool:
        """Whether no bet can be locked and no card dealt: the stated windows of a collection."""
        return self.table.state in ("closed", "opening", "idle", "settling", "suspended")

    def task_died(self, name: str, reason: str) -> None:
        """The safe state: gate shut, table suspended, recorded; nothing plays until the controller is started again."""
        self.faults["task " + name] = reason
        self._playing.stop()
        text = name + ": " + reason
        try:
            gc.collect()  # it can be for want of room that the task has died
            self.reporter.record("task", 0, text)
        except Exception as error:
            self.faults["journal"] = _code(error)  # it can be the journal itself that has failed
            leave_word(error, text)  # in flash: the next start records it
        try:
            self.table.halt()
        except Exception as error:
            self.faults["journal"] = _code(error)  # halted all the same; only the record of it is missing

    def journal_failed(self, error: JournalError, name: str) -> None:
        """What ``name`` does not need in order to go on was not recorded; where nothing will be, the table stops."""
        self.faults["journal"] = error.code
        if self._playing and error.code in _NO_MORE:
            self._playing.supervisor.died(name, "JournalError: %s" % error)

    def part(self, name: str) -> "Callable[[str], None]":
        """A function that takes the fault code of a part which play does not need, or ``""``, and never raises."""

        def told(code: str) -> None:
            self._part_died(name, code)

        return told

    def _part_died(self, name: str, reason: str) -> None:
        """The table plays on without its display, or its badge reader; the link does what they did."""
        try:
            self.reporter.tell(name, 0, reason)
        except JournalError as error:
            self.journal_failed(error, name)

    def _task_failed(self, loop: "Any", context: "dict[str, Any]") -> None:
        """A task ended by an exception that nothing expected: told in the status, and never printed to the port."""
        self.faults["task"] = type(context["exception"]).__name__


def _code(error: Exception) -> str:
    """What the status says of an error that kept something from being recorded."""
    return error.code if isinstance(error, JournalError) else type(error).__name__


def _forget(name: str) -> None:
    """Let a module that is not needed any more out of the heap; a refused start has not loaded them all."""
    if name in sys.modules:
        package, _, own = name.rpartition(".")
        del sys.modules[name]
        delattr(sys.modules[package], own)


def run(board: "Any") -> None:
    """Serve the table for ever on ``board``; whatever ends it, the controller starts again and no prompt is reached."""
    try:
        asyncio.run(App(board).main())
    except Exception as error:
        leave_word(error)
    finally:
        board.reset()
