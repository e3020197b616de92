"""PN532 NFC controller, firmware 1.6: power states, frames and answers, whatever the host's interface is.

Entry points: :class:`Pn532`, the base of :class:`~hwsim.chips.pn532_i2c.Pn532I2c` and
:class:`~hwsim.chips.pn532_uart.Pn532Uart`; world side ``dead``, ``power_cycle``, ``line_fault``, ``asleep``, ``busy``,
``received``, ``ignored``.

Modelled: LowVbat after reset, wake-up, PowerDown, acknowledge, NACK and error frames, extended frames, abort by an ACK
frame and the deafness after it, a new command that ends the one before.

Limits: no SPI; registers, baud rate changes, InAutoPoll, target mode, FeliCa, type B and Jewel are refused. A frame
that stops half-way is waited for without end on the UART, and forgotten at STOP on I2C.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import NamedTuple

from hwsim.chips.pn532_air import CardField
from hwsim.chips.pn532_commands import CommandSet, SyntaxFault, Timing, Work
from hwsim.chips.pn532_frames import ACK, ACK_FRAME, DAMAGED, ERROR_FRAME, NACK, NACK_FRAME, Frame, FrameParser, build
from hwsim.core import Event, Line, Scheduler

HISTORY = 1024

LineFault = Callable[[bytes], bytes]
"""A frame of the chip -> what leaves it; nothing = lost."""


class Ignored(NamedTuple):
    """A command that the chip took no notice of: instant (ns), its bytes, reason."""

    when: int
    command: bytes
    reason: str


class Pn532:
    """One chip. The interface calls ``frame`` and ``touch`` and implements ``_send`` and ``_drop_unsent``.

    Args:
        scheduler: virtual time.
        field: the antenna and what is held to it.
        name: for messages.
        irq: net at P70_IRQ, low = a frame waits for the host, when SAMConfiguration enables it.
        reset_n: RSTPDN, low = reset; None = tied high.
        timing: what things take.
        nack_damaged: whether a frame with a wrong checksum is answered by NACK; otherwise there is silence. Reports
            differ.
        strict: False answers commands that are not in the sheet by the error frame instead of a SimFault.
    """

    wake_source = 0
    """Bit of PowerDown's parameter that lets this interface wake the chip."""

    def __init__(
        self,
        scheduler: Scheduler,
        field: CardField,
        *,
        name: str = "PN532",
        irq: Line | None = None,
        reset_n: Line | None = None,
        timing: Timing | None = None,
        nack_damaged: bool = True,
        strict: bool = True,
    ) -> None:
        self.name = name
        self.timing = Timing() if timing is None else timing
        self.dead = False
        self.line_fault: LineFault | None = None
        self.received: deque[bytes] = deque(maxlen=HISTORY)
        """Commands taken, the oldest given up."""
        self.ignored: deque[Ignored] = deque(maxlen=HISTORY)
        self.commands = CommandSet(name, field, self.timing, lambda: scheduler.now, strict)
        self._scheduler = scheduler
        self._irq = irq
        self._reset_n = reset_n
        self._nack_damaged = nack_damaged
        self._parser = FrameParser()
        self._work: Work | None = None
        self._next: Event | None = None
        self._sleeping: Event | None = None
        self._asleep = True
        self._boots_until = self._hears_at = self._deaf_until = 0
        self._last_answer = b""
        self._restart()
        if reset_n is not None:
            reset_n.listen(lambda _line, _level: self._restart())

    # World side

    @property
    def asleep(self) -> bool:
        """Whether only a wake-up is heard: after reset, and in power-down."""
        return self._asleep

    @property
    def busy(self) -> bool:
        """Whether a command is being worked on."""
        return self._next is not None

    def power_cycle(self) -> None:
        """The supply went and came back."""
        self._restart()

    def brown_out(self, *, hears: bool = False) -> None:
        """The chip's supply alone dropped for a moment: the host cannot know, and what it sends is no fault of its.

        Field commands before SAMConfiguration may work or not: they are refused, or, with ``hears``, done with the
        settings of a reset.
        """
        self._restart()
        self.commands.configured = hears
        self.commands.blameless = True

    # For the interface

    def _send(self, frame: bytes) -> None:
        """Give a frame to the host."""
        raise NotImplementedError

    def _drop_unsent(self) -> bool:
        """Forget frames that the host has not taken; whether there were any."""
        raise NotImplementedError

    @property
    def _present(self) -> bool:
        return not self.dead and (self._reset_n is None or bool(self._reset_n.level))

    def _touch(self) -> int | None:
        """The host does what wakes this interface. Nanoseconds until the chip hears; None when it never will."""
        now = self._scheduler.now
        if not self._present or now < self._boots_until:
            return None
        if self._asleep:
            sources = self.commands.wake_sources
            if sources is not None and not sources & self.wake_source:
                return None
            self._asleep = False
            self.commands.wake_sources = None
            self._hears_at = now + self.timing.oscillator
            self._parser.reset()
        return max(0, self._hears_at - now)

    def _delivered(self) -> None:
        """The host has taken the last frame that was waiting."""
        self._show_irq(waiting=False)
        if self.commands.wake_sources is not None and self._sleeping is None and not self.busy:
            self._sleeping = self._scheduler.after(self.timing.sleep_after, self._sleep)

    def _show_irq(self, *, waiting: bool) -> None:
        if self._irq is not None:
            self._irq.drive(0 if waiting and self.commands.irq_enabled else 1)

    def _frame(self, frame: Frame, began: int) -> None:
        """A frame of the host is complete; its start code came at ``began`` (ns)."""
        if frame.kind == ACK:
            self._host_ack()
        elif frame.kind == NACK:
            if self._last_answer:
                self._reply(self._last_answer)
        elif frame.kind == DAMAGED:
            self.ignored.append(Ignored(self._scheduler.now, b"", frame.reason))
            if self._nack_damaged:
                self._reply(NACK_FRAME)
        else:
            self._command(frame.data, began)

    # Life

    def _restart(self) -> None:
        self._end_work()
        if self._sleeping is not None:
            self._sleeping.cancel()
            self._sleeping = None
        self._drop_unsent()
        self._parser.reset()
        self.commands.reset()
        self._asleep = True
        self._boots_until = self._scheduler.now + self.timing.boot
        self._hears_at = 0
        self._deaf_until = 0
        self._last_answer = b""
        self._show_irq(waiting=False)

    def _sleep(self) -> None:
        self._sleeping = None
        self._end_work()
        self._drop_unsent()
        self.commands.field_off()
        self._asleep = True

    # Commands

    def _host_ack(self) -> None:
        """An ACK frame ends whatever is under way; after an answer that was taken it means nothing."""
        under_way = self.busy
        self._end_work()
        if self._drop_unsent() or under_way:
            self._deaf_until = self._scheduler.now + self.timing.deaf_after_abort

    def _command(self, command: bytes, began: int) -> None:
        deaf = began < self._deaf_until
        self._deaf_until = 0
        if deaf:
            self.ignored.append(Ignored(self._scheduler.now, command, "directly after an abort"))
            return
        self._end_work()
        self._drop_unsent()
        if self._sleeping is not None:
            self._sleeping.cancel()
            self._sleeping = None
            self.commands.wake_sources = None
        self.received.append(command)
        try:
            self._work = self.commands.begin(command)
        except SyntaxFault:
            self._work = None
        self._next = self._scheduler.after(self.timing.ack, self._acknowledge)

    def _acknowledge(self) -> None:
        self._next = None
        self._reply(ACK_FRAME)
        self._step()

    def _step(self) -> None:
        self._next = None
        if self._work is None:
            self._answer(ERROR_FRAME)
            return
        try:
            delay = next(self._work)
        except StopIteration as done:
            self._work = None
            self._answer(build(done.value))
        except SyntaxFault:
            self._work = None
            self._answer(ERROR_FRAME)
        else:
            self._next = self._scheduler.after(delay, self._step)

    def _answer(self, frame: bytes) -> None:
        self._last_answer = frame
        self._reply(frame)

    def _reply(self, frame: bytes) -> None:
        seen = frame if self.line_fault is None else self.line_fault(frame)
        if seen:
            self._show_irq(waiting=True)
            self._send(seen)

    def _end_work(self) -> None:
        if self._next is not None:
            self._next.cancel()
            self._next = None
        if self._work is not None:
            self._work.close()
            self._work = None
