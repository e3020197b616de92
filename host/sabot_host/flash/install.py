"""Installing a release, or any UF2, on a board: what is refused before anything is erased, and which way it goes.

Entry points: :func:`install_bundle`, :func:`install_uf2`. A board in its boot loader is written through it; one that
runs MicroPython gets the release's files over its prompt and keeps its MicroPython. A table is sent to its boot loader
with the technician's key.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from sabot_host.errors import DeviceError, FileError
from sabot_host.flash import uf2
from sabot_host.flash.boards import BOARDS, Board, board_named, board_of
from sabot_host.flash.bus import Bus
from sabot_host.flash.devices import Device, State, of_loader
from sabot_host.flash.file_copy import BoardFiles, describe, restart
from sabot_host.flash.flasher import Reporter, RoleKey, enter_boot_loader, flash, start_again
from sabot_host.flash.picoboot import Picoboot
from sabot_host.flash.raw_repl import RawRepl
from sabot_host.flash.returning import Identity, await_running, await_silence, check_version
from sabot_host.flash.settings import SETTINGS, kept_settings
from sabot_host.release import binary_info, image
from sabot_host.release.bundle import Bundle
from sabot_host.release.join import join
from sabot_host.release.manifest import Entry

COPY = "copy"


def chip_of(device: Device) -> str:
    """The chip of a device. DeviceError when it is none that Sabot runs on, or nobody can tell."""
    if device.problem is not None:
        raise device.problem
    if device.loader is not None:
        return device.loader.chip
    for board in BOARDS:
        if board.chip in device.board:
            return board.chip
    raise DeviceError(
        "board-unfit",
        f"{device.name} ({device.state}) does not say that it is a board Sabot runs on",
        "hold BOOTSEL while plugging it in, and run the command again",
    )


@contextmanager
def _telling_its_chip(bus: Bus, device: Device, key_of: RoleKey | None) -> Iterator[Device]:
    """The device; a table goes to its boot loader first, and starts again where the file is refused there."""
    if not device.is_table:
        yield device
        return
    loader = enter_boot_loader(bus, device, key_of)
    try:
        yield of_loader(loader)
    except FileError:
        start_again(bus, loader)  # a file is judged before anything is erased
        raise


class _Uf2Plan:
    """A UF2 as it is."""

    def __init__(self, image_: uf2.Image) -> None:
        self._sectors = image_.sectors()

    def sectors(self, boot: Picoboot, reporter: Reporter) -> Mapping[int, bytes]:
        """The file's sectors."""
        return self._sectors


class _ReleasePlan:
    """A release, with the settings of a commissioned table that the board holds."""

    def __init__(self, stock: uf2.Image, name: str, files: Mapping[str, bytes], board: Board, keep: bool) -> None:
        self._stock = stock
        self._name = name
        self._files = files
        self._board = board
        self._settings: dict[str, bytes] | None = None if keep else {}

    def sectors(self, boot: Picoboot, reporter: Reporter) -> Mapping[int, bytes]:
        """Program and file system. The settings are read once: after a pulled cable they may be gone from the flash."""
        if self._settings is None:
            self._settings = kept_settings(boot, self._board, reporter.progress)
            if self._settings:
                reporter.say("the table's settings are kept: " + " ".join(self._settings))
        blocks = image.make({**self._files, **self._settings}, self._board)
        return join(self._stock, self._name, blocks, self._board)[0].sectors()


def install_uf2(
    bus: Bus, device: Device, data: bytes, name: str, reporter: Reporter, key_of: RoleKey | None = None
) -> Device:
    """Write a UF2 through the boot loader; the board is back and has told its version when this returns.

    FileError for a file that is not fit for the board; DeviceError for what happens on the way; RefusedError from a
    table.
    """
    wanted = uf2.read(data, name)
    with _telling_its_chip(bus, device, key_of) as reached:
        uf2.check_fits(wanted, board_of(chip_of(reached)), name)
        info = binary_info.read(wanted)
        back = flash(bus, reached, _Uf2Plan(wanted), reporter, key_of)
    if info is not None and info.program == "MicroPython":
        expected = info.version.lstrip("v").partition("-")[0]
        found = back.versions.get("micropython")
        if found is not None and found != expected:
            raise DeviceError(
                "version-differs",
                f"the board was written, but reports MicroPython {found} where {expected} is expected",
                "run the command again",
            )
    return back


def install_bundle(
    bus: Bus,
    device: Device,
    bundle: Bundle,
    name: str,
    reporter: Reporter,
    *,
    keep: bool,
    key_of: RoleKey | None = None,
) -> Device:
    """Install a release; the board is back and has told the release's version when this returns.

    ``keep`` the table's settings that the board holds. FileError for a release that is not for the board; DeviceError
    for what happens on the way; RefusedError from a table.
    """
    with _telling_its_chip(bus, device, key_of) as reached:
        back = _install(bus, reached, bundle, name, reporter, keep, key_of)
    check_version(back, bundle.manifest.version)
    return back


def _install(
    bus: Bus, device: Device, bundle: Bundle, name: str, reporter: Reporter, keep: bool, key_of: RoleKey | None
) -> Device:
    board = board_named(bundle.manifest.board)
    chip = chip_of(device)
    if chip != board.chip:
        raise FileError(
            "bundle-other-board",
            f"{name} is for {board.title}, the board has an {chip}",
            f"use the release for {board_of(chip).title}",
        )
    if device.state in (State.MICROPYTHON, State.FRESH):
        return _copy(bus, device, bundle, reporter, keep=keep)
    if bundle.manifest.uf2 is None:
        raise FileError(
            "bundle-no-uf2",
            f"{name} holds no MicroPython, which a blank board needs",
            "flash MicroPython's own UF2 first: sabot flash --uf2 FILE",
        )
    stock = uf2.read(bundle.uf2, name)
    uf2.check_fits(stock, board, name)
    return flash(bus, device, _ReleasePlan(stock, name, bundle.on_board, board, keep), reporter, key_of)


def _copy(bus: Bus, device: Device, bundle: Bundle, reporter: Reporter, *, keep: bool) -> Device:
    transport = bus.open_port(device.port)
    try:
        repl = RawRepl(transport)
        repl.enter()
        mpy = describe(repl).mpy & 0xFF
        if mpy != bundle.manifest.mpy:
            raise DeviceError(
                "mpy-version",
                f"the board's MicroPython reads compiled files of version {mpy}, the release has {bundle.manifest.mpy}",
                "hold BOOTSEL while plugging in and run the command again: it brings its own MicroPython",
            )
        _copy_files(BoardFiles(repl), bundle, reporter, keep=keep)
        restart(repl)
        await_silence(transport)
    finally:
        transport.close()
    reporter.say("waiting for the board to start")
    return await_running(bus, Identity.of(device))


def _copy_files(files: BoardFiles, bundle: Bundle, reporter: Reporter, *, keep: bool) -> None:
    """Every file of the release, and none that would stand in its way; ``main.py`` last: half a copy starts nothing."""
    wanted = bundle.on_board
    entries = [Entry.of(path, wanted[path]) for path in sorted(wanted)]
    there = files.paths()
    same = files.hashes(path for path in there if path in wanted)
    due = [entry for entry in entries if same.get(entry.path) != entry.sha256]
    left_over = [path for path in there if path not in wanted and not (keep and path in SETTINGS)]
    if due or left_over:
        files.remove("main.py")
        due = [entry for entry in entries if entry in due or entry.path == "main.py"]
    for path in left_over:
        files.remove(path)
    due.sort(key=lambda entry: (entry.path == "main.py", entry.path))
    total = sum(entry.size for entry in due)
    done = 0

    def written(size: int) -> None:
        nonlocal done
        done += size
        reporter.progress(COPY, done, total)

    reporter.progress(COPY, 0, total)
    for entry in due:
        files.put(entry.path, wanted[entry.path], written)
    files.sync()
