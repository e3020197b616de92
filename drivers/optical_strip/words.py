"""The codewords of the optical strip. Entry points: :func:`word_of`, :func:`code_of`, the constants.

A word has 23 bits, one for each gap between two bars from the leading edge on, highest bit first: 0 is a narrow gap, 1
a wide one. Its number is the card's code: rank * 4 + suit (rank 0 is the two, 12 the ace; suits c d h s), 52 the cut
card. What the words have in common is in docs/optical-strip.md, and tested.
"""

try:
    from micropython import const
except ImportError:

    def const(value: int) -> int:
        """Stand in for MicroPython's compile-time constant."""
        return value


CARDS = const(53)
CUT = const(52)
BARS = const(24)
GAPS = const(23)

_BYTES = const(3)  # of a word in the table, highest first
_TABLE = (
    b"\x03\xbe\xb6\x07\x53\xfa\x09\x77\x5d\x0e\x78\xfc"
    b"\x0f\xdf\x81\x13\xe5\xce\x1c\xd6\x79\x1d\x46\xb7"
    b"\x1f\xe8\x1d\x24\xfb\xa3\x26\xd5\x5e\x28\xff\xc4"
    b"\x2a\x4d\xf5\x2d\x39\x67\x31\x67\xf8\x33\xd8\xad"
    b"\x35\xad\x4b\x37\x8b\xa6\x39\xc4\xdb\x39\xf4\x74"
    b"\x3a\xc3\xf2\x3b\x1e\x87\x3b\xab\x58\x3c\x95\xa7"
    b"\x3d\xf3\x90\x3f\xb6\x09\x40\xce\xfe\x42\xe3\xbb"
    b"\x47\xad\x8d\x4d\x6f\x34\x51\x9f\x1b\x56\x2e\x7a"
    b"\x57\xb4\x3c\x59\x07\xeb\x5b\xb9\x86\x5e\x39\xc9"
    b"\x5e\x51\xb5\x5e\xbc\x23\x5f\x09\x3e\x5f\x80\xd7"
    b"\x60\xf5\xcb\x63\x64\x7b\x63\xfa\x52\x65\x39\xba"
    b"\x67\x1b\x59\x67\xf1\x07\x69\x4b\xad\x6d\xc3\x4b"
    b"\x6e\x65\x1d\x6f\xcc\xc4\x72\x6b\x6c\x75\x5f\x05"
    b"\x77\x65\xc1"
)


def word_of(code: int) -> int:
    """The word of a card, 0 to 52. ValueError for any other code."""
    if not 0 <= code < CARDS:
        raise ValueError("a card's code is 0 to 52")
    at = code * _BYTES
    return _TABLE[at] << 16 | _TABLE[at + 1] << 8 | _TABLE[at + 2]


def code_of(word: int) -> int:
    """The card of a word, or -1 when it is no codeword. Allocates nothing."""
    for code in range(CARDS):
        if word_of(code) == word:
            return code
    return -1
