"""Start of the simulated board: connect to the simulator, replace the modules, then boot.py and main.py.

Run as ``micropython sim_boot.py REQUEST_FD ANSWER_FD`` in the directory that is the board's filesystem root.
Modules that a file on the path cannot replace (gc, micropython, sys, the built-in part of asyncio) are put into
``sys.modules`` before anything else asks for them. SystemExit from main.py is a soft reset, as on the board.
"""

import gc
import sys

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


def _install(sim: object, tasks: object, stdio: object) -> None:
    def collect() -> None:
        gc.collect()
        sim.call(sim.collect_ns)

    def kbd_intr(char: int) -> None:
        sim.post(sim.p.KEYBOARD | (char + 1) << 16)

    def alloc_emergency_exception_buf(size: int) -> None:
        """The unix port keeps one already."""

    _replace("gc", gc, collect=collect)
    _replace(
        "micropython",
        micropython,
        schedule=sim.schedule,
        kbd_intr=kbd_intr,
        alloc_emergency_exception_buf=alloc_emergency_exception_buf,
    )
    _replace("_asyncio", None, Task=tasks.Task, TaskQueue=tasks.TaskQueue)
    _replace("sys", sys, stdout=stdio.Output(sys.stdout.buffer, stdio.Output(sys.stdout.buffer)))


def _run(sim: object, name: str) -> None:
    try:
        execfile(name, {"__name__": "__main__"})  # noqa: F821 - MicroPython's own
    except SystemExit:
        sim.ask(sim.p.RESET | 1 << 8)
    except BaseException as error:
        # The board would show it and its prompt; here the run is over.
        sys.print_exception(error, sys.stderr)
        raise SystemExit(1)


def main() -> None:
    """Boot the board."""
    import _sim as sim
    import _stdio as stdio
    import _tasks as tasks

    micropython.kbd_intr(-1)
    sim.connect(int(sys.argv[1]), int(sys.argv[2]))
    _install(sim, tasks, stdio)
    import asyncio.core
    import hashlib
    import os
    import random
    import select

    import machine
    import rp2

    from _flash import mount

    mount("/segments")
    del asyncio, hashlib, machine, mount, random, rp2, select
    gc.collect()
    overlay = gc.mem_alloc()

    def heap_report() -> None:
        gc.collect()
        sim.report_heap(gc.mem_alloc(), gc.mem_free(), overlay)

    sim.heap_report = heap_report
    del sys.argv[:]
    sys.path[0] = ""
    if "boot.py" in os.listdir():
        _run(sim, "boot.py")
    _run(sim, "main.py")


main()
