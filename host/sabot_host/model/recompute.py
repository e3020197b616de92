"""Settlements worked out again from the cards, bets and decisions of a journal. Entry points: `Recomputed`, `Counts`.

The rules are those of `sabot.rules`, in the house's version whose fingerprint stands in each lock. What a line was due
follows from the hands that had been opened by then, the stakes and the decision; the stakes are those confirmed at the
locks. A ruling can change a bet, or give a decision back: the stakes and the decision of a seat with an irregularity, a
declaration or a ruling are taken as they were settled, and its lines counted apart. So are lines that the dealer judged
at a table without a card reader, whose hands are in no record.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, NamedTuple

from sabot.rules.errors import RuleError
from sabot.rules.game import FORFEIT, REFUSED, Game
from sabot.rules.settle import settle_end, settle_seat
from sabot.wire import codes
from sabot_host.model.hands import DEALER, LATER, WAR
from sabot_host.model.versions import version

Row = tuple[int, int, int, int, int]  # of a settlement record: place, result, stake, paid, returned


class Differs(Exception):
    """A settlement that is not what cards, bets and decisions give."""


@dataclass
class Counts:
    """What was settled, by how far it could be worked out again."""

    rounds: int = 0
    lines: int = 0
    """from cards, bets and decision as recorded"""
    ruled: int = 0
    """the same, of seats on which people ruled or declared something"""
    judged: int = 0
    """by the dealer's eye: the hands are in no record"""

    def as_dict(self) -> dict[str, int]:
        """The counts by name."""
        return {each.name: getattr(self, each.name) for each in fields(self)}


class Told(NamedTuple):
    """One line of a settlement, in words of the rules; amounts in cents."""

    bet: str
    result: str
    stake: int
    paid: int
    returned: int


class _Settled(NamedTuple):
    """A settlement, and what lay open and was decided when it was made."""

    rows: list[Row]
    hands: dict[int, bytes]
    decisions: dict[int, str]


class Recomputed:
    """Feed it the records of one table in their order (`check`); ``counts`` says what was worked out."""

    def __init__(self) -> None:
        self.counts = Counts()
        self._game: Game | None = None
        self._clear()

    def _clear(self) -> None:
        self._hands: dict[int, bytes] = {}
        self._confirmed_bets: dict[int, int] = {}
        self._decided: dict[int, str] = {}
        self._ruled: set[int] = set()  # seats
        self._settled: list[_Settled] = []

    def check(self, name: str, values: dict[str, Any]) -> None:
        """Take one record; Differs says what a settlement of the round that ends should have been."""
        method = getattr(self, "_on_" + name, None)
        if method is not None:
            method(values)

    # --- what a settlement rests on -----------------------------------------------------------------------------------

    def _on_lock(self, values: dict[str, Any]) -> None:
        self._clear()
        self._game = version(values["game_hash"])
        if self._game is None:
            raise Differs("the round is locked under rules that no game of this tool has")

    def _on_confirmed(self, values: dict[str, Any]) -> None:
        for where, amount, _flags in values["spots"]:
            self._confirmed_bets[where] = amount

    _on_confirmed_part = _on_confirmed

    def _on_decisions(self, values: dict[str, Any]) -> None:
        self._on_confirmed(values)
        for seat, decision in values["seats"]:
            self._decided[seat] = codes.DECISIONS[decision]

    def _on_reveal(self, values: dict[str, Any]) -> None:
        for number, *_, cards in values["hands"]:
            self._hands[number] = bytes(cards)

    _on_keyed_hands = _on_reveal

    def _on_settlement(self, values: dict[str, Any]) -> None:
        self._settled.append(_Settled(values["bets"], dict(self._hands), dict(self._decided)))

    def _on_seat_state(self, values: dict[str, Any]) -> None:
        self._ruled.add(values["seat"])

    def _on_irregularity(self, values: dict[str, Any]) -> None:
        self._ruled.add(codes.place_seat(values["place"]))

    _on_declared = _on_irregularity

    # --- the end of a round -------------------------------------------------------------------------------------------

    def _on_round_end(self, values: dict[str, Any]) -> None:
        if self._game is not None:
            self.counts.rounds += 1
        self.finish()

    def _on_void(self, values: dict[str, Any]) -> None:
        self.finish()

    def finish(self) -> None:
        """The round ends here, or its records do: what was settled before stands; Differs as `check`."""
        if self._game is not None:
            self._judge()
        self._clear()

    def _judge(self) -> None:
        stakes: dict[int, dict[str, int]] = {}
        for settled in self._settled:
            for where, _result, stake, *_ in settled.rows:
                if stake:
                    stakes.setdefault(codes.place_seat(where), {})[self._bet(where)] = stake
        for settled in self._settled:
            for seat in sorted({codes.place_seat(row[0]) for row in settled.rows}):
                rows = [row for row in settled.rows if codes.place_seat(row[0]) == seat]
                there = stakes.get(seat, {})
                if seat not in self._ruled:  # in a void, bets that are not settled were there too
                    there = {**self._confirmed_of(seat), **there}
                self._seat(seat, rows, there, settled)

    def _bet(self, where: int) -> str:
        """Name of the bet of a place; the extra line, which has no spot, comes after the last bet."""
        assert self._game is not None
        bets, number = self._game.bets, codes.place_spot(where)
        if number < len(bets):
            return str(bets[number].name)
        if number == len(bets) and self._game.extra is not None:
            return str(self._game.extra.name)
        raise Differs(f"place {where} is none of the game's")

    def _seat(self, seat: int, rows: list[Row], stakes: dict[str, int], settled: _Settled) -> None:
        game = self._game
        assert game is not None
        ruled = seat in self._ruled
        if not ruled:
            for where, _result, stake, *_ in rows:
                if stake and self._confirmed_bets.get(where) != stake:
                    raise Differs(
                        f"seat {seat} {self._bet(where)} is settled on {stake} cents; confirmed were "
                        f"{self._confirmed_bets.get(where, 0)}"
                    )
        told = [Told(self._bet(where), codes.RESULTS[result], *amounts) for where, result, *amounts in rows]
        decision = settled.decisions.get(seat)
        unseen = not settled.hands.get(seat)
        if unseen and (_is_at_war(game) or any(line.result != FORFEIT for line in told)):
            self.counts.judged += len(rows)
            return
        tried = [decision]
        if ruled:
            tried += [each for each in (game.decision.taken, game.decision.refused, None) if each != decision]
        names = [line.bet for line in told if line.stake]
        due = [self._due(seat, names, stakes, each, settled.hands) for each in tried]
        if ruled:  # a bet that a ruling took away later was still there
            there = {**self._confirmed_of(seat), **stakes}
            due += [self._due(seat, names, there, each, settled.hands) for each in tried]
        if told not in due:
            raise Differs(f"seat {seat} is settled as {_words(told)}; cards, bets and decision give {_words(due[0])}")
        if ruled:
            self.counts.ruled += len(rows)
        else:
            self.counts.lines += len(rows)

    def _confirmed_of(self, seat: int) -> dict[str, int]:
        """The bets of a seat as the locks confirmed them."""
        found = self._confirmed_bets.items()
        return {self._bet(where): amount for where, amount in found if codes.place_seat(where) == seat and amount}

    def _due(
        self, seat: int, names: list[str], stakes: dict[str, int], decision: str | None, hands: dict[int, bytes]
    ) -> list[Told]:
        """What is due to the bets named; none when the rules do not allow such a seat."""
        game = self._game
        assert game is not None
        at_war = _is_at_war(game)
        own, dealers = hands.get(seat, b""), hands.get(DEALER, b"")
        mine = his = None
        if not at_war:
            own, dealers = own + hands.get(LATER + seat, b""), dealers + hands.get(LATER, b"")
        elif decision == game.decision.taken:
            drawn, against = hands.get(LATER + seat), hands.get(WAR + seat) or hands.get(LATER)
            if drawn and against:
                mine, his = drawn[0], against[0]
            else:
                decision = None  # the first cards are settled, which no decision touches
        only = None if len(names) == len(stakes) else names
        try:
            result = settle_seat(game, tuple(own), tuple(dealers), stakes, decision, mine, his, only)
        except RuleError:
            if decision != game.decision.refused:
                return []
            try:  # what a refusal forfeits rests on no card and no other bet, which a ruling may have changed
                result = settle_end(game, (), stakes, decision, REFUSED, names)
            except RuleError:
                return []
        return [Told(*line) for line in result.lines]


def _is_at_war(game: Game) -> bool:
    """Whether a refusal is settled on cards too: who surrenders has had the dealer's (67.38)."""
    return game.contest is not None and bool(game.contest.war)


def _words(lines: list[Told]) -> str:
    return ", ".join(" ".join(str(each) for each in line) for line in lines) or "nothing that the rules allow"
