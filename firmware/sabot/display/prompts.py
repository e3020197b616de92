"""What the table has asked of the dealer and still asks. Entry point: `Prompts`.

The table says each thing once (`codes.PROMPTS`); here it is kept for as long as it holds. Advice about bets holds until
the lock or until it is taken back; payments hold while the table settles; bets to return hold until the next lock.
"""

from sabot.wire.codes import PROMPTS, place_seat

try:
    from micropython import const
except ImportError:

    def const(value: int) -> int:
        """Stand in for MicroPython's compile-time constant."""
        return value


try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_MOST = const(64)  # payments, amounts kept: seven seats with five lines each, and some

_ADVICE = ("missing", "minimum", "maximum", "ratio")
_PAYMENTS = ("pay", "take", "push")
_DEAL = ("deal_seat", "deal_dealer", "reveal")
_IN_ROUND = ("locked", "dealing", "deciding", "revealing", "settling")


class Prompts:
    """Prompts in force.

    ``advice``: by seat number, (prompt, place, cents) or None. ``payments``: (prompt, place, cents) in the order in
    which they are to be done. ``returns``: (place, cents). ``amounts``: cents by place, told with a question. ``deal``:
    (prompt, place) of the card or hand that is due, or None. ``keyed_card``: a card keyed by the supervisor waits for
    the dealer's word.
    """

    def __init__(self) -> None:
        self.advice: list[tuple[str, int, int] | None] = [None] * 8
        self.payments: list[tuple[str, int, int]] = []
        self.returns: list[tuple[int, int]] = []
        self.amounts: dict[int, int] = {}
        self.deal: tuple[str, int] | None = None
        self.keyed_card = False
        self._state = ""
        self._seat = 0  # index into seats(): whose payments are shown
        self._lay = False  # chips have lain on that seat's spots since it is shown

    def follow(self, state: str) -> None:
        """Forget what the table's state has overtaken; to be told before each prompt and each page."""
        before = self._state
        if state in ("suspended", before):
            self.keyed_card = self.keyed_card and state == "suspended"
            return
        self._state = state
        self.keyed_card = False
        self.deal = None
        if before in _IN_ROUND and state not in _IN_ROUND:
            self.payments = []
            self.amounts = {}
            self.returns = []
        if state == "locked":
            self.returns = []
            for seat in range(8):
                self.advice[seat] = None
        if before != "settling" and state == "settling":
            self._seat = 0
            self._lay = False

    def take(self, kind: int, place: int, cents: int) -> None:
        """A prompt of the table: its number in `codes.PROMPTS`, the place it is about (0: none), an amount."""
        name = PROMPTS[kind]
        seat = place_seat(place)
        if name == "none":
            self.advice[seat] = None
        elif name in _ADVICE:
            self.advice[seat] = (name, place, cents)
        elif name in _PAYMENTS:
            if len(self.payments) < _MOST:
                self.payments.append((name, place, cents))
        elif name == "void_return":
            if len(self.returns) < _MOST:
                self.returns.append((place, cents))
        elif name in _DEAL:
            self.deal = (name, place)
        elif name == "doubt" and not place:
            self.keyed_card = True
        elif place in self.amounts or len(self.amounts) < _MOST:
            self.amounts[place] = cents

    def forget_returns(self) -> None:
        """The bets of a void round have gone back."""
        self.returns = []

    def seats(self) -> "list[int]":
        """Seats with payments, in the order in which they are to be done."""
        order: list[int] = []
        for _name, place, _cents in self.payments:
            if place_seat(place) not in order:
                order.append(place_seat(place))
        return order

    def position(self) -> int:
        """Index into `seats` of the seat whose payments are shown; as many as there are when all are done."""
        return min(self._seat, len(self.seats()))

    def turn(self) -> bool:
        """Go on to the next seat's payments; False when the last seat's are shown, or are done."""
        if self._state != "settling" or self._seat + 1 >= len(self.seats()):
            return False
        self._seat += 1
        self._lay = False
        return True

    def cleared(self, spots: "list[dict[str, Any]]") -> None:
        """Go on by itself once the chips of the seat that is shown have left its spots (`Table.status`)."""
        order = self.seats()
        if self._state != "settling" or self._seat >= len(order):
            return
        lies = False
        for spot in spots:
            lies = lies or (place_seat(spot["place"]) == order[self._seat] and spot["seen"] > 0)
        if self._lay and not lies:
            self._seat += 1
        self._lay = lies
