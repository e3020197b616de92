"""Start of the simulated board: connect to the simulator, replace the modules, then boot.py and main.py.

Entry point: ``main``, called by ``sim_boot`` in the directory that is the board's filesystem root. Modules that a file
on the path cannot replace (gc, micropython, sys, the built-in part of asyncio) are put into ``sys.modules`` before
anything else asks for them. SystemExit from main.py is a soft reset, as on the board.
"""

import gc
import sys

import _protocol as p
import _sim
import _stdio
import _tasks
import micropython
import vfs
from micropython import const

_BLOCK = const(4096)  # of the flash
_READ = const(0)  # unit of the operation FLASH
_ERASE = const(1 << 8)
_PROGRAM = const(2 << 8)
_SIZE = const(3 << 8)


class _Module:
    """Stands for a built-in module: its names, some of them replaced."""


def _replace(name: str, module: object, **changes: object) -> None:
    copy = _Module()
    if module is not None:
        for key in dir(module):
            if key[:2] != "__":
                setattr(copy, key, getattr(module, key))
    for key, value in changes.items():
        setattr(copy, key, value)
    sys.modules[name] = copy


def _install() -> None:
    def collect() -> None:
        gc.collect()
        _sim.call(_sim.collect_ns)

    def kbd_intr(char: int) -> None:
        _sim.post(p.KEYBOARD | (char + 1) << 16)

    def alloc_emergency_exception_buf(size: int) -> None:
        """The unix port keeps one already."""

    _replace("gc", gc, collect=collect)
    _replace(
        "micropython",
        micropython,
        schedule=_sim.schedule,
        kbd_intr=kbd_intr,
        alloc_emergency_exception_buf=alloc_emergency_exception_buf,
    )
    _replace("_asyncio", None, Task=_tasks.Task, TaskQueue=_tasks.TaskQueue)
    _replace("sys", sys, stdout=_stdio.Output(sys.stdout.buffer, _stdio.Output(sys.stdout.buffer)))


class _Flash:
    """The controller's flash as a block device: a call to read, what the chip takes to change, with interrupts off."""

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


def _mount(folder: str) -> None:
    """Mount the flash; a board without one has no such folder. The time for it is in that of the start.

    On the board one file system holds code and segments; here the code lies in the simulator's own files.
    """
    cost = _sim.call_ns
    _sim.call_ns = 0
    blocks = _sim.ask(p.FLASH | _SIZE)
    if blocks:
        vfs.mount(vfs.VfsLfs2(_Flash(blocks), progsize=256), folder)
    _sim.call_ns = cost


def _run(name: str) -> None:
    try:
        execfile(name, {"__name__": "__main__"})  # noqa: F821 - MicroPython's own
    except SystemExit:
        _sim.ask(p.RESET | 1 << 8)
    except BaseException as error:
        # The board would show it and its prompt; here the run is over.
        sys.print_exception(error, sys.stderr)
        raise SystemExit(1)


def main() -> None:
    """Boot the board."""
    micropython.kbd_intr(-1)
    _sim.connect(int(sys.argv[1]), int(sys.argv[2]))
    _install()
    import asyncio.core
    import hashlib
    import os
    import random
    import select

    import machine
    import rp2

    _mount("/segments")
    del asyncio, hashlib, machine, random, rp2, select
    gc.collect()
    overlay = gc.mem_alloc()

    def heap_report() -> None:
        gc.collect()
        _sim.report_heap(gc.mem_alloc(), gc.mem_free(), overlay)

    _sim.heap_report = heap_report
    del sys.argv[:]
    sys.path[0] = ""
    if "boot.py" in os.listdir():
        _run("boot.py")
    _run("main.py")
