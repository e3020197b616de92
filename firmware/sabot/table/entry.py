"""What the dealer, or the supervisor, keys with the digit keys: amounts and cards. Entry point: `Entry`.

P1 to P7, ABANDON, DEVOILER and MALDONNE are the digits 1 to 9 and 0; PLUS is 00 in an amount. An amount is keyed in
cents, the last two digits being those; a card with three digits: its rank (01 the ace, 11 jack, 12 queen, 13 king)
and its suit (1 clubs, 2 diamonds, 3 hearts, 4 spades). NON takes back the last digit.
"""

_DIGITS = ("maldonne", "p1", "p2", "p3", "p4", "p5", "p6", "p7", "abandon", "devoiler")
_MOST_DIGITS = 8  # 999,999.99 dollars
_CARD = 3
_RANKS = 13
_SUITS = 4


def digit(key: str) -> int:
    """The digit that a key stands for in an entry, or -1."""
    return _DIGITS.index(key) if key in _DIGITS else -1


class Entry:
    """One entry; `text` is what has been keyed so far."""

    def __init__(self) -> None:
        self.text = ""

    def key(self, name: str, most: int = _MOST_DIGITS) -> bool:
        """Take a key; False when it is none of the entry's, or NON with nothing left to take back."""
        value = digit(name)
        if value >= 0:
            self.text += str(value)
        elif name == "plus":
            self.text += "00"
        elif name == "non" and self.text:
            self.text = self.text[:-1]
        else:
            return False
        self.text = self.text[:most]
        return True

    def cents(self) -> int:
        """The amount keyed, in cents."""
        return int(self.text) if self.text else 0

    def cards(self) -> "list[int] | None":
        """The cards keyed, 0 to 51 each; None when the digits are not those of whole cards."""
        if not self.text or len(self.text) % _CARD:
            return None
        found = []
        for at in range(0, len(self.text), _CARD):
            rank, suit = int(self.text[at : at + 2]), int(self.text[at + 2])
            if not 1 <= rank <= _RANKS or not 1 <= suit <= _SUITS:
                return None
            found.append((rank + _RANKS - 2) % _RANKS * _SUITS + suit - 1)  # `rules.cards`: the two is rank 0
        return found
