"""Start of the simulated board: connect to the simulator, replace the modules, then boot.py and main.py.

Run as ``micropython sim_boot.py REQUEST_FD ANSWER_FD`` in the directory that is the board's filesystem root.
Modules that a file on the path cannot replace (gc, micropython, the built-in part of asyncio) are put into
``sys.modules`` before anything else asks for them. SystemExit from main.py is a soft reset, as on the board.
"""

import gc
import sys

import micropython


def _install(sim, tasks):
    class Module:
        """Stands for a built-in module."""

    real_gc = Module()
    for name in dir(gc):
        if name[0] != "_":
            setattr(real_gc, name, getattr(gc, name))

    def collect():
        gc.collect()
        sim.call(sim.collect_ns)

    real_gc.collect = collect
    sys.modules["gc"] = real_gc

    board = Module()
    for name in dir(micropython):
        if name[0] != "_":
            setattr(board, name, getattr(micropython, name))

    def kbd_intr(char):
        sim.post(sim.p.KEYBOARD | (char + 1) << 16)

    def alloc_emergency_exception_buf(size):
        pass

    board.schedule = sim.schedule
    board.kbd_intr = kbd_intr
    board.alloc_emergency_exception_buf = alloc_emergency_exception_buf
    sys.modules["micropython"] = board

    builtin_asyncio = Module()
    builtin_asyncio.Task = tasks.Task
    builtin_asyncio.TaskQueue = tasks.TaskQueue
    sys.modules["_asyncio"] = builtin_asyncio


def _run(sim, name):
    try:
        execfile(name, {"__name__": "__main__"})  # noqa: F821 - MicroPython's own
    except SystemExit:
        sim.ask(sim.p.RESET | 1 << 8)


def main():
    """Boot the board."""
    import _sim as sim
    import _tasks as tasks

    micropython.kbd_intr(-1)
    sim.connect(int(sys.argv[1]), int(sys.argv[2]))
    _install(sim, tasks)
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

    def heap_report():
        gc.collect()
        sim.report_heap(gc.mem_alloc(), gc.mem_free(), overlay)

    sim.heap_report = heap_report
    del sys.argv[:]
    sys.path[0] = ""
    if "boot.py" in os.listdir():
        _run(sim, "boot.py")
    _run(sim, "main.py")


main()
