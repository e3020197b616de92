"""The bet spots of the layout: place, state machine, what lies there and what is locked. Entry point: `Spots`.

A spot is a small number, the index in `places`, seat by seat in the game's order of bets. Amounts are cents.
"""

from array import array

from sabot.rules.game import LOCK_ANNOUNCEMENT, LOCK_DECISIONS
from sabot.table.errors import NO_SPOTS, TableError
from sabot.table.machine import Machines
from sabot.wire.codes import place, place_seat, place_spot

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from sabot.rules.game import Game


class Spots:
    """Spots of `seats` (numbers 1 to 7) for a game; `antennas[i]` is the place byte of antenna i, 0 where none is.

    `announced`: the spots that "Rien ne va plus" locks; `carded`: those that the first card dealt locks (67.36);
    `laid`: both, the spots of the bets made before the deal. `opened`: by seat number, the spot that the decision
    opens. `lodger`: by spot, the decision's spot of that seat when it has no antenna of its own and its chips lie here
    (the war bet beside the initial one); `host`: the other way round; -1 where there is none. `seen`: amounts of the
    bets lying there now; `locked`: amounts that are the bets of the round; `keyed`: cents of them that no antenna can
    see; `tokes`: cents lying there that are the dealers' tip and no bet; `settled_at`: raw ticks of its settlement;
    `due`: cents won there, and `owed`: by seat, all that this settlement gave it.
    """

    def __init__(self, game: "Game", seats: "tuple[int, ...]", antennas: "tuple[int, ...]") -> None:
        self.seats = seats
        self.bets = len(game.bets)
        self.places = bytearray()
        announced = bytearray()
        carded = bytearray()
        laid = bytearray()
        self.opened = [-1] * 8
        for seat in seats:
            for index in range(self.bets):
                spot = len(self.places)
                self.places.append(place(seat, index))
                if game.bets[index].lock != LOCK_DECISIONS:
                    laid.append(spot)
                    (announced if game.bets[index].lock == LOCK_ANNOUNCEMENT else carded).append(spot)
                elif game.bets[index].name == game.decision.bet:
                    self.opened[seat] = spot
        self.count = len(self.places)
        self._of_seat = [range(0)] * 8
        for seat in seats:
            first = self.at(seat, 0)
            self._of_seat[seat] = range(first, first + self.bets)
        self.announced = bytes(announced)
        self.carded = bytes(carded)
        self.laid = bytes(laid)
        self.of_antenna = [self.find(value) if value else -1 for value in antennas]
        for index in range(len(antennas)):
            if antennas[index] and self.of_antenna[index] < 0:
                raise TableError(NO_SPOTS, "antenna %d is at place 0x%02x, which is none" % (index, antennas[index]))
        self.host = array("b", [-1] * self.count)
        self.lodger = array("b", [-1] * self.count)
        if game.decision.bet is not None and self.opened[seats[0]] not in self.of_antenna and any(antennas):
            from sabot.table.wars import lodge

            lodge(self, game)
        from sabot.wire import states

        self.machines = Machines(states.rules(states.SPOT), states.SPOT_STATES, self.count)
        self.seat_machines = Machines(states.rules(states.SEAT), states.SEAT_STATES, 8)
        nothing = bytes(4 * self.count)
        self.seen = array("i", nothing)
        self.keyed = array("i", nothing)
        self.tokes = array("i", nothing)
        self.locked = array("i", nothing)
        self.settled_at = array("i", nothing)
        self.due = [0] * self.count  # what is won may be more than an array of 32 bits holds
        self.owed = [0] * 8

    def find(self, value: int) -> int:
        """Spot of a place byte, or -1."""
        for spot in range(self.count):
            if self.places[spot] == value:
                return spot
        return -1

    def seat(self, spot: int) -> int:
        """Seat number of a spot."""
        return place_seat(self.places[spot])

    def bet(self, spot: int) -> int:
        """Index, in the game's order, of the bet made on a spot."""
        return place_spot(self.places[spot])

    def at(self, seat: int, bet: int) -> int:
        """Spot of a seat's bet; the seat must be one of the table's."""
        return self.seats.index(seat) * self.bets + bet

    def state(self, spot: int) -> str:
        """Name of the state of a spot."""
        return self.machines.name_of(spot)

    def seat_state(self, seat: int) -> str:
        """Name of the state of a seat."""
        return self.seat_machines.name_of(seat)

    def of_seat(self, seat: int) -> range:
        """The spots of a seat, in the game's order. Allocates nothing."""
        return self._of_seat[seat]
