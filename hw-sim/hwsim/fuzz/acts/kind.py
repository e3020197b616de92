"""One kind of act, and what acts have in common.

Entry points: :class:`Kind`, :func:`locked`, :func:`standing`, :func:`adds`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from hwsim.fuzz.crew import Script
from hwsim.fuzz.player import SIDE, Player

Do = Callable[[Player], Script]
PLAYS, EMPTY = "plays", "empty"


class Kind(NamedTuple):
    """An act: its name, what its moment is waited for with, its motion, who can do it.

    ``quiet``: it wants a spot without a side bet; ``weight``: how often it is chosen beside the others.
    """

    name: str
    when: Do
    do: Do
    who: str = PLAYS
    quiet: bool = False
    weight: float = 1.0

    def script(self, player: Player) -> Script:
        """The whole act; a hand is over the layout while it moves."""
        yield from self.when(player)
        yield from player.floor.busy(self.do(player))


def locked(low_ms: float, high_ms: float) -> Do:
    """The moment is some while after the bar has turned red."""

    def wait(player: Player) -> Script:
        yield player.floor.locked()
        yield player.rng.uniform(low_ms, high_ms)

    return wait


def betting(low_ms: float, high_ms: float) -> Do:
    """The moment is some while after the round has begun."""

    def wait(player: Player) -> Script:
        yield player.rng.uniform(low_ms, high_ms)

    return wait


def standing(player: Player, least: int = 1) -> str:
    """A bet of the player's, made before the deal, with so many chips at least; "" when there is none."""
    found = [bet for bet in player.floor.law.laid if len(player.on(bet)) >= least]
    return player.rng.choice(found) if found else ""


def free(player: Player) -> str:
    """A spot for a side bet on which nothing lies; "" when there is none."""
    found = [bet for bet in player.floor.law.side if not player.on(bet)]
    return player.rng.choice(found) if found else ""


def adds(player: Player, bet: str, what: str) -> Script:
    """Lays new chips on ``bet``, and counts it as ``what``; nothing when there is no such bet."""
    if bet:
        player.floor.diary.count(what)
        player.lays(player.stock(player.rng.choice(SIDE)), bet)
        yield 30
