"""What the ICODE SLIX2 adds to ISO/IEC 15693: passwords, privacy, counter, EAS, inventory read, persistent quiet."""

from __future__ import annotations

import pytest

from hwsim.chips.icode_slix2 import COUNTER_BLOCK, EAS_SEQUENCE, IcodeSlix2
from hwsim.rf.air import BIT_FAST_HIGH
from tests.hwsim.iso15693_field import DONE, NAME, REFUSED, UID, Field
from tests.hwsim.pn5180_bench import MS


@pytest.fixture
def tag() -> IcodeSlix2:
    return IcodeSlix2(UID, memory=bytes.fromhex("DEADBEEF 00010203"))


@pytest.fixture
def field(tag: IcodeSlix2) -> Field:
    return Field(tag)


# Passwords, privacy, protection, counter.


def cover(field: Field, password: str) -> str:
    answer = field.ask("22 B2 04 " + NAME)
    assert answer is not None
    return bytes(byte ^ answer[1 + (i & 1)] for i, byte in enumerate(bytes.fromhex(password))).hex(" ")


def login(field: Field, identifier: int, password: str = "00000000") -> bytes | None:
    return field.ask(f"22 B3 04 {NAME} {identifier:02X} {cover(field, password)}")


def test_worked_password_frame(field: Field, tag: IcodeSlix2) -> None:
    tag.privacy = True
    assert field.raw(bytes.fromhex("02 B2 04 8E 3C")) is not None
    tag._random = b"\x34\x12"
    assert field.raw(bytes.fromhex("22 B3 04 3A 12 00 00 08 01 04 E0 04 3B 1D 3B 1D 54 84")) == DONE
    assert not tag.privacy


def test_wrong_password_mutes_until_field_off(field: Field) -> None:
    assert login(field, 1, "00000001") == REFUSED
    assert field.ask("26 01 00") is None
    assert field.ask("22 20 " + NAME + " 00") is None
    field.cycle(1 * MS)
    assert field.ask("26 01 00") is not None


def test_password_without_a_random_number(field: Field) -> None:
    assert field.ask("22 B3 04 " + NAME + " 01 00 00 00 00") == REFUSED
    assert field.ask("26 01 00") is not None


def test_password_is_written_and_locked(field: Field, tag: IcodeSlix2) -> None:
    assert field.ask("22 B4 04 " + NAME + " 01 11 22 33 44") == REFUSED
    assert login(field, 1) == DONE
    assert field.ask("22 B4 04 " + NAME + " 01 11 22 33 44") == DONE
    assert field.ask("22 B5 04 " + NAME + " 01") == DONE
    assert field.ask("22 B4 04 " + NAME + " 01 00 00 00 00") == REFUSED
    assert tag.passwords[1] == bytes.fromhex("11223344")
    field.cycle(1 * MS)
    assert login(field, 1, "11223344") == DONE


def test_privacy(field: Field) -> None:
    covered = cover(field, "0F0F0F0F")
    assert field.ask(f"22 BA 04 {NAME} {covered}") == DONE
    assert field.ask("26 01 00") is None
    assert field.ask("22 20 " + NAME + " 00") is None
    assert login(field, 4, "0F0F0F0F") == DONE
    assert field.ask("26 01 00") is not None


def test_destroy_is_for_ever(field: Field) -> None:
    covered = cover(field, "0F0F0F0F")
    assert field.ask(f"22 B9 04 {NAME} {covered}") == DONE
    field.cycle(10_000 * MS)
    assert field.ask("26 01 00") is None
    assert field.ask("02 B2 04") is None


@pytest.mark.parametrize(
    ("conditions", "both", "reads_with", "writes_with"),
    [
        (0x00, False, (), ()),
        (0x10, False, (1,), (1,)),
        (0x20, False, (), (2,)),
        (0x30, False, (1,), (1, 2)),
        (0x10, True, (1, 2), (1, 2)),
        (0x20, True, (), (1, 2)),
        (0x30, True, (1, 2), (1, 2)),
        (0x03, False, (), ()),  # the low page only
    ],
)
@pytest.mark.parametrize("known", [(), (1,), (2,), (1, 2)])
def test_page_protection(
    field: Field,
    tag: IcodeSlix2,
    conditions: int,
    both: bool,
    reads_with: tuple[int, ...],
    writes_with: tuple[int, ...],
    known: tuple[int, ...],
) -> None:
    assert login(field, 1) == DONE
    assert login(field, 2) == DONE
    assert field.ask(f"22 B6 04 {NAME} 08 {conditions:02X}") == DONE
    if both:
        assert field.ask("22 BB 04 " + NAME) == DONE
    field.cycle(1 * MS)
    for identifier in known:
        assert login(field, identifier) == DONE
    may_read = set(known) >= set(reads_with)
    may_write = set(known) >= set(writes_with)
    assert field.ask("22 20 " + NAME + " 08") == (DONE + bytes(4) if may_read else REFUSED)
    assert field.ask("22 21 " + NAME + " 08 01 01 01 01") == (DONE if may_write else REFUSED)
    assert bytes(tag.memory[32:36]) == (b"\1\1\1\1" if may_write else bytes(4))


def test_page_protection_needs_both_passwords_and_can_be_locked(field: Field) -> None:
    assert login(field, 1) == DONE
    assert field.ask("22 B6 04 " + NAME + " 08 10") == REFUSED
    assert login(field, 2) == DONE
    assert field.ask("22 B6 04 " + NAME + " 08 10") == DONE
    assert field.ask("22 B7 04 " + NAME + " 09") == REFUSED
    assert field.ask("22 B7 04 " + NAME + " 08") == DONE
    assert field.ask("22 B6 04 " + NAME + " 00 00") == REFUSED
    assert field.ask("22 AB 04 " + NAME) == bytes.fromhex("00 08 10 08 7F350000")


def test_counter(field: Field, tag: IcodeSlix2) -> None:
    increment = bytes.fromhex("22 21 3A 12 00 00 08 01 04 E0 4F 01 00 00 00 01 40")
    assert field.raw(increment) == DONE
    assert field.raw(increment) == DONE
    assert field.ask("02 20 4F") == bytes.fromhex("00 02 00 00 00")
    assert field.ask("22 21 " + NAME + " 4F FF FF 00 01") == REFUSED
    assert login(field, 2) == DONE
    assert field.ask("22 21 " + NAME + " 4F FF FF 00 01") == DONE
    assert field.raw(increment) == REFUSED
    assert login(field, 1) == DONE
    assert field.raw(increment) == REFUSED
    tag.counter_wraps = True
    assert field.raw(increment) == DONE
    assert field.ask("02 20 4F") == bytes.fromhex("00 00 00 00 01")
    assert field.ask(f"22 22 {NAME} {COUNTER_BLOCK:02X}") == REFUSED


# EAS.


def test_eas(field: Field) -> None:
    assert field.ask("02 A5 04") is None
    assert field.ask("22 A2 04 " + NAME) == DONE
    assert field.ask("02 A5 04") == DONE + EAS_SEQUENCE
    assert field.ask("22 A7 04 " + NAME + " 34 12") == DONE
    assert field.ask("42 A5 04 00") == bytes.fromhex("00 34 12")
    assert field.ask("42 A5 04 08 34") == DONE + EAS_SEQUENCE
    assert field.ask("42 A5 04 10 34 13") is None
    assert field.ask("22 A6 04 " + NAME) == DONE
    assert field.ask("22 A3 04 " + NAME) == REFUSED
    assert login(field, 0x10) == DONE
    assert field.ask("22 A3 04 " + NAME) == DONE
    assert field.ask("22 A4 04 " + NAME) == DONE
    assert field.ask("22 A2 04 " + NAME) == REFUSED


def test_afi_under_password(field: Field) -> None:
    assert field.ask("62 A6 04 " + NAME) == DONE
    assert field.ask("22 27 " + NAME + " 71") == REFUSED
    assert login(field, 0x10) == DONE
    assert field.ask("22 27 " + NAME + " 71") == DONE


# Inventory read.


@pytest.mark.parametrize(
    ("request_frame", "answer"),
    [
        ("66 A0 04 00 00 00", NAME + " DE AD BE EF"),
        ("66 A0 04 08 3A 01 00", NAME[3:] + " 00 01 02 03"),
        ("66 A0 04 0C 3A 02 01 00", NAME[3:] + " 00 01 02 03"),
        ("66 A0 04 40 " + NAME + " 01 00", "00 01 02 03"),
        ("26 A0 04 00 4E 05", "00 00 00 00"),
        ("26 A0 04 80 10", ""),
        ("66 A0 04 80 10", NAME),
        ("66 A0 04 88 10 3A", NAME[3:]),
        ("66 A0 04 88 12 3A", NAME),
        ("66 A0 04 88 02 3A 01 00", NAME + " 00 01 02 03"),
    ],
)
def test_inventory_read(field: Field, request_frame: str, answer: str) -> None:
    assert field.ask(request_frame) == DONE + bytes.fromhex(answer)


@pytest.mark.parametrize(
    "request_frame",
    ["26 A0 04 00 4F 00", "26 A0 05 00 00 00", "26 A0 04 08 3B 00 00", "26 A0 04 80 11", "26 A0 04 80 10 00 00"],
)
def test_inventory_read_stays_silent(field: Field, request_frame: str) -> None:
    assert field.ask(request_frame) is None


def test_inventory_read_in_a_slot(field: Field) -> None:
    assert field.raw(bytes.fromhex("06 A0 04 00 00 01 D4 66")) is None
    answers = [field.eof(1 * MS) for _ in range(15)]
    assert answers[9] == bytes.fromhex("00 DE AD BE EF 00 01 02 03")
    assert answers.count(None) == 14


def test_returned_uid_of_a_30_bit_mask_in_16_slots(field: Field) -> None:
    # UID bits 30 to 33 are 0: the first slot.
    assert field.ask("46 A0 04 9E 10 3A 12 00 00") == DONE + UID[4:]


def test_quiet_after_the_answer(field: Field) -> None:
    assert field.ask("26 A0 04 C0 30 " + NAME) == DONE
    assert field.ask("26 01 00") is None
    assert field.ask("26 A0 04 C0 30 " + NAME) is None
    field.cycle(1 * MS)
    assert field.ask("26 01 00") is not None


def test_persistent_quiet_survives_the_field(field: Field) -> None:
    assert field.ask("26 A0 04 C0 50 " + NAME) == DONE
    assert field.ask("26 01 00") is None
    field.cycle(1_900 * MS)
    assert field.ask("26 01 00") is None
    assert field.ask("36 01 00 00") == b"\0\0" + UID
    assert field.ask("26 A0 04 80 70") == DONE
    assert field.ask("02 20 00") is None
    assert field.ask("22 20 " + NAME + " 00") is not None
    field.cycle(2_100 * MS)
    assert field.ask("26 01 00") is not None


@pytest.mark.parametrize("way", ["25", "26"])
def test_persistent_quiet_ends_by_select_or_reset(field: Field, way: str) -> None:
    assert field.ask("22 BC 04 " + NAME) is None
    assert field.ask("26 01 00") is None
    assert field.ask(f"22 {way} {NAME}") == DONE
    assert field.ask("26 01 00") is not None


def test_only_tags_with_eas(field: Field, tag: IcodeSlix2) -> None:
    assert field.ask("26 A0 04 80 11") is None
    tag.eas = True
    assert field.ask("26 A0 04 80 11") == DONE


def test_direct_reads(field: Field) -> None:
    assert field.ask("22 A0 04 40 " + NAME + " 00 00") == bytes.fromhex("00 DE AD BE EF")
    assert field.ask("22 A1 04 40 " + NAME + " 00 00") is None
    assert field.ask("02 A0 04 00 00 00") is None
    assert field.ask("22 25 " + NAME) == DONE
    assert field.ask("12 A1 04 00 00 00") == bytes.fromhex("00 DE AD BE EF")
    assert field.rate == BIT_FAST_HIGH
    assert field.ask("13 A1 04 00 00 00") is None  # two subcarriers


def test_fast_inventory_read_as_the_data_sheet_has_it() -> None:
    field = Field(IcodeSlix2(UID, fast_needs_select=False))
    assert field.ask("26 A1 04 00 00 00") == bytes(5)
    assert field.rate == BIT_FAST_HIGH


def test_what_does_not_fit_a_tag() -> None:
    for options in ({"uid": b"\xe0"}, {"uid": UID[::-1]}, {"uid": UID, "memory": bytes(317)}):
        with pytest.raises(ValueError):
            IcodeSlix2(**options)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="signature"):
        IcodeSlix2(UID, signature=b"")
