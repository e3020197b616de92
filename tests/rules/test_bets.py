"""The table's own questions before it settles: may these bets stand, may this decision, and if not, what is needed."""

import pytest

from sabot.rules import errors
from sabot.rules.bets import bounds, can_bet, can_decide, decides, verify_bets, verify_decision
from sabot.rules.errors import RuleError
from sabot.rules.game import LOCK_ANNOUNCEMENT, LOCK_DECISIONS, canonical
from sabot.rules.games import GAMES, load

GAME = load("three_card")
LIMITS = {"ante": (500, 50_000), "pair_plus": (100, 20_000)}


def refused(bets: dict[str, int], limits: dict[str, tuple[int, int]] | None = LIMITS) -> RuleError:
    with pytest.raises(RuleError) as caught:
        verify_bets(GAME, bets, limits)
    assert not can_bet(GAME, bets, limits)
    return caught.value


def undecided(bets: dict[str, int], decision: str | None) -> RuleError:
    with pytest.raises(RuleError) as caught:
        verify_decision(GAME, bets, decision)
    assert not can_decide(GAME, bets, decision)
    return caught.value


@pytest.mark.parametrize("bets", [{"ante": 500}, {"ante": 50_000, "pair_plus": 100}, {"pair_plus": 20_000}])
def test_lawful_bets_stand(bets: dict[str, int]) -> None:
    verify_bets(GAME, bets, LIMITS)
    assert can_bet(GAME, bets, LIMITS)


@pytest.mark.parametrize(
    ("bets", "code", "bet", "low", "high"),
    [
        ({"ante": 499}, errors.UNDER_LIMIT, "ante", 500, 50_000),
        ({"ante": 50_001}, errors.OVER_LIMIT, "ante", 500, 50_000),
        ({"ante": 500, "pair_plus": 99}, errors.UNDER_LIMIT, "pair_plus", 100, 20_000),
        ({}, errors.MISSING_BET, "ante", 1, 10**15),
        ({"ante": 0}, errors.BAD_AMOUNT, "ante", 1, 10**15),
    ],
)
def test_a_refusal_says_what_is_required(bets: dict[str, int], code: str, bet: str, low: int, high: int) -> None:
    wrong = refused(bets)
    assert (wrong.code, wrong.article, wrong.bet, wrong.low, wrong.high) == (code, "67.26", bet, low, high)


def test_limits_bind_only_the_bets_they_name() -> None:
    assert can_bet(GAME, {"ante": 1}, {"pair_plus": (5, 10)})
    assert can_bet(GAME, {"ante": 1})


def test_bets_locked_by_another_event_are_not_judged() -> None:
    assert can_bet(GAME, {"ante": 500, "play": 7}, LIMITS, LOCK_ANNOUNCEMENT)
    assert not can_bet(GAME, {"ante": 1}, LIMITS, LOCK_ANNOUNCEMENT)
    assert can_bet(GAME, {"ante": 1, "play": 1}, LIMITS, LOCK_DECISIONS)


def test_decision_is_asked_of_seats_with_an_ante() -> None:
    assert decides(GAME, {"ante": 500})
    assert not decides(GAME, {"pair_plus": 500})


def test_play_must_equal_the_ante() -> None:
    assert bounds(GAME, {"ante": 700}, "play") == (700, 700)
    assert bounds(GAME, {"pair_plus": 700}, "play") == (0, 0)
    assert can_decide(GAME, {"ante": 700, "play": 700}, "play")
    assert can_decide(GAME, {"ante": 700}, "fold")
    wrong = undecided({"ante": 700, "play": 800}, "play")
    assert (wrong.code, wrong.article, wrong.bet, wrong.low, wrong.high) == (
        errors.DECISION_AMOUNT,
        "67.28",
        "play",
        700,
        700,
    )
    assert undecided({"ante": 700}, "play").code == errors.DECISION_BET
    assert undecided({"ante": 700, "play": 700}, "fold").code == errors.SUPERFLUOUS_DECISION
    assert undecided({"ante": 700}, None).code == errors.MISSING_DECISION


@pytest.mark.parametrize("game_id", GAMES)
def test_game_data_are_whole(game_id: str) -> None:
    """Names that point at each other meet, and the data have a canonical text."""
    game = load(game_id)
    names = [bet.name for bet in game.bets]
    assert game.id == game_id
    assert len(set(names)) == len(names)
    assert all(name in names for opening in game.openings for name in opening)
    assert game.decision.asks in names
    assert game.decision.bet is None or game.decision.bet in names
    for bet in game.bets:
        assert bet.relation is None or bet.relation.base in names
        assert (bet.lock == LOCK_DECISIONS) == (bet.name == game.decision.bet)
    assert {step.deal for step in game.deal} <= set(game.course)
    assert game.id in canonical(game)


def test_unknown_game_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        load("os")


def test_game_data_hold_no_floats_or_lists() -> None:
    for wrong in (1.5, [1], {"a": 1}):
        with pytest.raises(TypeError):
            canonical((1, wrong))
