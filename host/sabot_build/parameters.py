"""Gives parameters that are never passed by keyword the names of a small pool, by position.

Entry point: :func:`rename_parameters`. Kept are `self`, every name that some call passes by keyword, and all names of
functions that a call with `**` may mean: those of that name, or the constructors of a class of that name.
Of a program that has modules for others, see :mod:`sabot_build.inner`, what these may pass by keyword is kept too.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from sabot_build.inner import Inner
from sabot_build.program import Edits, Module, Program, ShrinkError
from sabot_build.scopes import Function, Scope, parameters

_PLAIN_DECORATORS = ("property", "staticmethod", "classmethod")
_CONSTRUCTOR = "__init__"
AnyFunction = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


def rename_parameters(program: Program, names: list[str], inner: Inner | None = None) -> tuple[Program, int]:
    """The program with its parameters renamed, and how many of ``names`` were needed.

    Raises:
        ShrinkError: a call with `**` of something that is no function or class of the program, or a function has more
            parameters than there are ``names``.
    """
    passed = {
        node.arg
        for module in program.all()
        for node in module.scopes.nodes
        if isinstance(node, ast.keyword) and node.arg
    }
    spread = set(_spread(program))
    texts, most = {}, 0
    for module in program.modules:
        edits = Edits(module)
        for node in module.scopes.nodes:
            kept = inner is not None and isinstance(node, Function) and inner.takes_keywords(module, node)
            if isinstance(node, Function) and not kept and _may_change(module, node, spread):
                most = max(most, _rename(module, node, passed, names, edits))
        texts[module.path] = edits.text()
    return program.changed(texts), most


def _spread(program: Program) -> Iterator[str]:
    """Names of what is called with `**`."""
    defined = {
        node.name
        for module in program.modules
        for node in module.scopes.nodes
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
    }
    for module in program.all():
        for node in module.scopes.nodes:
            if isinstance(node, ast.Call) and any(keyword.arg is None for keyword in node.keywords):
                called = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
                if called not in defined:
                    raise ShrinkError(
                        module.at(node, f"`**` into {ast.unparse(node.func)}: call a function or class by its own name")
                    )
                yield called


def _may_change(module: Module, node: AnyFunction, spread: set[str]) -> bool:
    if isinstance(node, ast.Lambda):
        return True
    for decorator in node.decorator_list:
        setter = isinstance(decorator, ast.Attribute) and decorator.attr == "setter"
        if not setter and not (isinstance(decorator, ast.Name) and decorator.id in _PLAIN_DECORATORS):
            return False  # it may compile the function by rules of its own
    owner = module.scopes.of[node].node
    called = owner.name if isinstance(owner, ast.ClassDef) and node.name == _CONSTRUCTOR else node.name
    return called not in spread


def _rename(module: Module, node: AnyFunction, passed: set[str], names: list[str], edits: Edits) -> int:
    """Rename the parameters of one function; the number of names needed, a parameter kept counted too."""
    inner = module.scopes.inner[node]
    arguments = parameters(node)
    first = _parameters_around(inner)
    if first + len(arguments) > len(names):
        raise ShrinkError(module.at(node, f"a function of more than {len(names)} parameters: pass an object"))
    for position, argument in enumerate(arguments, first):
        old = argument.arg
        if old == "self" or old in passed or not _plainly_bound(inner, argument):
            continue
        edits.name(argument, names[position])
        for use in module.scopes.uses(inner, old):
            edits.name(use, names[position])
    return first + len(arguments)


def _parameters_around(inner: Scope) -> int:
    """How many parameters the functions around this one have: it may use them, so its own are called otherwise."""
    number, scope = 0, inner.parent
    while scope is not None:
        if isinstance(scope.node, Function):
            number += len(parameters(scope.node))
        scope = scope.parent
    return number


def _plainly_bound(scope: Scope, argument: ast.arg) -> bool:
    """Whether the parameter's name is bound by itself and by assignments only."""
    return all(node is argument or isinstance(node, ast.Name) for node in scope.bindings[argument.arg])
