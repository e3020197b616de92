"""The controller's flash as a block device, with the file system in which the journal's segments lie.

Entry point: ``mount``. On the board one file system holds code and segments; here the code lies in the simulator's own
files, so the folder of the segments is the only one that is mounted. Reading costs a call, programming and erasing what
the chip takes for it, with interrupts held off.
"""

import _protocol as p
import _sim
import vfs
from micropython import const

_BLOCK = const(4096)
_READ = const(0)
_ERASE = const(1 << 8)
_PROGRAM = const(2 << 8)
_SIZE = const(3 << 8)


class _Flash:
    def __init__(self, blocks: int) -> None:
        self._blocks = blocks

    def readblocks(self, block: int, buffer: bytearray, offset: int = 0) -> None:
        """Fill the buffer from a block."""
        code = p.FLASH | (block * _BLOCK + offset | len(buffer) << 24) << 16
        _sim.ask_data(code | _READ, None, 0, buffer, len(buffer))

    def writeblocks(self, block: int, buffer: bytearray, offset: int = 0) -> None:
        """Program pages of a block that littlefs has erased."""
        state = _sim.disable()
        code = p.FLASH | (block * _BLOCK + offset | len(buffer) << 24) << 16
        _sim.ask_data(code | _PROGRAM, buffer, len(buffer), None, 0)
        _sim.restore(state)

    def ioctl(self, operation: int, argument: int) -> int:
        """Number and size of the blocks; erase one."""
        if operation == 4:
            return self._blocks
        if operation == 5:
            return _BLOCK
        if operation == 6:
            state = _sim.disable()
            _sim.ask(p.FLASH | _ERASE | argument * _BLOCK << 16)
            _sim.restore(state)
        return 0


def mount(folder: str) -> None:
    """Mount the flash; a board without one has no such folder. The time for it is in that of the start."""
    cost = _sim.call_ns
    _sim.call_ns = 0
    blocks = _sim.ask(p.FLASH | _SIZE)
    if blocks:
        vfs.mount(vfs.VfsLfs2(_Flash(blocks), progsize=256), folder)
    _sim.call_ns = cost
