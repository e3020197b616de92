"""Tags spoken to directly, request bytes in, answer out: the commands and states of ISO/IEC 15693."""

from __future__ import annotations

import pytest

from hwsim.chips.icode_slix2 import IcodeSlix2
from hwsim.rf.air import T1_CYCLES, AirFrame, crc_good, cycles_ns, with_crc
from tests.hwsim.iso15693_field import DONE, NAME, OTHER, REFUSED, UID, Field
from tests.hwsim.pn5180_bench import MS


@pytest.fixture
def tag() -> IcodeSlix2:
    return IcodeSlix2(UID, memory=bytes.fromhex("DEADBEEF 00010203"))


@pytest.fixture
def field(tag: IcodeSlix2) -> Field:
    return Field(tag)


# Worked frames of the fact sheet, request and answer with their CRC.


@pytest.mark.parametrize(
    ("request_frame", "answer"),
    [
        ("26 01 00 F6 0A", "00 00 3A 12 00 00 08 01 04 E0"),
        ("02 20 00", "00 DE AD BE EF"),
        ("42 20 00 31 56", "00 00 DE AD BE EF"),
        ("22 20 3A 12 00 00 08 01 04 E0 05 8D CD", "00 00 00 00 00"),
        ("22 23 3A 12 00 00 08 01 04 E0 00 03 C8 1D", "00 DE AD BE EF 00 01 02 03" + 8 * " 00"),
        ("22 25 3A 12 00 00 08 01 04 E0 E1 64", "00"),
        ("22 26 3A 12 00 00 08 01 04 E0 E6 B2", "00"),
        ("22 2B 3A 12 00 00 08 01 04 E0 34 BF", "00 0F 3A 12 00 00 08 01 04 E0 00 70 4F 03 01"),
        ("22 20 3A 12 00 00 08 01 04 E0 4F D3 20", "00 00 00 00 00"),
        ("22 BD 04 3A 12 00 00 08 01 04 E0 59 26", "00" + 32 * " 5A"),
        ("22 AB 04 3A 12 00 00 08 01 04 E0 D9 1C", "00 00 00 00 7F 35 00 00"),
        ("26 A0 04 00 00 01 B4 E3", "00 DE AD BE EF 00 01 02 03"),
    ],
)
def test_worked_frames(request_frame: str, answer: str) -> None:
    tag = IcodeSlix2(UID, afi=0x70, memory=bytes.fromhex("DEADBEEF 00010203"), signature=b"\x5a" * 32)
    field = Field(tag)
    frame = bytes.fromhex(request_frame)
    if not crc_good(frame):
        frame = with_crc(frame)
    assert field.raw(frame) == bytes.fromhex(answer)
    assert field.delay == cycles_ns(T1_CYCLES)


# Who listens.


def test_silence_to_what_cannot_be_decoded(field: Field) -> None:
    assert field.raw(bytes.fromhex("26 01 00 F6 0B")) is None
    assert field.raw(b"\x26\x01") is None
    assert field.ask("2E 01 00") is None  # protocol extension
    assert field.ask("A6 01 00") is None  # RFU flag
    assert field.ask("32 20 " + NAME + " 00") is None  # select and address


@pytest.mark.parametrize(
    ("own", "asked", "answers"),
    [
        (0x70, 0x00, True),
        (0x70, 0x70, True),
        (0x73, 0x70, True),
        (0x73, 0x73, True),
        (0x72, 0x73, False),
        (0x70, 0x73, False),
        (0x83, 0x73, False),
        (0x03, 0x03, True),
        (0x73, 0x03, False),
    ],
)
def test_afi(own: int, asked: int, answers: bool) -> None:
    field = Field(IcodeSlix2(UID, afi=own))
    assert (field.ask(f"36 01 {asked:02X} 00") is not None) is answers


@pytest.mark.parametrize(
    ("mask", "answers"),
    [
        ("04 0A", True),
        ("04 0B", False),
        ("05 1A", True),
        ("05 0A", False),
        ("40 " + NAME, True),
        ("40 " + OTHER.hex(" "), False),
        ("08", False),
        ("41 " + NAME + " 00", False),
        ("00 00", False),
    ],
)
def test_mask(field: Field, mask: str, answers: bool) -> None:
    assert (field.ask("26 01 " + mask) is not None) is answers


def test_sixteen_slots_mask_at_most_60_bits(field: Field) -> None:
    assert field.ask("06 01 3C " + NAME) is None
    answers = [field.eof(1 * MS) for _ in range(15)]
    assert [answer is not None for answer in answers] == [slot == 14 for slot in range(1, 16)]
    assert field.ask("06 01 40 " + NAME) is None
    assert [field.eof(1 * MS) for _ in range(15)] == [None] * 15


def test_states() -> None:
    first, second = IcodeSlix2(UID), IcodeSlix2(OTHER)
    field = Field(first, second)
    other = OTHER.hex(" ")
    assert field.ask("22 02 " + other) is None
    inventory = b"\0\0" + UID
    assert field.ask("26 01 00") == inventory
    assert field.ask("02 20 00") == b"\0" * 5
    assert field.ask("22 20 " + other + " 00") == b"\0" * 5
    assert field.ask("22 25 " + NAME) == DONE
    assert field.ask("12 20 00") == b"\0" * 5
    assert field.ask("26 01 00") == inventory
    # Select of another tag sends the selected one to Ready.
    assert field.ask("22 25 " + other) == DONE
    first.memory[0] = 1
    assert field.ask("12 20 00") == b"\0" * 5
    assert field.ask("22 02 " + NAME) is None
    assert field.ask("22 26 " + NAME) == DONE
    assert field.ask("22 02 " + other) is None
    field.cycle(1 * MS)
    assert (
        len(field.antenna.request(AirFrame(field.scheduler.now, field.scheduler.now, with_crc(b"\x26\x01\0")), True))
        == 2
    )


def test_quiet_tag_leaves_quiet_by_reset_or_select(field: Field) -> None:
    for way in ("26", "25"):
        assert field.ask("22 02 " + NAME) is None
        assert field.ask("26 01 00") is None
        assert field.ask("02 20 00") is None
        assert field.ask(f"22 {way} {NAME}") == DONE
        assert field.ask("26 01 00") is not None


def test_stay_quiet_must_be_addressed(field: Field) -> None:
    assert field.ask("02 02") is None
    assert field.ask("26 01 00") is not None


@pytest.mark.parametrize("request_frame", ["24 " + NAME, "20 " + NAME, "FF " + NAME, "A2 05 " + NAME, "2F " + NAME])
def test_unsupported_commands(field: Field, request_frame: str) -> None:
    code, rest = request_frame.split(" ", 1)
    expected = None if code == "A2" else REFUSED
    assert field.ask(f"22 {code} {rest}") == expected
    assert field.ask(f"02 {code}") is None


def test_option_flag_where_it_is_not_supported(field: Field) -> None:
    assert field.ask("62 2B " + NAME) == REFUSED
    assert field.ask("42 2B") is None


# Memory.


def test_write_and_its_timing(field: Field, tag: IcodeSlix2) -> None:
    assert field.raw(bytes.fromhex("22 21 3A 12 00 00 08 01 04 E0 05 DE AD BE EF 25 C8")) == DONE
    assert field.delay > cycles_ns(T1_CYCLES)
    assert field.delay < 20 * MS
    steps = (field.delay - cycles_ns(T1_CYCLES)) / cycles_ns(4096)
    assert abs(steps - round(steps)) <= 32 / 4096
    assert bytes(tag.memory[20:24]) == bytes.fromhex("DEADBEEF")


def test_trap_unaddressed_write_hits_every_tag_in_the_field() -> None:
    tags = IcodeSlix2(UID), IcodeSlix2(OTHER)
    field = Field(*tags)
    start = field.scheduler.now
    field.run(3 * MS)
    field.antenna.request(AirFrame(start, field.scheduler.now, with_crc(bytes.fromhex("02 21 00 01 02 03 04"))), True)
    assert [bytes(tag.memory[:4]) for tag in tags] == [b"\1\2\3\4"] * 2


def test_write_with_option_answers_after_an_eof(field: Field, tag: IcodeSlix2) -> None:
    assert field.ask("62 21 " + NAME + " 01 01 02 03 04") is None
    assert field.eof() == DONE
    assert field.delay == cycles_ns(T1_CYCLES)
    assert field.eof() is None
    assert bytes(tag.memory[4:8]) == bytes.fromhex("01020304")


def test_locked_block(field: Field, tag: IcodeSlix2) -> None:
    assert field.ask("22 22 " + NAME + " 00") == DONE
    assert field.ask("22 21 " + NAME + " 00 00 00 00 00") == REFUSED
    assert field.ask("02 21 00 00 00 00 00") is None
    assert field.ask("22 22 " + NAME + " 00") == REFUSED
    assert field.ask("42 20 00") == bytes.fromhex("00 01 DEADBEEF")
    assert field.ask("02 2C 00 01") == bytes.fromhex("00 01 00")
    assert field.ask("42 23 00 01") == bytes.fromhex("00 01 DEADBEEF 00 00010203")
    assert bytes(tag.memory[:4]) == bytes.fromhex("DEADBEEF")


def test_reading_past_the_end(field: Field) -> None:
    assert field.ask("02 23 4E 05") == DONE + bytes(8)
    assert field.ask("22 20 " + NAME + " 50") == REFUSED
    assert field.ask("02 23 50 00") is None


def test_afi_and_dsfid_can_be_written_and_locked(field: Field, tag: IcodeSlix2) -> None:
    assert field.ask("22 27 " + NAME + " 71") == DONE
    assert field.ask("22 29 " + NAME + " 05") == DONE
    assert field.ask("36 01 71 00") == b"\0\x05" + UID
    assert field.ask("22 28 " + NAME) == DONE
    assert field.ask("22 2A " + NAME) == DONE
    assert field.ask("22 27 " + NAME + " 00") == REFUSED
    assert field.ask("22 29 " + NAME + " 00") == REFUSED
    assert (tag.afi, tag.dsfid) == (0x71, 5)
