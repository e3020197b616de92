"""The checks find what is wrong in made-up journals, money, bets and plans; and the page shows what was recorded."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from hwsim.chips.ws2812 import Change
from hwsim.fuzz.laws import law_of
from hwsim.provisioning import DEVELOPMENT_KEYS
from hwsim.scenario.claims import Entry, Value
from hwsim.table import BAR_LAMPS
from hwsim.torture import memory, stored
from hwsim.torture.bets import Bodies, unseen
from hwsim.torture.faults import Disturbed
from hwsim.torture.ledger import Ledger
from hwsim.torture.minimise import minimised
from hwsim.torture.plan import Plan, plan
from hwsim.torture.shown import early
from hwsim.world.chips import Chip, DeadTag
from hwsim.world.truth import PLACED, REMOVED, Fact
from sabot.wire.records import build, chain_tag, next_key
from sabot_host.sim.torture import Result
from tests.records import read_record, shown
from tests.torture.long import RESULT, Sum, rows

KEY = DEVELOPMENT_KEYS["journal"]
LAW = law_of("three_card")
S = 1_000_000_000
SPOT = (1, "ante")


def journal(count: int = 6) -> list[bytes]:
    records, key, tag = [], KEY, bytes(8)
    for number in range(1, count + 1):
        record = build(0x06, number, 1, number, 0, 0, 0, b"\x01")
        record[-8:] = tag = chain_tag(key, tag, record)
        key = next_key(key)
        records.append(bytes(record))
    return records


def test_a_true_chain_is_found_true_and_each_altered_byte_of_it_is_found() -> None:
    records = journal()
    assert list(stored.chained(records, KEY)) == []
    for at in range(len(records[2])):
        altered = bytearray(records[2])
        altered[at] ^= 4
        assert list(stored.chained([*records[:2], bytes(altered), *records[3:]], KEY)), at
    assert list(stored.chained(records[:2] + records[3:], KEY)) == ["record 4 stands where 3 belongs"]
    assert list(stored.chained([*records[:3], records[4], records[3]], KEY))


def test_records_that_were_whole_in_memory_are_missed() -> None:
    records = journal()
    whole = [(stored.number_of(record), record[:-8]) for record in records]
    assert list(stored.kept(records, whole, 6)) == []
    assert list(stored.kept(records[:-1], whole, 6)) == ["record 6 was whole in memory and is gone"]
    assert list(stored.kept(records[:-1], whole, 5)) == []
    other = [(6, b"another"), *whole]
    assert list(stored.kept(records, other, 6)) == ["record 6 was whole in memory and is another one now"]


def test_what_the_host_was_told_is_held_against_the_journal() -> None:
    records = journal()
    assert list(stored.heard(records, records)) == []
    assert list(stored.heard(records, [records[0], records[2]])) == ["the host got record 3 behind record 1"]
    assert list(stored.heard(records, [records[0][:-1] + b"?"])) == [
        "record 1 is not the one that the host was told of"
    ]


def test_the_map_of_the_memory_is_that_of_the_firmware() -> None:
    from sabot.journal import layout
    from sabot.wire.crc import crc16

    assert (memory.SUPERBLOCKS, memory.HEADS, memory.METERS, memory.RING) == (
        layout.SUPERBLOCKS,
        layout.HEADS,
        layout.METERS,
        layout.RING,
    )
    assert memory.crc16(b"123456789") == crc16(b"123456789", 9) == 0x29B1


# --- money ------------------------------------------------------------------------------------------------------------


def entry(name: str, *rows: dict[str, Value], family: str = "", when: int = 0, **fields: Value) -> Entry:
    return Entry(1, name, family or name, when, fields, rows)


def bet(cents: int, **more: Value) -> dict[str, Value]:
    return {"seat": SPOT[0], "bet": SPOT[1], "amount": cents, **more}


def due(stake: int, paid: int, returned: int, result: str) -> dict[str, Value]:
    return {"seat": SPOT[0], "bet": SPOT[1], "stake": stake, "paid": paid, "returned": returned, "result": result}


LOCK = entry("lock", bet(2500), edge=10 * S)
CONFIRMED = entry("confirmed", bet(2500))
DEAL = entry("deal")
DECISIONS = entry("decisions", edge=20 * S)
END = entry("round_end")
VOID = entry("void", bet(2500))


@pytest.mark.parametrize(
    ("entries", "wrong"),
    [
        ([LOCK, CONFIRMED, DEAL, DECISIONS, entry("reveal"), entry("settlement", due(2500, 0, 0, "lose")), END], ""),
        ([LOCK, CONFIRMED, entry("power_on"), entry("power_lost_in_play"), VOID], ""),
        ([LOCK, CONFIRMED, END], "neither settled nor returned"),
        ([LOCK, CONFIRMED, entry("settlement", due(2600, 0, 0, "lose")), END], "2500 were bet"),
        ([LOCK, CONFIRMED, entry("settlement", due(2500, 0, 100, "lose")), END], "go back for lose"),
        ([LOCK, CONFIRMED, entry("settlement", due(2500, 0, 2500, "win")), END], "are paid for win"),
        ([LOCK, entry("settlement", due(2500, 0, 0, "lose")), END], "nothing was confirmed"),
        ([LOCK, CONFIRMED, entry("power_on"), entry("void", bet(2000))], "had neither been settled"),
        ([LOCK, CONFIRMED, entry("power_on"), LOCK], "neither ended nor been voided"),
        ([LOCK, CONFIRMED, DEAL, entry("power_on"), entry("reveal")], "no hand of a running round"),
        ([LOCK, CONFIRMED, DEAL, entry("reveal")], "before the decisions are closed"),
        ([VOID], "no round was running"),
    ],
)
def test_the_books(entries: list[Entry], wrong: str) -> None:
    ledger = Ledger(LAW)
    ledger.take(entries)
    assert (not ledger.wrong) if not wrong else any(wrong in text for text in ledger.wrong), ledger.wrong


# --- bets -------------------------------------------------------------------------------------------------------------


def judged(facts: list[tuple[int, str, str]], *between: Entry, blind: tuple[Disturbed, ...] = ()) -> list[str | None]:
    chips = {label: Chip(cents, label.encode(), b"", DeadTag(), label) for label, cents in (("a", 2500), ("b", 500))}
    bodies = Bodies([Fact(when, act, label, b"", "P1 ante") for when, act, label in facts], chips, {SPOT: "P1 ante"})
    settled = entry("settlement", due(2500, 0, 0, "lose"), when=30 * S)
    return list(unseen([LOCK, CONFIRMED, *between, settled], LAW, bodies, [SPOT], blind, 0))


LAID = (5 * S, PLACED, "a")


def cases() -> Iterator[tuple[list[tuple[int, str, str]], bool]]:
    yield [LAID], True
    yield [LAID, (9 * S, PLACED, "b")], False  # there at the lock, and not counted
    yield [(11 * S, PLACED, "a")], False  # counted, and not there
    yield [LAID, (12 * S, REMOVED, "a")], False  # gone long before the settlement
    yield [LAID, (29 * S, REMOVED, "a")], True  # gone a moment before
    yield [LAID, (12 * S, REMOVED, "a"), (13 * S, PLACED, "a")], True  # put back


@pytest.mark.parametrize(("facts", "good"), [*cases()])
def test_bets_against_bodies(facts: list[tuple[int, str, str]], good: bool) -> None:
    (said,) = judged(facts)
    assert (said is None) == good, said


def test_a_spot_that_the_journal_tells_of_or_that_nobody_heard_is_not_judged() -> None:
    gone = [LAID, (12 * S, REMOVED, "a")]
    told = entry("pinched", family="irregularity", id=1, seat=SPOT[0], bet=SPOT[1])
    assert judged(gone, told) == []
    assert judged(gone, blind=(Disturbed(8 * S, 9 * S),)) == []
    assert judged(gone, blind=(Disturbed(1 * S, 2 * S),)) != []


# --- what is seen ---------------------------------------------------------------------------------------------------


GREEN, RED = ((0, 255, 0),) * BAR_LAMPS, ((255, 0, 0),) * BAR_LAMPS


def test_nothing_is_seen_before_its_record() -> None:
    lock = entry("lock", bet(2500), edge=10 * S, when=10 * S)
    lamps = [Change(5 * S, GREEN), Change(10 * S + 1000, RED)]
    assert list(early([lock], lamps, [(11 * S, True)])) == []
    assert list(early([lock], [lamps[0], Change(10 * S - 1000, RED)], [])) != []
    assert list(early([], lamps, [])) != []
    assert list(early([], lamps, [], [(9 * S, 10 * S)])) == []  # the memory kept nothing: the table stops, unrecorded
    assert list(early([], lamps, [], [(11 * S, 12 * S)])) != []
    assert list(early([lock], [], [(9 * S, True)])) != []
    assert list(early([lock, entry("void", when=12 * S)], [], [(13 * S, True)])) != []


# --- plans ------------------------------------------------------------------------------------------------------------


def test_a_failing_life_is_made_short() -> None:
    life = plan(4)
    assert len(life.faults) >= 3
    guilty = {life.faults[0].number, life.faults[-1].number}
    tried = []

    def fails(candidate: Plan) -> bool:
        tried.append(candidate)
        return guilty <= {fault.number for fault in candidate.faults} and not candidate.calm

    short = minimised(life, fails)
    assert {fault.number for fault in short.faults} == guilty
    assert not short.calm
    assert len(tried) < 30


def test_the_page_shows_what_was_recorded_and_nothing_was_violated() -> None:
    record = read_record(RESULT)
    assert shown("torture.md", "torture") == rows(record)
    assert record["found"] == {} and record["violations"] == 0


def test_a_life_that_violated_something_stays_in_the_record_until_it_does_not() -> None:
    bad = Result("boston", 2, plan(5), violations=["a bet is lost"])
    so_far = Sum({})
    so_far.add(4, Result("boston", 2, plan(4), played=3))
    so_far.add(5, bad)
    so_far = Sum(so_far.as_dict())
    assert so_far.as_dict()["lives"] == 2 and so_far.as_dict()["violations"] == 1
    so_far.look_again(5, bad)
    assert list(so_far.found) == ["5"] and not so_far.mended
    so_far.look_again(5, Result("boston", 2, plan(5)))
    record = so_far.as_dict()
    assert record["violations"] == 0 and record["found"] == {}
    assert record["mended"]["5"]["violated"] == ["a bet is lost"] and record["lives"] == 2
    assert record["violations"] == 0 < record["rounds"]
