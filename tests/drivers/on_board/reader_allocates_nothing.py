"""A visit on a scripted reader under a locked heap, with ticks that wrap in the middle of it."""

import sys

import iso15693
import micropython
import pn5180
from fakes import Clock, Pin, ReaderBus, set_time

START = (1 << 30) - 60_000  # ticks wrap within the visit
clock = Clock(START)
set_time(
    clock,
    sys.modules["pn5180"],
    sys.modules["pn5180.transport"],
    sys.modules["iso15693.exchange"],
    sys.modules["iso15693.field"],
    sys.modules["iso15693.inventory"],
    sys.modules["iso15693.visit"],
)


class Listener:
    """Counts what it hears, and keeps the last of each."""

    def __init__(self) -> None:
        self.log = bytearray(64)
        self.count = 0
        self.begun_at = 0
        self.finished_at = 0
        self.clean: bool | None = None
        self.spans = 0

    def note(self, kind: int) -> None:
        self.log[self.count] = kind
        self.count += 1

    def begun(self, t: int) -> None:
        self.begun_at = t

    def answered(self, index: int, lo: int, hi: int) -> None:
        self.note(0x10 + index)
        if clock.ticks_diff(hi, lo) > 0 and clock.ticks_diff(lo, self.begun_at) > 0:
            self.spans += 1

    def stranger(self, uid: bytearray, lo: int, hi: int) -> None:
        self.note(0x20 + (uid[0] & 15) + (uid[0] >> 7) * 0x60)
        if clock.ticks_diff(hi, lo) > 0 and clock.ticks_diff(lo, self.begun_at) > 0:
            self.spans += 1

    def silent(self, index: int, first: int, count: int) -> None:
        self.note(0x40 + index)

    def unknown(self, index: int) -> None:
        self.note(0x50 + index)

    def finished(self, clean: bool, t: int) -> None:
        self.clean = clean
        self.finished_at = t


def uid(low: int) -> bytes:
    return bytes((low, 0x12, 0, 0, 8, 1, 4, 0xE0))


bus = ReaderBus(clock)
reader = pn5180.PN5180(bus, Pin(1), Pin(0), Pin(1), "bets")
reader.start()
assert reader.version == 0x0401

EMPTY, COLLISION, CRC = bus.EMPTY, bus.COLLISION, bus.CRC
known = iso15693.UidTable(8)
for low in (0x01, 0x02, 0x03, 0x04):
    known.add(uid(low))
inventory = iso15693.Inventory(reader)
listener = Listener()
visit = iso15693.Visit(reader, inventory, iso15693.UidTable(16), retries=3, listener=listener)

script = []
# Root round: slot 1 the known tag 01, slot 5 a collision, slot 6 a broken answer, slot 9 a stranger.
for slot in range(16):
    script.append({1: uid(1), 5: COLLISION, 6: CRC, 9: uid(9)}.get(slot, EMPTY))
# The stack's top first: slot 6 alone reads well; then below slot 5: two strangers, in slots 0 and 15.
script.append(uid(6))
for slot in range(16):
    script.append({0: uid(0x05), 15: uid(0xF5)}.get(slot, EMPTY))
# Probes: tag 02 answers at once; 03 is silent three times in a row after a broken answer; 04 never makes up its mind.
script.append(uid(2))
script += [EMPTY, EMPTY, CRC, EMPTY, EMPTY, EMPTY]
script += [EMPTY, EMPTY, CRC] * 3
bus.script = script

steps = 0
waited = 0
visit.start(known)
micropython.heap_lock()
wait = visit.step()
while wait >= 0:
    steps += 1
    waited += wait
    clock.sleep_us(wait)
    wait = visit.step()
micropython.heap_unlock()

heard = list(listener.log[: listener.count])
assert bus.at == len(script), (bus.at, len(script))
assert heard == [0x10, 0x29, 0x26, 0x25, 0x85, 0x11, 0x42, 0x53], [hex(x) for x in heard]
assert listener.spans == 6, listener.spans
assert not listener.clean
assert clock.ticks_diff(listener.finished_at, listener.begun_at) > waited
assert listener.finished_at < listener.begun_at  # the wrap did happen

# The same inside a second visit: nothing known, an empty antenna.
bus.script = [EMPTY]
bus.at = 0
known.clear()
listener.count = 0
visit.start(known, True)
micropython.heap_lock()
wait = visit.step()
while wait >= 0:
    clock.sleep_us(wait)
    wait = visit.step()
micropython.heap_unlock()
assert listener.count == 0 and listener.clean

# Memory, and the table.
UNREAD = uid(7)
block = iso15693.BlockRead(reader, 4)
bus.script = [CRC, CRC, CRC, CRC]
bus.at = 0
micropython.heap_lock()
block.start(UNREAD, 0, 4)
wait = block.step()
while wait >= 0:
    clock.sleep_us(wait)
    wait = block.step()
known.add(UNREAD)
known.remove(0)
micropython.heap_unlock()
assert not block.ok and not block.error
print("ok", steps)
