"""The names that a compiled module brings into the interpreter's table of names.

Entry point: :func:`names_in`. The layout is that of `py/persistentcode.c`, version 6: four bytes, the numbers of names
and of constants, then the names; one that the interpreter has by itself is a number only.
"""

from __future__ import annotations

_MAGIC = b"M\x06"
_HEADER_SIZE = 4


def names_in(module: bytes) -> list[str]:
    """Names of a `.mpy` file that the interpreter does not have by itself. ValueError for any other file."""
    if module[:2] != _MAGIC:
        raise ValueError("no .mpy file of version 6")
    position = _HEADER_SIZE

    def number() -> int:
        nonlocal position
        value = 0
        while True:
            byte = module[position]
            position += 1
            value = value << 7 | byte & 0x7F
            if byte < 0x80:
                return value

    count, _constants = number(), number()
    names = []
    for _ in range(count):
        length, known = divmod(number(), 2)
        if not known:
            names.append(module[position : position + length].decode())
            position += length + 1
    return names
