"""How many names a table's firmware brings into the interpreter's table of names: every module it may load, at once.

Entry points: :func:`measure`, and :func:`table_size` of any names. Of the games it is the one that brings most. The
interpreter's own names lie in its program and take no room. With the firmware's go those of the simulator's own part,
the path of each module's file (`__file__`), and every word of what the interpreter compiles because it is started as
source.
"""

from __future__ import annotations

import ast
import io
import subprocess
import sys
import tokenize
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from hwsim.compiled import compiled, compiled_overlay
from hwsim.process import OVERLAY, STORE
from hwsim.table import REPOSITORY, SOURCES
from sabot_build.compiler import LINES_DROPPED, dotted
from sabot_build.names import names_in
from sabot_build.program import Program

DOUBLING = 1260  # names on the 64-bit interpreter, beyond which its table takes 14 KB more at once
GAMES = "sabot.rules.games."

COUNT = """
import sys, micropython
class Names: pass
for line in sys.stdin:
    setattr(Names, line[:-1].replace("\\x00", "\\n"), None)
micropython.qstr_info()
"""


def names(files: Iterable[Path], folder: Path) -> set[str]:
    """What compiled ``files`` below ``folder`` bring: their names, and the name of each file (`__file__`)."""
    found: set[str] = set()
    for file in files:
        found |= {*names_in(file.read_bytes()), str(file), dotted(str(file.relative_to(folder).with_suffix(".py")))}
    return found


def words(source: Path) -> set[str]:
    """What the interpreter keeps of a ``source`` that it compiles: every name, those of scopes too, and the file's."""
    tokens = tokenize.generate_tokens(io.StringIO(source.read_text()).readline)
    return {source.name, *(token.string for token in tokens if token.type == tokenize.NAME)}


def loaded() -> set[str]:
    """Modules that a table may load, of the games all: those that others import, or name as a text."""
    texts = {path.relative_to(root).as_posix(): path.read_text() for root in SOURCES for path in root.rglob("*.py")}
    started = {name: texts.pop(name) for name in list(texts) if name in ("boot.py", "main.py")}
    program = Program(texts, started)
    found: set[str] = set()
    pending = list(program.started)
    while pending:
        module = pending.pop()
        named = {module.name.rpartition(".")[0]}
        for node in module.scopes.nodes:
            if isinstance(node, ast.ImportFrom):
                named |= {module.absolute(node), *(f"{module.absolute(node)}.{alias.name}" for alias in node.names)}
            elif isinstance(node, ast.Import):
                named |= {alias.name for alias in node.names}
            elif isinstance(node, ast.Constant) and node.value == GAMES:
                named |= {name for name in program.by_name if name.startswith(GAMES)}
        pending += [program.by_name[name] for name in named - found if name in program.by_name]
        found |= named
    return found & set(program.by_name)


def table_size(found: set[str]) -> int:
    """How many of the names the interpreter must put into its table."""
    lines = "".join(name.replace("\n", "\x00") + "\n" for name in sorted(found))
    done = subprocess.run(
        [Path(sys.executable).with_name("micropython"), "-X", "heapsize=2M", "-c", COUNT],
        input=lines,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return int(done.stdout.partition("n_qstr=")[2].partition(",")[0])


def measure() -> dict[str, Any]:
    """Compile the firmware and return the number of names, and how many more there may be."""
    board = compiled(SOURCES, REPOSITORY / "build" / "sim", LINES_DROPPED)
    overlay = compiled_overlay(OVERLAY, STORE)
    may_be = loaded()
    files = {dotted(str(file.relative_to(board).with_suffix(".py"))): file for file in board.rglob("*.mpy")}
    always = names((file for name, file in files.items() if name in may_be and not name.startswith(GAMES)), board)
    always |= names(overlay.glob("*.mpy"), overlay)
    for source in (OVERLAY / "sim_boot.py", SOURCES[0] / "boot.py", SOURCES[0] / "main.py"):
        always |= words(source)
    size = max(table_size(always | names((files[name],), board)) for name in may_be if name.startswith(GAMES))
    return {"whole_firmware": size, "before_the_next_doubling": DOUBLING - size}
