"""DS3231 real-time clock on I2C: the table's clock with a battery, and the flag that tells when it cannot be trusted.

Entry points: :class:`Ds3231` (an :class:`~hwsim.core.I2cDevice`); world side ``set_time``, ``time``, ``power``,
``disturb``, ``fail_crystal``, ``temperature``, ``set_ppb``, ``poke``, ``abandon_read``.

Modelled: all 19 registers, time copied at START and when the pointer rolls over, the divider that a write of the
seconds restarts, 12 and 24 hours, century, both alarms with INT, square wave, oscillator stop flag, EOSC, conversion
of the temperature every 64 s and by CONV, ageing, battery operation, a read abandoned by its host.

Limits: the 32 kHz output is a register bit only. A second that begins between START and the acknowledge of a written
byte counts as one after it. Temperature does not change the rate (it is what the part compensates). Alarm masks in an
order the sheet does not list are taken bit by bit.
"""

from __future__ import annotations

from hwsim.chips.ds3231_bus import HalfRead
from hwsim.chips.ds3231_counter import SECOND, SecondCounter
from hwsim.chips.ds3231_time import (
    DATE,
    MASK,
    MONTH,
    POWER_UP,
    advance,
    alarm_matches,
    check_date,
    check_time_register,
)
from hwsim.core import NS_PER_MS, NS_PER_S, Event, Line, Scheduler, SimFault

ALARM_1, ALARM_2, CONTROL, STATUS, AGEING, TEMPERATURE, TEMPERATURE_LOW = 0x07, 0x0B, 0x0E, 0x0F, 0x10, 0x11, 0x12
REGISTERS = 0x13

EOSC, BBSQW, CONV, RS, INTCN = 0x80, 0x40, 0x20, 0x18, 0x04
OSF, EN32KHZ, BSY, ALARM_FLAGS = 0x80, 0x08, 0x04, 0x03
CONTROL_POWER_UP, STATUS_POWER_UP = 0x1C, 0x88

CONVERSION_NS = 125 * NS_PER_MS  # typical; the part may take 200 ms
CONVERSION_PERIOD_NS = 64 * NS_PER_S
OSCILLATOR_START_NS = 500 * NS_PER_MS  # "below a second" (unverified)
PPB_A_STEP = 100  # of the ageing register, at 25 C; a positive value slows the clock down
_WAVE_HALF = tuple(SECOND // (2 * hertz) for hertz in (1, 1024, 4096, 8192))
_BITS_PER_BYTE = 9


class Ds3231:
    """One clock, powered for the first time at construction.

    Args:
        scheduler: virtual time.
        name: for messages.
        interrupt: net at INT/SQW or a tap of a shared one; open drain.
        supply: whether VCC is there.
        battery: whether VBAT is there.
        ppb: error of the oscillator in parts per 1 000 000 000; positive = fast. The part promises 2 000.
        bit_ns: one I2C clock period; the bus sets it when its rate is not 400 kHz.
        bus: what a read that its host abandons pulls on; None = the board has no nets for SDA and SCL.
    """

    def __init__(
        self,
        scheduler: Scheduler,
        name: str = "DS3231",
        interrupt: Line | None = None,
        *,
        supply: bool = True,
        battery: bool = True,
        ppb: int = 0,
        bit_ns: int = 2_500,
        bus: HalfRead | None = None,
    ) -> None:
        self.name = name
        self.bit_ns = bit_ns
        self.dead = False
        self._scheduler = scheduler
        self._interrupt = interrupt
        self._bus = bus
        self._supply = self._battery = False
        self._crystal = True
        self._ppb = ppb
        self._temperature = 25.0
        self._counter = SecondCounter()
        self._next_edge: Event | None = None
        self._starting: Event | None = None
        self._written: set[int] = set()  # time registers written since START
        self._lose_everything()
        self.power(supply=supply, battery=battery)

    def _lose_everything(self) -> None:
        """Registers as at the first power."""
        self._time = list(POWER_UP)
        self._snapshot = list(POWER_UP)
        self._alarms = bytearray(7)
        self._control = CONTROL_POWER_UP
        self._status = STATUS_POWER_UP
        self._ageing = self._ageing_in_force = 0
        self._quarters = 0  # temperature as converted last, in quarter degrees
        self._pointer = 0
        self._next_conversion: int | None = None
        self._conversion_ends: int | None = None

    # World side

    @property
    def acknowledges(self) -> bool:
        """Whether the chip answers to its address: alive and powered, by the battery if need be."""
        return not self.dead and (self._supply or self._battery)

    @property
    def trusted(self) -> bool:
        """Whether OSF is 0."""
        self._sync()
        return not self._status & OSF

    @property
    def running(self) -> bool:
        """Whether the oscillator runs at this instant."""
        return self._counter.running

    @property
    def time(self) -> list[int]:
        """The seven time registers at this instant."""
        self._sync()
        return list(self._time)

    @property
    def temperature(self) -> float:
        """The chip's real temperature in degrees Celsius; the registers follow with the next conversion."""
        return self._temperature

    @temperature.setter
    def temperature(self, celsius: float) -> None:
        self._sync()
        self._temperature = celsius

    def set_time(self, registers: list[int]) -> None:
        """Whoever made the table has set the clock: seven registers, OSF cleared, a second begins now.

        Raises:
            ValueError: not a time.
        """
        for register, value in enumerate(registers):
            reason = check_time_register(register, value)
            if reason:
                raise ValueError(f"{self.name}: {reason}")
        if not self._counter.running:
            self._start()
        self._sync()
        self._time = list(registers)
        self._counter.restart(self._scheduler.now)
        self._status &= ~OSF
        self._outputs()

    def power(self, *, supply: bool, battery: bool) -> None:
        """VCC and VBAT from now on. Neither: everything is lost, and OSF is set when power comes back."""
        self._sync()
        had_power = self._supply or self._battery
        self._supply, self._battery = supply, battery
        if not (supply or battery):
            self._stop()
            self._lose_everything()
            if self._bus is not None:
                self._bus.end()
        elif not had_power:
            self._starting = self._scheduler.after(OSCILLATOR_START_NS, self._start)
        else:
            self._judge_oscillator()
        self._outputs()

    def disturb(self) -> None:
        """Something made the oscillator miss a beat: OSF is set, the clock counts on."""
        self._sync()
        self._status |= OSF

    def fail_crystal(self, failed: bool = True) -> None:
        """The crystal stops, or swings again."""
        self._sync()
        self._crystal = not failed
        self._judge_oscillator()
        self._outputs()

    def set_ppb(self, ppb: int) -> None:
        """The oscillator's error from now on, parts per 1 000 000 000."""
        self._sync()
        self._ppb = ppb
        self._set_rate(self._scheduler.now)

    def poke(self, register: int, value: int) -> None:
        """Put anything into time register 0-6, legal or not: what a brown-out may leave. Clears nothing."""
        self._sync()
        self._time[register] = value

    def abandon_read(self, register: int, clocks: int) -> None:
        """The host vanished in a read of ``register``, ``clocks`` (0-7) bits into its byte; SDA stays as it is."""
        if self._bus is None:
            raise ValueError(f"{self.name}: the board has no nets for SDA and SCL")
        self._begin_transaction()
        self._pointer = register
        self._bus.begin(self._give(self._scheduler.now), clocks, lambda: self._give(self._scheduler.now))

    # I2C side

    def write(self, data: bytes) -> int:
        """Pointer, then data. Returns the bytes acknowledged: all, or none while dead or without power.

        Raises:
            SimFault: a register that does not exist, or a time that does not.
        """
        if not self.acknowledges or not data or not self._begin_transaction():
            return 0
        self._check_register(data[0])
        self._pointer = data[0]
        for i, value in enumerate(data[1:]):
            self._take(value, self._scheduler.now + self.bit_ns * (1 + _BITS_PER_BYTE * (3 + i)))
        self._outputs()
        return len(data)

    def read(self, count: int) -> bytes:
        """``count`` bytes from the pointer on; empty while dead or without power."""
        if not self.acknowledges or not self._begin_transaction():
            return b""
        began = self._scheduler.now
        return bytes(self._give(began + self.bit_ns * (1 + _BITS_PER_BYTE * (1 + i))) for i in range(count))

    def stop(self) -> None:
        """STOP condition: the pointer stays. A date that its month does not have is refused here.

        Raises:
            SimFault: date and month were written and do not go together.
        """
        together = {DATE, MONTH} <= self._written
        self._written.clear()
        if together and (reason := check_date(self._time)):
            raise SimFault(f"{self.name}: {reason}, at {self._scheduler.now} ns")

    def _begin_transaction(self) -> bool:
        """START: the time is copied. False while this very chip blocks the bus."""
        if self._bus is not None and self._bus.active:
            if self._bus.holding:
                return False
            self._bus.end()
        self._sync()
        self._snapshot = list(self._time)
        self._written.clear()
        return True

    def _check_register(self, register: int) -> None:
        if register >= REGISTERS:
            raise SimFault(f"{self.name}: no register {register:02X}, at {self._scheduler.now} ns")

    def _advance_pointer(self, when: int) -> None:
        self._pointer = (self._pointer + 1) % REGISTERS
        if self._pointer == 0:  # the second copy: time goes on while a long read is under way
            self._snapshot = advance(self._time, self._counter.pending(when))

    def _give(self, when: int) -> int:
        register = self._pointer
        self._advance_pointer(when)
        if register < len(self._snapshot):
            return self._snapshot[register]
        if register < CONTROL:
            return self._alarms[register - ALARM_1]
        return {
            CONTROL: self._control,
            STATUS: self._status,
            AGEING: self._ageing,
            TEMPERATURE: self._quarters >> 2 & 0xFF,
            TEMPERATURE_LOW: (self._quarters & 3) << 6,
        }[register]

    def _take(self, value: int, when: int) -> None:
        register = self._pointer
        self._written.add(register)
        if register < len(self._time):
            if reason := check_time_register(register, value):
                raise SimFault(f"{self.name}: {reason}, at {self._scheduler.now} ns")
            self._time[register] = value
            if register == 0:
                self._counter.restart(when)
        elif register < CONTROL:
            self._alarms[register - ALARM_1] = value
        elif register == CONTROL:
            self._take_control(value)
        elif register == STATUS:
            kept = self._status & value & (OSF | ALARM_FLAGS)  # they can only be cleared
            if not self._counter.running:
                kept |= self._status & OSF  # still stopped, still told
            self._status = kept | value & EN32KHZ | self._status & BSY
        elif register == AGEING:
            self._ageing = value
        self._advance_pointer(when)

    def _take_control(self, value: int) -> None:
        wants_conversion = value & CONV and not self._control & CONV
        self._control = value & ~CONV | self._control & CONV
        if wants_conversion:
            self._control |= CONV
            if not self._status & BSY:
                self._begin_conversion(self._scheduler.now)
        self._judge_oscillator()

    # Oscillator, conversions, alarms

    def _start(self) -> None:
        self._cancel_start()
        if self._counter.running or not self._crystal:
            return
        self._counter.start(self._scheduler.now)
        self._set_rate(self._scheduler.now)
        self._begin_conversion(self._scheduler.now)
        self._next_conversion = self._scheduler.now + CONVERSION_PERIOD_NS
        self._outputs()

    def _cancel_start(self) -> None:
        if self._starting is not None:
            self._starting.cancel()
            self._starting = None

    def _stop(self) -> None:
        self._cancel_start()
        self._counter.stop(self._scheduler.now)
        self._status = self._status & ~BSY | OSF
        self._control &= ~CONV
        self._next_conversion = self._conversion_ends = None

    def _judge_oscillator(self) -> None:
        """Start or stop it: EOSC counts on battery only."""
        may_run = self._crystal and (self._supply or not self._control & EOSC)
        if not may_run and (self._counter.running or self._starting is not None):
            self._stop()
        elif may_run and not self._counter.running and self._starting is None:
            self._starting = self._scheduler.after(OSCILLATOR_START_NS, self._start)

    def _set_rate(self, when: int) -> None:
        steps = self._ageing_in_force - (self._ageing_in_force & 0x80) * 2  # signed
        self._counter.set_rate(self._ppb - PPB_A_STEP * steps, when)

    def _begin_conversion(self, when: int) -> None:
        self._status |= BSY
        self._conversion_ends = when + CONVERSION_NS

    def _sync(self) -> None:
        """Bring the registers up to this instant."""
        now = self._scheduler.now
        while True:
            if self._conversion_ends is not None and self._conversion_ends <= now:
                self._count(self._conversion_ends)
                self._end_conversion(self._conversion_ends)
            elif self._next_conversion is not None and self._next_conversion <= now:
                if self._conversion_ends is None:
                    self._begin_conversion(self._next_conversion)
                self._next_conversion += CONVERSION_PERIOD_NS
                if self._settled:  # conversions that change nothing are passed over, but for the last
                    self._next_conversion += (
                        max(now - self._next_conversion, 0) // CONVERSION_PERIOD_NS * (CONVERSION_PERIOD_NS)
                    )
            else:
                break
        self._count(now)

    @property
    def _settled(self) -> bool:
        """Whether one more conversion would leave everything as it is."""
        return self._ageing_in_force == self._ageing and self._quarters == round(self._temperature * 4)

    def _end_conversion(self, when: int) -> None:
        self._conversion_ends = None
        self._status &= ~BSY
        self._control &= ~CONV
        self._quarters = round(self._temperature * 4)
        self._ageing_in_force = self._ageing
        self._set_rate(when)

    def _count(self, when: int) -> None:
        seconds = self._counter.collect(when)
        alarms = ((0x01, bytes(self._alarms[:4])), (0x02, bytes([0, *self._alarms[4:]])))
        live = [(flag, alarm) for flag, alarm in alarms if not self._status & flag and not _impossible(alarm)]
        if not live:
            self._time = advance(self._time, seconds)
            return
        for _ in range(seconds):
            self._time = advance(self._time, 1)
            for flag, alarm in live:
                if alarm_matches(alarm, self._time):
                    self._status |= flag

    # The INT/SQW pin

    def _outputs(self) -> None:
        """Drive the pin and arrange for its next edge."""
        if self._next_edge is not None:
            self._next_edge.cancel()
            self._next_edge = None
        if self._interrupt is None:
            return
        pending = self._status & self._control & ALARM_FLAGS
        wave = not self._control & INTCN and self._counter.running and (self._supply or self._control & BBSQW)
        if wave:
            half = _WAVE_HALF[(self._control & RS) >> 3]
            halves = self._counter.phase(self._scheduler.now) // half
            self._interrupt.drive(halves & 1)  # the 1 Hz wave falls as the second begins (unverified)
            edge = self._counter.instant_of((halves + 1) * half)
        else:
            on = self._control & INTCN and pending and (self._supply or self._battery)
            self._interrupt.drive(0 if on else 1)
            if not self._control & INTCN or not self._counter.running or not self._control & ALARM_FLAGS & ~pending:
                return
            edge = self._counter.instant_of(SECOND)
        self._next_edge = self._scheduler.at(edge, self._edge)

    def _edge(self) -> None:
        self._next_edge = None
        self._sync()
        self._outputs()


def _impossible(alarm: bytes) -> bool:
    """An alarm on a date or day 00, as at power-up, never comes."""
    return not alarm[3] & MASK and not alarm[3] & 0x3F
