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
    for node in module.tree.body:
        if isinstance(node, ast.Try):
            guarded = _guarded(node)
            if guarded == ("typing", "TYPE_CHECKING"):
                edits.replace(node, "pass")
            elif guarded == ("micropython", "const"):
                edits.replace(node, "from micropython import const")
        elif isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            if node.orelse:
                raise ShrinkError(module.at(node, "`if TYPE_CHECKING` with an else: the board has one way only"))
            edits.replace(node, "pass")
            dropped.add(node.test)
    for used in module.scopes.nodes:
        if (
            isinstance(used, ast.Name)
            and used.id == "TYPE_CHECKING"
            and isinstance(used.ctx, ast.Load)
            and used not in dropped
        ):
            raise ShrinkError(module.at(used, "TYPE_CHECKING outside of an `if` of the module: move it there"))
    return edits.text()
