"""Finding a board again after it was restarted, and reading its version back.

Entry points: :class:`Identity` (how a board is known on both sides of a restart), :func:`await_boot_loader`,
:func:`await_back`, :func:`await_running`. A board changes its USB ids and its port's name when it restarts. It is known
by the serial number of its chip where the boot loader tells that (RP2350), and else by its socket (RP2040).
"""

from __future__ import annotations

from dataclasses import dataclass

from sabot_host.errors import DeviceError, SabotError
from sabot_host.flash.bus import Bus
from sabot_host.flash.devices import Device, State, look, of_loader
from sabot_host.flash.usb_bus import BootLoader
from sabot_host.link.client import Transport

LEAVE_MS = 5000  # a boot loader that obeys is gone in half a second
RETURN_MS = 15_000  # a board is back after 0.2 to 3 s; the first start with a new file system takes longer
VERSION_MS = 20_000
LOOK_MS = 100


@dataclass(frozen=True)
class Identity:
    """``serial`` is the chip's own number, or empty where only ``location`` tells boards apart."""

    serial: str
    location: str

    @classmethod
    def of(cls, device: Device) -> Identity:
        """The identity of a device found."""
        return cls(device.serial.casefold() if device.unique else "", device.location)

    def is_at(self, location: str, serial: str, unique: bool) -> bool:
        """Whether a board seen there is this one."""
        if self.serial and unique and serial:
            return serial.casefold() == self.serial
        return location == self.location


def find_boot_loader(bus: Bus, identity: Identity) -> BootLoader | None:
    """The boot loader of that board, when it is there now."""
    for loader in bus.boot_loaders():
        if identity.is_at(loader.location, loader.serial, loader.unique):
            return loader
    return None


def await_boot_loader(bus: Bus, identity: Identity, timeout_ms: int = RETURN_MS) -> BootLoader:
    """Wait until the board is there as a boot loader. DeviceError when it is not in time."""
    end = bus.now_ms() + timeout_ms
    while True:
        loader = find_boot_loader(bus, identity)
        if loader is not None and not loader.denied:
            return loader
        if bus.now_ms() >= end:
            if loader is not None:
                raise DeviceError(
                    "usb-denied",
                    f"you may not use the {loader.chip} boot loader at USB {loader.location}",
                    "sudo sabot udev --install, then plug it in again",
                )
            raise DeviceError(
                "boot-loader-missing",
                "the board does not show its boot loader",
                "unplug it, hold BOOTSEL while plugging in, run the command again",
            )
        bus.sleep_ms(LOOK_MS)


def await_back(bus: Bus, identity: Identity, timeout_ms: int) -> Device:
    """Wait until a board that was unplugged is there again, whatever it does. DeviceError when it is not in time."""
    end = bus.now_ms() + timeout_ms
    while bus.now_ms() < end:
        loader = find_boot_loader(bus, identity)
        if loader is not None:
            return of_loader(loader)
        for port in bus.ports():
            if identity.is_at(port.location, port.serial, True):
                return look(bus, port)
        bus.sleep_ms(LOOK_MS)
    raise DeviceError("board-lost", "the board is not plugged in again", "plug it in, run the command again")


def await_leaving(bus: Bus, identity: Identity) -> None:
    """Wait until the boot loader has left the bus. DeviceError when it stays: it ignored the restart."""
    end = bus.now_ms() + LEAVE_MS
    while find_boot_loader(bus, identity) is not None:
        if bus.now_ms() >= end:
            raise DeviceError(
                "flash-not-started",
                "all is written, but the boot loader does not start it",
                "unplug the board and plug it in, then look with: sabot devices",
            )
        bus.sleep_ms(LOOK_MS)


def await_silence(transport: Transport) -> None:
    """Wait until an open port is gone: the board behind it restarts. DeviceError when it stays."""
    end = transport.now_ms() + LEAVE_MS
    while transport.now_ms() < end:
        try:
            transport.read(LOOK_MS)
        except DeviceError:
            return
    raise DeviceError(
        "restart-ignored",
        "the board does not restart when it is told to",
        "unplug it, plug it in, look with: sabot devices",
    )


def await_running(bus: Bus, identity: Identity) -> Device:
    """Wait until the board is back on its port and its version can be read. DeviceError when it is not."""
    end = bus.now_ms() + RETURN_MS
    limit = bus.now_ms() + VERSION_MS
    problem: SabotError | None = None
    while True:
        ports = [port for port in bus.ports() if identity.is_at(port.location, port.serial, True)]
        for port in ports:
            device = look(bus, port)
            if device.versions:
                return device
            problem = device.problem or DeviceError(
                "board-strange",
                f"the board is back at {port.name}, but it is no MicroPython and tells no version",
                "was it the right file? hold BOOTSEL while plugging in, run the command again",
            )
        now = bus.now_ms()
        if now >= limit or (now >= end and not ports):
            break
        bus.sleep_ms(LOOK_MS)
    if problem is not None:
        raise problem
    raise DeviceError(
        "board-lost",
        "the board does not come back after its restart",
        "unplug it, plug it in, look with: sabot devices; else hold BOOTSEL while plugging in and flash again",
    )


def check_version(device: Device, expected: str) -> None:
    """DeviceError unless the Sabot that runs on the board is the one ``expected``."""
    found = device.versions.get("sabot", "")
    if found != expected or device.state not in (State.FRESH, State.RUNNING, State.SEALED):
        raise DeviceError(
            "version-differs",
            f"the board was written, but reports version {found or 'none'} where {expected} is expected",
            "run the command again",
        )
