"""The controller's own flash: serial NOR behind the processor, in which the journal's segments lie.

Entry points: :class:`QspiFlash` (world side ``image``, ``journal``, ``cut_after()``, ``fail``, ``slow``);
:func:`replay` rebuilds the memory after any prefix of the journal, the operation behind it cut in the middle or not.

Modelled: sectors of 4,096 bytes that erase to ones, pages of 256 in which programming only clears bits, how long both
take, power cuts between and inside operations, and a chip that refuses to change.

Limits: no wear; what an operation that is cut leaves is random between old and new, bit by bit.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from functools import cache
from typing import NamedTuple

from littlefs import LittleFS
from littlefs.context import UserContext

from hwsim import costs
from hwsim.core import Scheduler, SimFault

SECTOR = 4096
PAGE = 256
SECTORS = 768
"""3 MB: what MicroPython's port keeps of 4 MB for its file system."""


class Change(NamedTuple):
    """One operation: instant of its begin (ns), address, the page programmed; None: the sector was erased."""

    when: int
    address: int
    data: bytes | None


class QspiFlash:
    """``image`` is the content, kept and changed in place (None: an empty file system). ``seed`` decides torn bits."""

    def __init__(self, scheduler: Scheduler, image: bytearray | None = None, *, seed: int = 0) -> None:
        self.image = bytearray(_formatted()) if image is None else image
        if len(self.image) != SECTORS * SECTOR:
            raise ValueError(f"flash: {SECTORS * SECTOR} bytes are wanted, the image has {len(self.image)}")
        self.journal: list[Change] | None = None
        self.powered = True
        self.slow = False
        """Each operation takes the longest time that the data sheet allows, not the typical one."""
        self.fail = False
        """Nothing can be changed any more: the chip is never busy, and reading goes on."""
        self.erases = 0
        self.programs = 0
        self._scheduler = scheduler
        self._random = random.Random(f"{seed}/flash")
        self._cut_left: int | None = None
        self._torn = True
        self._on_cut: Callable[[], None] | None = None

    def cut_after(self, operations: int, on_cut: Callable[[], None] | None = None, *, torn: bool = True) -> None:
        """Cut the power after so many more programs and erases: in the middle of the next one, or right before it.

        ``on_cut`` is scheduled at the instant of the cut, for whoever stops the controller.
        """
        self._cut_left = operations
        self._torn = torn
        self._on_cut = on_cut

    def power_on(self) -> None:
        """The supply is back."""
        self.powered = True
        self._cut_left = None

    def read(self, address: int, count: int) -> bytes:
        """Bytes as the processor sees them."""
        return bytes(self.image[address : address + count])

    def erase(self, address: int, when: int) -> int:
        """Erase the sector at ``address``; how long that takes (ns)."""
        if address % SECTOR:
            raise SimFault(f"flash: erase at {address:#x}, which begins no sector")
        self.erases += 1
        self._change(Change(when, address, None))
        return 0 if self.fail else costs.FLASH_ERASE_NS[self.slow]

    def program(self, address: int, data: bytes, when: int) -> int:
        """Program one page; how long that takes (ns)."""
        if address % PAGE or len(data) != PAGE:
            raise SimFault(f"flash: {len(data)} bytes programmed at {address:#x}; whole pages are wanted")
        self.programs += 1
        self._change(Change(when, address, data))
        return 0 if self.fail else costs.FLASH_PROGRAM_NS[self.slow]

    def _change(self, change: Change) -> None:
        if not self.powered or self.fail:
            return
        if self._cut_left == 0:
            self.powered = False
            if self._torn:
                tear(self.image, change, self._random)
            if self._on_cut is not None:
                self._scheduler.at(change.when, self._on_cut)
            return
        if self._cut_left is not None:
            self._cut_left -= 1
        if self.journal is not None:
            self.journal.append(change)
        apply(self.image, change)


def apply(image: bytearray, change: Change) -> None:
    """Do a whole operation to an image."""
    if change.data is None:
        image[change.address : change.address + SECTOR] = b"\xff" * SECTOR
        return
    old = int.from_bytes(image[change.address : change.address + PAGE], "little")
    new = old & int.from_bytes(change.data, "little")
    image[change.address : change.address + PAGE] = new.to_bytes(PAGE, "little")


def tear(image: bytearray, change: Change, chance: random.Random) -> None:
    """Do part of an operation to an image: each bit that was to change has, or has not."""
    after = bytearray(image[change.address : change.address + SECTOR])
    apply(after, Change(0, 0, change.data))
    for at, new in enumerate(after, change.address):
        chosen = chance.randrange(256)
        image[at] = image[at] & ~chosen | new & chosen


def replay(base: bytes, journal: Iterable[Change], changes: int, *, torn: bool = False, seed: int = 0) -> bytearray:
    """The memory after the first ``changes`` entries of ``journal``; ``torn``: and a part of the next one.

    Raises:
        ValueError: fewer entries than asked for.
    """
    image = bytearray(base)
    entries = list(journal)
    if changes + torn > len(entries):
        raise ValueError(f"the journal has {len(entries)} operations")
    for change in entries[:changes]:
        apply(image, change)
    if torn:
        tear(image, entries[changes], random.Random(seed))
    return image


@cache
def _formatted() -> bytes:
    """An empty file system, with the settings of MicroPython's port."""
    context = UserContext(buffer=bytearray(b"\xff" * (SECTORS * SECTOR)))
    LittleFS(
        context,
        block_size=SECTOR,
        block_count=SECTORS,
        read_size=32,
        prog_size=PAGE,
        cache_size=4 * PAGE,
        lookahead_size=32,
    )
    return bytes(context.buffer)
