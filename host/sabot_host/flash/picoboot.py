"""The boot loader's protocol (PICOBOOT) without any cable: commands as bytes, answers as values, one exchange as steps.

Entry points: :class:`Picoboot` over :class:`Pipe` (what it needs of a USB device), the command builders
(:func:`erase`, :func:`write_pages` …), :class:`Status`, :class:`PicobootRefused`.

A command is 32 bytes to the OUT endpoint, then its data, then an empty packet the other way as acknowledgement. An
error is both endpoints halted; the reason is read over endpoint 0, and an interface reset starts anew.
"""

from __future__ import annotations

import struct
from typing import NamedTuple, Protocol

from sabot_host.flash.boards import FLASH_BASE, PAGE_BYTES, RP2350, SECTOR_BYTES

MAGIC = 0x431FD10B
_COMMAND = struct.Struct("<IIBBHI16s")
_STATUS = struct.Struct("<IIBB6x")
TO_HOST = 0x80  # bit 7 of a command's number: its data goes to the host

EXCLUSIVE_ACCESS = 0x01
REBOOT = 0x02  # RP2040 only
FLASH_ERASE = 0x03
READ = 0x84
WRITE = 0x05
EXIT_XIP = 0x06
REBOOT2 = 0x0A  # RP2350 only

SHARED, EXCLUSIVE, EXCLUSIVE_EJECT = 0, 1, 2
REBOOT2_NORMAL = 0x00

# Over endpoint 0, to the interface: bmRequestType, bRequest
IF_RESET = (0x41, 0x41)
CMD_STATUS = (0xC1, 0x42)

COMMAND_MS = 3000  # for a command and for its acknowledgement, which an erase sends late
DATA_MS = 10_000

STATUS_NAMES = (
    "OK", "UNKNOWN_CMD", "INVALID_CMD_LENGTH", "INVALID_TRANSFER_LENGTH", "INVALID_ADDRESS", "BAD_ALIGNMENT",
    "INTERLEAVED_WRITE", "REBOOTING", "UNKNOWN_ERROR", "INVALID_STATE", "NOT_PERMITTED", "INVALID_ARG",
    "BUFFER_TOO_SMALL", "PRECONDITION_NOT_MET", "MODIFIED_DATA", "INVALID_DATA", "NOT_FOUND",
    "UNSUPPORTED_MODIFICATION",
)  # fmt: skip


class Command(NamedTuple):
    """One command: its number, its arguments, and how many bytes follow in which direction."""

    number: int
    arguments: bytes = b""
    length: int = 0

    @property
    def to_host(self) -> bool:
        """Whether its data goes to the host."""
        return bool(self.number & TO_HOST)

    def packed(self, token: int) -> bytes:
        """The 32 bytes that go out; ``token`` is repeated in the status."""
        return _COMMAND.pack(MAGIC, token, self.number, len(self.arguments), 0, self.length, self.arguments)


class Status(NamedTuple):
    """What the boot loader says of its last command."""

    token: int
    code: int
    number: int
    in_progress: bool

    @property
    def name(self) -> str:
        """The code's name."""
        return STATUS_NAMES[self.code] if self.code < len(STATUS_NAMES) else f"status {self.code}"

    @classmethod
    def unpacked(cls, data: bytes) -> Status:
        """From the 16 bytes of CMD_STATUS. ValueError when they are not 16."""
        if len(data) != _STATUS.size:
            raise ValueError(f"a status has {_STATUS.size} bytes, not {len(data)}")
        token, code, number, busy = _STATUS.unpack(data)
        return cls(token, code, number, bool(busy))


class PicobootRefused(Exception):
    """The boot loader refused a command; ``status`` says why."""

    def __init__(self, command: Command, status: Status) -> None:
        super().__init__(f"the boot loader refuses command {command.number:02x}: {status.name}")
        self.command = command
        self.status = status


class Stalled(Exception):
    """An endpoint is halted: the device refuses."""


class TimedOut(Exception):
    """The device neither takes nor gives anything."""


class Gone(Exception):
    """The device has left the bus."""


class Pipe(Protocol):
    """A USB device with a claimed PICOBOOT interface. Each call may raise Stalled, TimedOut or Gone."""

    def write(self, data: bytes, timeout_ms: int) -> None:
        """Send one transfer to the OUT endpoint; no bytes is an empty packet."""

    def read(self, size: int, timeout_ms: int) -> bytes:
        """One transfer from the IN endpoint, ``size`` bytes or fewer."""

    def control_read(self, request: tuple[int, int], size: int) -> bytes:
        """A request to the interface whose answer has ``size`` bytes."""

    def control_write(self, request: tuple[int, int]) -> None:
        """A request to the interface without data."""

    def clear_halts(self) -> None:
        """End the halt of both endpoints."""


def erase(address: int, size: int) -> Command:
    """Erase whole sectors of the flash. ValueError when they are not whole or not in the flash's range."""
    if address % SECTOR_BYTES or size % SECTOR_BYTES or size <= 0:
        raise ValueError(f"{size} bytes at {address:08x} are no whole sectors")
    _check_range(address, size)
    return Command(FLASH_ERASE, struct.pack("<II", address, size))


def write_pages(address: int, size: int) -> Command:
    """Program whole pages of erased flash. ValueError when they are not whole or not in the flash's range."""
    if address % PAGE_BYTES or size % PAGE_BYTES or size <= 0:
        raise ValueError(f"{size} bytes at {address:08x} are no whole pages")
    _check_range(address, size)
    return Command(WRITE, struct.pack("<II", address, size), size)


def read_flash(address: int, size: int) -> Command:
    """Read flash from the start of a page on. ValueError when it is no page's start or not in the flash's range."""
    if address % PAGE_BYTES or size <= 0:
        raise ValueError(f"{address:08x} is no page's start")
    _check_range(address, size)
    return Command(READ, struct.pack("<II", address, size), size)


def _check_range(address: int, size: int) -> None:
    # The boot loader does not look whether address and size wrap around.
    if not FLASH_BASE <= address < address + size <= FLASH_BASE + (32 << 20):
        raise ValueError(f"{size} bytes at {address:08x} are no flash")


def exclusive(mode: int) -> Command:
    """Keep the drive from writing meanwhile (EXCLUSIVE), and take it away (EXCLUSIVE_EJECT), or give it back."""
    return Command(EXCLUSIVE_ACCESS, bytes([mode]))


def reboot(chip: str, delay_ms: int) -> Command:
    """Start what is in the flash: the two chips have a command each, and refuse the other's."""
    if chip == RP2350:
        return Command(REBOOT2, struct.pack("<IIII", REBOOT2_NORMAL, delay_ms, 0, 0))
    return Command(REBOOT, struct.pack("<III", 0, 0, delay_ms))


class Picoboot:
    """One conversation with a boot loader of ``chip`` over ``pipe``."""

    def __init__(self, pipe: Pipe, chip: str) -> None:
        self._pipe = pipe
        self.chip = chip
        self._token = 0

    def reset(self) -> None:
        """Begin anew, whatever was left under way: no halt, no status, no exclusive access."""
        self._pipe.clear_halts()
        self._pipe.control_write(IF_RESET)

    def status(self) -> Status:
        """Ask for the status of the last command, over endpoint 0."""
        return Status.unpacked(self._pipe.control_read(CMD_STATUS, _STATUS.size))

    def run(self, command: Command, data: bytes = b"") -> bytes:
        """Send one command with its data, and return what comes back.

        Raises:
            PicobootRefused: it was refused; the conversation has begun anew.
            TimedOut, Gone: of the cable.
        """
        if not command.to_host and len(data) != command.length:
            raise ValueError(f"{len(data)} bytes for a command of {command.length}")
        self._token += 1
        try:
            return self._exchange(command, data)
        except Stalled:
            self._pipe.clear_halts()
            status = self.status()
            self._pipe.control_write(IF_RESET)
            raise PicobootRefused(command, status) from None

    def _exchange(self, command: Command, data: bytes) -> bytes:
        self._pipe.write(command.packed(self._token), COMMAND_MS)
        answer = b""
        if command.to_host:
            while len(answer) < command.length:
                part = self._pipe.read(command.length - len(answer), DATA_MS)
                if not part:
                    raise TimedOut
                answer += part
            self._pipe.write(b"", COMMAND_MS)
            return answer
        if command.length:
            self._pipe.write(data, DATA_MS)
        self._pipe.read(1, COMMAND_MS)
        return answer
