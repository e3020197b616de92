"""Frames of a PN532 (user manual UM0701-02, 6.2.1): building them, and finding them in what the bus gave.

Entry points: `command` (builds), ``ACK``, ``NACK``, `Finder` (finds, allocates nothing), its results ``NOTHING`` ..
``DAMAGED``. A frame is ``00 00 FF LEN LCS TFI data DCS 00``; nothing here is longer than a normal frame, and an
extended one is taken for damage.
"""

try:
    from micropython import const
except ImportError:

    def const(value: int) -> int:
        """Stand in for MicroPython's compile-time constant."""
        return value


NOTHING = const(0)  # no beginning of a frame, or not all of it yet
ACK_FRAME = const(1)
NACK_FRAME = const(2)
ANSWER_FRAME = const(3)
SYNTAX_FRAME = const(4)  # the chip did not understand the command
DAMAGED = const(5)  # a frame with a wrong check sum

ACK = b"\x00\x00\xff\x00\xff\x00"
NACK = b"\x00\x00\xff\xff\x00\x00"

TO_CHIP = const(0xD4)
FROM_CHIP = const(0xD5)
_SYNTAX = const(0x7F)

BUFFER = const(64)  # bytes of a link; the longest answer asked for is a card with its ATS

_START = const(2)  # bytes of the start code, 00 FF
_SHORT = const(4)  # an ACK or NACK from its start code on: 00 FF 00 FF, 00 FF FF 00


def command(data: bytes) -> bytearray:
    """Build the frame of a command: its code and parameters."""
    length = 1 + len(data)
    frame = bytearray((0, 0, 0xFF, length, -length & 0xFF, TO_CHIP))
    frame.extend(data)
    frame.extend(b"\x00\x00")
    seal(frame)
    return frame


def seal(frame: bytearray) -> None:
    """Compute the check sum of a command's frame anew, after its data were changed."""
    total = 0
    for i in range(5, len(frame) - 2):
        total += frame[i]
    frame[len(frame) - 2] = -total & 0xFF


class Finder:
    """Finds one frame in a buffer.

    After ``look()``: ``end`` bytes are done with; of an ANSWER_FRAME, ``start`` is where the answer's code lies and
    ``length`` counts it and its data.
    """

    def __init__(self) -> None:
        self.start = 0
        self.length = 0
        self.end = 0

    def look(self, buf: bytearray, count: int, room: int) -> int:
        """Find the first frame in the first ``count`` bytes of ``buf``, which can take ``room`` bytes at most.

        Of NOTHING, ``end`` bytes cannot belong to any frame.
        """
        at = 0
        while at + _SHORT <= count:
            if buf[at] == 0 and buf[at + 1] == 0xFF:
                first = buf[at + 2]
                second = buf[at + 3]
                if first == 0 and second == 0xFF:
                    self.end = at + _SHORT
                    return ACK_FRAME
                if first == 0xFF and second == 0:
                    self.end = at + _SHORT
                    return NACK_FRAME
                if first and (first + second) & 0xFF == 0 and at + _SHORT + first < room:
                    return self._body(buf, count, at + _SHORT, first)
            at += 1
        self.end = at
        return NOTHING

    def _body(self, buf: bytearray, count: int, body: int, length: int) -> int:
        """Judge a frame whose length fits its check sum; ``body`` is where its TFI lies."""
        if body + length + 1 > count:
            self.end = body - _SHORT
            return NOTHING
        total = 0
        for i in range(body, body + length + 1):
            total += buf[i]
        self.start = body + 1
        self.length = length - 1
        self.end = body + length + 1
        if total & 0xFF:
            # Perhaps no frame at all: the next search begins behind what looked like its start code.
            self.end = body - _SHORT + _START
            return DAMAGED
        if buf[body] == _SYNTAX and length == 1:
            return SYNTAX_FRAME
        return ANSWER_FRAME if buf[body] == FROM_CHIP and length > 1 else DAMAGED
