"""Frames of the host link: COBS, a CRC-32 and a cap on the length.

Entry points: :func:`encode_into` (payload to bytes on the wire, in buffers that are used again), :func:`encode` (the
same into new bytes), :class:`Deframer` (bytes from the wire to payloads).

A frame is ``COBS(payload + crc32)`` followed by one zero byte, and zero is never part of a frame: a receiver that has
lost its place finds the next frame at the next zero. The CRC is that of IEEE 802.3, little endian. Both ends drop what
is too long, damaged or empty, and count it.
"""

import binascii
import struct

MAX_PAYLOAD = 240
CRC_SIZE = 4
MAX_DECODED = MAX_PAYLOAD + CRC_SIZE
# COBS adds one byte to data shorter than 254 bytes, and the zero closes the frame. A whole frame fits the 256 bytes of
# the USB FIFO with 10 to spare, which services/link_port.py needs.
MAX_ENCODED = MAX_DECODED + 2


def encode_into(data: bytearray, length: int, out: bytearray, at: int) -> int:
    """Write the payload ``data[:length]`` as a frame into ``out`` from ``at`` on; returns the place after its zero.

    ``data`` has room for the CRC behind the payload, ``out`` for ``MAX_ENCODED`` bytes. ValueError unless the payload
    has 1 to ``MAX_PAYLOAD`` bytes.
    """
    if not 1 <= length <= MAX_PAYLOAD:
        raise ValueError("a payload has 1 to %d bytes, not %d" % (MAX_PAYLOAD, length))
    struct.pack_into("<I", data, length, binascii.crc32(memoryview(data)[:length]) & 0xFFFFFFFF)
    code_at = at
    at += 1
    run = 1
    for index in range(length + CRC_SIZE):
        byte = data[index]
        if byte == 0:
            out[code_at] = run
            code_at = at
            run = 1
        else:
            out[at] = byte
            run += 1
        at += 1
    out[code_at] = run
    out[at] = 0
    return at + 1


def encode(payload: "bytes | bytearray") -> bytes:
    """A payload of 1 to ``MAX_PAYLOAD`` bytes as a frame; ValueError outside."""
    data = bytearray(payload) + bytearray(CRC_SIZE)
    out = bytearray(len(payload) + CRC_SIZE + 2)
    encode_into(data, len(payload), out, 0)
    return bytes(out)


class Deframer:
    """Collects bytes into payloads in one buffer of a fixed size. ``dropped`` counts the frames thrown away.

    ``buffer`` holds the payload that :meth:`push` announced, until the next call.
    """

    def __init__(self) -> None:
        self.buffer = bytearray(MAX_ENCODED - 1)
        self.dropped = 0
        self._length = 0
        self._overflow = False

    def push(self, byte: int) -> int:
        """Take one byte; returns the length of the payload that it completed, or 0."""
        if byte:
            if self._length < MAX_ENCODED - 1:
                self.buffer[self._length] = byte
                self._length += 1
            else:
                self._overflow = True
            return 0
        length = 0
        if self._length and not self._overflow:
            length = self._decode(self._length)
        if self._overflow or (self._length and not length):
            self.dropped = (self.dropped + 1) & 0x3FFFFFFF
        self._length = 0
        self._overflow = False
        return length

    def _decode(self, encoded: int) -> int:
        """Undo COBS in place, where nothing is overwritten unread, and check the CRC; 0 for a damaged frame.

        The buffer is too short for a block of 254 bytes, so that every block but the last stands for a zero too.
        """
        data = self.buffer
        length = 0
        at = 0
        while at < encoded:
            end = at + data[at]
            if end > encoded:
                return 0
            for index in range(at + 1, end):
                data[length] = data[index]
                length += 1
            at = end
            if at < encoded:
                data[length] = 0
                length += 1
        length -= CRC_SIZE
        if length <= 0:
            return 0
        crc = binascii.crc32(memoryview(data)[:length]) & 0xFFFFFFFF
        return length if struct.unpack_from("<I", data, length)[0] == crc else 0
