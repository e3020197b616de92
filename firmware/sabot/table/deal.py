"""Cards leaving the shoe, each bound to the next place of the deal plan. Entry point: `Deal`.

Where a card lies is assumed from the plan, never sensed. An unreadable card is never guessed: it takes its place only
when its face has been keyed. Until the reveal the faces are here and nowhere else: the record holds commitments.

Hands have numbers: bits 2:0 the seat, 0 the dealer; bits 4:3 the part. Part 1 is what the plan deals to the same
receiver in a later step (a second deal, a card face up, the cards of a later reveal); part 2 is the dealer's card in
the war with that seat. Each part has a commitment of its own, so that it can be opened alone.
"""

from sabot.rules.cards import PACK_SIZE, Packs
from sabot.rules.game import BURN, TO_DEALER, UP
from sabot.wire.commitment import NONCE_SIZE, commitment

try:
    from micropython import const
except ImportError:

    def const(x: int) -> int:
        """The value itself, where there is no MicroPython."""
        return x


try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from sabot.table.core import Core

UNREAD = const(-1)  # a card left the shoe and could not be read
ALIEN = const(-2)  # its tag is none of the packs'
TOGETHER = const(-3)  # another one left with it, and nothing tells which was first
PUSHED_BACK = const(-4)  # the card before it, which has its place, was in the shoe again
CUT = const(52)  # the cut card: it is dealt to nobody
AGAIN = const(64)  # added to a code: this very card was the last one that left before
DEALER = const(0)  # the dealer's hand, beside those of seats 1 to 7
LATER = const(8)  # added to a hand's number: its second part
WAR = const(16)  # added to a seat's number: the dealer's card in the war with it
_BURNT = const(255)
_SEAT = const(7)
_MAX_HAND = const(8)
_MOST_BELOW = const(4)  # what a code is below 0 at the most
_MAX_EARLY = const(16)  # cards that may leave while the lock is still being confirmed


class Deal:
    """The hands of one round."""

    def __init__(self, core: "Core") -> None:
        self._core = core
        self.packs = Packs(core.config.decks)
        self._hands = bytearray(8 * _MAX_HAND)
        self._held = bytearray(8)
        self._first = bytearray(8)  # how many of them are of the first part
        self._war = bytearray(8)  # code + 1 of the dealer's card in the war with each seat
        self._shows_two = "reveal_dealer_two" in core.game.course  # 67.49: first the first two of his cards
        self.places = bytearray()
        self._nonces: dict[int, bytes] = {}
        self.unseen: list[int] = []  # hands dealt where no reader sees a card
        self.begun = 0  # where in the plan the latest deal begins
        self.position = 0
        self._early = bytearray(_MAX_EARLY)  # codes + 4, in the order they came
        self._early_at = [0] * _MAX_EARLY
        self.early_count = 0

    def clear(self) -> None:
        """Another round: nothing has been dealt, and every card is back in the packs."""
        self.packs.shuffle()
        self.places = bytearray()
        self._nonces = {}
        self.unseen = []
        self.begun = 0
        self.position = 0
        self.early_count = 0
        for seat in range(8):
            self._held[seat] = 0
            self._first[seat] = 0
            self._war[seat] = 0

    def plan(self, deal: str, seats: "list[int]") -> None:
        """Lay out who gets which card of a deal (`Step.deal`): to these seats, in this order; to none, nothing."""
        self.begun = len(self.places)
        if deal == "war" and self._core.game.war_dealer_card == "own":
            for seat in seats:
                self._lay(deal, [seat], WAR + seat)
        elif seats:
            self._lay(deal, seats, LATER)

    def _lay(self, deal: str, seats: "list[int]", dealer: int) -> None:
        """The steps of a deal, once; `dealer`: the number of his hand when it is not his first."""
        parts = [0, 0]  # of the seats, of the dealer
        for step in self._core.game.deal:
            if step.to == BURN:
                receivers = [_BURNT]
            elif step.to == TO_DEALER:
                receivers = [dealer if parts[1] else DEALER]
                parts[1] += 1
            else:
                receivers = [LATER + seat if parts[0] else seat for seat in seats]
                parts[0] += 1
            if step.deal == deal:
                for receiver in receivers:
                    for card in range(step.count):
                        later = receiver == DEALER and self._shows_two and card >= 2
                        self.places.append(LATER if later else receiver)

    def keep_early(self, code: int, ticks: int) -> bool:
        """Keep a card that left before the lock was confirmed; False when there is no room. Allocates nothing."""
        if self.early_count >= _MAX_EARLY:
            return False
        self._early[self.early_count] = code + _MOST_BELOW
        self._early_at[self.early_count] = ticks
        self.early_count += 1
        return True

    def wrong_early(self) -> bool:
        """Whether something is wrong with the last card that was kept. Allocates nothing."""
        return self.early_count > 0 and self._early[self.early_count - 1] < _MOST_BELOW

    def next_early(self) -> "tuple[int, int]":
        """The oldest card that was kept, and when it left (raw ticks)."""
        code, ticks = self._early[0] - _MOST_BELOW, self._early_at[0]
        self.early_count -= 1
        for index in range(self.early_count):
            self._early[index] = self._early[index + 1]
            self._early_at[index] = self._early_at[index + 1]
        return code, ticks

    def planned(self) -> bool:
        """Whether the deal has a plan: the seats are known, and there are any."""
        return len(self.places) > 0 or len(self.unseen) > 0

    def complete(self) -> bool:
        """Whether the last card of the plan has been dealt."""
        return self.planned() and self.position >= len(self.places)

    def take(self, code: int) -> str:
        """Bind a card, 0 to 51, to the next place; returns "" or the kind of irregularity that it is instead.

        Allocates nothing.
        """
        if code == UNREAD:
            return "unread_card"
        if code == TOGETHER:
            return "two_cards"
        if code == PUSHED_BACK:
            return "pushed_back"
        if code == ALIEN or not 0 <= code < PACK_SIZE:
            return "alien_card"
        if self.complete():
            return "wrong_count"
        if not self.packs.take(code):
            return "duplicate_card"
        hand = self.places[self.position]
        self.position += 1
        if hand != _BURNT:
            self.give(hand, code)
        return ""

    def fits(self, code: int) -> bool:
        """Whether the packs still hold a card of this code, 0 to 51: it may be keyed."""
        return self.packs.holds(code)

    def give(self, hand: int, code: int) -> None:
        """A card comes to a hand, by its number. Allocates nothing."""
        seat = hand & _SEAT
        if hand >= WAR:
            self._war[seat] = code + 1
            return
        self._hands[seat * _MAX_HAND + self._held[seat]] = code
        self._held[seat] += 1
        if hand < LATER:
            self._first[seat] += 1

    def burn_last(self, hand: int) -> bool:
        """The last card of a hand is burned, and the next one takes its place; False once the deal is complete."""
        if self.complete() or not self._held[hand]:
            return False
        self._held[hand] -= 1
        self._first[hand] = min(self._first[hand], self._held[hand])
        self.places = self.places[: self.position] + bytes([hand]) + self.places[self.position :]
        return True

    def skip(self, seat: int) -> None:
        """The seat is dealt no more."""
        left = bytes([hand for hand in self.places[self.position :] if hand == _BURNT or hand & _SEAT != seat])
        self.places = self.places[: self.position] + left

    def swap(self, one: int, other: int) -> bool:
        """Exchange two hands; False when they have different numbers of cards."""
        if self._held[one] != self._held[other]:
            return False
        for index in range(self._held[one]):
            here, there = one * _MAX_HAND + index, other * _MAX_HAND + index
            self._hands[here], self._hands[there] = self._hands[there], self._hands[here]
        return True

    def commit(self, number: int) -> "tuple[int, int, bytes]":
        """Commit to a hand anew: its number, cards, commitment."""
        cards = self.hand(number)
        self._nonces[number] = self._core.ports.random(NONCE_SIZE)
        return number, len(cards), commitment(self._nonces[number], cards)

    def served(self) -> int:
        """Hand that has just received the last card of its packet (0 the dealer's), or -1."""
        if self.position == 0:
            return -1
        hand = self.places[self.position - 1]
        if hand == _BURNT or (self.position < len(self.places) and self.places[self.position] == hand):
            return -1
        return hand

    def has_all(self, hand: int) -> bool:
        """Whether the plan has no more cards for a hand, by its number."""
        return not [place for place in self.places[self.position :] if place == hand]

    def cards(self, seat: int) -> bytes:
        """Cards of a seat, 0 for the dealer, in the order of the deal; not those of the dealer's wars."""
        return bytes(self._hands[seat * _MAX_HAND : seat * _MAX_HAND + self._held[seat]])

    def hand(self, number: int) -> bytes:
        """Cards of one hand, in the order of the deal."""
        seat = number & _SEAT
        if number >= WAR:
            return bytes([self._war[seat] - 1]) if self._war[seat] else b""
        first = self._first[seat]
        return self.cards(seat)[first:] if number >= LATER else self.cards(seat)[:first]

    def numbers(self) -> "list[int]":
        """Numbers of the hands that the latest deal has served, in its order."""
        found = list(self.unseen)
        for hand in self.places[self.begun : self.position]:
            if hand != _BURNT and hand not in found:
                found.append(hand)
        return found

    def face_up(self, number: int) -> bool:
        """Whether the plan deals this hand face up."""
        part = 1 if number >= LATER and not self._shows_two else 0
        dealers = number >= WAR or not number & _SEAT
        steps = [step for step in self._core.game.deal if step.to != BURN and (step.to == TO_DEALER) == dealers]
        return bool(steps[part].face == UP)

    def hands(self) -> "list[tuple[int, int, int, bytes]]":
        """Rows of the deal record for the latest deal: hand, cards, whether the seat decides, commitment."""
        rows = []
        for number in self.numbers():
            _number, count, committed = self.commit(number)
            decides = number != DEALER and number < LATER and self._core.spots.seat_state(number) == "deciding"
            rows.append((number, count, int(decides), committed))
        return rows

    def dealt(self, number: int) -> bool:
        """Whether a deal record holds the hand."""
        return number in self._nonces

    def opened(self, number: int) -> "tuple[int, bytes, bytes]":
        """Row of the reveal record: hand, nonce, cards."""
        return number, self._nonces[number], self.hand(number)
