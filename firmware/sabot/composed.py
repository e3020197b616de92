"""What a table is made of once it has been put together. Entry points: :class:`Composed`, :class:`Ports`."""

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
        self._display = display

    def prompt(self, kind: int, place: int, amount: int) -> None:
        """Ask the dealer for something: on the display, and through the link."""
        self._display.prompt(kind, place, amount)
        if self.link is not None:
            self.link.prompt(kind, place, amount)


class Composed:
    """``table``, its ``ports``, the ``supervisor``, and ``tasks``: (name, body) of each that must never end."""

    def __init__(
        self,
        table: Table,
        ports: Ports,
        announcement: AnnouncementKey,
        contacts: Contacts,
        buzzer: Buzzer,
        supervisor: Supervisor,
        tasks: "list[tuple[str, Any]]",
    ) -> None:
        self.table = table
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
