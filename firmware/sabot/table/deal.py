"""Cards leaving the shoe, each bound to the next place of the deal plan. Entry point: `Deal`.

Where a card lies is assumed from the plan, never sensed. An unreadable card is never guessed: it takes its place only
when its face has been keyed. Until the reveal the faces are here and nowhere else: the record holds commitments.
"""

from sabot.rules.cards import PACK_SIZE, Packs
from sabot.rules.game import TO_DEALER, TO_SEATS
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
DEALER = const(0)  # the dealer's hand, beside those of seats 1 to 7
BURNT = const(255)
_MAX_HAND = const(8)
MAX_EARLY = const(16)  # cards that may leave while the lock is still being confirmed (`gate_after: key`)


class Deal:
    """The hands of one round."""

    def __init__(self, core: "Core") -> None:
        self._core = core
        self._packs = Packs(core.config.decks)
        self._hands = bytearray(8 * _MAX_HAND)
        self._held = bytearray(8)
        self._plan = bytearray()
        self._nonces: list[bytes] = [b""] * 8
        self.position = 0
        self._early = bytearray(MAX_EARLY)  # codes + 3, in the order they came
        self.early_count = 0

    def clear(self) -> None:
        """Another round: nothing has been dealt, and every card is back in the packs."""
        self._packs.shuffle()
        self._plan = bytearray()
        self.position = 0
        self.early_count = 0
        for seat in range(8):
            self._held[seat] = 0
            self._nonces[seat] = b""

    def plan(self, seats: "list[int]") -> None:
        """Lay out who gets which card: `seats` play, in the order of the deal; none: nothing is dealt."""
        self._plan = bytearray()
        if not seats:
            return
        for step in self._core.game.deal:
            receivers = seats if step.to == TO_SEATS else [DEALER] if step.to == TO_DEALER else [BURNT]
            for receiver in receivers:
                for _ in range(step.count):
                    self._plan.append(receiver)

    def keep_early(self, code: int) -> bool:
        """Keep a card that left before the lock was confirmed; False when there is no room. Allocates nothing."""
        if self.early_count >= MAX_EARLY:
            return False
        self._early[self.early_count] = code + 3
        self.early_count += 1
        return True

    def next_early(self) -> int:
        """The oldest card that was kept."""
        code = self._early[0] - 3
        self.early_count -= 1
        for index in range(self.early_count):
            self._early[index] = self._early[index + 1]
        return code

    def planned(self) -> bool:
        """Whether the deal has a plan: the seats are known, and there are any."""
        return len(self._plan) > 0

    def complete(self) -> bool:
        """Whether the last card of the plan has been dealt."""
        return self.planned() and self.position >= len(self._plan)

    def take(self, code: int) -> str:
        """Bind a card, 0 to 51, to the next place; returns "" or the kind of irregularity that it is instead.

        Allocates nothing.
        """
        if code == UNREAD:
            return "unread_card"
        if code == TOGETHER:
            return "two_cards"
        if code == ALIEN or not 0 <= code < PACK_SIZE:
            return "alien_card"
        if self.complete():
            return "wrong_count"
        if not self._packs.take(code):
            return "duplicate_card"
        seat = self._plan[self.position]
        self.position += 1
        if seat != BURNT:
            self._hands[seat * _MAX_HAND + self._held[seat]] = code
            self._held[seat] += 1
        return ""

    def fits(self, code: int) -> bool:
        """Whether the packs still hold a card of this code, 0 to 51: it may be keyed."""
        return self._packs.holds(code)

    def served(self) -> int:
        """Seat that has just received the last card of its packet (0 the dealer), or -1."""
        if self.position == 0:
            return -1
        seat = self._plan[self.position - 1]
        if seat == BURNT or (self.position < len(self._plan) and self._plan[self.position] == seat):
            return -1
        return seat

    def hand(self, seat: int) -> bytes:
        """Cards of a seat, 0 for the dealer, in the order of the deal."""
        return bytes(self._hands[seat * _MAX_HAND : seat * _MAX_HAND + self._held[seat]])

    def hands(self) -> "list[tuple[int, int, int, bytes]]":
        """Rows of the deal record: seat, cards, whether it decides, commitment; the dealer last."""
        rows = []
        for seat in list(self._core.spots.seats) + [DEALER]:
            if self._held[seat]:
                self._nonces[seat] = self._core.ports.random(NONCE_SIZE)
                decides = seat != DEALER and self._core.spots.seat_state(seat) == "deciding"
                rows.append((seat, self._held[seat], int(decides), commitment(self._nonces[seat], self.hand(seat))))
        return rows

    def opened(self, seat: int) -> "tuple[int, bytes, bytes]":
        """Row of the reveal record: seat, nonce, cards."""
        return seat, self._nonces[seat], self.hand(seat)
