"""What a table is made of once it has been put together, and what ties its parts together while it plays.

Entry points: :class:`Composed`, :class:`Ports`, :class:`Patience`, :class:`ReaderFaults`.
"""

from sabot.services.scanner import SHORT_TURN_US, TURN_US
from sabot.wire.codes import UNSTEADY

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from sabot.services.buzzer import Buzzer
    from sabot.services.chips import Chips
    from sabot.services.contacts import Contacts
    from sabot.services.display import Display
    from sabot.services.lamps import Lamps
    from sabot.services.mouth import Gate
    from sabot.services.panel import AnnouncementKey
    from sabot.services.supervisor import Supervisor
    from sabot.table.table import Table


class Ports:
    """What the table needs of the world: see ``table.core``. ``link`` is None before it is up."""

    def __init__(self, app: "Any", chips: Chips, lamps: Lamps, gate: Gate, random: "Any", display: "Display") -> None:
        self.journal = app.journal
        self.clock = app.clock
        self.chips = chips
        self.lamps = lamps
        self.gate = gate
        self.random = random
        self.scanner: "Any" = None
        self.link: "Any" = None
        self.discard: "Any" = None
        self.changed = display.changed
        self.forget = app.forget
        self._display = display

    def prompt(self, kind: int, place: int, amount: int) -> None:
        """Ask the dealer for something: on the display, and through the link."""
        self._display.prompt(kind, place, amount)
        if self.link is not None:
            self.link.prompt(kind, place, amount)


class Patience:
    """How long the scanner may go on: an edge of the key, or of the beam, is to be looked at at once."""

    def __init__(self, announcement: AnnouncementKey, mouth: "tuple[Any, ...]") -> None:
        self._announcement = announcement
        self._mouth = mouth

    def left(self) -> int:
        """Microseconds that the other tasks can wait now."""
        if self._announcement.waiting:
            return 0
        for each in self._mouth:
            if each.listening():
                return 0 if each.edge_waits() else SHORT_TURN_US
        return TURN_US


class ReaderFaults:
    """Where a reader of these antennas tells that it has failed, or is back."""

    def __init__(self, app: "Any", table: Table, number: int, antennas: "tuple[int, ...]") -> None:
        self._app = app
        self._table = table
        self._number = number
        self._antennas = antennas

    def told(self, code: str) -> None:
        """The reader's fault, "" when it is back; one that is unsteady is heard, and its seats play on."""
        self._app.reporter.tell("reader", self._number, code)
        self._table.reader(self._antennas, code not in ("", UNSTEADY))


class Composed:
    """``table``, its ``ports``, the ``supervisor``, and ``tasks``: (name, body) of each that must never end.

    For the self-test: ``chips``, a function for each chip beside the readers that raises what is wrong with it (memory,
    both expanders, clock, display, and what else is fitted), the ``mouth`` and the ``pad``.
    """

    def __init__(
        self,
        table: Table,
        ports: Ports,
        announcement: AnnouncementKey,
        contacts: Contacts,
        buzzer: Buzzer,
        supervisor: Supervisor,
        tasks: "list[tuple[str, Any]]",
        mouth: "tuple[Any, ...]",
        pad: "Any",
        chips: "tuple[Any, ...]",
    ) -> None:
        self.table = table
        self.mouth = mouth
        self.pad = pad
        self.chips = chips
        self.ports = ports
        self.supervisor = supervisor
        self.tasks = tasks
        self._announcement = announcement
        self._contacts = contacts
        self._buzzer = buzzer

    def tick(self, ticks: int) -> None:
        """Time passes, every 50 ms, for what has no task of its own; no lamp is written while the key waits."""
        self.table.tick(ticks)
        self._contacts.turn(ticks)
        if not self._announcement.waiting:
            self.ports.lamps.stopped(self.table.stopped)
            self.ports.lamps.turn(ticks)
        self._buzzer.turn()

    def stop(self) -> None:
        """What can be seen of the safe state, at once and whatever task has died: gate shut, the bar stopped.

        Nothing waits any more for edges of the key, which the task that is gone may have been about to judge.
        """
        self.ports.gate.set(False)
        self._announcement.attended = False
        self.ports.lamps.stopped(True)
        self.ports.lamps.show()

    def leave(self) -> None:
        """The table is left for the boot loader or the prompt: gate shut, lamps dark before the controller goes."""
        self.ports.gate.set(False)
        self.ports.lamps.dark()
