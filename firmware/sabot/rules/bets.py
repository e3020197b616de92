"""What may be bet and decided. Entry points: `verify_bets`, `can_bet`, `verify_decision`, `can_decide`, `bounds`.

The verify functions raise `RuleError` for the first thing that is wrong, in the order of the by-law's own stages; the
can functions tell only whether there is any. Bets are dicts from a bet's name to cents; limits, which are the
table's, are dicts from a bet's name to (lowest, highest) cents and name only the bets that are limited.
"""

from . import errors
from .errors import RuleError
from .game import EQUAL, FORFEIT, LOCK_DECISIONS, Bet, Game
from .ranking import at_least, rank_hand

MAX_AMOUNT = 10**15  # cents: far above any bet, and a bound for what an answer must hold


def bet_named(game: Game, name: str) -> Bet:
    """The bet of that name; KeyError when the game has none."""
    for bet in game.bets:
        if bet.name == name:
            found: Bet = bet
            return found
    raise KeyError(name)


def is_amount(cents: object) -> bool:
    """Whether this is a positive whole number of cents that a bet can be. True and False are no numbers."""
    return isinstance(cents, int) and cents is not True and cents is not False and 0 < cents <= MAX_AMOUNT


def verify_bets(
    game: Game, bets: "dict[str, int]", limits: "dict[str, tuple[int, int]] | None" = None, lock: "str | None" = None
) -> None:
    """Raise RuleError unless these bets of one seat may stand when the deal begins.

    In order: every bet known, every amount positive whole cents, a complete opening, relations between bets, even
    stakes where the house asks for them, limits.
    `lock` narrows this to the bets that one event locks, for a game whose bets are locked by two (67.36, 67.40).
    """
    known = 0
    for bet in game.bets:
        if bet.name in bets:
            known += 1
    if known < len(bets):
        raise RuleError(errors.UNKNOWN_BET, game.bets_article, "the game has no such bet; it has " + _names(game))
    for bet in game.bets:
        if _judged(bet, bets, lock) and not is_amount(bets[bet.name]):
            raise RuleError(
                errors.BAD_AMOUNT,
                bet.article,
                "%s is not a positive whole number of cents up to %d" % (bet.name, MAX_AMOUNT),
                bet.name,
                1,
                MAX_AMOUNT,
            )
    if lock is None or lock == bet_named(game, game.openings[0][0]).lock:
        _verify_opening(game, bets)
    for bet in game.bets:
        if bet.relation is not None and bet.lock != LOCK_DECISIONS and _judged(bet, bets, lock):
            _verify_relation(bet, bets, errors.BET_RELATION, bet.article)
    if game.half_stakes == "even":
        for bet in game.bets:
            if _judged(bet, bets, lock) and bets[bet.name] & 1 and _halved(bet):
                raise RuleError(
                    errors.ODD_STAKE, bet.article, bet.name + " must be even: half of it can be lost", bet.name
                )
    if limits is not None:
        for bet in game.bets:
            if bet.name in limits and _judged(bet, bets, lock):
                _verify_limits(bet, bets[bet.name], limits[bet.name])


def can_bet(
    game: Game, bets: "dict[str, int]", limits: "dict[str, tuple[int, int]] | None" = None, lock: "str | None" = None
) -> bool:
    """Whether `verify_bets` passes."""
    try:
        verify_bets(game, bets, limits, lock)
    except RuleError:
        return False
    return True


def bounds(game: Game, bets: "dict[str, int]", name: str) -> "tuple[int, int]":
    """Lowest and highest lawful amount (cents) of a bet that has a relation, given its base; (0, 0) without the base.

    A right that rests on the hand (67.81) counts as given: before the reveal nothing may depend on hidden cards.
    """
    relation = bet_named(game, name).relation
    base = bets.get(relation.base, 0)
    return relation.low * base, relation.high * base


def decides(game: Game, bets: "dict[str, int]", equal: bool = False) -> bool:
    """Whether a seat with these bets has a decision; `equal`: its card equals the dealer's (only 67.38 asks)."""
    return game.decision.asks in bets and (game.decision.on != EQUAL or equal)


def verify_decision(
    game: Game,
    bets: "dict[str, int]",
    decision: "str | None",
    equal: bool = False,
    cards: "list[int] | tuple[int, ...] | None" = None,
) -> None:
    """Raise RuleError unless the seat decided as it had to, and the decision's bet is there and within its bounds.

    `cards` are the seat's, once they may be looked at: they give or refuse the right to a higher bet (67.81). With None
    that right is not judged.
    """
    asked = game.decision
    opened = asked.bet
    if not decides(game, bets, equal):
        if decision is not None:
            raise RuleError(errors.SUPERFLUOUS_DECISION, asked.article, "this seat has nothing to decide")
        if opened in bets:
            raise RuleError(errors.SUPERFLUOUS_DECISION, asked.bet_article, opened + " without a decision to make it")
        return
    if decision is None:
        raise RuleError(errors.MISSING_DECISION, asked.article, "the seat must decide: " + _choices(game))
    if decision != asked.taken and decision != asked.refused:
        raise RuleError(errors.UNKNOWN_DECISION, asked.article, "the decision is " + _choices(game))
    if opened is None:
        return
    if decision == asked.refused:
        if opened in bets:
            raise RuleError(errors.SUPERFLUOUS_DECISION, asked.bet_article, "%s has no %s bet" % (decision, opened))
        return
    if opened not in bets:
        low, high = bounds(game, bets, opened)
        raise RuleError(
            errors.DECISION_BET, asked.bet_article, "%s needs its %s bet" % (decision, opened), opened, low, high
        )
    bet = bet_named(game, opened)
    _verify_relation(bet, bets, errors.DECISION_AMOUNT, asked.bet_article)
    relation = bet.relation
    if relation.kind is None or cards is None or bets[opened] <= relation.free * bets[relation.base]:
        return
    contest = game.contest
    if rank_hand(cards, contest.cards, contest.size) < at_least(relation.kind, relation.lead, contest.size):
        low, high = relation.low * bets[relation.base], relation.free * bets[relation.base]
        raise RuleError(
            errors.DECISION_AMOUNT,
            asked.bet_article,
            "this hand gives no right to more than %d" % high,
            opened,
            low,
            high,
        )


def can_decide(
    game: Game,
    bets: "dict[str, int]",
    decision: "str | None",
    equal: bool = False,
    cards: "list[int] | tuple[int, ...] | None" = None,
) -> bool:
    """Whether `verify_decision` passes."""
    try:
        verify_decision(game, bets, decision, equal, cards)
    except RuleError:
        return False
    return True


def _judged(bet: Bet, bets: "dict[str, int]", lock: "str | None") -> bool:
    """Whether a bet is there, and one that `lock` (None: any event) locks."""
    return bet.name in bets and (lock is None or lock == bet.lock)


def _halved(bet: Bet) -> bool:
    """Whether the player's own act can lose a part of this stake (67.38 3°, 67.47)."""
    for outcome in bet.outcomes:
        if outcome.result == FORFEIT and outcome.pays < outcome.per:
            return True
    return False


def _complete(opening: "tuple[str, ...]", bets: "dict[str, int]") -> bool:
    for name in opening:
        if name not in bets:
            return False
    return True


def _verify_opening(game: Game, bets: "dict[str, int]") -> None:
    for opening in game.openings:
        if _complete(opening, bets):
            return
    needed = " or ".join([" and ".join(opening) for opening in game.openings])
    missing = [name for name in game.openings[0] if name not in bets][0]
    low, high = 1, MAX_AMOUNT
    relation = bet_named(game, missing).relation
    if relation is not None and relation.base in bets:
        low, high = bounds(game, bets, missing)
    raise RuleError(errors.MISSING_BET, game.bets_article, "the seat needs " + needed, missing, low, high)


def _verify_relation(bet: Bet, bets: "dict[str, int]", code: str, article: str) -> None:
    relation = bet.relation
    base = bets.get(relation.base, 0)
    low = relation.low * base
    high = relation.high * base
    if low <= bets[bet.name] <= high:
        return
    if low == high:
        message = "%s must be %d (%d times %s)" % (bet.name, low, relation.low, relation.base)
    else:
        message = "%s must be from %d to %d (%d to %d times %s)" % (
            bet.name,
            low,
            high,
            relation.low,
            relation.high,
            relation.base,
        )
    raise RuleError(code, article, message, bet.name, low, high)


def _verify_limits(bet: Bet, cents: int, limits: "tuple[int, int]") -> None:
    low, high = limits
    if cents < low:
        raise RuleError(errors.UNDER_LIMIT, bet.article, "%s is below %d" % (bet.name, low), bet.name, low, high)
    if cents > high:
        raise RuleError(errors.OVER_LIMIT, bet.article, "%s is above %d" % (bet.name, high), bet.name, low, high)


def _choices(game: Game) -> str:
    return "%s or %s" % (game.decision.taken, game.decision.refused)


def _names(game: Game) -> str:
    return ", ".join([bet.name for bet in game.bets])
