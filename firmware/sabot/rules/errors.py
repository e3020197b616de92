"""Why the rules refuse an input. Entry points: `RuleError` and the code constants.

Each code is stable and documented here; `article` names the article of the by-law that is broken, or is None when the
input is not a round at all. The order in which the codes are tried is that of `settle.verify_round`.
"""

# The input is not a round (article None).
NOT_JSON = "not_json"  # the line is not one JSON value
LINE_TOO_LONG = "line_too_long"  # the line is longer than wireform.MAX_LINE bytes
TOO_DEEP = "too_deep"  # nested deeper than jsontext.MAX_DEPTH
DUPLICATE_KEY = "duplicate_key"  # an object names a key twice: which value was meant is never guessed
BAD_FORM = "bad_form"  # a field is of the wrong JSON type
NO_GAME = "no_game"  # the field "game" is missing
UNKNOWN_GAME = "unknown_game"  # the game is none of games.GAMES
NO_PLAYERS = "no_players"  # the field "players" is missing or empty

# The round breaks an article.
DECKS = "decks"  # number of packs not allowed
TOO_MANY_PLAYERS = "too_many_players"  # more players than the game allows
IMPOSSIBLE_CARD = "impossible_card"  # not a card of a 52-card pack (article 6)
TOO_MANY_COPIES = "too_many_copies"  # a card seen more often than there are packs (article 6)
CARD_COUNT = "card_count"  # a hand has too few or too many cards
UNKNOWN_BET = "unknown_bet"  # the game has no such bet
BAD_AMOUNT = "bad_amount"  # not a positive whole number of cents, or above bets.MAX_AMOUNT
MISSING_BET = "missing_bet"  # a mandatory bet is not there
BET_RELATION = "bet_relation"  # a bet is not in its relation to another bet
ODD_STAKE = "odd_stake"  # an odd stake where the house wants those that can be halved even
UNDER_LIMIT = "under_limit"  # below the table's minimum for that bet
OVER_LIMIT = "over_limit"  # above the table's maximum for that bet
MISSING_DECISION = "missing_decision"  # the seat had to decide and did not
UNKNOWN_DECISION = "unknown_decision"  # the game has no such decision
SUPERFLUOUS_DECISION = "superfluous_decision"  # a decision, its bet or its cards where none is due
DECISION_BET = "decision_bet"  # the bet of the decision is missing
DECISION_AMOUNT = "decision_amount"  # the bet of the decision is outside its bounds
DECISION_CARD = "decision_card"  # the cards of a war are missing


class RuleError(Exception):
    """A round, a bet or a decision that the by-law does not allow.

    `code` is one of this module's constants, `article` the article broken (None: the input is not a round), `message`
    one English line. When the amount of a bet is at fault, `bet` names it and `low`, `high` (cents, None: unbounded)
    say what is required, so that a table can prompt for it.
    """

    def __init__(
        self,
        code: str,
        article: "str | None",
        message: str,
        bet: "str | None" = None,
        low: "int | None" = None,
        high: "int | None" = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.article = article
        self.message = message
        self.bet = bet
        self.low = low
        self.high = high
