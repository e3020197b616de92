"""A game's data as a rule sheet. Entry points: :func:`build`, :class:`Sheet` and its parts.

Nothing of a game is known here: combinations, bets, locks, decisions, results, ratios and options are those of the data
that the table plays by, so that the sheet of a house's own version says what that version does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from sabot.rules import ranking
from sabot.rules.edges import favoured
from sabot.rules.game import EQUAL, FORFEIT, REFUSED, Bet, Game, Outcome, Relation, Row, Step, Table, fingerprint
from sabot.rules.variants import options
from sabot_host.sheet import words as w
from sabot_host.sheet.words import Words

# Articles that list the combinations of a size, and that which makes two hands equal; the data of a game hold the rest.
ORDERS: dict[str, dict[int, str]] = {
    "three_card": {3: "67.23"},
    "bataille": {1: "67.34"},
    "poker_357": {3: "67.43", 5: "67.44"},
    "boston": {3: "67.53", 5: "67.54"},
    "four_card": {4: "67.65"},
    "crazy_four": {4: "67.76"},
}
EQUALITY = {"three_card": "67.24", "boston": "67.55", "four_card": "67.66", "crazy_four": "67.77"}
_LOW_RUNS = {3: "A-2-3", 4: "A-2-3-4", 5: "A-2-3-4-5"}


@dataclass(frozen=True)
class Line:
    """One sentence, with the article it rests on, or none."""

    text: str
    article: str = ""


@dataclass(frozen=True)
class Grid:
    """Rows under their headings."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Section:
    """One part of the sheet: sentences, then rows."""

    name: str
    """what it is, in every language: `bets`, `paytable:pair_plus` ..."""
    title: str
    lines: tuple[Line, ...] = ()
    grid: Grid | None = None


@dataclass(frozen=True)
class Sheet:
    """The whole sheet in one language."""

    language: str
    game: str
    title: str
    decks: int
    hash: str
    sections: tuple[Section, ...] = field(default=())


def build(game: Game, decks: int, language: str, limits: Mapping[str, Sequence[int]] | None = None) -> Sheet:
    """The sheet of ``game`` with so many packs in play; ``limits`` of a table: (lowest, highest) cents by bet."""
    return _Builder(game, decks, Words(language), limits or {}).sheet()


class _Builder:
    """One game in one language."""

    def __init__(self, game: Game, decks: int, words: Words, limits: Mapping[str, Sequence[int]]) -> None:
        self._game = game
        self._decks = decks
        self._say = words
        self._limits = limits

    def sheet(self) -> Sheet:
        """Everything."""
        game = self._game
        sections = [
            self._cards(),
            *self._combinations(),
            self._bets(),
            self._course(),
            self._decision(),
            self._dealer(),
            *(self._settlement(bet) for bet in game.bets),
            *(self._paytable(name, table) for name, table in self._tables()),
            self._options(),
            self._identity(),
        ]
        name = self._say.of(w.GAMES[game.id])
        return Sheet(self._say.language, game.id, name, self._decks, fingerprint(game).hex(), tuple(sections))

    # --- names --------------------------------------------------------------------------------------------------------

    def _bet(self, name: str) -> str:
        return self._say.of(w.BETS[name])

    def _n(self, count: int) -> str:
        return self._say.of(w.COUNTS[count]) if count < len(w.COUNTS) else str(count)

    def _kind(self, kind: int, size: int) -> str:
        if kind == ranking.STRAIGHT_FLUSH and size == 5:
            return self._say.of(w.STRAIGHT_FLUSH_OF_FIVE)
        return self._say.of(w.KINDS[kind])

    def _hand(self, kind: int, lead: int, size: int) -> str:
        """A kind, with its leading rank where there is one."""
        name = self._kind(kind, size)
        phrase = "pair_of" if kind == ranking.PAIR else "of_rank"
        return self._say(phrase, kind=name, rank=self._say.of(w.RANKS[lead])) if lead else name

    def _list(self, parts: Sequence[str], phrase: str = "or") -> str:
        """``a, b or c``."""
        if len(parts) < 2:
            return "".join(parts)
        return self._say(phrase, some=", ".join(parts[:-1]), last=parts[-1])

    def _counted(self, cards: int, size: int) -> str:
        """All cards of a hand, or the best of them."""
        if size < cards:
            return self._say("best_of", size=self._n(size), cards=self._n(cards))
        return self._say("one_of") if cards == 1 else self._say("all_of", cards=self._n(cards))

    # --- sections -----------------------------------------------------------------------------------------------------

    def _section(self, name: str, title: str, lines: Sequence[Line] = (), grid: Grid | None = None) -> Section:
        return Section(name, title, tuple(lines), grid)

    def _cards(self) -> Section:
        game, say = self._game, self._say
        packs = say("packs_one") if self._decks == 1 else say("packs_many", n=self._decks)
        most = say("players_places") if game.max_players is None else say("players_most", n=game.max_players)
        allowed = say("packs_allowed", choices=self._list([str(count) for count in game.decks]))
        lines = [
            Line(f"{packs} {allowed}", game.decks_article),
            Line(say("rank_order"), game.article),
            Line(most, game.players_article),
        ]
        return self._section("cards", say("cards"), lines)

    def _sizes(self) -> list[int]:
        """Sizes of hands that the game ranks, the contest's first."""
        sizes = [self._game.contest.size] if self._game.contest is not None else []
        return list(dict.fromkeys(sizes + [table.size for _, table in self._tables()]))

    def _combinations(self) -> Iterator[Section]:
        say = self._say
        for size in sorted(self._sizes()):
            article = ORDERS[self._game.id][size]
            if size == 1:
                yield self._section("combinations:1", say("one_card"), [Line(say("suits_ignored"), article)])
                continue
            kinds = sorted(
                (kind for kind in range(len(w.KINDS)) if _rank(kind, size) is not None),
                key=lambda kind, size=size: -(_rank(kind, size) or 0),  # type: ignore[misc]
            )
            lines = [Line(say("ace_low", run=_LOW_RUNS[size]), article)]
            if self._game.id in EQUALITY:
                lines.append(Line(say("equality"), EQUALITY[self._game.id]))
            rows = tuple((str(place), self._kind(kind, size)) for place, kind in enumerate(kinds, 1))
            title = say("combinations", n=self._n(size))
            yield self._section(f"combinations:{size}", title, lines, Grid(("", say("col_hand")), rows))

    def _amount(self, bet: Bet) -> str:
        """What a bet may be."""
        relation: Relation | None = bet.relation
        say = self._say
        if relation is None:
            return say("free")
        base = self._bet(relation.base)
        if relation.low == relation.high:
            return say("equal_to", bet=base) if relation.low == 1 else say("times", low=relation.low, bet=base)
        text = say("from_to", low=relation.low, high=relation.high, bet=base)
        if relation.kind is None:
            return text
        hand = self._hand(relation.kind, relation.lead, self._game.contest.size)
        return say("besides", what=text, more=say("right_above", free=relation.free, hand=hand))

    def _bets(self) -> Section:
        game, say = self._game, self._say
        ways = []
        for opening in game.openings:
            ways.append(self._all([self._bet(name) for name in opening]))
        line = Line(say("opening", bets=self._list(ways)), game.bets_article)
        columns = [say("col_bet"), say("col_amount"), say("col_lock"), say("col_article")]
        rows = []
        for bet in game.bets:
            row = [self._bet(bet.name), self._amount(bet), say.of(w.LOCKS[bet.lock]), bet.article]
            if self._limits:
                low_high = self._limits.get(bet.name)
                row.insert(
                    3, say("limits", low=say.money(low_high[0]), high=say.money(low_high[1])) if low_high else ""
                )
            rows.append(tuple(row))
        if self._limits:
            columns.insert(3, say("col_limits"))
        return self._section("bets", say("bets"), [line], Grid(tuple(columns), tuple(rows)))

    def _all(self, names: Sequence[str]) -> str:
        text = names[0]
        for name in names[1:]:
            text = self._say("opening_both", one=text, other=name)
        return text

    def _course(self) -> Section:
        game, say = self._game, self._say
        lines = []
        for step in game.course:
            dealt = [plan for plan in game.deal if plan.deal == step]
            name = "war_common" if step == "war" and game.war_dealer_card == "common" else step
            text = say.of(w.STEPS[name]).format(cards=", ".join(self._dealt(plan) for plan in dealt))
            article = ""
            if step == "war":
                article = game.decision.bet_article
            elif dealt:
                article = game.card_articles[0 if step == "deal" else 1]
            lines.append(Line(text, article))
        return self._section("course", say("course"), lines)

    def _dealt(self, plan: Step) -> str:
        text = self._say.of(w.RECEIVERS[plan.to]).format(n=self._n(plan.count))
        return f"{text} ({self._say.of(w.FACES[plan.face])})" if plan.face else text

    def _decision(self) -> Section:
        game, say = self._game, self._say
        asked = game.decision
        who = say("decides_equal") if asked.on == EQUAL else say("decides_all", bet=self._bet(asked.asks))
        taken = say.of(w.DECISIONS[asked.taken])
        if asked.bet is None:
            made = say("choice_stay", bet=self._bet(asked.asks))
        else:
            bet = next(bet for bet in game.bets if bet.name == asked.bet)
            made = say("choice_taken", bet=self._bet(bet.name), amount=self._amount(bet))
        losses = [
            say("loss", bet=self._bet(bet.name), result=self._result(outcome))
            for bet in game.bets
            for outcome in bet.outcomes
            if outcome.end == REFUSED
        ]
        refused = say.of(w.DECISIONS[asked.refused])
        lines = [
            Line(who, asked.article),
            Line(say("colon", what=taken.capitalize(), which=made), asked.bet_article),
            Line(say("colon", what=refused.capitalize(), which=", ".join(losses) + "."), asked.article),
        ]
        return self._section("decision", say("decision"), lines)

    def _dealer(self) -> Section:
        say, contest = self._say, self._game.contest
        if contest is None:
            return self._section("dealer", say("dealer"), [Line(say("no_dealer"))])
        player = self._counted(contest.cards, contest.size)
        dealer = self._counted(contest.dealer_cards, contest.size)
        lines = [Line(say("compared", player=player, dealer=dealer))]
        if contest.war:
            lines.append(Line(say("war_settles"), self._game.decision.bet_article))
        elif contest.opens is None:
            lines.append(Line(say("opens_always")))
        elif contest.opens[0] == ranking.HIGH:
            lines.append(Line(say("opens_high", card=say.of(w.CARDS[contest.opens[1]]))))
        else:
            kind, lead = contest.opens
            lines.append(Line(say("opens_kind", hand=self._hand(kind, lead, contest.size))))
        return self._section("dealer", say("dealer"), lines)

    def _result(self, outcome: Outcome) -> str:
        name = outcome.result
        if name == FORFEIT and outcome.pays < outcome.per:
            name = "forfeit_part"
        return self._say.of(w.RESULTS[name]).format(pays=outcome.pays, per=outcome.per)

    def _end(self, end: str) -> str:
        contest = self._game.contest
        hand = self._say("card" if contest is not None and contest.size == 1 else "hand")
        return self._say.of(w.ENDS[end]).format(hand=hand)

    def _settlement(self, bet: Bet) -> Section:
        say = self._say
        lines = [Line(say("table_first"), bet.table.article)] if bet.table is not None else []
        if bet.side and self._game.fold_side_bets is not None:
            choice = say.of(w.CHOICES[self._game.fold_side_bets])
            lines.append(Line(say("colon", what=say.of(w.OPTIONS["fold_side_bets"]), which=f"{choice}.")))
        rows = tuple((self._end(outcome.end), self._result(outcome)) for outcome in bet.outcomes)
        title = say("settlement", bet=self._bet(bet.name))
        grid = Grid((say("col_end"), say("col_result")), rows)
        return self._section(f"settlement:{bet.name}", title, lines, grid)

    def _tables(self) -> list[tuple[str, Table]]:
        """Each paytable with the name of its bet, or of the line that has none."""
        found = [(bet.name, bet.table) for bet in self._game.bets if bet.table is not None]
        extra = self._game.extra
        return [*found, (extra.name, extra.table)] if extra is not None else found

    def _paytable(self, name: str, table: Table) -> Section:
        game, say = self._game, self._say
        own = game.cards[0] if game.cards[1] is None else game.cards[1]
        if game.pooled and table.cards > own:
            counted = self._counted(table.cards, table.size)
            on = say("on_pooled", cards=counted, own=self._n(own), dealer=self._n(table.cards - own))
        else:
            on = say("on_player", cards=self._counted(table.cards, table.size))
        lines = [Line(on, table.article)]
        if game.extra is not None and name == game.extra.name:
            lines.append(Line(say("paid_on", bet=self._bet(game.extra.on))))
        taken = say.of(w.DECISIONS[game.decision.taken])
        if table.taken_only:
            lines.append(Line(say("taken_only", choice=taken)))
        elif game.contest is not None:
            lines.append(Line(say("whatever")))
        rows = tuple(self._row(row, table, place) for place, row in enumerate(table.rows))
        grid = Grid((say("col_hand"), say("col_pays")), rows)
        return self._section(f"paytable:{name}", say("paytable", bet=self._bet(name)), lines, grid)

    def _row(self, row: Row, table: Table, place: int) -> tuple[str, str]:
        hand = self._hand(row.kind, row.lead, table.size)
        above = table.rows[place - 1] if place else None
        highest = row.lead in (0, len(w.RANKS) - 1)
        follows = above is not None and (above.kind, above.lead) == (row.kind, row.lead + 1)
        if not highest and not follows:
            hand = self._say("and_up", hand=hand)
        return hand, self._say("pays", pays=row.pays, per=row.per)

    def _options(self) -> Section:
        game, say = self._game, self._say
        known = options(game)
        if not known:
            return self._section("options", say("options"), [Line(say("no_options"))])
        locks = {bet.name: bet.lock for bet in game.bets}
        rows = []
        for name, choices in known:
            chosen = locks["initial"] if name == "initial_lock" else getattr(game, name)
            others = [say.of(w.CHOICES[choice]) for choice in choices if choice != chosen]
            rows.append((say.of(w.OPTIONS[name]), say.of(w.CHOICES[chosen]), self._list(others)))
        columns = (say("col_option"), say("col_force"), say("col_others"))
        return self._section("options", say("options"), (), Grid(columns, tuple(rows)))

    def _identity(self) -> Section:
        game, say = self._game, self._say
        lines = [
            Line(say("game_id", id=game.id, version=game.version)),
            *(
                Line(say("table_id", id=table.name, version=table.version), table.article)
                for _, table in self._tables()
            ),
            Line(say("hash", hash=fingerprint(game).hex())),
            Line(say("articles", first=game.article)),
        ]
        edge = favoured(game, self._decks)
        if edge is None:
            lines.append(Line(say("edge_unknown")))
        elif edge:
            lines.append(Line(say("edge", bets=", ".join(self._bet(name) for name in edge))))
        return self._section("identity", say("identity"), lines)


def _rank(kind: int, size: int) -> int | None:
    """The lowest rank of a kind, or None where hands of that size have no such kind."""
    try:
        return ranking.at_least(kind, 0, size)
    except ValueError:
        return None
