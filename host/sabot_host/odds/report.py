"""Odds in words and as JSON. Entry points: `as_json`, `as_text`."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from .model import BetOdds, GameOdds

_SAID = "The player has the edge"


def as_json(odds: GameOdds) -> dict[str, Any]:
    """The odds as `sabot odds --json` prints them: percentages as numbers, the edge also as an exact fraction."""
    bets = {
        bet.name: {
            "house_edge_pct": _percent(bet.house_edge),
            "house_edge": f"{bet.house_edge.numerator}/{bet.house_edge.denominator}",
            "element_of_risk_pct": _percent(bet.element_of_risk),
        }
        for bet in odds.bets
    }
    return {"game": odds.game, "decks": odds.decks, "bets": bets}


def warnings(odds: GameOdds) -> list[str]:
    """One sentence for each bet that favours the player: such a paytable needs to be accepted before it is dealt."""
    return [
        f"{_SAID} on {bet.name} of {odds.game} with {_packs(odds.decks)}: {-_percent(bet.house_edge):.4f} % of the bet."
        " A table refuses these rules until two authorities accept them."
        for bet in odds.bets
        if bet.house_edge < 0
    ]


def as_text(odds: GameOdds) -> str:
    """The odds for a reader: each bet's figures, results and best decisions; then the warnings."""
    lines = [f"{odds.game}, {_packs(odds.decks)} in play, rules {odds.fingerprint}: exact count"]
    for bet in odds.bets:
        lines += ["", *_bet(bet)]
    lines += [f"\n{warning}" for warning in warnings(odds)]
    return "\n".join(lines)


def _bet(bet: BetOdds) -> Iterator[str]:
    together = f" with {', '.join(bet.accompanied_by)}, in units of the {bet.name}" if bet.accompanied_by else ""
    yield f"{bet.name}{together} (article {bet.article})"
    yield f"  house edge       {_percent(bet.house_edge):10.6f} %   = {bet.house_edge}"
    yield f"  element of risk  {_percent(bet.element_of_risk):10.6f} %   of {float(bet.staked):.6f} staked"
    yield f"  deviation        {bet.deviation:10.6f}"
    yield f"  {'result':<34} {'net':>9} {'probability':>14} {'of the edge':>14}   probability, exactly"
    for label, probability, total in _by_label(bet):
        net = float(total / probability)
        yield f"  {label:<34} {net:+9.4f} {_percent(probability):12.8f} % {_percent(-total):+12.6f} %   {probability}"
    if bet.strategy is not None:
        yield "  best decisions:"
        for line in bet.strategy.rule:
            yield f"    {line}"
        for choice, share in bet.strategy.shares:
            yield f"    {choice}: {_percent(share):.4f} % of the hands"
        if bet.strategy.cost:
            yield f"    So stated they cost {_percent(bet.strategy.cost):.6f} % of the bet;"
            yield "    the figures above are those of the best choice for every single hand."


def _by_label(bet: BetOdds) -> list[tuple[str, Fraction, Fraction]]:
    """The results with one label together: the label, its probability, and its part of the mean net."""
    found: dict[str, tuple[Fraction, Fraction]] = {}
    for result in bet.results:
        probability, total = found.get(result.label, (Fraction(0), Fraction(0)))
        found[result.label] = (probability + result.probability, total + result.probability * result.net)
    return [(label, probability, total) for label, (probability, total) in found.items()]


def _packs(decks: int) -> str:
    return "one pack" if decks == 1 else f"{decks} packs"


def _percent(share: Fraction) -> float:
    return float(100 * share)
