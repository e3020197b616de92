"""`--help` in French: every command's, to the last sentence; and English as click writes it."""

from collections.abc import Iterator

import click
import pytest

from sabot_host.cli import helping
from sabot_host.cli.main import COMMANDS, main
from sabot_host.errors import Exit
from sabot_host.lang import use
from tools.messages import SKIPPED_FILES, helps

OURS = sorted(name for name, entry in COMMANDS.items() if f"cli/{entry.module}.py" not in SKIPPED_FILES)


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    yield
    use("en")


def said(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main((*words, "--help")) == Exit.OK
    return " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("name", OURS)
def test_no_sentence_of_a_commands_help_stays_english(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    english, french = said(capsys, name), said(capsys, "--lang", "fr", name)
    assert french.startswith(f"Utilisation : sabot {name}") and english.startswith(f"Usage: sabot {name}")
    own = [text for text, of in helps() if of == name and len(text) > 12]
    assert any(text in english for text in own)
    assert [text for text in own if text in french] == []


def test_a_groups_commands_are_listed_with_their_whole_first_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        "Play FILE through the reference model and the rules: each state, and each settlement worked out again."
        in said(capsys, "journal")
    )
    out = said(capsys, "--lang", "fr", "journal")
    assert "Rejoue FILE dans le modèle de référence et les règles : chaque état, et chaque règlement recalculé." in out
    assert "COMMANDE [ARGUMENTS]..." in out and "Montre ce message et finit." in out


def test_what_is_typed_is_the_same_in_french(capsys: pytest.CaptureFixture[str]) -> None:
    out = said(capsys, "--lang", "fr", "badge", "enrol")
    assert "[défaut : dealer]" in out and "[obligatoire]" in out and "--role [dealer|supervisor" in out
    assert "sabot seal --keys keys --table 3,7" in said(capsys, "--lang", "fr", "seal")


def test_english_help_is_what_click_writes(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    ours = said(capsys, "flash")
    monkeypatch.setattr(helping, "SaidFormatter", click.HelpFormatter)
    monkeypatch.setattr("sabot_host.cli.main.SaidFormatter", click.HelpFormatter)
    assert said(capsys, "flash") == ours
