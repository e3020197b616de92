"""Buses, pins and time as CircuitPython's drivers know them, on the chip models.

Entry points: :class:`World` (a scheduler with ``clock``, ``i2c()``, ``spi()``, ``uart()`` and ``pin()``). Every call
costs virtual time, as each costs a Linux board's system call; a model's time moves by nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from hwsim.core import NS_PER_S, NS_PER_US, Line, Scheduler, SpiDevice
from hwsim.uart import UartPort

ENXIO = 6
ETIMEDOUT = 110
CALL_NS = 100 * NS_PER_US


class Target(Protocol):
    """A chip on I2C that tells whether its address would be acknowledged."""

    bit_ns: int

    @property
    def acknowledges(self) -> bool: ...

    def write(self, data: bytes) -> int: ...

    def read(self, count: int) -> bytes: ...

    def stop(self) -> None: ...


class Clock:
    """The part of the `time` module that the drivers use."""

    def __init__(self, scheduler: Scheduler) -> None:
        self._scheduler = scheduler

    def monotonic(self) -> float:
        return self._scheduler.now / NS_PER_S

    def sleep(self, seconds: float) -> None:
        self._scheduler.run_until(self._scheduler.now + max(round(seconds * NS_PER_S), CALL_NS))


class _Lock:
    """What every CircuitPython bus has; nobody else is on it here."""

    def __init__(self) -> None:
        self._locked = False

    def try_lock(self) -> bool:
        assert not self._locked, "a driver locks a bus that it has locked"
        self._locked = True
        return True

    def unlock(self) -> None:
        self._locked = False


class I2C(_Lock):
    """``busio.I2C`` at 400 kHz."""

    frequency = 400_000
    timeout_ns = NS_PER_S

    def __init__(self, scheduler: Scheduler, devices: Mapping[int, Any], call_ns: int) -> None:
        super().__init__()
        self._scheduler = scheduler
        self._call_ns = call_ns
        self._devices = dict(devices)

    def writeto(self, address: int, buffer: bytes, *, start: int = 0, end: int | None = None) -> None:
        device = self._device(address)
        self._write(device, bytes(buffer[start:end]))
        device.stop()

    def readfrom_into(self, address: int, buffer: bytearray, *, start: int = 0, end: int | None = None) -> None:
        device = self._device(address)
        self._read(device, buffer, start, end)
        device.stop()

    def writeto_then_readfrom(
        self,
        address: int,
        buffer_out: bytes,
        buffer_in: bytearray,
        *,
        out_start: int = 0,
        out_end: int | None = None,
        in_start: int = 0,
        in_end: int | None = None,
    ) -> None:
        device = self._device(address)
        self._write(device, bytes(buffer_out[out_start:out_end]))
        self._read(device, buffer_in, in_start, in_end)
        device.stop()

    def _device(self, address: int) -> Target:
        self._scheduler.run_until(self._scheduler.now + self._call_ns)
        if address not in self._devices:
            raise OSError(ENXIO, "no device at this address")
        device: Target = self._devices[address]
        return device

    def _write(self, device: Target, data: bytes) -> None:
        taken = device.write(data)
        self._pass(device, 1 + len(data))
        if taken < len(data) or not device.acknowledges:
            device.stop()
            raise OSError(ENXIO, "not acknowledged")

    def _read(self, device: Target, buffer: bytearray, start: int, end: int | None) -> None:
        wanted = len(buffer[start:end])
        data = device.read(wanted)
        self._pass(device, 1 + wanted)
        if len(data) < wanted:
            device.stop()
            raise OSError(ENXIO, "not acknowledged")
        buffer[start : start + wanted] = data

    def _pass(self, device: Target, count: int) -> None:
        stretch = getattr(device, "stretch_ns", 0)
        if stretch > self.timeout_ns:
            raise OSError(ETIMEDOUT, "the clock is held")
        self._scheduler.run_until(self._scheduler.now + stretch + count * 9 * NS_PER_S // self.frequency)


class Pin:
    """``digitalio.DigitalInOut`` on a line."""

    def __init__(self, scheduler: Scheduler, line: Line) -> None:
        self._scheduler = scheduler
        self._line = line
        self.direction: object = None
        self.pull: object = None

    def switch_to_output(self, value: bool = False, drive_mode: object = None) -> None:
        self.value = value

    @property
    def value(self) -> bool:
        return bool(self._line.level)

    @value.setter
    def value(self, level: bool) -> None:
        self._scheduler.run_until(self._scheduler.now + CALL_NS)
        self._line.drive(1 if level else 0)


class SPI(_Lock):
    """``busio.SPI`` with one device, selected by its own line."""

    def __init__(self, scheduler: Scheduler, device: SpiDevice, select: Line) -> None:
        super().__init__()
        self._scheduler = scheduler
        self._device = device
        self._byte_ns = 0
        select.listen(lambda _line, level: device.deselect() if level else device.select())

    def configure(self, *, baudrate: int, polarity: int, phase: int) -> None:
        assert (polarity, phase) in ((0, 0), (1, 1))
        self._byte_ns = 8 * NS_PER_S // baudrate

    def write(self, buffer: bytes, *, start: int = 0, end: int | None = None) -> None:
        self._transfer(bytes(buffer[start:end]))

    def readinto(self, buffer: bytearray, *, start: int = 0, end: int | None = None, write_value: int = 0) -> None:
        wanted = len(buffer[start:end])
        buffer[start : start + wanted] = self._transfer(bytes([write_value]) * wanted)

    def _transfer(self, mosi: bytes) -> bytes:
        miso = self._device.transfer(mosi, self._byte_ns)
        self._scheduler.run_until(self._scheduler.now + CALL_NS + len(mosi) * self._byte_ns)
        return miso


class UART:
    """``busio.UART`` with a time-out in seconds for ``read``."""

    def __init__(self, scheduler: Scheduler, port: UartPort, timeout: float) -> None:
        self._scheduler = scheduler
        self._port = port
        self._timeout_ns = round(timeout * NS_PER_S)

    @property
    def in_waiting(self) -> int:
        self._scheduler.run_until(self._scheduler.now + CALL_NS)
        return self._port.any()

    def reset_input_buffer(self) -> None:
        self._port.read(self._port.any())

    def write(self, data: bytes) -> None:
        self._port.write(bytes(data))
        self._scheduler.run_until(self._scheduler.now + CALL_NS)

    def read(self, count: int) -> bytes | None:
        end = self._scheduler.now + self._timeout_ns
        while self._port.any() < count and self._scheduler.now < end:
            self._scheduler.run_until(self._scheduler.now + CALL_NS)
        return self._port.read(min(count, self._port.any())) or None


class World:
    """One bench."""

    def __init__(self) -> None:
        self.scheduler = Scheduler()
        self.clock = Clock(self.scheduler)

    def i2c(self, devices: Mapping[int, Any], call_ns: int = CALL_NS) -> I2C:
        return I2C(self.scheduler, devices, call_ns)

    def spi(self, device: SpiDevice) -> tuple[SPI, Pin]:
        """The bus and the chip select of its device."""
        select = Line("CS", 1)
        return SPI(self.scheduler, device, select), self.pin(select)

    def uart(self, port: UartPort, timeout: float = 0.1) -> UART:
        return UART(self.scheduler, port, timeout)

    def pin(self, line: Line) -> Pin:
        return Pin(self.scheduler, line)

    def run(self, seconds: float) -> None:
        self.clock.sleep(seconds)
