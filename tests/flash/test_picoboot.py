"""The boot loader's protocol: each command's bytes, its phases, and what a refusal sets off."""

import pytest

from sabot_host.flash import picoboot
from sabot_host.flash.picoboot import Command, Gone, Picoboot, PicobootRefused, Stalled, Status, TimedOut
from tests.flash.boot_pipe import ScriptedPipe

MAGIC = "0bd11f43"


def packed(command: Command, token: int = 7) -> str:
    return command.packed(token).hex()


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        (picoboot.exclusive(1), "01010000 00000000 01000000 00000000 00000000 00000000"),
        (picoboot.erase(0x10001000, 0x2000), "03080000 00000000 00100010 00200000 00000000 00000000"),
        (picoboot.write_pages(0x10001000, 0x1000), "05080000 00100000 00100010 00100000 00000000 00000000"),
        (picoboot.read_flash(0x10001000, 0x100), "84080000 00010000 00100010 00010000 00000000 00000000"),
        (Command(picoboot.EXIT_XIP), "06000000 00000000 00000000 00000000 00000000 00000000"),
        (picoboot.reboot("RP2040", 500), "020c0000 00000000 00000000 00000000 f4010000 00000000"),
        (picoboot.reboot("RP2350", 500), "0a100000 00000000 00000000 f4010000 00000000 00000000"),
    ],
)
def test_a_command_is_32_bytes_as_the_boot_rom_reads_them(command: Command, expected: str) -> None:
    assert packed(command) == MAGIC + "07000000" + expected.replace(" ", "")


@pytest.mark.parametrize(
    "make",
    [
        lambda: picoboot.erase(0x10000100, 4096),
        lambda: picoboot.erase(0x10000000, 100),
        lambda: picoboot.erase(0x10000000, 0),
        lambda: picoboot.write_pages(0x10000001, 256),
        lambda: picoboot.write_pages(0x10000000, 255),
        lambda: picoboot.read_flash(0x10000001, 1),
        lambda: picoboot.erase(0x20000000, 4096),
        lambda: picoboot.erase(0xFFFFF000, 0x1000_0000),
        lambda: picoboot.erase(0x11FFF000, 0x2000),
    ],
)
def test_what_the_boot_rom_would_refuse_or_not_check_is_never_sent(make: object) -> None:
    with pytest.raises(ValueError, match=r"no whole|no flash|no page"):
        make()  # type: ignore[operator]


def test_the_phases_of_a_write() -> None:
    pipe = ScriptedPipe()
    command = picoboot.write_pages(0x10000000, 256)
    Picoboot(pipe, "RP2350").run(command, b"x" * 256)
    assert pipe.sent == [("out", command.packed(1)), ("out", b"x" * 256), ("in", 1)]


def test_the_phases_of_a_read() -> None:
    pipe = ScriptedPipe()
    pipe.reads += [b"a" * 100, b"b" * 156]
    command = picoboot.read_flash(0x10000000, 256)
    assert Picoboot(pipe, "RP2350").run(command) == b"a" * 100 + b"b" * 156
    assert pipe.sent == [("out", command.packed(1)), ("in", 256), ("in", 156), ("out", b"")]


def test_every_command_has_a_token_of_its_own() -> None:
    pipe = ScriptedPipe()
    boot = Picoboot(pipe, "RP2350")
    boot.run(picoboot.exclusive(1))
    boot.run(picoboot.exclusive(1))
    assert [sent[1] for sent in pipe.sent if sent[0] == "out"] == [
        picoboot.exclusive(1).packed(1),
        picoboot.exclusive(1).packed(2),
    ]


def test_a_refusal_is_read_and_cleared_away() -> None:
    pipe = ScriptedPipe(bytes.fromhex("01000000 05000000 03 00 000000000000"))
    pipe.reads.append(Stalled())
    command = picoboot.erase(0x10000000, 4096)
    with pytest.raises(PicobootRefused, match="BAD_ALIGNMENT") as refusal:
        Picoboot(pipe, "RP2350").run(command)
    assert refusal.value.status == Status(1, 5, 3, False)
    assert pipe.sent[2:] == [("clear",), ("control", (0xC1, 0x42), 16), ("control", (0x41, 0x41))]


def test_the_wrong_chips_reboot_is_refused_by_name() -> None:
    pipe = ScriptedPipe(bytes.fromhex("01000000 01000000 02 00 000000000000"))
    pipe.writes.append(Stalled())
    with pytest.raises(PicobootRefused, match="command 02: UNKNOWN_CMD"):
        Picoboot(pipe, "RP2040").run(picoboot.reboot("RP2040", 1))


@pytest.mark.parametrize("failure", [TimedOut(), Gone()])
def test_what_the_cable_does_is_passed_on(failure: Exception) -> None:
    pipe = ScriptedPipe()
    pipe.reads.append(failure)
    with pytest.raises(type(failure)):
        Picoboot(pipe, "RP2350").run(picoboot.exclusive(1))


def test_an_empty_answer_in_the_middle_is_no_data() -> None:
    pipe = ScriptedPipe()
    pipe.reads += [b"a" * 100, b""]
    with pytest.raises(TimedOut):
        Picoboot(pipe, "RP2350").run(picoboot.read_flash(0x10000000, 256))


def test_data_of_the_wrong_size_is_a_mistake_of_ours() -> None:
    with pytest.raises(ValueError, match="255 bytes for a command of 256"):
        Picoboot(ScriptedPipe(), "RP2350").run(picoboot.write_pages(0x10000000, 256), b"x" * 255)


def test_a_status_of_another_length_is_no_status() -> None:
    with pytest.raises(ValueError, match="a status has 16 bytes"):
        Status.unpacked(bytes(15))
    assert Status(0, 99, 0, False).name == "status 99"
