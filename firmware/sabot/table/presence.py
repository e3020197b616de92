"""Which chips lie on which antenna, each with the interval in which it came and went. Entry point: `Presence`.

Fed by the scanner, visit by visit; tells a listener `chip_in(antenna, chip, lo, hi)`, the same with `chip_out`, then
`chip_unsure(antenna, chip, lo)` (believed there, but it did not answer in the visit that is ending; its last answer
came after `lo`) and, last of a visit, `visit_done(antenna, begun, ended, clean)`. Instants are raw ticks; `lo` may be
`ticks.LONG_AGO`.

Every interval contains the true instant. A chip came after the last clean visit that did not hold it had begun, and
before its first answer had been read. It left after the request of its last answer had been sent, and before the first
non-answer of the run that makes it absent. What is unknown stays as it was: only the scanner's `silent`, that whole run
without one doubtful reply, is absence. Nothing here allocates after construction.
"""

from array import array

from sabot.table.ticks import LONG_AGO, since

try:
    from micropython import const
except ImportError:

    def const(x: int) -> int:
        """The value itself, where there is no MicroPython."""
        return x


try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MAX_CAPACITY = const(254)
_FREE = const(255)
_STALE_US = const(1 << 28)  # half of what ticks can compare: an instant older than this becomes LONG_AGO


class Presence:
    """Chips on `antennas` antennas, both numbers from 0; chips are numbers below `capacity` (1 to 254).

    A chip that is being moved may be on two antennas for a while: 254 such entries in all.
    """

    def __init__(self, antennas: int, capacity: int, listener: "Any") -> None:
        if not 0 < capacity <= MAX_CAPACITY:
            raise ValueError("capacity is 1 to %d" % MAX_CAPACITY)
        self.listener = listener
        self.lost = 0  # arrivals that found no room: a configuration fault, reported by whoever runs the scanner
        # Entries: which chip lies on which antenna; both FREE where there is none.
        self._chips = bytearray([_FREE] * MAX_CAPACITY)
        self._antennas = bytearray([_FREE] * MAX_CAPACITY)
        self._key = bytearray(1)
        self._last_answer = array("i", bytes(4 * MAX_CAPACITY))
        self._heard = bytearray(MAX_CAPACITY)  # it answered in the antenna's latest visit
        self._count = bytearray(antennas)  # chips on each antenna
        self.begun = array("i", [LONG_AGO] * antennas)  # begin of the latest visit; LONG_AGO when that read nothing
        self._clean_begun = array("i", [LONG_AGO] * antennas)  # begin of the last clean visit
        self._doubt = bytearray(antennas)  # a chip was reported unknown in this visit

    def _find(self, antenna: int, chip: int) -> int:
        """The entry of a chip on an antenna, or -1."""
        self._key[0] = chip
        entry = self._chips.find(self._key)
        while entry >= 0 and self._antennas[entry] != antenna:
            entry = self._chips.find(self._key, entry + 1)
        return entry

    def _lying(self, antenna: int, after: int) -> int:
        """The first entry of an antenna after the entry ``after``, or -1."""
        self._key[0] = antenna
        return self._antennas.find(self._key, after + 1)

    def holds(self, antenna: int, chip: int) -> bool:
        """Whether the chip is believed to lie on the antenna."""
        return self._find(antenna, chip) >= 0

    def count(self, antenna: int) -> int:
        """Chips believed to lie on the antenna."""
        return self._count[antenna]

    def visit_begun(self, antenna: int, ticks: int) -> None:
        """A visit begins; `ticks` is before the field is switched on."""
        self.begun[antenna] = ticks
        self._doubt[antenna] = 0
        self.age(antenna, ticks)

    def age(self, antenna: int, ticks: int) -> None:
        """Nobody has answered yet, and what could soon not be compared with `ticks` is forgotten: before each visit.

        To be called every minute even when there is none.
        """
        if self._clean_begun[antenna] != LONG_AGO and since(ticks, self._clean_begun[antenna]) > _STALE_US:
            self._clean_begun[antenna] = LONG_AGO
        entry = self._lying(antenna, -1)
        while entry >= 0:
            self._heard[entry] = 0
            last = self._last_answer[entry]
            if last != LONG_AGO and since(ticks, last) > _STALE_US:
                self._last_answer[entry] = LONG_AGO
            entry = self._lying(antenna, entry)

    def answered(self, antenna: int, chip: int, lo: int, hi: int) -> None:
        """A chip answered a request sent after `lo`; the answer had been read by `hi`."""
        entry = self._find(antenna, chip)
        if entry >= 0:
            self._last_answer[entry] = lo
            self._heard[entry] = 1
            return
        entry = self._lying(_FREE, -1)
        if entry < 0:
            self.lost += 1
            return
        self._chips[entry] = chip
        self._antennas[entry] = antenna
        self._last_answer[entry] = lo
        self._heard[entry] = 1
        self._count[antenna] += 1
        self.listener.chip_in(antenna, chip, self._clean_begun[antenna], hi)

    def silent(self, antenna: int, chip: int, first_non_answer: int) -> None:
        """The chip is absent: a run of K clean non-answers in one visit, the first of them by `first_non_answer`."""
        entry = self._find(antenna, chip)
        if entry < 0:
            return
        self._chips[entry] = _FREE
        self._antennas[entry] = _FREE
        self._count[antenna] -= 1
        self.listener.chip_out(antenna, chip, self._last_answer[entry], first_non_answer)

    def unknown(self, antenna: int, chip: int) -> None:
        """Neither an answer nor absence in this visit: the chip stays, and the visit is not clean."""
        if self.holds(antenna, chip):
            self._doubt[antenna] = 1

    def visit_finished(self, antenna: int, clean: bool, ticks: int) -> None:
        """The visit has ended; `clean`: no slot was left in doubt."""
        sure = clean and not self._doubt[antenna]
        entry = self._lying(antenna, -1)
        while entry >= 0:
            if not self._heard[entry]:
                sure = False
                self.listener.chip_unsure(antenna, self._chips[entry], self._last_answer[entry])
            entry = self._lying(antenna, entry)
        if sure:
            self._clean_begun[antenna] = self.begun[antenna]
        self.listener.visit_done(antenna, self.begun[antenna], ticks, sure)
