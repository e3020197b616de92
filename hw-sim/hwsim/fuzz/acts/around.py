"""Chips in flight when the dealer speaks: before the key, after it, or both. Entry point: :data:`ACTS`.

Whether the hand was in time only the instants tell.
"""

from __future__ import annotations

from hwsim.core import NS_PER_MS
from hwsim.fuzz.acts.kind import Do, Kind, adds, free, standing
from hwsim.fuzz.crew import Script, Until
from hwsim.fuzz.player import Player

_AROUND_MS = 260  # a scan period and more
_NEAR_MS = 900  # clearly before or clearly after it, most of the time


def _flight(spread_ms: float) -> Do:
    """The moment is at most so much before, or behind, the dealer's key."""

    def wait(player: Player) -> Script:
        floor = player.floor
        yield Until(lambda: floor.announces_at > 0, "the announcement")
        instant = floor.announces_at + round(player.rng.uniform(-spread_ms, spread_ms) * NS_PER_MS)
        yield max(0, instant - floor.now) / NS_PER_MS

    return wait


def _lays(player: Player) -> Script:
    """Lays a side bet."""
    yield from adds(player, free(player), "side bet in flight")


def _adds(player: Player) -> Script:
    """Adds to a bet."""
    yield from adds(player, standing(player), "addition in flight")


def _takes(player: Player) -> Script:
    """Takes a side bet off; the chips stay in his hand."""
    found = [bet for bet in player.floor.law.side if player.on(bet)]
    if found:
        player.floor.diary.count("bet taken off in flight")
        bet = player.rng.choice(found)
        chips = player.on(bet)
        player.lifts(chips, bet)
        player.owes[bet] = chips
        yield 30


ACTS = (
    Kind("side bet in flight", _flight(_AROUND_MS), _lays, quiet=True, weight=1.5),
    Kind("addition in flight", _flight(_AROUND_MS), _adds, weight=0.7),
    Kind("bet taken off in flight", _flight(_AROUND_MS), _takes, weight=0.7),
    Kind("side bet near the lock", _flight(_NEAR_MS), _lays, quiet=True),
)
