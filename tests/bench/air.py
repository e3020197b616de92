"""The air-time bound of a scan: what ISO 15693 itself needs for the chips that lie there, without an idle gap.

Entry points: :func:`antenna_us`, :func:`bound_us`, :func:`coupled_bound_us`; :func:`request_us`, :func:`answer_us`.
Microseconds; the figures are those of ISO/IEC 15693-2 and -3 at 26.48 kbit/s, 1 of 4.
"""

from __future__ import annotations

from collections.abc import Sequence

from hwsim.chips.pn5180_map import Pn5180Timing

SETTLING_US = 1000.0  # field on to the first request
EMPTY_US = 474.3  # a slot, or a request, that nobody answers: t1 and the SOF of an answer
T1_US = 320.9
ANSWER_US = T1_US + 3927.0 + 309.1  # t1, an answer of 12 bytes, t2
EOF_US = 37.76  # the next slot
FRAME_US = 113.27  # SOF and EOF of a request
BYTE_US = 302.06
INVENTORY_BYTES = 5  # flags, command, length of the mask, CRC


def request_us(count: int) -> float:
    """A request of ``count`` bytes with its CRC, SOF and EOF."""
    return FRAME_US + BYTE_US * count


def answer_us(count: int) -> float:
    """From the end of a request's EOF to the end of an answer of ``count`` bytes with its CRC."""
    return T1_US + BYTE_US * (count + 1)


def _field_us() -> float:
    timing = Pn5180Timing()
    return (timing.rf_on + timing.rf_off) / 1000


def _tree_us(length: int, uids: Sequence[int]) -> float:
    """16 slots at a mask of ``length`` bits, and what lies below its collisions."""
    total = FRAME_US + BYTE_US * (INVENTORY_BYTES + (length + 7) // 8) + 15 * EOF_US
    for slot in range(16):
        here = [uid for uid in uids if uid >> length & 15 == slot]
        total += ANSWER_US if here else EMPTY_US
        if len(here) > 1:
            total += _tree_us(length + 4, here)
    return total


def antenna_us(uids: Sequence[int]) -> float:
    """One antenna with these chips: one request without slots when it is empty, else the 16-slot tree."""
    air = _tree_us(0, uids) if uids else FRAME_US + BYTE_US * INVENTORY_BYTES + EMPTY_US
    return SETTLING_US + air + _field_us()


def bound_us(antennas: Sequence[Sequence[int]]) -> float:
    """One reader's scan over its antennas; UIDs as numbers."""
    return sum(antenna_us(uids) for uids in antennas)


def coupled_bound_us(readers: Sequence[Sequence[Sequence[int]]], seats: Sequence[Sequence[int]]) -> float:
    """The same for a whole table whose neighbouring seats couple; ``seats`` names the seat of each antenna.

    What must not be on together comes one after the other: a reader's own antennas, and those of one reader at a seat
    with those of another reader at the next seat. The longest of these is a bound; the shortest schedule may be longer.
    """
    longest = max(bound_us(antennas) for antennas in readers)
    at_seat = [
        {seat: bound_us([uids for uids, here in zip(antennas, own, strict=True) if here == seat]) for seat in set(own)}
        for antennas, own in zip(readers, seats, strict=True)
    ]
    for number, mine in enumerate(at_seat):
        for other in at_seat[:number] + at_seat[number + 1 :]:
            for seat, us in mine.items():
                longest = max(longest, us + other.get(seat + 1, 0.0))
    return longest
