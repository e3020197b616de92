"""``machine`` of the rp2 port (Raspberry Pi Pico and Pico 2) over the simulator.

Entry points: the names of the port's module that a controller uses. What is not here raises AttributeError, loudly.
"""

import _protocol as p
import _sim
from _bus import I2C, SPI
from _pin import Pin, gpio_of
from micropython import const

__all__ = ("I2C", "SPI", "Pin")  # imported here for the firmware, besides what is defined below

PWRON_RESET = 1
WDT_RESET = 3

_COLD = const(0)  # machine.reset
_SOFT = const(1)  # machine.soft_reset
_BOOT_LOADER = const(2)  # machine.bootloader


def __getattr__(name: str) -> type:
    if name != "UART":
        raise AttributeError(name)
    from _uart import UART

    return UART


def disable_irq() -> int:
    """Hold interrupts off; hand the result to ``enable_irq``."""
    return _sim.disable()


def enable_irq(state: int = 1) -> None:
    """Restore the interrupt state; interrupts held off run now."""
    _sim.restore(state)


def reset() -> None:
    """Start over as after power-up, through the watchdog block."""
    _sim.ask(p.RESET | _COLD << 8)


def soft_reset() -> None:
    """Start the interpreter over; the watchdog runs on."""
    _sim.ask(p.RESET | _SOFT << 8)


def bootloader(timeout: int = 0) -> None:
    """Start over in the boot loader."""
    _sim.ask(p.RESET | _BOOT_LOADER << 8)


def reset_cause() -> int:
    """PWRON_RESET or WDT_RESET (also after ``reset``)."""
    return _sim.reset_cause


def unique_id() -> bytes:
    """The 8 bytes of the board's flash chip."""
    return bytes(_sim.board_id)


def freq(hz: int | None = None) -> int | None:
    """Processor clock in hertz. Setting it is not simulated."""
    if hz is not None:
        raise NotImplementedError("the simulated clock is fixed")
    _sim.call()
    return 150_000_000 if _sim.chip == 2350 else 125_000_000


def idle() -> None:
    """Wait for the next interrupt, one millisecond at most."""
    _sim.sleep_for(1_000_000)


class WDT:
    """The watchdog: once started it resets the board unless it is fed within ``timeout`` milliseconds."""

    def __init__(self, id: int = 0, timeout: int = 5000) -> None:
        if id != 0:
            raise ValueError("WDT(%d) doesn't exist" % id)
        longest = 16777 if _sim.chip == 2350 else 8388
        if timeout > longest:
            raise ValueError("timeout exceeds %d" % longest)
        if timeout <= 0:
            raise ValueError("WDT timeout too short")
        _sim.post(p.WDT_START | timeout << 16)
        _sim.flush()

    def feed(self) -> None:
        """Start the time again."""
        _sim.post(p.WDT_FEED)
        if not _sim.in_handler:
            _sim.flush()  # a loop without calls that follows must be bitten by this feed's time


class Timer:
    """A timer of the alarm pool; the id must be -1. Soft callbacks unless ``hard``."""

    ONE_SHOT = 0
    PERIODIC = 1

    _used = [False] * p.TIMERS

    def __init__(self, id: int = -1, **kwargs: object) -> None:
        if id != -1:
            raise ValueError("Timer doesn't exist")
        self._slot = -1
        if kwargs:
            self.init(**kwargs)

    def init(
        self,
        *,
        mode: int = 1,
        freq: int = -1,
        period: int = -1,
        tick_hz: int = 1000,
        callback: object = None,
        hard: bool = False,
    ) -> None:
        """Call ``callback(timer)`` after ``period`` ticks (of ``tick_hz``) or ``freq`` times a second."""
        self.deinit()
        if freq != -1:
            if freq == 0:
                raise ValueError("invalid freq")
            period_ns = int(1_000_000_000 / freq)
        else:
            if period < 0:
                raise ValueError("period required")
            period_ns = period * 1_000_000_000 // tick_hz
        if mode not in (Timer.ONE_SHOT, Timer.PERIODIC):
            raise ValueError("invalid mode")
        if False not in Timer._used:
            raise OSError(12)  # ENOMEM: the alarm pool of the port has 16 entries
        self._slot = Timer._used.index(False)
        Timer._used[self._slot] = True
        _sim.set_handler(p.TIMER_SOURCE + self._slot, callback, self, hard)
        period_ns = max(period_ns, 1_000)
        _sim.post(p.TIMER_START | self._slot << 8 | (mode | period_ns << 1) << 16)

    def deinit(self) -> None:
        """Stop."""
        if self._slot >= 0:
            _sim.set_handler(p.TIMER_SOURCE + self._slot, None, None, False)
            _sim.post(p.TIMER_STOP | self._slot << 8)
            Timer._used[self._slot] = False
            self._slot = -1


class PWM:
    """Pulse-width modulation of one pin."""

    def __init__(
        self,
        pin: Pin | int | str,
        *,
        freq: int | None = None,
        duty_u16: int | None = None,
        duty_ns: int | None = None,
        invert: bool = False,
    ) -> None:
        self._gpio = gpio_of(pin)
        self._freq = 0
        self._duty = 0
        self._invert = bool(invert)
        self.init(freq=freq, duty_u16=duty_u16, duty_ns=duty_ns)

    def init(self, *, freq: int | None = None, duty_u16: int | None = None, duty_ns: int | None = None) -> None:
        """Change the given settings."""
        if freq is not None:
            self._freq = freq
        if duty_u16 is not None:
            self._duty = min(max(duty_u16, 0), 65535)
        if duty_ns is not None:
            self._duty = min(duty_ns * self._freq * 65535 // 1_000_000_000, 65535)
        self._apply()

    def _apply(self) -> None:
        duty = 65535 - self._duty if self._invert else self._duty
        _sim.post(p.PWM_SET | self._gpio << 8 | (duty | self._freq << 16) << 16)

    def freq(self, hz: int | None = None) -> int | None:
        """Frequency in hertz, or set it; ValueError outside 8 Hz to half the processor clock."""
        if hz is None:
            return self._freq
        if not 8 <= hz <= 62_500_000:
            raise ValueError("freq out of range")
        self._freq = hz
        self._apply()
        return None

    def duty_u16(self, duty: int | None = None) -> int | None:
        """Share of the period that is high, 0 to 65535, or set it."""
        if duty is None:
            return self._duty
        self.init(duty_u16=duty)
        return None

    def duty_ns(self, duration: int | None = None) -> int | None:
        """Width of the pulse in nanoseconds, or set it."""
        if duration is None:
            return self._duty * 1_000_000_000 // (65535 * self._freq) if self._freq else 0
        self.init(duty_ns=duration)
        return None

    def deinit(self) -> None:
        """Stop; the pin goes low."""
        self._duty = 0
        self._freq = 0
        _sim.post(p.PWM_SET | self._gpio << 8)
