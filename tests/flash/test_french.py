"""A technician who works in French reads French at each step, and gives a French yes."""

from pathlib import Path

import pytest

from sabot_host.cli.main import LANGUAGE
from sabot_host.errors import Exit
from sabot_host.lang import use
from sabot_host.provision.sheet import _wiring
from tests.flash.conftest import Desk
from tests.flash.test_technician_page import Person


@pytest.fixture(autouse=True)
def french(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    monkeypatch.setenv(LANGUAGE, "fr")
    request.addfinalizer(lambda: use("en"))


@pytest.mark.campaign
def test_a_table_is_commissioned_and_looked_at_in_french(
    fresh: Desk, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert fresh.run("devices") == Exit.OK
    out = capsys.readouterr().out
    assert "numéro de série" in out and "Sabot, sans réglages" in out
    monkeypatch.setattr("sys.stdin", Person("peut-être", "oui"))
    assert fresh.run("provision", "house.toml") == Exit.OK
    told = capsys.readouterr()
    assert "la table 12 est en service : /dev/" in told.out and "à imprimer et à signer : table-12.html" in told.out
    assert "la table 12 ? [o/N]" in told.err and "oui ou non ?" in told.err
    assert "nouvelle clé : keys/table-12/device.key" in told.err and "on attend que la table démarre" in told.err
    page = Path("table-12.html").read_text()
    assert '<html lang="fr">' in page and "Fiche de mise en service" in page and "place 1 initiale" in page
    assert fresh.run("status") == Exit.OK
    out = capsys.readouterr().out
    assert "scellé" in out and "prête" in out and "sabot fermé" in out and "enregistrements 1 à" in out
    assert fresh.run("diag", "--unattended") == Exit.OK
    out = capsys.readouterr().out
    assert (
        "afficheur" in out and "ms par question" in out and "table 12 : réussi ; rapport : table-12-unattended" in out
    )
    page = Path("table-12-unattended.html").read_text()
    assert '<html lang="fr">' in page and "essai de recette" in page and "aucun jeton nulle part" in page
    monkeypatch.setattr("sys.stdin", Person("non"))
    assert fresh.run("seal", "--keys", "keys") == Exit.REFUSED
    err = capsys.readouterr().err
    assert "sceller la table 12 (/dev/" in err and "erreur : rien n'a été écrit [declined]" in err
    assert fresh.run("provision", "house.toml", "--yes") == Exit.DEVICE
    assert "est déjà en service, comme table 12 [provision-there]" in capsys.readouterr().err
    assert fresh.run("flash", "--bundle", "sabot.sabot", "--all", "--yes") == Exit.DEVICE
    out = capsys.readouterr().out
    assert (
        "ÉCHEC" in out and "0 sur 1 faites, 1 EN ÉCHEC" in out and "avec la clé du technicien [boot-loader-key]" in out
    )


def test_the_sheet_names_spots_in_french_and_the_discard() -> None:
    use("fr")
    page = _wiring([[[1, "ante"], [1, "pair_plus"], None], ["discard"]])
    for cell in ("place 1 initiale", "place 1 paire ou plus", "-", "défausse"):
        assert f"<td>{cell}</td>" in page
