"""NXP PN5180 as an ISO/IEC 15693 reader.

Entry points: `PN5180`, `ReaderFault`. ``start()`` (or ``begin_start()`` and ``step_start()``) brings the chip up;
then it is a reader as `iso15693.reader` describes: field on and off, requests, EOF-only slots, ``poll()``.

No method of an exchange waits for the air. A slot costs four frames when it is empty: one WRITE_REGISTER_MULTIPLE
that arms the receiver, SEND_DATA, and the command and answer of READ_REGISTER_MULTIPLE {IRQ_STATUS, RX_STATUS}; two
more when there is an answer to fetch. The chip's TIMER1 measures the silence after a request, so that a late host
never takes an answer that is still coming for an empty slot.
"""

import time

from iso15693.reader import (
    ANSWER,
    COLLISION,
    CRC,
    EMPTY,
    EOF_US,
    FAULT,
    INVENTORY_BYTES,
    PENDING,
    PROTOCOL,
    T1_MAX_US,
    T2_US,
    ReaderFault,
    answer_us,
    request_us,
)

from .bringup import BringUp
from .registers import (
    AND,
    COMMAND_IDLE_MASK,
    COMMAND_TRANSCEIVE,
    IRQ0_RX,
    IRQ1_RF_ACTIVE_ERROR,
    IRQ1_RX_SOF,
    IRQ1_TIMER1,
    IRQ1_TX_RFOFF,
    IRQ1_TX_RFON,
    IRQ2_GENERAL_ERROR,
    IRQ2_TEMPERATURE,
    IRQ_ALL,
    IRQ_CLEAR,
    IRQ_STATUS,
    OR,
    READ_DATA,
    READ_REGISTER,
    READ_REGISTER_MULTIPLE,
    RF_OFF,
    RF_ON,
    RX2_COLLISION,
    RX2_CRC,
    RX2_PROTOCOL,
    RX_STATUS,
    SEND_DATA,
    SYSTEM_CONFIG,
    TIMER1_CONFIG,
    TIMER1_NO_ANSWER,
    TX_CONFIG,
    TX_EOF_ONLY_MASK,
    WRITE,
    write_registers,
)
from .transport import Transport

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
    from .interfaces import InputLine, OutputLine, SpiBus

__all__ = ("PN5180", "ReaderFault")

REQUEST_LIMIT = const(16)  # bytes of the longest request, CRC not counted

# An answer begins at most t1 after the request and shows after its SOF: 474.3 us. Some us for the receiver on top.
_SILENCE_US = const(485)
_SILENCE_TICKS = const(6577)  # the same at 13.56 MHz, TIMER1_RELOAD
_AGAIN_US = const(20)  # between polls when an estimate proved short
_GRACE_US = const(1_000)  # past the end of the longest answer, or of the silence, before it is given up

_FIELD_LIMIT_US = const(50_000)
_GAP_LIMIT_US = const(200_000)  # no gap is longer: an older instant is a stale one

# What may be done before the end of a gap: arming the receiver takes at least this long.
_LEAD_US = const(60)
# The chip looks at its registers when the command frame of a poll ends, this much after the poll began.
_POLL_LEAD_US = const(32)


class _Frames:
    """What is sent and read within one call: the same for every reader, made with the first one."""

    def __init__(self) -> None:
        self.status = bytearray(8)
        self.word = bytearray(4)
        self.get_status = bytearray((READ_REGISTER_MULTIPLE, IRQ_STATUS, RX_STATUS))
        self.get_irq = bytearray((READ_REGISTER, IRQ_STATUS))
        self.read_data = bytearray((READ_DATA, 0))
        self.rf_on = bytearray((RF_ON, 0))
        self.rf_off = bytearray((RF_OFF, 0))
        self.send_eof = bytearray((SEND_DATA, 0))
        self.send_frame = bytearray(2 + REQUEST_LIMIT)
        self.send_frame[0] = SEND_DATA
        # Whole buffers only go over the bus, so there is a view for each length.
        views: list[memoryview] = []
        for count in range(REQUEST_LIMIT + 1):
            views.append(memoryview(self.send_frame)[: 2 + count])
        self.send_views = views
        idle = (SYSTEM_CONFIG, AND, COMMAND_IDLE_MASK)
        arm = (
            (TIMER1_CONFIG, WRITE, 0),
            (TIMER1_CONFIG, WRITE, TIMER1_NO_ANSWER),
            (IRQ_CLEAR, WRITE, IRQ_ALL),
            (SYSTEM_CONFIG, OR, COMMAND_TRANSCEIVE),
        )
        self.idle_and_clear = write_registers((idle, (IRQ_CLEAR, WRITE, IRQ_ALL)))
        self.arm_first_slot = write_registers((idle, (TX_CONFIG, AND, TX_EOF_ONLY_MASK)) + arm)
        self.arm = write_registers((idle,) + arm)


class PN5180:
    """One PN5180 on a shared bus.

    ``spi``: mode 0, at most 7 Mbit/s. ``nss``: output, high when idle. ``busy``: input. ``reset``: RESET_N, any object
    with ``value(0)`` and ``value(1)``, a pin of a port expander too. ``name`` is for messages.
    """

    _frames: "_Frames | None" = None

    def __init__(
        self, spi: "SpiBus", nss: "OutputLine", busy: "InputLine", reset: "OutputLine", name: str = ""
    ) -> None:
        self.name = name
        self.version = 0  # firmware, major << 8 | minor, once started
        self.recoveries = 0  # resets after a fault
        self.fault = ""  # code after poll() returned FAULT
        self.wait_us = 0  # after poll() returned PENDING
        self.length = 0  # bytes of the answer, CRC removed
        self.position = 0  # of the first collided bit, counted from the start of the answer
        self._transport = Transport(spi, nss, busy)
        self._bring_up = BringUp(self._transport, reset, _SILENCE_TICKS)
        if PN5180._frames is None:
            PN5180._frames = _Frames()
        frames = PN5180._frames
        self._status = frames.status
        self._word = frames.word
        self._get_status = frames.get_status
        self._get_irq = frames.get_irq
        self._read_data = frames.read_data
        self._rf_on = frames.rf_on
        self._rf_off = frames.rf_off
        self._send_eof = frames.send_eof
        self._send_frame = frames.send_frame
        self._send_views = frames.send_views
        self._idle_and_clear = frames.idle_and_clear
        self._arm_first_slot = frames.arm_first_slot
        self._arm = frames.arm
        self._restore = self._arm  # with the chip's own TX_CONFIG once it is known
        self._eof_only = False
        self._answer = INVENTORY_BYTES
        self._sof = False
        self._gap = False
        self._t_free = 0
        self._t_silence = 0
        self._t_end = 0
        self._field_bit = 0
        self._t_field = 0

    def start(self) -> None:
        """Reset, identify and configure the chip; about 4 ms, at most 250 ms. The field is off afterwards.

        Raises:
            ReaderFault: ``absent``, ``stuck``, ``version``, ``boot``, ``busy``, ``refused`` or ``config``.
        """
        self.begin_start()
        wait = self.step_start()
        while wait >= 0:
            time.sleep_us(wait)
            wait = self.step_start()

    def begin_start(self) -> None:
        """Prepare what ``start()`` does, for ``step_start()``."""
        self.fault = ""
        self._bring_up.start()

    def step_start(self) -> int:
        """Go on; returns microseconds to wait, or -1 when the chip is ready. Raises as ``start()`` does."""
        wait = self._bring_up.step()
        if wait < 0:
            self.version = self._bring_up.version
            self._restore = write_registers(((TX_CONFIG, WRITE, self._bring_up.tx_config),))
            self._eof_only = False
            self._gap = False
        return wait

    def recover(self) -> None:
        """Reset the chip after a fault, and count it. Raises as ``start()`` does."""
        self.begin_recover()
        self.start()

    def begin_recover(self) -> None:
        """Count a fault and prepare the reset, for ``step_start()``."""
        self.recoveries += 1
        self.begin_start()

    def rf_on(self) -> None:
        """Begin to switch the field on, unless another one is present; ``rf_ready()`` tells when it is."""
        self._switch_field(self._rf_on, IRQ1_TX_RFON)

    def rf_off(self) -> None:
        """Begin to switch the field off; ``rf_ready()`` tells when it is."""
        self._switch_field(self._rf_off, IRQ1_TX_RFOFF)

    def _switch_field(self, command: bytearray, bit: int) -> None:
        self._gap = False
        self._transport.send(self._idle_and_clear)
        self._transport.post(command)
        self._field_bit = bit
        self._t_field = time.ticks_us()

    def rf_ready(self) -> bool:
        """Say whether the field is as the last ``rf_on()`` or ``rf_off()`` asked. Does not wait.

        Raises:
            ReaderFault: ``field``: another field is present, the chip refused, or nothing happened for 50 ms.
        """
        if not self._transport.busy():
            irq = self._word
            self._transport.send(self._get_irq)
            self._transport.fetch(irq)
            if irq[1] & IRQ1_RF_ACTIVE_ERROR or irq[2] & (IRQ2_GENERAL_ERROR | IRQ2_TEMPERATURE):
                raise ReaderFault("field")
            if irq[1] & self._field_bit:
                return True
        if time.ticks_diff(time.ticks_us(), self._t_field) > _FIELD_LIMIT_US:
            raise ReaderFault("field")
        return False

    def begin(self, buf: "bytearray | memoryview", n: int, answer: int = INVENTORY_BYTES) -> int:
        """Send the request of ``n`` bytes (1..16, the chip adds the CRC) that expects ``answer`` bytes back.

        Returns the microseconds until the first ``poll()`` makes sense. Call it when ``ready_in()`` is 0.

        Raises:
            ReaderFault: ``busy``, or ``length``.
        """
        if not 1 <= n <= REQUEST_LIMIT:
            raise ReaderFault("length")
        frame = self._send_frame
        for i in range(n):
            frame[2 + i] = buf[i]
        self.end_slots()
        self._answer = answer
        return self._transmit(self._arm, self._send_views[n], request_us(n))

    def begin_slot(self) -> int:
        """Send an EOF only: the next slot of a 16-slot inventory. Returns and raises as ``begin()`` does."""
        if self._eof_only:
            return self._transmit(self._arm, self._send_eof, EOF_US)
        self._eof_only = True
        return self._transmit(self._arm_first_slot, self._send_eof, EOF_US)

    def end_slots(self) -> None:
        """Restore the transmitter after slots; without it every later request would be a mere EOF."""
        if self._eof_only:
            self._transport.send(self._restore)
            self._eof_only = False

    def ready_in(self) -> int:
        """Return the microseconds to wait before a request may be begun: tags are owed some silence (t2)."""
        left = self._gap_left() - _LEAD_US
        return left if left > 0 else 0

    def quiet_in(self) -> int:
        """Return the microseconds until a tag whose answer was lost on the air would have finished it.

        Until then it hears nothing: asking it again sooner is in vain.
        """
        self._gap = True
        return self.ready_in()

    def _gap_left(self) -> int:
        if not self._gap:
            return 0
        left = time.ticks_diff(self._t_free, time.ticks_us())
        if 0 < left <= _GAP_LIMIT_US:
            return left
        self._gap = False
        return 0

    def _transmit(self, arm: bytearray, frame: "bytearray | memoryview", air_us: int) -> int:
        transport = self._transport
        transport.send(arm)
        left = self._gap_left()
        if left:
            time.sleep_us(left)
        transport.send(frame)
        now = time.ticks_us()
        self._sof = False
        # The transmission has begun by now: these are the latest instants.
        self._t_silence = time.ticks_add(now, air_us + _SILENCE_US)
        self._t_end = time.ticks_add(now, air_us + T1_MAX_US + answer_us(self._answer))
        self._t_free = time.ticks_add(self._t_end, T2_US)
        self._gap = True
        return air_us + _SILENCE_US - _POLL_LEAD_US

    def poll(self) -> int:
        """Ask what came of the request; one READ_REGISTER_MULTIPLE, two frames.

        Returns a result of `iso15693.reader`: ``PENDING`` (``wait_us`` is set), ``EMPTY``, ``ANSWER`` (``length`` is
        set), ``COLLISION`` (``position`` is set), ``CRC``, ``PROTOCOL``, ``FAULT`` (``fault`` is set).

        Raises:
            ReaderFault: ``busy``.
        """
        status = self._status
        self._transport.send(self._get_status)
        self._transport.fetch(status)
        if status[2] & (IRQ2_GENERAL_ERROR | IRQ2_TEMPERATURE):
            # Bits 31:24 do not exist: only a bus that nobody drives reads them as 1.
            self.fault = "absent" if status[3] else "hot" if status[2] & IRQ2_TEMPERATURE else "refused"
            return FAULT
        if status[0] & IRQ0_RX:
            return self._received(status)
        if status[1] & IRQ1_RX_SOF:
            self._sof = True
        if not self._sof and status[1] & IRQ1_TIMER1:
            self._gap = False
            return EMPTY
        left = time.ticks_diff(self._t_end if self._sof else self._t_silence, time.ticks_us())
        if left < -_GRACE_US:
            if self._sof:
                return PROTOCOL
            self.fault = "timeout"
            return FAULT
        self.wait_us = left - _POLL_LEAD_US if left > _POLL_LEAD_US else _AGAIN_US
        return PENDING

    def _received(self, status: bytearray) -> int:
        """Judge a reception by RX_STATUS, the second register read."""
        errors = status[6]
        if errors & RX2_COLLISION:
            self.position = (status[7] & 3) << 5 | errors >> 3
            return COLLISION
        if errors & RX2_PROTOCOL:
            return PROTOCOL
        if errors & RX2_CRC:
            return CRC
        self.length = (status[5] & 1) << 8 | status[4]
        # Noise ends as a reception of nothing, or of part of a byte.
        if not self.length or status[5] >> 5:
            return PROTOCOL
        if self.length > self._answer:
            self._t_free = time.ticks_add(time.ticks_us(), T2_US)
        return ANSWER

    def read(self, into: "bytearray | memoryview") -> None:
        """Fetch the first ``len(into)`` bytes of the answer (flags first, CRC removed).

        Raises:
            ReaderFault: ``busy``.
        """
        self._transport.send(self._read_data)
        self._transport.fetch(into)
