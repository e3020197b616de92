"""The by-law once more, for the bookkeeper and for people who know their game; nothing is shared with `sabot.rules`.

Entry points: :func:`law_of`, :data:`GAMES`.
"""

from __future__ import annotations

from hwsim.fuzz.laws.law import Law
from hwsim.fuzz.laws.three_card import ThreeCard

_LAWS: dict[str, type[Law]] = {law.game: law for law in (ThreeCard,)}
GAMES = tuple(_LAWS)


def law_of(game: str) -> Law:
    """The law of a game; KeyError for one that is not written here."""
    return _LAWS[game]()
