"""Gives private names (one leading underscore) the names of a small pool.

Entry points: :func:`rename_attributes`, of objects, unique within all classes that are related by inheritance, and
:func:`rename_globals`, of modules, unique within one. Kept is what may be reached otherwise: a word of any string, a
name used on anything but `self`, what an object looks up by a text made up there, and the names of a class whose base
is not the program's and no exception.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator

from sabot_build.checks import LOOKUPS
from sabot_build.program import Edits, Module, Program
from sabot_build.scopes import Function, parameters

Definition = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
Renamed = dict[str, str]


def _private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__") and name != "_"


# --- attributes -------------------------------------------------------------------------------------------------------


def rename_attributes(program: Program, names: list[str]) -> tuple[Program, Renamed]:
    """The program with private attributes and methods renamed, and the new name by the old one."""
    families = _Families(program)
    renamed = families.colours(names)
    texts = {}
    for module in program.modules:
        edits = Edits(module)
        for node, name in _attributes(module):
            if name in renamed:
                edits.name(node, renamed[name])
        texts[module.path] = edits.text()
    return program.changed(texts), renamed


def _attributes(module: Module) -> Iterator[tuple[ast.AST, str]]:
    """Every attribute and every name that a class body defines or uses of its own."""
    for node in module.scopes.nodes:
        if isinstance(node, ast.Attribute):
            yield node, node.attr
        elif isinstance(node, Definition) and module.scopes.of[node].is_class:
            yield node, node.name
        elif isinstance(node, ast.Name):
            home = module.scopes.of[node].home(node.id)
            if home is not None and home.is_class:
                yield node, node.id


class _Families:
    """Classes by inheritance, and the private names that the objects of each family have."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._of: dict[str, str] = {}
        self.names: dict[str, set[str]] = {}
        self.kept: set[str] = program.spoken()
        foreign = set()
        classes = [(m, node) for m in program.all() for node in m.scopes.nodes if isinstance(node, ast.ClassDef)]
        known = {node.name for _, node in classes}
        for _, node in classes:
            for base in node.bases:
                name = base.attr if isinstance(base, ast.Attribute) else getattr(base, "id", "")
                if name in known:
                    self._of[self.family(node.name)] = self.family(name)
                elif not _plain_base(base):
                    foreign.add(node.name)
        self._self_lookups: set[str] = set()
        for module in program.all():
            self._look_at(module)
        for name in (*foreign, *self._self_lookups):
            self.kept |= self.names.get(self.family(name), set())

    def family(self, name: str) -> str:
        """One class's name that stands for all classes related to the class ``name``."""
        while name in self._of and self._of[name] != name:
            name = self._of[name]
        return name

    def _look_at(self, module: Module) -> None:
        for node, name in _attributes(module):
            owner = _owner(module, node)
            if not _private(name):
                continue
            if owner is None or not module.shrunk:
                self.kept.add(name)
            else:
                self.names.setdefault(self.family(owner), set()).add(name)
        for node in module.scopes.nodes:
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in LOOKUPS:
                owner = _owner_of_self(module, node.args[0])
                if owner is not None and not isinstance(node.args[1], ast.Constant):
                    self._self_lookups.add(owner)
            elif isinstance(node, ast.ImportFrom):
                self.kept.update(alias.name for alias in node.names)

    def colours(self, names: list[str]) -> Renamed:
        """A new name for each private name, unlike that of any other in its families."""
        families: dict[str, list[str]] = {}
        for family, members in self.names.items():
            for name in members - self.kept:
                families.setdefault(name, []).append(family)
        taken: dict[str, set[str]] = {}
        renamed: Renamed = {}
        size = {family: len(members) for family, members in self.names.items()}
        for name in sorted(families, key=lambda name: (-max(size[family] for family in families[name]), name)):
            new = next(new for new in names if not any(new in taken.get(f, ()) for f in families[name]))
            renamed[name] = new
            for family in families[name]:
                taken.setdefault(family, set()).add(new)
        return renamed


def _plain_base(base: ast.expr) -> bool:
    """Whether a class that is not the program's has no private names: an exception, or `object`."""
    kind = getattr(builtins, base.id, None) if isinstance(base, ast.Name) else None
    return isinstance(kind, type) and (kind is object or issubclass(kind, BaseException))


def _owner(module: Module, node: ast.AST) -> str | None:
    """The class whose own name this is: used on `self`, or standing in the class body."""
    if isinstance(node, ast.Attribute):
        return _owner_of_self(module, node.value)
    scope = module.scopes.of[node]
    home = scope if isinstance(node, Definition) else scope.home(node.id) if isinstance(node, ast.Name) else None
    return home.node.name if home is not None and isinstance(home.node, ast.ClassDef) else None


def _owner_of_self(module: Module, node: ast.expr) -> str | None:
    """The class whose object ``node`` is: the first parameter of one of its methods, never assigned to."""
    if not isinstance(node, ast.Name):
        return None
    home = module.scopes.of[node].home(node.id)
    if home is None or not isinstance(home.node, Function) or isinstance(home.node, ast.Lambda):
        return None
    method, first = home.node, parameters(home.node)[:1]
    owner = module.scopes.of[method].node
    if not isinstance(owner, ast.ClassDef) or not first or first[0].arg != node.id or len(home.bindings[node.id]) > 1:
        return None
    if any(ast.unparse(decorator) == "staticmethod" for decorator in method.decorator_list):
        return None
    return owner.name


# --- modules ----------------------------------------------------------------------------------------------------------


def rename_globals(program: Program, names: list[str]) -> tuple[Program, dict[str, Renamed]]:
    """The program with the private names of its modules renamed, and for each module the new name by the old one."""
    kept = program.spoken()
    for module in program.all():
        for node in module.scopes.nodes:
            if isinstance(node, ast.ImportFrom):
                kept.update(alias.name for alias in node.names)
            elif isinstance(node, ast.Attribute):
                kept.add(node.attr)
    texts, renamed = {}, {}
    for module in program.modules:
        edits, free, new_names = Edits(module), iter(names), {}
        home = module.scopes.module
        for name in sorted(home.bindings):
            bound = home.bindings[name]
            if not _private(name) or name in kept or not all(isinstance(n, (ast.Name, *Definition)) for n in bound):
                continue
            new_names[name] = next(free)
            for node in bound:
                edits.name(node, new_names[name])
            for node in module.scopes.uses(home, name):
                edits.name(node, new_names[name])
        if new_names:
            renamed[module.name] = new_names
        texts[module.path] = edits.text()
    return program.changed(texts), renamed
