"""Rounds of one game at one table, from a seed. Entry point: :class:`Play`."""

from __future__ import annotations

import random
from collections.abc import Sequence

from hwsim.core import NS_PER_MS
from hwsim.fuzz.acts import CHEATS, MESSY, chosen
from hwsim.fuzz.acts.kind import PLAYS
from hwsim.fuzz.crew import Script, Until
from hwsim.fuzz.dealer import Dealer
from hwsim.fuzz.floor import Floor
from hwsim.fuzz.laws import law_of
from hwsim.fuzz.player import Player
from hwsim.fuzz.supervisor import Supervisor
from hwsim.scenario.stage import Stage
from hwsim.world.cards import CODES

_MESSY = (1, 2, 3)  # how many messy acts a round may have
_CHEATS = (0, 1, 1, 2)
_EQUAL = 0.3  # chance of a seat's card to equal the dealer's, where that matters
_ROUND_MS = 180_000
_AFTER_MS = 300  # after each round, so that what people did last is seen


class Play:
    """Everybody at the table on ``stage``, with habits from ``seed``; ``acts``: the only ones they do, by name."""

    def __init__(self, stage: Stage, seed: int, acts: Sequence[str] = ()) -> None:
        self.floor = Floor(stage, law_of(stage.table.config["game"]), random.Random(f"floor/{seed}"))
        self.players = {seat: Player(self.floor, seat, str(seed)) for seat in self.floor.seats}
        self.dealer = Dealer(self.floor, self.players)
        self.supervisor = Supervisor(self.floor, self.dealer)
        self.rounds = 0
        self.calm = False
        """nobody does anything beside playing"""
        self._messy = [kind for kind in MESSY if not acts or kind.name in acts]
        self._cheats = [kind for kind in CHEATS if not acts or kind.name in acts]

    def open(self) -> None:
        """Switch the controller on and open the table."""
        floor = self.floor
        floor.table.start()
        floor.stage.powered = True
        floor.stage.host.plug()
        self.begin()

    def begin(self) -> None:
        """Open the closed table of a controller that is on."""
        self.floor.crew.start("dealer", self._open())
        self.floor.crew.run(_ROUND_MS)

    def _open(self) -> Script:
        yield Until(lambda: self.floor.stage.host.up, "the controller's answer")
        yield from self.supervisor.clears()
        yield from self.dealer.press("fin")
        yield self.floor.bar("green")

    def round(self) -> None:
        """Play one round; Stuck when the table does not go on."""
        floor = self.floor
        self.rounds += 1
        floor.say("table", f"round {self.rounds} begins")
        floor.announces_at = 0
        floor.ending = False
        self.dealer.begins()
        present = [seat for seat in floor.seats if floor.rng.random() < 0.8]
        if len(present) < 2:
            present = floor.seats[:2]
        self._shuffle(len(present))
        for seat, player in self.players.items():
            player.sits()
            if seat in present:
                player.betting = True
                floor.crew.start(player.name, player.bets())
        self._acts(present)
        floor.crew.start("dealer", self.dealer.round())
        floor.crew.start("dealer", self.dealer.answers())
        floor.crew.start("supervisor", self.supervisor.watches())
        floor.crew.run(_ROUND_MS)
        floor.table.run_for(_AFTER_MS)

    def _shuffle(self, seats: int) -> None:
        """Every round with a shuffled shoe; where equal cards matter, with more of them than chance gives."""
        rng, law = self.floor.rng, self.floor.law
        if not law.equal_only:
            self.floor.table.shuffle()
            return
        codes = [rng.choice(CODES) for _ in range(seats)]
        own = rng.choice(CODES)
        equal = [own[0] + code[1] if rng.random() < _EQUAL else code for code in codes]
        self.floor.table.shuffle([*equal, own])

    def _acts(self, present: list[int]) -> None:
        """Choose who does what beside playing: one act a seat at most."""
        if self.calm:
            return
        rng = self.floor.rng
        seats = self.floor.seats
        rng.shuffle(seats)
        kinds = chosen(rng, self._messy, rng.choice(_MESSY)) + chosen(rng, self._cheats, rng.choice(_CHEATS))
        for kind in kinds:
            seat = next((seat for seat in seats if (seat in present) == (kind.who == PLAYS)), None)
            if seat is not None:
                seats.remove(seat)
                player = self.players[seat]
                player.quiet = kind.quiet
                self.floor.crew.start(player.name, kind.script(player))

    @property
    def seconds(self) -> float:
        """Virtual seconds played."""
        return self.floor.now / NS_PER_MS / 1000
