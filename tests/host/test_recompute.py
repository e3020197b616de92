"""Settlements of a journal are worked out again: what is not due by cards, bets and decisions is found."""

from collections.abc import Callable
from typing import Any

import pytest

from sabot.wire import codes
from sabot_host.model.recompute import Recomputed
from sabot_host.model.replay import Misfit, replay
from tests.table.on_board.choices import play_too_low_completed, play_too_low_refused
from tests.table.on_board.clean_rounds import clean_round

Row = tuple[int, int, int, int, int]
WIN, LOSE, PUSH = (codes.RESULTS.index(result) for result in ("win", "lose", "push"))

ALTERATIONS: dict[str, Callable[[Row], Row]] = {
    "paid a cent more": lambda row: (*row[:3], row[3] + 1, row[4]),
    "not given back": lambda row: (*row[:4], 0),
    "a stake of its double": lambda row: (*row[:2], row[2] * 2, *row[3:]),
    "lost": lambda row: (row[0], LOSE, row[2], 0, 0),
    "won": lambda row: (row[0], WIN, row[2], row[2], row[2]),
    "a push": lambda row: (row[0], PUSH, row[2], 0, row[2]),
    "a result that is none": lambda row: (row[0], 77, *row[2:]),
    "a place that is none": lambda row: (row[0] | 15, *row[1:]),
}


def counted(records: list[dict[str, Any]]) -> Recomputed:
    return replay(records).recomputed


def test_every_line_of_a_clean_round_is_worked_out() -> None:
    records = clean_round().records
    lines = sum(len(record["fields"]["bets"]) for record in records if record["name"] == "settlement")
    assert counted(records).counts.as_dict() == {"rounds": 1, "lines": lines, "ruled": 0, "judged": 0}
    assert lines >= 3


@pytest.mark.parametrize("scenario", [play_too_low_completed, play_too_low_refused])
def test_a_seat_that_was_ruled_on_is_worked_out_from_what_was_settled(scenario: Callable[[], Any]) -> None:
    counts = counted(scenario().records).counts
    assert counts.ruled > 0


@pytest.mark.parametrize("how", ALTERATIONS)
def test_a_line_that_is_not_due_is_found(how: str) -> None:
    records = clean_round().records
    found = 0
    for position, record in enumerate(records):
        if record["name"] != "settlement":
            continue
        for at, row in enumerate(record["fields"]["bets"]):
            altered = ALTERATIONS[how](row)
            if altered == row:
                continue
            bets = [*record["fields"]["bets"][:at], altered, *record["fields"]["bets"][at + 1 :]]
            changed = {**record, "fields": {**record["fields"], "bets": bets}}
            with pytest.raises(Misfit):
                replay([*records[:position], changed, *records[position + 1 :]])
            found += 1
    assert found


@pytest.mark.parametrize(("name", "listed"), [("confirmed", "spots"), ("decisions", "spots"), ("decisions", "seats")])
def test_a_bet_or_a_decision_that_was_another_is_found(name: str, listed: str) -> None:
    records = clean_round().records
    for position, record in enumerate(records):
        if record["name"] == name:
            for at, row in enumerate(record["fields"][listed]):
                other = (row[0], 3 - row[1]) if listed == "seats" else (row[0], row[1] + 100, *row[2:])
                rows = [*record["fields"][listed][:at], other, *record["fields"][listed][at + 1 :]]
                changed = {**record, "fields": {**record["fields"], listed: rows}}
                with pytest.raises(Misfit):
                    replay([*records[:position], changed, *records[position + 1 :]])


def test_a_round_under_unknown_rules_does_not_fit() -> None:
    records = clean_round().records
    at = [record["name"] for record in records].index("lock")
    lock = {**records[at], "fields": {**records[at]["fields"], "game_hash": bytes(8)}}
    with pytest.raises(Misfit, match="no game of this tool"):
        replay([*records[:at], lock, *records[at + 1 :]])
