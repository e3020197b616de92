"""How a PN5180 fails: what MISO and BUSY say of a chip that does nothing any more, or whose BUSY is not connected.

Entry points: :class:`Failure`, :data:`FAILURES`, its kinds, :data:`LOOSE`. Purpose: firmware must tell these from an
empty antenna.
Limits: a failure is total; registers that go wrong one at a time are ``unkept_registers`` of the chip.
"""

from __future__ import annotations

import random

from hwsim.core import Line

LOOSE = "loose"
"""BUSY's wire: the board reads low, the chip works on and does not hear what comes while it is busy (unverified)."""
FAILURES = ("low", "high", "busy", "nonsense", LOOSE)
"""MISO stays low, or high, both with BUSY low; BUSY stays high; both say anything at all; BUSY's wire is off."""

_FILLERS = {"low": b"\0", "high": b"\xff", "busy": b"\0"}


class Failure:
    """One failure, ``kind`` of :data:`FAILURES`; the nonsense follows from the chip's ``name``.

    Raises:
        ValueError: no such failure.
    """

    def __init__(self, kind: str, name: str, busy: Line) -> None:
        if kind not in FAILURES:
            raise ValueError(f"{name} cannot fail as {kind!r}; it can as {', '.join(FAILURES)}")
        self.kind = kind
        self._random = random.Random(name)
        self._busy = busy
        busy.drive(int(kind == "busy"))

    def transfer(self, count: int) -> bytes:
        """MISO while ``count`` bytes are clocked."""
        if self.kind == "nonsense":
            self._busy.drive(self._random.getrandbits(1))
            return self._random.randbytes(count)
        return _FILLERS[self.kind] * count
