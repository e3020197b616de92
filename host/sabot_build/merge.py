"""Makes one module of those that are always loaded together: one table of globals instead of a hundred.

Entry point: :func:`merge`. Joined are the modules that the application imports while it is
imported itself, those that the board's module and the start's own modules import, and those that these import. Not
joined are the packages above the application, what the start drops again, and what is imported in a function only.
Each part keeps its text, with its imports taken out, in the order in which they would have been loaded. What they call
by the same name gets names of its own; what is left outside imports from the whole.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator

from sabot_build.program import Edits, Module, Program, ShrinkError
from sabot_build.scopes import Scope

APPLICATION = "sabot.app"
DROPPED = "sabot.start", "ONLY"
"""The module and name of the tuple that tells which modules the start drops again."""
_OF_PYTHON = frozenset(dir(builtins))

Symbol = tuple[str, str]
"""What a name of a module means: where it is defined, and its name there; the name is empty for a whole module."""


Parts = dict[str, list[tuple[int, str]]]


def merge(program: Program) -> tuple[Program, Parts]:
    """The program with everything joined to the application, behind an empty line and what is imported from outside.

    And where each part begins: the line, from 1, and the path it had. As it is where there is no application.
    """
    if APPLICATION not in program.by_name:
        return program, {}
    return _Merge(program).done()


class _Merge:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.above = {APPLICATION.rsplit(".", depth)[0] for depth in range(1, APPLICATION.count(".") + 1)}
        self.order: list[Module] = []
        self._apart = self._dropped()
        for module in [*program.started, *(program.by_name[name] for name in sorted(self._apart))]:
            self._apart |= {name for name in self._named_by(module) if not module.shrunk and name != APPLICATION}
        seen: set[str] = set()
        for name in sorted(self._apart):
            for needed in self._named_by(program.by_name[name]):
                self._visit(program.by_name[needed], seen)
        self._visit(program.by_name[APPLICATION], seen)
        self.joined = {module.name for module in self.order}
        self.edits = {module.name: Edits(module) for module in program.modules}
        self.outside: list[Symbol] = []
        """What is imported from outside, in the order in which it is met."""
        self.uses: dict[Symbol, list[tuple[Module, ast.AST, Scope]]] = {}
        for module in self.order:
            self._collect(module)
        self.names = self._named()

    # --- which modules ------------------------------------------------------------------------------------------------

    def _dropped(self) -> set[str]:
        """Modules that the start drops again."""
        where, name = DROPPED
        module = self.program.by_name.get(where)
        for statement in module.tree.body if module else ():
            if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == name:
                return set(ast.literal_eval(statement.value)) & set(self.program.by_name)
        return set()

    def _named_by(self, module: Module) -> list[str]:
        """The program's modules that a module imports while it is imported itself; of what is started, all."""
        statements = module.tree.body if module.shrunk else module.scopes.nodes
        named = [name for statement in statements for name in self._imported(module, statement)]
        return [name for name in named if name in self.program.by_name]

    def _visit(self, module: Module, seen: set[str]) -> None:
        """Put a module behind everything that it needs."""
        if module.name in seen or module.name in self.above or module.name in self._apart:
            return
        seen.add(module.name)
        for name in self._named_by(module):
            self._visit(self.program.by_name[name], seen)
        self.order.append(module)

    def _imported(self, module: Module, statement: ast.AST) -> Iterator[str]:
        if isinstance(statement, ast.Import):
            yield from (alias.name for alias in statement.names)
        elif isinstance(statement, ast.ImportFrom):
            base = module.absolute(statement)
            yield base.rpartition(".")[0]
            yield base
            yield from (f"{base}.{alias.name}" for alias in statement.names)

    # --- what names mean ----------------------------------------------------------------------------------------------

    def _target(self, module: Module, alias: ast.alias, statement: ast.stmt) -> Symbol:
        """What an alias of an import statement means."""
        if isinstance(statement, ast.Import):
            if alias.asname is None and "." in alias.name:
                raise ShrinkError(module.at(statement, "`import` of a module in a package: import its names"))
            return alias.name, ""
        if not isinstance(statement, ast.ImportFrom):
            raise TypeError(statement)
        base = module.absolute(statement)
        if f"{base}.{alias.name}" in self.program.by_name:
            return f"{base}.{alias.name}", ""
        return self._defined(base, alias.name)

    def _defined(self, where: str, name: str) -> Symbol:
        """Where the ``name`` of a module is defined, through whatever imports it."""
        module = self.program.by_name.get(where)
        if module is None or where not in self.joined:
            return where, name
        bound = module.scopes.module.bindings.get(name, [])
        for node in bound:
            statement = module.scopes.parent.get(node)
            if isinstance(node, ast.alias) and statement in module.tree.body:
                return self._target(module, node, statement)
        return where, name

    def _whole(self, module: Module, node: ast.AST) -> str:
        """The joined module that this is, of which only names may be used; empty for anything else."""
        meant = self._meaning(module, node) if isinstance(node, ast.Name) else None
        return meant[0] if meant is not None and not meant[1] and meant[0] in self.joined else ""

    def _meaning(self, module: Module, node: ast.Name) -> Symbol | None:
        """What a name means where it stands; None for what is not a module's."""
        home = module.scopes.of[node].home(node.id)
        if home is None:
            return None
        if home is module.scopes.module:
            return (
                self._defined(module.name, node.id) if module.name in self.joined else self._local(module, home, node)
            )
        return self._local(module, home, node)

    def _local(self, module: Module, home: Scope, node: ast.Name) -> Symbol | None:
        """What a name means that an import statement binds in this scope."""
        bound = home.bindings[node.id]
        if len(bound) == 1 and isinstance(bound[0], ast.alias):
            return self._target(module, bound[0], module.scopes.parent[bound[0]])  # type: ignore[arg-type]
        return None

    # --- what is used where -------------------------------------------------------------------------------------------

    def _collect(self, module: Module) -> None:
        for name, bound in module.scopes.module.bindings.items():
            for node in bound:
                if isinstance(node, ast.alias):
                    statement = module.scopes.parent[node]
                    if statement not in module.tree.body:
                        raise ShrinkError(module.at(node, "an import below `if` or `try`: import it at the top"))
                    symbol = self._target(module, node, statement)
                    if symbol[0] not in self.joined and symbol not in self.outside:
                        self.outside.append(symbol)
                elif name != "__all__":
                    self.uses.setdefault((module.name, name), []).append((module, node, module.scopes.module))
        for node in module.scopes.nodes:
            if isinstance(node, ast.Name):
                meant = self._meaning(module, node)
                if meant is None or meant[1] == "__all__" or self._whole(module, node):
                    continue
                if meant[0] in self.joined or meant in self.outside:
                    self.uses.setdefault(meant, []).append((module, node, module.scopes.of[node]))
            elif isinstance(node, ast.Attribute) and self._whole(module, node.value):
                symbol = self._defined(self._whole(module, node.value), node.attr)
                self.uses.setdefault(symbol, []).append((module, node, module.scopes.of[node]))

    def _named(self) -> dict[Symbol, str]:
        """A name for each symbol: its own where nothing else has it, nor a scope in which it is used."""
        wanted: dict[str, list[Symbol]] = {}
        for symbol in [*self.outside, *(symbol for symbol in self.uses if symbol[0] in self.joined)]:
            wanted.setdefault(_own(symbol), []).append(symbol)
        built_in = {
            node.id
            for module in self.order
            for node in module.scopes.nodes
            if isinstance(node, ast.Name) and module.scopes.of[node].home(node.id) is None
        }
        words = self.program.words(started=False)  # what is started may use the names that are made here
        names: dict[Symbol, str] = {}
        for name, symbols in wanted.items():
            for symbol in symbols:
                alone = len(symbols) == 1 and name not in built_in and not self._captured(symbol, name)
                names[symbol] = name if alone else _fresh(symbol, words)
        return names

    def _captured(self, symbol: Symbol, name: str) -> bool:
        """Whether a scope in which the symbol is used has that name for something else."""
        for module, _, scope in self.uses.get(symbol, ()):
            home = scope.home(name)
            if home is not None and home is not module.scopes.module:
                inner = home.bindings[name]
                if not (len(inner) == 1 and isinstance(inner[0], ast.alias)):
                    return True
        return False

    # --- the texts ----------------------------------------------------------------------------------------------------

    def done(self) -> tuple[Program, Parts]:
        """Make the texts."""
        for module in self.program.modules:
            if module.name in self.joined:
                self._inside(module)
            else:
                self._beside(module)
        texts = {module.path: self.edits[module.name].text() for module in self.program.modules}
        header = "\n" + "".join(_import(symbol, self.names[symbol]) for symbol in self.outside)
        parts, lines, at = [header], [], header.count("\n") + 1
        for module in self.order:
            text = texts.pop(module.path)
            text += "" if text.endswith("\n") else "\n"
            lines.append((at, module.path))
            at += text.count("\n")
            parts.append(text)
        host = self.program.by_name[APPLICATION].path
        texts[host] = "".join(parts)
        return self.program.changed(texts), {host: lines}

    def _inside(self, module: Module) -> None:
        edits = self.edits[module.name]
        replaced = set()
        for symbol, uses in self.uses.items():
            new = self.names[symbol]
            for where, node, _ in uses:
                if where is not module:
                    continue
                if isinstance(node, ast.Attribute):
                    edits.replace(node, new)
                    replaced.add(node.value)
                elif new != _written(node):
                    edits.name(node, new)
        for node in module.scopes.nodes:
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                self._without(module, node, edits)
            elif isinstance(node, ast.Name) and node not in replaced and self._whole(module, node):
                raise ShrinkError(module.at(node, f"{node.id}, a module, as a value: use its names"))
            elif isinstance(node, ast.Name) and node.id == "__all__":
                edits.replace(module.scopes.parent[node], "pass")  # type: ignore[arg-type]

    def _without(self, module: Module, statement: ast.Import | ast.ImportFrom, edits: Edits) -> None:
        """Take an import out, or in a function what of it is joined."""
        if statement in module.tree.body:
            edits.replace(statement, "pass")
            return
        targets = [self._target(module, alias, statement) for alias in statement.names]
        if any(where in self.joined for where, _ in targets):
            raise ShrinkError(module.at(statement, "an import in a function of what is always there: import it above"))
        if isinstance(statement, ast.ImportFrom) and statement.level:
            # It stands in another package now.
            named = ", ".join(ast.unparse(alias) for alias in statement.names)
            edits.replace(statement, f"from {module.absolute(statement)} import {named}")

    def _beside(self, module: Module) -> None:
        """A module that is loaded when it is needed: it imports from the whole."""
        edits = self.edits[module.name]
        for node in module.scopes.nodes:
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                targets = [self._target(module, alias, node) for alias in node.names]
                if any(where in self.joined for where, _ in targets):
                    edits.replace(node, "; ".join(self._imports(module, node, targets)))
            elif isinstance(node, ast.Attribute) and self._whole(module, node.value):
                new = self.names[self._defined(self._whole(module, node.value), node.attr)]
                if new != node.attr:
                    edits.name(node, new)

    def _imports(self, module: Module, node: ast.Import | ast.ImportFrom, targets: list[Symbol]) -> Iterator[str]:
        package, _, own = APPLICATION.rpartition(".")
        for alias, symbol in zip(node.names, targets, strict=True):
            bound = alias.asname or alias.name
            if symbol[0] in self.joined and not symbol[1]:
                yield f"from {package} import {own} as {bound}"
            elif symbol in self.names:
                yield f"from {APPLICATION} import {self.names[symbol]} as {bound}"
            elif symbol[0] in self.joined:
                raise ShrinkError(module.at(node, f"{symbol[0]} has no {symbol[1]}"))
            elif isinstance(node, ast.ImportFrom):
                yield f"from {module.absolute(node)} import {alias.name} as {bound}"
            else:
                yield f"import {alias.name} as {bound}"


def _own(symbol: Symbol) -> str:
    return symbol[1] or symbol[0].replace(".", "_")


def _import(symbol: Symbol, name: str) -> str:
    if not symbol[1]:
        return f"import {symbol[0]} as {name}\n"
    return f"from {symbol[0]} import {symbol[1]} as {name}\n"


def _written(node: ast.AST) -> str:
    return node.id if isinstance(node, ast.Name) else getattr(node, "name", "")


def _fresh(symbol: Symbol, words: set[str]) -> str:
    """A name that no text has: with the module's before it, and private as it was."""
    module, own = symbol[0].rpartition(".")[2], _own(symbol)
    plain = f"_{module}{own}" if own.startswith("_") else f"{module}_{own}"
    new = next(new for new in (plain, *(f"{plain}_{number}" for number in range(2, 1000))) if new not in words)
    words.add(new)
    return new
