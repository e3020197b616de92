"""What only the host's end of the link needs; the controller does not load it.

Entry points: :class:`Assembler` (puts a long body together from the parts of :func:`.messages.pack_part`),
:data:`KEEP_ALIVE_MS` and :data:`RENEW_MS`.
"""

import struct

from .messages import PART, PART_SIZE

# Times, in milliseconds
KEEP_ALIVE_MS = 1000  # the host says H_ALIVE when it has said nothing for so long
RENEW_MS = 1000  # the host takes another nonce when its hello had no answer for so long


class Assembler:
    """Puts the parts of one long body together; parts come in order, one body after the other."""

    def __init__(self, cap: int) -> None:
        self._cap = cap
        self._key = 0
        self._body = bytearray()

    def take(self, part: bytes) -> "tuple[int, bytes] | None":
        """``(key, body)`` when this part was the last, else None. ValueError when it does not fit the ones before."""
        if len(part) < PART_SIZE:
            raise ValueError("a part without its head")
        key, offset, total = struct.unpack(PART, part[:PART_SIZE])
        if total > self._cap:
            raise ValueError("a body of %d bytes; the most is %d" % (total, self._cap))
        if offset == 0:
            self._key = key
            self._body = bytearray()
        if key != self._key or offset != len(self._body):
            raise ValueError("a part out of its order")
        self._body += part[PART_SIZE:]
        if len(self._body) > total:
            raise ValueError("more bytes than announced")
        return (key, bytes(self._body)) if len(self._body) == total else None
