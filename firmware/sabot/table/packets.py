"""Cards that come in packets from a shuffler: each a set, bound to its place as a set. Entry point: `Packets`.

The order within a packet is not known and not needed: where it matters, the deal plan splits the packet (the first two
of the dealer's cards at 3-5-7, the second deal of Boston). Two decks alternate, and no key says so: the first packet of
a round tells which one is in play, a card of the other one is alien. Loaded by tables that deal in packets.
"""

from sabot.table.deal import ALIEN

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from sabot.table.deal import Deal
    from sabot.table.dealing import Dealing


def fit(deal: "Deal", codes: "list[int]") -> bool:
    """Whether the packs still hold all of these cards, 0 to 51, together."""
    for code in codes:
        if not deal.fits(code) or codes.count(code) > deal.packs.decks:
            return False
    return True


class Packets:
    """Binds the packets of one round after another."""

    def __init__(self, deal: "Deal", dealing: "Dealing") -> None:
        self._deal = deal
        self._dealing = dealing
        self._deck = -1  # the one in play, once a packet has told

    def clear(self) -> None:
        """Another round, from whichever deck."""
        self._deck = -1

    def packet(self, codes: "list[int]", deck: int, ticks: int, gate: bool, judged: bool) -> None:
        """A packet has left the shuffler at the raw instant `ticks`: its cards, 0 to 51 or a negative code.

        Too many cards are a wrong count; too few are unread cards, which two people can see and key.
        """
        if not codes:
            return
        if not self._dealing.expected(gate):
            self._dealing.card(codes[0], ticks, gate, judged)  # one fault, whatever the number of cards
        elif not judged:
            for code in codes:
                self._dealing.card(code, ticks, gate, judged)  # kept until the lock is confirmed
        else:
            self._bind(codes, deck, ticks)

    def _bind(self, codes: "list[int]", deck: int, ticks: int) -> None:
        known = [code for code in codes if code >= 0]
        known.sort()
        wanted = self._wanted()
        if ALIEN in codes or self._deck not in (-1, deck):
            self._dealing.fault("alien_card", ticks)
        elif len(codes) > wanted:
            self._dealing.fault("wrong_count", ticks)
        elif not fit(self._deal, known):
            self._dealing.fault("duplicate_card", ticks)
        else:
            self._deck = deck
            for code in known:
                self._dealing.bind(code, ticks)
            if len(known) < wanted:
                self._dealing.unread = wanted - len(known)
                self._dealing.fault("unread_card", ticks)

    def _wanted(self) -> int:
        """How many cards the next packet of the plan has: those still to come to one hand, one after the other."""
        places = self._deal.places
        end = begin = self._deal.position
        while end < len(places) and places[end] == places[begin]:
            end += 1
        return end - begin
