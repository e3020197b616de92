"""What the tools say in French: nothing is missing, nothing is left over, and all parts are where they belong."""

from collections.abc import Iterator

import pytest

from sabot_host import lang
from sabot_host.cli.main import LANGUAGE, main
from sabot_host.errors import Exit
from sabot_host.journal.show import Words
from sabot_host.lang import CODED, Catalogue, catalogue, read, said, spoken, use
from sabot_host.monitor.changes import changes
from sabot_host.monitor.picture import Issue, Picture
from tools import messages

FRENCH = catalogue("fr")


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    yield
    use("en")


def test_the_catalogue_has_every_text_and_no_other() -> None:
    assert messages.wrong() == []


def test_every_template_is_found_by_what_is_said_with_it() -> None:
    """Put together as the code does it, a text comes out in its own French, and in no other template's."""
    entries = read((messages.HOST / "lang" / "fr.po").read_text())
    for text, french in entries.items():
        parts = {part.strip("{}"): f"7{number}" for number, part in enumerate(messages.PART.findall(text))}
        assert FRENCH.said(text.format(**parts)) == french.format(**parts), text


@pytest.mark.parametrize(
    ("text", "french"),
    [
        ("plug it in, look with: sabot devices", "branchez-la, regardez avec : sabot devices"),
        (
            "/dev/ttyACM0 (Sabot, sealed) has no firmware of Sabot",
            "/dev/ttyACM0 (Sabot, scellé) n'a pas le micrologiciel de Sabot",
        ),
        ("all is written, but the board stopped answering", "tout est écrit, mais la carte a cessé de répondre"),
        ("what nobody has a template for", "what nobody has a template for"),
        (
            "the controller refuses the settings: dwell_ms is 'x'; allowed: an object [deck]",
            "le contrôleur refuse les réglages : dwell_ms vaut 'x' ; permis : un objet [deck]",
        ),
        (
            "deck.json: a UID has 8 bytes; register the deck again",
            "deck.json : un UID a 8 octets ; inscrivez le paquet de nouveau",
        ),
        ("tables.toml: seats: at most 7", "tables.toml : seats : au plus 7"),
        ("/tmp/x: Is a directory", "/tmp/x : c'est un dossier"),
        ("tables.toml: seats: nobody says so", "tables.toml: seats: nobody says so"),
        ("written: é\x1b[2J", "écrit : é\x1b[2J"),
        ("part clock 0", "partie horloge 0"),
        ("part beacon 0", "partie beacon 0"),
        (
            "seat 1: lay one chip on each of: ante, play",
            "place 1 : posez un jeton sur chacune de : initiale, additionnelle",
        ),
        ("seat 1 ante, seat 2 play", "place 1 initiale, place 2 additionnelle"),
        ("seat 1 ante, nobody says so", "seat 1 ante, nobody says so"),
        ("3 lines", "3 lignes"),
        ("'dance' begins no line", "'dance' begins no line"),
        ("irregularity 3: refused", "irrégularité 3 : refusée"),
        ("", ""),
    ],
)
def test_a_text_in_french(text: str, french: str) -> None:
    use("fr")
    assert said(text) == french
    use("en")
    assert said(text) == text


def test_a_name_of_a_code_has_the_word_of_its_table() -> None:
    use("fr")
    tongue = spoken()
    assert (tongue.word("table", "locked"), tongue.word("spot", "locked")) == ("rien ne va plus", "verrouillée")
    assert tongue.word("kind", "kind_99") == "kind_99"
    assert tongue.money(123456) == "1234,56"
    use("en")
    assert spoken() is CODED and CODED.word("kind", "late") == "late" and CODED.money(5) == "0.05"


def test_a_records_words_in_french_and_those_for_programs() -> None:
    use("fr")
    lock = {"name": "lock", "fields": {"round": 3, "edge": 1_500_000, "game_hash": bytes(8), "spots": [(0x21, 2500)]}}
    assert Words(("ante", "pair_plus"), spoken()).told(lock) == (
        "rien ne va plus : partie 3, front +1.500000, empreinte du jeu 0000000000000000, "
        "cases [place 2 paire ou plus 25,00 $]"
    )
    assert Words(("ante", "pair_plus")).told(lock).endswith("spots [seat 2 pair_plus 25.00 $]")


def test_a_view_in_french() -> None:
    issues = (Issue(4, "late", 2, 3, "ante"),)
    picture = Picture(True, False, 9, "", ("reader 2: silent",), (), "betting", round=7, issues=issues)
    use("fr")
    assert changes(None, picture, True, spoken()) == [
        "panne : lecteur 2 : silent",
        "table mises ouvertes, partie 7",
        "irrégularité 4 : mise tardive, place 3 initiale, gravité 2",
    ]
    assert changes(None, picture, True)[2] == "irregularity 4: late at seat 3 ante, severity 2"


def test_each_line_is_a_text_of_its_own() -> None:
    use("fr")
    assert said("nothing was written\nadd --yes") == "rien n'a été écrit\najoutez --yes"


def test_a_text_within_a_text_within_a_text_has_an_end() -> None:
    deep = Catalogue("fr", {"about {x} and no end": "de {x} sans fin"})
    text = "about " * 50 + "it" + " and no end" * 50
    assert deep.said(text).startswith("de de de about") or deep.said(text).startswith("de de de de about")


def test_a_text_of_any_length_is_looked_up_at_once() -> None:
    """A template with several parts was tried at each of the text's letters, and again behind each: for ever."""
    long = "x" * 1_000_000
    assert FRENCH.said(f"--do: {long} begins no line") == f"--do: {long} begins no line"
    assert FRENCH.said(f"{long} is there already") == f"{long} existe déjà"


def test_the_command_speaks_french(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("config", "set", "dwell_ms", "--keys", ".")
    assert main(("--lang", "fr", *words)) == Exit.USAGE
    assert capsys.readouterr().err == (
        "erreur : donnez une valeur, ou --default [config-what]\nque faire : sabot config set --help\n"
    )
    assert main(words) == Exit.USAGE
    assert capsys.readouterr().err.startswith("error: give a value")
    monkeypatch.setenv(LANGUAGE, "fr")
    assert main(("nonsense",)) == Exit.USAGE
    assert "Il n'y a pas de commande" in capsys.readouterr().err
    assert main(("--lang", "en", "nonsense")) == Exit.USAGE
    assert "No such command" in capsys.readouterr().err
    monkeypatch.setenv(LANGUAGE, "de")
    assert main(("devices",)) == Exit.USAGE
    assert "[language-unknown]" in capsys.readouterr().err


def test_french_costs_nothing_where_english_is_spoken() -> None:
    assert lang._used == []
