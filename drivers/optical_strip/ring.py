"""Edges of the two sensors, taken by pin interrupts into a ring made beforehand. Entry point: :class:`EdgeRing`."""

try:
    from micropython import const
except ImportError:

    def const(value: int) -> int:
        """Stand in for MicroPython's compile-time constant."""
        return value


try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from .interfaces import InputPin

# An entry is LEVEL (white, after the edge) with or without SENSOR_B, or EDGES_LOST.
LEVEL = const(1)
SENSOR_B = const(2)
EDGES_LOST = const(4)

EMPTY = const(-1)
_SIZE = const(256)  # two and a half cards; a power of two
_WRAP = const(255)


class EdgeRing:
    """Both sensors' edges in the order in which they came.

    Filled by interrupts alone (``put``), emptied by the one task that calls :meth:`take` (``got``): on one core neither
    needs the other to hold still. When it is full, the place of the first edge that finds none says so, so that
    the reader knows where in the order something is missing; ``lost`` counts them all.
    """

    def __init__(self, sensor_a: "InputPin", sensor_b: "InputPin") -> None:
        """``sensor_a`` is met first by a card that leaves; both are inputs, high for white."""
        self.lost = 0
        self.kept = 0  # edges that came, those lost included; it runs over at 2**30
        self._sensor_a = sensor_a
        self._sensor_b = sensor_b
        self._entries = bytearray(_SIZE)
        self._put = 0
        self._got = 0

    def start(self, both_edges: int) -> None:
        """Take edges from now on; ``both_edges`` is ``Pin.IRQ_RISING | Pin.IRQ_FALLING``."""
        self._sensor_a.irq(handler=self.edge_a, trigger=both_edges, hard=True)
        self._sensor_b.irq(handler=self.edge_b, trigger=both_edges, hard=True)

    def edge_a(self, pin: "InputPin") -> None:
        """Sensor A changed, in interrupt context."""
        self._keep(pin.value())

    def edge_b(self, pin: "InputPin") -> None:
        """Sensor B changed, in interrupt context."""
        self._keep(SENSOR_B | pin.value())

    def _keep(self, entry: int) -> None:
        self.kept = (self.kept + 1) & 0x3FFFFFFF
        put = self._put
        room = (self._got - put - 1) & _WRAP
        if room <= 1:
            self.lost = (self.lost + 1) & 0x3FFFFFFF
            if not room:
                return
            entry = EDGES_LOST
        self._entries[put] = entry
        self._put = (put + 1) & _WRAP

    def take(self) -> int:
        """The oldest edge that has not been taken, or EMPTY. Allocates nothing."""
        got = self._got
        if got == self._put:
            return EMPTY
        entry = self._entries[got]
        self._got = (got + 1) & _WRAP
        return entry

    def dark(self) -> bool:
        """Whether neither sensor sees a card, and every edge has been taken. Allocates nothing."""
        return not self._sensor_a.value() and not self._sensor_b.value() and self._got == self._put

    def white(self) -> bool:
        """Whether both sensors see white. Allocates nothing."""
        return bool(self._sensor_a.value() and self._sensor_b.value())
