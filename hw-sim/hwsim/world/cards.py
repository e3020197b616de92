"""Packs of playing cards with a tag in each, and a strip on each face where a shoe reads it.

Entry points: :class:`Card`, :func:`make_pack`, :func:`make_cut_card`, :func:`shuffled`, :func:`stacked`,
:func:`deck_list`.

A card's tag says nothing of its face: its memory is blank, and only the deck's list tells which UID is which card.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from hwsim.rf.antenna import Tag
from hwsim.world.strip import Face, blank, printed
from hwsim.world.truth import TagMaker, WorldError
from hwsim.world.uids import UidSource

CARD_AFI = 0x72  # gaming family, cards
RANKS = "23456789TJQKA"
SUITS = "cdhs"
CODES = tuple(rank + suit for suit in SUITS for rank in RANKS)
CUT_CARD = "cut"


@dataclass(frozen=True, eq=False)
class Card:
    """One card: ``code`` such as ``As`` or ``Td`` (``cut`` for the cut card), UID (LSB first), its tag, its face."""

    code: str
    uid: bytes
    tag: Tag
    face: Face = field(default_factory=blank)

    @property
    def label(self) -> str:
        """The code, for the truth."""
        return self.code


def _card(code: str, make_tag: TagMaker, uids: UidSource, strips: bool) -> Card:
    uid = uids.next()
    return Card(code, uid, make_tag(uid, CARD_AFI, b""), printed(code) if strips else blank())


def make_pack(make_tag: TagMaker, uids: UidSource, decks: int = 1, *, strips: bool = False) -> list[Card]:
    """``decks`` times 52 new cards, in order; with ``strips`` for an optical shoe."""
    return [_card(code, make_tag, uids, strips) for _ in range(decks) for code in CODES]


def make_cut_card(make_tag: TagMaker, uids: UidSource, *, strips: bool = False) -> Card:
    """A cut card, to be put where the caller wants it."""
    return _card(CUT_CARD, make_tag, uids, strips)


def shuffled(cards: Iterable[Card], seed: int) -> list[Card]:
    """The cards in an order that depends on ``seed`` and on nothing else."""
    order = list(cards)
    random.Random(f"shuffle/{seed}").shuffle(order)
    return order


def stacked(cards: Iterable[Card], top: Sequence[str], seed: int) -> list[Card]:
    """The cards with those of the codes ``top`` first, in that order, and the rest shuffled.

    Raises:
        WorldError: a code that the cards do not hold (any more).
    """
    rest = list(cards)
    first = []
    for code in top:
        card = next((card for card in rest if card.code == code), None)
        if card is None:
            raise WorldError(f"no {code} (left) in these cards")
        rest.remove(card)
        first.append(card)
    return first + shuffled(rest, seed)


def deck_list(cards: Iterable[Card]) -> dict[bytes, str]:
    """UID to code: what the casino knows of a deck, and the tags do not tell."""
    return {card.uid: card.code for card in cards}
