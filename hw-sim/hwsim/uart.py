"""A serial port between the firmware's UART and a model: bytes at the bit rate, a receive buffer that overflows.

Entry points: :class:`UartPort`; the model sets ``on_byte`` and calls ``send``.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import partial

from hwsim import costs
from hwsim.core import NS_PER_S, Scheduler


class UartPort:
    """Both directions of one UART. Bytes that find the firmware's receive buffer full are lost, silently."""

    def __init__(self, scheduler: Scheduler) -> None:
        self._scheduler = scheduler
        self.baudrate = 115_200
        self.buffer_bytes = 256
        self.lost = 0
        self.on_byte: Callable[[int], None] | None = None
        """Called with each byte of the firmware at the instant of its stop bit."""
        self._buffer: deque[int] = deque()
        self._to_model_done = 0
        self._to_firmware_done = 0

    def setup(self, baudrate: int, buffer_bytes: int) -> None:
        """UART_SETUP."""
        self.baudrate = baudrate
        self.buffer_bytes = buffer_bytes

    @property
    def byte_ns(self) -> int:
        """Nanoseconds that one byte takes."""
        return costs.UART_BYTE_BITS * NS_PER_S // self.baudrate

    def write(self, data: bytes) -> None:
        """The firmware sends ``data``."""
        when = max(self._to_model_done, self._scheduler.now)
        for byte in data:
            when += self.byte_ns
            self._scheduler.at(when, partial(self._leave, byte))
        self._to_model_done = when

    def send(self, data: bytes) -> None:
        """The model sends ``data``."""
        when = max(self._to_firmware_done, self._scheduler.now)
        for byte in data:
            when += self.byte_ns
            self._scheduler.at(when, partial(self._arrive, byte))
        self._to_firmware_done = when

    @property
    def sent_at(self) -> int:
        """Instant at which the last byte that the model has sent is out, or was."""
        return self._to_firmware_done

    def _leave(self, byte: int) -> None:
        if self.on_byte is not None:
            self.on_byte(byte)

    def _arrive(self, byte: int) -> None:
        if len(self._buffer) < self.buffer_bytes:
            self._buffer.append(byte)
        else:
            self.lost += 1

    def any(self) -> int:
        """Bytes the firmware may read."""
        return len(self._buffer)

    def read(self, count: int) -> bytes:
        """The firmware reads ``count`` bytes, which must be there."""
        return bytes(self._buffer.popleft() for _ in range(count))
