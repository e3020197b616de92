"""Writes constants into the code that uses them, and takes out the definitions and imports that nothing needs then.

Entry point: :func:`write_constants_in`. A constant is a name in capitals that a module binds once, to a whole number
that needs no object on the board or to a text short enough to be kept as a name anyway, or that it imports as one.
A definition stays where the name may be reached otherwise: through an object that may be the module, by its text, or
from a file that is started as source.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable
from typing import Any

from sabot_build.program import Edits, Module, Program, ShrinkError
from sabot_build.scopes import Scope

CAPITALS = re.compile(r"_?[A-Z][A-Z0-9_]*")
SMALL = 1 << 30  # beyond it a number is an object on a board with 32 bits, one in each module that it is written into
TEXT_KEPT_AS_NAME = 10  # MICROPY_ALLOC_PARSE_INTERN_STRING_LEN
_OPERATORS: dict[type[ast.AST], Callable[..., Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.BitOr: operator.or_,
    ast.BitAnd: operator.and_,
    ast.BitXor: operator.xor,
    ast.USub: operator.neg,
    ast.Invert: operator.invert,
}
Place = tuple[str, str]  # a module and a name in it


def write_constants_in(program: Program) -> Program:
    """The program with its constants written into the code."""
    return _Constants(program).changed()


class _Constants:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.values: dict[Place, int | str] = {}
        while self._find():
            pass
        self.uses: dict[Place, list[Place | None]] = {}
        """For each place, who needs it to be there: an import that goes with another place, or None (it must stay)."""
        self.edits = {module.name: Edits(module) for module in program.modules}
        strings = set(program.strings())
        for place in self.values:
            if place[1] in strings:
                self._use(place, None)
        for module in program.all():
            self._judge(module)
        self.needed = self._needed()

    # --- which there are ----------------------------------------------------------------------------------------------

    def _find(self) -> bool:
        """Find constants made of those known so far; whether there were new ones."""
        before = len(self.values)
        for module in self.program.modules:
            for statement in module.tree.body:
                if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
                    self._found(module, statement.targets[0], self._value(module, statement.value))
                elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
                    self._found(module, statement.target, self._value(module, statement.value))
                elif isinstance(statement, ast.ImportFrom):
                    for alias in statement.names:
                        value = self.values.get((module.absolute(statement), alias.name))
                        name = alias.asname or alias.name
                        if value is not None and len(module.scopes.module.bindings[name]) == 1:
                            self.values[(module.name, name)] = value
        return len(self.values) > before

    def _found(self, module: Module, target: ast.expr, value: int | str | None) -> None:
        if (
            value is not None
            and isinstance(target, ast.Name)
            and CAPITALS.fullmatch(target.id)
            and len(module.scopes.module.bindings[target.id]) == 1
        ):
            self.values[(module.name, target.id)] = value

    def _value(self, module: Module, node: ast.expr) -> int | str | None:
        value = self._number(module, node)
        if value is not None:
            return value if -SMALL <= value < SMALL else None
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) <= TEXT_KEPT_AS_NAME:
            return node.value
        return None

    def _number(self, module: Module, node: ast.expr) -> int | None:
        if isinstance(node, ast.Constant):
            return node.value if type(node.value) is int else None
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "const":
            return self._number(module, node.args[0])
        if isinstance(node, (ast.Name, ast.Attribute)):
            place = self._place(module, node)
            value = self.values.get(place) if place else None
            return value if isinstance(value, int) else None
        if isinstance(node, ast.UnaryOp) and type(node.op) in _OPERATORS:
            operand = self._number(module, node.operand)
            return None if operand is None else int(_OPERATORS[type(node.op)](operand))
        if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
            left, right = self._number(module, node.left), self._number(module, node.right)
            if left is None or right is None:
                return None
            try:
                return int(_OPERATORS[type(node.op)](left, right))
            except (ValueError, ZeroDivisionError) as wrong:
                raise ShrinkError(module.at(node, f"no number: {wrong}")) from None
        return None

    # --- where they are used ------------------------------------------------------------------------------------------

    def _place(self, module: Module, node: ast.expr) -> Place | None:
        """The place of a module's name that ``node`` means; None when it is none, or not certain to be one."""
        if isinstance(node, ast.Name):
            scope = module.scopes.of[node]
            home = scope.home(node.id)
            if home is None:
                return None
            if home is module.scopes.module:
                return module.name, node.id
            return self._imported(module, home, node.id)
        if isinstance(node, ast.Attribute):
            owner = self._module(module, node.value)
            return (owner, node.attr) if owner else None
        return None

    def _imported(self, module: Module, home: Scope, name: str) -> Place | None:
        """The place that a scope's only binding of ``name`` imports."""
        bound = home.bindings[name]
        if len(bound) != 1 or not isinstance(bound[0], ast.alias):
            return None
        statement = module.scopes.parent[bound[0]]
        if isinstance(statement, ast.ImportFrom):
            return module.absolute(statement), bound[0].name
        return None

    def _module(self, module: Module, node: ast.expr) -> str | None:
        """The module of the program that ``node`` is certain to mean."""
        if isinstance(node, ast.Name):
            home = module.scopes.of[node].home(node.id)
            bound = home.bindings[node.id] if home else []
            if len(bound) != 1 or not isinstance(bound[0], ast.alias):
                return None
            statement = module.scopes.parent[bound[0]]
            if isinstance(statement, ast.ImportFrom):
                name = f"{module.absolute(statement)}.{bound[0].name}"
            else:
                name = bound[0].name if bound[0].asname else node.id
        elif isinstance(node, ast.Attribute):
            above = self._module(module, node.value)
            name = f"{above}.{node.attr}" if above else ""
        else:
            return None
        return name if name in self.program.by_name else None

    def _use(self, place: Place, user: Place | None) -> None:
        self.uses.setdefault(place, []).append(user)

    def _judge(self, module: Module) -> None:
        """Write the values into one module's code, and note what its other uses need."""
        by_attribute: dict[str, list[Place]] = {}
        for known in self.values:
            by_attribute.setdefault(known[1], []).append(known)
        for node in module.scopes.nodes:
            if isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Load):
                place = self._place(module, node)
                if place is not None and place in self.values:
                    if not module.shrunk:
                        self._use(place, None)
                    elif not self._inside_a_constant(module, node):
                        self.edits[module.name].replace(node, _literal(self.values[place]))
                elif isinstance(node, ast.Attribute) and (place is None or place[0] not in self.program.by_name):
                    for possible in by_attribute.get(node.attr, ()):
                        self._use(possible, None)
            elif isinstance(node, ast.Attribute):
                for possible in by_attribute.get(node.attr, ()):
                    self._use(possible, None)
            elif isinstance(node, ast.ImportFrom):
                self._judge_import(module, node)

    def _inside_a_constant(self, module: Module, node: ast.AST) -> bool:
        """Whether ``node`` stands in the definition of a constant, which goes or is written anew as a whole."""
        while isinstance(node, ast.expr):
            node = module.scopes.parent[node]
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and module.scopes.of[node] is module.scopes.module:
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            return isinstance(target, ast.Name) and (module.name, target.id) in self.values
        return False

    def _judge_import(self, module: Module, node: ast.ImportFrom) -> None:
        for alias in node.names:
            place, name = (module.absolute(node), alias.name), alias.asname or alias.name
            if place not in self.values:
                continue
            here = (module.name, name)
            if not module.shrunk or not self._written_in(module, node, name):
                self._use(place, None)
            elif module.scopes.of[node] is module.scopes.module:
                self._use(place, here)

    def _written_in(self, module: Module, node: ast.ImportFrom, name: str) -> bool:
        """Whether every use of the imported constant ``name`` gets its value."""
        scope = module.scopes.of[node]
        if scope is module.scopes.module:
            return (module.name, name) in self.values
        return len(scope.bindings[name]) == 1

    def _needed(self) -> set[Place]:
        needed = {place for place, users in self.uses.items() if None in users}
        while True:
            more = {place for place, users in self.uses.items() if needed.intersection(u for u in users if u)} - needed
            if not more:
                return needed
            needed |= more

    # --- the new texts ------------------------------------------------------------------------------------------------

    def changed(self) -> Program:
        """The program's new texts."""
        for module in self.program.modules:
            for node in module.scopes.nodes:
                if isinstance(node, ast.ImportFrom):
                    self._rewrite_import(module, node)
                elif isinstance(node, (ast.Assign, ast.AnnAssign)) and module.scopes.of[node] is module.scopes.module:
                    target = node.targets[0] if isinstance(node, ast.Assign) else node.target
                    if isinstance(target, ast.Name) and (module.name, target.id) in self.values:
                        here = (module.name, target.id)
                        text = f"{target.id} = {_literal(self.values[here])}" if here in self.needed else "pass"
                        self.edits[module.name].replace(node, text)
        return _without_const(self.program.changed({m.path: self.edits[m.name].text() for m in self.program.modules}))

    def _rewrite_import(self, module: Module, node: ast.ImportFrom) -> None:
        source, kept = module.absolute(node), []
        for alias in node.names:
            name = alias.asname or alias.name
            constant = (source, alias.name) in self.values and self._written_in(module, node, name)
            outside = module.scopes.of[node] is module.scopes.module
            if not constant or (outside and (module.name, name) in self.needed):
                kept.append(f"{alias.name} as {alias.asname}" if alias.asname else alias.name)
        if len(kept) == len(node.names):
            return
        if not kept and not _only_defines(self.program.by_name[source]):
            problem = f"only constants are imported from {source}, which does more when it is imported than to define"
            raise ShrinkError(module.at(node, problem))
        start = f"from {'.' * node.level}{node.module or ''} import"
        self.edits[module.name].replace(node, f"{start} {', '.join(kept)}" if kept else "pass")


def _only_defines(module: Module) -> bool:
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Assign, ast.AnnAssign, ast.Import, ast.ImportFrom)
    return all(
        isinstance(node, (*kinds, ast.Pass)) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        for node in module.tree.body
    )


def _literal(value: int | str) -> str:
    return repr(value) if isinstance(value, str) or value >= 0 else f"({value})"


def _without_const(program: Program) -> Program:
    """The program without `from micropython import const` where it has become idle."""
    texts = program.texts()
    for module in program.modules:
        used = any(isinstance(node, ast.Name) and node.id == "const" for node in module.scopes.nodes)
        for statement in module.tree.body:
            if isinstance(statement, ast.ImportFrom) and statement.module == "micropython" and not used:
                edits = Edits(module)
                if [alias.name for alias in statement.names] == ["const"]:
                    edits.replace(statement, "pass")
                    texts[module.path] = edits.text()
    return program.changed(texts)
