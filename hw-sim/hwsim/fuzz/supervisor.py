"""The pit supervisor: rules what the host's screen shows as open, and has the chips put right.

Entry point: :class:`Supervisor`. What he rules he knows from what people did, as surveillance would show it to him.
"""

from __future__ import annotations

from hwsim.fuzz.crew import Script
from hwsim.fuzz.dealer import Dealer
from hwsim.fuzz.floor import Floor, Open

_HOLD, _STOP = 2, 3
_OUTLIVES = "unruled"
_SCREEN_MS = 500


class Supervisor:
    """Looks at the screen for as long as ``dealer``'s round lasts."""

    def __init__(self, floor: Floor, dealer: Dealer) -> None:
        self._floor = floor
        self._dealer = dealer
        self.ruled: dict[int, str] = {}
        """word by number of the irregularity"""

    def watches(self) -> Script:
        """Rule everything that is his; anew what the dealer does not second."""
        floor = self._floor
        self.ruled = {}
        seen = self._dealer.began
        while not self._dealer.over:
            for entry in floor.entries(seen):
                seen = entry.sequence
                if entry.name == "seconded" and entry.fields["by"] == "none":
                    self.ruled.pop(int(entry.fields["id"]), None)
            mine = [
                one
                for one in floor.open_questions(self._dealer.began)
                if one.severity >= _HOLD and one.number not in self.ruled
            ]
            for one in mine[:1]:
                yield floor.rng.uniform(300, 900)
                yield from self._rule(one)
            yield 100

    def clears(self) -> Script:
        """Clear what has outlived a power cut, before the table is opened again; the screen needs a moment for it."""
        floor = self._floor
        if not any(entry.name == "lock" for entry in floor.entries()):
            return
        yield _SCREEN_MS
        started = [entry.sequence for entry in floor.entries() if entry.name == "power_on"]
        for one in floor.open_questions(started[-1] if started else 0):
            if one.kind == _OUTLIVES:
                floor.say("supervisor", "clears what the power has cut short")
                floor.stage.host.rule(one.number, "cleared", 0)
                yield 250

    def _rule(self, one: Open) -> Script:
        floor = self._floor
        word = self._word(one)
        self.ruled[one.number] = word
        floor.say("supervisor", f"rules {one.kind} at seat {one.seat} {one.bet}: {word}")
        floor.stage.host.rule(one.number, word, 0)
        yield 250
        if one.severity == _HOLD and word == "refused":
            yield from floor.busy(self._dealer.players[one.seat].put_right(one.bet, one.uids))

    def _word(self, one: Open) -> str:
        if one.severity == _STOP:
            return "void"
        if one.kind in ("late", "capped") and one.bet in self._floor.law.side and self._floor.rng.random() < 0.4:
            return "valid"
        return "refused"
