"""`sabot rules` as a person or a script meets it."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from hwsim.provisioning import configuration
from sabot.rules.game import fingerprint
from sabot.rules.games import GAMES, load
from sabot.rules.variants import configure
from sabot_host.cli.main import main
from sabot_host.errors import Exit

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def command(*words: str) -> tuple[int, str, str]:
        status = main(["rules", *words])
        return (status, *capsys.readouterr())

    return command


@pytest.mark.parametrize("game", GAMES)
def test_each_game_in_both_languages(game: str, run: Run) -> None:
    status, french, err = run(game)
    assert (status, err) == (Exit.OK, "") and french.startswith("Règles du jeu")
    status, english, err = run(game, "--lang", "en")
    assert (status, err) == (Exit.OK, "") and english.startswith("Rules of the game")
    assert fingerprint(load(game)).hex() in french and fingerprint(load(game)).hex() in english


def test_a_page_and_an_object(run: Run, tmp_path: Path) -> None:
    page = tmp_path / "boston.html"
    status, out, _ = run("boston", "--lang", "en", "--html", str(page))
    assert (status, out) == (Exit.OK, "") and "<h1>Boston Poker</h1>" in page.read_text(encoding="utf-8")
    status, out, _ = run("boston", "--json", "--html", str(page))
    assert status == Exit.OK and json.loads(out)["title"] == "Poker de Boston"
    assert run("boston", "--html", str(tmp_path / "none" / "boston.html"))[0] == Exit.FILE


def test_options_and_packs(run: Run) -> None:
    words = ("--option", "war_dealer_card=common", "--option", "half_stakes=even", "--decks", "8", "--json")
    said = json.loads(run("bataille", *words)[1])
    assert said["decks"] == 8
    assert said["hash"] == fingerprint(configure(load("bataille"), war_dealer_card="common", half_stakes="even")).hex()


def test_of_a_table(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    path.write_text(json.dumps(configuration("boston", 7, options={"fold_side_bets": "forfeit"}, decks=2)))
    status, out, err = run("boston", "--lang", "en", "--config", str(path))
    assert (status, err) == (Exit.OK, "")
    assert "2 packs of 52 cards in play." in out and "$5.00 to $500.00" in out
    assert fingerprint(configure(load("boston"), fold_side_bets="forfeit")).hex() in out


@pytest.mark.parametrize(
    ("words", "status", "code"),
    [
        (("no_such_game",), Exit.USAGE, "usage"),
        (("boston", "--lang", "de"), Exit.USAGE, "usage"),
        (("boston", "--decks", "3"), Exit.USAGE, "rules-decks"),
        (("boston", "--option", "fold_side_bets"), Exit.USAGE, "rules-option"),
        (("boston", "--option", "initial_lock=announcement"), Exit.USAGE, "rules-option"),
        (("boston", "--option", "fold_side_bets=maybe"), Exit.USAGE, "rules-option"),
        (("boston", "--config", "/no/such/config.json"), Exit.FILE, "file-access"),
    ],
)
def test_errors(words: tuple[str, ...], status: Exit, code: str, run: Run) -> None:
    found, out, err = run(*words)
    assert (found, out) == (status, "") and f"[{code}]" in err and err.count("\n") == 2


@pytest.mark.parametrize(
    "text",
    [
        "not json",
        "[]",
        '{"game": "bataille"}',
        '{"game": "boston"}',
        '{"game": "boston", "decks": 1, "options": []}',
        '{"game": "boston", "decks": 1, "limits": {"ante": 5}}',
        '{"game": "boston", "decks": 1, "limits": {"ante": [5, "x"]}}',
        '{"game": "boston", "decks": 1, "options": {"fold_side_bets": 1}}',
    ],
)
def test_what_is_no_configuration_of_the_game(text: str, run: Run, tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    path.write_text(text)
    status, out, err = run("boston", "--config", str(path))
    assert status in (Exit.FILE, Exit.USAGE) and out == "" and err.count("\n") == 2
