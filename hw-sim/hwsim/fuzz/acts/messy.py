"""Messy acts that are nobody's fault: the table must not alarm for them. Entry point: :data:`ACTS`."""

from __future__ import annotations

from hwsim.fuzz.acts.kind import EMPTY, Kind, locked, standing
from hwsim.fuzz.crew import Script, Until
from hwsim.fuzz.floor import shown
from hwsim.fuzz.player import SIDE, Player


def _restack(player: Player) -> Script:
    """Lifts a whole bet after the lock and puts it back, in two handfuls now and then."""
    bet = standing(player)
    if not bet:
        return
    player.floor.diary.count("restack")
    chips = player.on(bet)
    player.lifts(chips, bet)
    yield player.rng.uniform(150, 3500)
    first = len(chips) // 2 if player.rng.random() < 0.4 else 0
    if first:
        player.lays(chips[:first], bet)
        yield player.rng.uniform(60, 500)
    player.lays(chips[first:], bet)
    yield 30


def _knock(player: Player) -> Script:
    """Knocks a chip off a bet; the dealer puts it back."""
    bet = standing(player, 2)
    if not bet:
        return
    player.floor.diary.count("knock")
    chip = player.on(bet)[-1]
    player.floor.lift([chip])
    player.say(f"knocks {shown([chip])} off {bet}")
    yield player.rng.uniform(400, 3000)
    player.floor.say("dealer", f"puts {shown([chip])} back on seat {player.seat} {bet}")
    player.floor.lay([chip], player.seat, bet)
    yield 30


def _roll(player: Player) -> Script:
    """A chip rolls off a bet onto another spot of the seat, lies there, and is put back."""
    bet = standing(player, 2)
    other = next((name for name in player.floor.law.laid if name != bet), "")
    if not bet or not other:
        return
    player.floor.diary.count("roll")
    chip = player.on(bet)[-1]
    player.floor.lift([chip])
    player.say(f"{shown([chip])} rolls from {bet} to {other}")
    yield player.rng.uniform(100, 300)
    player.floor.lay([chip], player.seat, other)
    yield player.rng.uniform(250, 2500)
    if chip not in player.on(other):
        return  # the dealer, or the player himself, has taken it meanwhile
    player.floor.lift([chip])
    yield player.rng.uniform(200, 500)
    player.floor.say("dealer", f"puts {shown([chip])} back on seat {player.seat} {bet}")
    player.floor.lay([chip], player.seat, bet)
    yield 30


def _hover(player: Player) -> Script:
    """A hand with chips hovers over a spot, and goes away with them."""
    player.floor.diary.count("hover")
    bet = player.rng.choice(player.floor.law.laid)
    chips = player.stock(player.rng.choice(SIDE))
    ms = player.rng.uniform(60, 490)
    player.say(f"holds {shown(chips)} over {bet} for {ms:.0f} ms")
    yield from player.floor.pass_over(chips, player.seat, bet, ms)
    player.pocket(chips)


def _reach(player: Player) -> Script:
    """A hand with chips reaches across the spots of a neighbour and comes back."""
    player.floor.diary.count("reach")
    floor = player.floor
    neighbour = player.seat - 1 if player.seat > 1 else player.seat + 1
    chips = player.stock(player.rng.choice(SIDE))
    player.say(f"reaches across seat {neighbour} with {shown(chips)}")
    for bet in floor.law.laid:
        yield from floor.pass_over(chips, neighbour, bet, player.rng.uniform(80, 300))
        yield player.rng.uniform(20, 120)
    player.pocket(chips)


def _early(player: Player) -> Script:
    """Bets his play blind, before his cards have come."""
    floor, law = player.floor, player.floor.law
    if not law.opens or not player.on(law.asks) or player.cards or player.on(law.opens):
        return
    floor.diary.count("early play")
    player.lays(player.stock(law.amount(law.opens, floor.cents(player.seat, law.asks))), law.opens)
    yield 30


def _arrives(player: Player) -> Script:
    """Sits down in the middle of a round and lays his bet for the next one."""
    player.floor.diary.count("late arrival")
    player.lays(player.stock(player.rng.choice((500, 1000, 2500))), player.floor.law.main[0])
    yield 30


def _with_cards(player: Player) -> Script:
    """The moment comes with his cards."""
    yield Until(lambda: bool(player.cards) or player.floor.ending, "cards")
    yield player.rng.uniform(200, 600)


def _tuck(player: Player) -> Script:
    """Tucks his cards under his chips; they lie there until the dealer takes them."""
    floor, law = player.floor, player.floor.law
    if not player.on(law.asks) or floor.ending:
        return
    floor.diary.count("tuck")
    cards = list(player.held)
    player.say(f"tucks {' '.join(card.code for card in cards)} under his chips on {law.asks}")
    for card in cards:
        floor.table.felt.place(card, floor.table.spot(player.seat, law.asks), floor.now)
    player.tucked = cards
    yield 5


ACTS = (
    Kind("restack", locked(150, 2500), _restack, weight=2),
    Kind("knock", locked(150, 2500), _knock),
    Kind("roll", locked(150, 1500), _roll),
    Kind("hover", locked(100, 4000), _hover, weight=2),
    Kind("reach", locked(100, 4000), _reach),
    Kind("early play", locked(400, 1200), _early),
    Kind("late arrival", locked(900, 4000), _arrives, EMPTY, weight=2),
    Kind("tuck", _with_cards, _tuck),
)
