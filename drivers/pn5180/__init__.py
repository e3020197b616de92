"""NXP PN5180 as an ISO/IEC 15693 reader.

Entry points: `PN5180`, `ReaderFault`. ``start()`` (or ``begin_start()`` and ``step_start()``) brings the chip up;
then it is a reader as `iso15693.reader` describes: field on and off, requests, EOF-only slots, ``poll()``.

No method of an exchange waits for the air. A slot costs four frames when it is empty: one WRITE_REGISTER_MULTIPLE
that arms the receiver, SEND_DATA, and the command and answer of READ_REGISTER_MULTIPLE {IRQ_STATUS, RX_STATUS}; two
more when there is an answer to fetch. The chip's own timers measure the silence after a request, so that a host never
takes an answer that is still to come for an empty slot.
"""

import time

from iso15693.reader import (
    ANSWER,
    COLLISION,
    CRC,
    EMPTY,
    EOF_US,
    EXPECTED,
    FAULT,
    INVENTORY_BYTES,
    PENDING,
    PROTOCOL,
    SETTLE_US,
    SLOTS,
    T1_MAX_US,
    T2_US,
    T3_US,
    ReaderFault,
    answer_us,
    request_us,
)

from .bringup import BringUp
from .frames import Frames
from .registers import (
    IRQ0_RX,
    IRQ1_RF_ACTIVE_ERROR,
    IRQ1_RX_SOF,
    IRQ1_RX_SUBCARRIER,
    IRQ1_TIMER0,
    IRQ1_TIMER1,
    IRQ1_TX_RFOFF,
    IRQ1_TX_RFON,
    IRQ2_GENERAL_ERROR,
    IRQ2_TEMPERATURE,
    RX2_COLLISION,
    RX2_CRC,
    RX2_PROTOCOL,
    TIMER2_RUNNING,
    TIMER_LONGEST,
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
# Its subcarrier shows before: after the silence in its SOF (56.6 us) and 8 pulses (18.9 us), at 398.8 us.
_NO_CARRIER_US = const(410)
_NO_CARRIER_TICKS = const(5560)  # TIMER0_RELOAD
_AGAIN_US = const(20)  # between polls when an estimate proved short
_GRACE_US = const(1_000)  # past the end of the longest answer, or of the silence, before it is given up

_FIELD_LIMIT_US = const(50_000)
_FIELD_US = const(100)  # the first guess of how long the field takes to come and go
_FIELD_POLL_US = const(50)
_FIELD_SOONER_US = const(5)
_FIELD_LATER_US = const(400)  # the look at a field that comes on need not be timed well: its age is read with it
_GAP_LIMIT_US = const(200_000)  # no gap is longer: an older instant is a stale one

_LEAD_US = const(100)  # may be done before the end of a gap: arming the receiver takes at least this long
# The chip looks at its registers when it executes the command frame of a poll, this much after the poll began.
_POLL_LEAD_US = const(40)


class PN5180:
    """One PN5180 on a shared bus.

    ``spi``: mode 0, at most 7 Mbit/s. ``nss``: output, high when idle. ``busy``: input. ``reset``: RESET_N, any object
    with ``value(0)`` and ``value(1)``, a pin of a port expander too. ``name`` is for messages.
    """

    _frames: "Frames | None" = None

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
        if PN5180._frames is None:
            PN5180._frames = Frames(REQUEST_LIMIT, _NO_CARRIER_TICKS, _SILENCE_TICKS)
        self._shared = PN5180._frames
        self._bring_up = BringUp(self._transport, reset, self._shared)
        # The same with the chip's own TX_CONFIG, once that is known: after slots every request would be a mere EOF.
        self._arm_again = self._shared.arm
        self._arm_slots_again = self._shared.arm
        self._eof_only = False
        self._slot = False
        self._answer = INVENTORY_BYTES
        self._sof = False
        self._carrier = False
        self.now = 0  # ticks_us, read by the last ready_in() or quiet_in()
        self._gap = False
        self._t_free = 0
        self._t_silence = 0
        self._t_end = 0
        self._field_bit = 0
        self._field_us = [_FIELD_US, _FIELD_US]  # off, on: how long it takes
        self._field_polls = 0
        self._t_field = 0
        self._cleared = False

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
            self._arm_again, self._arm_slots_again = self._shared.armed_again(self._bring_up.tx_config)
            self._eof_only = False
            self._gap = False
            self._cleared = False
        return wait

    def recover(self) -> None:
        """Reset the chip after a fault, and count it. Raises as ``start()`` does."""
        self.begin_recover()
        self.start()

    def begin_recover(self) -> None:
        """Count a fault and prepare the reset, for ``step_start()``."""
        self.recoveries += 1
        self.begin_start()

    def rf_on(self) -> int:
        """Begin to switch the field on, unless another one is present; ``rf_ready()`` tells when it is.

        Returns the microseconds until it probably is. Raises ReaderFault: ``busy``.
        """
        return self._switch_field(self._shared.rf_on, IRQ1_TX_RFON)

    def rf_off(self) -> int:
        """Begin to switch the field off; returns and raises as ``rf_on()`` does."""
        self._cleared = False
        wait = self._switch_field(self._shared.rf_off, IRQ1_TX_RFOFF)
        self._cleared = True
        return wait

    def _switch_field(self, command: bytearray, bit: int) -> int:
        self._gap = False
        if not self._cleared:
            self._transport.post(self._shared.idle_and_clear)
        self._transport.post(command)
        self._field_bit = bit
        self._field_polls = 0
        self._t_field = time.ticks_us()
        return self._field_us[1] + _FIELD_LATER_US if bit == IRQ1_TX_RFON else self._field_us[0]

    def rf_ready(self) -> bool:
        """Say whether the field is as the last ``rf_on()`` or ``rf_off()`` asked; ``wait_us`` says when to ask again.

        Does not wait. From the field's coming on, tags are given time to wake before the first request.

        Raises:
            ReaderFault: ``field``: another field is present, the chip refused, or nothing happened for 50 ms.
        """
        if not self._transport.busy():
            status = self._shared.status
            self._transport.post(self._shared.get_field)
            self._transport.await_ready()
            read_at = time.ticks_us()
            self._transport.fetch(status)
            if status[1] & IRQ1_RF_ACTIVE_ERROR or status[2] & (IRQ2_GENERAL_ERROR | IRQ2_TEMPERATURE):
                raise ReaderFault("field")
            if status[1] & self._field_bit:
                self._field_done(status, read_at)
                return True
        if time.ticks_diff(time.ticks_us(), self._t_field) > _FIELD_LIMIT_US:
            raise ReaderFault("field")
        self._field_polls += 1
        self.wait_us = _FIELD_POLL_US
        return False

    def _field_done(self, status: bytearray, read_at: int) -> None:
        """The field is as it should be: ``status`` (IRQ_STATUS, TIMER2_STATUS) was read no later than ``read_at``."""
        if self._field_bit == IRQ1_TX_RFON:
            came_on = read_at
            if status[6] & TIMER2_RUNNING:  # for 77 ms: a field that is looked at later is told of as of now
                left = (status[6] & 0x0F) << 16 | status[5] << 8 | status[4]
                came_on = time.ticks_add(read_at, (left - TIMER_LONGEST) * 25 // 339 + 1)  # 25 us: 339 cycles
                took = time.ticks_diff(came_on, self._t_field)
                if took < 0:  # no field comes on before it is asked for: the timer says nothing
                    came_on = read_at
                elif took < _FIELD_LIMIT_US:  # else the program was held up before it asked
                    self._field_us[1] = took
            self._t_free = time.ticks_add(came_on, SETTLE_US)
            self._gap = True
        # The guess follows the chip: a little sooner as long as the first look finds it ready, else as long as it took.
        elif self._field_polls:
            self._field_us[0] += _FIELD_POLL_US * self._field_polls - _FIELD_POLL_US // 2
        elif self._field_us[0] > _FIELD_SOONER_US:
            self._field_us[0] -= _FIELD_SOONER_US

    def begin(self, buf: "bytearray | memoryview", n: int, answer: int = INVENTORY_BYTES, how: int = 0) -> int:
        """Send the request of ``n`` bytes (1..16, the chip adds the CRC) that expects ``answer`` bytes back.

        ``how``: ``SLOTS`` and ``EXPECTED`` of `iso15693.reader`. Returns the microseconds until the first ``poll()``
        makes sense. Call it when ``ready_in()`` is 0.

        Raises:
            ReaderFault: ``busy``, or ``length``.
        """
        if not 1 <= n <= REQUEST_LIMIT:
            raise ReaderFault("length")
        frame = self._shared.send_frame
        for i in range(n):
            frame[2 + i] = buf[i]
        self._answer = answer
        self._slot = (how & SLOTS) != 0
        if self._eof_only:
            self._eof_only = False
            arm = self._arm_slots_again if self._slot else self._arm_again
        else:
            arm = self._shared.arm_slots if self._slot else self._shared.arm
        air_us = request_us(n)
        wait = self._transmit(arm, self._shared.send_views[n], air_us)
        if how & EXPECTED:
            return air_us + T1_MAX_US + answer_us(answer) - _POLL_LEAD_US
        return wait

    def begin_slot(self) -> int:
        """Send an EOF only: the next slot of a 16-slot inventory. Returns and raises as ``begin()`` does."""
        self._slot = True
        if self._eof_only:
            return self._transmit(self._shared.arm_slots, self._shared.send_eof, EOF_US)
        self._eof_only = True
        return self._transmit(self._shared.arm_eof, self._shared.send_eof, EOF_US)

    def ready_in(self) -> int:
        """Return the microseconds until a request may be begun: tags are owed silence (t2, t3), or time to wake."""
        left = self._gap_left() - _LEAD_US
        return left if left > 0 else 0

    def quiet_in(self) -> int:
        """Return the microseconds until a tag whose answer was lost on the air would have finished it.

        Until then it hears nothing: asking it again sooner is in vain.
        """
        self._t_free = time.ticks_add(self._t_end, T2_US)
        self._gap = True
        return self.ready_in()

    def _gap_left(self) -> int:
        now = self.now = time.ticks_us()
        if not self._gap:
            return 0
        left = time.ticks_diff(self._t_free, now)
        if 0 < left <= _GAP_LIMIT_US:
            return left
        self._gap = False
        return 0

    def _transmit(self, arm: bytearray, frame: "bytearray | memoryview", air_us: int) -> int:
        transport = self._transport
        transport.post(arm)
        transport.await_ready()
        # The air is used when the frame has come over the bus whole: 8 bits a byte at 7 Mbit/s at most.
        if self._gap:
            left = self._gap_left() - len(frame)
            if left > 0:
                time.sleep_us(left)
        transport.clock(frame)
        transport.await_ready()
        # The transmission has begun by now: these are the latest instants.
        sent = time.ticks_add(time.ticks_us(), air_us)
        self._sof = False
        self._carrier = False
        self._cleared = False
        silence = _NO_CARRIER_US if self._slot else _SILENCE_US
        self._t_silence = time.ticks_add(sent, silence)
        self._t_end = time.ticks_add(sent, T1_MAX_US + answer_us(self._answer))
        self._t_free = time.ticks_add(sent, T3_US)
        self._gap = True
        return air_us + silence - _POLL_LEAD_US

    def poll(self) -> int:
        """Ask what came of the request; one READ_REGISTER_MULTIPLE, two frames.

        Returns a result of `iso15693.reader`: ``PENDING`` (``wait_us`` is set), ``EMPTY``, ``ANSWER`` (``length`` is
        set), ``COLLISION`` (``position`` is set), ``CRC``, ``PROTOCOL``, ``FAULT`` (``fault`` is set).

        Raises:
            ReaderFault: ``busy``.
        """
        status = self._shared.status
        # What the registers say holds from here on: an SOF may come while they are being fetched.
        in_doubt = self._carrier
        asked = time.ticks_us() if in_doubt else 0
        self._transport.post(self._shared.get_status)
        self._transport.fetch(status)
        if status[2] & (IRQ2_GENERAL_ERROR | IRQ2_TEMPERATURE):
            # Bits 31:24 do not exist: only a bus that nobody drives reads them as 1.
            self.fault = "absent" if status[3] else "hot" if status[2] & IRQ2_TEMPERATURE else "refused"
            return FAULT
        if status[0] & IRQ0_RX:
            return self._received(status)
        if status[1] & IRQ1_RX_SOF:
            self._sof = True
        elif not self._slot:
            if status[1] & IRQ1_TIMER1:
                return EMPTY
        elif not self._carrier:
            if status[1] & IRQ1_RX_SUBCARRIER:
                # Something is on the air: whether it is an answer is known when an SOF would be over.
                self._carrier = True
                self._t_silence = time.ticks_add(self._t_silence, _SILENCE_US - _NO_CARRIER_US)
            elif status[1] & IRQ1_TIMER0:
                return EMPTY
        left = time.ticks_diff(self._t_end if self._sof else self._t_silence, time.ticks_us())
        if in_doubt and not self._sof and time.ticks_diff(self._t_silence, asked) <= 0:
            return EMPTY
        if left < -_GRACE_US:
            if self._sof:
                return PROTOCOL
            self.fault = "timeout"
            return FAULT
        self.wait_us = left - _POLL_LEAD_US if left > _POLL_LEAD_US else _AGAIN_US
        return PENDING

    def _received(self, status: bytearray) -> int:
        """Judge a reception by RX_STATUS, the second register read."""
        self._t_free = time.ticks_add(self._t_end, T2_US)
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
        if self.length != self._answer:
            self._t_free = time.ticks_add(time.ticks_us(), T2_US)
        return ANSWER

    def read(self, into: "bytearray | memoryview") -> None:
        """Fetch the first ``len(into)`` bytes of the answer (flags first, CRC removed; with a collision, up to it).

        Raises:
            ReaderFault: ``busy``.
        """
        self._transport.post(self._shared.read_data)
        self._transport.fetch(into)
