"""What an RP2350 tells of itself in BOOTSEL: GET_INFO, and the one-time programmable rows (OTP).

Entry point: :class:`Information`.

Limits: a chip without partition table, lock bits or secure boot. The words of a GET_INFO answer follow the public
headers where the protocol's description names only the groups. Of the OTP, 4,096 rows are plain storage in which bits
can only be set; error correction codes are not modelled, a second write of other bits to a row with ECC is refused.
"""

from __future__ import annotations

import struct
from collections.abc import Callable

from hwsim.usb.drive import Drive
from hwsim.usb.memory import Status

OTP_ROWS = 4096
SYSTEM, PARTITIONS, UF2_TARGET, UF2_STATUS = 1, 2, 3, 4
CHIP_INFO, CRITICAL, CPU, FLASH, BOOT_RANDOM, BOOT_INFO = 0x01, 0x02, 0x04, 0x08, 0x10, 0x40
_PACKAGE_QFN60 = 1
_ARM = 0
_BOOT_BOOTSEL = 2
_NO_PARTITION = 0xFF
_ANYBODY_MAY = 0xFC00_0000  # read, write for secure, non-secure and the boot loader
_WORD = 0xFFFF_FFFF


class Information:
    """Of the chip ``uid`` (8 bytes) with ``flash_size`` bytes, whose drive is ``drive``.

    ``random`` gives this boot's random number, 16 bytes.
    """

    def __init__(self, uid: bytes, flash_size: int, drive: Drive, random: Callable[[], bytes]) -> None:
        self.otp: dict[int, int] = {}
        """Rows that are not blank: row to its value."""
        self._uid = uid
        self._flash_size = flash_size
        self._drive = drive
        self._random = random

    # --- GET_INFO ------------------------------------------------------------------------------------------------

    def answer(self, arguments: bytes, count: int) -> bytes | Status:
        """The answer in ``count`` bytes, its first word the number of those that follow; or what is wrong."""
        kind, _, _, mask = struct.unpack_from("<BBHI", arguments)
        if kind == SYSTEM:
            words = self._system(mask)
        elif kind == PARTITIONS:
            words = [mask & 1, *([0, _ANYBODY_MAY, _ANYBODY_MAY] if mask & 1 else [])]
        elif kind == UF2_TARGET:
            words = [_WORD, _ANYBODY_MAY, _ANYBODY_MAY]
        elif kind == UF2_STATUS:
            family, valid, total = self._drive.progress
            words = [int(self._drive.status), family, valid, total]
        else:
            return Status.INVALID_ARG
        if 4 * (1 + len(words)) > count:
            return Status.BUFFER_TOO_SMALL
        return struct.pack(f"<{1 + len(words)}I", len(words), *words).ljust(count, b"\0")

    def _system(self, mask: int) -> list[int]:
        high, low = struct.unpack(">II", self._uid)
        known: dict[int, list[int]] = {
            CHIP_INFO: [_PACKAGE_QFN60, low, high],
            CRITICAL: [0],
            CPU: [_ARM],
            FLASH: [(self._flash_size // 4096).bit_length() - 1 << 8],
            BOOT_RANDOM: list(struct.unpack("<4I", self._random())),
            BOOT_INFO: [_NO_PARTITION << 16 | _BOOT_BOOTSEL << 8 | _NO_PARTITION, 0, 0, 0],
        }
        given = [flag for flag in known if mask & flag]
        return [sum(given), *(word for flag in given for word in known[flag])]

    # --- OTP -----------------------------------------------------------------------------------------------------

    @staticmethod
    def otp_bytes(arguments: bytes) -> int:
        """Bytes that an OTP command moves."""
        _, rows, ecc = struct.unpack_from("<HHB", arguments)
        return int(rows * (2 if ecc else 4))

    @staticmethod
    def _rows(arguments: bytes, done: int, count: int) -> tuple[range, int] | None:
        row, _, ecc = struct.unpack_from("<HHB", arguments)
        width = 2 if ecc else 4
        rows = range(row + done // width, row + (done + count) // width)
        return (rows, width) if rows.stop <= OTP_ROWS else None

    def otp_read(self, arguments: bytes, done: int, count: int) -> bytes | Status:
        """The chunk of ``count`` bytes after ``done``."""
        span = self._rows(arguments, done, count)
        if span is None:
            return Status.INVALID_ADDRESS
        rows, width = span
        mask = 0xFFFF if width == 2 else 0xFF_FFFF
        return b"".join((self.otp.get(row, 0) & mask).to_bytes(width, "little") for row in rows)

    def otp_write(self, arguments: bytes, done: int, data: bytes) -> Status:
        """Set bits; what they were stays."""
        span = self._rows(arguments, done, len(data))
        if span is None:
            return Status.INVALID_ADDRESS
        rows, width = span
        for position, row in enumerate(rows):
            value = int.from_bytes(data[position * width : (position + 1) * width], "little")
            old = self.otp.get(row, 0)
            if width == 2 and old and old != value:
                return Status.UNSUPPORTED_MODIFICATION
            if value:
                self.otp[row] = old | value & 0xFF_FFFF
        return Status.OK
