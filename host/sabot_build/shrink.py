"""Makes the whole program smaller before it is compiled: fewer names in the interpreter's table, less code.

Entry points: :func:`shrink` and :class:`Shrunk`. `docs/shrinking.md` says what is done, what is refused, what it saves.
The same sources give the same texts, line for line; tracebacks still point into the sources.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from sabot_build import private
from sabot_build.checks import check
from sabot_build.constants import write_constants_in
from sabot_build.guards import drop_guards
from sabot_build.parameters import rename_parameters
from sabot_build.program import Program, ShrinkError, pool

PARAMETERS = 40  # more than any function has
NAMES = 2000  # more than are ever needed at once


class Shrunk(NamedTuple):
    """The texts by path, and the new names by the old ones: of attributes, and of each module's own."""

    texts: dict[str, str]
    attributes: dict[str, str]
    globals: dict[str, dict[str, str]]


def shrink(texts: Mapping[str, str], started: Mapping[str, str]) -> Shrunk:
    """The program made smaller.

    Args:
        texts: every module that is compiled, by its path under the root that it is imported from.
        started: the files that the board runs as source, by name: they stay, and so does what they use.

    Raises:
        ShrinkError: something in the program cannot be proven safe.
    """
    program = Program(texts, started)
    names = list(islice(pool(program.words()), NAMES))
    program = drop_guards(program)
    check(program)
    program = write_constants_in(program)
    program, used = rename_parameters(program, names[:PARAMETERS])
    program, attributes = private.rename_attributes(program, names)
    program, module_names = private.rename_globals(program, names[used:])
    for path, text in program.texts().items():
        if text.count("\n") != texts[path].count("\n"):
            raise ShrinkError(f"{path}:1: its number of lines has changed")
    return Shrunk(program.texts(), attributes, module_names)


def version() -> str:
    """A hash over this package: what it made before is made anew when it has changed."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()
