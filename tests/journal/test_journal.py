"""The journal in use: sequence, ring, room, acknowledgement, keys, times, cost."""

import hashlib
import random
from typing import Any

import pytest

from sabot.journal import layout
from sabot.journal.errors import JournalError
from sabot.journal.journal import Journal
from sabot.wire import head as wire_head
from sabot.wire.records import (
    MAX_RECORD,
    OVERHEAD,
    TAG_SIZE,
    RecordError,
    chain_tag,
    code_of,
    fixed_size,
    next_key,
    pack_fields,
    parse,
)
from tests.journal.fast_memory import FastMemory
from tests.journal.on_board.journal_memory import KEY, TABLE, FakeClock
from tests.journal.on_board.journal_script import POWER_ON, fill_lock, live

FAULT = code_of("fault")
LOCK = code_of("lock")
SHA_US = 40


def fresh(size: int = 16384, clock: FakeClock | None = None) -> tuple[FastMemory, Journal]:
    memory = FastMemory(size)
    journal = Journal(memory, clock or FakeClock())
    journal.format(KEY, TABLE)
    journal.open()
    return memory, journal


MOST = 0xFFFFFFFF  # cents, in five bytes of a record


def fault(length: int) -> dict[str, object]:
    """Fields of a fault record of ``length`` bytes in all, 34 to 289."""
    return {"part": 1, "index": 2, "detail": "x" * (length - OVERHEAD - 3)}


def test_sequence_numbers_begin_at_one_and_have_no_gap() -> None:
    _, journal = fresh()
    assert (journal.first, journal.last, journal.acknowledged) == (1, 0, 0)
    assert [journal.append(1, POWER_ON) for _ in range(3)] == [1, 2, 3]
    assert journal.read(0) is None and journal.read(4) is None
    assert [sequence for sequence, _ in journal.records_from(2)] == [2, 3]


def test_the_tags_of_a_whole_life_follow_from_the_first_key() -> None:
    _, journal = fresh(65536)
    live(journal, 12)
    key, previous = KEY, bytes(TAG_SIZE)
    for _, record in journal.records_from(1):
        assert record[-TAG_SIZE:] == chain_tag(key, previous, record)
        previous, key = record[-TAG_SIZE:], next_key(key)
    said = wire_head.parse(journal.head(b"N" * 16))
    assert (said.last, said.tag, said.table, said.nonce) == (journal.last, previous, TABLE, b"N" * 16)
    assert wire_head.genuine(key, journal.head(b"N" * 16))
    assert not wire_head.genuine(next_key(key), journal.head(b"N" * 16))
    body = journal.head(b"N" * 16)[:-16]
    own = hashlib.sha256(key + b"sabot head").digest()
    assert journal.head(b"N" * 16)[-16:] == hashlib.sha256(own + body).digest()[:16]


def test_no_old_key_is_anywhere_in_the_memory() -> None:
    memory, journal = fresh()
    live(journal, 12)
    key = KEY
    for sequence in range(1, journal.last + 1):
        assert key not in memory.image and key[:16] not in memory.image, f"the key of record {sequence} is still there"
        key = next_key(key)
    assert memory.image.count(key) == len(layout.HEADS)


@pytest.mark.parametrize("seed", range(6))
def test_random_lives_against_a_list(seed: int) -> None:
    chance = random.Random(seed)
    memory, journal = fresh(chance.choice((8192, 9001, 16384, 32768)))
    kept: dict[int, bytes] = {}
    acknowledged = 0
    refused = 0
    for _ in range(3000):
        what = chance.random()
        if what < 0.80:
            length = chance.choice((34, 60, 120, 289, chance.randrange(34, 290)))
            try:
                sequence = journal.append(FAULT, fault(length))
            except JournalError as error:
                assert error.code == "full" and journal.full
                refused += 1
                journal.acknowledge(journal.last)
                acknowledged = journal.last
                continue
            kept[sequence] = journal.read(sequence) or b""
            assert len(kept[sequence]) == length
        elif what < 0.95:
            acknowledged = max(acknowledged, chance.randrange(acknowledged, journal.last + 1))
            journal.acknowledge(acknowledged)
        elif what < 0.98:
            sequence = chance.randrange(1, journal.last + 2)
            assert journal.read(sequence) == (kept.get(sequence) if sequence >= journal.first else None)
        else:
            before = (journal.first, journal.last, journal.acknowledged, journal.used)
            journal = Journal(memory, FakeClock())
            assert journal.open().repaired == []
            assert (journal.first, journal.last, journal.acknowledged, journal.used) == before
            before_oldest = wire_head.parse(journal.head(bytes(16))).before
            assert before_oldest == (kept[journal.first - 1][-TAG_SIZE:] if journal.first > 1 else bytes(TAG_SIZE))
        assert journal.acknowledged == acknowledged
        assert journal.first <= acknowledged + 1, "a record that the host does not have was given up"
    for sequence in range(journal.first, journal.last + 1):
        assert journal.read(sequence) == kept[sequence]
    assert journal.last > 1000


def test_the_longest_records_in_the_smallest_memory() -> None:
    """Three or four fit; then all are acknowledged at once, and the ring is empty again and again."""
    chance = random.Random(6)
    memory, journal = fresh(8192)
    empty = 0
    for _ in range(400):
        values = {"round": 1, "bets": [(0x10, 1, MOST, MOST, MOST)] * chance.randrange(40, 59)}
        try:
            journal.append(code_of("settlement"), values)
        except JournalError as error:
            assert error.code == "full"
            journal.acknowledge(journal.last)
        empty += journal.first > journal.last
        again = Journal(memory, FakeClock())
        assert again.open().repaired == []
        assert (again.first, again.last, again.used) == (journal.first, journal.last, journal.used)
        for number, record in again.records_from(1):
            assert record == journal.read(number)
    assert empty > 10


def test_nothing_unacknowledged_is_overwritten_and_full_leaves_room_to_finish_a_round() -> None:
    _, journal = fresh(65536)
    half_at = full_at = 0
    while True:
        try:
            sequence = journal.append(FAULT, fault(200))
        except JournalError as error:
            assert error.code == "full"
            break
        half_at = half_at or (sequence if journal.half else 0)
        full_at = full_at or (sequence if journal.full else 0)
    assert journal.first == 1
    assert 0.49 < half_at * 200 / journal.capacity < 0.51
    left = (journal.last - full_at) * 200
    assert left >= min(16384, journal.capacity // 8), "the room to finish the round is smaller than promised"
    journal.acknowledge(half_at)
    assert not journal.full and journal.first > 1
    assert journal.append(FAULT, fault(200)) == journal.last


def size(name: str, **fields: Any) -> int:
    """Bytes of a whole record."""
    return OVERHEAD + len(pack_fields(code_of(name), fields))


def test_the_longest_round_fits_the_room_kept_for_it_on_the_reference_table() -> None:
    seats, spots = 7, 28
    sizes = [
        fixed_size(LOCK, {"spots": spots}),
        size("confirmed", round=MOST, begun=1, ended=1, spots=[(1, MOST, 3)] * spots, out=[(1, 1, "67.26")] * seats),
        size("deal", round=MOST, hands=[(1, 7, 1, bytes(8))] * (seats + 1)),
        2 * size("decisions", round=MOST, edge=1, by=1, seats=[(1, 1)] * seats, spots=[(1, MOST, 3)] * spots),
        3 * size("reveal", round=MOST, hands=[(1, bytes(8), bytes(7))] * (seats + 1)),  # in up to three parts
        size("settlement", round=MOST, bets=[(1, 1, MOST, MOST, MOST)] * spots),
        size("void", round=MOST, reason=1, by=1, article="house", spots=[(1, MOST)] * spots),
        2 * OVERHEAD,  # round_end, a key or two
    ]
    room = layout.room_to_finish(524288 - layout.RING) - 2 * MAX_RECORD
    change = {"place": 1, "before": MOST, "after": MOST, "earliest": 1, "latest": 1}
    irregularity = size("irregularity", id=1, kind=1, severity=2, uids=[(bytes(8),)] * 4, **change)
    irregularity += size("resolved", id=1, resolution=1, by=1, amount=MOST)
    assert sum(sizes) < 3000
    assert (room - sum(sizes)) // irregularity >= spots * 2, "two irregularities on each spot and their resolutions"


def test_acknowledging() -> None:
    memory, journal = fresh()
    for _ in range(5):
        journal.append(1, POWER_ON)
    journal.acknowledge(3)
    journal.acknowledge(2)
    assert journal.acknowledged == 3
    with pytest.raises(JournalError) as caught:
        journal.acknowledge(6)
    assert (caught.value.code, caught.value.sequence) == ("sequence", 6)
    again = Journal(memory, FakeClock())
    again.open()
    assert again.acknowledged == 3 and again.first == 1, "acknowledged records stay until their room is needed"


def test_a_boot_has_a_number_once_it_has_a_record() -> None:
    memory, journal = fresh()
    boots = []
    for _ in range(4):
        journal = Journal(memory, FakeClock())
        boots.append(journal.open().boot)
        journal.append(1, POWER_ON)
    assert boots == [1, 2, 3, 4]
    journal = Journal(memory, FakeClock())
    assert [journal.open().boot, journal.open().boot] == [5, 5]
    prepared = journal.prepare(code_of("key"), {})
    journal.commit(prepared, 1)
    after = Journal(memory, FakeClock())
    recovery = after.open()
    assert (recovery.completed, recovery.boot, recovery.repaired) == (5, 6, [])
    assert parse(after.read(5) or b"")["boot"] == 5


def test_prepared_records() -> None:
    _, journal = fresh(clock=FakeClock(now=123_456_789_012, seconds=1_790_000_000))
    prepared = journal.prepare(LOCK, {"spots": 2})
    assert len(prepared.record) == fixed_size(LOCK, {"spots": 2})
    fill_lock(prepared.record, prepared.offsets, 7, 2)
    journal.append(1, POWER_ON)
    assert journal.commit(prepared, journal._clock.ticks()) == 2
    assert journal.last == 1 and journal.read(2) is None, "without its tag it is no record yet"
    with pytest.raises(JournalError) as caught:
        journal.commit(prepared, 1)
    assert caught.value.code == "unsealed"
    assert journal.seal() == 2 == journal.seal()
    found = parse(journal.read(2) or b"")
    assert found["fields"]["spots"] == [(0x10, 7), (0x11, 8)]
    assert (found["monotonic"], found["quality"]) == (123_456_789_012, 2)
    assert abs(found["clock"] - (1_790_000_000 + 123_456)) <= 1
    with pytest.raises(KeyError):
        journal.prepare(FAULT, {})
    with pytest.raises(RecordError):
        journal.prepare(0xEE, {})


def test_what_cannot_be_a_record_leaves_no_trace() -> None:
    memory, journal = fresh()
    before = bytes(memory.image)
    uids = [(bytes(8),)] * 130
    fields = {"id": 1, "kind": 1, "severity": 0, "place": 0, "before": 0, "after": 0, "earliest": 0, "latest": 0}
    for code, values in ((FAULT, {"part": 1}), (0xEE, {}), (code_of("irregularity"), {**fields, "uids": uids})):
        with pytest.raises(RecordError):
            journal.append(code, values)
    assert bytes(memory.image) == before
    assert journal.append(1, POWER_ON) == 1


def test_wall_clock_and_dealer_in_the_header() -> None:
    clock = FakeClock(now=5_000_000)
    _, journal = fresh(clock=clock)
    journal.append(1, POWER_ON)
    clock.seconds = 1_790_000_000
    journal.dealer = 0x1234
    seen = []
    for _ in range(50):
        clock.now += 777_777
        seen.append(parse(journal.read(journal.append(1, POWER_ON)) or b""))
    first = parse(journal.read(1) or b"")
    assert (first["clock"], first["quality"], first["dealer"]) == (0, 0, 0)
    for record in seen:
        assert (record["quality"], record["dealer"]) == (2, 0x1234)
        assert abs(record["clock"] - (1_790_000_000 + record["monotonic"] // 1_000_000)) <= 1
    clocks = [record["clock"] for record in seen]
    assert clocks == sorted(clocks)


def test_reading_is_bounded_however_long_the_journal() -> None:
    memory, journal = fresh(524288)
    while not journal.full:
        journal.append(FAULT, fault(35))
    chance = random.Random(5)
    for _ in range(300):
        sequence = chance.randrange(1, journal.last + 1)
        memory.reads = 0
        assert parse(journal.read(sequence) or b"")["sequence"] == sequence
        assert memory.reads <= 34
    memory.reads = 0
    count = sum(1 for _ in journal.records_from(1))
    assert count == journal.last > 14000
    assert memory.reads <= 3 * count, "reading on costs no search"


def test_worst_cost_of_an_append(monkeypatch: pytest.MonkeyPatch) -> None:
    """2 ms on the bus at 20 Mbit/s and 8 us a call, and the lock's share of it, for docs/journal.md."""
    hashed: list[int] = []

    def counted(key: bytes, previous: bytes, record: bytearray) -> bytes:
        hashed.append((len(key) + len(previous) + len(record) - TAG_SIZE + 9 + 63) // 64 + 1)
        return chain_tag(key, previous, record)

    monkeypatch.setattr("sabot.journal.journal.chain_tag", counted)
    memory, journal = fresh(524288)
    worst_us = 0.0
    settlement = {"round": 1, "bets": [(0x10, 1, MOST, MOST, MOST)] * 58}
    for _ in range(1500):
        memory.us = 0
        sequence = journal.append(code_of("settlement"), settlement)
        worst_us = max(worst_us, memory.us)
        journal.acknowledge(sequence)
    assert len(journal.read(sequence) or b"") > MAX_RECORD - 14, "not the longest record"
    assert journal.first > 1, "the ring went round, so giving up old records is in the cost"
    lock = journal.prepare(LOCK, {"spots": 28})
    memory.us = 0
    journal.commit(lock, 5)
    lock_us = memory.us
    assert lock_us < 250, "the lock itself, before the lamps"
    print(f"worst append {worst_us:.0f} us, 28-spot lock {lock_us:.0f} us on the bus")
    assert 1500 < worst_us < 2000
    assert max(hashed) * SHA_US == 18 * SHA_US
