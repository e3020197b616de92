"""`sabot odds`: the JSON object, the text, the picture, the warnings and the misuses."""

import json
import sys
from pathlib import Path

import pytest

from sabot_host.cli.main import main
from sabot_host.errors import Exit


def test_json_is_one_object_of_the_documented_shape(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", "three_card", "--decks", "1", "--json"]) == Exit.OK
    out, err = capsys.readouterr()
    assert err == ""
    assert json.loads(out) == {
        "game": "three_card",
        "decks": 1,
        "bets": {
            "ante": {
                "house_edge_pct": pytest.approx(3.3729809436),
                "house_edge": "686689/20358520",
                "element_of_risk_pct": pytest.approx(2.0146717),
            },
            "pair_plus": {
                "house_edge_pct": pytest.approx(2.3167420814),
                "house_edge": "128/5525",
                "element_of_risk_pct": pytest.approx(2.3167420814),
            },
        },
    }
    assert out.count("\n") == 1


def test_one_bet_and_the_fewest_packs_by_default(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", "bataille", "--bet", "tie", "--json"]) == Exit.OK
    found = json.loads(capsys.readouterr().out)
    assert (found["decks"], list(found["bets"])) == (6, ["tie"])
    assert found["bets"]["tie"]["house_edge"] == "58/311"


def test_text_gives_exact_probabilities_and_best_decisions(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", "three_card"]) == Exit.OK
    out = capsys.readouterr().out
    for piece in ("exact count", "= 686689/20358520", "fold below Q-6-4; play with Q-6-4 or better", "12/5525"):
        assert piece in out
    assert "The player has the edge" not in out
    assert max(len(line) for line in out.splitlines()) <= 120


def test_text_of_a_war(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", "bataille", "--decks", "8"]) == Exit.OK
    assert "on equality always war" in capsys.readouterr().out


def test_player_edge_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", "three_card", "--decks", "2", "--bet", "pair_plus"]) == Exit.OK
    assert "The player has the edge on pair_plus of three_card with 2 packs: 7.6879 %" in capsys.readouterr().out
    assert main(["odds", "three_card", "--decks", "2", "--bet", "pair_plus", "--json"]) == Exit.OK
    out, err = capsys.readouterr()
    assert json.loads(out)["bets"]["pair_plus"]["house_edge"] == "-1750/22763"
    assert "warning: The player has the edge" in err


def test_plot_is_a_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "odds.png"
    assert main(["odds", "three_card", "--plot", str(path), "--json"]) == Exit.OK
    assert path.read_bytes().startswith(b"\x89PNG\r\n\x1a\n")
    assert json.loads(capsys.readouterr().out)


def test_plot_that_cannot_be_written_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", "bataille", "--plot", str(tmp_path / "no" / "odds.png")]) == Exit.FILE
    assert "[file-access]" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["bataille", "--decks", "1"], "odds-decks"),
        (["three_card", "--decks", "3"], "odds-decks"),
        (["three_card", "--bet", "play"], "odds-bet"),
        (["three_card", "--bet", "queens_up"], "odds-bet"),
        (["blackjack"], "usage"),
        ([], "usage"),
    ],
)
def test_misuse_is_two_lines(words: list[str], code: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", *words]) == Exit.USAGE
    out, err = capsys.readouterr()
    assert out == ""
    assert f"[{code}]" in err
    assert len(err.splitlines()) == 2


def test_missing_numpy_names_the_extra(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    for name in [name for name in sys.modules if name.startswith("sabot_host.odds")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "numpy", None)
    assert main(["odds", "three_card"]) == Exit.MISSING
    assert ".[odds]" in capsys.readouterr().err
