"""On MicroPython: commit() allocates nothing, and every cut of a short life opens as it does on CPython."""

import micropython
from journal_memory import KEY, TABLE, FakeClock, Memory
from journal_script import fill_lock, live

from sabot.journal.errors import JournalError
from sabot.journal.journal import Journal
from sabot.wire.records import TAG_SIZE, code_of, parse, whole

memory = Memory(8192)
clock = FakeClock(seconds=1790000000)
journal = Journal(memory, clock)
journal.format(KEY, TABLE)
journal.open()
prepared = journal.prepare(code_of("lock"), {"spots": 6})
for number in range(1, 9):
    clock.now += 123456789
    micropython.heap_lock()
    try:
        fill_lock(prepared.record, prepared.offsets, number, 6)
        sequence = journal.commit(prepared, clock.now & 0x3FFFFFFF)
    finally:
        micropython.heap_unlock()
    # Before the seal the body alone is there, and a boot completes it.
    other = Journal(Memory(image=memory.image), clock)
    assert other.open().completed == sequence == number
    assert journal.seal() == number
    assert bytes(journal.read(number) or b"")[-TAG_SIZE:] == bytes(other.read(number) or b"")[-TAG_SIZE:]
    found = parse(journal.read(number) or b"")
    assert found["monotonic"] == clock.now, found
    assert abs(found["clock"] - clock.wall()[0]) <= 1, found
    assert found["fields"]["round"] == number and len(found["fields"]["spots"]) == 6
journal.acknowledge(4)

before = bytes(memory.image)
log: list[tuple[int, bytes]] = []
memory.log = log
live(journal, 3)
memory.log = None
last = journal.last
image = bytearray(before)
opened = 0
newest = 0
for address, data in log:
    for kept in (0, len(data) // 2):
        torn = Memory(image=image)
        torn.image[address : address + kept] = data[:kept]
        torn.image[address + kept] ^= 0x5A
        cut = Journal(torn, clock)
        cut.open()
        assert cut.last >= newest, "a record is lost"
        newest = cut.last
        for sequence, record in cut.records_from(1):
            assert record == journal.read(sequence) and whole(record, len(record)), sequence
        opened += 1
    image[address : address + len(data)] = data
assert newest >= last - 1 and opened > 80

blank = Journal(Memory(8192), clock)
try:
    blank.open()
    raise SystemExit("an unformatted memory was opened")
except JournalError as error:
    assert error.code == "unformatted"
print("ok", opened, "cuts")
