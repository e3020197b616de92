"""What the bookkeeper finds wrong. Entry points: :class:`Finding`, :class:`Findings`.

``missed``: something happened and was not told. ``wrong``: it was told, but not as it was. ``false``: nothing happened.
``money``: an amount is not what cards, bets and rulings make it. ``instant``: a recorded instant is not the true one.
"""

from __future__ import annotations

from typing import NamedTuple

MISSED, WRONG, FALSE, MONEY, INSTANT = "missed", "wrong", "false", "money", "instant"


class Finding(NamedTuple):
    """One thing wrong: what kind, its instant (ns), where and what in words, the severity of a false alarm."""

    sort: str
    when: int
    text: str
    severity: int = 0
    silent: bool = False
    """a false alarm that pit and surveillance were told of"""

    def __str__(self) -> str:
        """One line."""
        return f"{self.when / 1e9:.3f} {self.sort}: {self.text}"


class Findings(list[Finding]):
    """Findings of one round."""

    def add(self, sort: str, when: int, text: str, severity: int = 0, silent: bool = False) -> None:
        """One more."""
        self.append(Finding(sort, when, text, severity, silent))
