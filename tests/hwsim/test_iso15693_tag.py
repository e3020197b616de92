"""Tags spoken to directly, request bytes in, answer out: ISO/IEC 15693 and what the ICODE SLIX2 adds."""

from __future__ import annotations

import pytest

from hwsim.chips.icode_slix2 import COUNTER_BLOCK, EAS_SEQUENCE, IcodeSlix2
from hwsim.core import Scheduler
from hwsim.rf.air import BIT_FAST_HIGH, T1_CYCLES, AirFrame, Answer, crc_good, cycles_ns, request_cycles, with_crc
from hwsim.rf.antenna import Antenna
from tests.hwsim.pn5180_bench import MS, uid

UID = uid("E0 04 01 08 00 00 12 3A")
OTHER = uid("E0 04 01 08 00 00 45 0A")
NAME = UID.hex(" ")
REFUSED = b"\x01\x0f"
DONE = b"\x00"


class Field:
    """One antenna with its field on, and a reader that only speaks and listens."""

    name = "field"

    def __init__(self, *tags: IcodeSlix2) -> None:
        self.scheduler = Scheduler()
        self.antenna = Antenna(self.scheduler, "antenna")
        for tag in tags:
            self.antenna.enter(tag)
        self.cycle(0)
        self.delay = 0
        self.rate = 0

    def tag_gone(self, tag: object) -> None:
        """Nothing is received here."""

    def cycle(self, off_ns: int) -> None:
        """Field off for ``off_ns``, then on, and settled."""
        self.antenna.power_off()
        self.run(off_ns)
        self.antenna.power_on(self)
        self.run(1 * MS)

    def run(self, ns: int) -> None:
        self.scheduler.run_until(self.scheduler.now + ns)

    def raw(self, frame: bytes) -> bytes | None:
        start = self.scheduler.now
        self.run(cycles_ns(request_cycles(len(frame))))
        return self.heard(self.antenna.request(AirFrame(start, self.scheduler.now, frame), True))

    def eof(self, wait: int = 25 * MS) -> bytes | None:
        self.run(wait)
        start = self.scheduler.now
        self.run(cycles_ns(512))
        return self.heard(self.antenna.slot(start, self.scheduler.now, True))

    def heard(self, answers: list[Answer]) -> bytes | None:
        """The one answer without its CRC; None: silence."""
        eof = self.scheduler.now
        self.run(30 * MS)
        if not answers:
            return None
        (answer,) = answers
        assert crc_good(answer.frame)
        self.delay = answer.start - eof
        self.rate = answer.bit_cycles
        return answer.frame[:-2]

    def ask(self, request: str) -> bytes | None:
        return self.raw(with_crc(bytes.fromhex(request)))


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
