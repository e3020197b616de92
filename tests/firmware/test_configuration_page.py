"""The page of the configuration names every field with its default, and every field is refused where it should be."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from hwsim.provisioning import DEVELOPMENT_KEYS, configuration
from sabot.config import FIELDS, checked
from sabot.config_parts import ConfigError
from sabot.rules import games
from sabot.rules.variants import options
from sabot_host.sim.play import Session

PAGE = (Path(__file__).parents[2] / "docs" / "configuration.md").read_text()
ROLES = ("dealer", "supervisor", "technician", "auditor")
KEYS = {
    "device": DEVELOPMENT_KEYS["device"].hex(),
    "casino": DEVELOPMENT_KEYS["casino"].hex(),
    "roles": {role: DEVELOPMENT_KEYS[role].hex() for role in ROLES},
}
WAR_SEATS = [[[seat, bet] for seat in seats for bet in ("initial", "tie")] for seats in ((1, 2, 3, 4), (5, 6, 7))]

# Field, value, what the refusal says is allowed, its article; the configuration is the game's, then the other changes.
REFUSED: tuple[tuple[str, str, Any, str, str | None, dict[str, Any]], ...] = (
    ("three_card", "version", 2, "1 to 1", None, {}),
    ("three_card", "table", 0, "1 to 65535", None, {}),
    ("three_card", "casino", 70000, "1 to 65535", None, {}),
    ("three_card", "game", "baccara", "three_card or", None, {}),
    ("bataille", "decks", 1, "6 or 8", "67.33", {}),
    ("three_card", "options", [], "an object", None, {}),
    ("three_card", "options.fold_side_bets", {"fold_side_bets": "lost"}, "live or forfeit", None, {}),
    ("three_card", "options.initial_lock", {"initial_lock": "announcement"}, "an option of this game", None, {}),
    ("bataille", "options.war_dealer_card", {"war_dealer_card": "none"}, "own or common", None, {}),
    ("three_card", "limits.blind", {"blind": [1, 2]}, "a bet of ante", "67.26", {}),
    ("three_card", "limits.ante", {"ante": [500]}, "[lowest, highest]", None, {}),
    ("three_card", "limits.ante", {"ante": [500, 400]}, "1 <= lowest <= highest", None, {}),
    ("three_card", "accepted.dealer", {"dealer": "00" * 32}, "supervisor or technician or auditor", None, {}),
    ("three_card", "accepted", 1, "an object", None, {}),
    ("three_card", "losers_first", "yes", "true or false", None, {}),
    ("three_card", "readers", [], "1 to 4 readers", None, {}),
    ("three_card", "readers", [[[1, "ante"]] * 9], "at most 8 antennas", None, {}),
    ("three_card", "readers", [[None]], "one antenna at least", None, {}),
    ("three_card", "readers", [["discard"]], "the spots of one seat at least", None, {}),
    ("three_card", "readers", [[[8, "ante"]]], "seats 1 to 7", None, {}),
    ("three_card", "readers", [[[1, "blind"]]], "a bet of ante", None, {}),
    ("three_card", "readers", [[[1, "ante"], [1, "ante"]]], "each spot on one antenna", None, {}),
    ("three_card", "readers", [[[1, "ante"], "discard"], ["discard"]], "the discard on one antenna", None, {}),
    ("three_card", "readers", [[[1, "ante"], "discard"]], "no reader sees the cards", None, {"deal": "none"}),
    ("bataille", "readers", [[[1, "initial"], "discard"]], "more cards than an antenna", None, {}),
    ("three_card", "readers", [[[1, "ante"], [1, "play"]]], "pair_plus is missing", "67.26", {}),
    ("bataille", "readers", [[[1, "initial"], [1, "additional"]]], "tie is missing", "67.36", {}),
    (
        "bataille",
        "readers",
        [[[1, "initial"], [1, "tie"], [2, "initial"], [2, "tie"], [2, "additional"]]],
        "at every seat or at none",
        "67.36",
        {},
    ),
    ("three_card", "couples_with", 1, "a list of pairs", None, {}),
    ("three_card", "couples_with", [[1]], "a pair", None, {}),
    ("three_card", "couples_with", [[1, 3]], "a seat of the table", None, {}),
    ("three_card", "couples_with", [[1, [2, "blind"]]], "a seat of the table", None, {}),
    ("three_card", "couples_with", [[2, 8]], "a seat of the table", None, {}),
    ("three_card", "couples_with", [[2, 2]], "none with itself", None, {}),
    ("three_card", "couples_with", [[1, 2], [2, 1]], "each two antennas once", None, {}),
    ("three_card", "couples_with", [[1, [1, "ante"]]], "none with itself", None, {}),
    ("three_card", "couples_with", [[1, 2], [[2, "ante"], [1, "play"]]], "each two antennas once", None, {}),
    ("three_card", "afi_chip", 0, "1 to 255", None, {}),
    ("three_card", "afi_card", 113, "another family", None, {}),
    ("three_card", "retries", 33, "1 to 32", None, {}),
    ("three_card", "deal", "by_hand", "cards or packets or none", None, {}),
    ("bataille", "deal", "none", "initial_lock announcement", "67.36", {}),
    ("bataille", "deal", "packets", "card by card", "67.37", {"options": {"initial_lock": "announcement"}}),
    ("three_card", "shoe", "optical", "rfid, unless deal is cards", None, {"deal": "none"}),
    ("three_card", "decks_alternate", True, "unless deal is packets", None, {}),
    ("three_card", "decks_alternate", 1, "true or false", None, {}),
    ("three_card", "gate_after", "never", "confirm or key", None, {}),
    ("three_card", "close_by", "fin", "reveal or key", None, {}),
    ("bataille", "behind_cut_card", 63, "from 64", "67.39", {"readers": WAR_SEATS}),
    (
        "bataille",
        "behind_cut_card",
        21,
        "from 22",
        "67.39",
        {"readers": WAR_SEATS, "options": {"war_dealer_card": "common"}},
    ),
    ("three_card", "behind_cut_card", 53, "to 52", "67.27", {}),
    ("three_card", "consequences.exposed", {"exposed": "swap"}, "burn or go_on", None, {}),
    ("three_card", "consequences.lost", {"lost": "burn"}, "exposed", None, {}),
    ("three_card", "dwell_ms", 5001, "0 to 5000", None, {}),
    ("three_card", "restore_ms", 499, "500 to 60000", None, {}),
    ("three_card", "restore_ms", 2999, "at least dwell_ms, 3000", None, {"dwell_ms": 3000}),
    ("three_card", "moved_ms", 999, "1000 to 60000", None, {}),
    ("three_card", "mispay_ms", 0, "5000 to 300000", None, {}),
    ("three_card", "large_cents", 0, "1 to 1073741823", None, {}),
    ("three_card", "large_times", 0, "1 to 100", None, {}),
    ("three_card", "keyed_cents", -1, "0 to 1073741823", None, {}),
    ("three_card", "payment_cents", 0, "1 to 1073741823", None, {}),
    ("three_card", "half_rounding", 0, "1 to 10000", None, {}),
    ("three_card", "visibility.lte", {"lte": "public"}, "a kind of irregularity", None, {}),
    ("three_card", "visibility.late", {"late": "red"}, "public or dealer or silent", None, {}),
    ("three_card", "payment_order", "", "right_to_left or", None, {}),
    ("three_card", "losers_first", 0, "true or false", None, {}),
    ("three_card", "badge_reader", 1, "true or false", None, {}),
    ("three_card", "sign_on", "on", "required or off", None, {}),
    ("three_card", "language", "de", "fr or en", None, {}),
)


@pytest.mark.parametrize(
    ("game", "field", "value", "allowed", "article", "changes"), REFUSED, ids=[f"{row[1]}-{row[2]}" for row in REFUSED]
)
def test_refused(
    game: str, field: str, value: object, allowed: str, article: str | None, changes: dict[str, Any]
) -> None:
    config = {**configuration(game, 2), **changes}
    checked(config, KEYS)
    with pytest.raises(ConfigError) as caught:
        checked({**config, field.split(".")[0]: value}, KEYS)
    assert (caught.value.field, caught.value.article) == (field, article)
    assert allowed in caught.value.allowed


def test_what_is_taken_is_judged_no_sooner_than_what_came_for_it() -> None:
    for times in ({"dwell_ms": 5000}, {"dwell_ms": 700, "restore_ms": 700}, {"dwell_ms": 0, "restore_ms": 500}):
        checked({**configuration("three_card", 2), **times}, KEYS)


def test_every_field_is_refused_somewhere() -> None:
    assert {row[1].split(".")[0] for row in REFUSED} == set(FIELDS)


def test_a_dealers_key_is_there_where_dealers_must_sign_on() -> None:
    keys = {**KEYS, "roles": {"supervisor": KEYS["roles"]["supervisor"]}}  # type: ignore[index]
    with pytest.raises(ConfigError) as caught:
        checked(configuration("three_card", 2, sign_on="required"), keys)
    assert caught.value.field == "sign_on"
    checked(configuration("three_card", 2, sign_on="off"), keys)


def test_the_war_bet_may_share_the_antenna_of_the_initial_bet() -> None:
    found = checked(configuration("bataille", 7, readers=WAR_SEATS), KEYS)
    assert (found.seats, found.behind_cut_card) == ((1, 2, 3, 4, 5, 6, 7), 64)


def test_antennas_of_one_reader_couple_as_others_do() -> None:
    found = checked(configuration("three_card", 2, couples_with=[[1, 2]]), KEYS)
    assert [list(row) for row in found.couples] == [[3, 4, 5]] * 3 + [[0, 1, 2]] * 3 + [[]] * 2
    found = checked(configuration("three_card", 4, couples_with=[[[2, "ante"], 3]]), KEYS)
    here = [found.antennas.index(place) for place in (0x20, 0x30, 0x31, 0x32)]
    assert here == [3, 8, 9, 10]
    assert [list(found.couples[number]) for number in here] == [[8, 9, 10], [3], [3], [3]]


def rows() -> dict[str, str]:
    """The page's fields and their defaults."""
    fields = PAGE.split("## Options of the games")[0]
    return dict(re.findall(r"^\| `(\w+)` \|[^|]*\| (.*?) \| ", fields, re.MULTILINE) or [])


def test_the_page_names_every_field() -> None:
    names = re.findall(r"^\| `(\w+)` \|", PAGE.split("## Options of the games")[0], re.MULTILINE)
    assert sorted(names) == sorted(FIELDS)


def test_the_page_tells_the_defaults() -> None:
    found = checked(json.loads(PAGE.split("```json")[1].split("```")[0]), KEYS)
    told = {name: default.strip("`") for name, default in rows().items() if default.startswith("`")}
    assert len(told) > 20
    for name, default in told.items():
        if default == "{}":
            continue
        value = getattr(found, name)
        assert default == (json.dumps(value) if isinstance(value, bool) else str(value)), name


@pytest.mark.parametrize("game", games.GAMES)
def test_the_page_tells_the_options(game: str) -> None:
    for name, words in options(games.load(game)):
        assert f"| `{name}` |" in PAGE
        assert f"`{' '.join(words)}`" in PAGE


def test_a_table_of_the_page_s_example_alone_plays() -> None:
    example = re.search(r"^```json\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert example
    with Session(json.loads(example[1])) as session:
        session.table.start()
        session.table.run_for(2000)
        assert session.unwilling() is None
