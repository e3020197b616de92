"""Gives the names of modules others that the interpreter's table holds anyway.

Entry point: :func:`rename_globals`. A name is unique within its module; what modules beside the joined one import from
each other has names that no two of them share. Changed are private names, all names of the joined module, and public
names of the others that something imports. Kept is what may be reached otherwise: a word of any string, an attribute of
anything, what is imported by a program that is started as source, and exceptions, whose names are told.
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
    closed = set() if inner is not None else set(program.by_name)
    kept = _kept(program, closed, inside)
    names = list(dict.fromkeys([*there, *fresh]))
    edits = {module.path: Edits(module) for module in program.modules}
    beside = [module for module in program.modules if module.path not in joined]
    renamed: dict[str, Renamed] = {
        module.name: _rename(module, kept, _all(module), names, edits[module.path])
        for module in program.modules
        if module.path in joined
    }
    anywhere, by_those_beside = _imports(program.modules), _imports(beside)
    shared = {
        new
        for where, new_names in renamed.items()
        for name, new in new_names.items()
        if name in by_those_beside.get(where, ())
    }
    for module in beside if inner is None else ():
        free = [name for name in names if name not in shared]
        offered = [name for name in _all(module) if name in anywhere.get(module.name, ())]
        renamed[module.name] = _rename(module, kept, offered, free, edits[module.path])
        shared.update(renamed[module.name].values())
    whole = {(module, name): new for module, new_names in renamed.items() for name, new in new_names.items()}
    for module in program.modules:
        own = {*renamed.get(module.name, {}).values()}
        passed_on = anywhere.get(module.name, set())
        taken = _rename_imports(module, whole, kept | passed_on, edits[module.path], own)
        if module.path in joined:
            continue
        free = [name for name in names if name not in taken and name not in shared]
        public = inner is not None and module.name in inner.modules
        rest = [name for name in _all(module) if public or (name.startswith("_") and name not in passed_on)]
        renamed.setdefault(module.name, {}).update(_rename(module, kept, rest, free, edits[module.path]))
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


def _all(module: Module) -> list[str]:
    return list(module.scopes.module.bindings)


def _imports(modules: list[Module]) -> dict[str, set[str]]:
    """What any of the ``modules`` imports by name, by the module that it comes from."""
    found: dict[str, set[str]] = {}
    for module in modules:
        for node in module.scopes.nodes:
            if isinstance(node, ast.ImportFrom):
                found.setdefault(module.absolute(node), set()).update(alias.name for alias in node.names)
    return found


def _rename(module: Module, kept: set[str], old: list[str], names: list[str], edits: Edits) -> Renamed:
    """Give each of the ``old`` names the first that is still free and that no scope has in which it is used."""
    home, free = module.scopes.module, dict.fromkeys(names)
    new_names: Renamed = {}
    changed = [name for name in old if name not in kept and _may_change(module, name)]
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


def _rename_imports(
    module: Module, whole: dict[tuple[str, str], str], kept: set[str], edits: Edits, own: set[str]
) -> set[str]:
    """Import what has been renamed by its new name, and call it so; the names that this takes. ``own``: the module's.

    What a function imports is one of its variables, whose name is in no table.
    """
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
            alone = scope is module.scopes.module and len(scope.bindings[bound]) == 1 and bound not in kept
            if new != alias.name and alone and new not in others and new not in own and new not in taken:
                for use in module.scopes.uses(scope, bound):
                    edits.name(use, new)
                bound = new
                taken.add(new)
            parts.append(f"{new} as {bound}")
        edits.replace(node, f"from {'.' * node.level}{node.module or ''} import {', '.join(parts)}")
    return taken


def _may_change(module: Module, name: str) -> bool:
    if name == "_" or name.startswith("__"):
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
