"""What is wrong with a scenario's text. Entry point: :class:`ScenarioError`."""

from __future__ import annotations


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

    def __str__(self) -> str:
        """``file:line: what``."""
        where = f"{self.file}:{self.line}: " if self.line else f"{self.file}: " if self.file else ""
        return where + self.message
