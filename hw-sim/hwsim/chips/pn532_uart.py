"""PN532 on its high speed UART: 55 wakes it, frames arrive by themselves.

Entry points: :class:`Pn532Uart`, whose ``port`` goes to :meth:`hwsim.fabric.Fabric.uart`; world side: what
:class:`~hwsim.chips.pn532.Pn532` has, and ``port.send`` for noise.

While asleep only the byte 55 is noticed, and what comes until the oscillator runs is lost. A command whose frame begins
less than a millisecond behind the end of an answer loses its ACK; the answer to it comes.
"""

from __future__ import annotations

from typing import Any

from hwsim.chips.pn532 import Ignored, Pn532
from hwsim.chips.pn532_air import CardField
from hwsim.chips.pn532_commands import WAKE_BY_HSU
from hwsim.chips.pn532_frames import ACK_FRAME, COMMAND
from hwsim.core import Scheduler
from hwsim.uart import UartPort

WAKE_UP = 0x55
_START_BYTES = 3  # 00 00 FF


class Pn532Uart(Pn532):
    """One chip at 115 200 bit/s, 8N1.

    Args:
        scheduler: virtual time.
        field: the antenna and what is held to it.
        port: the serial port to the host.
        options: passed on to :class:`~hwsim.chips.pn532.Pn532`.
    """

    wake_source = WAKE_BY_HSU
    baudrate = 115_200

    def __init__(self, scheduler: Scheduler, field: CardField, port: UartPort, **options: Any) -> None:
        self.port = port
        self._began = 0
        self._answer_ended = -1_000_000_000
        self._loses_ack = False
        super().__init__(scheduler, field, **options)
        port.on_byte = self._byte

    def _byte(self, byte: int) -> None:
        now = self._scheduler.now
        if self.port.baudrate != self.baudrate:
            return  # nothing that the receiver could make a byte of
        if self._asleep:
            if byte == WAKE_UP:
                self._touch()
            return
        if not self._present or now < self._hears_at:
            return
        was_idle = self._parser.idle
        frame = self._parser.feed(byte)
        if was_idle and not self._parser.idle:
            self._began = now - _START_BYTES * self.port.byte_ns
        if frame is not None:
            if frame.kind == COMMAND:
                self._loses_ack = self._began < self._answer_ended + self.timing.gap_after_answer
            self._frame(frame, self._began)

    def _send(self, frame: bytes) -> None:
        if frame == ACK_FRAME and self._loses_ack:
            self._loses_ack = False
            self.ignored.append(Ignored(self._scheduler.now, b"", "ACK lost: no gap behind the answer before"))
            return
        self.port.send(frame)
        if frame != ACK_FRAME:
            self._answer_ended = self.port.sent_at
        self._scheduler.at(self.port.sent_at, self._sent)

    def _sent(self) -> None:
        if self._scheduler.now >= self.port.sent_at:
            self._delivered()

    def _drop_unsent(self) -> bool:
        return False  # what has been handed to the shift register goes out
