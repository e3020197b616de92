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


_MOST = const(64)  # payments, amounts kept: seven seats with five lines each, and some

_ADVICE = ("missing", "minimum", "maximum", "ratio")
_PAYMENTS = ("pay", "take", "push")
_TOLD_BY_STATUS = ("second", "last_round", "call_supervisor")
_DEAL = ("deal_seat", "deal_dealer", "reveal")
_IN_ROUND = ("locked", "dealing", "deciding", "revealing", "settling")


class Prompts:
    """Prompts in force.

    ``advice``: by seat number, (prompt, place, cents) or None. ``payments``: (prompt, place, cents), for a table that
    pays without pages of its own. ``returns``: (place, cents). ``amounts``: cents by place, told with a question.
    ``deal``: (prompt, place) of the card or hand that is due, or None. ``keyed_card``: a card keyed by the supervisor
    waits for the dealer's word. ``sign_on``: nobody is dealt to before a dealer has signed on.
    ``badge``: the words (`words.say`) for what became of the one that was shown last, and a number, or ("", 0).
    ``discard``: the cards there are not those that were dealt. ``power_lost``: in a round, before this start.
    """

    def __init__(self) -> None:
        self.advice: list[tuple[str, int, int] | None] = [None] * 8
        self.payments: list[tuple[str, int, int]] = []
        self.returns: list[tuple[int, int]] = []
        self.amounts: dict[int, int] = {}
        self.deal: tuple[str, int] | None = None
        self.keyed_card = False
        self.badge = ("", 0)
        self.sign_on = False
        self.discard = False
        self.power_lost = False
        self._state = ""

    def follow(self, state: str) -> None:
        """Forget what the table's state has overtaken; to be told before each prompt and each page."""
        before = self._state
        if state in ("suspended", before):
            self.keyed_card = self.keyed_card and state == "suspended"
            return
        self._state = state
        self.keyed_card = False
        self.power_lost = self.power_lost and state == "closed"
        self.discard = False
        self.deal = None
        if before in _IN_ROUND and state not in _IN_ROUND:
            self.payments = []
            self.amounts = {}
            self.returns = []
        if state == "locked":
            self.returns = []
            for seat in range(8):
                self.advice[seat] = None

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
        elif name == "sign_on":
            self.sign_on = True
        elif name == "discard":
            self.discard = True
        elif name[:5] == "badge":  # badge_unknown: words s_unknown
            self.badge = ("s" + name[5:], cents)
        elif name in _TOLD_BY_STATUS:
            return  # the page says it for as long as the table's state does
        elif place in self.amounts or len(self.amounts) < _MOST:
            self.amounts[place] = cents

    def forget_returns(self) -> None:
        """The bets of a void round have gone back."""
        self.returns = []
