"""Takes out functions, methods and classes that nothing on the board names: what only the host uses of shared modules.

Entry point: :func:`drop_unused`. Used is every name that stands in a scope, as an attribute, in an import, or as a word
of a string (with or without an underscore before it); what objects of the interpreter have may be called by it.
"""

from __future__ import annotations

import ast

from sabot_build.interpreter import ATTRIBUTES
from sabot_build.program import Edits, Program

Definition = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def drop_unused(program: Program) -> Program:
    """The program without them, and without what only they have used."""
    while True:
        used, texts = _used(program), {}
        for module in program.modules:
            edits = Edits(module)
            unused = [node for node in module.scopes.nodes if isinstance(node, Definition) and _drops(node, used)]
            inside = {inner for node in unused for inner in ast.walk(node) if inner is not node}
            for node in unused:
                if node not in inside:
                    edits.replace(node, "pass")
            if unused:
                texts[module.path] = edits.text()
        if not texts:
            return program
        program = program.changed({**program.texts(), **texts})


def _drops(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, used: set[str]) -> bool:
    return not (node.name in used or node.name.lstrip("_") in used or node.name.startswith("__") or node.decorator_list)


def _used(program: Program) -> set[str]:
    found = program.spoken() | ATTRIBUTES
    for module in program.all():
        for node in module.scopes.nodes:
            if isinstance(node, ast.Name):
                found.add(node.id)
            elif isinstance(node, ast.Attribute):
                found.add(node.attr)
            elif isinstance(node, (ast.Import, ast.ImportFrom)):
                found.update(alias.name for alias in node.names)
    return found
