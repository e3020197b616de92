"""PN532 on I2C: every read begins with a ready byte; the address wakes the chip.

Entry points: :class:`Pn532I2c` (an :class:`~hwsim.core.I2cDevice`); world side ``hold_clock_ns``, ``leave_unread`` and
what :class:`~hwsim.chips.pn532.Pn532` has. ``stretch_ns`` is for the bus: how long the chip held SCL low in the call
that has just returned.

A read of the ready byte alone takes nothing. A read of more takes the frame; what it does not fetch is lost, and bytes
beyond its end read 00 (unverified). A frame must be written in one transaction.
"""

from __future__ import annotations

from collections import deque
from functools import partial
from typing import Any

from hwsim.chips.pn532 import Pn532
from hwsim.chips.pn532_air import CardField
from hwsim.chips.pn532_commands import WAKE_BY_I2C
from hwsim.core import Scheduler

READY, NOT_READY, FILLER = 0x01, 0x00, 0x00
ADDRESS = 0x24
_BITS_PER_BYTE = 9


class Pn532I2c(Pn532):
    """One chip at address 24.

    Args:
        scheduler: virtual time.
        field: the antenna and what is held to it.
        stretches: False: the address that wakes the chip, and those until it hears, are not acknowledged; True: they
            are, and the clock is held until then. The sheet allows both.
        bit_ns: one I2C clock period; the bus sets it when its rate is not 400 kHz.
        options: passed on to :class:`~hwsim.chips.pn532.Pn532`.
    """

    wake_source = WAKE_BY_I2C

    def __init__(
        self, scheduler: Scheduler, field: CardField, *, stretches: bool = False, bit_ns: int = 2_500, **options: Any
    ) -> None:
        self.bit_ns = bit_ns
        self.stretch_ns = 0
        self.hold_clock_ns = 0
        """World side: clock stretching on top, in every transaction; beyond the host's time-out it is a dead bus."""
        self._stretches = stretches
        self._unread: deque[bytes] = deque()
        super().__init__(scheduler, field, **options)

    # World side

    def leave_unread(self, data: bytes) -> None:
        """Bytes of an earlier exchange wait for the host, in front of everything else."""
        self._unread.appendleft(data)

    # I2C side

    @property
    def acknowledges(self) -> bool:
        """Whether the address would be acknowledged now."""
        awake = not self._asleep and self._scheduler.now >= self._hears_at
        return self._present and (awake or self._stretches)

    def write(self, data: bytes) -> int:
        """A frame. Returns the bytes acknowledged: all, or none while absent or waking up."""
        if not self._addressed():
            return 0
        began = self._scheduler.now + self.stretch_ns
        arrival = began + self.bit_ns * (1 + _BITS_PER_BYTE * (1 + len(data)))
        self._scheduler.at(arrival, partial(self._take, bytes(data), began))
        return len(data)

    def read(self, count: int) -> bytes:
        """The ready byte, then the frame that waits; empty when the address is not acknowledged."""
        if not self._addressed():
            return b""
        if not self._unread:
            return bytes([NOT_READY]) + bytes([FILLER]) * (count - 1)
        if count == 1:
            return bytes([READY])
        frame = self._unread.popleft()
        if not self._unread:
            self._delivered()
        return (bytes([READY]) + frame + bytes([FILLER]) * count)[:count]

    def stop(self) -> None:
        """STOP condition."""

    def _addressed(self) -> bool:
        delay = self._touch()
        self.stretch_ns = 0
        if delay is None or (delay and not self._stretches):
            return False
        self.stretch_ns = delay + self.hold_clock_ns
        return True

    def _take(self, data: bytes, began: int) -> None:
        if self._asleep or not self._present:
            return  # reset or put to sleep while the frame was on the wire
        self._parser.reset()
        for byte in data:
            frame = self._parser.feed(byte)
            if frame is not None:
                self._frame(frame, began)

    def _send(self, frame: bytes) -> None:
        self._unread.append(frame)

    def _drop_unsent(self) -> bool:
        dropped = bool(self._unread)
        self._unread.clear()
        return dropped
