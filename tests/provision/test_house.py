"""The house's file, its keys and its decks: what they give, and what is wrong with one is told by its field."""

import json
import stat
from pathlib import Path

import pytest

from hwsim.provisioning import DEVELOPMENT_KEYS, card_number, deck_entries, small_table
from hwsim.table import SimTable
from sabot_host.errors import FileError, UsageError
from sabot_host.provision import deck, house
from sabot_host.provision.board import files_of
from sabot_host.provision.dialogue import ask
from sabot_host.provision.keys import KeyFolder, fingerprint
from sabot_host.provision.template import template
from sabot_host.sim.acceptance import with_acceptance

FILE = """\
house = "Maison"
casino = 514
[defaults]
game = "three_card"
seats = 2
limits = {ante = [500, 50000], pair_plus = [100, 10000]}
[[table]]
table = 1
deck = "one.csv"
[[table]]
table = 7
game = "bataille"
seats = [1, 3]
decks = 6
limits = {}
serial = "E66164084373532B"
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "house.toml"
    path.write_text(text)
    return path


def test_a_table_has_the_defaults_and_its_own_fields(tmp_path: Path) -> None:
    of_house = house.read(written(tmp_path, FILE))
    assert (of_house.name, of_house.keys) == ("Maison", tmp_path / "keys")
    one = of_house.table(1)
    assert one.config == {
        "version": 1,
        "casino": 514,
        "table": 1,
        "game": "three_card",
        "limits": {"ante": [500, 50000], "pair_plus": [100, 10000]},
        "readers": small_table()["readers"],
    }
    assert (one.decks, one.serial) == ((tmp_path / "one.csv",), "")
    seven = of_house.table(7)
    assert seven.config["limits"] == {}
    assert seven.config["readers"] == [
        [[seat, bet] for seat in (1, 3) for bet in ("initial", "tie", "additional")],
    ]
    assert (seven.decks, seven.serial) == ((), "E66164084373532B")


def test_the_table_is_chosen_by_its_number(tmp_path: Path) -> None:
    of_house = house.read(written(tmp_path, FILE))
    with pytest.raises(UsageError) as several:
        of_house.table(None)
    assert (several.value.code, several.value.message) == ("table-several", "the file has several tables: 1, 7")
    with pytest.raises(UsageError) as unknown:
        of_house.table(2)
    assert unknown.value.code == "table-unknown"


@pytest.mark.parametrize(
    ("text", "code", "named"),
    [
        ("casino = ", "house-no-toml", "house.toml"),
        ("casino = 1", "house-field", "table"),
        ("table = 3", "house-field", "table"),
        ("gmae = 'x'\n[[table]]\ntable = 1", "house-field", "gmae"),
        ("defaults = 3\n[[table]]\ntable = 1", "house-field", "defaults"),
        ("[[table]]\ngame = 'three_card'", "house-field", "table"),
        ("[[table]]\ntable = true", "house-field", "table"),
        ("[[table]]\ntable = 1\ngame = 'three_card'", "house-field", "seats"),
        ("[[table]]\ntable = 1\ngame = 'three_card'\nseats = 8", "house-field", "seats"),
        ("[[table]]\ntable = 1\ngame = 'three_card'\nseats = 0", "house-field", "seats"),
        ("[[table]]\ntable = 1\ngame = 'whist'\nseats = 2", "house-field", "game"),
        ("[[table]]\ntable = 1\nreaders = []\ndeck = 3", "house-field", "deck"),
        ("[[table]]\ntable = 1\nreaders = []\nserial = 3", "house-field", "serial"),
        ("[[table]]\ntable = 1\nreaders = []\naccept_paytable = 'x'", "house-field", "accept_paytable"),
        (FILE.replace("table = 7", "table = 1"), "house-field", "twice"),
    ],
)
def test_what_is_wrong_is_told_by_its_field(tmp_path: Path, text: str, code: str, named: str) -> None:
    with pytest.raises(FileError) as wrong:
        house.read(written(tmp_path, text))
    assert wrong.value.code == code
    assert named in wrong.value.message


def test_a_template_for_forty_tables_is_a_house_s_file(tmp_path: Path) -> None:
    of_house = house.read(written(tmp_path, template(40)))
    assert [table.number for table in of_house.tables] == list(range(1, 41))
    assert of_house.table(40).decks == (tmp_path / "decks" / "table-40.csv",)


def test_the_dialogue_asks_again_and_gives_a_house_s_file(tmp_path: Path) -> None:
    answers = {
        "name of the house": ['Maison "A"'],
        "number of the table": ["0", "x", "12"],
        "game": ["whist", "bataille"],
        "seats": ["8", "3"],
        "packs in play": ["7", "8"],
        "lowest initial": ["", "0", "10,50"],
        "highest initial": ["10.49", "1000"],
        "language": ["de", "en"],
    }
    refused = 0

    def asker(question: str, default: str, check: object) -> object:
        nonlocal refused
        for name, given in answers.items():
            if question.startswith(name):
                while True:
                    try:
                        return check(given.pop(0))  # type: ignore[operator]
                    except ValueError:
                        refused += 1
        return check(default)  # type: ignore[operator]

    of_house = house.read(written(tmp_path, ask(asker)))
    plan = of_house.table(None)
    assert of_house.name == 'Maison "A"'
    assert (plan.number, plan.config["game"], plan.config["decks"], plan.config["language"]) == (
        12,
        "bataille",
        8,
        "en",
    )
    assert plan.config["limits"] == {"initial": [1050, 100000], "tie": [500, 50000]}
    assert {seat for reader in plan.config["readers"] for seat, _ in reader} == {1, 2, 3}
    assert refused == 9


# --- keys ---


def test_keys_are_made_once_for_their_owner_alone(tmp_path: Path) -> None:
    folder = KeyFolder(tmp_path / "keys")
    casino, keys = folder.casino(), folder.table(12)
    assert sorted(keys) == ["auditor", "dealer", "device", "journal", "supervisor", "technician"]
    assert len({casino, *keys.values()}) == 7
    assert all(len(key) == 32 for key in keys.values())
    assert len(folder.made) == 7
    for path in folder.made:
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    again = KeyFolder(tmp_path / "keys")
    assert (again.casino(), again.table(12), again.made) == (casino, keys, [])
    assert KeyFolder(tmp_path / "keys").table(13)["device"] != keys["device"]


def test_a_key_that_others_may_read_is_refused(tmp_path: Path) -> None:
    KeyFolder(tmp_path).casino()
    (tmp_path / "casino.key").chmod(0o640)
    with pytest.raises(FileError) as shown:
        KeyFolder(tmp_path).casino()
    assert shown.value.code == "key-file-open"


def test_a_damaged_key_is_never_replaced(tmp_path: Path) -> None:
    path = tmp_path / "casino.key"
    path.touch(0o600)
    path.write_text("half a key")
    with pytest.raises(FileError) as damaged:
        KeyFolder(tmp_path).casino()
    assert damaged.value.code == "key-file-bad"
    assert path.read_text() == "half a key"


def test_a_fingerprint_tells_keys_apart_and_nothing_else() -> None:
    assert fingerprint(bytes(32)) != fingerprint(bytes(31) + b"\1")
    assert len(fingerprint(bytes(32))) == 12


# --- decks ---


def test_a_deck_is_masked_as_the_controller_reads_it(tmp_path: Path) -> None:
    pack = [card for cards in SimTable(tmp_path / "board").packs for card in cards]
    path = tmp_path / "deck.csv"
    path.write_text("# comment\n\n" + "".join(f"{card.uid.hex().upper()} , {card.code}\n" for card in pack))
    cards = deck.read(path)
    assert sorted(cards) == sorted((card.uid, card_number(card.code)) for card in pack)
    key = DEVELOPMENT_KEYS["device"]
    assert deck.masked([cards], key) == deck_entries([pack], key)
    assert deck.masked([cards[:26], cards[26:]], key) == deck_entries([pack[:26], pack[26:]], key)


@pytest.mark.parametrize("line", ["e00401", "e00401500a1b2c3d", "e00401500a1b2c3d,Ax", "e00401500a1b2c3g,As", "a,b,c"])
def test_a_wrong_line_of_a_deck_is_told_by_its_number(tmp_path: Path, line: str) -> None:
    path = tmp_path / "deck.csv"
    path.write_text("e00401500a1b2c3d,As\n" + line + "\n")
    with pytest.raises(FileError, match=r"deck\.csv: card 2: ") as wrong:
        deck.read(path)
    assert wrong.value.code == "deck-line"


# --- the files of a board ---


def test_the_board_s_files(tmp_path: Path) -> None:
    plan = house.read(written(tmp_path, FILE)).table(1)
    folder = KeyFolder(tmp_path / "keys")
    keys = folder.table(1)
    files = {name: json.loads(data) for name, data in files_of(plan, folder.casino(), keys, [], "ab").items()}
    assert files["config.json"] == plan.config
    roles = {role: keys[role].hex() for role in ("dealer", "supervisor", "technician", "auditor")}
    assert files["keys.json"] == {
        "device": keys["device"].hex(),
        "casino": folder.casino().hex(),
        "release": "ab",
        "roles": roles,
    }
    assert files["provision.json"] == {"journal": keys["journal"].hex()}


def test_a_paytable_is_accepted_by_the_roles_that_the_file_names(tmp_path: Path) -> None:
    text = "casino = 1\n[[table]]\ntable = 1\ngame = 'crazy_four'\nseats = 1\ndecks = 1\naccept_paytable = {}"
    plan = house.read(written(tmp_path, text.format('["supervisor", "auditor"]'))).table(1)
    keys = {**DEVELOPMENT_KEYS}
    config = json.loads(files_of(plan, bytes(32), keys, [], "")["config.json"])
    assert config["accepted"] == with_acceptance(dict(plan.config))["accepted"]
    plan = house.read(written(tmp_path, text.format('["king"]'))).table(1)
    with pytest.raises(FileError, match="no role king"):
        files_of(plan, bytes(32), keys, [], "")
