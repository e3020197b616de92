"""Chips that are not what they seem: another casino's, forged, copied. Entry point: :data:`ACTS`."""

from __future__ import annotations

from hwsim.fuzz.acts.kind import Do, Kind, betting, free, locked, standing
from hwsim.fuzz.crew import Script
from hwsim.fuzz.player import SIDE, Player


def _strange(kind: str) -> Do:
    """Lays such a chip on a spot without a bet."""

    def do(player: Player) -> Script:
        bet = free(player)
        if bet:
            player.floor.diary.count(kind)
            chip = player.floor.stage.strangers[kind].chip(player.rng.choice(SIDE))
            player.floor.strange.append(chip)
            player.lays([chip], bet)
            yield 30

    return do


def _clone(player: Player) -> Script:
    """Lays a copy of a chip of his main bet beside it, after the lock."""
    bet, to = standing(player), free(player)
    if bet and to:
        player.floor.diary.count("clone")
        copy = player.floor.table.mint.clone(player.on(bet)[0])
        player.floor.strange.append(copy)
        player.lays([copy], to)
        yield 30


ACTS = (
    Kind("foreign", betting(100, 600), _strange("foreign"), quiet=True, weight=0.5),
    Kind("foreign late", locked(250, 2500), _strange("foreign"), quiet=True, weight=0.5),
    Kind("forged", betting(100, 600), _strange("forged"), quiet=True, weight=0.5),
    Kind("forged late", locked(250, 2500), _strange("forged"), quiet=True, weight=0.5),
    Kind("clone", locked(250, 800), _clone, quiet=True, weight=0.5),
)
