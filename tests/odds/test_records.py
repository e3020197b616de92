"""The committed odds and the firmware's table of edges: of the present code, and what it computes."""

from fractions import Fraction
from pathlib import Path

import pytest

from sabot.rules.edges import favoured
from sabot.rules.game import Row, fingerprint
from sabot.rules.games import GAMES, load
from sabot.rules.ranking import PAIR
from sabot.rules.variants import configure, options, with_table
from sabot_host.odds.analysis import analyse
from tests.odds.record import COMMAND, EDGES, covered, edges_text, in_full, records
from tests.records import read_record, stale
from tests.rules.on_micropython import run

RECORDS = records()
IDS = [f"{game}-{decks}" for game, decks, _ in RECORDS]
QUICK = ("three_card", "bataille")
BY_HAND = "four_card-2"  # a minute, and counted as that of one pack is: `make odds`


@pytest.mark.parametrize(("game", "decks", "path"), RECORDS, ids=IDS)
def test_record_is_of_the_present_code(game: str, decks: int, path: Path) -> None:
    """If this fails: make odds."""
    assert stale(path, covered(game)) == []
    record = read_record(path)
    assert (record["command"], record["game"], record["decks"]) == (COMMAND, game, decks)
    assert record["commit"]
    assert record["exact"] is True
    assert record["fingerprint"] == fingerprint(load(game)).hex()


@pytest.mark.parametrize(("game", "decks", "path"), RECORDS, ids=IDS)
def test_figures_of_a_record_agree_with_each_other(game: str, decks: int, path: Path) -> None:
    record = read_record(path)
    for entry in record["bets"].values():
        edge, staked = Fraction(entry["house_edge"]), Fraction(entry["staked"])
        assert entry["house_edge_pct"] == pytest.approx(float(100 * edge), abs=1e-12)
        assert entry["element_of_risk_pct"] == pytest.approx(float(100 * edge / staked), abs=1e-12)
    said = [warning.split(" on ")[1].split(" of ")[0] for warning in record["warnings"]]
    assert said == [bet for bet, entry in record["bets"].items() if entry["house_edge"].startswith("-")]


@pytest.mark.parametrize(
    ("game", "decks", "path"),
    [
        pytest.param(*each, marks=() if each[0] in QUICK else pytest.mark.campaign, id=name)
        for each, name in zip(RECORDS, IDS, strict=True)
        if name != BY_HAND
    ],
)
@pytest.mark.timeout(600)
def test_record_is_what_is_computed(game: str, decks: int, path: Path) -> None:
    record = read_record(path)
    now = in_full(analyse(load(game), decks))
    assert {key: record[key] for key in now} == now


def test_the_table_of_edges_is_made_of_the_records() -> None:
    """If this fails: make odds."""
    assert EDGES.read_text(encoding="utf-8") == edges_text()


@pytest.mark.parametrize("game_id", GAMES)
def test_every_lawful_choice_of_a_game_is_known(game_id: str) -> None:
    game = load(game_id)
    for decks in game.decks:
        known = favoured(game, decks)
        assert known is not None
        for name, words in options(game):
            for word in words:
                assert favoured(configure(game, **{name: word}), decks) == known


def test_what_favours_the_player() -> None:
    """The printed Fou du poker, and with two packs in play every side bet."""
    assert {game: favoured(load(game), load(game).decks[0]) for game in GAMES} == {
        "three_card": (),
        "bataille": (),
        "poker_357": (),
        "boston": (),
        "four_card": (),
        "crazy_four": ("ante",),
    }
    assert {game: favoured(load(game), load(game).decks[1]) for game in GAMES} == {
        "three_card": ("pair_plus",),
        "bataille": (),
        "poker_357": ("three", "five", "seven"),
        "boston": ("bonus",),
        "four_card": ("ante", "aces_up"),
        "crazy_four": ("ante", "queens_up"),
    }


def test_a_paytable_of_a_house_was_never_counted() -> None:
    house = with_table(load("three_card"), "pair_plus", 2, (Row(PAIR, 0, 1, 1),))
    assert favoured(house, 1) is None
    assert favoured(load("three_card"), 3) is None


def test_the_controller_gives_the_same_answer() -> None:
    printed = run(
        """
from sabot.rules.edges import favoured
from sabot.rules.games import load
from sabot.rules.variants import configure
print(favoured(load("crazy_four"), 1), favoured(configure(load("crazy_four"), fold_side_bets="forfeit"), 2))
"""
    )
    assert printed == "('ante',) ('ante', 'queens_up')\n"
