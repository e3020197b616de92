"""Segments in flash: the ring is relieved, every record can still be read, nothing is lost on the way."""

from __future__ import annotations

import random

import pytest

from sabot.journal.errors import JournalError
from sabot.journal.journal import Journal
from sabot.journal.ring import SEGMENT
from sabot.wire import head as wire_head
from sabot.wire import meters
from sabot.wire.records import MAX_RECORD, OVERHEAD, TAG_SIZE, code_of, parse
from tests.journal.fast_memory import FastMemory
from tests.journal.flash_files import BLOCK, Flash, LfsFiles
from tests.journal.on_board.journal_memory import KEY, TABLE, FakeClock
from tests.journal.on_board.journal_script import POWER_ON, live

FAULT = code_of("fault")
MOST = 12
FOLDER = "/segments/"


def made(memory: FastMemory, files: LfsFiles | None, most: int = MOST) -> Journal:
    return Journal(memory, FakeClock(), files, files.open, most) if files else Journal(memory, FakeClock())


def path(first: int) -> str:
    return FOLDER + str(first)


def end(journal: Journal, number: int) -> int:
    """The last record of a segment."""
    segments = journal._ring
    return segments.firsts[number + 1] - 1 if number + 1 < len(segments.firsts) else segments.stored


class Rig:
    """A journal with a small ring and a small flash, and every record that it took."""

    def __init__(self, size: int = 20480, blocks: int = 48, most: int = MOST) -> None:
        self.memory = FastMemory(size)
        self.flash = Flash(blocks)
        self.files = LfsFiles(self.flash, form=True)
        self.most = most
        self.journal = made(self.memory, self.files, most)
        self.journal.format(KEY, TABLE)
        self.journal.open()
        self.taken: dict[int, bytes] = {}

    def add(self, length: int) -> None:
        sequence = self.journal.append(FAULT, {"part": 1, "index": 2, "detail": "x" * (length - OVERHEAD - 3)})
        self.taken[sequence] = self.journal.read(sequence) or b""

    def relieve(self) -> int:
        """All steps that are due; how many they were."""
        steps = 0
        while self.journal.crowded:
            for _ in self.journal.moves():
                steps += 1
        return steps

    def again(self) -> Journal:
        """The same after a restart."""
        self.journal = made(self.memory, LfsFiles(self.flash), self.most)
        self.journal.open()
        return self.journal


def test_everything_is_kept_and_read_back_when_the_ring_has_gone_round_many_times() -> None:
    rig = Rig()
    chance = random.Random(1)
    while not rig.journal.full:
        rig.add(chance.choice((34, 60, 120, 289)))
        rig.relieve()
    journal = rig.journal
    assert journal.first == 1 and journal.acknowledged == 0
    assert journal._head.oldest > 5 * 32, "the ring never gave anything up"
    assert len(journal._ring.firsts) == MOST
    for one in (journal, rig.again()):
        assert dict(one.records_from(1)) == rig.taken
        for _ in range(500):
            sequence = chance.randrange(1, one.last + 1)
            assert one.read(sequence) == rig.taken[sequence]
        assert one.check(1, one.last) == 0
        assert one.full and one.half
        said = wire_head.parse(one.head(bytes(16)))
        assert (said.oldest, said.before) == (1, bytes(TAG_SIZE))
    with pytest.raises(JournalError, match="no room"):
        for _ in range(500):
            rig.add(289)
    assert dict(rig.journal.records_from(1)) == rig.taken


def test_the_sum_of_the_records_is_what_the_meters_say() -> None:
    rig = Rig(blocks=96, most=40)
    for _ in range(30):
        live(rig.journal, 9, acknowledging=False)
        rig.relieve()
    assert len(rig.journal._ring.firsts) > 10
    sums = meters.new()
    for _, record in rig.journal.records_from(1):
        found = parse(record)
        meters.apply(sums, found["code"], found["fields"])
    assert bytes(sums) == bytes(rig.journal.meters)


def test_segments_are_given_up_once_the_host_has_them_and_not_before() -> None:
    rig = Rig()
    while len(rig.journal._ring.firsts) < 6:
        rig.add(100)
        rig.relieve()
    journal = rig.journal
    firsts = list(journal._ring.firsts)
    used = journal.used
    journal.acknowledge(firsts[2] - 2)  # all of the first, not all of the second
    assert journal.used == used - journal._ring.longest
    assert journal.crowded
    rig.relieve()
    assert journal._ring.firsts == firsts[1:]
    assert sorted(rig.files.listdir(FOLDER)) == sorted(map(str, firsts[1:]))
    assert journal.first == firsts[1]
    said = wire_head.parse(journal.head(bytes(16)))
    assert (said.oldest, said.before) == (firsts[1], rig.taken[firsts[1] - 1][-TAG_SIZE:])
    journal.acknowledge(journal.last)
    rig.relieve()
    assert journal._ring.firsts == [] and journal.used == 0
    assert journal.first == journal._head.oldest
    assert journal.read(journal.first) == rig.taken[journal.first]


def test_a_host_that_comes_while_a_segment_is_written() -> None:
    """Whatever step it acknowledges in, and however far: every record it lacks can be read, after a start too."""
    chance = random.Random(3)
    rig = Rig()
    while rig.journal.last < 4000:
        if rig.journal.full:
            rig.journal.acknowledge(rig.journal.last - 5)
        rig.add(chance.choice((34, 90, 200)))
        if not rig.journal.crowded:
            continue
        steps = rig.journal.moves()
        for _ in range(chance.randrange(30)):
            if next(steps, 0) is not None:
                break
        if chance.random() < 0.5:
            rig.journal.acknowledge(chance.randrange(rig.journal.acknowledged, rig.journal.last + 1))
        for _ in steps:
            if chance.random() < 0.2:
                rig.add(60)
        if chance.random() < 0.2:
            rig.again()
        kept = dict(rig.journal.records_from(1))
        assert set(range(rig.journal.acknowledged + 1, rig.journal.last + 1)) <= set(kept)
        assert all(rig.taken[sequence] == record for sequence, record in kept.items())
        assert sorted(kept) == list(range(rig.journal.first, rig.journal.last + 1))


def test_records_of_any_length_find_their_way_into_segments() -> None:
    rig = Rig(size=8192, blocks=64, most=30)
    rows = [(0x10, 1, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF)]
    for number in range(150):
        values = {"round": 1, "bets": rows * (5 + 20 * (number % 2))}
        sequence = rig.journal.append(code_of("settlement"), values)
        rig.taken[sequence] = rig.journal.read(sequence) or b""
        rig.relieve()
        if rig.journal.full:
            break
    assert len(rig.journal._ring.firsts) == 30
    assert dict(rig.again().records_from(1)) == rig.taken


def test_steps_are_bounded() -> None:
    """One erase and eight pages for records; what littlefs needs to name or remove a file is counted here."""
    rig = Rig(size=524288, blocks=768, most=76)
    worst = {"erases": 0, "programs": 0}
    fram_us = 0.0
    for _ in range(20):
        while not rig.journal.crowded:
            rig.add(289)
        steps = rig.journal.moves()
        going = True
        while going:
            erases, programs, rig.memory.us = rig.flash.erases, rig.flash.programs, 0.0
            going = next(steps, 0) is None
            worst["erases"] = max(worst["erases"], rig.flash.erases - erases)
            worst["programs"] = max(worst["programs"], rig.flash.programs - programs)
            fram_us = max(fram_us, rig.memory.us)
    print(worst, f"{fram_us:.0f} us")
    assert worst["erases"] <= 2
    assert worst["programs"] <= 16
    assert fram_us < 4000
    assert len(rig.journal._ring.firsts) == 20
    lengths = [end(rig.journal, n) - rig.journal._ring.firsts[n] for n in range(20)]
    assert min(lengths) * 289 > SEGMENT - 33 * 289


def test_a_flash_that_takes_nothing_loses_nothing() -> None:
    rig = Rig()
    while not rig.journal.crowded:
        rig.add(100)
    rig.flash.fails = True
    tries = 0
    while not rig.journal.full:
        rig.add(100)
        if rig.journal.crowded:
            tries += 1
            with pytest.raises(JournalError, match="flash"):
                rig.relieve()
    assert 2 <= tries <= 5, "it is tried again after a segment's length, not all the time"
    assert dict(rig.journal.records_from(1)) == rig.taken
    rig.flash.fails = False
    assert dict(rig.again().records_from(1)) == rig.taken
    rig.relieve()
    assert not rig.journal.full
    assert dict(rig.journal.records_from(1)) == rig.taken


def filled() -> Rig:
    rig = Rig()
    while len(rig.journal._ring.firsts) < 8:
        rig.add(120)
        rig.relieve()
    return rig


def test_a_segment_that_is_damaged_is_told_and_those_before_it_can_be_read() -> None:
    for damage in ("gone", "short", "start"):
        rig = filled()
        firsts = list(rig.journal._ring.firsts)
        name = path(firsts[3])
        with rig.files._system.open(name, "rb") as file:
            content = bytearray(file.read())
        rig.files.remove(name)
        if damage != "gone":
            content[60] ^= 1
            with rig.files._system.open(name, "wb") as file:
                file.write(bytes(content) if damage == "start" else bytes(content[:100]))
        before = sorted(rig.files.listdir(FOLDER))
        journal = made(rig.memory, LfsFiles(rig.flash), rig.most)
        with pytest.raises(JournalError) as caught:
            journal.open()
        assert (caught.value.code, caught.value.sequence) == ("segment", firsts[3])
        assert dict(journal.records_from(1)) == {n: r for n, r in rig.taken.items() if n < firsts[3]}
        with pytest.raises(JournalError, match="not open"):
            journal.append(1, POWER_ON)
        assert sorted(rig.files.listdir(FOLDER)) == before, "nothing is removed from a damaged journal"


def test_damaged_contents_are_handed_out_as_they_stand_or_refused_by_number() -> None:
    rig = filled()
    first = rig.journal._ring.firsts[2]
    name = path(first)
    with rig.files._system.open(name, "rb") as file:
        content = bytearray(file.read())
    content[128 + 120 + 50] ^= 0x40  # in the second record, which is found by its length and number
    content[128 + 120 * 3] ^= 0x40  # the length of the fourth
    with rig.files._system.open(name, "wb") as file:
        file.write(bytes(content))
    journal = rig.again()
    second = journal.read(first + 1)
    assert second is not None and second != rig.taken[first + 1] and len(second) == 120
    assert journal.check(first, 3) == first + 1
    with pytest.raises(JournalError) as caught:
        journal.read(first + 4)
    assert (caught.value.code, caught.value.sequence) == ("segment", first + 4)


def test_a_damaged_segment_whose_records_the_ring_still_has_is_written_again() -> None:
    rig = Rig()
    while len(rig.journal._ring.firsts) < 1:
        rig.add(120)
        rig.relieve()
    assert rig.journal._head.oldest == 1
    with rig.files._system.open(path(1), "wb") as file:
        file.write(b"nothing of the kind")
    journal = made(rig.memory, LfsFiles(rig.flash), rig.most)
    assert journal.open().repaired == ["segment"]
    rig.journal = journal
    assert journal.crowded
    rig.relieve()
    assert dict(rig.again().records_from(1)) == rig.taken


def test_a_flash_that_cannot_be_read() -> None:
    class Gone(LfsFiles):
        def listdir(self, folder: str) -> list[str]:
            raise OSError(5)

    rig = filled()
    journal = made(rig.memory, Gone(rig.flash), rig.most)
    with pytest.raises(JournalError, match="segment"):
        journal.open()
    rig.journal.acknowledge(rig.journal.last)
    journal = made(rig.memory, Gone(rig.flash), rig.most)
    recovery = journal.open()
    assert not recovery.flash and journal.capacity == rig.memory.size - 0x1000
    assert journal.append(1, POWER_ON) == rig.journal.last + 1


def test_segments_of_another_journal_are_never_given_up() -> None:
    rig = filled()
    before = sorted(rig.files.listdir(FOLDER))
    other = made(FastMemory(20480), LfsFiles(rig.flash), rig.most)
    with pytest.raises(JournalError, match="formatted"):
        other.format(bytes(32), TABLE)
    alone = Journal(other._storage, FakeClock())
    alone.format(bytes(32), TABLE)
    with pytest.raises(JournalError, match="segment"):
        other.open()
    assert sorted(rig.files.listdir(FOLDER)) == before
    other.format(bytes(32), TABLE, replace=True)
    assert [name for name in rig.files.listdir(FOLDER) if name.isdigit()] == []
    assert other.open().records == 0


def test_the_longest_segment_fills_eight_blocks() -> None:
    flash = Flash(32)
    files = LfsFiles(flash, form=True)
    free = len(flash.buffer) // BLOCK - files._system.used_block_count
    file = files.open("x", "wb")
    assert file.write(bytes(SEGMENT)) == SEGMENT
    file.close()
    assert len(flash.buffer) // BLOCK - files._system.used_block_count == free - 8
    file = files.open("x", "wb")
    file.write(bytes(SEGMENT + 1))
    file.close()
    assert len(flash.buffer) // BLOCK - files._system.used_block_count == free - 9
    assert MAX_RECORD < SEGMENT
