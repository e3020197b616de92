"""The odds found: against closed forms, published figures, the references of the articles and plain enumeration."""

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from math import comb
from random import Random
from typing import Any

import numpy as np
import pytest

from sabot.rules.cards import card_from_name, card_name
from sabot.rules.game import EQUAL, HIGHER, LOWER, NOT_OPEN, Game, Row
from sabot.rules.games import load
from sabot.rules.ranking import FLUSH, PAIR, STRAIGHT, STRAIGHT_FLUSH, TRIPS, at_least, matches, rank_hand
from sabot.rules.settle import settle_end
from sabot.rules.variants import configure, with_table
from sabot_host.odds.analysis import analyse, names
from sabot_host.odds.contest import count
from sabot_host.odds.model import BetOdds, GameOdds, Result
from tests.model import bataille_reference, boston_reference, poker_357_reference, three_card_reference


@pytest.fixture(scope="module")
def found() -> Callable[[str, int], dict[str, BetOdds]]:
    """The bets of a game, each analysed once."""
    kept: dict[tuple[str, int], GameOdds] = {}

    def of(game: str, decks: int) -> dict[str, BetOdds]:
        if (game, decks) not in kept:
            kept[game, decks] = analyse(load(game), decks)
        return {bet.name: bet for bet in kept[game, decks].bets}

    return of


Found = Callable[[str, int], dict[str, BetOdds]]


def probability(bet: BetOdds, label: str) -> Fraction:
    return sum((each.probability for each in bet.results if each.label == label), Fraction(0))


def test_three_card_poker_as_published(found: Found) -> None:
    """3.37 % and 2.01 %, 2.32 %, Q-6-4 (https://wizardofodds.com/games/three-card-poker/); dealer opens 69.59 %."""
    bets = found("three_card", 1)
    assert bets["ante"].house_edge == Fraction(686689, 20358520)
    assert round(float(bets["ante"].house_edge), 4) == 0.0337
    assert round(float(bets["ante"].element_of_risk), 4) == 0.0201
    strategy = bets["ante"].strategy
    assert strategy is not None
    assert strategy.rule == ("fold below Q-6-4; play with Q-6-4 or better",)
    assert strategy.cost == 0
    counts = {"straight flush": 48, "three of a kind": 52, "straight": 720, "flush": 1096, "pair": 3744}
    for label, number in counts.items():
        assert probability(bets["pair_plus"], label) == Fraction(number, comb(52, 3))
    assert bets["pair_plus"].house_edge == Fraction(128, 5525)


def test_bataille_by_hand(found: Found) -> None:
    """2.33 %, 18.65 % (https://wizardofodds.com/games/casino-war/, six decks, bonus for a tie after a tie)."""
    for decks in (6, 8):
        cards = 52 * decks
        equal = Fraction(4 * decks - 1, cards - 1)
        left, of_rank = cards - 2, 4 * decks
        again = Fraction((of_rank - 2) * (of_rank - 3) + 12 * of_rank * (of_rank - 1), left * (left - 1))
        higher = (1 - again) / 2
        bets = found("bataille", decks)
        assert bets["initial"].house_edge == -equal * (higher * 1 - higher * 2 + again * 2)
        assert bets["tie"].house_edge == 1 - 11 * equal
        assert bets["initial"].staked == 1 + equal
    assert round(float(found("bataille", 6)["initial"].house_edge), 4) == 0.0233
    assert round(float(found("bataille", 6)["tie"].house_edge), 4) == 0.1865


@pytest.mark.campaign
def test_crazy_four_as_printed_favours_the_player_and_as_licensed_the_house(found: Found) -> None:
    """3.42 %, 1.09 %, K-Q-8-4 for the licensed flush of 3 to 2 (https://wizardofodds.com/games/crazy-four-poker/)."""
    printed = found("crazy_four", 1)["ante"]
    assert printed.house_edge == Fraction(-123472171, 3863029170)
    game = load("crazy_four")
    table = next(bet.table for bet in game.bets if bet.name == "super_bonus")
    rows = tuple(Row(row.kind, row.lead, 3, 2) if row.kind == FLUSH else row for row in table.rows)
    licensed = analyse(with_table(game, "super_bonus", 2, rows), 1, "ante").bets[0]
    assert round(float(licensed.house_edge), 4) == 0.0342
    assert round(float(licensed.element_of_risk), 4) == 0.0109
    # The two tables differ by one and a half units whenever the player, who never folds it, holds a flush.
    assert licensed.house_edge - printed.house_edge == Fraction(3, 2) * Fraction(114616, comb(52, 5))
    for bet in (printed, licensed):
        assert bet.strategy is not None
        assert bet.strategy.rule[0].startswith(
            "fold below K-Q-8-4; play 1 × with K-Q-8-4 or better; play 3 × with pair of A"
        )


@pytest.mark.campaign
def test_best_four_of_five_counted_by_hand(found: Found) -> None:
    """Queens up sorts all five-card hands by their best four."""
    bet = found("crazy_four", 1)["queens_up"]
    straight_flushes = 4 * (11 * 48 - 10)  # eleven runs and any fifth card; the ten runs of five are counted twice
    counts = {
        "four of a kind": 13 * 48,
        "straight flush": straight_flushes,
        "three of a kind": 13 * 4 * comb(48, 2),
        "flush": 4 * (comb(13, 4) * 39 + comb(13, 5)) - straight_flushes,
        "two pair": comb(13, 2) * 36 * 44,
    }
    for label, number in counts.items():
        assert probability(bet, label) == Fraction(number, comb(52, 5)), label


@pytest.mark.campaign
def test_poker_357(found: Found) -> None:
    """The seven-card counts are those of https://en.wikipedia.org/wiki/Poker_probability."""
    bets = found("poker_357", 1)
    seven = bets["seven"]
    assert seven.strategy is not None
    assert seven.strategy.rule[0] == (
        "withdraw with 7-3-2 of three suits, 8-3-2 of three suits, 9-3-2 of three suits, 9-4-2 of three suits"
    )
    assert probability(seven, "withdraw") == Fraction(4 * 24, comb(52, 3))
    assert probability(seven, "royal flush") == Fraction(4324, comb(52, 7))
    assert probability(bets["five"], "two pair") == Fraction(123552, comb(52, 5))
    assert probability(bets["five"], "pair, 6 or better") == Fraction(1098240 * 9, 13 * comb(52, 5))


@pytest.mark.parametrize(
    ("names_of", "withdraws"),
    [("7c 3d 2h", True), ("8c 3d 2h", True), ("9c 4d 2h", True), ("7c 4d 2h", False), ("7c 3c 2h", False)],
)
def test_withdrawal_of_the_seven_by_plain_enumeration(names_of: str, withdraws: bool) -> None:
    hand = [card_from_name(name) for name in names_of.split()]
    table = next(bet.table for bet in load("poker_357").bets if bet.name == "seven")
    left = [card for card in range(52) if card not in hand]
    net = 0
    for rest in combinations(left, 4):
        rank = rank_hand((*hand, *rest), 7, 5)
        net += next((row.pays for row in table.rows if matches(rank, 5, row.kind, row.lead)), -1)
    assert (Fraction(net, comb(49, 4)) < Fraction(-1, 2)) == withdraws


@pytest.mark.campaign
def test_boston_never_folds(found: Found) -> None:
    bets = found("boston", 1)
    ante = bets["ante"]
    assert ante.strategy is not None
    assert ante.strategy.rule == ("always play: no hand is better given up",)
    assert ante.house_edge == Fraction(22850345803, 110740169540)
    assert ante.staked == 5
    higher, lower = probability(ante, "play, higher hand"), probability(ante, "play, lower hand")
    assert higher == lower
    assert bets["bonus"].house_edge == Fraction(128, 5525)


def test_two_packs_favour_the_player_on_every_three_card_side_bet(found: Found) -> None:
    pair_plus = found("three_card", 2)["pair_plus"]
    assert pair_plus.house_edge == Fraction(-1750, 22763)
    assert probability(pair_plus, "three of a kind") == Fraction(13 * comb(8, 3), comb(104, 3))
    assert probability(pair_plus, "straight flush") == Fraction(4 * 12 * 8, comb(104, 3))


REFERENCES: list[tuple[str, int, str, Callable[..., dict[str, Any]]]] = [
    ("three_card", 1, "ante", three_card_reference.settle_player),
    ("three_card", 2, "ante", three_card_reference.settle_player),
    ("bataille", 6, "initial", bataille_reference.settle_player),
    ("boston", 1, "ante", boston_reference.settle_player),
    ("poker_357", 1, "seven", poker_357_reference.settle_player),
]


@pytest.mark.campaign
@pytest.mark.parametrize(
    ("game", "decks", "bet", "reference"), REFERENCES, ids=[f"{a}-{b}" for a, b, _, _ in REFERENCES]
)
def test_rounds_dealt_and_settled_by_the_reference_average_to_the_odds(
    found: Found, game: str, decks: int, bet: str, reference: Callable[..., dict[str, Any]]
) -> None:
    """Played by the stated rule; the mean lies within four standard errors, the seed being fixed."""
    odds = found(game, decks)[bet]
    random = Random(f"{game} {decks}")
    pack = [card_name(card) for card in range(52)] * decks
    rounds = 4000 if game == "poker_357" else 12000
    total = 0
    for _ in range(rounds):
        dealt = random.sample(pack, 14)
        player, dealer = _played(game, dealt)
        total += reference(player, dealer)["net"]
    error = odds.deviation / rounds**0.5
    assert abs(total / rounds / 2 + float(odds.house_edge)) < 4 * error


def _played(game: str, dealt: list[str]) -> tuple[dict[str, Any], list[str]]:
    """A seat that decides best, with a stake of 2 on the bet in question, and the dealer's cards."""
    if game == "three_card":
        hand, dealer = dealt[:3], dealt[3:6]
        queen = [card_from_name(name) for name in ("Qs", "6h", "4c")]
        plays = rank_hand([card_from_name(name) for name in hand], 3, 3) >= rank_hand(queen, 3, 3)
        if not plays:
            return {"cards": hand, "bets": {"ante": 2}, "decision": "fold"}, dealer
        return {"cards": hand, "bets": {"ante": 2, "play": 2}, "decision": "play"}, dealer
    if game == "bataille":
        hand, dealer = dealt[:1], dealt[1:2]
        if hand[0][0] != dealer[0][0]:
            return {"cards": hand, "bets": {"initial": 2}}, dealer
        war = {"decision": "war", "war_player": dealt[5], "war_dealer": dealt[9]}
        return {"cards": hand, "bets": {"initial": 2, "additional": 2}, **war}, dealer
    if game == "boston":
        bets = {"ante": 2, "first": 4, "second": 4}
        return {"cards": dealt[:5], "bets": bets, "decision": "play"}, dealt[5:10]
    return {"cards": dealt[:3], "bets": {"three": 0, "five": 0, "seven": 2}, "decision": "stay"}, dealt[3:7]


def test_options_do_not_move_the_odds(found: Found) -> None:
    house = configure(load("bataille"), war_dealer_card="common", initial_lock="announcement", half_stakes="even")
    again = {bet.name: bet.house_edge for bet in analyse(house, 6).bets}
    assert again == {name: bet.house_edge for name, bet in found("bataille", 6).items()}


@pytest.mark.parametrize(
    ("game_id", "decks", "fold"),
    [
        ("three_card", 1, -1),
        ("three_card", 2, -1),
        pytest.param("crazy_four", 1, -2, marks=pytest.mark.campaign),
        pytest.param("crazy_four", 2, -2, marks=pytest.mark.campaign),
        pytest.param("four_card", 1, -1, marks=pytest.mark.campaign),
    ],
)
def test_a_hand_that_a_side_bet_pays_is_never_better_folded(game_id: str, decks: int, fold: int) -> None:
    """So `fold_side_bets: forfeit` moves no odds. The contest is taken without its bonuses, which only help to play."""
    game = load(game_id)
    contest, table = game.contest, next(bet.table for bet in game.bets if bet.side)
    opens = None if contest.opens is None else at_least(contest.opens[0], contest.opens[1], contest.size)
    counted = count(decks, contest.cards, contest.dealer_cards, contest.size, opens, game_id == "four_card")
    bets = dict.fromkeys((*game.openings[0], game.decision.bet), 1)
    value = np.zeros(counted.ways.shape, np.int64)
    for end, counts in (
        (NOT_OPEN, counted.not_open),
        (HIGHER, counted.higher),
        (EQUAL, counted.equal),
        (LOWER, counted.lower),
    ):
        if end != NOT_OPEN or opens is not None:
            weakest = [0, 9, 18, 27, 33][: contest.cards]
            value += counts * settle_end(game, weakest, bets, game.decision.taken, end).net
    paid = np.array(
        [any(matches(int(rank), table.size, row.kind, row.lead) for row in table.rows) for rank in counted.ranks]
    )
    dealt = counted.ways > 0
    assert 0 < paid.sum() < len(paid)
    assert (value > fold * counted.total)[paid][dealt[paid]].all()


def test_a_surrender_that_costs_less_is_found() -> None:
    game = load("bataille")
    kind = type(game.bets[0].outcomes[0])
    outcomes = tuple(
        kind(each.end, each.result, 1, 5) if each.result == "forfeit" else each for each in game.bets[0].outcomes
    )
    cheaper = _with_bets(game, (type(game.bets[0])(*game.bets[0][:6], outcomes, game.bets[0].side), *game.bets[1:]))
    initial = analyse(cheaper, 6, "initial").bets[0]
    assert initial.strategy is not None
    assert initial.strategy.shares[0][0] == "surrender"
    assert initial.staked == 1


def _with_bets(game: Game, bets: tuple[Any, ...]) -> Game:
    return Game(*[bets if name == "bets" else getattr(game, name) for name in game._fields])


def test_a_house_table_with_parts_of_a_stake_is_counted_exactly() -> None:
    rows = (Row(STRAIGHT_FLUSH, 0, 40, 1), Row(TRIPS, 0, 30, 1), Row(STRAIGHT, 0, 6, 1), Row(FLUSH, 0, 7, 2))
    house = with_table(load("three_card"), "pair_plus", 2, (*rows, Row(PAIR, 0, 1, 1)))
    bet = analyse(house, 1, "pair_plus").bets[0]
    assert bet.house_edge == Fraction(128, 5525) + Fraction(1, 2) * Fraction(1096, 22100)


def test_bets_with_odds_of_their_own() -> None:
    assert {game: names(load(game)) for game in ("three_card", "bataille", "poker_357", "boston")} == {
        "three_card": ("ante", "pair_plus"),
        "bataille": ("initial", "tie"),
        "poker_357": ("three", "five", "seven"),
        "boston": ("ante", "bonus"),
    }
    assert names(load("four_card")) == ("ante", "aces_up")
    assert names(load("crazy_four")) == ("ante", "queens_up")
    with pytest.raises(KeyError):
        analyse(load("boston"), 1, "second")
    with pytest.raises(ValueError, match="not played"):
        analyse(load("boston"), 3)


def test_results_that_do_not_add_up_are_refused() -> None:
    half = Result("half", Fraction(1), Fraction(1), Fraction(1, 2))
    with pytest.raises(ValueError, match="probability"):
        BetOdds("ante", "67.26", (half,))


@pytest.mark.campaign
def test_four_card_as_published() -> None:
    """2.79 % of the ante, 1.30 % of all staked (https://wizardofodds.com/games/four-card-poker/)."""
    ante = analyse(load("four_card"), 1, "ante").bets[0]
    assert ante.house_edge == Fraction(8840827253, 317119576410)
    assert round(float(ante.house_edge), 4) == 0.0279
    assert round(float(ante.element_of_risk), 4) == 0.0130
