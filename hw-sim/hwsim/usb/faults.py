"""What can go wrong between host and board, by arrangement: a pulled cable, ignored commands, flipped bits, shut doors.

Entry points: :class:`Faults`, one per board, and :data:`PHASES`. Everything happens at a counted step, never by chance.

The phases, in the order in which a flashing passes them: ``open`` (a program opens the device), ``control`` (a request
on endpoint 0), ``command`` (a PICOBOOT command has arrived), ``erase`` (one sector), ``data_out`` and ``program`` (one
page arrived; being programmed), ``data_in`` (one page leaves), ``ack`` (the zero-length packet), ``reboot`` (the chip
resets), ``attach`` (it appears on the bus again).
"""

from __future__ import annotations

from collections import Counter

from hwsim.core import NS_PER_S

PHASES = ("open", "control", "command", "erase", "data_out", "program", "data_in", "ack", "reboot", "attach")


class Faults:
    """Arranged faults of one board; what has not been arranged works."""

    def __init__(self) -> None:
        self.passed: Counter[str] = Counter()
        """How often each phase has been passed."""
        self.open_error = 0
        """errno that opening the device gives: EACCES, EBUSY, ENODEV; 0: it opens."""
        self.claim_error = 0
        """errno that claiming an interface gives; 0: it is claimed."""
        self.mute = False
        """The application enumerates and never answers on its port."""
        self.missing = False
        """The application never appears on the bus."""
        self.pulled_at: tuple[str, int] | None = None
        """Phase and step at which the cable was pulled, None while it has not been."""
        self._pulls: list[tuple[str | None, int]] = []
        self._ignored: Counter[int] = Counter()
        self._skipped: Counter[int] = Counter()
        self._flips: list[list[int]] = []
        self._late: dict[int, int] = {}

    @property
    def steps(self) -> int:
        """Steps of any phase passed so far."""
        return self.passed.total()

    def pull(self, phase: str, nth: int = 1) -> None:
        """Pull the cable at the ``nth`` step of ``phase`` from now on; it stays out until ``Board.plug``."""
        if phase not in PHASES:
            raise ValueError(f"no phase {phase}: one of {', '.join(PHASES)}")
        self._pulls.append((phase, self.passed[phase] + nth))

    def pull_at_step(self, nth: int) -> None:
        """Pull the cable at the ``nth`` step from now on, whatever its phase."""
        self._pulls.append((None, self.steps + nth))

    def ignore(self, command: int, times: int = 1) -> None:
        """The boot loader takes PICOBOOT command ``command`` (bit 7 as sent) and never answers, ``times`` times."""
        self._ignored[command] += times

    def skip(self, command: int, times: int = 1) -> None:
        """It acknowledges the command, ``times`` times, and does nothing."""
        self._skipped[command] += times

    def late(self, command: int, seconds: float) -> None:
        """The next time, what the command does begins ``seconds`` later than it should."""
        self._late[command] = round(seconds * NS_PER_S)

    def flip(self, address: int, bit: int, times: int = 1) -> None:
        """One bit is wrong the next ``times`` times that PICOBOOT reads ``address``; the memory is right."""
        self._flips.append([address, 1 << bit, times])

    # --- asked by the emulation ----------------------------------------------------------------------------------

    def at(self, phase: str) -> bool:
        """A step of ``phase`` begins; whether the cable is pulled now."""
        self.passed[phase] += 1
        for arranged, nth in self._pulls:
            if (self.steps if arranged is None else self.passed[arranged]) == nth and arranged in (None, phase):
                self._pulls.remove((arranged, nth))
                self.pulled_at = (phase, self.passed[phase])
                return True
        return False

    def ignores(self, command: int) -> bool:
        """Whether this command is not answered."""
        return self._take(self._ignored, command)

    def skips(self, command: int) -> bool:
        """Whether this command is answered and not carried out."""
        return self._take(self._skipped, command)

    def lateness(self, command: int) -> int:
        """Nanoseconds before this command begins."""
        return self._late.pop(command, 0)

    def disturb(self, address: int, data: bytes) -> bytes:
        """What leaves the board when ``data`` is read from ``address``."""
        wrong = bytearray(data)
        for flip in self._flips:
            position = flip[0] - address
            if flip[2] and 0 <= position < len(wrong):
                wrong[position] ^= flip[1]
                flip[2] -= 1
        return bytes(wrong)

    @staticmethod
    def _take(arranged: Counter[int], command: int) -> bool:
        if not arranged[command]:
            return False
        arranged[command] -= 1
        return True
