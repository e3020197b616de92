"""What the parts of the table share: configuration, ports, machines, the running round. Entry point: `Core`.

`ports`: an object with `journal`, `clock`, `chips`, `lamps`, `gate`, `scanner`, `prompt(kind, place, amount)`,
`changed()` (what the display shows is no longer so; allocates nothing), `random(n)` and `forget(name)` (a module that
nothing needs for now). Every record of the table is written through `append` (or in place, by `lock`), before what it
tells of can be seen on a lamp, a prompt or the gate.
"""

from sabot.table.history import History
from sabot.table.ledger import Ledger
from sabot.table.machine import Machines
from sabot.table.spots import Spots
from sabot.table.ticks import LONG_AGO
from sabot.wire.codes import LAMP_LOCKED, LAMP_OFF, LAMP_OPEN, LAMP_SETTLED, PROMPTS, kind_number
from sabot.wire.records import code_of

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
    from typing import Any

    from sabot.rules.game import Game

_LAMP_OF = {
    "shut": LAMP_OFF,
    "open": LAMP_OPEN,
    "locked": LAMP_LOCKED,
    "settled": LAMP_SETTLED,
    "released": LAMP_OFF,
}

_MAX_ITEMS = const(160)  # chips lying on the spots, or just gone from them, that the table follows


class Core:
    """One table's shared state. `last_round` and `rounds`: number of the last round and of the rounds played so far."""

    def __init__(self, config: "Any", game: "Game", ports: "Any", last_round: int, rounds: int) -> None:
        from sabot.wire import states  # the start drops it

        self.config = config
        self.game = game
        self.ports = ports
        self.machine = Machines(states.rules(states.TABLE), states.TABLE_STATES)
        self.spots = Spots(game, config.seats, config.antennas)
        self.ledger = Ledger(_MAX_ITEMS, self.spots.count, ports.chips)
        self.history = History(config.large_times)
        self.round = last_round
        self.rounds = rounds
        self.in_round = False  # from the lock to the end of the round, a void, or the announcement's withdrawal
        self.confirmed = False  # the lock of the bets that the announcement locks has been confirmed
        self.carded = False  # ... and the first card has locked the rest (67.36)
        self.step = 0  # index in game.course of the step that is due
        self._close: int = game.course.index("close")
        self.now = 0  # raw ticks of the latest input
        self.decision = bytearray(8)  # by seat, index in codes.DECISIONS
        self.stirred = bytearray(8)  # seats at whose spots something has changed, for the advice to the dealer
        self.changing = [0] * 8  # by seat, raw ticks at which the dealer said that he exchanges chips there; 0: not
        self.dead: bytes | bytearray = b""  # by spot, once a reader has failed: whether nobody reads it
        self.cut = False  # the cut card has left the shoe: the running round is the last before the shuffle
        self.halted = False  # a part of the controller has died: nothing plays until it starts again
        self.lost_chips = False  # a chip found no room in the ledger: told once

    @property
    def closed(self) -> bool:
        """Whether the decisions of the running round are closed, and judged. Allocates nothing."""
        return self.step > self._close

    @property
    def complete(self) -> bool:
        """Whether the last step of the game's course lies behind. Allocates nothing."""
        return bool(self.step >= len(self.game.course))

    def append(self, name: str, values: "dict[str, Any]") -> None:
        """Write one record; it is durable when this returns."""
        self.ports.journal.append(code_of(name), values)
        self.ports.changed()

    def alert(self, number: int, kind: str, spot: int) -> None:
        """Tell the pit and surveillance, silently, that irregularity `number` is more than it was raised as."""
        self.append("alert", {"id": number, "kind": kind_number(kind), "place": self.spots.places[spot]})

    def time(self, ticks: int) -> int:
        """Microseconds since boot of a raw instant; 0 for `LONG_AGO`, which is no earlier than the boot."""
        if ticks == LONG_AGO:
            return 0
        microseconds: int = self.ports.clock.monotonic(ticks)
        return microseconds

    def prompt(self, kind: str, place: int = 0, amount: int = 0) -> None:
        """Ask the dealer for something, through the link and later the display."""
        self.ports.prompt(PROMPTS.index(kind), place, amount)

    def antenna_place(self, spot: int) -> int:
        """Place of the antenna, and lamp, of a spot: its own, or the one that it shares. Allocates nothing."""
        host = self.spots.host[spot]
        return self.spots.places[host if host >= 0 else spot]

    def lamp(self, spot: int, state: int) -> None:
        """Set the lamp of a spot; `show` makes it visible."""
        host = self.spots.host[spot]
        if host >= 0 and state == LAMP_OFF:
            state = _LAMP_OF[self.spots.state(host)]
        self.ports.lamps.spot(self.antenna_place(spot), state)

    def lamp_of_state(self, spot: int) -> None:
        """Set the lamp of a spot to what its state says."""
        self.lamp(spot, _LAMP_OF[self.spots.state(spot)])

    def show(self) -> None:
        """Make the lamps' states visible."""
        self.ports.lamps.show()

    def spot_of(self, antenna: int, chip: int) -> int:
        """The spot that a chip on an antenna belongs to, or -1. Allocates nothing.

        Where two bets share an antenna, a chip that comes while the decision is open belongs to the decision's bet.
        """
        spot = self.spots.of_antenna[antenna]
        if spot < 0:
            return -1
        lodger = self.spots.lodger[spot]
        if lodger >= 0 and self.ledger.find(lodger, chip) >= 0:
            return lodger
        if lodger >= 0 and self.spots.state(lodger) == "open" and self.ledger.find(spot, chip) < 0:
            return lodger
        return spot

    def is_live(self, seat: int) -> bool:
        """Whether the seat plays in the running round."""
        return self.spots.seat_state(seat) in ("in", "deciding", "folded", "held")

    def bets(self, seat: int) -> "dict[str, int]":
        """The seat's locked bets by name, cents; none of 0."""
        found = {}
        for spot in self.spots.of_seat(seat):
            if self.spots.locked[spot]:
                found[self.game.bets[self.spots.bet(spot)].name] = self.spots.locked[spot]
        return found

    def see(self, spot: int) -> None:
        """Look again at what lies on a spot. Allocates nothing."""
        cents = self.bet_of(spot, self.ledger.amount(spot))
        if cents != self.spots.seen[spot]:
            self.spots.seen[spot] = cents
            self.ports.changed()

    def bet_of(self, spot: int, cents: int) -> int:
        """The bet on a spot with chips of `cents`: without the tip, and with what was keyed. Allocates nothing."""
        return max(cents - self.spots.tokes[spot], 0) + self.spots.keyed[spot]

    def unsettled(self, seat: int) -> bool:
        """Whether the seat has a bet that is locked and not settled yet."""
        for spot in self.spots.of_seat(seat):
            if self.spots.locked[spot] and self.spots.state(spot) == "locked":
                return True
        return False

    def is_dead(self, seat: int) -> bool:
        """Whether the reader of one of the seat's spots has failed."""
        return len(self.dead) > 0 and any([self.dead[spot] for spot in self.spots.of_seat(seat)])

    def asked_spot(self, seat: int) -> int:
        """The spot whose bet gives the seat its decision."""
        names = [bet.name for bet in self.game.bets]
        return self.spots.at(seat, names.index(self.game.decision.asks))
