"""Rounds and settlements as JSON lines. Entry points: `answer`, `is_blank`, `MAX_LINE`.

One line holds a round, one line answers it: the settlement, or an error. The text is written here in a fixed order, so
that every interpreter prints the same bytes.

    {"game": "three_card", "decks": 1, "dealer": ["Qs","3c","2d"],
     "players": [{"cards": ["2c","3d","5h"], "bets": {"ante": 1000, "play": 1000}, "decision": "play"}]}

Amounts are cents. Fields that are not named here are not read; "decision", "war_player" and "war_dealer" may be null.
"""

from . import errors
from .cards import Packs, card_from_name, card_name
from .errors import RuleError
from .games import GAMES, load
from .jsontext import quote, read
from .settle import Round, Seat, SeatResult, settle

MAX_LINE = 65536  # bytes, without the end of line: some 25 times a round of seven players


def is_blank(line: bytes) -> bool:
    """Whether a line holds nothing but white space: it gets no answer."""
    return not line.strip()


def answer(line: bytes) -> "tuple[str, bool]":
    """The answer to one line, without an end of line, and whether it is a settlement (False: an error).

    Raises nothing: what is wrong with the line stands in the answer.
    """
    try:
        return _settled(line), True
    except RuleError as wrong:
        article = "null" if wrong.article is None else quote(wrong.article)
        return (
            '{"error": {"code": %s, "article": %s, "message": %s}}'
            % (quote(wrong.code), article, quote(wrong.message)),
            False,
        )


def _settled(line: bytes) -> str:
    if len(line) > MAX_LINE:
        raise RuleError(errors.LINE_TOO_LONG, None, "the line is longer than %d bytes" % MAX_LINE)
    form = read(line)
    if not isinstance(form, dict):
        raise RuleError(errors.BAD_FORM, None, "a round is an object")
    if "game" not in form:
        raise RuleError(errors.NO_GAME, None, "the round names no game")
    if form["game"] not in GAMES:
        raise RuleError(errors.UNKNOWN_GAME, None, "the games are " + ", ".join(GAMES))
    players = form.get("players")
    if players is None or players == []:
        raise RuleError(errors.NO_PLAYERS, None, "the round has no players")
    if not isinstance(players, list):
        raise RuleError(errors.BAD_FORM, None, "players is a list")
    played = Round(form.get("decks"), _cards(form, "dealer"), [_seat(player) for player in players])
    try:
        results = settle(load(form["game"]), played)
    except RuleError as wrong:
        if wrong.code not in (errors.IMPOSSIBLE_CARD, errors.TOO_MANY_COPIES):
            raise
        raise RuleError(wrong.code, wrong.article, wrong.message + _whose(wrong.code, played))
    return '{"players": [%s]}' % ", ".join([_result(result) for result in results])


def _whose(code: str, played: Round) -> str:
    """Which card of whom an error about a card means, as an addition to its message."""
    packs = Packs(played.decks)
    for number in range(len(played.seats) + 1):
        cards = list(played.dealer)
        who = "the dealer"
        if number:
            seat = played.seats[number - 1]
            cards = list(seat.cards) + [card for card in (seat.war_player, seat.war_dealer) if card is not None]
            who = "player %d" % number
        for index in range(len(cards)):
            if code == errors.IMPOSSIBLE_CARD and cards[index] < 0:
                return ": card %d of %s; a card is a rank of 23456789TJQKA and a suit of cdhs, as Td" % (index + 1, who)
            if code == errors.TOO_MANY_COPIES and not packs.take(cards[index]):
                return ": %s of %s" % (card_name(cards[index]), who)
    return ""


def _seat(player: object) -> Seat:
    if not isinstance(player, dict):
        raise RuleError(errors.BAD_FORM, None, "a player is an object")
    bets = player.get("bets", {})
    if not isinstance(bets, dict):
        raise RuleError(errors.BAD_FORM, None, "bets is an object")
    war = [None if player.get(key) is None else card_from_name(player[key]) for key in ("war_player", "war_dealer")]
    return Seat(_cards(player, "cards"), bets, player.get("decision"), war[0], war[1])


def _cards(form: "dict[str, object]", key: str) -> "list[int]":
    names = form.get(key, [])
    if not isinstance(names, list):
        raise RuleError(errors.BAD_FORM, None, key + " is a list of cards")
    return [card_from_name(name) for name in names]


def _result(result: SeatResult) -> str:
    bets = [
        '"%s": {"result": "%s", "stake": %d, "paid": %d, "returned": %d}'
        % (line.bet, line.result, line.stake, line.paid, line.returned)
        for line in result.lines
    ]
    return '{"bets": {%s}, "staked": %d, "received": %d, "net": %d}' % (
        ", ".join(bets),
        result.staked,
        result.received,
        result.net,
    )
