"""docs/bylaw.md against the code and the tests: every name on it exists, and every sentence is tested."""

from sabot.rules.games import GAMES, load
from tests.rules.bylaw.page import PAGE, marked, resolve, rows, written


def test_every_article_is_on_the_page_in_order() -> None:
    names = [row.name for row in rows()]
    assert len(set(names)) == len(names)
    articles = list(dict.fromkeys(name[:-1] for name in names))
    assert articles == ["6", *[f"67.{number}" for number in range(22, 88)]]
    for article in articles:
        letters = "".join(name[-1] for name in names if name[:-1] == article)
        assert letters == "abcdefghij"[: len(letters)], article


def test_every_place_exists_in_the_code() -> None:
    for row in rows():
        assert row.places, row.name
        for place in row.places:
            resolve(place)


def test_a_place_that_does_not_exist_is_found() -> None:
    for wrong in ("games.boston:bets.third", "games.boston:colour", "settle:pay_twice", "games.chess:decks"):
        try:
            resolve(wrong)
        except (LookupError, AttributeError, ImportError):
            continue
        raise AssertionError(wrong)


def test_every_sentence_is_tested_and_every_mark_names_a_sentence() -> None:
    assert set(marked()) == {row.name for row in rows()}


def test_the_page_names_the_tests_there_are() -> None:
    """`python -m tests.rules.bylaw.page` writes them anew."""
    assert PAGE.read_text(encoding="utf-8") == written()


def test_the_page_speaks_of_each_games_own_articles() -> None:
    """An article that a game's data give is one of the page, under that game."""
    by_game: dict[str, set[str]] = {}
    for row in rows():
        for place in row.places:
            if place.startswith("games."):
                by_game.setdefault(place.split(":")[0].removeprefix("games."), set()).add(row.name[:-1])
    for game_id in GAMES:
        game = load(game_id)
        given = {game.decks_article, game.bets_article, game.decision.article, *game.card_articles}
        given |= {bet.table.article for bet in game.bets if bet.table}
        assert given <= by_game[game_id], game_id
