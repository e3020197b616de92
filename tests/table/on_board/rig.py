"""A table with people around it: chips moved at exact instants, keys, cards. Entry points: `Rig`, `same`.

Runs on MicroPython and on CPython. The scanner visits one antenna after the other in virtual time through the real
`Presence`, so every interval is as wide as a scan; `truth` keeps what really happened and when.
"""

from sabot.rules import games
from sabot.rules.cards import card_from_name
from sabot.rules.game import fingerprint
from sabot.table.deal import ALIEN, UNREAD
from sabot.table.presence import Presence
from sabot.table.table import Table
from sabot.wire import codes
from tests.table.on_board.fakes import Ports

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

VISIT_US = 20000
ASK_AT_US = 8000  # when, in a visit, the chips answer; an absent one is silent from then on
TICK_US = 50000
LIMITS = {
    "ante": (500, 100000),
    "pair_plus": (100, 50000),
    "initial": (500, 100000),
    "tie": (100, 50000),
    "three": (500, 100000),
    "five": (500, 100000),
    "bonus": (100, 50000),
    "aces_up": (100, 50000),
    "queens_up": (100, 50000),
}


class Config:
    """The configuration of a small table: a spot for every bet of the game, each on an antenna.

    `shared`: the decision's bet has no antenna of its own.
    """

    def __init__(self, game: "Any", seats: "tuple[int, ...]", shared: bool) -> None:
        self.seats = seats
        bets = [index for index in range(len(game.bets)) if not shared or game.bets[index].name != game.decision.bet]
        self.antennas = tuple([codes.place(seat, bet) for seat in seats for bet in bets])
        self.limits = {bet.name: LIMITS[bet.name] for bet in game.bets if bet.name in LIMITS}
        self.gate_after = "confirm"
        self.close_by = "reveal"
        self.dwell_ms = 500
        self.restore_ms = 5000
        self.moved_ms = 15000
        self.mispay_ms = 20000
        self.large_cents = 10000
        self.large_times = 4
        self.keyed_cents = 10000
        self.payment_cents = 10000
        self.half_rounding = 1
        self.payment_order = "none"
        self.losers_first = False
        self.consequences = {"exposed": "burn", "misplaced": "swap", "foul_hand": "void_hand", "misdeal": "dealer"}
        self.sign_on = "off"
        self.visibility: dict[str, str] = {}
        self.decks = 1
        self.deal = "cards"
        self.game_hash = bytes(8)
        self.discard = -1


class Rig:
    """One table in virtual time. Options of the configuration as keyword arguments."""

    def __init__(self, start: int = 1000000, opened: bool = True, game: "Any" = None, **options: "Any") -> None:
        self.game = game or games.load("three_card")
        names = [bet.name for bet in self.game.bets]
        self.bets = tuple(names)
        names.append("extra")
        self.lines = tuple(names)
        self.config = Config(self.game, options.pop("seats", (1, 2)), options.pop("shared", False))
        for name in options:
            setattr(self.config, name, options[name])
        self.config.game_hash = fingerprint(self.game)
        self.ports = Ports(self, start)
        self.clock = self.ports.clock
        self.log = self.ports.log
        self.table = Table(self.config, self.game, self.ports)
        self.presence = Presence(len(self.config.antennas), 64, self.table)
        self.on: list[list[int]] = [[] for _ in self.config.antennas]
        self.noisy: dict[int, bool] = {}  # antenna -> True: its visits are not clean and find nothing new
        self.deaf: dict[int, bool] = {}  # chip -> True: its answers are garbled
        self.dead: list[int] = []  # antennas that nobody reads: their reader has failed
        self.read_ms = 0.0  # from the beam's edge until the card is known
        self.noise = False  # some visit was not clean
        self.truth: list[tuple[int, int, int, bool]] = []  # (instant, chip, antenna, came)
        self._wanted: list[int] = []
        self._antenna = 0
        self._turn = -1
        self._ended = -1
        self._clean = True
        self._next = 0
        self._next_tick = start
        self._next_visit = start
        if opened:
            self.key("fin")
            self.run(1000)

    # --- the world ------------------------------------------------------------------------------------------------

    def antenna(self, seat: int, bet: str) -> int:
        place = codes.place(seat, self.bets.index(bet))
        if place not in self.config.antennas:
            place = codes.place(seat, 0)
        return self.config.antennas.index(place)

    def put(self, seat: int, bet: str, cents: int, chip: "int | None" = None) -> int:
        """Lay down one chip now; returns its number."""
        if chip is None:
            chip = self.ports.chips.new(cents)
        antenna = self.antenna(seat, bet)
        self.on[antenna].append(chip)
        self.truth.append((self.clock.now, chip, antenna, True))
        return chip

    def lift(self, chip: int) -> int:
        """Lift a chip now."""
        for antenna in range(len(self.on)):
            if chip in self.on[antenna]:
                self.on[antenna].remove(chip)
                self.truth.append((self.clock.now, chip, antenna, False))
                return antenna
        raise ValueError("no such chip lies there")

    def confirm(self, places: bytes) -> None:
        """The scanner's: confirming visits to these places come first."""
        found = [self.config.antennas.index(place) for place in places]
        self._wanted = [antenna for antenna in found if antenna not in self.dead]

    def break_reader(self, seat: int) -> None:
        """The reader of the seat's antennas fails now, and with it the visit under way, if it is one of its own."""
        self.dead = [n for n in range(len(self.on)) if codes.place_seat(self.config.antennas[n]) == seat]
        self._wanted = [antenna for antenna in self._wanted if antenna not in self.dead]
        if self._antenna in self.dead:
            self._next = 0
        self.table.reader(tuple(self.dead), True)

    def mend_reader(self) -> None:
        """It works again."""
        back = tuple(self.dead)
        self.dead = []
        self.table.reader(back, False)

    # --- time -----------------------------------------------------------------------------------------------------

    def run(self, ms: float) -> None:
        """Let time pass: visits one after the other, a tick every 50 ms."""
        self.until(self.clock.now + int(ms * 1000))

    def until(self, end: int) -> None:
        while True:
            instant = min(self._next_tick, self._next_visit)
            if instant > end:
                break
            self.clock.now = max(instant, self.clock.now)
            if self._next_visit <= self._next_tick:
                self._begin()
            else:
                self._next_tick += TICK_US
                self.table.tick(self.clock.ticks())
        self.clock.now = max(end, self.clock.now)

    def until_just_visited(self, seat: int, bet: str) -> None:
        """Let time pass until a visit to that spot has just ended: the next one is a scan away."""
        self._ended = -1
        while self._ended != self.antenna(seat, bet):
            self.until(min(self._next_tick, self._next_visit))

    def _begin(self) -> None:
        """The next step of the visit under way: begin, ask, end."""
        if self._next == 0:
            self._antenna = self._wanted.pop(0) if self._wanted else self._rotate()
            self.presence.visit_begun(self._antenna, self.clock.ticks())
            self._next_visit += ASK_AT_US
        elif self._next == 1:
            self._ask(self._antenna)
            self._next_visit += VISIT_US - ASK_AT_US
        else:
            self._ended = self._antenna
            self.presence.visit_finished(self._antenna, self._clean, self.clock.ticks())
        self._next = (self._next + 1) % 3

    def _rotate(self) -> int:
        self._turn = (self._turn + 1) % len(self.on)
        while self._turn in self.dead:
            self._turn = (self._turn + 1) % len(self.on)
        return self._turn

    def _ask(self, antenna: int) -> None:
        lo, hi = self.clock.ticks(), (self.clock.now + 1) & 0x3FFFFFFF
        noisy = self.noisy.get(antenna)
        self._clean = not noisy and not [chip for chip in self.on[antenna] if self.deaf.get(chip)]
        self.noise = self.noise or not self._clean
        for chip in range(len(self.ports.chips.values)):
            deaf = self.deaf.get(chip)
            if chip in self.on[antenna] and not noisy and not deaf:
                self.presence.answered(antenna, chip, lo, hi)
            elif self.presence.holds(antenna, chip):
                if noisy or deaf:
                    self.presence.unknown(antenna, chip)
                else:
                    self.presence.silent(antenna, chip, hi)

    # --- hands on the table ---------------------------------------------------------------------------------------

    def key(self, name: str) -> None:
        """Press a key of the panel."""
        self.table.key(codes.KEYS.index(name), self.clock.ticks())

    def rnvp(self, bounce_ms: float = 4) -> int:
        """Press "Rien ne va plus": the edge is now, the press counts a little later."""
        edge = self.clock.ticks()
        instant = self.clock.now
        self.run(bounce_ms)
        self.table.announce(edge)
        return instant

    def card(self, name: str) -> None:
        """A card breaks the beam now, and is read a little later."""
        edge = self.clock.ticks()
        self.table.leaving(edge)
        if self.read_ms:
            self.run(self.read_ms)
        self.table.card(card_from_name(name), edge)

    def packet(self, names: str, deck: int = 0) -> None:
        """A packet of cards leaves the shuffler; `-` is a card that was not read, `?` one of no pack."""
        cards = []
        for name in names.split():
            cards.append(UNREAD if name == "-" else ALIEN if name == "?" else card_from_name(name))
        self.table.packet(cards, deck, self.clock.ticks())
        self.run(300)

    @property
    def by_hand(self) -> "Any":
        return self.table.by_hand

    def hand(self, number: int, names: str) -> bool:
        """The dealer keys a hand, by its number."""
        cards = [card_from_name(name) for name in names.split()]
        return bool(self.by_hand.key_hand(number, cards, codes.ROLES.index("dealer")))

    def judge(self, seat: int, bet: str, result: str, pays: int = 1) -> bool:
        """The dealer judges a bet, or the "extra" line."""
        place = codes.place(seat, self.lines.index(bet))
        choices = self.by_hand.choices(place)
        for index in range(len(choices)):
            if choices[index][0] == result and choices[index][1] == pays:
                return bool(self.by_hand.judge(place, index))
        raise ValueError("no such end: " + repr(choices))

    def deal(self, names: str) -> None:
        """Deal cards named in the order they leave the shoe, a third of a second apart."""
        for name in names.split():
            self.card(name)
            self.run(300)

    def supervisor(self, number: int, word: str, amount: int = 0) -> bool:
        return self.table.resolve(number, codes.RESOLUTIONS.index(word), amount, codes.ROLES.index("supervisor"))

    def ruled_by_two(self, number: int, word: str) -> None:
        """The supervisor rules, and the dealer seconds it when he has read what is asked."""
        same(self.supervisor(number, word), True)
        self.run(250)
        self.key("oui")

    def sign(self, role: str, number: int, on: bool = True) -> bool:
        return self.table.sign(codes.ROLES.index(role), number, on)

    def keys(self, names: str) -> None:
        """Press keys of the panel one after the other."""
        for name in names.split():
            self.key(name)
            self.run(100)

    def void(self, reason: str = "supervisor") -> bool:
        return self.table.void(codes.VOID_REASONS.index(reason), codes.ROLES.index("supervisor"))

    def declare(self, kind: str, seat: int, bet: str, cents: int = 0, by: str = "dealer") -> bool:
        place = codes.place(seat, self.bets.index(bet))
        return self.table.declare(kind, place, cents, codes.ROLES.index(by))

    # --- what is there to see -------------------------------------------------------------------------------------

    @property
    def records(self) -> "list[dict[str, Any]]":
        return self.ports.journal.records

    def named(self, name: str) -> "list[dict[str, Any]]":
        """Fields of the records of a name."""
        return [record["fields"] for record in self.records if record["name"] == name]

    def kinds(self) -> "list[tuple[str, int]]":
        """Irregularities recorded so far: (kind, severity)."""
        found = []
        for fields in self.named("irregularity"):
            found.append((codes.kind_name(fields["kind"]), fields["severity"]))
        return found

    def issue(self, kind: str) -> int:
        """Number of the open irregularity of a kind."""
        for issue in self.table.status()["issues"]:
            if issue["kind"] == kind:
                return int(issue["id"])
        raise ValueError("nothing of that kind is open: " + kind)

    def state(self) -> str:
        return self.table.state

    def seat(self, number: int) -> str:
        for seat in self.table.status()["seats"]:
            if seat["seat"] == number:
                return str(seat["state"])
        raise ValueError("no such seat")

    def locked(self, seat: int, bet: str) -> int:
        place = codes.place(seat, self.bets.index(bet))
        for spot in self.table.status()["spots"]:
            if spot["place"] == place:
                return int(spot["locked"])
        raise ValueError("no such spot")

    def paid(self) -> "dict[tuple[int, str], tuple[str, int, int, int]]":
        """Settled bets: {(seat, bet): (result, stake, paid, returned)}; the bonus is "extra"."""
        found = {}
        for fields in self.named("settlement"):
            for place, result, stake, paid, returned in fields["bets"]:
                bet = self.lines[codes.place_spot(place)]
                found[codes.place_seat(place), bet] = (codes.RESULTS[result], stake, paid, returned)
        return found

    def prompts(self) -> "list[tuple[str, int, str, int]]":
        """Prompts so far: (kind, seat, bet, amount)."""
        found = []
        for entry in self.log:
            if entry[0] == "prompt":
                place = entry[2]
                bet = self.lines[codes.place_spot(place)] if place else ""
                found.append((codes.PROMPTS[entry[1]], codes.place_seat(place), bet, entry[3]))
        return found

    # --- ready-made beginnings --------------------------------------------------------------------------------------

    def locked_round(self, *bets: "tuple[int, str, int]") -> "list[int]":
        """Bets laid, announced and confirmed: (seat, bet, cents), default one ante at each seat."""
        chips = [self.put(seat, bet, cents) for seat, bet, cents in bets or ((1, "ante", 1000), (2, "ante", 1000))]
        self.run(1000)
        self.rnvp()
        self.run(400)
        return chips

    def dealt_round(self, *bets: "tuple[int, str, int]", cards: str = "2c 3d 5h 7c 7d 2h Qs 3c 2d") -> "list[int]":
        """The same, and dealt: seat 1 has 2c 3d 5h, seat 2 a pair of sevens, the dealer queen high."""
        chips = self.locked_round(*bets)
        self.deal(cards)
        return chips


def same(found: object, expected: object) -> None:
    """AssertionError with both when they differ; MicroPython's own says nothing."""
    if found != expected:
        raise AssertionError(repr(found) + " is not " + repr(expected))
