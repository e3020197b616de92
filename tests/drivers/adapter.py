"""Runs the drivers on CPython against the chip models: the board's buses, pins and clock on a scheduler.

Entry points: `Board` (a scheduler with its pins, buses and clock; every call costs 8 us of virtual time, as each call
of the firmware's hardware modules does; the clock is given to each driver imported before), `run` (steps a driver
to its end).
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Protocol

from hwsim.core import NS_PER_US, I2cDevice, Line, Scheduler, SpiDevice

DRIVERS = Path(__file__).parents[2] / "drivers"
WRAP = 1 << 30
LIMIT_NS = 30_000_000_000


class Clock:
    """The `time` module of the board: ticks that wrap at 2**30."""

    def __init__(self, board: Board) -> None:
        self._board = board

    def ticks_us(self) -> int:
        self._board.charge()
        return self._board.ticks()

    def ticks_add(self, ticks: int, delta: int) -> int:
        return (ticks + delta) % WRAP

    def ticks_diff(self, end: int, start: int) -> int:
        return (end - start + WRAP // 2) % WRAP - WRAP // 2

    def sleep_us(self, us: int) -> None:
        self._board.charge()
        self._board.scheduler.run_until(self._board.scheduler.now + us * NS_PER_US)


class Output:
    """A pin that drives a line."""

    def __init__(self, board: Board, line: Line) -> None:
        self._board = board
        self._line = line

    def value(self, level: int) -> None:
        self._board.charge()
        self._line.drive(level)


class Input:
    """A pin that reads a line."""

    def __init__(self, board: Board, line: Line) -> None:
        self._board = board
        self._line = line

    def value(self) -> int:
        self._board.charge()
        return self._line.level


class Spi:
    """A bus at ``bit_rate``; the one device whose select is low takes part, else MISO floats high."""

    def __init__(self, board: Board, bit_rate: int) -> None:
        self._board = board
        self._byte_ns = 8_000_000_000 // bit_rate
        self.selected: SpiDevice | None = None
        self.frames = 0
        self.bytes = 0

    def select(self, device: SpiDevice) -> Select:
        return Select(self._board, self, device)

    def write(self, buf: bytes | bytearray | memoryview) -> None:
        self._transfer(bytes(buf))

    def readinto(self, buf: bytearray | memoryview, write: int = 0) -> None:
        buf[:] = self._transfer(bytes([write]) * len(buf))

    def _transfer(self, mosi: bytes) -> bytes:
        self._board.charge()
        self.frames += 1
        self.bytes += len(mosi)
        scheduler = self._board.scheduler
        end = scheduler.now + len(mosi) * self._byte_ns
        miso = self.selected.transfer(mosi, self._byte_ns) if self.selected else b"\xff" * len(mosi)
        scheduler.run_until(max(end, scheduler.now))
        return miso


class Select:
    """The chip select pin of one device."""

    def __init__(self, board: Board, spi: Spi, device: SpiDevice) -> None:
        self._board = board
        self._spi = spi
        self._device = device

    def value(self, level: int) -> None:
        self._board.charge()
        if level == 0 and self._spi.selected is not self._device:
            assert self._spi.selected is None, "two devices selected"
            self._spi.selected = self._device
            self._device.select()
        elif level and self._spi.selected is self._device:
            self._spi.selected = None
            self._device.deselect()


class I2c:
    """A bus at 400 kbit/s with devices by address."""

    def __init__(self, board: Board, devices: dict[int, I2cDevice]) -> None:
        self._board = board
        self.devices = devices
        self.transactions = 0

    def _begin(self, address: int) -> I2cDevice:
        self._board.charge()
        self.transactions += 1
        if address not in self.devices:
            raise OSError(5, "EIO")
        return self.devices[address]

    def _wire(self, count: int) -> None:
        scheduler = self._board.scheduler
        scheduler.run_until(scheduler.now + count * 9 * 2_500)

    def writeto(self, address: int, buf: bytes | bytearray | memoryview) -> int:
        device = self._begin(address)
        taken = device.write(bytes(buf))
        self._wire(1 + len(buf) + self._stretched(device))
        device.stop()
        if taken != len(buf):
            raise OSError(5, "EIO")
        return taken

    def readfrom_into(self, address: int, buf: bytearray | memoryview) -> None:
        device = self._begin(address)
        data = device.read(len(buf))
        self._wire(1 + len(data) + self._stretched(device))
        device.stop()
        if len(data) != len(buf):
            raise OSError(5, "EIO")
        buf[:] = data

    @staticmethod
    def _stretched(device: I2cDevice) -> int:
        """How long the device held the clock, in bytes' worth of time."""
        return int(getattr(device, "stretch_ns", 0)) // (9 * 2_500)

    def readfrom_mem_into(self, address: int, register: int, buf: bytearray) -> None:
        device = self._begin(address)
        taken = device.write(bytes([register]))
        self._wire(2)
        if taken != 1:
            device.stop()
            raise OSError(5, "EIO")
        buf[:] = device.read(len(buf))
        self._wire(1 + len(buf))
        device.stop()


class Board:
    """A scheduler and what the board puts on it; ``cost_us`` is charged for each call."""

    def __init__(self, cost_us: int = 8) -> None:
        self.scheduler = Scheduler()
        self.cost_ns = cost_us * NS_PER_US
        self.clock = Clock(self)
        for name, module in list(sys.modules.items()):
            file = getattr(module, "__file__", None)
            if file and Path(file).is_relative_to(DRIVERS) and hasattr(module, "time"):
                setattr(sys.modules[name], "time", self.clock)  # noqa: B010  (mypy knows no attribute time)

    def charge(self) -> None:
        self.scheduler.run_until(self.scheduler.now + self.cost_ns)

    def ticks(self) -> int:
        return self.scheduler.now // NS_PER_US % WRAP

    def spi(self, bit_rate: int) -> Spi:
        return Spi(self, bit_rate)


class Task(Protocol):
    """Anything that is done in steps."""

    def step(self) -> int: ...


def run(board: Board, task: Task) -> int:
    """Step ``task`` to its end; returns the number of steps. A task that does not end fails the test."""
    limit = board.scheduler.now + LIMIT_NS
    steps = 1
    wait = task.step()
    while wait >= 0:
        assert board.scheduler.now < limit, "the task does not end"
        board.scheduler.run_until(board.scheduler.now + wait * NS_PER_US)
        steps += 1
        wait = task.step()
    return steps
