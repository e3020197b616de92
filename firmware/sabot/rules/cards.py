"""Playing cards as small integers. Entry points: `card_from_name`, `card_name`, `Packs`.

A card is rank * 4 + suit: rank 0 (two) to 12 (ace), suit 0 to 3 in the order of SUITS; so 0 to 51. Its name is one
letter of RANKS and one of SUITS: `As`, `Td`, `2c`. Two packs hold identical cards, which are equal integers.
"""

RANKS = "23456789TJQKA"
SUITS = "cdhs"
PACK_SIZE = 52
NO_CARD = -1


def card_from_name(name: object) -> int:
    """The card of that name (case matters), or NO_CARD when a 52-card pack (article 6) holds no such card."""
    if not isinstance(name, str) or len(name) != 2:
        return NO_CARD
    rank = RANKS.find(name[0])
    suit = SUITS.find(name[1])
    if rank < 0 or suit < 0:
        return NO_CARD
    return rank * 4 + suit


def card_name(card: int) -> str:
    """The name of a card; ValueError when it is not in 0..51."""
    if not 0 <= card < PACK_SIZE:
        raise ValueError("not a card")
    return RANKS[card >> 2] + SUITS[card & 3]


class Packs:
    """The packs in play of one round: counts each card seen, and tells when there are too many of it (article 6)."""

    def __init__(self, decks: int) -> None:
        self.decks = decks
        self._seen = bytearray(PACK_SIZE)

    def holds(self, card: int) -> bool:
        """Whether the packs still hold a card of this code."""
        return 0 <= card < PACK_SIZE and self._seen[card] < self.decks

    def take(self, card: int) -> bool:
        """Count one card; False when the packs hold no such card, or no more of it."""
        if not self.holds(card):
            return False
        self._seen[card] += 1
        return True

    def shuffle(self) -> None:
        """Put every card back: a new round starts. Allocates nothing."""
        for card in range(PACK_SIZE):
            self._seen[card] = 0
