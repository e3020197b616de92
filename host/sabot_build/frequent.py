"""Puts the names that a module uses most first in its own table: those are one byte each in its code, others two.

Entry point: :func:`put_first`. A compiled module numbers its names in the order in which it meets them; one of many
parts would meet hundreds that it uses once before those that it uses everywhere. And a long text is an object of the
heap, one more in each tuple and module in which it stands again, unless there is a name that is the same: words that
the module says several times are met as names too.
"""

from __future__ import annotations

import ast
import keyword
from collections import Counter

from sabot_build.constants import TEXT_KEPT_AS_NAME
from sabot_build.program import Module, ShrinkError

ONE_BYTE = 128
_OWN = 4  # names that the compiler puts before all: the file's, and those of the line itself


def put_first(module: Module) -> str:
    """The module's text, its first line, which must be empty, an order of names that is never carried out."""
    if not module.text.startswith("\n"):
        raise ShrinkError(f"{module.path}:1: no empty line for the order of names")
    uses = Counter(_names(module))
    most = sorted(uses, key=lambda name: (-uses[name], name))[: ONE_BYTE - _OWN]
    met = most + [word for word in _long_words(module) if word not in most]
    return "if __name__ is None: " + "; ".join(f"__name__.{name}" for name in met) + module.text if met else module.text


def _long_words(module: Module) -> list[str]:
    """Texts that are words and too long to be kept as names, but stand there several times."""
    texts = Counter(
        node.value for node in module.scopes.nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )
    return sorted(text for text in texts if len(text) > TEXT_KEPT_AS_NAME and texts[text] > 1 and _word(text))


def _names(module: Module) -> list[str]:
    """Each use of a name that the code holds by its number in the table."""
    found = []
    for node in module.scopes.nodes:
        if isinstance(node, ast.Attribute):
            found.append(node.attr)
        elif isinstance(node, ast.Name):
            home = module.scopes.of[node].home(node.id)
            if home is None or home is module.scopes.module or home.is_class:
                found.append(node.id)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.append(node.name)
        elif isinstance(node, ast.keyword) and node.arg:
            found.append(node.arg)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) <= TEXT_KEPT_AS_NAME:
            found.append(node.value)
    return [name for name in found if _word(name)]


def _word(text: str) -> bool:
    return text.isascii() and text.isidentifier() and not keyword.iskeyword(text)
