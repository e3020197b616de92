"""Damaged memory: opening tells what is wrong, mends only from a good copy, never formats and never hangs."""

import random

import pytest

from sabot.journal import errors, layout, opening
from sabot.journal.errors import JournalError
from sabot.journal.journal import Journal
from sabot.wire import head as wire_head
from sabot.wire import meters
from tests.journal.fast_memory import FastMemory
from tests.journal.on_board.journal_memory import KEY, TABLE, FakeClock
from tests.journal.on_board.journal_script import POWER_ON, live

KNOWN = {line.split(" ")[0] for line in (errors.WORDS + opening.WORDS).split("\n") if line}


def written(rounds: int = 9, size: int = 8192) -> tuple[FastMemory, Journal]:
    memory = FastMemory(size)
    journal = Journal(memory, FakeClock())
    journal.format(KEY, TABLE)
    journal.open()
    live(journal, rounds)
    return memory, journal


def opened(image: bytes | bytearray) -> tuple[FastMemory, Journal]:
    memory = FastMemory(image=image)
    journal = Journal(memory, FakeClock())
    return memory, journal


def refused(image: bytes | bytearray) -> JournalError:
    memory, journal = opened(image)
    with pytest.raises(JournalError) as caught:
        journal.open()
    with pytest.raises(JournalError):
        journal.append(1, POWER_ON)
    assert memory.image[0x1000:] == image[0x1000:], "a damaged journal was written to"
    return caught.value


def test_an_empty_memory_is_unformatted_and_never_formatted_silently() -> None:
    for fill in (0, 0xFF):
        image = bytes([fill]) * 8192
        assert refused(image).code == "unformatted"


def test_formatting_over_a_journal_must_be_asked_for() -> None:
    memory, journal = written()
    before = bytes(memory.image)
    with pytest.raises(JournalError) as caught:
        journal.format(KEY, TABLE)
    assert caught.value.code == "formatted"
    assert bytes(memory.image) == before
    journal.format(bytes(32), TABLE, replace=True)
    assert journal.open().records == 0
    assert journal.append(1, POWER_ON) == 1


def test_a_cut_at_any_write_of_formatting_leaves_an_unformatted_memory() -> None:
    memory, journal = written()
    before = bytearray(memory.image)
    memory.log = []
    journal.format(bytes(32), TABLE, replace=True)
    writes = memory.log
    for done in range(1, len(writes)):
        image = bytearray(before)
        for address, data in writes[:done]:
            image[address : address + len(data)] = data
        _, cut = opened(image)
        if done < len(writes) - 1:
            assert refused(image).code == "unformatted"
        else:
            assert cut.open().records == 0  # the first superblock is enough


@pytest.mark.parametrize("key", [b"", bytes(31), bytes(33)])
def test_a_key_of_another_length_is_refused(key: bytes) -> None:
    with pytest.raises(ValueError, match="32"):
        Journal(FastMemory(8192), FakeClock()).format(key, TABLE)


def test_a_memory_that_is_too_small() -> None:
    with pytest.raises(JournalError) as caught:
        Journal(FastMemory(4096), FakeClock())
    assert caught.value.code == "size"


def test_a_memory_of_another_size_than_provisioned() -> None:
    memory, _ = written()
    assert refused(memory.image + bytes(8192)).code == "size"


@pytest.mark.parametrize("part", ["superblock", "head"])
@pytest.mark.parametrize("which", [0, 1])
def test_one_damaged_copy_is_mended_from_the_other(part: str, which: int) -> None:
    memory, journal = written()
    copies = layout.SUPERBLOCKS if part == "superblock" else layout.HEADS
    size = layout.SUPERBLOCK_SIZE if part == "superblock" else layout.HEAD_SIZE
    for offset in range(size):
        image = bytearray(memory.image)
        image[copies[which] + offset] ^= 1 << (offset % 8)
        mended, again = opened(image)
        assert again.open().repaired == [part], offset
        assert mended.image == memory.image
        assert again.last == journal.last


@pytest.mark.parametrize("part", ["superblock", "head"])
def test_both_copies_damaged_is_told(part: str) -> None:
    memory, _ = written()
    copies = layout.SUPERBLOCKS if part == "superblock" else layout.HEADS
    size = layout.SUPERBLOCK_SIZE if part == "superblock" else layout.HEAD_SIZE
    chance = random.Random(3)
    for _ in range(300):
        image = bytearray(memory.image)
        for address in copies:
            image[address + chance.randrange(8 if part == "superblock" else 0, size)] ^= 1 << chance.randrange(8)
        assert refused(image).code == part


def test_damaged_meters_are_added_up_again_from_the_older_block() -> None:
    memory, journal = written(4)
    journal.append(0x1A, {"round": 99, "rounds": 99})
    truth = bytes(journal.meters)
    current = [address for address in layout.METERS if memory.image[address : address + meters.SIZE] == truth]
    assert len(current) == 1
    for offset in range(0, layout.METERS_SIZE, 7):
        image = bytearray(memory.image)
        image[current[0] + offset] ^= 0x10
        mended, again = opened(image)
        assert again.open().repaired == ["meters"]
        assert bytes(again.meters) == truth
        assert mended.image == memory.image


def test_a_head_lost_after_a_cut_loses_no_record() -> None:
    memory, journal = written()
    before = bytearray(memory.image)
    memory.log = []
    journal.append(0x1A, {"round": 99, "rounds": 99})
    for address, data in memory.log[:-1]:  # the power goes before the second head slot
        before[address : address + len(data)] = data
    before[layout.HEADS[0] + 40] ^= 1
    _, again = opened(before)
    assert again.open().completed == journal.last
    assert again.read(journal.last) == journal.read(journal.last)
    assert again.meters == journal.meters


def test_both_meters_damaged_is_told() -> None:
    memory, _ = written()
    image = bytearray(memory.image)
    for address in layout.METERS:
        image[address] ^= 1
    assert refused(image).code == "meters"


def test_a_record_that_cannot_be_found_is_told_and_those_before_it_stay_readable() -> None:
    memory, journal = written()
    for sequence in range(journal.first, journal.last + 1):
        image = bytearray(memory.image)
        image[layout.RING + journal._ring.locate(sequence) + 4] ^= 1  # the record's own sequence number
        error = refused(image)
        assert (error.code, error.sequence) == ("ring", sequence)
        _, broken = opened(image)
        with pytest.raises(JournalError):
            broken.open()
        kept = dict(broken.records_from(1))
        assert sorted(kept) == list(range(journal.first, sequence))
        assert all(record == journal.read(number) for number, record in kept.items())


def test_damaged_contents_are_handed_out_as_they_stand_and_found_by_the_idle_check() -> None:
    memory, journal = written()
    sequence = journal.first + 3
    at = layout.RING + journal._ring.locate(sequence) + 25
    memory.image[at] ^= 1
    _, again = opened(memory.image)
    again.open()
    assert again.read(sequence) == journal.read(sequence)
    assert again.check(1, 1000) == sequence
    assert again.check(sequence + 1, 1000) == 0


def test_damage_in_the_open_round_is_told_at_boot() -> None:
    memory, journal = written()
    assert journal.boundary < journal.last
    memory.image[layout.RING + journal._ring.locate(journal.last) + 30] ^= 4
    error = refused(memory.image)
    assert (error.code, error.sequence) == ("ring", journal.last)


def test_random_damage_never_hangs_formats_or_passes_for_another_error() -> None:
    memory, journal = written(20)
    chance = random.Random(11)
    good = 0
    for _ in range(4000):
        image = bytearray(memory.image)
        for _ in range(chance.choice((1, 1, 2, 8, 64))):
            image[chance.choice((chance.randrange(0x180), chance.randrange(len(image))))] ^= 1 << chance.randrange(8)
        if chance.random() < 0.1:
            start = chance.randrange(len(image))
            image[start : start + 300] = chance.randbytes(len(image[start : start + 300]))
        hurt, again = opened(image)
        hurt.log = []
        try:
            again.open()
            good += 1
        except JournalError as error:
            assert error.code in KNOWN - {"storage", "full", "closed", "unsealed"}
            continue
        assert hurt.reads < 1000
        assert again.last == journal.last
        assert bytes(again.meters) == bytes(journal.meters)
        assert wire_head.parse(again.head(bytes(16))).tag == wire_head.parse(journal.head(bytes(16))).tag
        assert again.append(1, POWER_ON) == journal.last + 1
    assert 500 < good < 3500


def pending() -> tuple[FastMemory, Journal, int, int]:
    """A memory with a committed body that has no tag yet; its address and size."""
    memory, journal = written()
    prepared = journal.prepare(0x23, {})
    memory.log = []
    journal.commit(prepared, 5)
    return memory, journal, memory.log[0][0], len(prepared.record)


def test_a_committed_body_that_was_damaged_is_told() -> None:
    memory, journal, address, size = pending()
    for offset in range(2, size - 8):
        image = bytearray(memory.image)
        image[address + offset] ^= 1
        error = refused(image)
        assert (error.code, error.sequence) == ("ring", journal.last + 1)


def test_a_body_without_its_end_was_never_returned_and_is_not_taken() -> None:
    """Its check may fit by chance; the marker, written last, cannot."""
    memory, journal, address, size = pending()
    for offset in range(size - 8, size):
        image = bytearray(memory.image)
        image[address + offset] ^= 1
        _, again = opened(image)
        assert again.open().completed == 0
        assert again.last == journal.last


def test_meters_cannot_be_added_up_when_the_records_are_gone() -> None:
    memory, journal = written(4)
    while journal.first < 30:
        journal.append(0x12, {"round": 1, "by": 1})
        journal.acknowledge(journal.last)
    truth = bytes(journal.meters)
    for address in layout.METERS:
        if memory.image[address : address + meters.SIZE] == truth:
            memory.image[address] ^= 1
    assert refused(memory.image).code == "meters"


class Dead(FastMemory):
    """A memory that ignores writes once ``dead`` is set, as a chip whose write enable latch stays low."""

    dead = False
    dead_from = 0

    def write(self, address: int, buf: bytes | bytearray) -> None:
        if not self.dead or address < self.dead_from:
            super().write(address, buf)


@pytest.mark.parametrize("dead_from", [0, layout.METERS[0]])
def test_a_memory_that_ignores_writes_is_noticed_by_commit_and_by_the_meters(dead_from: int) -> None:
    memory = Dead(8192)
    memory.dead_from = dead_from
    journal = Journal(memory, FakeClock())
    journal.format(KEY, TABLE)
    journal.open()
    prepared = journal.prepare(0x23, {})
    if dead_from:
        journal.commit(prepared, 5)
    memory.dead = True
    with pytest.raises(JournalError) as caught:
        journal.commit(prepared, 5) if not dead_from else journal.seal()
    assert caught.value.code == "storage"
    assert bytes(memory.image[layout.HEADS[0] : layout.HEADS[0] + 90]).count(KEY) == 1, "the head moved on without them"


def test_a_memory_that_ignores_writes_is_noticed_by_the_first_append() -> None:
    memory = Dead(8192)
    journal = Journal(memory, FakeClock())
    journal.format(KEY, TABLE)
    journal.open()
    journal.append(1, POWER_ON)
    memory.dead = True
    with pytest.raises(JournalError) as caught:
        journal.append(1, POWER_ON)
    assert caught.value.code == "storage"
    with pytest.raises(JournalError) as caught:
        journal.append(1, POWER_ON)
    assert caught.value.code == "closed"
    memory.dead = False
    journal.open()
    assert journal.append(1, POWER_ON) == 2


def test_a_memory_that_dies_between_body_and_head_is_noticed() -> None:
    memory = Dead(8192)
    journal = Journal(memory, FakeClock())
    journal.format(KEY, TABLE)
    journal.open()
    prepared = journal.prepare(0x14, {})
    journal.commit(prepared, 5)
    memory.dead = True
    with pytest.raises(JournalError) as caught:
        journal.seal()
    assert caught.value.code == "storage"
    memory.dead = False
    assert journal.open().completed == 1
