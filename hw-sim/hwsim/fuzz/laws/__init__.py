"""The by-law once more, for the bookkeeper and for people who know their game; nothing is shared with `sabot.rules`.

Entry points: :func:`law_of`, :data:`GAMES`.
"""

from __future__ import annotations

from hwsim.fuzz.laws.bataille import Bataille
from hwsim.fuzz.laws.boston import Boston
from hwsim.fuzz.laws.four_cards import CrazyFour, FourCard
from hwsim.fuzz.laws.law import Law
from hwsim.fuzz.laws.poker_357 import Poker357
from hwsim.fuzz.laws.three_card import ThreeCard

_LAWS: dict[str, type[Law]] = {law.game: law for law in (ThreeCard, Bataille, Poker357, Boston, FourCard, CrazyFour)}
GAMES = tuple(_LAWS)


def law_of(game: str) -> Law:
    """The law of a game; KeyError for one that is not written here."""
    return _LAWS[game]()
