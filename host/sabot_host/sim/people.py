"""A dealer and players who know how to play Three Card Poker, for the demonstration and for served tables.

Entry points: :class:`Floor` (a table, and the time that passes at it), :class:`Player`, :class:`Dealer`,
:class:`Hooks` (to look on, or to meddle). They see lamps, gate, cards and the host's screen as people do; all they do
is move chips, cards and keys.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from hwsim.core import NS_PER_MS
from hwsim.scenario.claims import Entry
from hwsim.world.chips import Chip
from hwsim.world.shoe import DEALT, GATE_HELD
from sabot.rules.cards import card_from_name
from sabot.rules.ranking import rank_hand
from sabot_host.sim.play import Session

ANTES = (500, 1000, 1500, 2500, 5000)
SIDE_BETS = (100, 500, 1000)
_CARDS = 3
_WORTH_PLAYING = rank_hand([card_from_name(card) for card in ("Qc", "6d", "4h")], 3, 3)
_CARD_EVERY_MS = 300
_CARD_SPEED = 1000
_SLICE_MS = 100
_PATIENCE_MS = 20_000


class Stuck(Exception):
    """The table does not do what people wait for; the text says what they were waiting for."""


class Floor:
    """A table with its host, and how time passes there: ``on_slice`` is called every 100 ms of it."""

    def __init__(self, session: Session, on_slice: Callable[[], None] = lambda: None) -> None:
        self.session = session
        self.table = session.table
        self.stage = session.stage()
        self.on_slice = on_slice

    def wait(self, ms: float) -> None:
        """Let time pass."""
        end = self.table.now + round(ms * NS_PER_MS)
        while self.table.now < end:
            self.table.run_for(min(_SLICE_MS, (end - self.table.now) / NS_PER_MS))
            self.on_slice()

    def until(self, condition: Callable[[], bool], what: str, patience_ms: int = _PATIENCE_MS) -> None:
        """Let time pass until ``condition()``; Stuck when it does not come."""
        end = self.table.now + patience_ms * NS_PER_MS
        while not self.table.run_while(lambda: not condition(), _SLICE_MS):
            self.on_slice()
            if self.table.now >= end:
                raise Stuck(f"{what} did not come in {patience_ms // 1000} s")

    def record(self, name: str, after: int) -> Entry:
        """Wait for the first record of that name behind record ``after``."""
        witness = self.session.witness

        def found() -> Entry | None:
            witness.look()
            return next((one for one in witness.entries if one.sequence > after and one.name == name), None)

        self.until(lambda: found() is not None, f"the record '{name}'")
        entry = found()
        if entry is None:
            raise Stuck(f"the record '{name}' went away")
        return entry

    @property
    def newest(self) -> int:
        """Number of the newest record."""
        self.session.witness.look()
        entries = self.session.witness.entries
        return entries[-1].sequence if entries else 0


class Player:
    """One seat's player, with a purse in cents and a temper from a seed."""

    def __init__(self, floor: Floor, seat: int, seed: int) -> None:
        self.seat = seat
        self.purse = 100_000
        self.bets: dict[str, int] = {}
        self.holds_back = False  # bets an ante, and keeps the side bet for later
        self._floor = floor
        self._random = random.Random(f"player/{seed}/{seat}")

    def bet(self, something: bool = False) -> None:
        """Put the bets of a round down; now and then none, unless it must be ``something``."""
        self.bets = {}
        if self._random.random() < 0.1 and not (something or self.holds_back):
            return
        self._put("ante", self._random.choice(ANTES))
        if self._random.random() < 0.5 and not self.holds_back:
            self._floor.wait(self._random.randrange(100, 250))
            self._put("pair_plus", self._random.choice(SIDE_BETS))

    def decide(self, cards: Sequence[str]) -> bool:
        """Look at the cards: play what is worth it, and sometimes what is not."""
        numbers = [card_from_name(card) for card in cards]
        plays = rank_hand(numbers, _CARDS, _CARDS) >= _WORTH_PLAYING or self._random.random() < 0.15
        if plays:
            self._put("play", self.bets["ante"])
        return plays

    def _put(self, bet: str, cents: int) -> None:
        self._floor.table.place(self.seat, bet, cents)
        self.bets[bet] = cents
        self.purse -= cents


class Hooks:
    """What others do in the course of a dealer's round, or see of it; by itself nothing."""

    def locked(self, lock: Entry, pressed: int) -> None:
        """The bets are locked; the key went down at ``pressed`` (ns)."""

    def dealt(self, lock: Entry) -> None:
        """Every card lies where it belongs."""

    def settled(self, settlement: Entry, hands: dict[int, list[str]], folded: list[int]) -> None:
        """The settlement is known; ``hands`` by seat, the dealer's at 0."""


class Dealer:
    """Runs the rounds: keys, cards, and chips once the round is settled."""

    def __init__(self, floor: Floor) -> None:
        self._floor = floor
        self._table = floor.table

    def open_table(self) -> None:
        """Switch the controller on and open the table."""
        self._table.start()
        self._floor.stage.powered = True
        self._floor.session.host.plug()
        self._floor.until(lambda: self._floor.session.host.up, "the controller's answer")
        self.press("fin")
        self.wait_bar("green")

    def press(self, *keys: str) -> None:
        """Press keys one after the other."""
        for key in keys:
            self._table.press(key)
            self._floor.wait(180)

    def wait_bar(self, colour: str) -> None:
        """Wait until the bar has that colour."""
        self._floor.until(lambda: self._floor.stage.bar() == colour, f"a bar that is {colour}")

    def deal(self, seats: Sequence[int]) -> dict[int, list[str]]:
        """Three cards to each seat, then to oneself (seat 0); returns who got what."""
        self._floor.until(lambda: self._table.hardware.gate.open, "the gate")
        hands: dict[int, list[str]] = {}
        for seat in [*seats, 0]:
            hands[seat] = [self._draw() for _ in range(_CARDS)]
        return hands

    def _draw(self) -> str:
        facts = self._table.truth.facts
        seen = len(facts)
        pull = self._table.draw(speed=_CARD_SPEED)
        self._floor.wait(_CARD_EVERY_MS)
        acts = [fact.act for fact in facts[seen:]]
        if GATE_HELD in acts or DEALT not in acts or pull.card is None:
            raise Stuck("a card stayed in the shoe")
        return pull.card.code

    def round(self, players: dict[int, Player], hooks: Hooks | None = None) -> None:
        """One whole round, from the first bet to the next round's."""
        hooks = Hooks() if hooks is None else hooks
        floor = self._floor
        self._table.shuffle()
        before = floor.newest
        for player in players.values():
            player.bet()
            floor.wait(150)
        if not any(player.bets for player in players.values()):
            next(iter(players.values())).bet(something=True)
        playing = [seat for seat, player in players.items() if player.bets]
        floor.wait(700)
        pressed = self._table.now
        self._table.press("rnvp")
        lock = floor.record("lock", before)
        hooks.locked(lock, pressed)
        confirmed = floor.record("confirmed", lock.sequence)
        hands = self.deal(playing)
        hooks.dealt(lock)
        floor.record("deal", confirmed.sequence)
        folded = [seat for seat in playing if not self._decision(players[seat], hands[seat])]
        floor.wait(600)
        self.press("devoiler")
        settlement = floor.record("settlement", confirmed.sequence)
        hooks.settled(settlement, hands, folded)
        self.pay(settlement, players)
        floor.wait(400)
        self.press("fin")
        floor.record("round_end", settlement.sequence)
        self.wait_bar("green")

    def _decision(self, player: Player, cards: Sequence[str]) -> bool:
        """The player plays, or says that it folds: then the dealer keys it."""
        plays = player.decide(cards)
        if not plays:
            self.press("abandon", f"p{player.seat}")
        self._floor.wait(200)
        return plays

    def pay(self, settlement: Entry, players: dict[int, Player]) -> None:
        """Take what is lost, pay what is won beside the stake; the players take theirs."""
        for row in settlement.rows:
            seat, bet = int(row["seat"]), str(row["bet"])
            self._table.remove([chip for chip in self._lying(seat, bet) if isinstance(chip, Chip)])
            players[seat].purse += int(row["paid"]) + int(row["returned"])
            self._floor.wait(120)

    def _lying(self, seat: int, bet: str) -> list[object]:
        if (seat, bet) not in self._table.spots:
            return []
        return list(self._table.felt.lying_on(self._table.spot(seat, bet)))
