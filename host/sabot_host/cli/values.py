"""Kinds of values that options take: files to be read, files to be written, folders, finite numbers.

Entry points: :data:`IN_FILE`, :data:`OUT_FILE`, :data:`GROWING_FILE`, :data:`FOLDER` (one that is there),
:data:`OUT_FOLDER`, :class:`FiniteRange`. Every path and every fraction on a command line is one of these, so that what
holds for one command holds for all: a result never goes onto what was read (``output-is-input``), what cannot be
written is told before the work, and no number is endless or none.

What cannot be opened is told by whoever opens it (:mod:`sabot_host.files`), with the status of a file.
"""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import Any

import click

from sabot_host.errors import FileError, UsageError
from sabot_host.files import check_writable

_SEEN = "sabot_host.cli.values"


class InFile(click.Path):
    """A file that is read."""

    role, other = "input", "output"

    def __init__(self) -> None:
        super().__init__(path_type=Path, readable=False)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path, unless another parameter names the same file for the other purpose."""
        path = Path(os.fsdecode(super().convert(value, param, ctx)))
        if ctx is not None:
            seen: dict[str, list[Path]] = ctx.meta.setdefault(_SEEN, {"input": [], "output": []})
            seen[self.role].append(path)
            if any(_same(path, other) for other in seen[self.other]):
                raise UsageError(
                    "output-is-input", f"{path} is read, and the result would be written onto it", "name another file"
                )
        return path


class GrowingFile(InFile):
    """A file that is added to, or made."""

    role, other = "output", "input"


class OutFile(GrowingFile):
    """A file that is written anew."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path. OSError when nothing can be written there: told before the work, not after."""
        path: Path = super().convert(value, param, ctx)
        if ctx is None or not ctx.resilient_parsing:
            check_writable(path)
        return path


class OutFolder(click.Path):
    """A folder that is written into, made where it is missing."""

    def __init__(self) -> None:
        super().__init__(path_type=Path, readable=False)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path. OSError when nothing can be written there; FileError for a name that is empty."""
        if value == "":  # of a variable that is not set
            raise FileError("folder-unnamed", "the name of a folder is empty", "name one: . is the working folder")
        path = Path(os.fsdecode(super().convert(value, param, ctx)))
        if ctx is None or not ctx.resilient_parsing:
            check_writable(path, folder=True)
        return path


def _same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other) and one.is_file()  # a terminal or /dev/null may well be both
    except (OSError, ValueError):
        return False


class FiniteRange(click.FloatRange):
    """A number between two bounds; ``nan`` lies between any two, and is refused."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number."""
        number: float = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value} is no number to count with.", param, ctx)
        return number


IN_FILE = InFile()
OUT_FILE = OutFile()
GROWING_FILE = GrowingFile()
FOLDER = click.Path(path_type=Path, exists=True, file_okay=False, readable=False)
OUT_FOLDER = OutFolder()
