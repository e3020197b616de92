"""A small PICOBOOT client over the real pyusb, written from the protocol: the tests break its rules one at a time.

Entry points: :class:`Client`, :func:`device_of`.
"""

import itertools
import struct
from typing import Any

import usb.core
import usb.util

from hwsim.usb.board import Board
from hwsim.usb.bus import Bus

MAGIC = 0x431FD10B
EXCLUSIVE, REBOOT, ERASE, READ, WRITE, EXIT_XIP, ENTER_XIP, EXEC, VECTORIZE = 1, 2, 3, 0x84, 5, 6, 7, 8, 9
REBOOT2, GET_INFO, OTP_READ, OTP_WRITE = 0x0A, 0x8B, 0x8C, 0x0D
FLASH = 0x10000000
SECTOR = 4096


def device_of(bus: Bus, board: Board) -> Any:
    """The pyusb device of a board that is on the bus."""
    ports = tuple(int(number) for number in board.port.partition("-")[2].split("."))
    found = [device for device in usb.core.find(True, bus.backend()) if device.port_numbers == ports]
    assert len(found) == 1
    return found[0]


class Client:
    """One open board in BOOTSEL. Methods raise usb.core.USBError, its errno as libusb would give it."""

    def __init__(self, bus: Bus, board: Board, *, acknowledge: bool = True) -> None:
        self.device = device_of(bus, board)
        interfaces = list(self.device.get_active_configuration())
        self.interface = next(one for one in interfaces if one.bInterfaceClass == 0xFF)
        self.number = self.interface.bInterfaceNumber
        self.out, self.into = (endpoint.bEndpointAddress for endpoint in self.interface)
        self.acknowledge = acknowledge
        self._tokens = itertools.count(1)
        usb.util.claim_interface(self.device, self.number)

    def send(self, command: int, arguments: bytes = b"", length: int = 0, size: int | None = None) -> None:
        """The 32 bytes of a command."""
        head = struct.pack(
            "<IIBBHI", MAGIC, next(self._tokens), command, len(arguments) if size is None else size, 0, length
        )
        self.device.write(self.out, head + arguments.ljust(16, b"\0"), 3000)

    def run(self, command: int, arguments: bytes = b"", data: bytes = b"", length: int | None = None) -> bytes:
        """A command with all its phases."""
        into = bool(command & 0x80)
        length = len(data) if length is None else length
        self.send(command, arguments, length)
        answer = b""
        if length and into:
            answer = bytes(self.device.read(self.into, length, 10_000))
        elif length:
            self.device.write(self.out, data, 10_000)
        if self.acknowledge:
            if into:
                self.device.write(self.out, b"", 3000)
            else:
                self.device.read(self.into, 1, 3000)
        return answer

    def exclusive(self, how: int = 1) -> None:
        """Take, give back (0) or take and eject (2)."""
        self.run(EXCLUSIVE, bytes((how,)))

    def erase(self, address: int, size: int = SECTOR) -> None:
        """Erase sectors."""
        self.run(ERASE, struct.pack("<II", address, size))

    def write(self, address: int, data: bytes) -> None:
        """Write memory."""
        self.run(WRITE, struct.pack("<II", address, len(data)), data)

    def read(self, address: int, size: int) -> bytes:
        """Read memory."""
        return self.run(READ, struct.pack("<II", address, size), length=size)

    def info(self, kind: int, parameter: int = 0, length: int = 256) -> list[int]:
        """GET_INFO as words."""
        return list(
            struct.unpack(
                f"<{length // 4}I", self.run(GET_INFO, struct.pack("<IIII", kind, parameter, 0, 0), length=length)
            )
        )

    def reboot(self, delay_ms: int = 500) -> None:
        """Start the program: the command of the chip's family."""
        if self.device.idProduct == 0x000F:
            self.run(REBOOT2, struct.pack("<IIII", 0, delay_ms, 0, 0))
        else:
            self.run(REBOOT, struct.pack("<III", 0, 0, delay_ms))

    def status(self) -> tuple[int, int, int, int]:
        """CMD_STATUS: token, status, command id, in progress."""
        answer = bytes(self.device.ctrl_transfer(0xC1, 0x42, 0, self.number, 16))
        token, status, command, in_progress = struct.unpack("<IIBB6x", answer)
        return token, status, command, in_progress

    def reset(self) -> None:
        """IF_RESET."""
        self.device.ctrl_transfer(0x41, 0x41, 0, self.number, None)

    def flash(self, address: int, content: bytes) -> None:
        """Erase, write and compare, sector by sector, as the protocol wants it."""
        self.exclusive()
        self.run(EXIT_XIP)
        for at in range(0, len(content), SECTOR):
            sector = content[at : at + SECTOR].ljust(SECTOR, b"\xff")
            self.erase(address + at)
            self.write(address + at, sector)
            if self.read(address + at, SECTOR) != sector:
                raise ValueError(f"wrong at {address + at:08x}")
        self.exclusive(0)
