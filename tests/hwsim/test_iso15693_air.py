"""CRC, air times and collisions of ISO/IEC 15693 against the worked figures of the fact sheet."""

from __future__ import annotations

import pytest

from hwsim.chips.iso15693_tag import Iso15693Tag
from hwsim.rf.air import (
    BIT_FAST_HIGH,
    BIT_HIGH,
    BIT_LOW,
    T1_CYCLES,
    T2_CYCLES,
    Answer,
    answer_cycles,
    crc16,
    crc_good,
    cycles_ns,
    request_cycles,
    with_crc,
)
from hwsim.rf.reception import Reception, superpose

FRAMES = """
26 01 00 F6 0A
06 01 00 CD 09
06 01 04 0A A2 25
06 01 08 5A 87 DE
06 01 0C 5A 03 EB 51
36 01 70 00 AE 51
16 01 70 00 FD DE
00 00 3A 12 00 00 08 01 04 E0 3B 15
02 20 05 EA 07
22 20 3A 12 00 00 08 01 04 E0 05 8D CD
12 20 00 D2 D5
42 20 00 31 56
00 DE AD BE EF 62 D6
00 00 DE AD BE EF 9A EE
22 23 3A 12 00 00 08 01 04 E0 00 03 C8 1D
22 21 3A 12 00 00 08 01 04 E0 05 DE AD BE EF 25 C8
22 02 3A 12 00 00 08 01 04 E0 3A 7A
22 25 3A 12 00 00 08 01 04 E0 E1 64
22 26 3A 12 00 00 08 01 04 E0 E6 B2
22 2B 3A 12 00 00 08 01 04 E0 34 BF
00 0F 3A 12 00 00 08 01 04 E0 00 70 4F 03 01 4D 43
00 78 F0
01 0F 68 EE
01 10 1E 06
00 00 07 77 00 00 08 01 04 E0 48 16
00 00 0A 45 00 00 08 01 04 E0 64 4D
02 B2 04 8E 3C
22 B2 04 3A 12 00 00 08 01 04 E0 85 8B
00 34 12 9D 24
22 B3 04 3A 12 00 00 08 01 04 E0 04 3B 1D 3B 1D 54 84
22 BD 04 3A 12 00 00 08 01 04 E0 59 26
22 AB 04 3A 12 00 00 08 01 04 E0 D9 1C
22 20 3A 12 00 00 08 01 04 E0 4F D3 20
22 21 3A 12 00 00 08 01 04 E0 4F 01 00 00 00 01 40
26 A0 04 00 00 01 B4 E3
06 A0 04 00 00 01 D4 66
"""


@pytest.mark.parametrize("frame", FRAMES.strip().splitlines())
def test_crc_of_worked_frames(frame: str) -> None:
    data = bytes.fromhex(frame)
    assert with_crc(data[:-2]) == data
    assert crc_good(data)
    for bit in range(8 * len(data)):
        damaged = bytearray(data)
        damaged[bit >> 3] ^= 1 << (bit & 7)
        assert not crc_good(bytes(damaged))


def test_crc_check_value() -> None:
    assert crc16(b"123456789") == 0x906E


def test_air_times() -> None:
    def us(cycles: int) -> int:
        return round(cycles_ns(cycles) / 1000)

    assert [us(request_cycles(n)) for n in (5, 13, 14)] == [1624, 4040, 4342]
    assert [us(answer_cycles(12, bit)) for bit in (BIT_HIGH, BIT_LOW, BIT_FAST_HIGH)] == [3927, 15707, 1963]
    exchange = request_cycles(5) + T1_CYCLES + answer_cycles(12)
    assert us(exchange) == 5871
    assert us(exchange + T2_CYCLES) == 6181
    assert us(request_cycles(14) + T1_CYCLES + answer_cycles(3 + 4 * 79)) == 101324


def answer(data: str) -> Answer:
    return Answer(Iso15693Tag(bytes(7) + b"\xe0"), bytes.fromhex(data), 0, BIT_HIGH)


def test_equal_answers_do_not_collide() -> None:
    assert superpose([answer("A5 01"), answer("A5 01"), answer("A5 01")]) == (0x01A5, 16, None)


def test_collision_is_the_first_differing_bit_of_any_pair() -> None:
    assert superpose([answer("00 30"), answer("00 20"), answer("00 21")]) == (0x3100, 16, 8)


def test_shorter_answer_collides_where_it_ends() -> None:
    assert superpose([answer("00 55"), answer("00")]) == (0x5500, 16, 8)


def test_tag_that_left_stops_adding_bits() -> None:
    leaving = answer("00 FF 00")
    leaving.cut(cycles_ns((4 + 8) * BIT_HIGH) + 10)
    assert (leaving.bits, leaving.complete) == (8, False)
    assert superpose([leaving, answer("00 0F 00")]) == (0x0F00, 24, None)


def test_cut_before_the_sof_is_over_leaves_nothing() -> None:
    leaving = answer("00 FF")
    reception = Reception([leaving], BIT_HIGH)
    reception.cut(leaving, cycles_ns(3 * BIT_HIGH))
    assert reception.answers == []


def test_answers_of_another_rate_disturb() -> None:
    other = Answer(Iso15693Tag(bytes(7) + b"\xe0"), b"\0\0\0", 0, BIT_LOW)
    assert Reception([answer("00 01"), other], BIT_HIGH).disturbed
    assert not Reception([other], BIT_HIGH).locked
