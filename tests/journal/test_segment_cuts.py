"""The power goes at every program and erase of the flash, and between and inside the writes of the memory around them.

Whatever is cut, each record whose append had returned is there once, whole, in the ring or in a segment.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from sabot.journal.journal import Journal
from sabot.wire.records import whole
from tests.journal.fast_memory import FastMemory
from tests.journal.flash_files import PAGE, Flash, LfsFiles, apply
from tests.journal.on_board.journal_memory import KEY, TABLE, FakeClock
from tests.journal.on_board.journal_script import live
from tests.journal.uncut import Witness, judge_records

SIZE = 16384
BLOCKS = 24
MOST = 8


class Change(NamedTuple):
    """One write of the memory, or one operation of the flash (None: an erase)."""

    in_flash: bool
    address: int
    data: bytes | None


class Image(NamedTuple):
    """Both memories."""

    fram: bytearray
    flash: bytearray

    def copy(self) -> Image:
        return Image(bytearray(self.fram), bytearray(self.flash))

    def apply(self, change: Change) -> None:
        if change.in_flash:
            apply(self.flash, change.address, change.data)
        elif change.data is not None:
            self.fram[change.address : change.address + len(change.data)] = change.data

    def torn(self, change: Change, chance: random.Random) -> Image:
        """Both when the change was cut in the middle."""
        cut = self.copy()
        whole = self.copy()
        whole.apply(change)
        if change.in_flash:
            for at in range(change.address, change.address + (PAGE if change.data else 4096)):
                chosen = chance.choice((0, 255, chance.randrange(256)))
                cut.flash[at] = cut.flash[at] & ~chosen | whole.flash[at] & chosen
        elif change.data is not None:
            kept = chance.randrange(len(change.data))
            cut.fram[change.address : change.address + kept] = change.data[:kept]
            cut.fram[change.address + kept] = chance.randrange(256)
        return cut


class Log(list[Change]):
    """Everything that both memories were told, in order."""

    def fram(self) -> _Part:
        return _Part(self, False)

    def flash(self) -> _Part:
        return _Part(self, True)


class _Part(list[tuple[int, bytes]]):
    def __init__(self, log: Log, in_flash: bool) -> None:
        super().__init__()
        self._log = log
        self._in_flash = in_flash

    def append(self, entry: tuple[int, bytes | None]) -> None:
        self._log.append(Change(self._in_flash, *entry))


class Life(NamedTuple):
    """One run without a cut."""

    before: Image
    log: Log
    durable: list[int]
    acknowledged: list[int]
    records: dict[int, bytes]
    sums: list[bytes]
    moved: list[int]
    """where in the log steps of moving begin and end: indices of flash operations"""


def relieve(journal: Journal) -> None:
    while journal.crowded:
        for _ in journal.moves():
            pass


def lived(rounds: int) -> Life:
    memory, flash = FastMemory(SIZE), Flash(BLOCKS)
    files = LfsFiles(flash, form=True)
    journal = Journal(memory, FakeClock(seconds=1_790_000_000), files, files.open, MOST)
    journal.format(KEY, TABLE)
    journal.open()
    before = Image(bytearray(memory.image), bytearray(flash.buffer))
    log = Log()
    memory.log, flash.log = log.fram(), log.flash()  # type: ignore[assignment]
    witness = Witness(journal, log)
    for number in range(rounds):
        live(journal, 6, witness.returned, acknowledging=False)
        relieve(journal)
        if number % 3 == 2:
            journal.acknowledge(journal.first + (journal.last - journal.first) * 2 // 3)
            witness.mark(journal.last)
            relieve(journal)
    moved = [index for index, change in enumerate(log) if change.in_flash]
    return Life(before, log, *witness.after_each_write(), witness.records, witness.sums(), moved)


def opened(image: Image) -> tuple[Journal, FastMemory, Flash]:
    memory, flash = FastMemory(image=image.fram), Flash(BLOCKS, image.flash)
    files = LfsFiles(flash)
    journal = Journal(memory, FakeClock(now=5), files, files.open, MOST)
    return journal, memory, flash


def judge(life: Life, image: Image, writes: int) -> Log:
    """Open what a cut left, hold it against the life without one; what opening wrote."""
    journal, memory, flash = opened(image)
    log = Log()
    memory.log, flash.log = log.fram(), log.flash()  # type: ignore[assignment]
    recovery = journal.open()
    assert recovery.flash
    judge_records(journal, life, writes)
    return log


def cuts(life: Life, every: int, seed: int) -> Iterator[tuple[int, Image]]:
    """Images after each change near one of the flash, and inside it, twice; elsewhere at one change in ``every``."""
    chance = random.Random(seed)
    image = life.before.copy()
    near = {index + offset for index in life.moved for offset in (-1, 0, 1, 2, 3)}
    for index, change in enumerate(life.log):
        if index in near or index % every == 0:
            yield index, image
            yield index, image.torn(change, chance)
            yield index, image.torn(change, chance)
        image.apply(change)
    yield len(life.log), image


@pytest.fixture(scope="module")
def life() -> Life:
    found = lived(27)
    assert len(found.records) > 200
    assert len(found.moved) > 150
    erases = [change for change in found.log if change.in_flash and change.data is None]
    assert len(erases) > 15
    return found


def test_a_cut_at_any_change_loses_nothing_tears_nothing_and_doubles_nothing(life: Life) -> None:
    count = 0
    for writes, image in cuts(life, 40, seed=1):
        judge(life, image, writes)
        count += 1
    assert count > 600


def test_a_cut_during_recovery_is_recovered_too(life: Life) -> None:
    chance = random.Random(2)
    flash = fram = 0
    for writes, image in cuts(life, 200, seed=3):
        if chance.random() > 0.3:
            continue
        again = image.copy()
        for change in judge(life, image.copy(), writes):
            judge(life, again.torn(change, chance), writes)
            again.apply(change)
            judge(life, again, writes)
            flash += change.in_flash
            fram += not change.in_flash
    assert fram > 20 and flash > 10


def test_play_goes_on_after_any_cut(life: Life) -> None:
    chance = random.Random(4)
    count = 0
    for _writes, image in cuts(life, 400, seed=5):
        if chance.random() > 0.15:
            continue
        journal, memory, flash = opened(image)
        journal.open()
        kept = dict(journal.records_from(1))
        for _ in range(3):
            if journal.full:
                journal.acknowledge(journal.last - 10)
            live(journal, 3, acknowledging=False)
            relieve(journal)
        files = LfsFiles(flash)
        again = Journal(memory, FakeClock(now=5), files, files.open, MOST)
        assert again.open().repaired == []
        now = dict(again.records_from(1))
        assert sorted(now) == list(range(again.first, again.last + 1))
        assert again.first <= again.acknowledged + 1
        assert all(kept.get(sequence, record) == record for sequence, record in now.items())
        assert all(whole(record, len(record)) for record in now.values())
        count += 1
    assert count > 60


@pytest.mark.campaign
@pytest.mark.parametrize("seed", range(3))
def test_a_cut_at_every_change(life: Life, seed: int) -> None:
    for writes, image in cuts(life, 1, seed=10 + seed):
        judge(life, image, writes)
