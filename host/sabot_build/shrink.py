"""Makes the whole program smaller before it is compiled: fewer names in the interpreter's table, less code.

Entry points: :func:`shrink`, :class:`Shrunk`, and :func:`shrink_private` for the simulator's own part.
`docs/shrinking.md` says what is done, what is refused, what it saves. The same sources give the same texts. Lines stay
where they are in each module; where modules are joined, `Shrunk.joined` says which line of the whole each begins at.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from sabot_build import spare
from sabot_build.attributes import rename_attributes
from sabot_build.checks import check
from sabot_build.constants import write_constants_in
from sabot_build.frequent import put_first
from sabot_build.guards import drop_guards
from sabot_build.inner import Inner
from sabot_build.merge import merge
from sabot_build.module_names import rename_globals
from sabot_build.parameters import rename_parameters
from sabot_build.program import Program, ShrinkError, pool
from sabot_build.unused import drop_unused

PARAMETERS = 40  # more than any function has
NAMES = 2000  # more than are ever needed at once


class Shrunk(NamedTuple):
    """The texts by path, and the new names by the old ones: of attributes, and of each module's own.

    ``joined``: for each path that holds others, the first line of each of its parts, from 1, and the part's own path.
    """

    texts: dict[str, str]
    attributes: dict[str, str]
    globals: dict[str, dict[str, str]]
    joined: dict[str, list[tuple[int, str]]]

    def source(self, path: str, line: int) -> tuple[str, int]:
        """Where a line of a made text comes from: path and line."""
        parts = [part for part in self.joined.get(path, ()) if part[0] <= line]
        if not parts:
            return path, line
        first, own = max(parts)
        return own, line - first + 1


def shrink(texts: Mapping[str, str], started: Mapping[str, str], *, join: bool = True, drop: bool = True) -> Shrunk:
    """The program made smaller.

    Args:
        texts: every module that is compiled, by its path under the root that it is imported from.
        started: the files that the board runs as source, by name: they stay, and so does what they use.
        join: make one module of those that are always loaded together.
        drop: take out what nothing names.

    Raises:
        ShrinkError: something in the program cannot be proven safe.
    """
    program = Program(texts, started)
    names = _names(program)
    program = drop_guards(program)
    check(program)
    program = write_constants_in(drop_unused(program) if drop else program)
    _same_lines(program, texts)
    joined: dict[str, list[tuple[int, str]]] = {}
    if join:
        program, joined = merge(program)
    before = program.texts()
    program, used = rename_parameters(program, names[:PARAMETERS])
    there = [name for path in joined for name in spare.for_attributes(program, program.at(path))]
    program, attributes = rename_attributes(program, joined, [*there, *names])
    there = [name for path in joined for name in spare.for_globals(program, program.at(path))]
    program, module_names = rename_globals(program, joined, there, names[used:])
    _same_lines(program, before)
    made = program.texts()
    for module in program.modules:
        if module.path in joined:
            made[module.path] = put_first(module)
    return Shrunk(made, attributes, module_names, joined)


def shrink_private(texts: Mapping[str, str], started: Mapping[str, str]) -> dict[str, str]:
    """A program that others import from, of which only what it keeps to itself gets names that are there anyway.

    These are private names of modules and classes, all names of modules that are private themselves
    (:mod:`sabot_build.inner`), and parameters that nobody outside can pass by keyword.

    Raises:
        ShrinkError: one of the private modules is used as a value.
    """
    program = Program(texts, started)
    names = _names(program)
    program, used = rename_parameters(program, names[:PARAMETERS], Inner(program))
    program, _ = rename_attributes(program, (), names, public=False)
    program, _ = rename_globals(program, (), [], names[used:], Inner(program))
    _same_lines(program, texts)
    return program.texts()


def _names(program: Program) -> list[str]:
    """What things may be called that is no word of the program's: first what takes no room in the table."""
    words = program.words()
    return [*spare.of_the_interpreter(words), *islice(pool(words), NAMES)]


def _same_lines(program: Program, texts: Mapping[str, str]) -> None:
    for path, text in program.texts().items():
        if text.count("\n") != texts[path].count("\n"):
            raise ShrinkError(f"{path}:1: its number of lines has changed")


def version() -> str:
    """A hash over this package: what it made before is made anew when it has changed."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()
