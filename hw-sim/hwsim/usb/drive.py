"""The drive that a board in BOOTSEL shows: what the boot ROM does with each sector that is copied onto it.

Entry point: :class:`Drive`. A file is handed over as its content (:meth:`Drive.copy`), as an operating system would
write its sectors in order.

Limits: no SCSI and no FAT; the bulk endpoints of the mass-storage interface never answer, so nothing can be read from
the drive. Erasing and programming by way of the drive take no time.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntFlag

from hwsim.core import NS_PER_MS
from hwsim.usb import uf2
from hwsim.usb.chips import FAMILY_ABSOLUTE, FLASH_BASE, PAGE, SECTOR, Chip
from hwsim.usb.memory import Memory

REBOOT_NS = 500 * NS_PER_MS
_WORKAROUND_TARGET = 0x10FF_FF00  # the block that works around erratum E10 of the RP2350: never meant for the memory


class Uf2Status(IntFlag):
    """Flags of PICOBOOT GET_INFO, type 4."""

    IGNORED_FAMILY = 0x01
    LOCKED = 0x10
    BAD_ADDRESS = 0x20
    WRITE_ERROR = 0x40
    REBOOT_FAILED = 0x80


@dataclass
class _Transfer:
    """One UF2 file on its way: its blocks so far, its erased sectors, and the kind of memory it goes to."""

    family: int = 0
    count: int = 0
    done: set[int] = field(default_factory=set)
    erased: set[int] = field(default_factory=set)
    ram: bool | None = None
    began: bool = False


class Drive:
    """The drive of one board.

    ``reboot(delay)`` is called when a file is complete. ``mutated`` tells who changed the flash last; PICOBOOT shares
    it (status INTERLEAVED_WRITE).
    """

    SOURCE = "drive"

    def __init__(self, chip: Chip, memory: Memory, reboot: Callable[[int], None]) -> None:
        self.locked = False
        """PICOBOOT has exclusive access: writes fail."""
        self.ejected = False
        self.mutated = ""
        self.status = Uf2Status(0)
        self._chip = chip
        self._memory = memory
        self._reboot = reboot
        self._transfer = _Transfer()

    @property
    def progress(self) -> tuple[int, int, int]:
        """Family, valid blocks so far and blocks of the current file."""
        return self._transfer.family, len(self._transfer.done), self._transfer.count

    def copy(self, content: bytes) -> None:
        """Copy a file onto the drive; OSError EIO when it is locked, ENODEV when it is ejected."""
        for at in range(0, len(content), uf2.BLOCK):
            self.write(content[at : at + uf2.BLOCK])

    def write(self, sector: bytes) -> None:
        """Write one sector of file content."""
        if self.ejected:
            raise OSError(errno.ENODEV, os.strerror(errno.ENODEV))
        if self.locked:
            self.status |= Uf2Status.LOCKED
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        block = uf2.Block.read(sector)
        if block is None or not block.flags & uf2.FAMILY or block.flags & uf2.NOT_MAIN_FLASH or len(block.data) != PAGE:
            return
        if block.family == FAMILY_ABSOLUTE and block.address == _WORKAROUND_TARGET:
            return
        if block.family not in self._chip.families:
            self.status |= Uf2Status.IGNORED_FAMILY
            return
        self._take(block)

    def restart(self) -> None:
        """Forget the file that is on its way."""
        self._transfer = _Transfer()

    def _take(self, block: uf2.Block) -> None:
        transfer = self._transfer
        if (block.family, block.count) != (transfer.family, transfer.count):
            transfer = self._transfer = _Transfer(block.family, block.count)
            self.status = Uf2Status(0)
        if block.number >= block.count or block.number in transfer.done:
            return
        ram = self._memory.in_ram(block.address, PAGE)
        flash = self._memory.in_flash(block.address, PAGE) and block.address % PAGE == 0
        if not (ram or flash) or transfer.ram not in (None, ram):
            self.status |= Uf2Status.BAD_ADDRESS
            return
        transfer.ram = ram
        if flash and not self._erase_for(transfer, block.address):
            self.status |= Uf2Status.WRITE_ERROR
            return
        self._memory.write(block.address, block.data, PAGE)
        transfer.done.add(block.number)
        if len(transfer.done) == transfer.count:
            self._reboot(REBOOT_NS)

    def _erase_for(self, transfer: _Transfer, address: int) -> bool:
        if transfer.began and self.mutated != self.SOURCE:
            return False  # PICOBOOT wrote in between
        transfer.began, self.mutated = True, self.SOURCE
        sector = (address - FLASH_BASE) // SECTOR
        if sector not in transfer.erased:
            transfer.erased.add(sector)
            self._memory.flash.erase(sector * SECTOR)
        return True
