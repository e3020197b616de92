"""Facts of the peripherals' sheets that no other test of their models looks at, written from the sheets alone.

Numbers stand here as the sheets have them, not by the models' names.
"""

from __future__ import annotations

import pytest

from hwsim.chips.icode_slix2 import IcodeSlix2
from hwsim.chips.mb85rs import PARTS, Mb85rs
from hwsim.core import NS_PER_MS, Scheduler
from hwsim.world.badges import Badge, NtagBadge
from tests.hwsim.iso15693_field import NAME, UID, Field
from tests.hwsim.pn532_bench import ACK, I2cBench, frame
from tests.hwsim.test_ds3231 import running
from tests.hwsim.test_mb85rs import command, read, set_status, status, write
from tests.hwsim.test_mcp23017 import Bench as Expander
from tests.hwsim.test_ssd1306 import clean

NTAG = bytes.fromhex("04A1B2C3D4E580")

# --- PN532 ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("code", "ms"), [("", 51.2), ("0A", 51.2), ("0B", 102.4), ("0C", 204.8), ("08", 12.8)])
def test_pn532_waits_for_a_tag_that_is_gone(code: str, ms: float) -> None:
    """RFConfiguration item 02, third byte: 100 us x 2^(n-1), 0A at first; then status 01, and without a Tg 27."""
    bench = I2cBench()
    badge = NtagBadge(NTAG)
    bench.pad.enter(badge)
    assert bench.command("40 01 30 04") == bytes.fromhex("41 27")
    assert bench.command("4A 01 00")[:3] == bytes.fromhex("4B 01 01")
    if code:
        assert bench.command(f"32 02 00 0B {code}") == b"\x33"
    bench.pad.leave(badge)
    began = bench.time.now
    assert bench.command("40 01 30 04", 400) == bytes.fromhex("41 01")
    assert ms < (bench.time.now - began) / NS_PER_MS < ms + 10


def test_pn532_understands_and_sends_extended_frames() -> None:
    """FF FF LENM LENL LCS, LCS making the two 0; Diagnose 00 gives its data back."""
    bench = I2cBench()
    body = b"\xd4\x00\x00" + bytes(range(256))
    size = len(body).to_bytes(2, "big")
    bench.write(b"\x00\x00\xff\xff\xff" + size + bytes([-sum(size) & 0xFF]) + body + bytes([-sum(body) & 0xFF, 0]))
    assert bench.take() == ACK
    back = b"\xd5\x01\x00" + bytes(range(256))
    head = b"\x00\x00\xff\xff\xff" + size + bytes([-sum(size) & 0xFF])
    assert bench.take() == head + back + bytes([-sum(back) & 0xFF, 0])


def test_pn532_selects_the_badge_that_is_named() -> None:
    """Initiator data of type A: a UID, of 7 bytes with the cascade tag 88 before it. SENS_RES high byte first."""
    bench = I2cBench()
    bench.pad.enter(Badge(bytes.fromhex("DEADBEEF")))
    bench.pad.enter(NtagBadge(NTAG))
    bench.command("32 05 FF 01 01")
    assert bench.command("4A 01 00 88 04 A1 B2 C3 D4 E5 80").hex() == "4b01010044000704a1b2c3d4e580"
    assert bench.command("4A 01 00 DE AD BE EF").hex() == "4b0101000408" + "04deadbeef"
    assert bench.command("4A 01 00 DE AD BE EE").hex() == "4b00"


def test_pn532_asks_again_for_a_nack_and_knows_its_syntax() -> None:
    bench = I2cBench()
    assert bench.command("02").hex() == "0332010607"
    bench.write(bytes.fromhex("0000FFFF0000"))
    assert bench.take().hex() == "0000ff06fad50332010607e800"
    bench.write(frame("02 00"))
    assert bench.take() == ACK
    assert bench.take().hex() == "0000ff01ff7f8100", "a length that the command does not have"


# --- DS3231 -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("59 59 71 07 31 12 99", "00 00 52 01 01 81 00"),  # 11:59:59 PM; the century toggles
        ("59 59 51 02 05 07 26", "00 00 72 02 05 07 26"),  # 11:59:59 AM is followed by 12 PM
        ("59 59 72 02 05 07 26", "00 00 61 02 05 07 26"),  # 12:59:59 PM by 1 PM
        ("59 59 23 03 28 82 00", "00 00 00 04 29 82 00"),  # 00 counts as a leap year, whatever the century
    ],
)
def test_ds3231_counts_over_noon_midnight_and_the_century(before: str, after: str) -> None:
    bench = running(before)
    bench.run(1.5)
    assert bench.read(0, 7) == bytes.fromhex(after)


@pytest.mark.parametrize(
    ("celsius", "registers"), [(25.25, "19 40"), (-0.25, "FF C0"), (-10.5, "F5 80"), (0.75, "00 C0")]
)
def test_ds3231_temperature_is_whole_degrees_and_quarters(celsius: float, registers: str) -> None:
    """11 signed, 12 bits 7:6; each 64 s, or by CONV with BSY meanwhile."""
    bench = running()
    bench.run(1)
    bench.chip.temperature = celsius
    bench.write(0x0E, 0x1C | 0x20)
    assert bench.read(0x0F)[0] & 0x04
    bench.run(1)
    assert not bench.read(0x0F)[0] & 0x04 and not bench.read(0x0E)[0] & 0x20
    assert bench.read(0x11, 2) == bytes.fromhex(registers)


def test_ds3231_flags_are_cleared_by_0_and_kept_by_1() -> None:
    bench = running()
    assert bench.read(0x0F)[0] & 0x83 == 0
    bench.write(0x0F, 0x83)
    assert bench.read(0x0F)[0] & 0x83 == 0, "1 sets nothing"
    bench.chip.disturb()
    bench.write(0x0F, 0x88)
    assert bench.read(0x0F)[0] & 0x88 == 0x88
    bench.write(0x0F, 0x00)
    assert bench.read(0x0F)[0] & 0x88 == 0


# --- MB85RS -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize(("bits", "first"), [(0, 4), (1, 3), (2, 2), (3, 0)])
def test_mb85rs_protects_quarter_half_or_all(part: str, bits: int, first: int) -> None:
    chip = Mb85rs(Scheduler(), part)
    quarter = len(chip.image) // 4
    set_status(chip, bits << 2)
    kept = []
    for index in range(4):
        write(chip, index * quarter, b"x")
        if read(chip, index * quarter, 1) != b"x":
            kept.append(index)
    assert kept == list(range(first, 4))


def test_mb85rs_status_bits_and_the_latch() -> None:
    """7 and 6-4 are stored, 3:2 BP, 1 the latch, 0 always 0; the latch goes with each WRITE and WRSR, and with WRDI."""
    chip = Mb85rs(Scheduler(), "MB85RS64V")
    set_status(chip, 0xF3)
    assert status(chip) == 0xF0
    set_status(chip, 0x00)
    command(chip, 0x06)
    assert status(chip) == 0x02
    command(chip, 0x04)
    assert status(chip) == 0x00
    write(chip, 0x1FFF, b"ab")
    assert status(chip) == 0 and read(chip, 0x1FFF, 2) == b"ab" and read(chip, 0, 1) == b"b", "it wraps"
    command(chip, 0x02, 0, 0, 0x7A)
    assert read(chip, 0, 1) == b"b", "no latch, no write"
    assert read(chip, 0xE000, 1) == b"b", "upper address bits mean nothing"
    assert command(chip, 0x9F, answer=4).hex() == "047f0302"


# --- MCP23017 ---------------------------------------------------------------------------------------------------------


def test_mcp23017_byte_mode_walks_between_the_two_ports() -> None:
    """SEQOP 1: in BANK 0 the pair is read in turn, in BANK 1 one register again and again."""
    bench = Expander()
    bench.write(0x0A, 0x20)
    bench.write(0x06, 0x11, 0x22)
    assert bench.read(0x06, 4) == bytes.fromhex("11 22 11 22")
    bench.write(0x0A, 0xA0)
    assert bench.read(0x03, 3) == bytes.fromhex("11 11 11")
    assert bench.read(0x13, 3) == bytes.fromhex("22 22 22")
    assert bench.read(0x05) == bench.read(0x15) == b"\xa0"


def test_mcp23017_first_change_is_captured_and_the_second_waits() -> None:
    """INTCAP holds the port at the first event until it or GPIO is read; a press between two reads is only there."""
    bench = Expander()
    bench.write(0x04, 0xFF)
    bench.lines[2].drive(0)
    bench.time.run_until(bench.time.now + 1_000)
    bench.lines[2].drive(1)
    bench.time.run_until(bench.time.now + 1_000)
    bench.lines[5].drive(0)
    assert bench.read(0x0E) == b"\x04"
    assert bench.read(0x10) == b"\xfb"
    assert bench.read(0x12) == b"\xdf"


def test_mcp23017_default_mode_lasts_as_long_as_the_level_differs() -> None:
    bench = Expander()
    bench.write(0x06, 0xFF)
    bench.write(0x08, 0xFF)
    bench.write(0x04, 0x01)
    assert bench.int_a.level == 1
    bench.lines[0].drive(0)
    assert bench.int_a.level == 0
    bench.read(0x10)
    assert bench.int_a.level == 0
    bench.lines[0].drive(1)
    bench.read(0x10)
    assert bench.int_a.level == 1


# --- SSD1306 ----------------------------------------------------------------------------------------------------------


def test_ssd1306_vertical_mode_wraps_in_its_window() -> None:
    bench = clean()
    bench.command("20 01 21 05 06 22 02 03")
    bench.data(bytes((1, 2, 4, 8, 16)))
    assert bench.lit() == sorted([(5, 16 + 4), (5, 24 + 1), (6, 16 + 2), (6, 24 + 3)], key=lambda at: (at[1], at[0]))


def test_ssd1306_page_mode_begins_at_its_column_and_stays_on_its_page() -> None:
    """B0 + page, 00 + low and 10 + high nibble of the column; bit 0 on top; A7 inverts, A5 lights everything."""
    bench = clean()
    bench.command("20 02 B3 0E 17")
    bench.data(bytes((0x80, 0x01, 0x02)))
    assert bench.lit() == [(127, 24), (126, 25)], "the third byte is in the place of the first"
    bench.command("A7")
    assert len(bench.lit()) == 128 * 64 - 2
    bench.command("A6 A5")
    assert len(bench.lit()) == 128 * 64
    bench.command("A4 AE")
    assert bench.lit() == []


# --- ICODE SLIX2 ------------------------------------------------------------------------------------------------------


def test_icode_identity_memory_and_delivery() -> None:
    """80 blocks of 4, IC reference 01; block 79 the counter; bits 37/36 of the UID: 08 in UID4."""
    tag = IcodeSlix2(UID)
    field = Field(tag)
    assert UID[4] & 0x18 == 0x08
    assert field.ask("22 2B " + NAME) == bytes.fromhex("00 0F" + NAME + "00 00 4F 03 01")
    assert field.ask(f"22 20 {NAME} 4F") == bytes(5)
    assert field.ask(f"22 21 {NAME} 4F 01 00 00 00") == b"\x00"
    assert field.ask(f"22 23 {NAME} 4E 05") == bytes(5) + b"\x01\x00\x00\x00", "past the end: shorter"
    assert field.ask(f"22 21 {NAME} 4F 07 00 00 00") == b"\x01\x0f", "a preset wants the write password"
    assert field.ask(f"22 24 {NAME} 00 00 00 00 00 00") == b"\x01\x0f", "no write multiple"
    assert field.ask(f"22 22 {NAME} 4F") == b"\x01\x0f", "the counter cannot be locked"
    assert field.ask(f"2A 20 {NAME} 00") is None, "extension flag"
    assert field.ask(f"A2 20 {NAME} 00") is None, "bit 8 must be 0"


def test_icode_quiet_hears_only_what_names_it() -> None:
    """Quiet: addressed requests, Select and Reset to ready; no inventory, nothing unaddressed."""
    field = Field(IcodeSlix2(UID))
    assert field.ask("22 02 " + NAME) is None
    assert field.ask("26 01 00") is None and field.ask("02 20 00") is None and field.ask("02 B2 04") is None
    assert field.ask(f"22 20 {NAME} 00") == bytes(5)
    assert field.ask("22 25 " + NAME) == b"\x00"
    assert field.ask("26 01 00") == bytes((0, 0)) + UID, "selected, it answers an inventory"
    assert field.ask("12 20 00") == bytes(5)
    assert field.ask("22 25 0A 45 00 00 08 01 04 E0") is None
    assert field.ask("12 20 00") is None, "another was selected"


def test_icode_privacy_answers_random_number_and_password_only() -> None:
    """BA and B3 04 with the delivered 0F0F0F0F, covered by the random number, byte i by byte i mod 2."""
    field = Field(IcodeSlix2(UID))

    def covered() -> str:
        answer = field.ask("02 B2 04")
        assert answer is not None and len(answer) == 3
        return bytes(0x0F ^ answer[1 + (i & 1)] for i in range(4)).hex(" ")

    assert field.ask(f"22 BA 04 {NAME} {covered()}") == b"\x00"
    for request in ("26 01 00", "22 20 " + NAME + " 00", "22 25 " + NAME, "22 BD 04 " + NAME, "22 2B " + NAME):
        assert field.ask(request) is None
    assert field.ask(f"02 B3 04 04 {covered()}") == b"\x00"
    assert field.ask("26 01 00") == bytes((0, 0)) + UID
