"""The cards of the running round as people see them: each hand as it was dealt, the dealer's when it is turned up.

Entry point: :class:`Hands`. Which card left the shoe is known from the simulated world; whose it is, from the game's
deal plan, as the dealer at a table knows it; which of the dealer's lie open, from the records of what was shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hwsim.provisioning import SEATS
from hwsim.scenario.claims import Entry
from hwsim.world.cards import CUT_CARD
from hwsim.world.shoe import DEALT
from sabot.rules.game import BURN, DOWN, TO_DEALER, TO_SEATS, Game, Step
from sabot_host.sim.play import Session

_OVER = ("round_end", "void", "unlock")
_SHOWN = ("reveal", "keyed_hands")
_NOT_DEALT_TO = ("empty", "out")
_FACE_DOWN = "??"
_DEALER, _BURNED, _MORE = "dealer", "burned", "beyond the plan"


class Hands:
    """Of the table of ``session``, at which ``game`` is played."""

    def __init__(self, session: Session, game: Game) -> None:
        self._session = session
        self._game = game

    def told(self) -> list[str]:
        """Whose hand and its cards, one text each; empty while no round is on or no card is out."""
        self._session.witness.look()
        entries = self._round()
        out = self._out(int(entries[0].fields["edge"])) if entries else []
        if not out:
            return []
        shown = {
            card
            for entry in entries
            if entry.name in _SHOWN
            for row in entry.rows
            for card in str(row["cards"]).split()
        }
        hands: dict[str, list[str]] = {}
        places = self._places(self._playing(entries), self._taken(entries))
        for card in out:
            whose, hidden = next(places, (_MORE, False))
            hands.setdefault(whose, []).append(_FACE_DOWN if hidden and card not in shown else card)
        astray = any(entry.family == "card_fault" or entry.name == "redealt" for entry in entries)
        note = ["(a card went astray: by the plan only)"] if astray else []
        return [f"{whose} {' '.join(cards)}" for whose, cards in hands.items()] + note

    def _round(self) -> list[Entry]:
        """The records of the running round, from its lock on; empty when none is on."""
        found: list[Entry] = []
        for entry in reversed(self._session.witness.entries):
            if entry.name in _OVER:
                return []
            found.append(entry)
            if entry.name == "lock":
                return found[::-1]
        return []

    def _out(self, since: int) -> list[str]:
        """The cards that have left the shoe since that instant (ns), in order."""
        cards: list[str] = []
        for fact in reversed(self._session.table.truth.facts):
            if fact.when < since:
                break
            if fact.act == DEALT and fact.label != CUT_CARD:
                cards.append(fact.label)
        return cards[::-1]

    def _playing(self, entries: Sequence[Entry]) -> list[int]:
        """The seats that are dealt to: by the record of the deal once it is over."""
        for entry in entries:
            if entry.name == "deal":
                numbers = {int(row["seat"]) for row in entry.rows if row["seat"] != _DEALER}
                return sorted(number for number in numbers if number <= SEATS)  # others are later parts of hands
        model = self._session.witness.model
        return [seat for seat in range(1, self._session.seats + 1) if model.seat(seat) not in _NOT_DEALT_TO]

    def _taken(self, entries: Sequence[Entry]) -> list[int]:
        """The seats that took their decision; none before the close."""
        rows = [row for entry in entries if entry.name == "decisions" for row in entry.rows]
        return sorted({int(row["seat"]) for row in rows if row.get("decision") == self._game.decision.taken})

    def _places(self, playing: Sequence[int], taken: Sequence[int]) -> Iterator[tuple[str, bool]]:
        """Whose each card is, in the order of the plan, and whether it lies face down before the dealer."""
        for deal in dict.fromkeys(step.deal for step in self._game.deal):
            steps = [step for step in self._game.deal if step.deal == deal]
            if deal == "war" and self._game.war_dealer_card == "own":
                for seat in taken:
                    yield from self._dealt(steps, [seat], f"{_DEALER} against seat {seat}")
            elif taken or any(step.to == TO_SEATS for step in steps):
                yield from self._dealt(steps, playing if steps[0].to == TO_SEATS else taken, _DEALER)

    @staticmethod
    def _dealt(steps: Sequence[Step], seats: Sequence[int], dealer: str) -> Iterator[tuple[str, bool]]:
        for step in steps:
            if step.to == TO_DEALER:
                whose = [dealer]
            elif step.to == BURN:
                whose = [_BURNED]
            else:
                whose = [f"seat {seat}" for seat in seats]
            for name in whose:
                yield from [(name, step.to == TO_DEALER and step.face == DOWN)] * step.count
