"""Which scope each name of a module belongs to.

Entry points: :class:`Scopes` (one module) and :class:`Scope`. Annotations are left out: the board never evaluates them.
`nonlocal` and `:=` are not told apart here; :mod:`sabot_build.checks` refuses them, and `global` in the firmware.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

Function = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class Scope:
    """A module, class, function, lambda or comprehension, and how often each name is bound in it."""

    def __init__(self, node: ast.AST, parent: Scope | None) -> None:
        self.node = node
        self.parent = parent
        self.bindings: dict[str, list[ast.AST]] = {}
        self.declared: set[str] = set()
        """What a `global` here says to be the module's."""

    @property
    def is_class(self) -> bool:
        """Whether names here are seen by this body only, not by the functions in it."""
        return isinstance(self.node, ast.ClassDef)

    @property
    def outermost(self) -> Scope:
        """The module's scope."""
        return self.parent.outermost if self.parent else self

    def home(self, name: str) -> Scope | None:
        """The scope whose ``name`` a use in this scope means; None for a built-in."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.declared:
                return scope.outermost if name in scope.outermost.bindings else None
            if name in scope.bindings and (scope is self or not scope.is_class):
                return scope
            scope = scope.parent
        return None


class Scopes:
    """The scopes of one module: ``module`` itself, and ``of``, the scope in which each node stands."""

    def __init__(self, tree: ast.Module) -> None:
        self.module = Scope(tree, None)
        self.nodes: list[ast.AST] = []
        """Every node that means something at run time, documentation left out."""
        self.named: dict[str, list[ast.Name]] = {}
        self.of: dict[ast.AST, Scope] = {}
        self.inner: dict[ast.AST, Scope] = {}
        """The scope that a class, function, lambda or comprehension opens."""
        self.parent: dict[ast.AST, ast.AST] = {}
        self._body(tree.body, tree, self.module)

    def _body(self, body: Sequence[ast.stmt], owner: ast.AST, scope: Scope) -> None:
        for statement in body:
            if not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)):
                self._visit(statement, owner, scope)

    def _bind(self, name: str, node: ast.AST, scope: Scope) -> None:
        home = scope.outermost if name in scope.declared else scope
        home.bindings.setdefault(name, []).append(node)

    def _visit(self, node: ast.AST | None, parent: ast.AST, scope: Scope) -> None:
        if node is None:
            return
        self.nodes.append(node)
        self.of[node], self.parent[node] = scope, parent
        if isinstance(node, Function):
            self._function(node, scope)
        elif isinstance(node, ast.ClassDef):
            self._bind(node.name, node, scope)
            for outer in (*node.decorator_list, *node.bases, *node.keywords):
                self._visit(outer, node, scope)
            self.inner[node] = Scope(node, scope)
            self._body(node.body, node, self.inner[node])
        elif isinstance(node, _COMPREHENSIONS):
            self._comprehension(node, scope)
        elif isinstance(node, ast.AnnAssign):
            if node.value is not None or not isinstance(node.target, ast.Name):
                self._visit(node.target, node, scope)
            self._visit(node.value, node, scope)
        else:
            self._plain(node, scope)

    def uses(self, home: Scope, name: str) -> list[ast.Name]:
        """Every place that reads or assigns the ``name`` of the scope ``home``."""
        return [node for node in self.named.get(name, ()) if self.of[node].home(name) is home]

    def _plain(self, node: ast.AST, scope: Scope) -> None:
        if isinstance(node, ast.Name):
            self.named.setdefault(node.id, []).append(node)
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            self._bind(node.id, node, scope)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            for alias in node.names:
                self._bind(alias.asname or alias.name.split(".")[0], alias, scope)
        elif isinstance(node, ast.ExceptHandler) and node.name:
            self._bind(node.name, node, scope)
        for child in ast.iter_child_nodes(node):
            self._visit(child, node, scope)

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, scope: Scope) -> None:
        arguments = node.args
        outer: list[ast.expr | None] = [*arguments.defaults, *arguments.kw_defaults]
        if not isinstance(node, ast.Lambda):
            self._bind(node.name, node, scope)
            outer += node.decorator_list
        for expression in outer:
            self._visit(expression, node, scope)
        inner = self.inner[node] = Scope(node, scope)
        inner.declared.update(_declared(node))
        for argument in parameters(node):
            self._bind(argument.arg, argument, inner)
        if isinstance(node, ast.Lambda):
            self._visit(node.body, node, inner)
        else:
            self._body(node.body, node, inner)

    def _comprehension(self, node: ast.AST, scope: Scope) -> None:
        inner = self.inner[node] = Scope(node, scope)
        generators: list[ast.comprehension] = node.generators  # type: ignore[attr-defined]
        self._visit(generators[0].iter, node, scope)
        for position, generator in enumerate(generators):
            self._visit(generator.target, node, inner)
            for part in (generator.iter if position else None, *generator.ifs):
                self._visit(part, node, inner)
        for name in ("elt", "key", "value"):
            self._visit(getattr(node, name, None), node, inner)


def _declared(node: ast.AST) -> Iterator[str]:
    """Names of the `global` statements of a function, those of the functions and classes in it left out."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Global):
            yield from child.names
        elif not isinstance(child, (*Function, ast.ClassDef)):
            yield from _declared(child)


def parameters(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> list[ast.arg]:
    """All parameters, in the order of the definition."""
    arguments = node.args
    return [
        *arguments.posonlyargs,
        *arguments.args,
        *([arguments.vararg] if arguments.vararg else []),
        *arguments.kwonlyargs,
        *([arguments.kwarg] if arguments.kwarg else []),
    ]
