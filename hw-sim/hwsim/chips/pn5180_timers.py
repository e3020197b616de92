"""PN5180: the three general timers.

Entry points: :class:`Timers` (``configure``, ``reload``, ``status``, ``signal``, ``reset``); the start and stop bits
of TIMERx_CONFIG that ``signal`` takes.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from hwsim.core import Event, Scheduler, SimFault

ENABLE = 1 << 0
RELOAD_ENABLE = 1 << 1
USE_PRESCALER = 1 << 2
START_NOW = 1 << 6

# Start and stop conditions, as bits of TIMERx_CONFIG.
START_RF_OFF = 1 << 7
START_RF_ON = 1 << 8
START_EXTERNAL_OFF = 1 << 9
START_EXTERNAL_ON = 1 << 10
START_TX_ENDED = 1 << 11
START_TX_STARTED = 1 << 12
START_RX_ENDED = 1 << 13
START_RX_STARTED = 1 << 14
STOP_RF_OFF = 1 << 15
STOP_RF_ON = 1 << 16
STOP_EXTERNAL_OFF = 1 << 17
STOP_EXTERNAL_ON = 1 << 18
STOP_TX_STARTED = 1 << 19
STOP_RX_STARTED = 1 << 20

RUNNING = 1 << 20
VALUE = 0x000FFFFF


class _Timer:
    """One down counter. ``left`` is its value when it is not running."""

    __slots__ = ("config", "deadline", "expiry", "left", "reload")

    def __init__(self) -> None:
        self.config = 0
        self.reload = 0
        self.left = 0
        self.deadline = 0
        self.expiry: Event | None = None


class Timers:
    """Timers 0 to 2; ``expired(n)`` is called when one reaches zero.

    Timers without prescaler count the carrier (13.56 MHz); with it, 6.78 MHz down to 53 kHz.
    """

    __slots__ = ("_expired", "_name", "_scheduler", "_timers", "_watched")

    def __init__(self, scheduler: Scheduler, name: str, expired: Callable[[int], None]) -> None:
        self._scheduler = scheduler
        self._name = name
        self._expired = expired
        self._timers = (_Timer(), _Timer(), _Timer())
        self._watched = 0

    def reset(self) -> None:
        """All timers as after a reset."""
        for timer in self._timers:
            self._halt(timer)
            timer.config = timer.reload = timer.left = 0
        self._watched = 0

    def configure(self, number: int, config: int) -> None:
        """TIMERx_CONFIG is written."""
        timer = self._timers[number]
        timer.config = config
        self._watched = 0
        for other in self._timers:
            if other.config & ENABLE:
                self._watched |= other.config
        if not config & ENABLE:
            self._halt(timer)
        elif config & START_NOW:
            self._start(number, self._scheduler.now)

    def reload(self, number: int, value: int) -> None:
        """TIMERx_RELOAD is written; counts from the next start on."""
        self._timers[number].reload = value & VALUE

    def status(self, number: int) -> int:
        """TIMERx_STATUS now."""
        timer = self._timers[number]
        if timer.expiry is None:
            return timer.left
        return RUNNING | min(timer.reload, self._ticks_left(timer, self._scheduler.now))

    def signal(self, start: int, stop: int, when: int) -> None:
        """The conditions ``start`` and ``stop`` (config bits) hold at ``when``: now, or a certain instant to come."""
        if not self._watched & (start | stop):
            return
        for number, timer in enumerate(self._timers):
            config = timer.config
            if not config & ENABLE:
                continue
            if config & stop and timer.expiry is not None and timer.deadline > when:
                timer.left = self._ticks_left(timer, when)
                timer.expiry.cancel()
                timer.expiry = None
            if config & start:
                self._start(number, when)

    def _tick(self, config: int, ticks: int) -> int:
        """Nanoseconds of ``ticks``."""
        shift = (config >> 3 & 7) + 1 if config & USE_PRESCALER else 0
        return ((ticks << shift) * 25_000 + 169) // 339

    def _ticks_left(self, timer: _Timer, when: int) -> int:
        shift = (timer.config >> 3 & 7) + 1 if timer.config & USE_PRESCALER else 0
        return max(0, timer.deadline - when) * 339 // 25_000 >> shift

    def _halt(self, timer: _Timer) -> None:
        if timer.expiry is not None:
            timer.left = self._ticks_left(timer, self._scheduler.now)
            timer.expiry.cancel()
            timer.expiry = None

    def _start(self, number: int, when: int) -> None:
        timer = self._timers[number]
        if timer.expiry is not None:
            timer.expiry.cancel()
        if timer.reload == 0 and timer.config & RELOAD_ENABLE:
            raise SimFault(f"{self._name}: TIMER{number} reloads itself with 0 at {self._scheduler.now} ns")
        timer.deadline = when + self._tick(timer.config, timer.reload)
        timer.expiry = self._scheduler.at(timer.deadline, partial(self._expire, number))

    def _expire(self, number: int) -> None:
        timer = self._timers[number]
        timer.expiry = None
        timer.left = 0
        if timer.config & RELOAD_ENABLE:
            self._start(number, self._scheduler.now)
        self._expired(number)
