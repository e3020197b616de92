"""The dealer's menu: what he has to say that no antenna sees, keyed step by step. Entry point: `Menu`.

PLUS opens it and turns its page, a digit chooses (`entry`), NON goes back. The seat keys choose a seat, 0 (MALDONNE)
stands for the dealer's hand. At a table without a card reader a seat key opens the judgement of that seat's bets.
"""

from sabot.table.declared import Declared
from sabot.table.entry import Entry, digit
from sabot.table.ticks import since
from sabot.wire.codes import ROLES, place_seat, place_spot

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
    from collections.abc import Callable
    from typing import Any

    from sabot.table.round import Round

_WAIT_US = const(30000000)  # a menu that nobody goes on with is shut
_REFUSED_US = const(3000000)  # that something could not be done is shown this long
_A_PAGE = const(10)
_DEALER = ROLES.index("dealer")

# What there is to say, in the order of the menu's numbers, each with what has to be keyed for it.
_ITEMS = """
seen_late seat spot
toke seat spot amount
keyed_bet seat spot amount
change seat
misplaced hand hand
dispute seat
withdrawn confirm
language
last_bets
absent seat
exposed hand
foul_hand hand
buy_in seat amount
close confirm
hand hand cards
"""


def items() -> "list[str]":
    """Names of what there is to say; ten are on a page."""
    return [line.split(" ")[0] for line in _ITEMS.split("\n") if line]


class Menu:
    """The steps of one item after another. `close(by)` shuts the table, `last_call(by)` announces the last bets."""

    def __init__(self, course: "Round", close: "Callable[[int], bool]", last_call: "Callable[[int], bool]") -> None:
        self._round = course
        self._close = close
        self._last_call = last_call
        self._entry = Entry()
        self.by = _DEALER
        self.item = ""  # chosen, "" while the list is shown
        self.step = ""  # "": shut; "item", "seat", "hand", "spot", "amount", "cards", "confirm", "choice", "refused"
        self._page = 0
        self._steps: list[str] = []
        self._values: list[Any] = []
        self._place = 0
        self._skipped = 0  # place of an extra line that is not due
        self._at = 0  # raw ticks of the last key

    @property
    def open(self) -> bool:
        """Whether keys are the menu's."""
        return self.step not in ("", "refused")

    def shut(self) -> None:
        """Nothing is being said any more."""
        self.step = ""
        self.item = ""

    def tick(self, now: int) -> None:
        """Time passes."""
        if self.step and since(now, self._at) > (_WAIT_US if self.open else _REFUSED_US):
            self.shut()

    def begin(self, by: int, ticks: int) -> bool:
        """Show the list, to a person of `codes.ROLES`."""
        self._at = ticks
        self.by = by
        self.item = ""
        self.step = "item"
        self._page = 0
        return True

    def key(self, name: str, ticks: int) -> None:
        """A key while the menu is open: taken, or without effect."""
        self._at = ticks
        value = digit(name)
        if self.step == "item":
            if value >= 0:
                self._choose(self._page * _A_PAGE + (value - 1) % _A_PAGE)
            elif name == "plus":
                self._page = 0 if (self._page + 1) * _A_PAGE >= len(items()) else self._page + 1
            elif name == "non":
                self.shut()
        elif self.step in ("amount", "cards"):
            self._enter(name)
        elif name == "non":
            self.shut()
        elif self.step == "confirm":
            if name == "oui":
                self._take(True)
        elif self.step == "choice":
            self._judge(value)
        elif value >= 0:
            self._pick(value)

    # --- step by step -------------------------------------------------------------------------------------------------

    def _choose(self, index: int) -> None:
        lines = [line for line in _ITEMS.split("\n") if line]
        if index < len(lines):
            words = lines[index].split(" ")
            self.item = words[0]
            self._steps = words[1:]
            self._values = []
            self._next()

    def _next(self) -> None:
        """Ask for the next value, or do what has been said."""
        if len(self._values) == len(self._steps):
            self._end(self._do())
            return
        self.step = self._steps[len(self._values)]
        self._entry.text = ""
        if self.step == "spot":
            found = self.spots()
            if not found:
                self._end(False)
            elif len(found) == 1:
                self._take(found[0])

    def _take(self, value: "Any") -> None:
        self._values.append(value)
        self._next()

    def _end(self, done: bool) -> None:
        self.step = "" if done else "refused"
        if done:
            self.item = ""

    def _enter(self, name: str) -> None:
        if name == "oui":
            value: Any = self._entry.cents() if self.step == "amount" else self._entry.cards()
            if value is not None:
                self._take(value)
        elif not self._entry.key(name, 8 if self.step == "amount" else 21) and name == "non":
            self.shut()

    def _pick(self, value: int) -> None:
        seats = self._round.core.spots.seats
        if self.step == "spot":
            found = self.spots()
            if 0 < value <= len(found):
                self._take(found[value - 1])
        elif value in seats or (value == 0 and self.step == "hand"):
            self._take(value)

    def spots(self) -> "list[int]":
        """Spots of the chosen seat that what is being said may be about."""
        core = self._round.core
        mine = core.spots.of_seat(self._values[0])
        if self.item != "seen_late":
            return [spot for spot in mine if core.spots.state(spot) == "open"]
        return [spot for spot in mine if core.spots.state(spot) == "locked" and core.spots.locked[spot]]

    # --- doing it -----------------------------------------------------------------------------------------------------

    def _do(self) -> bool:
        course = self._round
        item, values = self.item, self._values
        if item == "language":
            course.core.prompt("language")
            return True
        if item == "last_bets":
            return self._last_call(self.by)
        if item == "withdrawn":
            return course.ending.withdraw(self.by)
        if item == "close":
            return self._close(self.by)
        if item in ("misplaced", "exposed", "foul_hand"):
            return course.dealing.astray(item, values[0], values[-1])
        if item == "hand":
            return course.by_hand is not None and course.by_hand.key_hand(values[0], values[1], self.by)
        spot = values[1] if len(self._steps) > 1 and self._steps[1] == "spot" else self._spot_of(values[0])
        cents = values[-1] if self._steps[-1] == "amount" else 0
        return Declared(course).say(item, spot, cents, self.by)

    def _spot_of(self, seat: int) -> int:
        """The spot that stands for a seat: that of its first locked bet, or its first one."""
        core = self._round.core
        for spot in core.spots.of_seat(seat):
            if core.spots.locked[spot]:
                return spot
        return core.spots.at(seat, 0)

    # --- tables without a card reader ---------------------------------------------------------------------------------

    def judge(self, seat: int, ticks: int) -> bool:
        """Ask how the bets of a seat ended that are due; False when none is."""
        self._at = ticks
        self.by = _DEALER
        self._skipped = 0
        self._values = [seat]
        return self._ask()

    def _ask(self) -> bool:
        by_hand = self._round.by_hand
        due = by_hand.waiting(self._values[0]) if by_hand is not None else []
        due = [place for place in due if place != self._skipped]
        if not due:
            self.shut()
            return False
        self._place = due[0]
        self.item = "judge"
        self.step = "choice"
        return True

    def _judge(self, value: int) -> None:
        by_hand = self._round.by_hand
        if by_hand is None:
            return
        if value == 0 and place_spot(self._place) == self._round.core.spots.bets:
            self._skipped = self._place  # no bonus is due
            self._ask()
        elif value > 0 and by_hand.judge(self._place, value - 1):
            self._ask()

    # --- what the display shows ---------------------------------------------------------------------------------------

    def status(self) -> "dict[str, Any]":
        """What is being keyed, empty when nothing is; `docs/panel.md` says what the entries mean."""
        if not self.step:
            return {}
        found: dict[str, Any] = {"item": self.item, "step": self.step, "text": self._entry.text}
        if self.step == "item":
            found["items"] = items()[self._page * _A_PAGE : (self._page + 1) * _A_PAGE]
        elif self.step == "choice" and self._round.by_hand is not None:
            found["place"] = self._place
            found["seat"] = place_seat(self._place)
            found["choices"] = self._round.by_hand.choices(self._place)
        else:
            if self._values:
                found["seat"] = self._values[0]
            if self.step == "spot":
                found["places"] = [self._round.core.spots.places[spot] for spot in self.spots()]
            elif len(self._values) > 1 and self._steps[1] == "spot":
                found["place"] = self._round.core.spots.places[self._values[1]]
        return found
