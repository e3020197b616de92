"""The address space of a chip in BOOTSEL: ROM, RAM and flash, with the checks of the boot ROM.

Entry points: :class:`Memory` and the status codes that its checks give (:class:`Status`).

Limits: no XIP cache, no peripherals, no partition permissions (every address of the flash may be read and written).
"""

from __future__ import annotations

from enum import IntEnum

from hwsim.usb.chips import FLASH_BASE, PAGE, RAM_BASE, ROM_BASE, SECTOR, Chip
from hwsim.usb.flash import FlashMemory


class Status(IntEnum):
    """PICOBOOT status codes."""

    OK = 0
    UNKNOWN_CMD = 1
    INVALID_CMD_LENGTH = 2
    INVALID_TRANSFER_LENGTH = 3
    INVALID_ADDRESS = 4
    BAD_ALIGNMENT = 5
    INTERLEAVED_WRITE = 6
    REBOOTING = 7
    UNKNOWN_ERROR = 8
    INVALID_STATE = 9
    NOT_PERMITTED = 10
    INVALID_ARG = 11
    BUFFER_TOO_SMALL = 12
    PRECONDITION_NOT_MET = 13
    MODIFIED_DATA = 14
    INVALID_DATA = 15
    NOT_FOUND = 16
    UNSUPPORTED_MODIFICATION = 17


class Memory:
    """ROM, RAM and flash of one chip."""

    def __init__(self, chip: Chip, flash: FlashMemory) -> None:
        self.flash = flash
        self.ram = bytearray(chip.ram_size)
        self._rom = chip.rom()
        self._flash_end = chip.flash_end
        self._ram_end = RAM_BASE + chip.ram_size

    def in_flash(self, address: int, size: int) -> bool:
        """Whether both ends lie in the flash window; its end is inside, as in the ROM."""
        return FLASH_BASE <= address <= self._flash_end and FLASH_BASE <= address + size <= self._flash_end

    def in_ram(self, address: int, size: int) -> bool:
        """Whether the range lies in RAM."""
        return address >= RAM_BASE and address + size <= self._ram_end

    def check_erase(self, address: int, size: int) -> Status:
        """What the ROM says to erasing a range."""
        if address % SECTOR or size % SECTOR:
            return Status.BAD_ALIGNMENT
        return Status.OK if self.in_flash(address, size) else Status.INVALID_ADDRESS

    def check_access(self, address: int, size: int, *, write: bool) -> Status:
        """What the ROM says to reading or writing one chunk."""
        in_rom = ROM_BASE <= address <= len(self._rom) and address + size <= len(self._rom)
        if self.in_ram(address, size) or (in_rom and not write):
            return Status.OK
        if not self.in_flash(address, size):
            return Status.INVALID_ADDRESS
        return Status.BAD_ALIGNMENT if address % PAGE else Status.OK

    def read(self, address: int, count: int) -> bytes:
        """Content of a range that ``check_access`` let pass."""
        if self.in_ram(address, count):
            return bytes(self.ram[address - RAM_BASE : address - RAM_BASE + count])
        if address < len(self._rom):
            return self._rom[address : address + count]
        return self.flash.read(address - FLASH_BASE, count)

    def write(self, address: int, page: bytes, count: int, *, whole: bool = True) -> None:
        """Write ``count`` bytes of ``page``; into flash the whole page goes, whatever ``count`` is."""
        if self.in_ram(address, count):
            self.ram[address - RAM_BASE : address - RAM_BASE + count] = page[:count]
        else:
            self.flash.program(address - FLASH_BASE, page, whole=whole)
