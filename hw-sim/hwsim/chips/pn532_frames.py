"""Frames between a host and a PN532: building what the chip sends, finding what the host sends in a stream of bytes.

Entry points: :func:`build`, :data:`ACK_FRAME`, :data:`NACK_FRAME`, :data:`ERROR_FRAME`, :class:`FrameParser`, and
:func:`shifted`, what a receiver that is some bits late makes of a frame.
"""

from __future__ import annotations

from typing import Final, NamedTuple

HOST_TO_CHIP, CHIP_TO_HOST = 0xD4, 0xD5
ACK_FRAME: Final = bytes.fromhex("0000FF00FF00")
NACK_FRAME: Final = bytes.fromhex("0000FFFF0000")
ERROR_FRAME: Final = bytes.fromhex("0000FF01FF7F8100")
MAX_DATA: Final = 264  # bytes behind the TFI

COMMAND, ACK, NACK, DAMAGED = "command", "ack", "nack", "damaged"


def build(data: bytes) -> bytes:
    """An information frame of the chip with ``data`` (answer code first); extended when it must be."""
    body = bytes([CHIP_TO_HOST]) + data
    if len(body) > 255:
        size = len(body).to_bytes(2, "big")
        head = b"\xff\xff" + size + bytes([-sum(size) & 0xFF])
    else:
        head = bytes([len(body), -len(body) & 0xFF])
    return b"\x00\x00\xff" + head + body + bytes([-sum(body) & 0xFF, 0x00])


def shifted(frame: bytes, bits: int) -> bytes:
    """The frame as a receiver sees it that samples ``bits`` late: every bit moved, ones coming in behind."""
    wide = int.from_bytes(frame, "big") << bits | (1 << bits) - 1
    return (wide & (1 << 8 * len(frame)) - 1).to_bytes(len(frame), "big")


class Frame(NamedTuple):
    """What was found: its kind, and for a command the bytes behind the TFI; for a damaged one why."""

    kind: str
    data: bytes = b""
    reason: str = ""


class FrameParser:
    """Finds frames in bytes: hunts for 00 FF, then decides by the two bytes behind it."""

    def __init__(self) -> None:
        self.reset()

    @property
    def idle(self) -> bool:
        """Whether it is still hunting for a start code."""
        return not self._started

    def reset(self) -> None:
        """Forget what has come of a frame."""
        self._last = 0xFF
        self._started = False
        self._bytes = bytearray()

    def feed(self, byte: int) -> Frame | None:
        """Take a byte; returns the frame that it completes."""
        if not self._started:
            self._started = (self._last, byte) == (0x00, 0xFF)
            self._last = byte
            return None
        self._bytes.append(byte)
        frame = self._judge(self._bytes)
        if frame is not None:
            self.reset()
        return frame

    def _judge(self, got: bytearray) -> Frame | None:
        if len(got) < 2:
            return None
        pair = bytes(got[:2])
        if pair == b"\x00\xff":
            return Frame(ACK)
        if pair == b"\xff\x00":
            return Frame(NACK)
        head, size = 2, got[0]
        if pair == b"\xff\xff":
            head = 5
            if len(got) < head:
                return None
            size = got[2] << 8 | got[3]
            if sum(got[2:5]) & 0xFF or not 1 <= size <= 1 + MAX_DATA:
                return Frame(DAMAGED, reason="length checksum of an extended frame")
        elif sum(pair) & 0xFF:
            return Frame(DAMAGED, reason="length checksum")
        elif not size:
            return Frame(DAMAGED, reason="length 0")  # its check sum fits: zeros behind a start code
        if len(got) < head + size + 1:
            return None
        body = got[head : head + size]
        if (sum(body) + got[head + size]) & 0xFF:
            return Frame(DAMAGED, reason="data checksum")
        if body[0] != HOST_TO_CHIP:
            return Frame(DAMAGED, reason=f"TFI {body[0]:02X}")
        return Frame(COMMAND, bytes(body[1:]))
