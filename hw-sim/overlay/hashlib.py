"""``hashlib`` with the time that hashing takes on the board.

Entry points: ``sha256``, ``sha1``, ``md5``. SHA-256 is charged by blocks of 64 bytes, when they are complete; the other
two are on no path of the firmware and are charged as calls.
"""

import _sim
import uhashlib
from micropython import const

_BLOCK = const(64)
_PADDING = const(9)  # one bit and the length, FIPS 180-4 section 5.1.1


class sha256:
    """SHA-256 of the data given here and by ``update``."""

    def __init__(self, data: bytes | bytearray | memoryview = b"") -> None:
        self._hash = uhashlib.sha256()
        self._count = 0
        self.update(data)

    def update(self, data: bytes | bytearray | memoryview) -> None:
        """Add ``data``."""
        before = self._count // _BLOCK
        self._count += len(data)
        self._hash.update(data)
        _sim.call((self._count // _BLOCK - before) * _sim.sha_block_ns)

    def digest(self) -> bytes:
        """The 32 bytes; the object is of no further use."""
        final = (self._count + _PADDING + _BLOCK - 1) // _BLOCK - self._count // _BLOCK
        _sim.call(final * _sim.sha_block_ns)
        return self._hash.digest()


def sha1(data: bytes | bytearray | memoryview = b"") -> object:
    """SHA-1."""
    _sim.call()
    return uhashlib.sha1(data)


def md5(data: bytes | bytearray | memoryview = b"") -> object:
    """MD5."""
    _sim.call()
    return uhashlib.md5(data)
