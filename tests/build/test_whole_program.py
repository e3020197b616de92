"""The board's own program, made smaller: every name still means something, in modules that few tables load too."""

from __future__ import annotations

import ast
import builtins

import pytest

from hwsim.table import SOURCES, STARTERS
from sabot_build.program import Program
from sabot_build.shrink import shrink
from sabot_build.tree import NOT_INSTALLED

INSTRUCTIONS = {"jmp", "label", "nop", "not_x", "out", "wrap", "wrap_target", "x"}  # of a PIO program, `rp2.asm_pio`


@pytest.mark.campaign
def test_every_name_is_defined_and_every_import_is_there() -> None:
    texts = {
        path.relative_to(root).as_posix(): path.read_text()
        for root in SOURCES
        for path in root.rglob("*.py")
        if not any(map(path.match, NOT_INSTALLED))
    }
    started = {name: texts.pop(name) for name in STARTERS}
    made = Program(shrink(texts, started).texts, started)
    wrong = []
    for module in made.all():
        for node in module.scopes.nodes:
            if isinstance(node, ast.Name) and module.scopes.of[node].home(node.id) is None:
                if not hasattr(builtins, node.id) and node.id not in INSTRUCTIONS:
                    wrong.append(module.at(node, node.id))
            elif isinstance(node, ast.ImportFrom) and module.absolute(node) in made.by_name:
                base = module.absolute(node)
                there = made.by_name[base].scopes.module.bindings
                for alias in node.names:
                    if alias.name not in there and f"{base}.{alias.name}" not in made.by_name:
                        wrong.append(module.at(node, f"{base} has no {alias.name}"))
    assert not wrong
