"""Gives the names of modules others that the interpreter's table holds anyway, and private ones those of a pool.

Entry point: :func:`rename_globals`. A name is unique within its module. In the joined module public names are changed
too. Kept is what may be reached otherwise: a word of any string, an attribute of anything, what another module imports,
and exceptions, whose names are told.
"""

from __future__ import annotations

import ast
from collections.abc import Collection

from sabot_build.attributes import Definition, Renamed
from sabot_build.inner import Inner
from sabot_build.program import Edits, Module, Program
from sabot_build.scopes import Scope


def rename_globals(
    program: Program, joined: Collection[str], there: list[str], fresh: list[str], inner: Inner | None = None
) -> tuple[Program, dict[str, Renamed]]:
    """The program with names of its modules changed, and for each module the new name by the old one.

    Args:
        program: the program.
        joined: paths of the modules of which all names may be changed.
        there: names in the table for something else, none of which means anything where a module's name would.
        fresh: names that are in no text of the program but as a parameter of some function.
        inner: modules that nothing outside imports, of which public names may be changed too.
    """
    inside = inner.uses if inner is not None else {}
    kept = _kept(program, {module.name for module in program.modules if module.path in joined}, inside)
    names = list(dict.fromkeys([*there, *fresh]))
    edits = {module.path: Edits(module) for module in program.modules}
    renamed: dict[str, Renamed] = {}
    for module in program.modules:
        if module.path in joined:
            renamed[module.name] = _rename(module, kept, True, names, edits[module.path])
    whole = {(module, name): new for module, new_names in renamed.items() for name, new in new_names.items()}
    for module in program.modules:
        if module.path not in joined:
            taken = _rename_imports(module, whole, kept, edits[module.path])
            free = [name for name in names if name not in taken]
            public = inner is not None and module.name in inner.modules
            renamed[module.name] = _rename(module, kept, public, free, edits[module.path])
    for node, (user, used) in inside.items():
        if node.attr in renamed[used]:
            edits[user.path].name(node, renamed[used][node.attr])
    texts = {module.path: edits[module.path].text() for module in program.modules}
    return program.changed(texts), {name: new_names for name, new_names in renamed.items() if new_names}


def _kept(program: Program, whole: set[str], inside: Collection[ast.Attribute]) -> set[str]:
    """What may be reached otherwise than by a scope of its module, ``inside``, or an import from ``whole``."""
    kept = program.spoken() | _raised(program)
    for module in program.all():
        for node in module.scopes.nodes:
            if isinstance(node, ast.ImportFrom) and not (module.shrunk and module.absolute(node) in whole):
                kept.update(alias.name for alias in node.names)
            elif isinstance(node, ast.Attribute) and node not in inside:
                kept.add(node.attr)
    return kept


def _rename(module: Module, kept: set[str], public: bool, names: list[str], edits: Edits) -> Renamed:
    """Give each name the first that is still free and that no scope has in which it is used."""
    home, free = module.scopes.module, dict.fromkeys(names)
    new_names: Renamed = {}
    changed = [name for name in home.bindings if name not in kept and _may_change(module, name, public)]
    for name in sorted(changed, key=lambda name: (-len(module.scopes.uses(home, name)), name)):
        uses = module.scopes.uses(home, name)
        hidden = _bound_anywhere(module) if _is_const(module, name) else _bound_around(module, uses)
        new_names[name] = next(new for new in free if new not in hidden)
        del free[new_names[name]]
        for node in (*home.bindings[name], *uses):
            edits.name(node, new_names[name])
    for node in module.scopes.nodes:
        if isinstance(node, ast.Global) and not new_names.keys().isdisjoint(node.names):
            edits.replace(node, f"global {', '.join(new_names.get(name, name) for name in node.names)}")
    return new_names


def _bound_around(module: Module, uses: list[ast.Name]) -> set[str]:
    """Names of the functions and classes in which ``uses`` stand."""
    found: set[str] = set()
    for node in uses:
        scope: Scope | None = module.scopes.of[node]
        while scope is not None:
            found.update(scope.bindings)
            scope = scope.parent
    return found


def _is_const(module: Module, name: str) -> bool:
    """Whether the compiler puts a number in place of the name, in whatever scope it stands."""
    parents = [module.scopes.parent[node] for node in module.scopes.module.bindings[name]]
    return any(isinstance(p, (ast.Assign, ast.AnnAssign)) and isinstance(p.value, ast.Call) for p in parents)


def _bound_anywhere(module: Module) -> set[str]:
    found = {name for scope in module.scopes.inner.values() for name in scope.bindings}
    return found | {node.arg for node in module.scopes.nodes if isinstance(node, ast.keyword) and node.arg}


def _rename_imports(module: Module, whole: dict[tuple[str, str], str], kept: set[str], edits: Edits) -> set[str]:
    """Import what has been renamed by its new name, and call it so; the names that this takes."""
    taken: set[str] = set()
    others = {name for scope in (module.scopes.module, *module.scopes.inner.values()) for name in scope.bindings}
    for node in module.scopes.nodes:
        if not isinstance(node, ast.ImportFrom) or not any(
            (module.absolute(node), a.name) in whole for a in node.names
        ):
            continue
        scope, parts = module.scopes.of[node], []
        for alias in node.names:
            new, bound = whole.get((module.absolute(node), alias.name), alias.name), alias.asname or alias.name
            alone = len(scope.bindings[bound]) == 1 and bound not in kept and not scope.is_class
            if new != alias.name and alone and new not in others:
                for use in module.scopes.uses(scope, bound):
                    edits.name(use, new)
                bound = new
                taken.add(new)
            parts.append(f"{new} as {bound}")
        edits.replace(node, f"from {'.' * node.level}{node.module or ''} import {', '.join(parts)}")
    return taken


def _may_change(module: Module, name: str, public: bool) -> bool:
    if name == "_" or name.startswith("__") or not (public or name.startswith("_")):
        return False
    bound = module.scopes.module.bindings[name]
    return all(isinstance(node, (ast.Name, *Definition)) for node in bound) and not _no_name(module, name)


def _no_name(module: Module, name: str) -> bool:
    """Whether the compiler puts a number in place of the name and, because it is private, makes none of it."""
    parents = [module.scopes.parent[node] for node in module.scopes.module.bindings[name]]
    return name.startswith("_") and any(
        isinstance(parent, (ast.Assign, ast.AnnAssign))
        and isinstance(parent.value, ast.Call)
        and ast.unparse(parent.value.func) == "const"
        for parent in parents
    )


def _raised(program: Program) -> set[str]:
    """Names of classes that may be exceptions, which tell their own: a base is one, or is none of the program's."""
    classes = [node for m in program.all() for node in m.scopes.nodes if isinstance(node, ast.ClassDef)]
    plain = {node.name for node in classes}
    while True:
        bases = {node: {_last(base) for base in node.bases} for node in classes}
        raised = {node.name for node in classes if not bases[node] <= plain}
        if not raised & plain:
            return raised
        plain -= raised


def _last(base: ast.expr) -> str:
    return base.id if isinstance(base, ast.Name) else base.attr if isinstance(base, ast.Attribute) else ""
