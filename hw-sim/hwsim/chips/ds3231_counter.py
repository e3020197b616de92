"""The DS3231's oscillator and divider: whole seconds out of virtual time, exact over years at any error.

Entry points: :class:`SecondCounter` and :data:`SECOND`, the divider's length in the units of ``phase``.

A unit is a nanosecond of the oscillator divided by 10**9, so that an error in parts per 10**9 stays an integer.
"""

from __future__ import annotations

_NOMINAL = 1_000_000_000
SECOND = 1_000_000_000 * _NOMINAL


class SecondCounter:
    """Counts seconds while it runs; instants are nanoseconds of virtual time."""

    def __init__(self) -> None:
        self.running = False
        self._rate = _NOMINAL
        self._since = 0
        self._phase = 0  # of the divider at _since

    def start(self, when: int) -> None:
        """The oscillator swings from ``when`` on; the divider goes on from where it stood."""
        self.running = True
        self._since = when

    def stop(self, when: int) -> None:
        """The oscillator stands still."""
        self._rebase(when)
        self.running = False

    def restart(self, when: int) -> None:
        """The divider begins a new second at ``when``, which may lie a moment ahead."""
        self._phase = 0
        self._since = when

    def set_rate(self, ppb: int, when: int) -> None:
        """Parts per 10**9 too fast from ``when`` on."""
        self._rebase(when)
        self._rate = _NOMINAL + ppb

    def phase(self, when: int) -> int:
        """Units since the last second collected."""
        if not self.running or when <= self._since:
            return self._phase
        return self._phase + (when - self._since) * self._rate

    def pending(self, when: int) -> int:
        """Whole seconds from the last collected to ``when``."""
        return self.phase(when) // SECOND

    def collect(self, when: int) -> int:
        """Whole seconds since the last call."""
        seconds = self.pending(when)
        self._rebase(when)
        self._phase -= seconds * SECOND
        return seconds

    def instant_of(self, phase: int) -> int:
        """The first nanosecond at which ``phase`` is reached; only while running."""
        missing = max(phase - self._phase, 0)
        return self._since - (-missing // self._rate)

    def _rebase(self, when: int) -> None:
        if when > self._since:
            self._phase = self.phase(when)
            self._since = when
