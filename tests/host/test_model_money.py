"""No cent of a journal comes from nowhere or goes nowhere: whoever writes other amounts than were bet is found.

The records are altered by whoever may write them, a lying controller or the holder of the first key: no tag tells.
"""

from collections.abc import Iterator
from typing import Any

import pytest

from sabot.wire import codes
from sabot_host.model.money import Astray, Money
from sabot_host.model.replay import Misfit, replay
from tests.host.test_model_replay import JOURNALS, record, restarted, unsettled

Records = list[dict[str, Any]]
POWER_CUT = codes.VOID_REASONS.index("power_cut")
# List of each record whose rows begin with a place, and the columns of cents in it.
MONEY = {
    "confirmed": ("spots", (1,)),
    "decisions": ("spots", (1,)),
    "settlement": ("bets", (2, 3, 4)),
    "void": ("spots", (1,)),
}


def voided(cut_after: str) -> Records:
    """A clean round up to that record, ended by a power cut, as the controller tells it at its start."""
    lost = record("power_lost_in_play", round=1, table_state=5)
    void = record("void", round=1, reason=POWER_CUT, by=0, article="house", spots=unsettled(cut_after))
    return [*restarted(cut_after), lost, void]


WHOLE = {
    **JOURNALS,
    **{f"cut after {name}": voided(name) for name in ("confirmed", "decisions", "reveal", "settlement")},
}


def altered(records: Records) -> Iterator[tuple[str, Records]]:
    """Every amount a cent more, a cent less and none; every row left out, twice, and at another place."""
    for position, entry in enumerate(records):
        listed, columns = MONEY.get(entry["name"], ("", ()))
        rows = entry["fields"].get(listed, [])
        for at, row in enumerate(rows):
            if entry["name"] != "settlement" and row[2:] not in ((), (0,)):
                continue  # in dispute, or on its way back: people rule what the bet is
            others = [[], [row, row], [(row[0] ^ 0x70, *row[1:])]]
            for column in columns:
                for cents in {row[column] + 1, max(row[column] - 1, 0), 0} - {row[column]}:
                    others.append([(*row[:column], cents, *row[column + 1 :])])
            for other in others:
                fields = {**entry["fields"], listed: [*rows[:at], *other, *rows[at + 1 :]]}
                what = f"{entry['name']} row {at} {row} -> {other}"
                yield what, [*records[:position], {**entry, "fields": fields}, *records[position + 1 :]]


@pytest.mark.parametrize("journal", WHOLE)
def test_every_amount_of_a_journal_is_held_against_the_others(journal: str) -> None:
    replay(WHOLE[journal])
    unseen = []
    for what, records in altered(WHOLE[journal]):
        try:
            replay(records)
        except Misfit:
            continue
        unseen.append(what)
    assert unseen == []


def test_a_power_cut_is_told_before_its_void_and_once() -> None:
    *round_, lost, void = voided("confirmed")
    for records in (
        [*round_, void],
        [*round_, lost, lost, void],
        [*round_[:-1], lost, void],
        [*round_, lost, {**void, "fields": {**void["fields"], "reason": 1}}],
    ):
        with pytest.raises(Misfit):
            replay(records)


def test_nothing_is_settled_behind_a_power_cut() -> None:
    records = JOURNALS["clean_round"]
    position = [entry["name"] for entry in records].index("settlement")
    with pytest.raises(Misfit):
        replay(
            [*records[:position], record("power_on", cause=0, version="", config_hash=bytes(8)), *records[position:]]
        )


def test_rounds_are_counted_without_a_gap() -> None:
    first = JOURNALS["clean_round"]
    second = [{**entry, "fields": dict(entry["fields"])} for entry in first if entry["name"] != "table"]
    for entry in second:
        for name, by in (("round", 1), ("rounds", 2), ("id", 100)):
            if name in entry["fields"]:
                entry["fields"][name] += by
    with pytest.raises(Misfit, match="rounds are said to be played"):
        replay([*first, *second])


def stop_resolved_by(by: str, word: str = "keyed") -> Records:
    """The journal of a card that was not read, with that word of that person."""
    found = []
    for entry in JOURNALS["unread_card"]:
        if entry["name"] == "resolved":
            values = {"by": codes.ROLES.index(by), "resolution": codes.RESOLUTIONS.index(word)}
            entry = {**entry, "fields": {**entry["fields"], **values}}
        found.append(entry)
    return found


@pytest.mark.parametrize("by", ["none", "dealer", "auditor"])
def test_what_is_for_the_supervisor_is_ended_by_nobody_else(by: str) -> None:
    replay(stop_resolved_by("supervisor"))
    with pytest.raises(Misfit, match=f"is not for {by} to end"):
        replay(stop_resolved_by(by))


def test_what_takes_two_people_is_not_ended_by_one() -> None:
    kind = codes.kind_number("bad_mac")
    raised = record("irregularity", id=9, kind=kind, severity=2, place=0, before=0, after=0)
    resolved = record("resolved", id=9, resolution=2, by=2, amount=0)
    replay([raised, record("seconded", id=9, by=1), resolved])
    for others in ([raised, resolved], [raised, record("seconded", id=9, by=0), resolved]):
        with pytest.raises(Misfit, match="by one person alone"):
            replay(others)


def test_what_a_round_has_settled_when_the_file_ends_is_worked_out_too() -> None:
    records = JOURNALS["clean_round"]
    end = [entry["name"] for entry in records].index("round_end")
    replay(records[:end])
    for what, changed in altered(records[:end]):
        if what.startswith("settlement") and not what.endswith("-> []"):  # a line left out may be settled later
            with pytest.raises(Misfit):
                replay(changed)


@pytest.mark.parametrize("name", ["irregularity", "card_fault"])
def test_a_kind_that_is_none_is_named(name: str) -> None:
    card_fault = record("card_fault", id=1, kind=250, at=0, index=0)
    irregularity = record("irregularity", id=1, kind=250, severity=2, place=0, before=0, after=0)
    raised = card_fault if name == "card_fault" else irregularity
    with pytest.raises(Misfit, match="stands for nothing"):
        replay([raised, record("resolved", id=1, resolution=3, by=2, amount=0)])


def test_a_ruling_counts_for_a_bet_that_the_first_part_of_a_lock_has_confirmed() -> None:
    """At Bataille the ties are confirmed before the first card locks the initial bets (67.36), and may be ruled on."""
    place, kind = codes.place(2, 1), codes.kind_number("foreign")
    money = Money()
    money.check("lock", {"spots": [(place, 5600)]})
    money.check("confirmed_part", {"spots": [(place, 5600, 0)], "out": []})
    money.check("irregularity", {"id": 32, "place": place, "kind": kind})
    money.check("resolved", {"id": 32, "resolution": codes.RESOLUTIONS.index("keyed"), "amount": 500})
    void = {"reason": codes.VOID_REASONS.index("card_fault"), "spots": [(place, 5600)]}
    with pytest.raises(Astray, match="gets 5600 cents back; 500 were not settled"):
        money.check("void", void)
    money.check("void", {**void, "spots": [(place, 500)]})
