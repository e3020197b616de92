"""The power goes at every byte of every write: nothing returned is lost, nothing is torn, the meters are the sum."""

import random
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from sabot.journal.journal import Journal
from sabot.journal.layout import METERS, RING
from sabot.wire.records import TAG_SIZE, chain_tag, next_key, parse, whole
from tests.journal.fast_memory import FastMemory
from tests.journal.on_board.journal_memory import KEY, TABLE, FakeClock
from tests.journal.on_board.journal_script import live
from tests.journal.uncut import Witness, judge_records

SIZE = 8192


class Life(NamedTuple):
    """One run without a cut: the memory before it, its writes, and what had returned before each write."""

    before: bytes
    log: list[tuple[int, bytes]]
    durable: list[int]  # per number of writes done: the newest record whose call had returned
    acknowledged: list[int]  # per number of writes done: what an acknowledge() had returned
    records: dict[int, bytes]  # by sequence, as they were when sealed
    sums: list[bytes]  # meters after each sequence
    keys: list[bytes]  # key of each record; keys[0] is the first record's


def lived(rounds: int, size: int = SIZE) -> Life:
    memory = FastMemory(size)
    journal = Journal(memory, FakeClock(seconds=1_790_000_000))
    journal.format(KEY, TABLE)
    journal.open()
    before = bytes(memory.image)
    log: list[tuple[int, bytes]] = []
    memory.log = log
    witness = Witness(journal, log)
    live(journal, rounds, witness.returned)
    records = witness.records
    assert sorted(records) == list(range(1, journal.last + 1))
    keys = [KEY]
    for _ in records:
        keys.append(next_key(keys[-1]))
    return Life(before, log, *witness.after_each_write(), records, witness.sums(), keys)


def judge(life: Life, image: bytes | bytearray, writes: int) -> FastMemory:
    """Open what a cut left after ``writes`` whole writes, and hold it against the life without a cut."""
    memory = FastMemory(image=image)
    memory.log = []
    journal = Journal(memory, FakeClock(now=5))
    journal.open()
    judge_records(journal, life, writes)
    last = journal.last
    for old in life.keys[max(0, last - 3) : last]:
        assert old not in memory.image, "an old key is still there"
    assert life.keys[last] in memory.image
    return memory


def cuts(life: Life, step: int, meters_step: int, seed: int) -> Iterator[tuple[int, bytearray]]:
    """Images after every write, and inside each: whole bytes, then one byte that is anything, then the old ones."""
    chance = random.Random(seed)
    image = bytearray(life.before)
    for number, (address, data) in enumerate(life.log):
        yield number, image
        every = meters_step if address in METERS else step
        for kept in range(chance.randrange(every), len(data), every):
            torn = bytearray(image)
            torn[address : address + kept] = data[:kept]
            torn[address + kept] = chance.choice((torn[address + kept], data[kept], chance.randrange(256)))
            yield number, torn
        image[address : address + len(data)] = data
    yield len(life.log), image


def test_a_cut_at_any_byte_loses_nothing_and_tears_nothing() -> None:
    life = lived(28)
    assert len(life.records) > 90
    assert sum(map(len, life.records.values())) > SIZE - RING + 2000, "the ring did not wrap around"
    count = 0
    for writes, image in cuts(life, 1, 16, seed=1):
        judge(life, image, writes)
        count += 1
    assert count > 20000


@pytest.mark.campaign
@pytest.mark.parametrize("seed", range(1))
def test_a_cut_at_every_single_byte(seed: int) -> None:
    life = lived(28)
    for writes, image in cuts(life, 1, 1, seed):
        judge(life, image, writes)


@pytest.mark.campaign
def test_a_cut_during_recovery_is_recovered_too() -> None:
    life = lived(28)
    chance = random.Random(7)
    repaired = 0
    for writes, image in cuts(life, 40, 900, seed=2):
        log = judge(life, image, writes).log
        assert log is not None
        again = bytearray(image)
        for address, data in log:
            for kept in {0, 1, len(data) // 2, len(data) - 1, chance.randrange(len(data))}:
                torn = bytearray(again)
                torn[address : address + kept] = data[:kept]
                torn[address + kept] = chance.choice((torn[address + kept], data[kept], chance.randrange(256)))
                judge(life, torn, writes)
            again[address : address + len(data)] = data
            judge(life, again, writes)
            repaired += 1
    assert repaired > 300


def test_play_goes_on_after_any_cut() -> None:
    life = lived(28)
    for _, image in cuts(life, 47, 900, seed=3):
        memory = FastMemory(image=image)
        journal = Journal(memory, FakeClock(now=5))
        boot = journal.open().boot
        first_new = journal.last + 1
        journal.acknowledge(journal.last)
        live(journal, 1)
        again = Journal(memory, FakeClock(now=5))
        recovery = again.open()
        assert not recovery.repaired and not recovery.completed
        assert recovery.boot == boot + 1
        assert all(whole(record, len(record)) for _, record in again.records_from(1))
        found = again.read(first_new)
        assert found is not None and parse(found)["boot"] == boot
        previous = again.read(first_new - 1)
        before = previous[-TAG_SIZE:] if previous else bytes(TAG_SIZE)
        assert found[-TAG_SIZE:] == chain_tag(life.keys[first_new - 1], before, found), "the chain broke at the cut"
