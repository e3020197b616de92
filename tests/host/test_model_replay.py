"""A journal that does not fit is found at its first wrong record."""

from typing import Any

import pytest

from sabot.wire import codes, meters
from sabot_host.model.replay import Misfit, replay
from tests.table.on_board.choices import play_too_low_completed, play_too_low_refused
from tests.table.on_board.clean_rounds import clean_round
from tests.table.on_board.deals import unread_card
from tests.table.on_board.locks import out_at_the_lock

JOURNALS = {
    scenario.__name__: scenario().records
    for scenario in (clean_round, out_at_the_lock, play_too_low_completed, play_too_low_refused, unread_card)
}
# What the model must miss when it is not there. A confirmation without a seat that is out changes no state, and an
# irregularity that moves nothing is missed only where it is resolved.
NEEDED = ("lock", "deal", "decisions", "reveal", "settlement", "card_fault", "seat_state", "round_end")


@pytest.mark.parametrize("journal", JOURNALS)
def test_a_journal_without_one_of_its_records_does_not_fit(journal: str) -> None:
    records = JOURNALS[journal]
    again = [{**record, "fields": later(record["fields"])} for record in records if record["name"] != "table"]
    replay([*records, *again])
    for position, left_out in enumerate(records):
        if left_out["name"] in NEEDED:
            with pytest.raises(Misfit):
                replay([*records[:position], *records[position + 1 :], *again])


def later(fields: dict[str, Any]) -> dict[str, Any]:
    """The same in the round after, so that what the last one left open shows."""
    moved = dict(fields)
    for name, by in (("round", 1), ("rounds", 1), ("id", 100)):
        if name in moved:
            moved[name] += by
    return moved


@pytest.mark.parametrize("journal", JOURNALS)
def test_a_record_that_comes_twice_does_not_fit(journal: str) -> None:
    records = JOURNALS[journal]
    for position, twice in enumerate(records):
        if twice["name"] in NEEDED:
            with pytest.raises(Misfit) as found:
                replay([*records[: position + 1], twice, *records[position + 1 :]])
            assert found.value.sequence >= twice["sequence"]
            assert str(found.value.sequence) in str(found.value)


def test_a_hand_that_was_not_committed_to_is_found() -> None:
    records = [dict(record) for record in JOURNALS["clean_round"]]
    for entry in records:
        if entry["name"] == "reveal":
            seat, nonce, cards = entry["fields"]["hands"][1]
            other = bytes([cards[0] ^ 1, *cards[1:]])
            entry["fields"] = {**entry["fields"], "hands": [entry["fields"]["hands"][0], (seat, nonce, other)]}
            wrong = entry["sequence"]
    with pytest.raises(Misfit, match="committed") as found:
        replay(records)
    assert (found.value.sequence, found.value.name) == (wrong, "reveal")


def record(name: str, **fields: Any) -> dict[str, Any]:
    return {"sequence": 0, "name": name, "fields": fields}


def next_round() -> list[dict[str, Any]]:
    return [{**entry, "fields": later(entry["fields"])} for entry in JOURNALS["clean_round"]]


def restarted(cut_after: str) -> list[dict[str, Any]]:
    """A clean round cut by a power failure after a record of that name, and what the controller writes at its start."""
    records = JOURNALS["clean_round"]
    position = [entry["name"] for entry in records].index(cut_after)
    return [*records[: position + 1], record("power_on", cause=0, version="", config_hash=bytes(8))]


def unsettled(cut_after: str) -> list[tuple[int, int]]:
    """The bets of a clean round that are neither settled nor given back behind its record of that name."""
    bets: dict[int, int] = {}
    for entry in JOURNALS["clean_round"]:
        if entry["name"] in ("lock", "confirmed", "decisions"):
            bets.update({row[0]: row[1] for row in entry["fields"]["spots"]})
        elif entry["name"] == "settlement":
            for row in entry["fields"]["bets"]:
                bets.pop(row[0], None)
        if entry["name"] == cut_after:
            break
    return sorted((place, cents) for place, cents in bets.items() if cents)


@pytest.mark.parametrize("cut_after", ["lock", "confirmed", "deal", "decisions", "reveal", "settlement"])
def test_a_round_cut_by_a_power_failure_is_voided_and_the_next_fits(cut_after: str) -> None:
    left = unsettled(cut_after)
    void = record("void", round=1, reason=codes.VOID_REASONS.index("power_cut"), by=0, article="house", spots=left)
    lost = record("power_lost_in_play", round=1, table_state=5)
    model = replay([*restarted(cut_after), lost, void, *next_round()])
    assert model.table() == "betting"
    with pytest.raises(Misfit):
        replay([*restarted(cut_after), lost, *next_round()])


def test_a_restart_between_rounds_needs_no_void() -> None:
    assert replay([*restarted("round_end"), *next_round()]).table() == "betting"
    assert replay([*restarted("table"), *JOURNALS["clean_round"]]).seat(1) == "empty"


def configured(config: int, was: bytes) -> dict[str, Any]:
    hashes = {"game_hash": bytes(8), "config_hash": bytes([config] * 8), "settings": bytes([config] * 8)}
    return record("configured", game="three_card", **hashes, was=was, program=bytes(8), deck=bytes(8), by=3)


def start_with(config: int) -> dict[str, Any]:
    return record("power_on", cause=0, version="", config_hash=bytes([config] * 8))


def stands_for(config: int) -> bytes:
    return meters.together(bytes([config] * 8), bytes(8), bytes(8))


def test_another_configuration_is_told_at_its_first_start() -> None:
    first = [start_with(1), configured(1, bytes(8))]
    link = record("link", up=1)
    replay([*first, start_with(1), link])
    replay([*first, start_with(2), configured(2, stands_for(1)), link])
    replay([*first, start_with(2), start_with(2), configured(2, stands_for(1)), link, start_with(2), link])
    replay([*first, start_with(2), start_with(1), link])
    with pytest.raises(Misfit, match="no record tells of the change"):
        replay([*first, start_with(2), link])
    with pytest.raises(Misfit, match="is not what the last such record says"):
        replay([*first, start_with(2), configured(2, stands_for(3))])
