"""The rule sheet says what the data say: every row, bet, lock, decision, result and option, in both languages."""

import re
from html.parser import HTMLParser
from itertools import product
from pathlib import Path

import pytest

from sabot.rules import ranking
from sabot.rules.cards import RANKS
from sabot.rules.edges import favoured
from sabot.rules.game import Game, Row, Table, fingerprint
from sabot.rules.games import GAMES, load
from sabot.rules.variants import configure, options, with_table
from sabot_host.sheet import content
from sabot_host.sheet import words as w
from sabot_host.sheet.content import Section, Sheet, build
from sabot_host.sheet.layout import WIDTH, as_html, as_json, as_text
from sabot_host.sheet.words import LANGUAGES

BYLAW = (Path(__file__).parents[2] / "docs" / "bylaw.md").read_text(encoding="utf-8")


def versions() -> list[Game]:
    """Every game with every choice of its options."""
    found = []
    for name in GAMES:
        game = load(name)
        known = options(game)
        for chosen in product(*(choices for _, choices in known)):
            found.append(configure(game, **dict(zip((option for option, _ in known), chosen, strict=True))))
    return found


VERSIONS = versions()
CASES = [(game, language) for game in VERSIONS for language in LANGUAGES]
IDS = [f"{game.id}-{index}-{language}" for index, game in enumerate(VERSIONS) for language in LANGUAGES]


def sheet(game: Game, language: str) -> Sheet:
    return build(game, game.decks[0], language)


def part(of: Sheet, name: str) -> Section:
    return next(section for section in of.sections if section.name == name)


def tables(game: Game) -> list[tuple[str, Table]]:
    found = [(bet.name, bet.table) for bet in game.bets if bet.table is not None]
    return found + ([(game.extra.name, game.extra.table)] if game.extra is not None else [])


def said(text: str) -> str:
    """A text without the spaces that may not break."""
    return text.replace("\u00a0", " ")


def rows(section: Section) -> list[tuple[str, ...]]:
    assert section.grid is not None
    return [tuple(said(cell) for cell in row) for row in section.grid.rows]


@pytest.mark.parametrize(("game", "language"), CASES, ids=IDS)
def test_every_row_of_every_paytable(game: Game, language: str) -> None:
    whole = sheet(game, language)
    assert [section.name for section in whole.sections if section.name.startswith("paytable")] == [
        f"paytable:{name}" for name, _ in tables(game)
    ]
    text = said(as_text(whole))
    at = LANGUAGES.index(language)
    for name, table in tables(game):
        section = part(whole, f"paytable:{name}")
        told = rows(section)
        assert len(told) == len(table.rows)
        for (hand, pays), row in zip(told, table.rows, strict=True):
            assert pays == f"{row.pays} {'à' if language == 'fr' else 'to'} {row.per}"
            kind = (
                w.STRAIGHT_FLUSH_OF_FIVE if (row.kind, table.size) == (ranking.STRAIGHT_FLUSH, 5) else w.KINDS[row.kind]
            )
            assert hand.startswith(kind[at])
            assert (w.RANKS[row.lead][at] in hand) == (row.lead > 0)
            assert re.search(rf"^ +{re.escape(hand)} +{re.escape(pays)}$", text, re.MULTILINE), (hand, pays)
        assert section.lines[0].article == table.article


def test_and_better_stands_where_better_hands_of_the_kind_are_paid_by_that_row_too() -> None:
    by_hand = {
        ("five", ranking.PAIR, 4): "pair of sixes or better",
        ("seven", ranking.TWO_PAIR, 8): "two pair, tens or better",
        ("aces_up", ranking.PAIR, 12): "pair of aces",
        ("queens_up", ranking.PAIR, 11): "pair of kings",
        ("super_bonus", ranking.QUADS, 12): "four of a kind, aces",
    }
    for (name, kind, lead), expected in by_hand.items():
        game = next(game for game in map(load, GAMES) if name in dict(tables(game)))
        table = dict(tables(game))[name]
        place = next(place for place, row in enumerate(table.rows) if (row.kind, row.lead) == (kind, lead))
        assert rows(part(sheet(game, "en"), f"paytable:{name}"))[place][0] == expected


@pytest.mark.parametrize(("game", "language"), CASES, ids=IDS)
def test_every_bet_its_lock_and_its_results(game: Game, language: str) -> None:
    whole, at = sheet(game, language), LANGUAGES.index(language)
    told = rows(part(whole, "bets"))
    assert [(row[0], row[2], row[3]) for row in told] == [
        (w.BETS[bet.name][at], w.LOCKS[bet.lock][at], bet.article) for bet in game.bets
    ]
    for bet, row in zip(game.bets, told, strict=True):
        if bet.relation is not None:
            assert w.BETS[bet.relation.base][at] in row[1]
            assert str(bet.relation.high) in row[1] or bet.relation.high == 1
        ends = rows(part(whole, f"settlement:{bet.name}"))
        assert len(ends) == len(bet.outcomes)
        for (_, result), outcome in zip(ends, bet.outcomes, strict=True):
            if outcome.result == "win":
                assert f"{outcome.pays} {'à' if at == 0 else 'to'} {outcome.per}" in result
            first = w.RESULTS[outcome.result][at].split(",")[0].split(" pour")[0]
            assert first in result or outcome.pays < outcome.per


@pytest.mark.parametrize(("game", "language"), CASES, ids=IDS)
def test_course_decision_and_options(game: Game, language: str) -> None:
    whole, at = sheet(game, language), LANGUAGES.index(language)
    assert len(part(whole, "course").lines) == len(game.course)
    decision = " ".join(said(line.text) for line in part(whole, "decision").lines)
    for choice in (game.decision.taken, game.decision.refused):
        assert w.DECISIONS[choice][at].capitalize() in decision
    lost = [bet.name for bet in game.bets for outcome in bet.outcomes if outcome.end == "refused"]
    assert lost and all(w.BETS[name][at] in decision for name in lost)
    for (name, _), row in zip(options(game), rows(part(whole, "options")) if options(game) else [], strict=True):
        chosen = game.bets[0].lock if name == "initial_lock" else getattr(game, name)
        assert row[:2] == (w.OPTIONS[name][at], w.CHOICES[chosen][at])
    if game.war_dealer_card is not None:
        course = as_text(whole)
        assert ("une fois pour toutes" in course or "once for all seats" in course) == (
            game.war_dealer_card == "common"
        )


@pytest.mark.parametrize("game", VERSIONS, ids=lambda game: f"{game.id}-{fingerprint(game).hex()[:4]}")
def test_both_languages_say_the_same_things(game: Game) -> None:
    french, english = sheet(game, "fr"), sheet(game, "en")
    assert [section.name for section in french.sections] == [section.name for section in english.sections]
    for one, other in zip(french.sections, english.sections, strict=True):
        assert [line.article for line in one.lines] == [line.article for line in other.lines]
        assert (one.grid is None) == (other.grid is None)
        if one.grid is not None and other.grid is not None:
            assert len(one.grid.rows) == len(other.grid.rows) and len(one.grid.columns) == len(other.grid.columns)
        for left, right in zip(one.lines, other.lines, strict=True):
            assert left.text != right.text, "a sentence that is the same in both languages"
    assert french.hash == english.hash == fingerprint(game).hex()
    assert fingerprint(game).hex() in as_text(french) and fingerprint(game).hex() in as_html(english)


def test_every_word_is_there_in_both_languages() -> None:
    tables_of_words = [value for value in vars(w).values() if isinstance(value, dict)]
    pairs = [pair for table in tables_of_words for pair in table.values() if isinstance(pair, tuple)]
    pairs += [*w.KINDS, *w.RANKS, *w.CARDS, *w.COUNTS, w.STRAIGHT_FLUSH_OF_FIVE]
    assert len(pairs) > 150
    for french, english in pairs:
        assert french.strip() and english.strip()
        assert set(re.findall(r"{\w+}", french)) == set(re.findall(r"{\w+}", english)), (french, english)
    assert len(w.RANKS) == len(w.CARDS) == len(RANKS)


@pytest.mark.parametrize("game", VERSIONS, ids=lambda game: f"{game.id}-{fingerprint(game).hex()[:4]}")
def test_every_article_of_the_data_is_on_the_sheet(game: Game) -> None:
    text = as_text(sheet(game, "fr"))
    wanted = {game.article, game.decks_article, game.players_article, game.bets_article}
    wanted |= {game.decision.article, game.decision.bet_article, game.card_articles[0]}
    wanted |= {bet.article for bet in game.bets} | {table.article for _, table in tables(game)}
    if game.cards[1] is not None:
        wanted.add(game.card_articles[1])
    for article in wanted:
        assert article in text, article


def test_combinations_stand_in_the_order_of_the_articles_named() -> None:
    for name in GAMES:
        game = load(name)
        whole = sheet(game, "fr")
        for size, article in content.ORDERS[name].items():
            assert re.search(rf"\| {re.escape(article)}a \| .*(combinaisons|valeur des cartes)", BYLAW), article
            if size == 1:
                continue
            told = [row[1] for row in rows(part(whole, f"combinations:{size}"))]
            strengths = [ranking.at_least(kind, 0, size) for kind in map(_kind_of, told)]
            assert strengths == sorted(strengths, reverse=True) and len(set(strengths)) == len(strengths)
            assert len(told) == {3: 6, 4: 8, 5: 10}[size]
        assert {int(section.name[-1]) for section in whole.sections if section.name.startswith("combinations")} == set(
            content.ORDERS[name]
        )
        if name in content.EQUALITY:
            assert re.search(rf"\| {re.escape(content.EQUALITY[name])}a \| deux mains", BYLAW)


def _kind_of(name: str) -> int:
    if name == w.STRAIGHT_FLUSH_OF_FIVE[0]:
        return ranking.STRAIGHT_FLUSH
    return [french for french, _ in w.KINDS].index(name)


def test_a_houses_own_paytable_is_what_its_sheet_says() -> None:
    house = with_table(load("crazy_four"), "super_bonus", 2, (Row(ranking.FLUSH, 0, 3, 2), Row(ranking.PAIR, 9, 7, 4)))
    whole = build(house, 1, "en")
    assert rows(part(whole, "paytable:super_bonus")) == [("flush", "3 to 2"), ("pair of jacks or better", "7 to 4")]
    text = said(as_text(whole))
    assert "Paytable super_bonus, version 2." in text
    assert "The house edge has not been counted for these rules." in text
    assert whole.hash != sheet(load("crazy_four"), "en").hash


def test_who_has_the_edge() -> None:
    for name in GAMES:
        game = load(name)
        for decks in game.decks:
            text = " ".join(said(as_text(build(game, decks, "en"))).split())
            edge = favoured(game, decks)
            assert edge is not None
            names = ", ".join(w.BETS[bet][1] for bet in edge)
            assert (f"give the player the edge ({names})" in text) == bool(edge)
            assert f"{decks} packs of 52 cards in play." in text or (decks == 1 and "One pack of 52 cards." in text)


def test_limits_of_a_table() -> None:
    limits = {"ante": (500, 50000), "pair_plus": (100, 123456)}
    english = rows(part(build(load("three_card"), 1, "en", limits), "bets"))
    french = rows(part(build(load("three_card"), 1, "fr", limits), "bets"))
    assert [row[3] for row in english] == ["$5.00 to $500.00", "$1.00 to $1,234.56", ""]
    assert [row[3] for row in french] == ["5,00 $ à 500,00 $", "1,00 $ à 1 234,56 $", ""]


@pytest.mark.parametrize(("game", "language"), CASES, ids=IDS)
def test_the_text_fits_a_page(game: Game, language: str) -> None:
    text = as_text(build(game, game.decks[-1], language, {bet.name: (100, 100_000_000) for bet in game.bets}))
    assert all(len(line) <= WIDTH for line in text.splitlines())
    assert "{" not in text and "None" not in text and text.endswith("\n")


class Reader(HTMLParser):
    """Checks that tags are closed in order, and keeps what is said."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.said: list[str] = []
        self.language = ""

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if tag == "html":
            self.language = dict(attributes)["lang"] or ""
        assert tag not in ("script", "img", "link"), "the page needs nothing beside it"
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.said.append(data)


@pytest.mark.parametrize(("game", "language"), CASES, ids=IDS)
def test_the_page_says_everything_too(game: Game, language: str) -> None:
    whole = sheet(game, language)
    reader = Reader()
    reader.feed(as_html(whole))
    reader.close()
    assert reader.open == [] and reader.language == language
    told = "".join(reader.said)
    for section in whole.sections:
        assert section.title in told
        assert all(line.text in told for line in section.lines)
        assert section.grid is None or all(cell in told for row in section.grid.rows for cell in row)


def test_the_object_has_it_all() -> None:
    said_of = as_json(sheet(load("boston"), "fr"))
    assert (said_of["game"], said_of["language"], said_of["hash"]) == (
        "boston",
        "fr",
        fingerprint(load("boston")).hex(),
    )
    names = [section["name"] for section in said_of["sections"]]
    assert names[0] == "cards" and "paytable:ante" in names and names[-1] == "identity"
