"""Gives attributes and methods the names of a small pool.

Entry point: :func:`rename_attributes`. A new name is unlike that of any other attribute in all classes that are related
by inheritance; an attribute that is also set from outside its class may be on any object, so its name is unlike all.
Kept is what may be reached otherwise: a word of any string, a name that is also a module's, what is started as source
uses, what objects of the interpreter have, what an object looks up by a text made up there, and the names of a class
whose base is not the program's and no exception.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Collection, Iterator

from sabot_build.checks import LOOKUPS
from sabot_build.interpreter import ATTRIBUTES
from sabot_build.program import Edits, Module, Program
from sabot_build.scopes import Function, parameters

Definition = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
Renamed = dict[str, str]


def rename_attributes(
    program: Program, joined: Collection[str], names: list[str], *, public: bool = True
) -> tuple[Program, Renamed]:
    """The program with attributes and methods renamed, and the new name by the old one.

    ``joined``: paths of modules that are no values anywhere. ``names`` are no attributes yet. Without ``public`` only
    names that begin with an underscore are renamed.
    """
    families = _Families(program, joined)
    renamed = families.colours(names, public)
    texts = {}
    for module in program.modules:
        edits = Edits(module)
        for node, name in attributes(module):
            if name in renamed:
                edits.name(node, renamed[name])
        texts[module.path] = edits.text()
    return program.changed(texts), renamed


def attributes(module: Module) -> Iterator[tuple[ast.AST, str]]:
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
    """Classes by inheritance, and the names that the objects of each family have."""

    def __init__(self, program: Program, joined: Collection[str]) -> None:
        self._joined = joined
        self._of: dict[str, str] = {}
        self.names: dict[str, set[str]] = {}
        self.kept: set[str] = program.spoken() | ATTRIBUTES
        self._anywhere: set[str] = set()
        self._uses: dict[str, int] = {}
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
        if module.path not in self._joined:
            self.kept.update(module.scopes.module.bindings)  # it may be a value, and these its attributes
        for node, name in attributes(module):
            self._uses[name] = self._uses.get(name, 0) + 1
            if name.startswith("__"):
                continue
            owner = _owner(module, node)
            defined = not (isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load))
            if not module.shrunk or self._of_foreign_module(module, node):
                self.kept.add(name)
            elif defined and owner is None:
                self._anywhere.add(name)
            elif owner is not None:
                self.names.setdefault(self.family(owner), set()).add(name)
        for node in module.scopes.nodes:
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in LOOKUPS:
                owner = _owner_of_self(module, node.args[0])
                if owner is not None and not isinstance(node.args[1], ast.Constant):
                    self._self_lookups.add(owner)
            elif isinstance(node, ast.ImportFrom):
                self.kept.update(alias.name for alias in node.names)

    def _of_foreign_module(self, module: Module, node: ast.AST) -> bool:
        """Whether this is an attribute of something imported: a module, or what only the interpreter knows."""
        while isinstance(node, ast.Attribute):
            node = node.value
        if not isinstance(node, ast.Name):
            return False
        home = module.scopes.of[node].home(node.id)
        return home is not None and any(isinstance(bound, ast.alias) for bound in home.bindings[node.id])

    def colours(self, names: list[str], public: bool) -> Renamed:
        """A new name for each, unlike that of any other in its families; what is used most shares what is used most."""
        families: dict[str, list[str]] = {}
        for family, members in self.names.items():
            for name in {member for member in members - self.kept if public or member.startswith("_")}:
                families.setdefault(name, []).append(family)
        taken: dict[str, set[str]] = {family: set() for family in self.names}
        everywhere: set[str] = set()
        renamed: Renamed = {}
        for name in sorted(families, key=lambda name: (-self._uses[name], name)):
            where = list(taken) if name in self._anywhere else families[name]
            new = next(new for new in names if new not in everywhere and not any(new in taken[f] for f in where))
            renamed[name] = new
            if name in self._anywhere:
                everywhere.add(new)
            for family in families[name]:
                taken[family].add(new)
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
