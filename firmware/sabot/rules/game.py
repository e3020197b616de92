"""What a game is: data. Entry points: `Game` and its parts, `fingerprint`, `canonical`, `most_cards`.

A game file under `games/` holds one `Game`. The engine (`bets`, `settle`) and the table read it and hold no rule of
any one game. Everything is an immutable tuple of tuples, strings, whole numbers and None, so that the same data have
the same fingerprint on every interpreter; every round record carries it. A house's own options and paytables are made
from it by `variants`.
"""

import hashlib
from collections import namedtuple

# --- which event locks a bet ------------------------------------------------------------------------------------------
LOCK_ANNOUNCEMENT = "announcement"  # "Rien ne va plus"
LOCK_FIRST_CARD = "first_card"  # the first card dealt
LOCK_DECISIONS = "decisions"  # the close of decisions: only the decision opens the spot

# --- results of a bet -------------------------------------------------------------------------------------------------
WIN = "win"  # paid by its ratio, the stake comes back
LOSE = "lose"
PUSH = "push"  # stake returned, nothing paid: « nulle »
FORFEIT = "forfeit"  # lost wholly or by half through the player's own act

# --- how a seat's contest with the dealer ended -----------------------------------------------------------------------
NO_CONTEST = "no_contest"  # no bet of the seat is compared with the dealer's hand
REFUSED = "refused"  # the seat refused its decision: fold, surrender, withdrawal
NOT_OPEN = "not_open"  # the dealer does not open
HIGHER = "higher"  # the player's hand is the higher one
EQUAL = "equal"
LOWER = "lower"
WAR_HIGHER = "war_higher"  # after a war
WAR_EQUAL = "war_equal"
WAR_LOWER = "war_lower"
ALWAYS = "always"  # in a bet's outcomes: every end not named before it

# --- the deal plan ----------------------------------------------------------------------------------------------------
TO_SEATS = "seats"  # each seat in turn
TO_IN = "seats_in"  # each seat that took its decision, in turn
TO_DEALER = "dealer"
BURN = "burn"
DOWN = "down"
UP = "up"

# id, version: name and version of this data; article: the first article of the game. decks, decks_article: numbers of
# packs allowed. max_players: None = the bet places of the layout; players_article. bets: tuple of Bet, in the order
# of an answer. openings: sets of bets, one of which at least must be complete before the deal. bets_article: what a
# missing bet or an unknown one breaks. decision: Decision. contest: Contest or None. extra: Extra or None. deal:
# tuple of Step. course: what the table does after the lock, in order. cards: cards of a seat, after the first deal
# and after the second (None: no second deal); dealer_cards: the same of the dealer. card_articles: articles of the
# first and the second deal. pooled: the dealer's cards are part of each seat's hand. Then the options in force, each a
# word of `variants.options`, or None in a game that knows no such option: fold_side_bets, what a refusal does to the
# bets that the decision's article does not name; half_stakes, whether a stake that can be halved must be even;
# war_dealer_card, whether each seat at war has a dealer's card of its own, or the steps of the war are dealt once.
Game = namedtuple(
    "Game",
    "id version article decks decks_article max_players players_article bets openings bets_article decision contest "
    "extra deal course cards dealer_cards card_articles pooled fold_side_bets half_stakes war_dealer_card",
)

# name; lock: the event that locks it; settles: the step of Game.course that settles it at the latest.
# relation: Relation or None. article: what a wrong amount of it breaks. table: Table or None, looked at first.
# outcomes: tuple of Outcome, the first that fits applies. side: a refusal of the decision leaves it live, unless
# Game.fold_side_bets says otherwise.
Bet = namedtuple("Bet", "name lock settles relation article table outcomes side")

# The amount is from `low` to `high` times the bet `base`. Above `free` times it, the seat's hand must be `kind` with
# leading rank `lead` or better (None: no such right).
Relation = namedtuple("Relation", "base low high free kind lead")

# `taken` and `refused`: names of the two choices. bet: the bet it opens, or None. asks: the bet that gives a seat the
# decision. on: EQUAL when only a seat equal to the dealer decides, else None. articles: of the choice and of its bet.
Decision = namedtuple("Decision", "taken refused bet asks on article bet_article")

# Hands compared: number of first cards, of which the best `size` count, for the player and for the dealer. opens:
# (kind, lead) that the dealer needs, or None. war: the decision's choice taken is settled by one more card each.
Contest = namedtuple("Contest", "cards dealer_cards size opens war")

# A paytable. name, version; cards, size: the hand looked at. rows: tuple of Row, best first. taken_only: only when the
# seat took its decision. article: the one that prints the table.
Table = namedtuple("Table", "name version cards size rows taken_only article")

# Hands of `kind` whose leading rank is `lead` or better (0: any) are paid `pays` to `per`.
Row = namedtuple("Row", "kind lead pays per")

# When the contest ended as `end`: `result`, paid `pays` to `per` (WIN) or the share `pays`/`per` of the stake lost
# (FORFEIT); else 0, 1.
Outcome = namedtuple("Outcome", "end result pays per")

# A line of the answer without a stake of its own: paid by `table` on the stake of the bet `on`.
Extra = namedtuple("Extra", "name on table")

# One step of the deal plan: which deal (one of Game.course), to whom, how many cards, how they lie.
Step = namedtuple("Step", "deal to count face")


def canonical(value: object) -> str:
    """One text for one value, on every interpreter: tuples in parentheses, strings quoted, None -, True +, False !."""
    if isinstance(value, tuple):
        return "(" + ",".join([canonical(item) for item in value]) + ")"
    if isinstance(value, str):
        return '"' + value + '"'
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "+" if value else "!"
    if not isinstance(value, int):
        raise TypeError("game data are tuples, strings, whole numbers, True, False and None")
    return str(value)


def fingerprint(game: Game) -> bytes:
    """First 8 bytes of the SHA-256 of a game's canonical text: changes with every rule, ratio and option in force."""
    return hashlib.sha256(canonical(game).encode()).digest()[:8]


def most_cards(game: Game, seats: int) -> int:
    """The most cards that a round of that many seats can take from the packs, burned ones counted.

    Every seat takes its decision; a war with a dealer's card of its own is dealt seat by seat (67.39).
    """
    cards = 0
    for step in game.deal:
        each = step.to in (TO_SEATS, TO_IN) or (step.deal == "war" and game.war_dealer_card == "own")
        cards += step.count * (seats if each else 1)
    return cards
