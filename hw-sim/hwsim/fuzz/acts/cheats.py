"""Acts against the rules, with the house's own chips. Entry point: :data:`ACTS`."""

from __future__ import annotations

from hwsim.fuzz.acts.kind import Kind, adds, free, locked, standing
from hwsim.fuzz.crew import Script
from hwsim.fuzz.floor import shown
from hwsim.fuzz.player import Player


def _late(player: Player) -> Script:
    """A bet on an empty spot after the lock."""
    yield from adds(player, free(player), "late")


def _cap(player: Player) -> Script:
    """More chips on a bet after the lock."""
    yield from adds(player, standing(player), "capped")


def _take_back(player: Player, part: bool) -> Script:
    bet = standing(player, 2 if part else 1)
    if bet:
        player.floor.diary.count("pinched" if part else "withdrawn")
        chips = player.on(bet)[-1:] if part else player.on(bet)
        player.lifts(chips, bet)
        player.owes[bet] = chips
        yield 30


def _pinch(player: Player) -> Script:
    """Takes a chip off his bet."""
    yield from _take_back(player, True)


def _withdraw(player: Player) -> Script:
    """Takes his whole bet off."""
    yield from _take_back(player, False)


def _move(player: Player) -> Script:
    """Moves chips from a bet to another spot, and leaves them there."""
    bet = standing(player)
    others = [name for name in player.floor.law.laid if name != bet]
    if not bet or not others:
        return
    player.floor.diary.count("moved")
    to = player.rng.choice(others)
    chips = player.on(bet)[-1:]
    player.say(f"moves {shown(chips)} from {bet} to {to}")
    player.floor.lift(chips)
    yield player.rng.uniform(200, 600)
    player.floor.lay(chips, player.seat, to)
    player.strays[to] = (chips, bet)
    yield 30


def _swap(player: Player, more: int) -> Script:
    bet = standing(player)
    if not bet:
        return
    floor = player.floor
    chips = player.on(bet)
    worth = sum(chip.cents for chip in chips)
    if worth + more <= 0:
        return
    floor.diary.count("exchanged")
    others = player.stock(worth + more)
    player.say(f"exchanges {shown(chips)} on {bet} for {shown(others)}")
    floor.lift(chips)
    yield player.rng.uniform(80, 500)
    floor.lay(others, player.seat, bet)
    player.pocket(chips)
    yield 30


def _swap_equal(player: Player) -> Script:
    """Exchanges a bet for other chips of its value."""
    yield from _swap(player, 0)


def _swap_up(player: Player) -> Script:
    """Exchanges a bet for more."""
    yield from _swap(player, 500)


def _swap_down(player: Player) -> Script:
    """Exchanges a bet for less."""
    yield from _swap(player, -500)


ACTS = (
    Kind("late", locked(250, 3500), _late, quiet=True, weight=2),
    Kind("capped", locked(250, 3500), _cap, weight=2),
    Kind("pinched", locked(250, 2000), _pinch),
    Kind("withdrawn", locked(250, 2000), _withdraw),
    Kind("moved", locked(250, 2000), _move),
    Kind("equal swap", locked(250, 2500), _swap_equal),
    Kind("swap up", locked(250, 2500), _swap_up),
    Kind("swap down", locked(250, 2500), _swap_down, weight=0.7),
)
