"""Collects the error codes and exit statuses of the host tools into docs/errors.md.

Entry points: `python tools/error_codes.py` fails when the page is older than the code; `--write` (`make docs`) writes
its tables anew. The tables stand between the page's markers; the text around them is written by hand.

A code counts where it is raised: a call of `SabotError` or one of its families, anywhere in host/, whose first argument
is the code, written out, or `"prefix-" + name` for the names that the controller itself answers with. Any other code,
and one that stands for two different exit statuses, is an error here.
"""

import ast
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
PAGE = Path("docs/errors.md")
BASE = "SabotError"
BEGIN, END = "<!-- {} begin: written by make docs -->", "<!-- {} end -->"


class Raised(NamedTuple):
    """One place that makes an error: its code (None: not written out), its exit status, and where."""

    code: str | None
    status: str
    where: str


def exit_statuses(errors: ast.Module) -> list[tuple[str, int, str]]:
    """Return (name, number, meaning) for each member of `Exit`, in the order of the source."""
    body = next(node.body for node in errors.body if isinstance(node, ast.ClassDef) and node.name == "Exit")
    found = []
    for member, meaning in pairwise(body):
        if isinstance(member, ast.Assign) and isinstance(member.targets[0], ast.Name):
            text = ast.literal_eval(meaning.value) if isinstance(meaning, ast.Expr) else ""
            found.append((member.targets[0].id, int(ast.literal_eval(member.value)), str(text)))
    return found


def families(trees: dict[str, ast.Module]) -> dict[str, str]:
    """Map `SabotError` and each class derived from it, at any depth, to the name of its exit status."""
    classes = [node for tree in trees.values() for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    found = {BASE: "FINDING"}
    for _ in classes:
        for node in classes:
            parent = next((base.id for base in node.bases if isinstance(base, ast.Name) and base.id in found), None)
            if parent and node.name not in found:
                found[node.name] = next(_named_statuses(node), found[parent])
    return found


def _named_statuses(node: ast.AST) -> Iterator[str]:
    for part in ast.walk(node):
        if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name) and part.value.id == "Exit":
            yield part.attr


def _written_out(code: ast.expr | None) -> str | None:
    """Return the code that an expression spells, `prefix-*` for a literal prefix and a name, None for anything else."""
    if isinstance(code, ast.Constant) and isinstance(code.value, str):
        return code.value
    if isinstance(code, ast.BinOp) and isinstance(code.left, ast.Constant):
        prefix = code.left.value
        return f"{prefix}*" if isinstance(prefix, str) and prefix.endswith("-") else None
    return None


def raised(trees: dict[str, ast.Module]) -> list[Raised]:
    """List every place of `trees` (file name to syntax tree) that makes an error."""
    known = families(trees)
    found = []
    for name, tree in trees.items():
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call):
                continue
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if called not in known:
                continue
            first = node.args[0] if node.args else None
            code = _written_out(first)
            status = next(_named_statuses(node), known[called]) if called == BASE else known[called]
            found.append(Raised(code, status, f"{name}:{node.lineno}"))
    return found


def tables(root: Path) -> dict[str, str]:
    """Return the page's generated parts by marker. Raises ValueError for a code that cannot be listed."""
    files = sorted((root / "host").rglob("*.py"))
    trees = {file.relative_to(root).as_posix(): ast.parse(file.read_text(encoding="utf-8")) for file in files}
    statuses = exit_statuses(trees["host/sabot_host/errors.py"])
    numbers = {name: number for name, number, _ in statuses}
    codes: dict[str, tuple[str, set[str]]] = {}
    for error in raised(trees):
        if error.code is None:
            raise ValueError(f"{error.where}: the error's code is not written out")
        status, modules = codes.setdefault(error.code, (error.status, set()))
        if status != error.status:
            raise ValueError(
                f"{error.where}: '{error.code}' exits with {error.status} here and with {status} elsewhere"
            )
        modules.add(error.where.split(":")[0].removeprefix("host/"))
    status_lines = ["| exit status | name | meaning |", "|---|---|---|"]
    status_lines += [f"| {number} | {name} | {meaning} |" for name, number, meaning in statuses]
    code_lines = ["| code | exit status | raised in |", "|---|---|---|"]
    code_lines += [
        f"| `{code}` | {numbers[status]} | {', '.join(f'`{module}`' for module in sorted(modules))} |"
        for code, (status, modules) in sorted(codes.items())
    ]
    return {"statuses": "\n".join(status_lines), "codes": "\n".join(code_lines)}


def updated(page: str, parts: dict[str, str]) -> str:
    """Return the page with each generated part replaced. Raises ValueError when a marker is missing."""
    for name, part in parts.items():
        begin, end = BEGIN.format(name), END.format(name)
        if page.count(begin) != 1 or page.count(end) != 1:
            raise ValueError(f"{PAGE}: the markers of the part '{name}' must stand there once")
        before, rest = page.split(begin)
        page = f"{before}{begin}\n{part}\n{end}{rest.split(end)[1]}"
    return page


def main() -> int:
    """Check or write the page and return the exit status."""
    page = ROOT / PAGE
    try:
        wanted = updated(page.read_text(encoding="utf-8"), tables(ROOT))
    except ValueError as problem:
        print(problem, file=sys.stderr)
        return 1
    if "--write" in sys.argv[1:]:
        page.write_text(wanted, encoding="utf-8")
    elif wanted != page.read_text(encoding="utf-8"):
        print(f"{PAGE} is older than the code: run 'make docs'", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
