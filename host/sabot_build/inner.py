"""What a program keeps to itself that others import from: modules with an underscore before their names.

Entry point: :class:`Inner`. All names of such a module are the program's own, but for those that another module imports
from it by name. The others are reached as `_module.name` only, which is certain where the module is no value.
"""

from __future__ import annotations

import ast

from sabot_build.program import Module, Program, ShrinkError
from sabot_build.scopes import parameters

AnyFunction = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


class Inner:
    """The names of these ``modules``, and each place that ``uses`` one of their names: from which module, of which."""

    def __init__(self, program: Program) -> None:
        self.modules = {module.name for module in program.modules if module.name.startswith("_")}
        self.uses: dict[ast.Attribute, tuple[Module, str]] = {}
        self._offered: set[str] = set()
        """What modules for others import from these."""
        for module in program.all():
            for node in module.scopes.nodes:
                if isinstance(node, ast.ImportFrom) and module.name not in self.modules:
                    self._offered.update(alias.name for alias in node.names)
                elif isinstance(node, ast.Name):
                    self._look_at(module, node)

    def _look_at(self, module: Module, node: ast.Name) -> None:
        home = module.scopes.of[node].home(node.id)
        all_bound = home.bindings[node.id] if home else []
        for bound in all_bound:
            if not isinstance(bound, ast.alias) or bound.name not in self.modules:
                continue
            parent = module.scopes.parent[node]
            if len(all_bound) > 1 or not module.shrunk or not isinstance(parent, ast.Attribute):
                raise ShrinkError(module.at(node, f"{node.id}, a module, as a value: use its names"))
            self.uses[parent] = module, bound.name

    def takes_keywords(self, module: Module, function: AnyFunction) -> bool:
        """Whether others may pass a parameter of ``function`` by keyword: it is theirs, and one of them is optional.

        The ports of the interpreter take what is never optional by its position only.
        """
        arguments = function.args
        needed = len(arguments.args) - len(arguments.defaults)
        if isinstance(function, ast.Lambda) or len(parameters(function)) == needed:
            return False
        names, scope = [function.name], module.scopes.of[function]
        while scope.parent is not None:
            if not isinstance(scope.node, ast.ClassDef):
                return False
            names.append(scope.node.name)
            scope = scope.parent
        if any(name.startswith("_") and not name.startswith("__") for name in names):
            return False
        return module.name not in self.modules or names[-1] in self._offered
