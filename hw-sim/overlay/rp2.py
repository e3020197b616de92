"""``rp2`` of the port, as far as one PIO program goes: a chain of lamps fed by an autopulling state machine.

Entry points: ``asm_pio`` (keeps the settings; the program is not assembled), :class:`PIO`, :class:`StateMachine`. The
simulator knows how long the attached part takes for a bit; from this and the FIFO depth follows when ``put`` waits.
"""

import _protocol as p
import _sim
import uctypes
from _pin import Pin, gpio_of
from micropython import const

_DEPTH = const(4)  # words in each FIFO; joined they make one of twice the depth
_WORDS = const(64)  # words handed over in one piece


class PIO:
    """Constants of the programmable I/O blocks."""

    IN_LOW = 0
    IN_HIGH = 1
    OUT_LOW = 2
    OUT_HIGH = 3
    SHIFT_LEFT = 0
    SHIFT_RIGHT = 1
    JOIN_NONE = 0
    JOIN_TX = 1
    JOIN_RX = 2


class _Program:
    def __init__(self, shiftdir: int, autopull: bool, threshold: int, join: int) -> None:
        self._shiftdir = shiftdir
        self._autopull = autopull
        self._threshold = threshold
        self._depth = 2 * _DEPTH if join == PIO.JOIN_TX else _DEPTH


def asm_pio(
    *,
    out_init: object = None,
    set_init: object = None,
    sideset_init: object = None,
    side_pindir: bool = False,
    in_shiftdir: int = 0,
    out_shiftdir: int = 0,
    autopush: bool = False,
    autopull: bool = False,
    push_thresh: int = 32,
    pull_thresh: int = 32,
    fifo_join: int = 0,
) -> object:
    """Decorator of a PIO program. The function is not run: its settings say how words are taken."""

    def decorate(function: object) -> _Program:
        return _Program(out_shiftdir, autopull, pull_thresh, fifo_join)

    return decorate


class StateMachine:
    """State machine ``id``, 0-11 on RP2350 and 0-7 on RP2040, driving the part attached to its output pin."""

    def __init__(self, id: int, program: _Program | None = None, **kwargs: object) -> None:
        if not 0 <= id < (12 if _sim.chip == 2350 else 8):
            raise ValueError("invalid StateMachine")
        self._id = id
        self._put = p.PIO_PUT | id << 8
        self._bytes = bytearray(4 * _WORDS)
        layout = {"w": (0 | uctypes.ARRAY, _WORDS | uctypes.UINT32)}
        self._staged = uctypes.struct(uctypes.addressof(self._bytes), layout).w
        self._active = False
        self._done = 0  # instant at which the last word given has left
        if program is not None:
            self.init(program, **kwargs)

    def init(
        self,
        program: _Program,
        freq: int = -1,
        *,
        out_base: Pin | None = None,
        set_base: Pin | None = None,
        sideset_base: Pin | None = None,
        **kwargs: object,
    ) -> None:
        """Attach to the pin: ``sideset_base`` when given, else ``out_base``, else ``set_base``."""
        if not program._autopull:
            raise NotImplementedError("the simulated state machine pulls by itself")
        base = sideset_base if sideset_base is not None else out_base if out_base is not None else set_base
        if base is None:
            raise ValueError("a PIO program needs a pin")
        self._threshold = program._threshold
        self._right = program._shiftdir == PIO.SHIFT_RIGHT
        self._depth = program._depth
        number = gpio_of(base) | (1 << 8 if self._right else 0) | self._threshold << 16
        self._word_ns = _sim.ask(p.PIO_ATTACH | self._id << 8 | number << 16)

    def active(self, value: int | None = None) -> bool:
        """Start or stop, or tell whether it runs."""
        _sim.call()
        if value is not None:
            self._active = bool(value)
            if self._done < _sim.now:
                self._done = _sim.now
        return self._active

    def tx_fifo(self) -> int:
        """Words waiting in the transmit FIFO."""
        _sim.call()
        return self._waiting()

    def _waiting(self) -> int:
        left = self._done - _sim.now
        if left <= 0:
            return 0
        # The word being shifted out has left the FIFO.
        return (left + self._word_ns - 1) // self._word_ns - 1

    def put(self, value: object, shift: int = 0) -> None:
        """Queue a word, or each of an array, shifted left by ``shift``; waits while the FIFO is full."""
        if not self._active:
            raise NotImplementedError("put to a stopped state machine would wait for ever when the FIFO is full")
        if isinstance(value, int):
            self._staged[0] = value << shift & 0xFFFFFFFF
            self._send(1)
            return
        total = len(value)
        index = 0
        while index < total:
            count = 0
            while count < _WORDS and index < total:
                self._staged[count] = value[index] << shift & 0xFFFFFFFF
                count += 1
                index += 1
            self._send(count)

    def _send(self, count: int) -> None:
        _sim.post_bytes(self._put | count << 16, self._bytes, 4 * count)
        begin = self._done if self._done > _sim.now else _sim.now
        self._done = begin + count * self._word_ns
        # The FIFO takes `depth` words and one is being shifted: the call is over when the rest has been taken.
        wait = self._done - (self._depth + 1) * self._word_ns - _sim.now
        if wait > 0:
            _sim.charge(wait)
