"""UIDs of ICODE SLIX2 tags, drawn from a seed.

Entry point: :class:`UidSource` (``next``, ``sharing``).

A UID is E0 (class), 04 (manufacturer), 01 (ICODE), then 40 bits of serial in which bits 37 and 36 tell the type
(SL2S2602 data sheet): 01 for SLIX2. In memory it lies LSB first, as on the air.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from hwsim.world.truth import WorldError

_SERIAL_BITS = 40
_TYPE_MASK = 0x18 << 32  # bits 37 and 36 counted from 1: two bits of UID4
_TYPE_SLIX2 = 0x08 << 32
_PREFIX = 0xE00401 << _SERIAL_BITS


def slix2_uid(serial: int) -> bytes:
    """The UID with ``serial`` (40 bits; the two type bits are set for it), 8 bytes, LSB first."""
    return (_PREFIX | (serial & ((1 << _SERIAL_BITS) - 1) & ~_TYPE_MASK) | _TYPE_SLIX2).to_bytes(8, "little")


class UidSource:
    """UIDs that never repeat; the same seed gives the same ones in the same order."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(f"uid/{seed}")
        self._given: set[bytes] = set()

    def next(self) -> bytes:
        """A UID not given before."""
        return self._fresh(lambda: slix2_uid(self._random.getrandbits(_SERIAL_BITS)))

    def sharing(self, uid: bytes, bits: int) -> bytes:
        """A UID not given before that equals ``uid`` in its lowest ``bits`` bits and differs in the next one.

        Raises:
            WorldError: the next bit is not free to differ (0-34, 37 and 38 are; 39 once).
        """
        if not 0 <= bits < _SERIAL_BITS or _TYPE_MASK >> bits & 1:
            raise WorldError(f"two SLIX2 tags cannot first differ in UID bit {bits}")
        serial = int.from_bytes(uid, "little")

        def draw() -> bytes:
            above = self._random.getrandbits(_SERIAL_BITS) >> (bits + 1) << (bits + 1)
            return slix2_uid((serial & ((1 << bits) - 1)) | (~serial & (1 << bits)) | above)

        return self._fresh(draw)

    def _fresh(self, draw: Callable[[], bytes]) -> bytes:
        for _ in range(1000):
            uid = draw()
            if uid not in self._given:
                self._given.add(uid)
                return uid
        raise WorldError("no such UID is left")
