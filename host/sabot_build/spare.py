"""Names that the interpreter's table holds anyway, and that can mean a second thing.

Entry points: :func:`for_attributes`, :func:`for_globals` and :func:`of_the_interpreter`.
"""

from __future__ import annotations

import ast
import builtins
import keyword
from collections import Counter

from sabot_build.attributes import attributes
from sabot_build.constants import TEXT_KEPT_AS_NAME
from sabot_build.interpreter import SPARE
from sabot_build.program import Module, Program


def for_attributes(program: Program, module: Module) -> list[str]:
    """Short texts of ``module`` that are nothing but texts in the program, those used most first."""
    others = _bare(program) | _attributes(program)
    return [text for text in _texts(module) if text not in others]


def for_globals(program: Program, module: Module) -> list[str]:
    """Attributes of objects and short texts of ``module`` that are no names of modules, used most first.

    In functions they may be: who calls something global by one has to look there.
    """
    bare = _bare(program, functions=False)
    uses = Counter(node.attr for node in module.scopes.nodes if isinstance(node, ast.Attribute))
    of_objects = [name for name, _ in sorted(uses.items(), key=lambda used: (-used[1], used[0]))]
    return [name for name in dict.fromkeys([*of_objects, *_texts(module)]) if name not in bare and _plain(name)]


def of_the_interpreter(words: set[str]) -> list[str]:
    """Names that the interpreter has by itself and that none of the program's ``words`` is."""
    return [name for name in SPARE if name not in words]


def _texts(module: Module) -> list[str]:
    uses = Counter(
        node.value for node in module.scopes.nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )
    texts = [text for text in uses if len(text) <= TEXT_KEPT_AS_NAME and _plain(text)]
    return sorted(texts, key=lambda text: (-uses[text], text))


def _plain(name: str) -> bool:
    return name.isascii() and name.isidentifier() and name[0] != "_" and not keyword.iskeyword(name)


def _attributes(program: Program) -> set[str]:
    """Whatever is an attribute, or can be passed by keyword and become one."""
    found = {name for module in program.all() for _, name in attributes(module)}
    for module in program.all():
        found.update(node.arg for node in module.scopes.nodes if isinstance(node, ast.keyword) and node.arg)
    return found


def _bare(program: Program, *, functions: bool = True) -> set[str]:
    """Whatever a module, a class body or a function binds or takes from a module, or the interpreter knows."""
    found = set(dir(builtins))
    for module in program.all():
        for scope in (module.scopes.module, *module.scopes.inner.values()):
            if functions or scope.parent is None or scope.is_class:
                found.update(scope.bindings)
        for node in module.scopes.nodes:
            if isinstance(node, ast.Name):
                home = module.scopes.of[node].home(node.id)
                if functions or home is None:
                    found.add(node.id)
            elif isinstance(node, ast.ImportFrom):
                found.update(alias.name for alias in node.names)
    return found
