"""What must hold at every instant of a table, seen from outside it. Entry points: `Books`, `Broken`.

The books know where the chips really lay when a key was pressed or a card left, and read records and prompts in the
order they came. They never look at how the table comes to what it says.
"""

from typing import TYPE_CHECKING, Any

from sabot.wire import codes
from tests.table.bookkeeper import RETURNED, Account

if TYPE_CHECKING:
    from tests.explore.world import World

DISPUTED = 1  # flag of a row in the records confirmed and decisions
_MONEY = [codes.PROMPTS.index(name) for name in ("pay", "take", "push")]
_BACK = codes.PROMPTS.index("void_return")


class Broken(AssertionError):
    """Something does not hold that must."""


def require(true: bool, what: str, *seen: object) -> None:
    """Broken unless it is so."""
    if not true:
        raise Broken(f"{what}: {', '.join(map(repr, seen))}")


class Books:
    """A log of the table (records, prompts, gate), judged entry by entry."""

    def __init__(self, world: "World") -> None:
        self._world = world
        self.account = Account()
        self.edges: list[tuple[int, dict[int, int]]] = []  # of keys and cards that may lock: instant, what lay there
        self.lay: dict[str, dict[int, int]] = {}  # cents by place at each lock of the round, by its record's name
        self.lines: list[int] = []  # places of the settlement records of the round
        self.back: list[int] = []  # places of bets that have gone back in the round
        self.ruled: list[int] = []  # places at which somebody has ruled in the round
        self.shown = False  # a hand of the dealer has been revealed

    def edge(self, instant: int, key: bool) -> None:
        """A key is pressed, or a card breaks the beam, at a raw instant: what lies there is what a lock may count."""
        state = self._world.table.state
        if state in (("betting", "last_bets", "deciding") if key else ("locked",)):
            self.edges = [*self.edges[-3:], (instant, self._world.lying())]

    def _lies(self, lock: str, edge: int) -> None:
        """A lock at this instant: what lay there then is what it is about."""
        found = [lying for instant, lying in self.edges if instant == edge]
        require(bool(found), "a lock at an instant at which nothing happened", lock, edge)
        self.lay[lock] = found[0]
        self.edges = []

    def append(self, entry: tuple[Any, ...]) -> None:
        """One entry of the log."""
        if entry[0] == "record":
            self._record(entry[1], entry[2])
        elif entry[0] == "prompt":
            self._prompt(entry[1], entry[2], entry[3])

    def _record(self, name: str, fields: dict[str, Any]) -> None:
        if name == "lock":
            self.lines, self.back, self.ruled, self.shown, self.lay = [], [], [], False, {}
            self._lies(name, fields["edge"])
        elif name == "first_card":
            self._lies(name, fields["edge"])
        elif name in ("confirmed", "confirmed_part"):
            self._confirmed(name, fields)
        elif name == "decisions":
            if fields["by"]:
                self._lies(name, fields["edge"])
            for place, cents, _flags in fields["spots"]:
                lay = self.lay[name].get(place, 0)
                require(cents <= lay, "more decided than lay there at the close", place, cents, lay)
        elif name == "resolved":
            self.ruled.append(self.account.places.get(fields["id"], 0))
        elif name == "reveal":
            self.shown = self.shown or any(not row[0] & 7 for row in fields["hands"])
        elif name == "settlement":
            require(self.account.confirmed, "settled before the lock was confirmed")
            require(self.shown, "settled before the dealer's hand was shown")
            self.lines += [row[0] for row in fields["bets"]]
        elif name == "round_end":
            require(not self._world.table._round.deal.early_count, "a card has left, and nothing says what it was")
        elif name in ("void", "unlock"):
            self.back += list(self.account.bets)
        elif name == "seat_state" and fields["trigger"] == "out":
            self.back += [place for place in self.account.bets if codes.place_seat(place) == fields["seat"]]
        try:
            self.account.take(name, fields)
        except (AssertionError, KeyError) as wrong:
            raise Broken(f"the books do not balance at {name} {fields}: {wrong!r}") from wrong

    def _confirmed(self, name: str, fields: dict[str, Any]) -> None:
        """A lock counts what lay there at its edge; less only where it says that it is not certain."""
        carded = self._world.table._core.spots.carded
        rows = {place: (cents, flags) for place, cents, flags in fields["spots"]}
        for spot, place in enumerate(self._world.table._core.spots.places):
            if spot not in self._world.table._core.spots.laid or (name == "confirmed_part" and spot in carded):
                continue
            lay = self.lay["first_card" if spot in carded else "lock"].get(place, 0)
            cents, flags = rows.get(place, (0, 0))
            if flags & RETURNED:
                self.back.append(place)
            if place in self.ruled:
                continue
            require(cents <= lay, "more confirmed than lay there at the lock", place, cents, lay)
            if not flags & DISPUTED:
                require(cents == lay, "less confirmed than lay there at the lock", place, cents, lay)

    def _prompt(self, kind: int, place: int, cents: int) -> None:
        if kind in _MONEY:
            require(place in self.lines, "payment asked for before its settlement", codes.PROMPTS[kind], place, cents)
        elif kind == _BACK:
            require(place in self.back, "a bet given back that no record gave back", place, cents)

    def look(self) -> None:
        """Between two events: the amounts in force are those that the records say."""
        core = self._world.table._core
        if self._world.journal.committed():
            return  # a lock whose record is durable, and not read back yet
        for spot in range(core.spots.count):
            if core.in_round and core.spots.state(spot) == "locked":
                said = self.account.bets.get(core.spots.places[spot], 0)
                cents = core.spots.locked[spot]
                require(cents == said, "a bet was changed without a record", core.spots.places[spot], cents, said)
