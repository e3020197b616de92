"""Heap that each module takes when it is imported from its .mpy, on the 64-bit interpreter.

The modules that import `machine` (the boards, and the app above them) are left out here: they need the simulated
hardware, whose own modules lie in the same heap. Pointers are twice as wide as on the board: a list or a tuple takes
twice as much here, code about the same. On the board the modules that are always loaded are one (`docs/shrinking.md`),
which takes less than its parts. The interpreter's table of names (11 bytes a name, doubled when it is full) is not in
these figures; :mod:`tests.bench.bench_rounds` has everything.
"""

import ast
import os
import subprocess
import sys
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any

from sabot_build import tree as board_tree
from tools import build_mpy

LEFT_OUT = ("sabot.boards", "sabot.app")
PROBE = Path(__file__).parent / "on_board" / "heap.py"


def _name(target: PurePosixPath) -> str:
    parts = target.with_suffix("").parts
    return ".".join(part for part in (parts[1:] if parts[0] == "lib" else parts) if part != "__init__")


def _imported(tree: ast.Module, package: list[str]) -> set[str]:
    """Names that a module may import while it is imported itself; some may be no module at all."""
    found: set[str] = set()
    pending: list[ast.AST] = list(tree.body)
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            source = ".".join([*base, *([node.module] if node.module else [])])
            found |= {source, *(f"{source}.{alias.name}" for alias in node.names)}
        elif not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            pending += ast.iter_child_nodes(node)
    return found


def import_order(listed: list[board_tree.Source]) -> list[str]:
    """Name the modules, each after the package that holds it and after those that it imports."""
    modules = {_name(source.target): source for source in listed if source.compiled}
    order: list[str] = []
    visited: set[str] = set()

    def visit(name: str) -> None:
        if name in visited or name not in modules:
            return
        visited.add(name)
        source = modules[name]
        parent = name.rpartition(".")[0]
        package = name.split(".") if source.target.stem == "__init__" else parent.split(".")
        for other in sorted({parent} | _imported(ast.parse(source.path.read_text(encoding="utf-8")), package)):
            visit(other)
        order.append(name)

    for name in sorted(modules):
        visit(name)
    return [name for name in order if not name.startswith(LEFT_OUT)]


def measure() -> dict[str, Any]:
    """Build the firmware, import it module by module and return bytes by module and in all."""
    with TemporaryDirectory() as folder:
        out = Path(folder) / "mpy"
        build_mpy.build(build_mpy.ROOT, out, ("armv7emsp",), join=False)
        board = out / "armv7emsp"
        done = subprocess.run(
            [Path(sys.executable).with_name("micropython"), "-X", "heapsize=2M", PROBE],
            input="\n".join(["asyncio", *import_order(board_tree.sources(build_mpy.ROOT))]),
            env={**os.environ, "MICROPYPATH": f"{board}:{board}/lib:.frozen"},
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        )
    sizes: dict[str, int] = {}
    for line in done.stdout.splitlines():
        taken, *loaded = line.split()
        sizes[" ".join(loaded)] = int(taken)
    return {"import_bytes_64_bit": sizes, "import_total_bytes_64_bit": sum(sizes.values())}
