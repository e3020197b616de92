"""What a power cut interrupted: the open round, read from the records since the last one ended.

Entry points: :func:`last_round`, :class:`OpenRound`; :func:`standing` tells what was open. It only reads. Whoever boots
the table writes the records that follow from it: power_lost_in_play, and a void that gives back
:meth:`OpenRound.unsettled`; what is settled stands.
"""

from sabot.wire.states import BACK, TABLE, TABLE_STATES, rules

from ..wire.codes import RESOLUTIONS, clears, kind_name, place_seat
from ..wire.records import parse

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .kept import Records

VOID_WITH = "house:"  # begin of a void's article that names what outlives it
_QUESTION = 1  # severities
_TABLE_STOP = 3
_DISPUTED = 1  # flag of a spot in the records `confirmed` and `decisions`

# The table state that each record of a round has reached at least.
_REACHED = (
    ("lock", "locked"),
    ("deal", "deciding"),
    ("decisions", "revealing"),
    ("reveal", "settling"),
    ("settlement", "settling"),
)


class OpenRound:
    """A round that was locked and has neither ended nor been voided. Amounts are cents, places as in the records."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.state = "locked"  # table state reached, a name of TABLE_STATES
        self.locked: dict[int, int] = {}  # place: amount; confirmed and decided amounts once they are recorded
        self._announced: list[int] = []  # places that the announcement has locked
        self.disputed: list[int] = []  # places whose amount waits for a resolution
        self.out: list[int] = []  # seats whose bets broke an article and go back
        self.settled: dict[int, tuple[int, int, int, int]] = {}  # place: result, stake, paid, returned
        self._asked: dict[int, int] = {}  # place of each irregularity, by its id
        self.reported = False  # a power_lost_in_play record for it is there already
        self._suspended_from = ""

    @property
    def state_number(self) -> int:
        """Index of the state in TABLE_STATES, as power_lost_in_play carries it."""
        return TABLE_STATES.index(self.state)

    def unsettled(self) -> "list[tuple[int, int]]":
        """``(place, amount)`` of each bet that a void gives back, by place; a seat that is out has had its own back."""
        rows = []
        for place in sorted(self.locked):
            if self.locked[place] and place not in self.settled and place_seat(place) not in self.out:
                rows.append((place, self.locked[place]))
        return rows

    def _take_spots(self, spots: "Any") -> None:
        for place, amount, flags in spots:
            self.locked[place] = amount
            if flags & _DISPUTED and place not in self.disputed:
                self.disputed.append(place)

    def take(self, name: str, fields: "dict[str, Any]") -> None:
        """Add what one record of the round says."""
        for record, state in _REACHED:
            if record == name and TABLE_STATES.index(state) > self.state_number:
                # Before the close a bet may be settled, or a hand lie open, while others still decide.
                if state != "settling" or self.state == "revealing":
                    self.state = state
        if name in ("lock", "first_card"):
            for place, amount in fields["spots"]:
                self.locked[place] = amount
            if name == "lock":
                self._announced = list(self.locked)
        elif name in ("confirmed", "confirmed_part"):
            # A spot without a row holds no bet, whatever its lock saw there.
            for place in list(self.locked) if name == "confirmed" else self._announced:
                self.locked[place] = 0
            self._take_spots(fields["spots"])
            for seat, _kind, _article in fields["out"]:
                self._goes_out(seat)
        elif name == "decisions":
            self._take_spots(fields["spots"])
        elif name == "settlement":
            for place, result, stake, paid, returned in fields["bets"]:
                self.settled[place] = (result, stake, paid, returned)
        elif name == "irregularity":
            self._asked[fields["id"]] = fields["place"]
        elif name == "resolved":
            # What a ruling says is the bet at that place from then on.
            place = self._asked.get(fields["id"], 0)
            if place in self.locked:
                self.locked[place] = fields["amount"]
                if place in self.disputed:
                    self.disputed.remove(place)
        elif name == "seat_state" and fields["trigger"] == "out":
            self._goes_out(fields["seat"])
        elif name == "power_lost_in_play":
            self.reported = True
        elif name == "table":
            self._follow(fields["trigger"])

    def _goes_out(self, seat: int) -> None:
        if seat not in self.out:
            self.out.append(seat)

    def _follow(self, trigger: str) -> None:
        for known, sources, destination in rules(TABLE):
            if known == trigger and self.state in sources:
                before = self.state
                self.state = self._suspended_from if destination == BACK else destination
                self._suspended_from = before
                return


def last_round(journal: "Records") -> "OpenRound | None":
    """The round that a power cut interrupted, or None.

    RecordError ``check`` or ``field`` for a damaged record; a journal that opened has none there.
    """
    found = None
    for _sequence, data in journal.records_from(journal.boundary + 1):
        record = parse(data)
        name = record["name"]
        fields = record["fields"]
        if name == "lock" and (found is None or found.number != fields["round"]):
            found = OpenRound(fields["round"])
        if name == "unlock":
            found = None
        if found is not None:
            found.take(name, fields)
    return found


def standing(journal: "Records") -> str:
    """What somebody has to clear before the table plays again; empty when nothing.

    ``case``: it has been opened, and not everybody has cleared it; ``unruled``: the power went while something waited
    for the supervisor. A void says so itself: what came before it is not read.
    """
    case = False
    asked: list[int] = []  # numbers of the case's irregularities that are open
    waits = False
    open_: list[int] = []  # numbers of the others that are the supervisor's
    for _sequence, data in journal.records_from(max(journal.boundary, 1)):
        record = parse(data)
        name, fields = record["name"], record["fields"]
        if name == "void":
            case = fields["article"] == VOID_WITH + "case"
            waits = fields["article"] == VOID_WITH + "unruled"
        elif name in ("card_fault", "irregularity"):
            kind = kind_name(fields["kind"])
            if kind == "case":
                case = True
                asked.append(fields["id"])
            elif fields["id"] and fields.get("severity", _TABLE_STOP) > _QUESTION and clears(kind) != "T":
                open_.append(fields["id"])
        elif name == "power_on":
            waits = waits or len(open_) > 0
            asked, open_ = [], []
        elif name == "resolved" and fields["id"] in asked:
            asked.remove(fields["id"])
            # Whatever ends with a round, or with the power, is not in order for that.
            case = len(asked) > 0 or RESOLUTIONS[fields["resolution"]] != "cleared"
        elif name == "resolved" and fields["id"] in open_:
            open_.remove(fields["id"])
            waits = False  # asked again after the power had come back, and answered
    if case:
        return "case"
    return "unruled" if waits or open_ else ""
