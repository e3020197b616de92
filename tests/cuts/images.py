"""What a cut leaves in memory, opened by the journal's own recovery, and by another after a cut in that one.

Entry points: :func:`images` (all that a round's cuts can leave), :func:`recovered` (one, judged), :func:`cut_again`,
:func:`before_its_key`.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from hwsim.chips.mb85rs import replay
from hwsim.provisioning import DEVELOPMENT_KEYS
from sabot.journal.errors import JournalError
from sabot.journal.journal import Journal
from sabot.wire.records import TAG_SIZE, chain_tag, next_key, whole
from tests.cuts.life import Life
from tests.journal.fast_memory import FastMemory
from tests.journal.on_board.journal_memory import FakeClock

LOST, TORN, METERS = "lost", "torn", "wrong_meters"


class Wrong(AssertionError):
    """What a cut has done, of this ``kind``: a record `LOST`, one `TORN` or another than it was, or the `METERS`."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(f"{kind}: {text}")
        self.kind = kind


Image = tuple[int, bytearray]
"""how many writes had been done, and the memory after the cut"""


def images(life: Life, every: int = 1) -> Iterator[Image]:
    """What is left when the power goes before each write, and at each ``every``-th byte of it.

    A byte is cut twice: cleanly (those before it are there, it is not), and torn: what was in flight became anything.
    """
    memory = bytearray(life.blank)
    source = random.Random(life.name)
    for index, write in enumerate(life.log):
        if index >= life.first:
            yield index, bytearray(memory)
            for at in range(source.randrange(every), len(write.data), every):
                clean = bytearray(memory)
                clean[write.address : write.address + at] = write.data[:at]
                if at:
                    yield index, bytearray(clean)
                clean[write.address + at] = source.randrange(256)
                yield index, clean
        memory[write.address : write.address + len(write.data)] = write.data
    yield len(life.log), memory


def _judged(journal: Journal, life: Life, writes: int) -> None:
    last = journal.last
    if not life.durable[writes] <= last <= life.durable[writes] + 1:
        raise Wrong(LOST, f"{life.durable[writes]} records were whole, {last} are there")
    key, tag = DEVELOPMENT_KEYS["journal"], bytes(TAG_SIZE)
    number = 0
    for sequence, record in journal.records_from(1):
        number += 1
        if sequence != number:
            raise Wrong(LOST, f"record {number}")
        if whole(record, len(record)) != len(record) or record[:-TAG_SIZE] != life.records[sequence]:
            raise Wrong(TORN, f"record {sequence}")
        if record[-TAG_SIZE:] != chain_tag(key, tag, record):
            raise Wrong(TORN, f"the tag of record {sequence}")
        key, tag = next_key(key), record[-TAG_SIZE:]
    if number != last:
        raise Wrong(LOST, f"record {number + 1}")
    if bytes(journal.meters) != life.sums[last]:
        raise Wrong(METERS, f"after record {last}")


def recovered(life: Life, image: bytearray, writes: int) -> FastMemory:
    """Open ``image``, which a cut after so many writes left: nothing lost, nothing torn, meters true, and writable.

    Gives the memory with the log of what recovery wrote; raises `Wrong`.
    """
    memory = FastMemory(image=image)
    memory.log = []
    journal = Journal(memory, FakeClock(now=5))
    try:
        journal.open()
    except JournalError as error:
        raise Wrong(LOST, f"the journal does not open: {error}") from error
    _judged(journal, life, writes)
    memory.log, wrote = None, memory.log
    last = journal.last
    if journal.append(0x06, {"up": 1}) != last + 1:
        raise Wrong(LOST, "the next record")
    memory.log = wrote
    return memory


def cut_again(life: Life, image: bytearray, writes: int) -> Iterator[Image]:
    """What is left when the recovery of ``image`` is cut at each byte that it writes, clean and torn."""
    wrote = recovered(life, bytearray(image), writes).log or []
    source = random.Random(writes)
    for address, data in wrote:
        for at in range(len(data)):
            for torn in (False, True):
                left = bytearray(image)
                left[address : address + at] = data[:at]
                if torn:
                    left[address + at] = source.randrange(256)
                yield writes, left
        image[address : address + len(data)] = data


def before_its_key(life: Life) -> Iterator[bytearray]:
    """What cuts inside the provisioning leave: no journal yet. Every 97th write of it, and its last eight."""
    for index in (*range(0, life.first - 8, 97), *range(life.first - 8, life.first - 1)):
        size = len(life.log[index].data)
        yield replay(life.blank, life.log, index)
        for torn in sorted({0, 1, size // 2, size - 1}):
            yield replay(life.blank, life.log, index, torn, random.Random(index + torn).randrange(256))
