"""Refuses what the other steps cannot prove safe: ways to reach a name by its text, and scopes that they do not model.

Entry point: :func:`check`. A name may be looked up by text only where the text stands in the program (its words are
never renamed), or where an object looks up its own: `getattr(self, "_" + word)` keeps all names of that class.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from sabot_build.program import Module, Program, ShrinkError

LOOKUPS = ("getattr", "setattr", "hasattr", "delattr")
_BY_TEXT = ("globals", "locals", "vars", "dir", "exec", "eval", "execfile", "compile")
_BY_TEXT_ATTRIBUTES = ("__dict__", "__slots__")
_OVERLOADS = ("__getattr__", "__getattribute__", "__setattr__", "__delattr__")
_SCOPES = {
    ast.Global: "`global`: keep the value in an object",
    ast.Nonlocal: "`nonlocal`: keep the value in an object",
    ast.NamedExpr: "`:=`: assign in a statement of its own",
    ast.JoinedStr: "f-strings have no positions to change: write it with %",
}


def check(program: Program) -> None:
    """Raise ShrinkError naming every construct of the program that the steps are not made for."""
    problems = [problem for module in program.all() for problem in _problems(module)]
    if problems:
        raise ShrinkError("\n".join(problems))


def _problems(module: Module) -> Iterator[str]:
    for node in module.scopes.nodes:
        for kind, what in _SCOPES.items():
            if isinstance(node, kind):
                yield module.at(node, what)
        if isinstance(node, ast.ImportFrom) and node.names[0].name == "*":
            yield module.at(node, "`import *`: name what is imported")
        elif isinstance(node, ast.Name) and node.id in _BY_TEXT and module.scopes.of[node].home(node.id) is None:
            yield module.at(node, f"{node.id}() reaches names by their text: use an attribute or a dictionary")
        elif isinstance(node, ast.Attribute) and node.attr in _BY_TEXT_ATTRIBUTES:
            yield module.at(node, f"{node.attr} reaches names by their text: use an attribute or a dictionary")
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name in _OVERLOADS:
            yield module.at(node, f"{node.name} answers for names by their text: define the attributes")
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            scope = module.scopes.of[node]
            if scope.is_class and node.id in scope.bindings and node.id in module.scopes.module.bindings:
                yield module.at(node, f"{node.id} is a name of the class and of the module: call one otherwise")
        elif isinstance(node, ast.Call):
            yield from _call(module, node)
        elif isinstance(node, ast.BinOp):
            yield from _built_text(module, node)


def _call(module: Module, node: ast.Call) -> Iterator[str]:
    if not isinstance(node.func, ast.Name):
        return
    if node.func.id == "type" and len(node.args) == 3:
        yield module.at(node, "a class made by type(): write it as a class")
    if node.func.id in LOOKUPS and len(node.args) > 1:
        name = node.args[1]
        written = isinstance(name, (ast.Constant, ast.Name, ast.Attribute))
        if not written and not isinstance(node.args[0], ast.Name):
            yield module.at(
                node, f"{node.func.id}() of a name made up here: only an object's own, as {node.func.id}(self, …)"
            )


def _built_text(module: Module, node: ast.BinOp) -> Iterator[str]:
    """A text beginning with an underscore that is put together is a private name, and only a lookup may make one."""
    left = node.left
    if not (isinstance(left, ast.Constant) and isinstance(left.value, str) and left.value.startswith("_")):
        return
    parent = module.scopes.parent[node]
    if not (isinstance(parent, ast.Call) and isinstance(parent.func, ast.Name) and parent.func.id in LOOKUPS):
        yield module.at(node, "a private name put together outside of getattr(self, …): write it out")
