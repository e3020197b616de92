"""One life of a table: people play, things fail, people put right what they can. Entry point: :class:`Life`.

What they can do is what a pit can: take the chips back when the table is dark, switch it on and off, open it, and have
the supervisor void a round that does not end.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hwsim.core import PowerFailure
from hwsim.fuzz.crew import Stuck
from hwsim.fuzz.game import Play
from hwsim.scenario.stage import Stage
from hwsim.torture.faults import Faults
from hwsim.torture.memory import crowd
from hwsim.torture.plan import Plan
from hwsim.torture.power import Power

CROWDED = 150_000  # bytes: a quarter of the ring, and a segment's worth
_PROVISIONED_MS = 1_500
_SEGMENTS_MS = 4_000
_HANDS_MS = 500  # until hands that were over the layout have gone, and what they took is missed
_MOMENT_MS = 1_200
_ANSWER_MS = 6_000
_OPENINGS = 4
_RUNNING = ("locked", "dealing", "deciding", "revealing", "settling", "suspended")
_HARMLESS = ("clock_jump", "clock_stops", "flash_deaf", "garbage", "acknowledge", "display_brown_out")


class Unusable(Exception):
    """Nothing that people can do opens the table."""


class Life:
    """Plays ``plan`` on ``stage``. ``violations`` are what nobody at the table should see.

    ``acts``: the only ones that people do beside playing, by their names.
    """

    def __init__(self, stage: Stage, plan: Plan, acts: Sequence[str] = ()) -> None:
        self.plan = plan
        self.play = Play(stage, plan.seed, acts)
        self.play.calm = plan.calm
        self.floor = self.play.floor
        self.faults = Faults(self.floor)
        self.power = Power(self.faults, self._look)
        self.violations: list[str] = []
        self.played = self.voided = self.stuck = self.power_cycles = 0
        """rounds that ended, that the supervisor gave up; how often somebody waited in vain, and switched off for it"""
        self.crowded = 0
        """records that were in the memory already"""
        self._healed: set[int] = set()
        """numbers of the faults that had come when all was last put right; another may come before the next attempt"""
        self._table = stage.table
        self._stage = stage

    def live(self) -> None:
        """Everything, and a last round in peace, which must play to its end."""
        try:
            self._live()
        except Unusable as unusable:
            self.violations.append(f"the table does not open: {unusable}")

    def _live(self) -> None:
        if self.plan.crowded:
            self._crowd()
        self._expect(0)
        self._guarded(self._begin)
        self._heal()
        self._ready()
        for attempt in range(1, self.plan.attempts + 1):
            self._attempt(attempt)
        self.faults.end()
        self._heal()
        self.play.calm = True
        self._ready()
        try:
            self.play.round()
            self.played += 1
        except (Stuck, PowerFailure) as error:
            self.violations.append(f"the table is not usable again: {error}")

    # --- attempts -----------------------------------------------------------------------------------------------------

    def _attempt(self, attempt: int) -> None:
        self._expect(attempt)

        def play() -> None:
            self.play.round()
            self.played += 1

        stuck = self._guarded(play)
        if stuck:
            self.stuck += 1
            came = set(self.faults.fired) - self._healed
            kinds = {fault.kind for fault in self.plan.faults if fault.number in came}
            if not kinds - set(_HARMLESS):
                self._without_reason(attempt, stuck)
                return
        self._heal()
        self._ready()

    def _without_reason(self, attempt: int, stuck: str) -> None:
        """Somebody waited in vain, and nothing was wrong that stops a table.

        Where people do more than play it may be an act of their own (a dealer who passes over a bet that was in a hand
        when he dealt); then the supervisor's void must be enough.
        """
        before = self.power_cycles
        self._heal()
        self._ready()
        if self.plan.calm or self.power_cycles > before:
            self.violations.append(f"attempt {attempt}: nothing was wrong that stops a table, and yet: {stuck}")

    def _heal(self) -> None:
        self.faults.heal()
        self._healed = set(self.faults.fired)

    def _expect(self, attempt: int) -> None:
        for fault in self.plan.faults:
            if fault.attempt == attempt:
                self.faults.expect(fault)

    def _guarded(self, what: Callable[[], None]) -> str:
        """Do it; when the power goes, see to that. What somebody waited for in vain, in words."""
        try:
            what()
        except PowerFailure:
            self.power.away()
        except Stuck as stuck:
            self.floor.say("table", f"stuck: {stuck}")
            return str(stuck)
        return ""

    # --- what people put right ----------------------------------------------------------------------------------------

    def _ready(self) -> None:
        """Bring the table to where bets can be made; Unusable when that cannot be done."""
        for _ in range(_OPENINGS):
            try:
                if self._opened():
                    return
                self.power_cycles += 1
                self.power.off(None)
                self.power.on()
            except PowerFailure:
                self.power.away()
        shown = " / ".join(line for line in self._stage.display() if line)
        raise Unusable(f"it is {self._state()} and shows {shown}")

    def _opened(self) -> bool:
        self._empty()
        if self._state() in _RUNNING:
            self._void()
        if self._state() == "closed":
            self._guarded(self.play.begin)
            self.floor.crew.dismiss()
        self._table.run_while(lambda: not self._bets_can_be_made(), _MOMENT_MS)
        return self._bets_can_be_made()

    def _bets_can_be_made(self) -> bool:
        return self._stage.bar() == "green" and self._state() in ("idle", "betting")

    def _empty(self) -> None:
        """Everybody goes, and every chip and card leaves the layout."""
        floor = self.floor
        floor.crew.dismiss()
        self._table.run_for(_HANDS_MS)
        floor.hands = 0
        floor.hovering.clear()
        for player in self.play.players.values():
            player.tucked = []
        for (seat, bet), antenna in self._table.spots.items():
            self.play.players[seat].pocket(floor.lying(seat, bet))
            for piece in self._table.felt.lying_on(antenna):
                self._table.felt.take(piece)
        self._table.run_for(_HANDS_MS)

    def _void(self) -> None:
        """The supervisor voids the round; where the controller does not answer, nothing comes of it."""
        host = self._stage.host
        self.floor.say("supervisor", "voids the round")
        if not host.plugged:
            host.plug()
        if self._table.run_while(lambda: not host.up, _ANSWER_MS):
            host.void()
            if self._table.run_while(lambda: self._state() in _RUNNING, _ANSWER_MS):
                self.voided += 1
        host.refusals()

    # --- looking ------------------------------------------------------------------------------------------------------

    def _state(self) -> str:
        self._look()
        return self._stage.witness.state

    def _look(self) -> None:
        self._stage.witness.look()

    def _begin(self) -> None:
        """The controller is switched on; where segments are due it has a while for them before the table opens."""
        self._table.start()
        self._stage.powered = True
        self._stage.host.plug()
        self._table.run_for(_SEGMENTS_MS if self.plan.crowded else _PROVISIONED_MS)

    def _crowd(self) -> None:
        """The controller is provisioned and has been without a host for long."""
        self._table.start()
        self._table.run_for(_PROVISIONED_MS)
        self._look()
        self._table.stop()
        self.crowded = crowd(self._table.hardware.fram.image, CROWDED)
