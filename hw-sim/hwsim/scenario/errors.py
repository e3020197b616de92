"""What is wrong with a scenario's text. Entry points: :class:`ScenarioError`, :func:`near` (names like a wrong one)."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

_ALIKE = 0.6


def near(word: str, names: Iterable[str]) -> str:
    """``did you mean 'rnvp'? `` when a name is like ``word``, else an empty text."""
    by_lower = {name.lower(): name for name in sorted(names)}
    found = difflib.get_close_matches(word.lower(), by_lower, n=2, cutoff=_ALIKE)
    return f"did you mean {' or '.join(repr(by_lower[name]) for name in found)}? " if found else ""


class ScenarioError(Exception):
    """A line that cannot be understood, or that asks for what cannot be.

    Args:
        code: stable name, lower case with hyphens.
        message: one line, what is wrong.
        hint: one line, what to do about it.
        file: name of the scenario, as the person gave it.
        line: number of the line, from 1; 0 for the file as a whole.
    """

    def __init__(self, code: str, message: str, hint: str, file: str = "", line: int = 0) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint
        self.file = file
        self.line = line

    @property
    def located(self) -> str:
        """``file:line: what``."""
        where = f"{self.file}:{self.line}: " if self.line else f"{self.file}: " if self.file else ""
        return where + self.message

    def __str__(self) -> str:
        """What, and below it what to do: where nothing but the text is shown, a test's report say."""
        return f"{self.located}\nwhat to do: {self.hint}"
