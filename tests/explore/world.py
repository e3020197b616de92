"""A table of two seats and two chips, and everything that people can do there. Entry points: `World`, `Kept`.

The table, its presence and its recovery are those that ship. A visit takes a millisecond here and all antennas are
visited in turn whenever time passes, so that a step of the search is cheap; nothing else is simplified. Events that
follow each other without time between them are a millisecond apart, and no scan lies between them.
"""

from collections.abc import Callable, Iterator
from typing import Any, cast

from sabot import start
from sabot.journal import recovery
from sabot.rules import games
from sabot.rules.cards import card_from_name
from sabot.table.deal import UNREAD
from sabot.table.presence import Presence
from sabot.table.table import Table
from sabot.wire import codes, meters
from sabot.wire.records import build, parse
from tests.explore.books import Books
from tests.explore.memory import Memory, tokens_of_ledger, tokens_of_presence
from tests.table.on_board import fakes
from tests.table.on_board.rig import Config

CENTS = 1000
BEGIN = 1 << 25
SCAN_MS = {"moment": (40,), "while": (200, 200, 200), "long": (2000,) * 8}
"""What passes, and how far apart the scans lie meanwhile."""
PACKS = {
    # Seat 1 gets a pair, seat 2 nothing, the dealer, last, queen high; a seat alone gets the first cards.
    "three_card": "7c 7d 2h 2c 3d 5h Qs 3c 2d 6c 6d 8h 8s 9c As Ad Kh Ks Jh Jd Tc Ts",
    # One seat plays: a war, which it wins. Two: they lose.
    "bataille": "7c 7d 9h 2c 3c 4c Qs 2h 5h 5c 6h 8h Ks 9s Jd Tc Td Ac As Ad Kd Kh Jh Jc Ts Th",
}
SPOTS = {"three_card": ("ante", "play"), "bataille": ("initial", "tie", "additional")}


class Kept(fakes.MemoryJournal):
    """The journal in memory, as the recovery reads it."""

    def __init__(self, clock: fakes.Clock, log: Any) -> None:
        super().__init__(clock, log)
        self.kept: tuple[bytes, ...] = ()
        self.boundary = 0
        self.first = 1
        self.boot = 1
        self._counted = bytearray(meters.SIZE)

    def _keep(self, code: int, fields: bytes, ticks: int) -> None:
        number = len(self.kept) + 1
        raw = bytes(build(code, number, 1, self._clock.monotonic(ticks), 0, 0, self.dealer, fields))
        record = parse(raw)
        self.kept = (*self.kept, raw)
        if record["name"] in ("round_end", "void"):
            self.boundary = number
        if meters.metered(code):
            meters.apply(self._counted, code, record["fields"])
        self._log.append(("record", record["name"], record["fields"]))

    def append(self, code: int, values: dict[str, Any]) -> int:
        self.seal()
        super().append(code, values)
        return len(self.kept)

    def records_from(self, sequence: int) -> Iterator[tuple[int, bytes]]:
        """As `journal.kept.Records.records_from`."""
        for number in range(max(sequence, 1), len(self.kept) + 1):
            yield number, self.kept[number - 1]

    @property
    def meters(self) -> bytearray:
        """As `journal.kept.Records.meters`."""
        return self._counted


class Ports(fakes.Ports):
    """What the table is given, over a journal that outlives it; what can be seen goes to the books."""

    def __init__(self, world: "World") -> None:
        super().__init__(world, BEGIN)
        self.log = world.books  # type: ignore[assignment]
        self.clock = world.clock
        self.journal = world.journal
        self.chips = world.chips
        self.lamps = fakes.Lamps(self.log)
        self.lamps.quiet = True
        self.gate = fakes.Gate(self.log)


class World:
    """Table, chips, cards and people. Options of the configuration as keyword arguments."""

    def __init__(self, game: str = "three_card", **options: Any) -> None:
        self.game = games.load(game)
        self.config = Config(self.game, (1, 2), False)
        for name, value in options.items():
            setattr(self.config, name, value)
        self.names = tuple(bet.name for bet in self.game.bets)
        self.pack = tuple(card_from_name(name) for name in PACKS[game].split())
        self.clock = fakes.Clock(BEGIN)
        self.chips = fakes.Chips()
        self.lies = [-1, -1]  # antenna of each chip
        self.books = Books(self)
        self.journal = Kept(self.clock, self.books)
        self.dealt = 0  # cards of the pack that have left in this round
        self.keyed = 0  # ... from its end, that have been keyed
        self.beam = -1  # edge of a card that has left and has not been read
        self.wanted: list[int] = []
        self.table: Table = None  # type: ignore[assignment]
        self.presence: Presence = None  # type: ignore[assignment]
        for _ in self.lies:
            self.chips.new(CENTS)
        self._switch_on((0, 0))
        self.acts = self._acts()
        special: dict[str, Callable[[Any, int], Any]] = {
            "Ledger": tokens_of_ledger,
            "Presence": tokens_of_presence,
            "Machines": lambda machines, _now: (bytes(machines._states), list(machines._back)),
            "Prepared": lambda _thing, _now: 0,
            "Kept": lambda _thing, _now: 0,
            "Clock": lambda _thing, _now: 0,
        }
        self.memory = Memory(self, [self.game, self.config, self.acts, self.pack, self.names], special)

    # --- hardware and time ----------------------------------------------------------------------------------------

    def _switch_on(self, so_far: tuple[int, int]) -> None:
        self.table = Table(self.config, self.game, Ports(self), *so_far)
        self.presence = Presence(len(self.config.antennas), 4, self.table)
        self.wanted = []
        self.beam = -1

    def antenna(self, seat: int, bet: str) -> int:
        return self.config.antennas.index(codes.place(seat, self.names.index(bet)))

    def confirm(self, places: bytes) -> None:
        """The scanner's: visit these first."""
        self.wanted = [self.config.antennas.index(place) for place in places]

    def lying(self) -> dict[int, int]:
        """Cents on each place."""
        found: dict[int, int] = {}
        for antenna in self.lies:
            if antenna >= 0:
                place = self.config.antennas[antenna]
                found[place] = found.get(place, 0) + CENTS
        return found

    def tick(self) -> int:
        """A millisecond passes; the raw instant."""
        self.clock.now += 1000
        return self.clock.ticks()

    def passes(self, steps: tuple[int, ...]) -> None:
        """Time passes, with a scan of every antenna after each step."""
        for step in steps:
            self.clock.now += step * 1000
            order = self.wanted + list(range(len(self.config.antennas)))
            self.wanted = []
            for antenna in order:
                self._visit(antenna)
            self.table.tick(self.tick())

    def _visit(self, antenna: int) -> None:
        begun = self.clock.ticks()
        presence = self.presence
        presence.visit_begun(antenna, begun)
        self.clock.now += 500
        now = self.clock.ticks()
        for chip in range(len(self.lies)):
            if self.lies[chip] == antenna:
                presence.answered(antenna, chip, begun, now)
            elif presence.holds(antenna, chip):
                presence.silent(antenna, chip, now)
        self.clock.now += 500
        presence.visit_finished(antenna, True, self.clock.ticks())

    # --- what can happen ------------------------------------------------------------------------------------------

    def _acts(self) -> dict[str, Callable[[], object]]:
        acts: dict[str, Callable[[], object]] = {name: self._passer(steps) for name, steps in SCAN_MS.items()}
        spots = [(seat, bet) for seat in (1, 2) for bet in SPOTS[self.game.id]]
        for chip in (0, 1):
            for seat, bet in spots:
                acts[f"chip {chip} on {bet} {seat}"] = self._mover(chip, self.antenna(seat, bet))
            acts[f"chip {chip} off"] = self._mover(chip, -1)
        for key in ("devoiler", "fin", "oui", "non"):
            acts["key " + key] = self._presser(key)
        acts["key rnvp"] = self._announce
        for seat in (1, 2):
            acts[f"keys abandon p{seat}"] = self._presser("abandon", f"p{seat}")
        acts["keys maldonne oui"] = self._presser("maldonne", "oui")
        acts["card"] = self._card
        acts["card unread"] = lambda: self._leaves(UNREAD)
        acts["beam"] = self._beam
        for word in ("valid", "refused", "void", "keyed"):
            acts["rule " + word] = self._ruler(word)
        acts["withdraw"] = lambda: self.table.withdraw(codes.ROLES.index("supervisor"))
        acts["void"] = lambda: self.table.void(codes.VOID_REASONS.index("supervisor"), codes.ROLES.index("supervisor"))
        acts["power cut"] = self.power_cut
        return acts

    def _passer(self, steps: tuple[int, ...]) -> Callable[[], None]:
        return lambda: self.passes(steps)

    def _mover(self, chip: int, antenna: int) -> Callable[[], None]:
        def move() -> None:
            self.lies[chip] = antenna

        return move

    def _presser(self, *names: str) -> Callable[[], None]:
        def press() -> None:
            for name in names:
                now = self.tick()
                if name == "devoiler":
                    self.books.edge(now, True)
                self.table.key(codes.KEYS.index(name), now)

        return press

    def _announce(self) -> None:
        edge = self.tick()
        self.books.edge(edge, True)
        self.clock.now += 4000
        self.table.announce(edge)

    def _beam(self) -> None:
        """A card breaks the beam; what it is will be known later."""
        if self.beam < 0:
            self.beam = self.clock.ticks()
            self.books.edge(self.beam, False)
            self.table.leaving(self.beam)

    def _card(self) -> None:
        if self.dealt < len(self.pack):
            self.dealt += 1
            self._leaves(self.pack[self.dealt - 1])

    def _leaves(self, code: int) -> None:
        self._beam()
        edge, self.beam = self.beam, -1
        self.table.card(code, edge)

    def _ruler(self, word: str) -> Callable[[], None]:
        def rule() -> None:
            """What is open, the gravest first."""
            for issue in self.issues()[:1]:
                amount = CENTS
                if issue["kind"] == "unread_card":
                    amount = self.pack[-1 - self.keyed % len(self.pack)]
                    self.keyed += 1
                self.table.resolve(issue["id"], codes.RESOLUTIONS.index(word), amount, codes.ROLES.index("supervisor"))

        return rule

    def power_cut(self) -> None:
        """The power goes and comes back: what lies there stays, and the controller has its journal."""
        self.clock.now += 3_000_000
        self.journal.seal()  # what is committed is durable, and sealed by the recovery
        journal = cast("Any", self.journal)
        standing = recovery.standing(journal)
        start.void_open_round(journal, standing)
        self._switch_on(start.rounds_so_far(journal))
        if standing:
            self.table.stands(standing)

    def issues(self) -> list[dict[str, Any]]:
        """What is open, the gravest first, then the oldest."""
        return sorted(self.table.status()["issues"], key=lambda issue: -issue["severity"])

    def do(self, name: str) -> None:
        """One event."""
        if not name.startswith("card") and name != "beam" and name not in SCAN_MS:
            self.tick()
        self.acts[name]()
        if not self.table._core.in_round and self.journal.boundary:
            self.dealt = self.keyed = 0
        self.books.look()
