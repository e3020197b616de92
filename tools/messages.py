"""Collects what the host tools say to people, as templates, and holds the French catalogue against it.

Entry points: :func:`collected` (the templates and where each stands); `python tools/messages.py` fails when
`host/sabot_host/lang/fr.po` lacks one, or has one that nobody says; with `--missing` it prints those as entries to be
filled in.

What counts: message and hint of every `SabotError` and its families, and the argument of each function of `SAID`. An
f-string is a template: each of its parts in braces becomes a name.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

PART = re.compile(r"\{\w+\}")
LEAST_LETTERS = 3  # of its own: a template without words has nothing to translate
ROOT = Path(__file__).parents[1]
HOST = ROOT / "host" / "sabot_host"
FAMILIES = ("SabotError", "UsageError", "DeviceError", "RefusedError", "FileError", "MissingPartError")
SAID = {"mention": (0,), "say": (0,), "agree": (0,), "echo": (0,), "said": (0,), "asker": (0,)}
"""Functions and methods whose arguments, at these places, are said to people."""


class Template:
    """A template in the making: its text, and the names that stand for its parts."""

    def __init__(self) -> None:
        self.text = ""
        self.names: list[str] = []
        self.also: list[str] = []  # texts that may stand in its place

    def add(self, node: ast.expr) -> bool:
        """Take a part of the expression; False for what is no text written out."""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            self.text += node.value
        elif isinstance(node, ast.JoinedStr):
            for part in node.values:
                self.add(part.value if isinstance(part, ast.FormattedValue) and is_text(part.value) else part)
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            return self.add(node.left) and self.add(node.right)
        elif isinstance(node, ast.FormattedValue):
            self._name(node.value)
        elif self.text or isinstance(node, ast.IfExp):
            self._name(node)
        else:
            return False
        return True

    def _name(self, node: ast.expr) -> None:
        self.also += [each.value for each in ast.walk(node) if is_words(each)]
        plain = name_of(node)
        self.names.append(plain)
        count = self.names.count(plain)
        self.text += "{" + plain + (str(count) if count > 1 else "") + "}"


def is_text(node: ast.AST) -> bool:
    """Whether it is a text written out."""
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def is_words(node: ast.AST) -> bool:
    """Whether it is a text with letters in it that is more than a name."""
    return is_text(node) and " " in node.value.strip() and any(letter.isalpha() for letter in node.value)  # type: ignore[attr-defined]


def name_of(node: ast.expr) -> str:
    """What a translator reads for a part of a text."""
    if isinstance(node, ast.Attribute):
        return node.attr
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.BoolOp):
        return name_of(node.values[0])
    if isinstance(node, ast.Call) and node.args:
        return name_of(node.args[0])
    return "x"


def said(tree: ast.Module) -> Iterator[tuple[ast.expr, int]]:
    """Every expression of a module that is said to people, with its line."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        places = (1, 2) if name in FAMILIES else SAID.get(name, ())
        for place in places:
            if place < len(node.args):
                yield node.args[place], node.lineno


def of_expression(node: ast.expr) -> Iterator[str]:
    """The templates that an expression may give."""
    if isinstance(node, ast.IfExp):
        yield from of_expression(node.body)
        yield from of_expression(node.orelse)
        return
    template = Template()
    if template.add(node):
        yield template.text
        yield from template.also


def collected(skip: tuple[str, ...] = ("sim",)) -> dict[str, list[str]]:
    """Every template, and where it is said."""
    found: dict[str, list[str]] = {}
    for path in sorted(HOST.rglob("*.py")):
        if path.relative_to(HOST).parts[0] in skip or path.parent.name == "lang":
            continue
        for node, line in said(ast.parse(path.read_text(encoding="utf-8"))):
            for text in of_expression(node):
                for one in text.split("\n"):
                    if sum(letter.isalpha() for letter in PART.sub("", one)) >= LEAST_LETTERS:
                        found.setdefault(one, []).append(f"{path.relative_to(ROOT)}:{line}")
    return found


if __name__ == "__main__":
    templates = collected()
    if "--all" in sys.argv:
        for text, places in templates.items():
            print(f"{places[0]}\t{text}")
