"""Frames of the host link: COBS, a CRC-32 and a cap on the length.

Entry points: :func:`encode` (payload to bytes on the wire), :class:`Deframer` (bytes from the wire to payloads).

A frame is ``COBS(payload + crc32)`` followed by one zero byte; zero is never part of a frame, so a receiver that has
lost its place finds the next frame at the next zero. Both ends drop what is too long, damaged or empty, and count it.
"""

import binascii
import struct

MAX_PAYLOAD = 240
_CRC = 4
MAX_DECODED = MAX_PAYLOAD + _CRC
# One COBS block more than every 254 bytes, and the closing zero. It fits the 256 bytes of the USB FIFO, so a frame
# that is written when the one before has been acknowledged never waits.
MAX_ENCODED = MAX_DECODED + 2


def encode(payload: "bytes | bytearray") -> bytes:
    """A payload of 1 to ``MAX_PAYLOAD`` bytes as a frame; ValueError outside."""
    if not 1 <= len(payload) <= MAX_PAYLOAD:
        raise ValueError("a payload has 1 to %d bytes, not %d" % (MAX_PAYLOAD, len(payload)))
    data = bytes(payload) + struct.pack("<I", binascii.crc32(payload) & 0xFFFFFFFF)
    out = bytearray(len(data) + 2)
    code_at = 0
    at = 1
    run = 1
    for byte in data:
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
    return bytes(out)


def _decode(data: "bytearray", length: int) -> bytes:
    """Undo COBS and check the CRC of ``data[:length]``; an empty result means a damaged frame."""
    out = bytearray()
    at = 0
    while at < length:
        run = data[at]
        end = at + run
        if run == 0 or end > length:
            return b""
        out += data[at + 1 : end]
        at = end
        if run < 255 and at < length:
            out.append(0)
    if len(out) <= _CRC:
        return b""
    payload = bytes(out[:-_CRC])
    if struct.unpack("<I", out[-_CRC:])[0] != binascii.crc32(payload) & 0xFFFFFFFF:
        return b""
    return payload


class Deframer:
    """Collects bytes into payloads with one buffer of a fixed size. ``dropped`` counts the frames thrown away."""

    def __init__(self) -> None:
        self._buffer = bytearray(MAX_ENCODED)
        self._length = 0
        self._overflow = False
        self.dropped = 0

    def push(self, byte: int) -> bytes:
        """Take one byte; returns a payload when it completed a good frame, else ``b""``."""
        if byte:
            if self._length < MAX_ENCODED - 1:
                self._buffer[self._length] = byte
                self._length += 1
            else:
                self._overflow = True
            return b""
        payload = b""
        if self._length and not self._overflow:
            payload = _decode(self._buffer, self._length)
        if self._overflow or (self._length and not payload):
            self.dropped += 1
        self._length = 0
        self._overflow = False
        return payload
