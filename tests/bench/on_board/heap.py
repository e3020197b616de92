"""Measures what each module takes of the heap when it is imported. Run by `bench_heap`, on MicroPython.

Standard input names the modules, one a line, each after those that it imports. Standard output gets `bytes name...` for
each import that loaded something: the module and, where a package loads its own parts, these too.
"""

import gc
import sys


def heap() -> int:
    """Return the heap in use, in bytes, garbage left out."""
    gc.collect()
    return gc.mem_alloc()


def main() -> None:
    """Import one module after another and print what each took."""
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
