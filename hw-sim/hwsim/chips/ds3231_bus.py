"""What an I2C target does when its host vanishes in the middle of a read: it holds SDA until it has been clocked out.

Entry point: :class:`HalfRead` (``begin``, ``end``, ``holding``), for any target on nets of its own bits.

The target stands at a bit of the byte it was giving. Each falling edge of SCL brings the next bit; after eight it lets
go for the acknowledge: SDA high there ends the read, SDA low makes it go on with the next byte. A START or STOP (SDA
moving while SCL is high) ends it too. Limits: levels only; no time-out (the DS3231 has one only when its supply goes).
"""

from __future__ import annotations

from collections.abc import Callable

from hwsim.core import Line

_ACKNOWLEDGE = 8  # the ninth clock


class HalfRead:
    """The bits of one target. ``sda`` is its tap of the data net, ``sda_net`` that net, ``scl`` the clock net."""

    def __init__(self, sda: Line, sda_net: Line, scl: Line) -> None:
        self.active = False
        self._sda = sda
        self._sda_net = sda_net
        self._scl = scl
        self._byte = 0
        self._bit = 0  # bits given, 0-8
        self._next_byte: Callable[[], int] = lambda: 0xFF
        scl.listen(self._clock)
        sda_net.listen(self._data)

    @property
    def holding(self) -> bool:
        """Whether the target pulls SDA low."""
        return self.active and not self._sda.level

    def begin(self, byte: int, clocks: int, next_byte: Callable[[], int]) -> None:
        """Stand in a read: ``clocks`` (0-7) bits of ``byte`` are over, the next is being clocked (SCL is high)."""
        if not 0 <= clocks < _ACKNOWLEDGE:
            raise ValueError(f"a byte has no bit {clocks}")
        self._byte = byte
        self._bit = clocks
        self._next_byte = next_byte
        self._show()
        self.active = True

    def end(self) -> None:
        """Let go of the bus."""
        self.active = False
        self._sda.drive(1)

    def _show(self) -> None:
        self._sda.drive(1 if self._bit == _ACKNOWLEDGE else self._byte >> (7 - self._bit) & 1)

    def _clock(self, _line: Line, level: int) -> None:
        if not self.active:
            return
        if level:
            if self._bit == _ACKNOWLEDGE and self._sda_net.level:
                self.end()  # not acknowledged: the host wants no more
            return
        self._bit += 1
        if self._bit > _ACKNOWLEDGE:
            self._byte = self._next_byte()
            self._bit = 0
        self._show()

    def _data(self, _line: Line, _level: int) -> None:
        if self.active and self._scl.level:
            self.end()  # START or STOP: the target itself moves SDA while SCL is low only
