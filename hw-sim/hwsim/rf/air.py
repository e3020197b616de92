"""ISO/IEC 15693 on the air: carrier cycles, frame durations, CRC, and the frames that cross the field.

Entry points: :func:`cycles_ns`, :func:`request_cycles`, :func:`answer_cycles`, :func:`crc16`, :func:`with_crc`,
:func:`crc_good`, :func:`flipped` (noise), :class:`AirFrame` (a reader's transmission), :class:`Answer` (a tag's).

Times are counted in cycles of the 13.56 MHz carrier and turned into whole nanoseconds once, at the end, so that no
rounding accumulates. Frames are bytes in air order (LSB of each byte first), CRC included.
"""

from __future__ import annotations

from binascii import crc_hqx
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hwsim.rf.antenna import Tag

# Reader to tag, 1-of-4 coding (ISO/IEC 15693-2): SOF, EOF, and one byte.
REQUEST_SOF_CYCLES = 1024
REQUEST_EOF_CYCLES = 512
REQUEST_BYTE_CYCLES = 4096
REQUEST_BIT_CYCLES = 512

# Tag to reader: cycles of one bit. SOF and EOF last four bits each, at every rate.
BIT_HIGH = 512
BIT_LOW = 2048
BIT_HIGH_TWO_SUBCARRIERS = 508
BIT_LOW_TWO_SUBCARRIERS = 2032
BIT_FAST_HIGH = 256
BIT_FAST_LOW = 1024
DELIMITER_BITS = 4

# The answer's SOF opens with silence before its first 24 subcarrier pulses: 3/8 of the delimiter.
SOF_SILENCE_BITS_X2 = 3

T1_CYCLES = 4352  # nominal tag answer delay after the rising edge of the EOF
T1_MAX_CYCLES = 4384
T2_CYCLES = 4192  # reader's wait after an answer; a tag is deaf for as long after the EOF of a request (unverified)
PROGRAM_STEP_CYCLES = 4096  # grid of write-type answers
FIELD_SETTLE_NS = 1_000_000  # field on -> first request

_REVERSED = bytes(int(f"{value:08b}"[::-1], 2) for value in range(256))
_GOOD_REGISTER = 0x1D0F  # residue F0B8 seen by an MSB-first register


def cycles_ns(cycles: int) -> int:
    """Carrier cycles as nanoseconds, rounded to the nearest (1 cycle = 25000/339 ns)."""
    return (cycles * 25_000 + 169) // 339


def request_cycles(length: int) -> int:
    """Duration of a request of ``length`` bytes, SOF to EOF, in cycles."""
    return REQUEST_SOF_CYCLES + REQUEST_EOF_CYCLES + REQUEST_BYTE_CYCLES * length


def answer_cycles(length: int, bit_cycles: int = BIT_HIGH) -> int:
    """Duration of an answer of ``length`` bytes, SOF to EOF, in cycles."""
    return bit_cycles * (2 * DELIMITER_BITS + 8 * length)


def crc_register(data: bytes, preset: int = 0xFFFF) -> int:
    """Shift ``data`` through the reflected CCITT register that starts at ``preset``; not inverted."""
    # The C routine shifts MSB first: the bits of its input, preset and result are mirrored here.
    start = _REVERSED[preset & 0xFF] << 8 | _REVERSED[preset >> 8]
    register = crc_hqx(data.translate(_REVERSED), start)
    return _REVERSED[register & 0xFF] << 8 | _REVERSED[register >> 8]


def crc16(data: bytes) -> int:
    """CRC of ISO/IEC 15693-3 (X-25): preset FFFF, result inverted."""
    return crc_register(data) ^ 0xFFFF


def with_crc(data: bytes) -> bytes:
    """``data`` followed by its CRC, low byte first."""
    return data + crc16(data).to_bytes(2, "little")


def crc_good(frame: bytes) -> bool:
    """Whether ``frame`` ends with the CRC of what precedes it."""
    return crc_hqx(frame.translate(_REVERSED), 0xFFFF) == _GOOD_REGISTER


def flipped(data: bytes, bit: int) -> bytes:
    """Bytes of a frame with one bit turned over: ``bit`` counts from the first byte's least significant one."""
    turned = bytearray(data)
    turned[bit // 8] ^= 1 << bit % 8
    return bytes(turned)


class AirFrame:
    """A reader's request as a tag hears it: ``frame`` (CRC included) on air from ``start`` to ``end`` (ns)."""

    __slots__ = ("_crc_ok", "end", "frame", "start")

    def __init__(self, start: int, end: int, frame: bytes) -> None:
        self.start = start
        self.end = end
        self.frame = frame
        self._crc_ok: bool | None = None

    @property
    def crc_ok(self) -> bool:
        """Whether the frame is long enough to be one and its CRC holds; computed once for all tags."""
        if self._crc_ok is None:
            self._crc_ok = len(self.frame) >= 4 and crc_good(self.frame)
        return self._crc_ok


class Answer:
    """A tag's answer on the air.

    ``frame`` is what arrives (CRC included), ``start`` and ``end`` its SOF's beginning and EOF's end in ns,
    ``bits`` how many of its bits have a transmitter behind them (all of them, unless the tag leaves half-way), and
    ``complete`` is False once it has left.
    """

    __slots__ = ("bit_cycles", "bits", "complete", "end", "frame", "start", "tag")

    def __init__(self, tag: Tag, frame: bytes, start: int, bit_cycles: int) -> None:
        self.tag = tag
        self.frame = frame
        self.start = start
        self.bit_cycles = bit_cycles
        self.end = start + cycles_ns(answer_cycles(len(frame), bit_cycles))
        self.bits = 8 * len(frame)
        self.complete = True

    def cut(self, now: int) -> None:
        """The tag is gone at ``now``: keep the bits that were sent whole before (0 when the SOF was not over)."""
        bit_ns = cycles_ns(self.bit_cycles)
        sent = (now - self.start) // bit_ns - DELIMITER_BITS
        self.bits = max(0, min(self.bits, sent))
        self.complete = False
