"""Bataille after its first deal: who is equal to the dealer decides. Entry points: `open_equal`, `lodge`.

Only a seat whose card equals the dealer's has a decision (67.38). Its war bet may lie on the antenna of the initial
bet: what came there after the dealer's card had left the shoe is the war bet.
"""

from sabot.rules.ranking import rank_hand
from sabot.table import ledger as led
from sabot.table.deal import DEALER
from sabot.table.ticks import since

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from sabot.rules.game import Game
    from sabot.table.core import Core
    from sabot.table.deal import Deal
    from sabot.table.decisions import Decisions
    from sabot.table.spots import Spots


def lodge(spots: "Spots", game: "Game") -> None:
    """Let the decision's spot of each seat be read by the antenna of the bet which its amount follows."""
    for seat in spots.seats:
        spot = spots.opened[seat]
        base = game.bets[spots.bet(spot)].relation.base
        for index in range(spots.bets):
            host = spots.at(seat, index)
            if game.bets[index].name == base and host in spots.of_antenna and spot not in spots.of_antenna:
                spots.host[spot] = host
                spots.lodger[host] = spot


def open_equal(core: "Core", deal: "Deal", decisions: "Decisions", ticks: int) -> None:
    """Open the decision of every equal seat; the dealer's card left at the raw instant `ticks`."""
    contest = core.game.contest
    dealers = rank_hand(tuple(deal.hand(DEALER)), contest.dealer_cards, contest.size)
    for seat in core.spots.seats:
        cards = tuple(deal.hand(seat))
        if cards and rank_hand(cards, contest.cards, contest.size) == dealers:
            decisions.open(seat)
            _take_over(core, seat, ticks)


def _take_over(core: "Core", seat: int, ticks: int) -> None:
    """Chips that came beside the initial bet since the decision can be made, before it was known here."""
    spot = core.spots.opened[seat]
    host = core.spots.host[spot]
    if host < 0 or core.spots.state(spot) != "open":
        return
    ledger = core.ledger
    for item in range(ledger.top):
        if ledger.where[item] != led.PRESENT or ledger.spot[item] != host or ledger.mark[item] != led.LATER:
            continue
        if since(ledger.in_hi[item], ticks) > 0:
            ledger.move(item, spot)
            ledger.mark[item] = led.PLAIN
    core.see(host)
    core.see(spot)
