"""Reproducible randomness: a stream of bytes from the simulator's seed (SHA-256 in counter mode).

Entry points: ``fill`` and ``number``.
"""

import _sim
from uhashlib import sha256

_counter = 0
_block = b""


def fill(count: int) -> bytes:
    """Return the next ``count`` bytes of the stream."""
    global _block, _counter
    out = b""
    while len(out) < count:
        if not _block:
            _block = sha256(_sim.seed + _counter.to_bytes(8, "little")).digest()
            _counter += 1
        take = count - len(out)
        out += _block[:take]
        _block = _block[take:]
    return out


def number() -> int:
    """30 bits of the stream."""
    return int.from_bytes(fill(4), "little") & 0x3FFFFFFF
