"""Settlement: what each bet of a round is due, in whole cents.

Entry points: `settle` (a whole round, verified first), `verify_round`, `settle_seat` (one seat, as a table does it, at
once or by `stage`), `settle_end` (one seat, the end of its contest given), `dealer_opens`. All are pure; the results
are immutable.
"""

from collections import namedtuple

from . import errors
from . import game as data
from .bets import decides, verify_bets, verify_decision
from .cards import Packs
from .errors import RuleError
from .game import Game, Outcome, Table
from .ranking import at_least, matches, rank_hand

# decks; dealer: the dealer's cards; seats: list of Seat. Cards are integers (cards.NO_CARD: an impossible one).
Round = namedtuple("Round", ("decks", "dealer", "seats"))

# cards of the seat; bets: dict name -> cents; decision: its name or None; war_player, war_dealer: the two cards of a
# war, each None without one.
Seat = namedtuple("Seat", ("cards", "bets", "decision", "war_player", "war_dealer"))

# One bet's end. result: a word of game.py; paid: winnings on top of the stake; returned: the part of the stake that
# goes back; all in cents.
Line = namedtuple("Line", ("bet", "result", "stake", "paid", "returned"))

# lines: tuple of Line in the game's order, the extra line last; staked, received, net in cents.
SeatResult = namedtuple("SeatResult", ("lines", "staked", "received", "net"))


def settle(game: Game, played: Round) -> "list[SeatResult]":
    """What every seat of a round is due, in the order of the seats. RuleError as `verify_round`."""
    verify_round(game, played)
    return [
        _pay(game, seat.cards, played.dealer, seat.bets, seat.decision, seat.war_player, seat.war_dealer)
        for seat in played.seats
    ]


def settle_seat(
    game: Game,
    cards: "list[int] | tuple[int, ...]",
    dealer: "list[int] | tuple[int, ...]",
    bets: "dict[str, int]",
    decision: "str | None" = None,
    war_player: "int | None" = None,
    war_dealer: "int | None" = None,
    only: "tuple[str, ...] | list[str] | None" = None,
) -> SeatResult:
    """What one seat is due. RuleError when its bets or its decision may not stand.

    `only` names the bets that are settled now, for a game that settles in stages (`stage` tells which): `bets` are
    all that the seat made, the lines and sums are those of the bets named, and the extra line is the stake's of the
    bet it is paid on. A hand that nothing settled now depends on may be empty: a folded seat's cards, the dealer's when
    every seat folded, his cards of a later reveal.
    """
    verify_bets(game, bets)
    if only is None or decision is not None:
        _verify_seat_decision(game, cards, dealer, bets, decision, war_player, war_dealer)
    return _pay(game, cards, dealer, bets, decision, war_player, war_dealer, only)


def stage(game: Game, step: str, bets: "dict[str, int]", equal: bool = False) -> "tuple[str, ...]":
    """The bets of a seat that are settled at a step of `Game.course`, in the game's order.

    Where only a seat whose hand equals the dealer's has to decide (67.38), `equal` says whether this one does: every
    other seat is settled wholly at the first settlement.
    """
    at_once = game.decision.on == data.EQUAL and not equal
    first = [each for each in game.course if each.startswith("settle")][0]
    return tuple([bet.name for bet in game.bets if bet.name in bets and step == (first if at_once else bet.settles)])


def dealer_opens(game: Game, dealer: "list[int] | tuple[int, ...]") -> bool:
    """Whether the dealer's hand lets him open (67.29, 67.82); True in a game that asks nothing of it."""
    contest = game.contest
    if contest is None or contest.opens is None:
        return True
    kind, lead = contest.opens
    _need(game, dealer, contest.dealer_cards)
    return rank_hand(dealer, contest.dealer_cards, contest.size) >= at_least(kind, lead, contest.size)


def verify_round(game: Game, played: Round) -> None:
    """Raise RuleError for the first article a round breaks.

    Stage by stage over all seats: packs, players, cards of 52-card packs, hands complete, bets, decisions.
    """
    if played.decks is True or played.decks not in game.decks:
        allowed = " or ".join([str(decks) for decks in game.decks])
        raise RuleError(errors.DECKS, game.decks_article, "the game is played with %s packs" % allowed)
    if game.max_players is not None and len(played.seats) > game.max_players:
        raise RuleError(
            errors.TOO_MANY_PLAYERS, game.players_article, "more than %d players at the table" % game.max_players
        )
    _verify_cards(played)
    _verify_counts(game, played)
    for seat in played.seats:
        verify_bets(game, seat.bets)
    for seat in played.seats:
        _verify_seat_decision(
            game, seat.cards, played.dealer, seat.bets, seat.decision, seat.war_player, seat.war_dealer
        )


def _verify_cards(played: Round) -> None:
    packs = Packs(played.decks)
    _take(packs, played.dealer)
    for seat in played.seats:
        _take(packs, seat.cards)
        _take(packs, [card for card in (seat.war_player, seat.war_dealer) if card is not None])


def _take(packs: Packs, cards: "list[int] | tuple[int, ...]") -> None:
    for card in cards:
        if card < 0:
            raise RuleError(errors.IMPOSSIBLE_CARD, "6", "a card is not one of a 52-card pack")
        if not packs.take(card):
            raise RuleError(errors.TOO_MANY_COPIES, "6", "a card is seen more often than the packs in play hold it")


def _verify_counts(game: Game, played: Round) -> None:
    """Every hand complete (67.27 and its like). In a second deal only seats that stay, and the dealer, get cards."""
    staying = False
    for seat in played.seats:
        went_on = seat.decision == game.decision.taken
        staying = staying or went_on
        _verify_count(game, game.cards, len(seat.cards), went_on, seat.decision == game.decision.refused, "a player")
    _verify_count(game, game.dealer_cards, len(played.dealer), staying, False, "the dealer")


def _verify_count(
    game: Game, counts: "tuple[int, int | None]", held: int, went_on: bool, gave_up: bool, who: str
) -> None:
    first, second = counts
    wanted = [first] if second is None or gave_up else [second] if went_on else [first, second]
    if held in wanted:
        return
    article = game.card_articles[0] if second is None or held < first else game.card_articles[1]
    due = " or ".join([str(count) for count in wanted])
    raise RuleError(errors.CARD_COUNT, article, "%s has %d cards, not %s" % (who, held, due))


def _verify_seat_decision(
    game: Game,
    cards: "list[int] | tuple[int, ...]",
    dealer: "list[int] | tuple[int, ...]",
    bets: "dict[str, int]",
    decision: "str | None",
    war_player: "int | None",
    war_dealer: "int | None",
) -> None:
    asked = game.decision
    contest = game.contest
    taken = decision == asked.taken
    if contest is not None and taken:
        _need(game, cards, contest.cards)
    equal = asked.on == data.EQUAL and _contest(game, cards, dealer) == data.EQUAL
    verify_decision(game, bets, decision, equal, cards if taken else None)
    at_war = contest is not None and contest.war and taken
    if at_war and (war_player is None or war_dealer is None):
        raise RuleError(errors.DECISION_CARD, asked.bet_article, "a war needs war_player and war_dealer")
    if not at_war and (war_player is not None or war_dealer is not None):
        raise RuleError(errors.SUPERFLUOUS_DECISION, asked.bet_article, "cards of a war without a war")


def settle_end(
    game: Game,
    hand: "list[int] | tuple[int, ...]",
    bets: "dict[str, int]",
    decision: "str | None",
    end: str,
    only: "tuple[str, ...] | list[str] | None" = None,
) -> SeatResult:
    """What one seat is due when its contest with the dealer ended as `end`, a word of game.py.

    `hand` holds the seat's cards, followed by the dealer's in a game that pools them. Nothing is verified but what the
    bets named in `only` (None: all) need: RuleError when a bet cannot be settled by that end.
    """
    lines = []
    for bet in game.bets:
        if bet.name not in bets or (only is not None and bet.name not in only):
            continue
        stake = bets[bet.name]
        outcome = _forfeit(game, bet, end)
        row = None
        if outcome is None and bet.table is not None:
            row = _row(game, bet.table, hand, decision)
        if row is not None:
            lines.append(Line(bet.name, data.WIN, stake, _share(stake, row.pays, row.per), stake))
        else:
            lines.append(_line(bet.name, stake, outcome or _outcome(game, bet, end)))
    extra = game.extra
    if extra is not None and extra.on in bets and (only is None or extra.on in only):
        row = _row(game, extra.table, hand, decision)
        if row is not None:
            lines.append(Line(extra.name, data.WIN, 0, _share(bets[extra.on], row.pays, row.per), 0))
    staked = received = 0
    for line in lines:
        staked += line.stake
        received += line.paid + line.returned
    return SeatResult(tuple(lines), staked, received, received - staked)


def _pay(
    game: Game,
    cards: "list[int] | tuple[int, ...]",
    dealer: "list[int] | tuple[int, ...]",
    bets: "dict[str, int]",
    decision: "str | None",
    war_player: "int | None",
    war_dealer: "int | None",
    only: "tuple[str, ...] | list[str] | None" = None,
) -> SeatResult:
    hand = tuple(cards) + tuple(dealer) if game.pooled else cards
    if only is not None and decision != game.decision.refused and not _rests_on_end(game, only):
        return settle_end(game, hand, bets, decision, data.NO_CONTEST, only)
    end = _end(game, cards, dealer, bets, decision, war_player, war_dealer)
    return settle_end(game, hand, bets, decision, end, only)


def _rests_on_end(game: Game, only: "tuple[str, ...] | list[str]") -> bool:
    """Whether any of these bets rests on the dealer's hand, or on what the seat decided."""
    for bet in game.bets:
        if bet.name in only and bet.outcomes[0].end != data.ALWAYS:
            return True
    return False


def _end(
    game: Game,
    cards: "list[int] | tuple[int, ...]",
    dealer: "list[int] | tuple[int, ...]",
    bets: "dict[str, int]",
    decision: "str | None",
    war_player: "int | None",
    war_dealer: "int | None",
) -> str:
    """How the seat's contest ended, as a word of game.py."""
    if decision == game.decision.refused:
        return data.REFUSED
    if game.contest is None or not decides(game, bets, True):
        return data.NO_CONTEST
    end = _contest(game, cards, dealer)
    if not game.contest.war or end != data.EQUAL or war_player is None or war_dealer is None:
        return end
    if war_player >> 2 == war_dealer >> 2:
        return data.WAR_EQUAL
    return data.WAR_HIGHER if war_player > war_dealer else data.WAR_LOWER


def _contest(game: Game, cards: "list[int] | tuple[int, ...]", dealer: "list[int] | tuple[int, ...]") -> str:
    contest = game.contest
    if not dealer_opens(game, dealer):
        return data.NOT_OPEN
    _need(game, cards, contest.cards)
    _need(game, dealer, contest.dealer_cards)
    own = rank_hand(cards, contest.cards, contest.size)
    other = rank_hand(dealer, contest.dealer_cards, contest.size)
    if own == other:
        return data.EQUAL
    return data.HIGHER if own > other else data.LOWER


def _forfeit(game: Game, bet: data.Bet, end: str) -> "Outcome | None":
    """What the refusal of a decision does to a bet, before anything else is looked at; None when it does nothing."""
    if end != data.REFUSED:
        return None
    if bet.side and game.fold_side_bets == "forfeit":
        return Outcome(data.REFUSED, data.FORFEIT, 1, 1)
    for outcome in bet.outcomes:
        if outcome.end == data.REFUSED:
            refusal: Outcome = outcome
            return refusal
    return None


def _outcome(game: Game, bet: data.Bet, end: str) -> Outcome:
    for outcome in bet.outcomes:
        if outcome.end == end or outcome.end == data.ALWAYS:
            found: Outcome = outcome
            return found
    raise RuleError(errors.MISSING_DECISION, game.decision.article, bet.name + " cannot be settled yet", bet.name)


def _row(game: Game, table: Table, hand: "list[int] | tuple[int, ...]", decision: "str | None") -> "data.Row | None":
    """The row of a paytable that pays this hand, or None."""
    if table.taken_only and decision != game.decision.taken:
        return None
    _need(game, hand, table.cards)
    rank = rank_hand(hand, table.cards, table.size)
    for row in table.rows:
        if matches(rank, table.size, row.kind, row.lead):
            paying: data.Row = row
            return paying
    return None


def _line(name: str, stake: int, outcome: Outcome) -> Line:
    if outcome.result == data.WIN:
        return Line(name, data.WIN, stake, _share(stake, outcome.pays, outcome.per), stake)
    if outcome.result == data.PUSH:
        return Line(name, data.PUSH, stake, 0, stake)
    if outcome.result == data.FORFEIT:
        return Line(name, data.FORFEIT, stake, 0, stake - stake * outcome.pays // outcome.per)
    return Line(name, data.LOSE, stake, 0, 0)


def _share(stake: int, pays: int, per: int) -> int:
    """The stake times pays / per, a part of a cent rounded up: in the player's favour."""
    return (stake * pays + per - 1) // per


def _need(game: Game, cards: "list[int] | tuple[int, ...]", count: int) -> None:
    if len(cards) < count:
        raise RuleError(errors.CARD_COUNT, game.card_articles[0], "a hand of %d cards is needed" % count)
