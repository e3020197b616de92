"""Takes out what is there for CPython and for the type checker only.

Entry point: :func:`drop_guards`. `try: from typing import TYPE_CHECKING` goes with its blocks, and of a guarded
`from micropython import const` the import remains.
"""

from __future__ import annotations

import ast

from sabot_build.program import Edits, Module, Program, ShrinkError


def drop_guards(program: Program) -> Program:
    """The program without its guards. ShrinkError where `TYPE_CHECKING` is used for anything else."""
    return program.changed({module.path: _without(module) for module in program.modules})


def _guarded(node: ast.Try) -> tuple[str, str] | None:
    """Module and name that a `try` falls back on ImportError for."""
    first = node.body[0]
    handlers = [ast.unparse(handler.type) for handler in node.handlers if handler.type]
    if len(node.body) > 1 or not isinstance(first, ast.ImportFrom) or handlers != ["ImportError"]:
        return None
    return first.module or "", first.names[0].name


def _without(module: Module) -> str:
    edits, dropped = Edits(module), set()
    for statement in module.tree.body:
        guarded = _guarded(statement) if isinstance(statement, ast.Try) else None
        if guarded == ("typing", "TYPE_CHECKING"):
            edits.replace(statement, "pass")
        elif guarded == ("micropython", "const"):
            edits.replace(statement, "from micropython import const")
    for node in module.scopes.nodes:
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            if node.orelse:
                raise ShrinkError(module.at(node, "`if TYPE_CHECKING` with an else: the board has one way only"))
            edits.replace(node, "pass")
            dropped.add(node.test)
    for use in module.scopes.named.get("TYPE_CHECKING", ()):
        if isinstance(use.ctx, ast.Load) and use not in dropped:
            raise ShrinkError(module.at(use, "TYPE_CHECKING in an expression: only `if TYPE_CHECKING:` is left out"))
    return edits.text()
