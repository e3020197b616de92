"""Flashing against the emulated boot loaders, which enforce every check of the boot ROM: `sabot_host.flash.install`."""

import errno

import pytest

from hwsim.usb import filesystem
from hwsim.usb.board import Application
from hwsim.usb.board import Board as EmulatedBoard
from hwsim.usb.micropython import MicroPython
from hwsim.usb.terminal import MutePort
from sabot_host.errors import DeviceError, FileError, SabotError
from sabot_host.flash import picoboot, uf2
from sabot_host.flash.boards import BOARDS, FLASH_BASE, Board, board_named
from sabot_host.flash.devices import Device, State, attached, choose
from sabot_host.flash.flasher import flash
from sabot_host.flash.install import install_bundle, install_uf2
from sabot_host.release.bundle import Bundle
from sabot_host.release.image import make
from sabot_host.release.manifest import Entry, Manifest
from sabot_host.release.signing import development
from tests.flash import synthetic
from tests.flash.conftest import Plug, Recorder, VirtualBus
from tests.sampled import sampled

VERSION = "4.5.6"
FILES = {
    "main.py": b"import os\nif 'config.json' in os.listdir():\n    while True:\n        pass\n",
    "sabot/__init__.py": f'__version__ = "{VERSION}"\n'.encode(),
    "sabot/table/long.py": b"# " + b"x" * 9000 + b"\n",
}
PICO2 = board_named("pico2")
EACH_BOARD = pytest.mark.parametrize("board", sampled(BOARDS, [PICO2]), ids=lambda board: board.name)


def release(board: Board, *, with_uf2: bool = True) -> Bundle:
    stock = synthetic.micropython(board) if with_uf2 else b""
    entries = tuple(Entry.of(path, FILES[path]) for path in sorted(FILES))
    made = Manifest(
        VERSION,
        board.name,
        board.architecture,
        6,
        synthetic.VERSION,
        entries,
        Entry.of("micropython.uf2", stock) if stock else None,
    )
    return Bundle(made, development().sign(made.text()), FILES, stock)


def only(bus: VirtualBus) -> Device:
    devices, problems = attached(bus)
    assert problems == []
    return choose(devices, None)


def emulated(bus: VirtualBus) -> EmulatedBoard:
    return bus.emulated.boards[0]


def on_flash(bus: VirtualBus) -> dict[str, bytes]:
    """The files of the board's flash; what runs there is stopped first, which writes its file system back."""
    emulated(bus).unplug()
    found = filesystem.find(emulated(bus).flash)
    assert found is not None
    return found.files()


@EACH_BOARD
def test_a_blank_board_gets_a_release(plug: Plug, board: Board) -> None:
    bus, told = plug(board.chip), Recorder()
    blank = only(bus)
    assert blank.state.value == f"boot loader {board.chip}"
    back = install_bundle(bus, blank, release(board), "r.sabot", told, keep=True)
    assert back.state is State.FRESH
    assert back.versions == {"micropython": "1.29.0", "sabot": VERSION}
    assert back.serial == emulated(bus).serial
    assert {done == total > 0 for done, total in told.phases.values()} == {True}
    assert list(told.phases) == ["write", "verify"]
    assert on_flash(bus) == release(board).on_board


@EACH_BOARD
def test_a_board_with_micropython_gets_the_files_and_nothing_is_copied_twice(plug: Plug, board: Board) -> None:
    bus, told = plug(board.chip), Recorder()
    back = install_uf2(bus, only(bus), synthetic.micropython(board), "stock.uf2", told)
    assert back.state is State.MICROPYTHON
    program = emulated(bus).flash.read(0, 40_960)
    back = install_bundle(bus, only(bus), release(board, with_uf2=False), "r.sabot", told, keep=True)
    assert back.state is State.FRESH
    installed = release(board, with_uf2=False).on_board
    assert told.phases["copy"] == (sum(map(len, installed.values())),) * 2
    back = install_bundle(bus, only(bus), release(board, with_uf2=False), "r.sabot", told, keep=True)
    assert told.phases["copy"] == (0, 0)
    assert on_flash(bus) == installed
    assert emulated(bus).flash.read(0, 40_960) == program


@pytest.mark.campaign
def test_what_would_stand_in_the_release_s_way_is_removed_and_settings_stay(plug: Plug) -> None:
    bus, told = plug("RP2350"), Recorder()
    install_uf2(bus, only(bus), synthetic.micropython(PICO2), "stock.uf2", told)
    emulated(bus).unplug()
    disk = filesystem.ensure(emulated(bus).chip, emulated(bus).flash)
    disk.image = _image({"sabot/table/long.mpy": b"old", "main.py": b"", "keys.json": b"{}", "x.new": b""})
    emulated(bus).plug()
    bus.emulated.settle()
    install_bundle(bus, only(bus), release(PICO2), "r.sabot", told, keep=True)
    assert on_flash(bus) == {**release(PICO2).on_board, "keys.json": b"{}"}


def _image(files: dict[str, bytes]) -> bytes:
    data = bytearray(b"\xff" * PICO2.filesystem_bytes)
    for address, block in make(files, PICO2).items():
        data[address - PICO2.filesystem : address - PICO2.filesystem + 4096] = block
    return bytes(data)


@pytest.mark.parametrize("keep", [True, False])
def test_a_commissioned_board_keeps_its_settings_unless_told_otherwise(plug: Plug, keep: bool) -> None:
    bus, told = plug("RP2350"), Recorder()
    settings = {"config.json": b"{}", "keys.json": b'{"device": "00"}', "deck.json": b"[]"}
    start = PICO2.filesystem - FLASH_BASE
    emulated(bus).flash.data[start : start + PICO2.filesystem_bytes] = _image({**settings, "old.py": b"old"})
    emulated(bus).faults.missing = True  # with settings the table's program runs; that is not what is tested here
    with pytest.raises(DeviceError) as lost:
        install_bundle(bus, only(bus), release(PICO2), "r.sabot", told, keep=keep)
    assert lost.value.code == "board-lost"
    assert on_flash(bus) == {**release(PICO2).on_board, **(settings if keep else {})}
    assert any("settings are kept" in text for text in told.said) == keep


# --- refused before the first erase ---


def _refused(bus: VirtualBus, code: str, **what: object) -> None:
    before = bytes(emulated(bus).flash.data)
    with pytest.raises(FileError) as refusal:
        if "bundle" in what:
            install_bundle(bus, only(bus), what["bundle"], "r.sabot", Recorder(), keep=True)  # type: ignore[arg-type]
        else:
            install_uf2(bus, only(bus), what["data"], "x.uf2", Recorder())  # type: ignore[arg-type]
    assert refusal.value.code == code
    assert emulated(bus).faults.passed["erase"] == emulated(bus).faults.passed["command"] == 0
    assert bytes(emulated(bus).flash.data) == before


@EACH_BOARD
def test_the_wrong_chip_is_refused_before_the_first_command(plug: Plug, board: Board) -> None:
    other = next(each for each in BOARDS if each is not board)
    _refused(plug(board.chip), "uf2-family", data=synthetic.micropython(other))
    _refused(plug(board.chip), "bundle-other-board", bundle=release(other))


def test_a_bad_file_is_refused_before_the_first_command(plug: Plug) -> None:
    whole = synthetic.micropython(PICO2)
    bus = plug("RP2350")
    _refused(bus, "uf2-truncated", data=whole[:-512])
    _refused(bus, "uf2-truncated", data=whole[:-1])
    _refused(bus, "uf2-order", data=whole[512:1024] + whole[:512] + whole[1024:])
    large = uf2.Image(uf2.FAMILY_OF["RP2350"], {PICO2.flash_end: bytes(256)})
    _refused(bus, "uf2-too-large", data=uf2.write(large))
    _refused(bus, "bundle-no-uf2", bundle=release(PICO2, with_uf2=False))


# --- faults ---


def silent(board: EmulatedBoard) -> MutePort:
    """What runs where only the writing matters."""
    return MutePort()


def prompt_after_a_pull(board: EmulatedBoard) -> Application:
    """A board that was pulled when all but the last check was done starts, and has to be sent to its boot loader."""
    return MicroPython(board) if board.boots == 2 and board.faults.pulled_at else MutePort()


class TwoSectors:
    """The smallest plan with a first sector and another one."""

    def __init__(self, board: Board) -> None:
        self.wanted = synthetic.image(board, size=8192, silent=True).sectors()

    def sectors(self, boot: picoboot.Picoboot, reporter: object) -> dict[int, bytes]:
        return self.wanted


class Replugging(Recorder):
    """Plugs the board in again when it is told that it was unplugged."""

    def __init__(self, board: EmulatedBoard) -> None:
        super().__init__()
        self.board = board

    def say(self, text: str) -> None:
        super().say(text)
        if "unplugged" in text:
            self.board.plug()


def _steps(bus: VirtualBus) -> int:
    return emulated(bus).faults.steps


@EACH_BOARD
def test_a_cable_pulled_at_any_step_leaves_a_board_that_comes_back_by_itself(
    plug: Plug, board: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pulled, plugged in again without any button: written anew, whole, and started."""
    monkeypatch.setattr("sabot_host.flash.flasher.await_running", lambda bus, identity: None)
    bus = plug(board.chip)
    bus.emulated.application = silent
    device, plan = only(bus), TwoSectors(board)
    before = _steps(bus)
    flash(bus, device, plan, Recorder())
    steps = _steps(bus) - before
    assert steps > 100
    phases = set()
    for step in range(1, steps + 1):
        bus = plug(board.chip)
        bus.emulated.application = prompt_after_a_pull
        device = only(bus)
        faults = emulated(bus).faults
        faults.pull_at_step(step)
        told = Replugging(emulated(bus))
        flash(bus, device, plan, told)
        if "unplugged" not in " ".join(told.said) and faults.pulled_at is not None:
            # Pulled when the restart was asked for: all is written, and nobody waits for the boot loader any more.
            assert emulated(bus).state == "unplugged"
            emulated(bus).plug()
        bus.emulated.settle()
        assert emulated(bus).state == "running", (step, faults.pulled_at)
        assert emulated(bus).flash.read(0, 8192) == b"".join(plan.wanted.values())
        phases.add(faults.pulled_at[0] if faults.pulled_at else "")
    assert {"open", "control", "command", "erase", "data_out", "program", "data_in", "ack", "reboot"} <= phases


def test_a_board_that_stays_unplugged_is_no_success(plug: Plug) -> None:
    bus = plug("RP2350")
    emulated(bus).faults.pull("program", 3)
    with pytest.raises(DeviceError) as pulled:
        flash(bus, only(bus), TwoSectors(PICO2), Recorder())
    assert pulled.value.code == "flash-pulled"


@pytest.mark.parametrize(
    "command",
    [picoboot.EXCLUSIVE_ACCESS, picoboot.EXIT_XIP, picoboot.FLASH_ERASE, picoboot.WRITE, picoboot.READ],
)
def test_an_ignored_command_is_never_success_and_the_next_try_works(
    plug: Plug, command: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sabot_host.flash.flasher.await_running", lambda bus, identity: None)
    bus = plug("RP2350")
    bus.emulated.application = silent
    emulated(bus).faults.ignore(command)
    with pytest.raises(DeviceError) as ignored:
        flash(bus, only(bus), TwoSectors(PICO2), Recorder())
    assert ignored.value.code == "flash-timeout"
    assert emulated(bus).state == "bootsel"
    flash(bus, only(bus), TwoSectors(PICO2), Recorder())
    bus.emulated.settle()
    assert emulated(bus).state == "running"


@pytest.mark.parametrize(
    "command",
    sampled(
        [picoboot.EXCLUSIVE_ACCESS, picoboot.FLASH_ERASE, picoboot.WRITE, picoboot.READ, picoboot.REBOOT2],
        [picoboot.WRITE, picoboot.REBOOT2],
    ),
)
def test_a_late_answer_is_waited_for(plug: Plug, command: int) -> None:
    bus = plug("RP2350")
    emulated(bus).faults.late(command, 1.5)
    back = install_uf2(bus, only(bus), synthetic.micropython(PICO2), "stock.uf2", Recorder())
    assert back.versions == {"micropython": "1.29.0"}


@pytest.mark.campaign
@EACH_BOARD
def test_a_board_is_written_twice_in_one_process(plug: Plug, board: Board) -> None:
    bus = plug(board.chip)
    for _ in range(2):
        back = install_uf2(bus, only(bus), synthetic.micropython(board), "stock.uf2", Recorder())
        assert back.versions == {"micropython": "1.29.0"}
    assert emulated(bus).boots == 4  # in its boot loader, written, sent back there, written again


@EACH_BOARD
@pytest.mark.parametrize("fault", ["ignore", "skip"])
def test_a_boot_loader_that_does_not_restart_is_no_success(plug: Plug, board: Board, fault: str) -> None:
    bus = plug(board.chip)
    command = picoboot.REBOOT2 if board.chip == "RP2350" else picoboot.REBOOT
    getattr(emulated(bus).faults, fault)(command)
    with pytest.raises(DeviceError) as stays:
        flash(bus, only(bus), TwoSectors(board), Recorder())
    assert stays.value.code == "flash-not-started"


@pytest.mark.parametrize("command", [picoboot.FLASH_ERASE, picoboot.WRITE])
def test_work_that_was_only_acknowledged_is_found_by_reading_back(plug: Plug, command: int) -> None:
    bus = plug("RP2350")
    emulated(bus).flash.data[:8192] = bytes(8192)
    emulated(bus).faults.skip(command, 2)
    with pytest.raises(DeviceError) as differs:
        flash(bus, only(bus), TwoSectors(PICO2), Recorder())
    assert differs.value.code == "flash-verify"
    assert emulated(bus).state == "bootsel"


@pytest.mark.parametrize("address", [FLASH_BASE + 100, FLASH_BASE + 4096, FLASH_BASE + 8191])
def test_one_flipped_bit_is_no_success_and_starts_nothing(plug: Plug, address: int) -> None:
    bus = plug("RP2350")
    emulated(bus).faults.flip(address, 3)
    with pytest.raises(DeviceError, match=f"at {address:08x}") as differs:
        flash(bus, only(bus), TwoSectors(PICO2), Recorder())
    assert differs.value.code == "flash-verify"
    emulated(bus).unplug()
    emulated(bus).plug()
    bus.emulated.settle()
    assert emulated(bus).state == "bootsel"


def test_a_board_that_never_comes_back_is_no_success(plug: Plug) -> None:
    bus = plug("RP2350")
    emulated(bus).faults.missing = True
    with pytest.raises(DeviceError) as lost:
        install_uf2(bus, only(bus), synthetic.micropython(PICO2), "stock.uf2", Recorder())
    assert lost.value.code == "board-lost"


def test_a_board_that_is_back_after_three_seconds_is_waited_for(plug: Plug) -> None:
    bus = plug("RP2350")
    emulated(bus).attach_ns = 3_000_000_000
    back = install_uf2(bus, only(bus), synthetic.micropython(PICO2), "stock.uf2", Recorder())
    assert back.versions == {"micropython": "1.29.0"}


def test_a_mute_board_is_no_success(plug: Plug, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sabot_host.flash.devices.HELLO_MS", 200)
    monkeypatch.setattr("sabot_host.flash.devices.PROMPT_MS", 300)
    monkeypatch.setattr("sabot_host.flash.returning.VERSION_MS", 2000)
    bus = plug("RP2350")
    emulated(bus).faults.mute = True
    with pytest.raises(DeviceError) as mute:
        install_uf2(bus, only(bus), synthetic.micropython(PICO2), "stock.uf2", Recorder())
    assert mute.value.code == "repl-none"


@pytest.mark.parametrize(
    ("number", "code"), [(errno.EACCES, "usb-denied"), (errno.EBUSY, "usb-busy"), (errno.ENODEV, "flash-pulled")]
)
def test_a_boot_loader_that_cannot_be_opened_is_told_with_the_fix(plug: Plug, number: int, code: str) -> None:
    bus = plug("RP2350")
    device = only(bus)
    emulated(bus).faults.open_error = number
    with pytest.raises(SabotError) as shut:
        flash(bus, device, TwoSectors(PICO2), Recorder())
    assert shut.value.code == code
    with pytest.raises(SabotError) as shut:  # the same when it is shut before it is looked for
        flash(bus, only(bus), TwoSectors(PICO2), Recorder())
    assert shut.value.code == code


def test_another_program_in_the_boot_loader_is_told(plug: Plug) -> None:
    bus = plug("RP2350")
    device = only(bus)
    other = bus.claim(device.loader)  # type: ignore[arg-type]
    with pytest.raises(DeviceError) as busy:
        flash(bus, only(bus), TwoSectors(PICO2), Recorder())
    assert busy.value.code == "usb-busy"
    other.close()


# --- several boards ---


def test_the_right_one_of_several_boards_is_written(plug: Plug) -> None:
    bus = plug("RP2350", "RP2350", "RP2040", "RP2040")
    boards = bus.emulated.boards
    devices, _ = attached(bus)
    assert [device.location for device in devices] == ["1-1.1", "1-1.2", "1-1.3", "1-1.4"]
    with pytest.raises(SabotError) as several:
        choose(devices, None)
    assert several.value.code == "board-several"
    # An RP2350 by its serial number; an RP2040, whose boot loaders all have one serial number, by its place.
    second = choose(devices, devices[1].serial.lower())
    back = install_uf2(bus, second, synthetic.micropython(PICO2), "stock.uf2", Recorder())
    assert back.location == "1-1.2"
    with pytest.raises(SabotError):
        choose(devices, devices[2].serial)
    pico = board_named("pico")
    back = install_uf2(bus, choose(devices, "1-1.4"), synthetic.micropython(pico), "stock.uf2", Recorder())
    assert (back.location, back.serial) == ("1-1.4", boards[3].serial)
    assert [board.state for board in boards] == ["bootsel", "running", "bootsel", "running"]


def test_a_board_that_runs_goes_to_its_boot_loader_and_comes_back(plug: Plug) -> None:
    bus = plug("RP2040", "RP2040")
    pico = board_named("pico")
    for device in attached(bus)[0]:
        install_uf2(bus, device, synthetic.micropython(pico), "stock.uf2", Recorder())
    running = choose(attached(bus)[0], bus.emulated.boards[1].serial)
    assert running.state is State.MICROPYTHON
    back = install_uf2(bus, running, synthetic.micropython(pico, silent=True), "stock.uf2", Recorder())
    assert back.serial == bus.emulated.boards[1].serial
    assert bus.emulated.boards[0].boots == 2
    assert bus.emulated.boards[1].boots == 4
