"""The demonstration: full tables that play by themselves, with acts beside the rules, and what came of it all.

Entry points: :class:`Demo` (one game at one table: :meth:`Demo.play` plays and tells, line by line), :class:`Report`
(what came of it), :func:`summary`. What the table settled is worked out again by `sabot settle` from what people did,
and compared to the cent; what it told of people's acts is compared with what they did.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from hwsim.provisioning import configuration
from hwsim.scenario.claims import Row
from hwsim.scenario.values import dollars
from sabot.rules import games
from sabot_host.settle import settle_line
from sabot_host.sim.dealer import Dealer, Hooks, Round
from sabot_host.sim.floor import Floor, Stuck
from sabot_host.sim.mischief import Capped, Foreign, Late, Straightened, Trick
from sabot_host.sim.play import Session
from sabot_host.sim.players import Player

GAMES = ("three_card", "bataille")
ROUNDS = 3
SEATS = 7

Say = Callable[[str], None]
Prepare = Callable[[Floor], None]

# In which round which act; the games that have none of their own play by the rules. The shoe of a round at Bataille is
# stacked: two seats meet a card of the dealer's rank.
_TRICKS: dict[str, dict[int, tuple[tuple[type[Trick], int, str], ...]]] = {
    "three_card": {2: ((Late, 3, "pair_plus"), (Straightened, 5, "ante"))},
    "bataille": {2: ((Capped, 4, "tie"), (Foreign, 6, "initial"))},
}
_STACKED = {"bataille": {1: ("Kd", "8s", "4c", "9h", "Jd", "8h", "2s", "8c")}}


@dataclass
class Report:
    """What came of one table's rounds."""

    game: str
    seats: int
    rounds: int = 0
    wars: int = 0
    staked: int = 0
    paid: int = 0
    returned: int = 0
    locks_ms: list[float] = field(default_factory=list)
    caught: list[str] = field(default_factory=list)
    """irregular acts that were told as what they were"""
    noted: list[str] = field(default_factory=list)
    """regular acts that look like others, and were noted only"""
    wrong: list[str] = field(default_factory=list)
    """what is not as it must be"""
    records: int = 0

    @property
    def good(self) -> bool:
        """Whether all is as it must be."""
        return not self.wrong

    @property
    def house(self) -> int:
        """Cents that the house has won."""
        return self.staked - self.paid - self.returned


class Demo(Hooks):
    """``rounds`` rounds of a game at a table of ``seats`` seats, with players from ``seed``."""

    def __init__(self, game: str, rounds: int = ROUNDS, seats: int = SEATS, seed: int = 0) -> None:
        self.report = Report(game, seats)
        self.title = f"{game} with {seats} seats"
        self._game = games.load(game)
        self._rounds = rounds
        self._seed = seed
        self._say: Say = lambda text: None
        self._tricks: list[Trick] = []

    def play(self, say: Say, prepare: Prepare = lambda floor: None) -> Report:
        """Play everything and judge it; ``prepare`` is called with the floor before the first round."""
        self._say = say
        config = configuration(self._game.id, self.report.seats)
        with Session(config, seed=self._seed) as session:
            floor = self._floor = Floor(session)
            prepare(floor)
            self._dealer = Dealer(floor, self._game)
            self._players = {seat: Player(floor, self._game, seat, self._seed) for seat in floor.seats}
            say(f"Table: {self.title}; the firmware runs on simulated chips (seed {self._seed})")
            try:
                self._dealer.open_table()
                for number in range(1, self._rounds + 1):
                    self._round(number)
            except Stuck as error:
                self._fault(f"the table stands still: {error}")
                say(session.table.controller.stderr)
            else:
                self._judge(session)
        return self.report

    def _round(self, number: int) -> None:
        self._say(f"Round {number}")
        stacked = _STACKED.get(self._game.id, {}).get(number, ())
        if len(stacked) != len(self._players) + 1:
            stacked = ()
        if stacked:  # each card is meant for a seat: nobody stays away
            for player in self._players.values():
                player.insists = self._game.openings[0][0]
        tricks = _TRICKS.get(self._game.id, {}).get(number, ())
        self._tricks = [kind(seat, bet) for kind, seat, bet in tricks if seat in self._players]
        for trick in self._tricks:
            trick.prepare(self._players[trick.seat])
        played = self._dealer.round(self._players, self, stacked)
        self.report.rounds += 1
        self.report.wars += len(played.wars)
        self._check(played)
        self._check_alarms(played)

    # --- in the course of a round -------------------------------------------------------------------------------------

    def betting(self) -> None:
        """What is done while bets are open."""
        self._meddle("betting")

    def locked(self, played: Round, pressed: int) -> None:
        """Tell the bets, and how long the lock took."""
        for player in self._players.values():
            if player.bets:
                bets = ", ".join(f"{bet} {dollars(cents)}" for bet, cents in player.bets.items())
                self._say(f"  seat {player.seat} bets {bets}")
        ms = (played.lock.when - pressed) / 1e6
        self.report.locks_ms.append(ms)
        self._say(f'  "Rien ne va plus": bets locked and on record {ms:.1f} ms after the key')
        self._meddle("locked")

    def dealt(self, played: Round) -> None:
        """What people have done has been found meanwhile."""
        for trick in self._tricks:
            found = self._floor.record(trick.kind, played.before)
            done = trick.end(self._floor, self._dealer, found)
            self._say(f"  {trick.told(found)}" + (f"; {done}" if done else ""))
            (self.report.noted if trick.regular else self.report.caught).append(f"{trick.kind} at seat {trick.seat}")

    def settled(self, played: Round, rows: Sequence[Row]) -> None:
        """Tell what has been settled."""
        wars = "".join(f"; war at seat {seat}: {own} against {other}" for seat, (own, other) in played.wars.items())
        self._say("  dealer " + " ".join(played.hands[0]) + wars)
        for seat in sorted({int(row["seat"]) for row in rows}):
            mine = [row for row in rows if row["seat"] == seat]
            ends = ", ".join(f"{row['bet']} {row['result']} {_change(row)}" for row in mine)
            self._say(f"  seat {seat} {' '.join(played.hands[seat])}{self._choice(played, seat)}: {ends}")

    def _choice(self, played: Round, seat: int) -> str:
        if seat not in played.decided:
            return ""
        decision = self._game.decision
        return f" ({decision.taken if played.decided[seat] else decision.refused})"

    def _meddle(self, moment: str) -> None:
        for trick in self._tricks:
            if trick.during == moment:
                self._say("  " + trick.do(self._floor, self._players[trick.seat]))

    # --- judging ------------------------------------------------------------------------------------------------------

    def _fault(self, text: str) -> None:
        self.report.wrong.append(text)
        self._say(f"  WRONG: {text}")

    def _check(self, played: Round) -> None:
        """Every bet as `sabot settle` pays it, from what people put down and were dealt."""
        sums = {
            (int(row["seat"]), str(row["bet"])): (int(row["paid"]), int(row["returned"]))
            for row in played.rows
            if int(row["stake"]) or int(row["paid"])
        }
        for row in played.rows:
            self.report.staked += int(row["stake"])
            self.report.paid += int(row["paid"])
            self.report.returned += int(row["returned"])
        if sums != self._expected(played):
            self._fault("the settlement is not what the cards and bets make it")

    def _expected(self, played: Round) -> dict[tuple[int, str], tuple[int, int]]:
        decision = self._game.decision
        players = []
        for seat in played.playing:
            player: dict[str, object] = {"cards": played.hands[seat], "bets": self._players[seat].bets}
            if seat in played.decided:
                player["decision"] = decision.taken if played.decided[seat] else decision.refused
            if seat in played.wars:
                player["war_player"], player["war_dealer"] = played.wars[seat]
            players.append(player)
        decks = self._floor.table.config["decks"]
        line = {"game": self._game.id, "decks": decks, "dealer": played.hands[0], "players": players}
        answer = json.loads(settle_line(json.dumps(line))[0])
        sums: dict[tuple[int, str], tuple[int, int]] = {}
        for seat, settled in zip(played.playing, answer.get("players", ()), strict=False):
            for bet, due in settled["bets"].items():
                if due["paid"] or bet in self._players[seat].bets:
                    sums[(seat, bet)] = (due["paid"], due["returned"])
        return sums

    def _check_alarms(self, played: Round) -> None:
        """Nothing else was told than what people did."""
        done = [(trick.kind, trick.seat) for trick in self._tricks]
        for entry in self._floor.records("irregularity", played.before) + self._floor.records(
            "card_fault", played.before
        ):
            if (entry.name, entry.fields.get("seat")) not in done:
                self._fault(f"nobody did what is called {entry}")

    def _judge(self, session: Session) -> None:
        verdict, pulled = session.judge()
        for line in verdict.lines():
            self._say(line)
        self.report.records = verdict.records
        if not verdict.good:
            self._fault("the journal does not hold")
        purses = ", ".join(f"seat {seat} {_signed(player.won)}" for seat, player in self._players.items())
        self._say(f"{self.report.rounds} rounds; {purses}; {pulled.path.stat().st_size} bytes of journal")


def summary(reports: Sequence[Report]) -> list[str]:
    """What happened at all tables, in a few lines."""
    lines = ["", "Summary"]
    for report in reports:
        wars = f", {report.wars} wars" if report.wars else ""
        lines.append(
            f"  {report.game}: {report.rounds} rounds at {report.seats} seats{wars}; staked {dollars(report.staked)}, "
            f"paid {dollars(report.paid)}, returned {dollars(report.returned)}, house {_signed(report.house)}; "
            f"{report.records} records, " + ("verified" if report.good else "NOT GOOD: " + "; ".join(report.wrong))
        )
    caught = [act for report in reports for act in report.caught]
    noted = [act for report in reports for act in report.noted]
    locks = [ms for report in reports for ms in report.locks_ms]
    judged = "each told as what it was, and nothing else" if all(report.good for report in reports) else "see above"
    lines.append(f"  irregular acts: {', '.join(caught)}: {judged}" if caught else "  irregular acts: none")
    if noted:
        lines.append(f"  regular acts that look like one: {', '.join(noted)}: noted, nobody asked")
    if locks:
        lines.append(f"  {len(locks)} locks, {min(locks):.1f} to {max(locks):.1f} ms from the key's edge to the record")
    return lines


def _change(row: Row) -> str:
    return _signed(int(row["paid"]) + int(row["returned"]) - int(row["stake"]))


def _signed(cents: int) -> str:
    return f"+{dollars(cents)}" if cents > 0 else dollars(cents)
