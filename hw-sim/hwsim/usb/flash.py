"""Serial NOR flash as the boot ROM sees it: erased bits are ones, programming only clears bits.

Entry point: :class:`FlashMemory`. An offset beyond the memory's size comes round again, as on a chip whose upper
address bits lead nowhere: an image too large overwrites its own beginning.

Limits: no wear, no protection bits, no command set (the ROM is above it). What an operation cut short leaves behind is
indeterminate on a chip; here it is half done, so that runs repeat.
"""

from __future__ import annotations

from hwsim.usb.chips import PAGE, SECTOR

ERASED = 0xFF


class FlashMemory:
    """``size`` bytes of flash, a power of two from 64 KiB, erased when new; ``content`` is its first content."""

    def __init__(self, size: int = 4 * 1024 * 1024, content: bytes = b"") -> None:
        if size < 16 * SECTOR or size & (size - 1):
            raise ValueError(f"flash of {size} bytes: a power of two from {16 * SECTOR} is made")
        if len(content) > size:
            raise ValueError(f"{len(content)} bytes do not fit a flash of {size}")
        self.data = bytearray(bytes((ERASED,)) * size)
        self.data[: len(content)] = content
        self.erases = 0
        """Sectors erased so far."""
        self.programs = 0
        """Pages programmed so far."""

    @property
    def size(self) -> int:
        """Bytes of memory."""
        return len(self.data)

    def erase(self, offset: int, *, whole: bool = True) -> None:
        """Erase the sector that ``offset`` lies in; not ``whole``: power went in the middle."""
        first = offset % self.size // SECTOR * SECTOR
        length = SECTOR if whole else SECTOR // 2
        self.data[first : first + length] = bytes((ERASED,)) * length
        self.erases += 1

    def program(self, offset: int, page: bytes, *, whole: bool = True) -> None:
        """Program one page: each bit stays or becomes 0; not ``whole``: power went in the middle."""
        if len(page) != PAGE or offset % PAGE:
            raise ValueError("a program operation takes one whole page")
        first = offset % self.size
        length = PAGE if whole else PAGE // 2
        old = int.from_bytes(self.data[first : first + length], "little")
        new = int.from_bytes(page[:length], "little")
        self.data[first : first + length] = (old & new).to_bytes(length, "little")
        self.programs += 1

    def read(self, offset: int, count: int) -> bytes:
        """``count`` bytes from ``offset``."""
        start = offset % self.size
        if start + count <= self.size:
            return bytes(self.data[start : start + count])
        return bytes(self.data[(start + position) % self.size] for position in range(count))

    @property
    def blank(self) -> bool:
        """Whether every bit is erased."""
        return self.data.count(ERASED) == self.size
