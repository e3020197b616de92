"""Boards on an emulated bus for a test, all unplugged when it is over."""

from collections.abc import Iterator

import pytest

from hwsim.usb.board import Board
from hwsim.usb.bus import Bus, rig
from hwsim.usb.chips import Chip


class Plug:
    """Plugs in blank boards."""

    def __init__(self) -> None:
        self.buses: list[Bus] = []

    def __call__(self, chip: Chip, *, real: bool = False) -> tuple[Bus, Board]:
        """A bus with one blank board of ``chip`` in BOOTSEL, its id always the same."""
        bus = self.bus([chip], real=real)
        return bus, bus.boards[0]

    def bus(self, chips: list[Chip], *, real: bool = False) -> Bus:
        """A bus with blank boards in BOOTSEL."""
        made = rig(chips, real=real)
        self.buses.append(made)
        made.settle()
        return made


@pytest.fixture
def plug() -> Iterator[Plug]:
    """Boards for this test."""
    made = Plug()
    yield made
    for bus in made.buses:
        bus.close()
