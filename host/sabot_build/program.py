"""The program that is made smaller: its modules, parsed, and how their texts are changed at the positions of names.

Entry points: :class:`Module`, :class:`Program`, :class:`Edits` and :class:`ShrinkError`. An edit never changes the
number of lines, so a traceback still points into the sources.
"""

from __future__ import annotations

import ast
import builtins
import keyword
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count

from sabot_build.compiler import dotted
from sabot_build.scopes import Scopes

WORD = re.compile(r"[A-Za-z_]\w*")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


class ShrinkError(Exception):
    """The program cannot be made smaller safely; the text is one problem a line: `file:line: what: what to do`."""


@dataclass
class Module:
    """One source file at ``path`` under the root of its sources; ``shrunk`` is False for what stays source."""

    path: str
    text: str
    shrunk: bool = True
    tree: ast.Module = field(init=False)
    scopes: Scopes = field(init=False)

    def __post_init__(self) -> None:
        try:
            self.tree = ast.parse(self.text, self.path)
        except SyntaxError as broken:
            raise ShrinkError(f"{self.path}:{broken.lineno or 1}: SyntaxError: {broken.msg}") from None
        self.scopes = Scopes(self.tree)

    @property
    def name(self) -> str:
        """The dotted name that imports it."""
        return dotted(self.path)

    def absolute(self, node: ast.ImportFrom) -> str:
        """The dotted name of the module that ``node`` imports from."""
        if not node.level:
            return node.module or ""
        package = self.name.split(".")
        if not self.path.endswith("__init__.py"):
            package = package[:-1]
        package = package[: len(package) - node.level + 1]
        return ".".join([*package, *([node.module] if node.module else [])])

    def at(self, node: ast.AST, what: str) -> str:
        """A problem at ``node``."""
        return f"{self.path}:{getattr(node, 'lineno', 1)}: {what}"


class Program:
    """All modules, in the order of their paths, and the words that they use."""

    def __init__(self, texts: Mapping[str, str], started: Mapping[str, str], parsed: Iterable[Module] = ()) -> None:
        """``parsed``: modules that need not be parsed again where their texts are the same."""
        there = {(module.path, module.shrunk): module for module in parsed}

        def module(path: str, text: str, shrunk: bool) -> Module:
            known = there.get((path, shrunk))
            return known if known is not None and known.text == text else Module(path, text, shrunk)

        self.modules = [module(path, text, True) for path, text in sorted(texts.items())]
        self.started = [module(path, text, False) for path, text in sorted(started.items())]
        self.by_name = {module.name: module for module in self.modules}

    def all(self) -> list[Module]:
        """Every module, those that stay source too."""
        return self.modules + self.started

    def at(self, path: str) -> Module:
        """The module at ``path``."""
        return next(module for module in self.modules if module.path == path)

    def changed(self, texts: Mapping[str, str]) -> Program:
        """The same program with other texts."""
        return Program(texts, {module.path: module.text for module in self.started}, self.all())

    def texts(self) -> dict[str, str]:
        """The text of each module by its path."""
        return {module.path: module.text for module in self.modules}

    def words(self, *, started: bool = True) -> set[str]:
        """Every word of the texts, comments and annotations included, and of those that are ``started`` too."""
        return {word for module in (self.all() if started else self.modules) for word in WORD.findall(module.text)}

    def strings(self) -> Iterator[str]:
        """The strings that exist at run time: a name may be looked up by one."""
        for module in self.all():
            for node in module.scopes.nodes:
                if isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes)):
                    yield node.value if isinstance(node.value, str) else node.value.decode("latin-1")

    def spoken(self) -> set[str]:
        """The words in all strings."""
        return {word for text in self.strings() for word in WORD.findall(text)}


def pool(taken: set[str]) -> Iterator[str]:
    """Short names, the same each time, none of which is in ``taken`` or means something to the interpreter."""
    known = taken | set(keyword.kwlist) | set(dir(builtins))
    for length in count(1):
        for number in range(len(_LETTERS) ** length):
            letters = []
            for _ in range(length):
                number, letter = divmod(number, len(_LETTERS))
                letters.append(_LETTERS[letter])
            name = "".join(reversed(letters))
            if name not in known:
                yield name


class Edits:
    """Changes of one module's text, by positions of the tree (columns are counted in bytes, as there)."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self._lines = module.text.encode().splitlines(keepends=True)
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line))
        self._edits: dict[tuple[int, int], bytes] = {}

    def _offset(self, line: int, column: int) -> int:
        return self._starts[line - 1] + column

    def replace(self, node: ast.expr | ast.stmt, text: str) -> None:
        """Put ``text`` in place of the whole node; lines that the node had more are made up for after it."""
        start, end = self._span(node)
        lost = (node.end_lineno or node.lineno) - node.lineno - text.count("\n")
        self._edits[(start, end)] = text.encode() + b"\n" * lost

    def name(self, node: ast.AST, new: str) -> None:
        """Give the name in ``node`` (a name, attribute, parameter, function or class) another text."""
        if isinstance(node, ast.Name):
            start, end = self._span(node)
        elif isinstance(node, ast.arg):
            start = self._offset(node.lineno, node.col_offset)
            end = start + len(node.arg.encode())
        elif isinstance(node, ast.Attribute):
            end = self._span(node)[1]
            start = end - len(node.attr.encode())
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            begin = self._offset(node.lineno, node.col_offset)
            found = re.compile(rb"(?:async\s+)?(?:def|class)\s+(\w+)").match(b"".join(self._lines), begin)
            if found is None:
                raise ShrinkError(self.module.at(node, f"no definition of {node.name} stands here"))
            start, end = found.span(1)
        else:
            raise TypeError(f"no name in {type(node).__name__}")
        self._edits[(start, end)] = new.encode()

    def _span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        if node.end_lineno is None or node.end_col_offset is None:
            raise ShrinkError(self.module.at(node, "the parser gives no end of this"))
        return self._offset(node.lineno, node.col_offset), self._offset(node.end_lineno, node.end_col_offset)

    def text(self) -> str:
        """The module's text with all changes made."""
        whole, position, parts = b"".join(self._lines), 0, []
        for (start, end), new in sorted(self._edits.items()):
            if start < position:
                line = whole.count(b"\n", 0, start) + 1
                raise ShrinkError(f"{self.module.path}:{line}: two changes overlap here")
            parts += [whole[position:start], new]
            position = end
        return b"".join([*parts, whole[position:]]).decode()
