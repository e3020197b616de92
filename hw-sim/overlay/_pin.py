"""``machine.Pin`` of the rp2 port over the simulator.

Entry points: :class:`Pin` (one object a GPIO, as on the board), ``gpio_of`` for the peripherals that take pins.
"""

import _protocol as p
import _sim
from micropython import const

_HAS_VALUE = const(1 << 8)
_VALUE_HIGH = const(1 << 9)
_GPIO_COUNT = const(30)  # RP2040 and RP2350A
_LED = const(25)  # the board's own lamp on Pico and Pico 2


def gpio_of(pin: "Pin | int | str") -> int:
    """GPIO number of a Pin, a number or a name such as "GP5"; ValueError as on the board."""
    if isinstance(pin, Pin):
        return pin._gpio
    if isinstance(pin, str):
        if pin == "LED":
            return _LED
        if pin[:2] in ("GP",) and pin[2:].isdigit():
            pin = int(pin[2:])
        else:
            pin = -1
    elif pin.__class__ is not int:
        raise TypeError("can't convert %s to Pin" % pin.__class__.__name__)
    if not 0 <= pin < _GPIO_COUNT:
        raise ValueError("invalid pin")
    return pin


class _Irq:
    """What ``Pin.irq`` returns."""

    def __init__(self, pin: "Pin") -> None:
        self._pin = pin

    def __call__(self) -> None:
        self._pin._run_handler()

    def flags(self) -> int:
        """The edges of the latest interrupt, IRQ_RISING and IRQ_FALLING."""
        return _sim.irq_flags[self._pin._gpio]

    def trigger(self, trigger: int | None = None) -> int:
        """Set, or return, the edges that interrupt."""
        before = self._pin._trigger
        if trigger is not None:
            self._pin._set_trigger(trigger)
        return before


class Pin:
    """A GPIO. ``Pin(5, Pin.OUT, value=1)``, ``Pin("GP5")``; the same number is always the same object."""

    IN = 0
    OUT = 1
    OPEN_DRAIN = 2
    ALT = 3
    PULL_UP = 1
    PULL_DOWN = 2
    IRQ_FALLING = 4
    IRQ_RISING = 8

    def __new__(cls, id: int, *args: object, **kwargs: object) -> "Pin":
        return _all[gpio_of(id)]

    def __init__(
        self, id: int, mode: int = -1, pull: int | None = -1, *, value: int | None = None, alt: int = 31
    ) -> None:
        if mode != -1 or pull != -1 or value is not None:
            self.init(mode, pull, value=value, alt=alt)

    def __repr__(self) -> str:
        return "Pin(GPIO%d, mode=%s)" % (self._gpio, ("IN", "OUT", "OPEN_DRAIN", "ALT")[self._mode])

    def init(self, mode: int = -1, pull: int | None = -1, *, value: int | None = None, alt: int = 31) -> None:
        """Set up the pin; an output takes ``value`` before it begins to drive."""
        if mode == -1:
            mode = self._mode
        if mode not in (Pin.IN, Pin.OUT, Pin.OPEN_DRAIN, Pin.ALT):
            raise ValueError("invalid pin mode: %d" % mode)
        number = mode
        if pull is not None and pull != -1:
            if pull not in (Pin.PULL_UP, Pin.PULL_DOWN):
                raise ValueError("invalid pull: %d" % pull)
            number |= pull << 4
        if value is not None:
            self._latch = 1 if value else 0
            number |= _HAS_VALUE | (_VALUE_HIGH if value else 0)
        self._mode = mode
        _sim.post(p.PIN_MODE | self._gpio << 8 | number << 16)

    def value(self, level: int | None = None) -> int | None:
        """Level of the pin, or set its output latch."""
        if level is None:
            return _sim.read_levels() >> self._gpio & 1
        if level:
            self._latch = 1
            _sim.post(self._high)
        else:
            self._latch = 0
            _sim.post(self._low)
        return None

    __call__ = value

    def on(self) -> None:
        """Drive high."""
        self._latch = 1
        _sim.post(self._high)

    def off(self) -> None:
        """Drive low."""
        self._latch = 0
        _sim.post(self._low)

    high = on
    low = off

    def toggle(self) -> None:
        """Drive the other level."""
        if self._latch:
            self.off()
        else:
            self.on()

    def mode(self, mode: int | None = None) -> int:
        """Set, or return, the mode."""
        if mode is not None:
            self.init(mode)
        return self._mode

    def irq(
        self,
        handler: object = None,
        trigger: int = IRQ_FALLING | IRQ_RISING,
        *,
        priority: int = 1,
        wake: int | None = None,
        hard: bool = False,
    ) -> _Irq:
        """Call ``handler(pin)`` at each edge of ``trigger``. A hard handler runs with the heap locked."""
        if priority != 1:
            raise ValueError("priority must be 1")
        if wake is not None:
            raise ValueError("wake must be None")
        if handler is not None and not callable(handler):
            raise ValueError("handler must be None or callable")
        if self._irq is None:
            self._irq = _Irq(self)
        self._handler = handler
        _sim.set_handler(self._gpio, handler, self, hard)
        self._set_trigger(trigger if handler is not None else 0)
        return self._irq

    def _set_trigger(self, trigger: int) -> None:
        if trigger & ~(Pin.IRQ_FALLING | Pin.IRQ_RISING):
            raise NotImplementedError("the simulated pins interrupt on edges only")
        self._trigger = trigger
        _sim.post(p.PIN_IRQ | self._gpio << 8 | trigger << 16)

    def _run_handler(self) -> None:
        if self._handler is not None:
            self._handler(self)


def _make(gpio: int) -> Pin:
    pin = object.__new__(Pin)
    pin._gpio = gpio
    pin._low = p.PIN_SET | gpio << 8
    pin._high = pin._low | 1 << 16
    pin._latch = 0
    pin._mode = Pin.IN
    pin._trigger = 0
    pin._handler = None
    pin._irq = None
    return pin


# All of them, made beforehand: on the board they take nothing of the heap.
_all = [_make(gpio) for gpio in range(_GPIO_COUNT)]
