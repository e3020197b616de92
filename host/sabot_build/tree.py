"""What goes onto the board: every source by its place there, made smaller and compiled.

Entry points: :func:`sources`, :func:`build`, :class:`BuildError`. `firmware/` is the root of the board's file system
and each driver lies in /lib, where `import pn532` finds it:

    firmware/boot.py, main.py       boot.py, main.py     (as source: the board starts these two by name)
    firmware/sabot/config.py        sabot/config.mpy
    drivers/pn532/__init__.py       lib/pn532/__init__.mpy
    what is always loaded           in sabot/app.mpy     (docs/shrinking.md)

Where x.py and x.mpy lie side by side MicroPython takes x.py, and a forgotten .mpy beside the sources would be
installed: so each build starts from an empty folder, and a .mpy among the sources is an error.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from sabot_build import shrink
from sabot_build.compiler import LINES_DROPPED, CompileError, compile_module
from sabot_build.program import ShrinkError

STARTED_BY_NAME = ("boot.py", "main.py")
LEVEL = LINES_DROPPED  # 7 KB of heap, and of a crash the journal keeps the last line only
# Documentation, types, and the drivers' descriptions for mip and for freezing.
NOT_INSTALLED = ("*.md", "*.pyi", "package.json", "manifest.py")


class Source(NamedTuple):
    """One file to install: where it is here, and where it goes on the board."""

    path: Path
    target: PurePosixPath

    @property
    def compiled(self) -> bool:
        """Whether the file goes through mpy-cross; the others are copied."""
        return self.target.suffix == ".mpy"


class BuildError(Exception):
    """The sources cannot be built; the text is one problem a line, each `file:line: what` where a line is known."""


def sources(root: Path) -> list[Source]:
    """List what goes onto the board, sorted by target. Raises BuildError for a .mpy among the sources."""
    found, forgotten = [], []
    for part, prefix in (("firmware", ""), ("drivers", "lib")):
        for path in (root / part).rglob("*"):
            if not path.is_file() or "__pycache__" in path.parts or any(map(path.match, NOT_INSTALLED)):
                continue
            target = PurePosixPath(prefix) / path.relative_to(root / part).as_posix()
            if path.suffix == ".mpy":
                forgotten.append(f"{path.relative_to(root)}: compiled code among the sources: remove it")
            elif path.suffix == ".py" and str(target) not in STARTED_BY_NAME:
                found.append(Source(path, target.with_suffix(".mpy")))
            else:
                found.append(Source(path, target))
    if forgotten:
        raise BuildError("\n".join(sorted(forgotten)))
    return sorted(found, key=lambda source: source.target)


def _shrunk(root: Path, listed: list[Source], join: bool) -> tuple[dict[PurePosixPath, str], shrink.Shrunk]:
    """Make the program smaller: each compiled file's text by its target, and all that is known of the step.

    Raises BuildError with file and line for what cannot be made smaller safely.
    """
    imported = {_imported_from(source): source for source in listed if source.target.suffix in (".mpy", ".py")}
    texts = {path: source.path.read_text() for path, source in imported.items() if source.compiled}
    started = {path: source.path.read_text() for path, source in imported.items() if not source.compiled}
    try:
        made = shrink.shrink(texts, started, join=join)
    except ShrinkError as refused:
        problems = []
        for problem in str(refused).splitlines():
            path, _, what = problem.partition(":")
            problems.append(f"{imported[path].path.relative_to(root).as_posix()}:{what}")
        raise BuildError("\n".join(problems)) from None
    return {imported[path].target: text for path, text in made.texts.items()}, made


def _imported_from(source: Source) -> str:
    """The path that the interpreter finds a module at, under the folder of its search path that holds it."""
    target = source.target.with_suffix(".py")
    return (target.relative_to("lib") if target.parts[0] == "lib" else target).as_posix()


def build(
    root: Path, out: Path, architectures: Sequence[str], *, join: bool = True
) -> tuple[list[Source], shrink.Shrunk]:
    """Build `out`/ARCH for each architecture from nothing; what has a file there, and what is known of the shrinking.

    `join`: make one file of the modules that are always loaded together, as on the board.
    Raises BuildError naming every module that does not compile; `out` then holds no build at all.
    """
    listed = sources(root)
    shutil.rmtree(out, ignore_errors=True)
    texts, made = _shrunk(root, listed, join)
    out.mkdir(parents=True)
    by_path = {_imported_from(source): source for source in listed if source.compiled}
    listed = [source for source in listed if not source.compiled or source.target in texts]
    jobs = [(source, architecture) for source in listed for architecture in architectures]

    def place(job: tuple[Source, str]) -> str | None:
        source, architecture = job
        output = out / architecture / source.target
        if not source.compiled:
            output.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source.path, output)
            return None
        try:
            compile_module(texts[source.target], _imported_from(source), output, LEVEL, architecture)
        except CompileError as refused:
            path, line = made.source(_imported_from(source), refused.line)
            return f"{by_path[path].path.relative_to(root).as_posix()}:{line}: {refused.what}"
        return None

    with ThreadPoolExecutor(max_workers=2) as workers:
        refused = sorted({problem for problem in workers.map(place, jobs) if problem})
    if refused:
        shutil.rmtree(out)
        raise BuildError("\n".join(refused))
    return listed, made
