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
