"""A dealer who runs rounds of any game by the game's own data: keys, cards, and chips once bets are settled.

Entry points: :class:`Dealer`, :class:`Hooks` (to look on, or to meddle), :class:`Round` (what has happened so far in
one). The dealer sees lamps, gate, cards and the records on the host's screen, as people do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from hwsim.core import NS_PER_MS
from hwsim.scenario.claims import Entry, Row
from hwsim.world.shoe import DEALT, GATE_HELD
from sabot.rules.game import BURN, EQUAL, TO_DEALER, TO_IN, Game, Step, most_cards
from sabot_host.sim.floor import Floor, Stuck
from sabot_host.sim.players import BET_WITHIN_MS, DECIDE_WITHIN_MS, Player

_CARD_EVERY_MS = 300
_CARD_SPEED = 1000  # mm/s
_KEY_EVERY_MS = 180
_MOST_FINS = 12
_READS_MS = 700  # the dealer reads what is to be paid
_PAGE_MS = 400  # one seat's payment: what is won lies beside the stake for this long


@dataclass
class Round:
    """One round as the people at the table know it."""

    lock: Entry
    before: int
    """number of the last record before it"""
    playing: list[int]
    hands: dict[int, list[str]] = field(default_factory=dict)
    """by seat, the dealer's at 0"""
    wars: dict[int, tuple[str, str]] = field(default_factory=dict)
    """by seat: the card of its war, and the dealer's"""
    decided: dict[int, bool] = field(default_factory=dict)
    """whether a seat that had to decide took what it was offered"""
    rows: list[Row] = field(default_factory=list)
    """what has been settled"""


class Hooks:
    """What others do in the course of a dealer's round, or see of it; by itself nothing."""

    def betting(self) -> None:
        """The bets lie there, and are still open."""

    def locked(self, played: Round, pressed: int) -> None:
        """The bets are locked; the key went down at ``pressed`` (ns)."""

    def dealt(self, played: Round) -> None:
        """Every card of the first deal lies where it belongs."""

    def settled(self, played: Round, rows: Sequence[Row]) -> None:
        """These bets have been settled."""


class Dealer:
    """Runs the rounds of ``game`` on a floor."""

    def __init__(self, floor: Floor, game: Game) -> None:
        self._floor = floor
        self._table = floor.table
        self._game = game

    def open_table(self) -> None:
        """Switch the controller on, plug the host in, open the table."""
        self._table.start()
        self._floor.stage.powered = True
        self._floor.session.host.plug()
        self._floor.until(lambda: self._floor.session.host.up, "the controller's answer")
        self.open_bets()

    def open_bets(self) -> None:
        """Open a closed table."""
        self.press("fin")
        self.wait_bar("green")

    def press(self, *keys: str) -> None:
        """Press keys one after the other."""
        for key in keys:
            self._table.press(key)
            self._floor.wait(_KEY_EVERY_MS)

    def wait_bar(self, colour: str) -> None:
        """Wait until the bar has that colour."""
        self._floor.until(lambda: self._floor.stage.bar() == colour, f"a bar that is {colour}")

    # --- one round ----------------------------------------------------------------------------------------------------

    def round(self, players: dict[int, Player], hooks: Hooks | None = None, top: Sequence[str] = ()) -> Round:
        """One whole round, from the first bet to the next round's. ``top``: cards that come first from the shoe."""
        hooks = Hooks() if hooks is None else hooks
        self._fill_shoe(len(players), top)
        before = self._floor.newest
        self._bets(players)
        hooks.betting()
        pressed = self._table.now
        self._table.press("rnvp")
        played = Round(self._floor.record("lock", before), before, [])
        hooks.locked(played, pressed)
        self._floor.until(lambda: self._judged(before), "the confirmation of the bets")
        played.playing = [seat for seat in players if players[seat].bets and self._floor.seat_states()[seat] != "out"]
        for step in self._game.course:
            if step == "deal":
                self._deal_first(played)
                hooks.dealt(played)
            elif step == "decide":
                self._decisions(played, players)
            elif step == "close":
                self._close(played)
            elif step.startswith("reveal"):
                self._reveal(played)
            elif not step.startswith("settle"):
                self._deal_again(step, played)
            self._pay(played, players, hooks, step)
        self._finish(before)
        return played

    def _finish(self, before: int) -> None:
        """FIN, as often as a page of the payment needs it."""
        self._floor.wait(400)
        for _ in range(_MOST_FINS):
            self.press("fin")
            if self._floor.records("round_end", before):
                break
        else:
            raise Stuck("the end of the round did not come: somebody has to rule")
        self.wait_bar("green")

    def _fill_shoe(self, seats: int, top: Sequence[str]) -> None:
        """One pack is shuffled for each round; a shoe of many lasts until it could run out within one."""
        if top or self._table.config["decks"] <= 2 or len(self._table.shoe.cards) < most_cards(self._game, seats):
            self._table.shuffle(top)

    def _bets(self, players: dict[int, Player]) -> None:
        end = self._table.now + BET_WITHIN_MS * NS_PER_MS
        for player in players.values():
            player.bet()
        if not any(player.bets for player in players.values()):
            next(iter(players.values())).bet(something=True)
        self._floor.until_instant(end)
        self._floor.wait(500)

    def _judged(self, before: int) -> bool:
        """Whether it is known which bets of the announcement stand."""
        return any(self._floor.records(name, before) for name in ("confirmed", "confirmed_part"))

    # --- cards --------------------------------------------------------------------------------------------------------

    def _draw(self) -> str:
        facts = self._table.truth.facts
        seen = len(facts)
        pull = self._table.draw(speed=_CARD_SPEED)
        self._floor.wait(_CARD_EVERY_MS)
        acts = [fact.act for fact in facts[seen:]]
        if GATE_HELD in acts or DEALT not in acts or pull.card is None:
            raise Stuck("a card stayed in the shoe")
        return pull.card.code

    def _await_gate(self) -> None:
        self._floor.until(lambda: self._table.hardware.gate.open, "the gate")

    def _steps(self, deal: str) -> list[Step]:
        return [step for step in self._game.deal if step.deal == deal]

    def _deal_first(self, played: Round) -> None:
        self._await_gate()
        for step in self._steps("deal"):
            for seat in [0] if step.to == TO_DEALER else played.playing:
                played.hands.setdefault(seat, []).extend(self._draw() for _ in range(step.count))
        self._floor.until(lambda: self._floor.state not in ("locked", "dealing"), "the record of the deal")

    def _deal_again(self, deal: str, played: Round) -> None:
        """The cards that come after the decisions: a second deal, or the wars, each with a dealer's card of its own."""
        taken = [seat for seat, took in played.decided.items() if took]
        if not taken:
            return
        self._await_gate()
        if deal != "war":
            for step in self._steps(deal):
                for seat in taken if step.to == TO_IN else [0]:
                    played.hands[seat] += [self._draw() for _ in range(step.count)]
            return
        for seat in taken:
            drawn = {step.to: self._draw() for step in self._steps(deal) for _ in range(step.count)}
            del drawn[BURN]
            played.wars[seat] = (drawn[TO_IN], drawn[TO_DEALER])

    # --- decisions ----------------------------------------------------------------------------------------------------

    def _decisions(self, played: Round, players: dict[int, Player]) -> None:
        asked = [seat for seat in played.playing if players[seat].decides(self._equal(played, seat))]
        if not asked:
            return
        self._floor.until(lambda: self._deciding(asked), "the decisions")
        end = self._table.now + DECIDE_WITHIN_MS * NS_PER_MS
        played.decided = {seat: players[seat].decide(played.hands[seat]) for seat in asked}
        for seat in asked:
            if not played.decided[seat]:
                self.press("abandon", f"p{seat}")
        self._floor.until_instant(end)
        self._floor.wait(600)

    def _deciding(self, seats: Sequence[int]) -> bool:
        states = self._floor.seat_states()
        return all(states[seat] in ("deciding", "held") for seat in seats)

    def _equal(self, played: Round, seat: int) -> bool:
        """Whether a seat's first card is of the rank of the dealer's; asked only where that gives a decision."""
        return self._game.decision.on == EQUAL and played.hands[seat][0][0] == played.hands[0][0][0]

    def _close(self, played: Round) -> None:
        """The second announcement; where the dealer's hand is shown next, showing it closes the decisions too."""
        after = self._game.course[self._game.course.index("close") + 1]
        if self._floor.state == "deciding" and not after.startswith("reveal"):
            self._table.press("rnvp")
            self._floor.until(lambda: self._floor.state != "deciding", "the close of the decisions")

    def _reveal(self, played: Round) -> None:
        before = len(self._floor.records("reveal", played.before))
        self.press("devoiler")
        self._floor.until(lambda: len(self._floor.records("reveal", played.before)) > before, "the reveal")

    # --- money --------------------------------------------------------------------------------------------------------

    def _pay(self, played: Round, players: dict[int, Player], hooks: Hooks, step: str) -> None:
        """After a step: whatever has been settled is told, paid and taken."""
        if step.startswith("settle"):
            self._floor.until(lambda: self._settled(step, played, players), "the settlement")
        entries = self._floor.records("settlement", played.before)
        rows = [row for entry in entries for row in entry.rows][len(played.rows) :]
        if not rows:
            return
        played.rows += rows
        hooks.settled(played, rows)
        self._floor.wait(_READS_MS)
        for seat in sorted({int(row["seat"]) for row in rows}, reverse=True):
            self._pay_seat(players[seat], [row for row in rows if row["seat"] == seat])

    def _settled(self, step: str, played: Round, players: dict[int, Player]) -> bool:
        """Whether every bet that this step settles at the latest, has been."""
        last = step == self._game.course[-1]
        named = [bet.name for bet in self._game.bets if last or bet.settles == step]
        for seat in played.playing:
            # Before the decisions of Bataille a seat that has none is settled as a whole (67.38).
            whole = self._game.decision.on == EQUAL and not players[seat].decides(self._equal(played, seat))
            for bet in players[seat].bets:
                if (whole or bet in named) and self._floor.spot_state(seat, bet) in ("open", "locked"):
                    return False
        return True

    def _pay_seat(self, player: Player, rows: Sequence[Row]) -> None:
        """Take what is lost, lay what is won beside the stake; the player takes what is his."""
        spots = set()
        for row in rows:
            bet, returned, paid = str(row["bet"]), int(row["returned"]), int(row["paid"])
            own = (player.seat, bet) in self._table.spots
            spot = bet if own else self._game.extra.on
            stake = player.lying([bet]) if own else []
            if returned < sum(chip.cents for chip in stake):
                self._table.remove(stake)
                paid += returned
            if paid:
                self._table.place(player.seat, spot, paid)
            spots.add(spot)
            player.purse += int(row["returned"]) + int(row["paid"])
        self._floor.wait(_PAGE_MS)
        self._table.remove(player.lying(sorted(spots)))
