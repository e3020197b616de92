"""Boards on an emulated bus, and the flasher's view of it."""

import fcntl
import os
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

from hwsim.core import NS_PER_MS
from hwsim.usb.bus import Bus as EmulatedBus
from hwsim.usb.bus import rig
from hwsim.usb.chips import chip
from hwsim.usb.server import Server
from hwsim.usb.table import TableBoard
from sabot_host.cli.main import main
from sabot_host.flash.boards import board_named
from sabot_host.flash.bus import Bus, Port, place_of
from sabot_host.release import bundle
from sabot_host.release.make import find_root, make
from sabot_host.release.signing import development
from tests.flash import synthetic
from tests.flash.house import commission, flash_in_place, house_release, own_keys, prepare


class Recorder:
    """Keeps what the flasher tells."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.phases: dict[str, tuple[int, int]] = {}

    def say(self, text: str) -> None:
        self.said.append(text)

    def progress(self, phase: str, done: int, total: int) -> None:
        self.phases[phase] = (done, total)


class VirtualBus(Bus):
    """An emulated bus in this process: its own time for USB, real ports and real time for what runs on the boards.

    The bus's time and the time that passes at the ports add up.
    """

    def __init__(self, bus: EmulatedBus) -> None:
        self.emulated = bus
        self._session = bus.session()

    @cached_property
    def _backend(self) -> Any:
        return self.emulated.backend()

    def now_ms(self) -> int:
        return self.emulated.clock.scheduler.now // NS_PER_MS + super().now_ms()

    def sleep_ms(self, duration: int) -> None:
        self.emulated.run_for(duration / 1000)

    def ports(self) -> list[Port]:
        return [Port(port.device, place_of(port.location), port.serial, port.product) for port in self._session.ports()]


@pytest.fixture
def buses() -> Iterator[list[EmulatedBus]]:
    """Buses that are closed when the test is over."""
    made: list[EmulatedBus] = []
    yield made
    for bus in made:
        bus.close()


class Plug:
    """Plugs blank boards into a bus of this process."""

    def __init__(self, buses: list[EmulatedBus]) -> None:
        self._buses = buses

    def __call__(self, *chips: str) -> VirtualBus:
        bus = rig([chip(name.lower()) for name in chips])
        self._buses.append(bus)
        bus.settle()
        return VirtualBus(bus)


@pytest.fixture
def plug(buses: list[EmulatedBus]) -> Plug:
    return Plug(buses)


class Desk:
    """A computer with boards, for the `sabot` command itself: the bus is in real time and served to other processes."""

    def __init__(self, bus: EmulatedBus, folder: Path) -> None:
        self.bus = bus
        self.folder = folder

    def run(self, *words: str) -> int:
        """One command; its exit status."""
        return main(words)


@pytest.fixture
def desk(
    buses: list[EmulatedBus], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Iterator[Desk]:
    """Blank boards, one for each chip of the parameter, a Pico 2 without one; the working folder is its own."""
    chips = getattr(request, "param", ("RP2350",))
    bus = rig([chip(name.lower()) for name in chips], real=True)
    buses.append(bus)
    bus.settle()
    socket = tmp_path / "bus"
    for name, value in {"SABOT_USB": "hwsim.usb.client", "HWSIM_USB": socket, "XDG_RUNTIME_DIR": tmp_path}.items():
        monkeypatch.setenv(name, str(value))
    monkeypatch.chdir(tmp_path)
    with Server(bus, socket):
        yield Desk(bus, tmp_path)


@pytest.fixture(scope="session")
def stock() -> bytes:
    """MicroPython's UF2 for a Pico 2, as far as tools can tell."""
    return synthetic.micropython(board_named("pico2"))


@pytest.fixture(scope="session")
def release(stock: bytes, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The release of these sources for a Pico 2, MicroPython joined in; made once for all test processes of a run."""
    folder = tmp_path_factory.getbasetemp()
    path = (folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder) / "stock.sabot"
    with path.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not path.exists():
            path.write_bytes(
                bundle.write(make(find_root(None), board_named("pico2"), stock, "stock.uf2", development()))
            )
        return path.read_bytes()


@pytest.fixture
def table_board(desk: Desk) -> TableBoard:
    """The table that is around the board."""
    application = TableBoard()
    desk.bus.application = application
    return application


@pytest.fixture
def fresh(desk: Desk, table_board: TableBoard, release: bytes) -> Desk:
    """A desk with one board that has the firmware and no settings."""
    prepare(desk.folder, release)
    board = desk.bus.boards[0]
    board.unplug()
    flash_in_place(board, bundle.read(desk.folder / "sabot.sabot"))
    board.plug()
    desk.bus.settle()
    assert board.state == "running"
    return desk


@pytest.fixture
def commissioned(desk: Desk, table_board: TableBoard, release: bytes) -> Desk:
    """A desk with one board that is table 12 and runs; the release is there as `r.sabot`."""
    board = desk.bus.boards[0]
    (desk.folder / "r.sabot").write_bytes(release)
    board.unplug()
    commission(board, bundle.read(desk.folder / "r.sabot").on_board, desk.folder)
    board.plug()
    desk.bus.settle()
    return desk


@pytest.fixture
def own(desk: Desk, table_board: TableBoard, release: bytes) -> Desk:
    """A desk with table 12, whose keys are the house's own, the one that signed its release too."""
    board = desk.bus.boards[0]
    (desk.folder / "r.sabot").write_bytes(house_release(release, desk.folder / "keys"))
    board.unplug()
    commission(board, bundle.read(desk.folder / "r.sabot").on_board, desk.folder, own=own_keys())
    board.plug()
    desk.bus.settle()
    return desk
