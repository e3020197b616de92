"""Frames of the PN532's model against the sheet's examples, and what a host's mistakes become."""

import pytest

from hwsim.chips.pn532_frames import ACK, COMMAND, DAMAGED, NACK, Frame, FrameParser, build, shifted
from tests.hwsim.pn532_bench import frame


def parse(data: bytes | bytearray) -> list[Frame]:
    parser = FrameParser()
    return [found for byte in data if (found := parser.feed(byte)) is not None]


@pytest.mark.parametrize(
    ("command", "wire"),
    [
        ("02", "0000FF02FED4022A00"),
        ("14 01 14 01", "0000FF05FBD4140114010200"),
        ("14 01 00 00", "0000FF05FBD4140100001700"),
        ("32 05 FF 01 02", "0000FF06FAD43205FF0102F300"),
        ("32 01 00", "0000FF04FCD4320100F900"),
        ("32 01 01", "0000FF04FCD4320101F800"),
        ("4A 01 00", "0000FF04FCD44A0100E100"),
        ("40 01 30 04", "0000FF05FBD440013004B700"),
        ("52 00", "0000FF03FDD45200DA00"),
        ("16 A0", "0000FF03FDD416A07600"),
    ],
)
def test_frames_of_the_sheet_are_understood(command: str, wire: str) -> None:
    assert frame(command) == bytes.fromhex(wire)
    assert parse(bytes.fromhex(wire)) == [Frame(COMMAND, bytes.fromhex(command))]


@pytest.mark.parametrize(
    ("answer", "wire"),
    [
        ("03 32 01 06 07", "0000FF06FAD50332010607E800"),
        ("15", "0000FF02FED5151600"),
        ("33", "0000FF02FED533F800"),
        ("4B 00", "0000FF03FDD54B00E000"),
        ("4B 01 01 00 04 08 04 DE AD BE EF", "0000FF0CF4D54B010100040804DEADBEEF9600"),
        ("4B 01 01 00 44 00 07 04 A1 B2 C3 D4 E5 80", "0000FF0FF1D54B01010044000704A1B2C3D4E5804000"),
        ("41 00 00 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F", None),
        ("41 01", "0000FF03FDD54101E900"),
        ("53 00", "0000FF03FDD55300D800"),
    ],
)
def test_answers_of_the_sheet_are_built(answer: str, wire: str | None) -> None:
    built = build(bytes.fromhex(answer))
    if wire is None:
        assert built == bytes.fromhex("0000FF13EDD54100" + bytes(range(16)).hex() + "7200")
    else:
        assert built == bytes.fromhex(wire)


def test_long_answers_are_extended() -> None:
    assert build(bytes(254))[3:5] == bytes([255, 1])
    assert build(bytes(255))[3:8] == bytes([0xFF, 0xFF, 0x01, 0x00, 0xFF])


def test_acknowledge_and_nack() -> None:
    assert parse(bytes.fromhex("0000FF00FF00")) == [Frame(ACK)]
    assert parse(bytes.fromhex("0000FFFF0000")) == [Frame(NACK)]


def test_any_preamble_will_do() -> None:
    wire = frame("02")
    for preamble in (b"", b"\x00" * 40, b"\x55\x55\x00\x00", b"\xff\xff\x00", b"\xd5\x03\x32"):
        assert parse(preamble + wire[1:]) == [Frame(COMMAND, b"\x02")]


def test_extended_frame() -> None:
    data = bytes([0x00, 0x00]) + bytes(range(256))[:200]
    body = b"\xd4" + data
    size = len(body).to_bytes(2, "big")
    wire = b"\x00\x00\xff\xff\xff" + size + bytes([-sum(size) & 0xFF]) + body + bytes([-sum(body) & 0xFF, 0])
    assert parse(wire) == [Frame(COMMAND, data)]
    damaged = bytearray(wire)
    damaged[7] ^= 1
    assert [found.kind for found in parse(damaged[:8])] == [DAMAGED]


@pytest.mark.parametrize(
    ("wire", "reason"),
    [
        ("0000FF02FFD4022A00", "length checksum"),
        ("0000FF02FED4022B00", "data checksum"),
        ("0000FF02FED5022900", "TFI D5"),
        ("0000FFFFFF0200FE00", "length checksum of an extended frame"),
    ],
)
def test_damaged_frames_are_told(wire: str, reason: str) -> None:
    found = parse(bytes.fromhex(wire))[0]
    assert (found.kind, found.reason) == (DAMAGED, reason)


def test_two_frames_behind_each_other() -> None:
    assert parse(frame("02") + bytes.fromhex("0000FF00FF00") + frame("52 00")) == [
        Frame(COMMAND, b"\x02"),
        Frame(ACK),
        Frame(COMMAND, b"\x52\x00"),
    ]


def test_every_single_bit_error_is_noticed_or_hidden_in_the_frame_s_ends() -> None:
    wire = frame("40 01 30 04")
    for bit in range(8 * len(wire)):
        damaged = bytearray(wire)
        damaged[bit // 8] ^= 1 << bit % 8
        for found in parse(damaged):
            assert found.kind == DAMAGED or bit // 8 in (0, len(wire) - 1)


def test_late_by_some_bits() -> None:
    assert shifted(bytes.fromhex("0000FF00FF00"), 1) == bytes.fromhex("0001FE01FE01")
    assert shifted(bytes.fromhex("0000FF00FF00"), 0) == bytes.fromhex("0000FF00FF00")


@pytest.mark.parametrize("tail", ["00 00 00", "00 00 00 00 00", "00 00 2C"])
def test_a_length_of_0_is_no_frame(tail: str) -> None:
    """LEN is 1..255. Its check sum fits where zeros follow a start code, as on a disturbed line."""
    whole = bytes.fromhex("0000FF" + tail) + frame("02")
    assert [found.kind for found in parse(whole)] == [DAMAGED, COMMAND]
