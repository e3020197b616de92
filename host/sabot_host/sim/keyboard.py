"""A person's keyboard: bytes of a terminal to strokes of the dealer's panel and typed lines.

Entry points: :class:`Keyboard`, :data:`PANEL` (which key of the keyboard is which of the panel's).

While nothing is being typed, one stroke presses a key of the panel, and the space bar draws a card. Whatever else is
typed makes up a line, until return.
"""

from __future__ import annotations

import codecs
import re
from typing import NamedTuple

PANEL = {
    "R": "rnvp",
    "O": "oui",
    "N": "non",
    "F": "fin",
    "D": "devoiler",
    "A": "abandon",
    "M": "maldonne",
    "S": "superviseur",
    "P": "plus",
    **{str(seat): f"p{seat}" for seat in range(1, 8)},
}
"""Stroke to key of the panel. Lines begin with a small letter, or a sign."""
KEY, LINE, DRAW, HELP, QUIT = "key", "line", "draw", "help", "quit"
MAX_LINE = 400
_ESCAPE = re.compile(r"\x1b(\[[0-9;]*[A-Za-z~]|O[A-Za-z])?")
_UNFINISHED = re.compile(r"\x1b(\[[0-9;]*|O)?")


class Stroke(NamedTuple):
    """What was struck: ``key`` (a panel's key), ``line`` (a whole one), ``draw``, ``help`` or ``quit``."""

    kind: str
    text: str = ""


class Keyboard:
    """Takes bytes; keeps the line that is being typed, and those typed before, which the arrow up brings back."""

    def __init__(self) -> None:
        self.line = ""
        """What is being typed."""
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._rest = ""
        self._before: list[str] = []
        self._back = 0

    def take(self, data: bytes) -> list[Stroke]:
        """What these bytes have struck, in order."""
        strokes: list[Stroke] = []
        text = self._rest + self._decoder.decode(data)
        self._rest = ""
        at = 0
        while at < len(text):
            if text[at] == "\x1b":
                if _UNFINISHED.fullmatch(text, at):
                    self._rest = text[at:]
                    break
                found = _ESCAPE.match(text, at)
                sequence = found.group() if found else text[at]
                self._arrow(sequence)
                at += len(sequence)
                continue
            strokes += self._letter(text[at])
            at += 1
        return strokes

    def _letter(self, letter: str) -> list[Stroke]:
        if letter in ("\x03", "\x04"):
            return [Stroke(QUIT)]
        if letter in ("\r", "\n"):
            line, self.line = self.line.strip(), ""
            if not line:
                return []
            self._before.append(line)
            self._back = 0
            return [Stroke(QUIT if line in ("quit", "exit") else HELP if line == "help" else LINE, line)]
        if letter in ("\x7f", "\b"):
            self.line = self.line[:-1]
            return []
        if letter == "\x15":  # Ctrl-U: forget the line
            self.line = ""
            return []
        if not self.line:
            if letter in PANEL:
                return [Stroke(KEY, PANEL[letter])]
            if letter == " ":
                return [Stroke(DRAW)]
            if letter == "?":
                return [Stroke(HELP)]
        if letter.isprintable() and len(self.line) < MAX_LINE:
            self.line += letter
        return []

    def _arrow(self, sequence: str) -> None:
        """Arrow up and down bring back what was typed before; every other sequence is nothing."""
        step = {"\x1b[A": 1, "\x1bOA": 1, "\x1b[B": -1, "\x1bOB": -1}.get(sequence, 0)
        back = self._back + step
        if step and 0 <= back <= len(self._before):
            self._back = back
            self.line = self._before[-back] if back else ""
