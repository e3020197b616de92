"""A house's own version of a game. Entry points: `options`, `configure`, `with_table`.

The decrees' values are the defaults. Every other choice gives the game another fingerprint, which round records carry.
"""

from .game import LOCK_ANNOUNCEMENT, LOCK_FIRST_CARD, Bet, Extra, Game, Row, Table


def options(game: Game) -> "tuple[tuple[str, tuple[str, ...]], ...]":
    """The options this game knows: (name, the words allowed, the default first).

    - fold_side_bets (decision FOLD-SIDE): after a fold the side bets stay live, or are forfeit too.
    - half_stakes (decision HALF-CENT): a stake that can be halved is any amount, or must be even.
    - initial_lock (67.36): the first card dealt locks the initial bet of Bataille, or already the announcement.
    - war_dealer_card (67.39): at war each seat has a dealer's card of its own, or one is common to all.
    """
    found: "list[tuple[str, tuple[str, ...]]]" = []
    if game.fold_side_bets is not None:
        found.append(("fold_side_bets", ("live", "forfeit")))
    if game.half_stakes is not None:
        found.append(("half_stakes", ("any", "even")))
    if game.war_dealer_card is not None:
        found.append(("initial_lock", (LOCK_FIRST_CARD, LOCK_ANNOUNCEMENT)))
        found.append(("war_dealer_card", ("own", "common")))
    return tuple(found)


def configure(
    game: Game,
    fold_side_bets: "str | None" = None,
    half_stakes: "str | None" = None,
    initial_lock: "str | None" = None,
    war_dealer_card: "str | None" = None,
) -> Game:
    """The game with these options; None leaves one as it is.

    ValueError for an option that the game does not know, or a word that `options` does not allow.
    """
    chosen = (
        ("fold_side_bets", fold_side_bets),
        ("half_stakes", half_stakes),
        ("initial_lock", initial_lock),
        ("war_dealer_card", war_dealer_card),
    )
    known = options(game)
    for name, word in chosen:
        if word is not None and word not in _allowed(known, name):
            raise ValueError("%s: %s of %s is not %s" % (game.id, name, " or ".join(_allowed(known, name)), word))
    bets = game.bets
    if initial_lock is not None:
        bets = tuple([_relock(bet, initial_lock) if bet.name == "initial" else bet for bet in bets])
    return _with(game, bets, game.extra, fold_side_bets, half_stakes, war_dealer_card)


def with_table(game: Game, name: str, version: int, rows: "tuple[Row, ...]") -> Game:
    """The game with a house's own paytable for bet `name`, or for the extra line; ValueError without such a table."""
    extra = game.extra
    if extra is not None and extra.name == name:
        return _with(game, game.bets, Extra(extra.name, extra.on, _retable(extra.table, version, rows)))
    bets = []
    found = False
    for bet in game.bets:
        if bet.name == name and bet.table is not None:
            found = True
            table = _retable(bet.table, version, rows)
            bet = Bet(bet.name, bet.lock, bet.settles, bet.relation, bet.article, table, bet.outcomes, bet.side)
        bets.append(bet)
    if not found:
        raise ValueError("no paytable of that name")
    return _with(game, tuple(bets), game.extra)


def _allowed(known: "tuple[tuple[str, tuple[str, ...]], ...]", name: str) -> "tuple[str, ...]":
    for option, words in known:
        if option == name:
            return words
    return ()


def _relock(bet: Bet, lock: str) -> Bet:
    return Bet(bet.name, lock, bet.settles, bet.relation, bet.article, bet.table, bet.outcomes, bet.side)


def _retable(table: Table, version: int, rows: "tuple[Row, ...]") -> Table:
    return Table(table.name, version, table.cards, table.size, rows, table.taken_only, table.article)


def _with(
    game: Game,
    bets: "tuple[Bet, ...]",
    extra: "Extra | None",
    fold_side_bets: "str | None" = None,
    half_stakes: "str | None" = None,
    war_dealer_card: "str | None" = None,
) -> Game:
    """The game with other bets and extra line, and options where not None.

    Written out: MicroPython's named tuples have no `_replace`.
    """
    return Game(
        game.id,
        game.version,
        game.article,
        game.decks,
        game.decks_article,
        game.max_players,
        game.players_article,
        bets,
        game.openings,
        game.bets_article,
        game.decision,
        game.contest,
        extra,
        game.deal,
        game.course,
        game.cards,
        game.dealer_cards,
        game.card_articles,
        game.pooled,
        game.fold_side_bets if fold_side_bets is None else fold_side_bets,
        game.half_stakes if half_stakes is None else half_stakes,
        game.war_dealer_card if war_dealer_card is None else war_dealer_card,
    )
