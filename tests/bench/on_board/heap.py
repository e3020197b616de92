"""Measures what each module takes of the heap when it is imported. Run by `bench_heap`, on MicroPython.

Standard input names the modules, one a line, each after those that it imports. Standard output gets `bytes name...` for
each import that loaded something: the module and, where a package loads its own parts, these too.

The interpreter's table of names doubles whenever it is full, and the module that fills it would be charged for all of
it; so it is made large enough beforehand, and a module is charged for the text of its names only.
"""

import gc
import sys

NAMES = 3000  # more than the firmware has


def heap() -> int:
    """Return the heap in use, in bytes, garbage left out."""
    gc.collect()
    return gc.mem_alloc()


class Names:
    """Holds attributes for a moment."""


def make_room_for_names() -> None:
    """Let the interpreter's table of names grow once for all."""
    names = Names()
    for number in range(NAMES):
        setattr(names, "name_" + str(number), None)


def main() -> None:
    """Import one module after another and print what each took."""
    make_room_for_names()
    wanted = sys.stdin.read().split()
    for name in wanted:
        loaded = set(sys.modules)
        before = heap()
        __import__(name)
        taken = heap() - before
        new = sorted(module for module in sys.modules if module not in loaded)
        if new:
            print(taken, *new)


main()
