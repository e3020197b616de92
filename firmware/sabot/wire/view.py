"""The view that a monitor draws: its layout, for both ends, and the writing of its parts.

Entry points: the constants, and `head`, `text`, `table`, `seat`, `spot`, `issue`, which write one part each. In its
order a view is: the head; texts (what the controller refuses to play for, or none; then faults; then the lines of the
dealer's display); and, when there is a table: the table, its seats, its spots, its open irregularities.
"""

import struct

HEAD = "<BIBBB"  # flags, the journal's newest sequence, and how many texts follow of each: 0 or 1, faults, lines
HEAD_SIZE = 8
READY = 1
FULL = 2  # the journal takes no other round
HAS_TABLE = 4
MAX_TEXT = 64  # bytes of a text, behind its length byte
MAX_FAULTS = 8  # told

# State, flags, round u32, the bar's lamp, seat that is paid, its page and their number, then how many seats, spots and
# irregularities follow. States are indices in `states`, lamps the numbers of `codes.LAMP_*`.
TABLE = "<BBIBBBBBBB"
TABLE_SIZE = 13
GATE = 1  # it is open
CONFIRMED = 2  # the bets are
SEAT = "<BB"  # number, state
SEAT_SIZE = 2
HELD = 128  # beside a seat's state: it waits for a ruling
SPOT = "<BBBBII"  # place, state, lamp, chips there (at most 255), cents there, cents locked
SPOT_SIZE = 12
ISSUE = "<HBBB"  # number, kind, severity, place or 0
ISSUE_SIZE = 5


def head(out: bytearray, flags: int, last: int, refusals: int, faults: int, lines: int) -> None:
    """Begin a view."""
    out.extend(struct.pack(HEAD, flags, last, refusals, faults, lines))


def text(out: bytearray, words: str) -> None:
    """Add a text, as much of it as may be told."""
    data = words.encode()[:MAX_TEXT]
    out.append(len(data))
    out.extend(data)


def table(
    out: bytearray,
    state: int,
    flags: int,
    number: int,
    bar: int,
    paying: "tuple[int, int, int]",
    counts: "tuple[int, int, int]",
) -> int:
    """Write the table's part at the beginning of a buffer; where it ends."""
    struct.pack_into(TABLE, out, 0, state, flags, number, bar, *(paying + counts))
    return TABLE_SIZE


def seat(out: bytearray, at: int, number: int, state: int) -> int:
    """Write a seat; where it ends."""
    struct.pack_into(SEAT, out, at, number, state)
    return at + SEAT_SIZE


def spot(out: bytearray, at: int, place: int, state: int, lamp: int, chips: int, seen: int, locked: int) -> int:
    """Write a spot; where it ends."""
    struct.pack_into(SPOT, out, at, place, state, lamp, chips, seen, locked)
    return at + SPOT_SIZE


def issue(out: bytearray, at: int, number: int, kind: int, severity: int, place: int) -> int:
    """Write an open irregularity; where it ends."""
    struct.pack_into(ISSUE, out, at, number, kind, severity, place)
    return at + ISSUE_SIZE
