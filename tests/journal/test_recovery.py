"""What a power cut interrupted, read from the records; and the meters record by record."""

from typing import Any

import pytest

from sabot import installed, start
from sabot.journal.journal import Journal
from sabot.journal.recovery import OpenRound, last_round, standing
from sabot.wire import meters
from sabot.wire.codes import RESOLUTIONS, kind_number
from sabot.wire.records import code_of, names
from sabot.wire.states import TABLE_STATES
from tests.journal.fast_memory import FastMemory
from tests.journal.on_board.journal_memory import KEY, TABLE, FakeClock

Entry = tuple[str, dict[str, Any]]

LOCK: Entry = (
    "lock",
    {"round": 7, "edge": 5, "game_hash": bytes(8), "spots": [(0x10, 500), (0x12, 200), (0x20, 1000)]},
)
CONFIRMED: Entry = (
    "confirmed",
    {
        "round": 7,
        "begun": 6,
        "ended": 7,
        "spots": [(0x10, 500, 0), (0x12, 150, 1), (0x20, 1000, 0)],
        "out": [(2, 6, "67.24")],
    },
)
DEAL: Entry = ("deal", {"round": 7, "hands": [(1, 3, 1, bytes(8)), (0, 3, 0, bytes(8))]})
DECISIONS: Entry = ("decisions", {"round": 7, "edge": 9, "by": 1, "seats": [(1, 1)], "spots": [(0x11, 500, 0)]})
REVEAL: Entry = ("reveal", {"round": 7, "hands": [(0, bytes(8), b"\x01\x02\x03")]})
SETTLED: Entry = ("settlement", {"round": 7, "bets": [(0x10, 1, 500, 500, 500), (0x11, 1, 500, 500, 500)]})
END: Entry = ("round_end", {"round": 7, "rounds": 1})
UNLOCK: Entry = ("unlock", {"round": 7, "by": 1})
LOST: Entry = ("power_lost_in_play", {"round": 7, "table_state": 5})
BOOT: Entry = ("power_on", {"cause": 1, "version": "1", "config_hash": bytes(8)})
VOID: Entry = ("void", {"round": 7, "reason": 4, "by": 0, "article": "", "spots": [(0x10, 500), (0x12, 150)]})
IRREGULARITY: dict[str, Any] = {
    "id": 1,
    "severity": 2,
    "place": 0x10,
    "before": 1,
    "after": 2,
    "earliest": 3,
    "latest": 4,
    "uids": [],
}


def after(*records: Entry) -> tuple[Journal, OpenRound | None]:
    journal = Journal(FastMemory(16384), FakeClock())
    journal.format(KEY, TABLE)
    journal.open()
    for name, fields in records:
        journal.append(code_of(name), fields)
    return journal, last_round(journal)


@pytest.mark.parametrize("records", [[], [BOOT], [LOCK, UNLOCK], [LOCK, CONFIRMED, END], [LOCK, VOID, BOOT]])
def test_no_round_is_open(records: list[Entry]) -> None:
    assert after(*records)[1] is None


COURSE = [LOCK, CONFIRMED, DEAL, DECISIONS, REVEAL, SETTLED]


@pytest.mark.parametrize(
    ("count", "state", "unsettled"),
    [
        (1, "locked", [(0x10, 500), (0x12, 200), (0x20, 1000)]),
        (2, "locked", [(0x10, 500), (0x12, 150)]),
        (3, "deciding", [(0x10, 500), (0x12, 150)]),
        (4, "revealing", [(0x10, 500), (0x11, 500), (0x12, 150)]),
        (5, "settling", [(0x10, 500), (0x11, 500), (0x12, 150)]),
        (6, "settling", [(0x12, 150)]),
    ],
)
def test_each_step_of_a_round(count: int, state: str, unsettled: list[tuple[int, int]]) -> None:
    _, found = after(BOOT, LOCK, UNLOCK, *COURSE[:count])
    assert found is not None
    assert (found.number, found.state, found.reported) == (7, state, False)
    assert found.state_number == TABLE_STATES.index(state)
    assert found.unsettled() == unsettled
    assert found.out == ([2] if count > 1 else [])
    assert found.disputed == ([0x12] if count > 1 else [])
    assert found.settled == ({0x10: (1, 500, 500, 500), 0x11: (1, 500, 500, 500)} if count == 6 else {})


def test_a_ruling_and_a_seat_put_out_change_what_goes_back() -> None:
    asked: Entry = ("irregularity", {**IRREGULARITY, "place": 0x12, "kind": kind_number("late")})
    ruled: Entry = ("resolved", {"id": 1, "resolution": 2, "by": 2, "amount": 100})
    elsewhere: Entry = ("resolved", {"id": 9, "resolution": 2, "by": 2, "amount": 100})
    _, found = after(LOCK, CONFIRMED, asked, elsewhere, ruled)
    assert found is not None
    assert found.unsettled() == [(0x10, 500), (0x12, 100)]
    assert found.disputed == []
    _, found = after(LOCK, CONFIRMED, asked, ruled, ("seat_state", {"seat": 1, "trigger": "out"}))
    assert found is not None
    assert found.unsettled() == []


def test_what_the_confirmation_does_not_name_is_no_bet() -> None:
    seen: Entry = ("lock", {**LOCK[1], "spots": [(0x10, 500), (0x11, 900)]})
    _, found = after(seen)
    assert found is not None
    assert found.unsettled() == [(0x10, 500), (0x11, 900)]
    _, found = after(seen, ("confirmed", {**CONFIRMED[1], "spots": [(0x10, 500, 0)]}))
    assert found is not None
    assert found.unsettled() == [(0x10, 500)]
    first: Entry = ("first_card", {"round": LOCK[1]["round"], "edge": 1, "spots": [(0x12, 700)]})
    _, found = after(seen, first, ("confirmed_part", {**CONFIRMED[1], "spots": [(0x10, 500, 0)]}))
    assert found is not None
    assert found.unsettled() == [(0x10, 500), (0x12, 700)]


def test_only_the_records_since_the_last_round_count() -> None:
    earlier: list[Entry] = [
        ("lock", {**LOCK[1], "round": 6, "spots": [(0x21, 900)]}),
        ("round_end", {"round": 6, "rounds": 1}),
    ]
    _, found = after(*earlier, LOCK)
    assert found is not None
    assert 0x21 not in found.locked


def test_a_second_cut_finds_the_first_one_reported() -> None:
    _, found = after(LOCK, CONFIRMED, BOOT, LOST)
    assert found is not None
    assert found.reported


def test_a_suspended_table_is_found_suspended_and_resumed_where_it_was() -> None:
    suspend: Entry = ("table", {"trigger": "suspend", "by": 0})
    resume: Entry = ("table", {"trigger": "resume", "by": 2})
    first: Entry = ("table", {"trigger": "first_card", "by": 0})
    _, found = after(LOCK, first, suspend)
    assert found is not None and found.state == "suspended"
    _, found = after(LOCK, first, suspend, resume)
    assert found is not None and found.state == "dealing"


def test_meters_of_each_kind_of_record() -> None:
    journal, _ = after(
        BOOT,
        LOCK,
        SETTLED,
        ("settlement", {"round": 7, "bets": [(0x10, 2, 300, 0, 0), (0x7F, 1, 5, 6, 7)]}),
        END,
        LOST,
        VOID,
        ("irregularity", {**IRREGULARITY, "kind": kind_number("late")}),
        ("irregularity", {**IRREGULARITY, "kind": 200}),
        ("card_fault", {"id": 1, "kind": kind_number("alien_card"), "at": 1, "index": 0}),
        ("rounded", {"place": 0x10, "amount": 75}),
    )
    assert meters.as_dict(journal.meters) == {
        "rounds": 1,
        "rounded": 75,
        "voids": 1,
        "void_returned": 650,
        "boots": 1,
        "power_lost": 1,
        "irregularities": 2,
        "card_faults": 1,
        "settlements": 2,
        "tokes": 0,
        "pages": 0,
        "pages_verified": 0,
        "places": [
            {"seat": 1, "spot": 0, "staked": 800, "paid": 500, "returned": 500},
            {"seat": 1, "spot": 1, "staked": 500, "paid": 500, "returned": 500},
        ],
        "kinds": {"late": 1, "alien_card": 1, "kind_63": 1},
    }


def test_metered_says_which_records_change_a_block() -> None:
    examples = dict([BOOT, LOCK, CONFIRMED, DEAL, DECISIONS, REVEAL, SETTLED, END, UNLOCK, LOST, VOID])
    for name in names():
        code = code_of(name)
        if name in examples:
            block = meters.new()
            changed = meters.apply(block, code, examples[name])
            assert changed == meters.metered(code) == any(block), name
    assert meters.metered(code_of("irregularity"))
    assert meters.metered(code_of("card_fault"))


def test_amounts_add_up_beyond_32_bits() -> None:
    block = meters.new()
    most = 0xFFFFFFFF
    for _ in range(300):
        meters.apply(block, code_of("settlement"), {"bets": [(0x77, 1, most, most, most)]})
    assert meters.as_dict(block)["places"] == [
        {"seat": 7, "spot": 7, "staked": 300 * most, "paid": 300 * most, "returned": 300 * most}
    ]


def raised(kind: str, number: int = 1, severity: int = 2) -> Entry:
    return "irregularity", {**IRREGULARITY, "id": number, "kind": kind_number(kind), "severity": severity}


def stop(kind: str, number: int = 1) -> Entry:
    return "card_fault", {"id": number, "kind": kind_number(kind), "at": 1, "index": 0}


def ended(number: int = 1, word: str = "cleared") -> Entry:
    return "resolved", {"id": number, "resolution": RESOLUTIONS.index(word), "by": 2, "amount": 0}


def void_with(what: str) -> Entry:
    return "void", {**VOID[1], "article": what}


@pytest.mark.parametrize(
    ("records", "what"),
    [
        ([BOOT, LOCK, CONFIRMED], ""),
        ([BOOT, LOCK, CONFIRMED, raised("late")], "unruled"),
        ([BOOT, LOCK, CONFIRMED, raised("late"), ended()], ""),
        ([BOOT, LOCK, CONFIRMED, raised("ambiguous", severity=1)], ""),
        ([BOOT, LOCK, CONFIRMED, raised("reader_fault")], ""),
        ([BOOT, LOCK, CONFIRMED, DEAL, stop("alien_card")], "unruled"),
        ([BOOT, stop("lid", number=0)], ""),
        ([BOOT, LOCK, raised("late"), BOOT, LOST], "unruled"),
        ([BOOT, LOCK, raised("late"), BOOT, LOST, void_with("house:unruled")], "unruled"),
        ([BOOT, LOCK, raised("late"), BOOT, void_with("house:unruled"), raised("unruled", severity=3)], "unruled"),
        ([BOOT, LOCK, raised("late"), BOOT, void_with("house:unruled"), raised("unruled", 1, 3), ended()], ""),
        ([BOOT, LOCK, raised("late"), BOOT, void_with("house:unruled"), raised("unruled", 1, 3), BOOT], "unruled"),
        ([BOOT, LOCK, raised("late"), ended(word="void"), void_with("house:supervisor")], ""),
        ([BOOT, LOCK, stop("case"), BOOT, LOST], "case"),
        ([BOOT, LOCK, stop("case"), BOOT, LOST, void_with("house:case")], "case"),
        ([BOOT, LOCK, stop("case", number=0)], "case"),
        ([BOOT, LOCK, stop("case", 1), stop("case", 2), ended(1), ended(2)], ""),
        ([BOOT, LOCK, stop("case", 1), stop("case", 2), ended(1)], "case"),
        ([BOOT, LOCK, stop("case", 1), ended(1, "void"), void_with("house:case"), BOOT], "case"),
    ],
)
def test_what_waited_for_somebody_outlives_the_power(records: list[Entry], what: str) -> None:
    journal, _ = after(*records)
    assert standing(journal) == what


@pytest.mark.parametrize("cuts", [1, 2, 3])
@pytest.mark.parametrize(("record", "what"), [(stop("case"), "case"), (stop("alien_card"), "unruled"), (LOCK, "")])
def test_a_power_cut_right_behind_the_void_of_the_start_forgets_nothing(record: Entry, what: str, cuts: int) -> None:
    """Whoever opens the case in a round and then plays with the switch does not get rid of it."""
    journal, _ = after(BOOT, LOCK, CONFIRMED, record)
    for _ in range(cuts):
        found = standing(journal)
        journal.append(code_of("power_on"), BOOT[1])
        start.void_open_round(journal, found)
    assert standing(journal) == what


@pytest.mark.parametrize(
    ("records", "by"),
    [
        ([BOOT], 0),
        ([BOOT, ("prompt", {"by": 3})], 3),
        ([BOOT, ("boot_loader", {"by": 3}), ("link", {"up": 0})], 3),
        ([BOOT, ("prompt", {"by": 3}), BOOT], 0),
    ],
)
def test_who_left_the_table_before_something_was_changed(records: list[Entry], by: int) -> None:
    journal, _ = after(*records)
    assert installed.left_by(journal) == by
