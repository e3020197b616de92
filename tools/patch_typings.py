"""Corrects the published MicroPython stubs in typings/ where they contradict how the interpreter behaves.

Entry point: `python tools/patch_typings.py TYPINGS`, run once by make after the stubs are installed. Each correction
names the file, the text it expects and the reason; when the publisher changes that text the script fails, so that no
correction silently stops applying.
"""

import sys
from pathlib import Path
from typing import NamedTuple


class Correction(NamedTuple):
    """Replace `old` by `new` wherever it stands in `file`; it must stand there `times` times."""

    file: str
    old: str
    new: str
    times: int = 1


def _ticks(unit: str) -> Correction:
    # At run time ticks are plain integers, and the firmware keeps them in integers, arrays and records. (Stubs make
    # them classes to forbid plain subtraction; what reads ticks here uses ticks_diff.)
    old = f'class _Ticks{unit}:\n    """Opaque {{}} tick value. Use ticks_diff() and ticks_add() for operations."""\n'
    names = {"Ms": "millisecond", "Us": "microsecond", "CPU": "CPU"}
    old = old.format(names[unit]) + "    def __init__(self, value: int, /) -> None: ...\n"
    return Correction("_mpy_shed/time_mp.pyi", old, f"_Ticks{unit}: TypeAlias = int\n")


CORRECTIONS = (
    _ticks("Ms"),
    _ticks("Us"),
    _ticks("CPU"),
    Correction(
        "_mpy_shed/time_mp.pyi",
        '_Ticks = TypeVar("_Ticks", _TicksMs, _TicksUs, _TicksCPU)',
        '_Ticks = TypeVar("_Ticks", bound=int)',
    ),
    # Shared code defines `const` itself where there is no micropython, and names the parameter as it likes.
    Correction(
        "micropython.pyi",
        "def const(expr: Const_T, /) -> Const_T:",
        "const: Callable[[int], int]\ndef _const(expr: Const_T, /) -> Const_T:",
    ),
    # digest() returns bytes and update() nothing; the stubs leave both open.
    Correction(
        "hashlib.pyi", "def digest(self, *args, **kwargs) -> Incomplete: ...", "def digest(self) -> bytes: ...", 3
    ),
    Correction(
        "hashlib.pyi",
        "def update(self, *args, **kwargs) -> Incomplete: ...",
        "def update(self, data: AnyReadableBuf, /) -> None: ...",
        3,
    ),
)


def apply(folder: Path, corrections: tuple[Correction, ...] = CORRECTIONS) -> None:
    """Apply the corrections below `folder`. Raises ValueError when a text does not stand there as often as expected."""
    for correction in corrections:
        file = folder / correction.file
        text = file.read_text(encoding="utf-8")
        if text.count(correction.old) != correction.times:
            raise ValueError(
                f"{file}: expected {correction.times} × {correction.old!r}, found {text.count(correction.old)}: "
                "the stubs changed, review this correction"
            )
        file.write_text(text.replace(correction.old, correction.new), encoding="utf-8")


if __name__ == "__main__":
    apply(Path(sys.argv[1]))
