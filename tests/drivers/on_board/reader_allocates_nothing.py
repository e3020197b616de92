"""A visit on a scripted reader under a locked heap, with ticks that wrap in the middle of it."""

import sys

import iso15693
import micropython
import pn5180
from fakes import Clock, Pin, ReaderBus, set_time

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

START = (1 << 30) - 60_000  # ticks wrap within the visit
clock = Clock(START)
set_time(
    clock,
    sys.modules["pn5180"],
    sys.modules["pn5180.transport"],
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

EMPTY, CRC, SIGN = bus.EMPTY, bus.CRC, bus.SIGN
known = iso15693.UidTable(8)
for low in (0x01, 0x02, 0x03, 0x04):
    known.add(uid(low))
inventory = iso15693.Inventory(reader)
listener = Listener()
visit = iso15693.Visit(reader, inventory, iso15693.UidTable(16), retries=3, listener=listener)

# Signs of life: of 01; 02 is silent and 03 damaged. 04 is left to the inventory.
script: list[Any] = [SIGN, EMPTY, CRC]
# There it collides with others at bit 0. Below, 04 is alone at 0; at 1 a collision at bit 2, after 01.
script += [(0, bytes(8)), uid(4), (2, uid(1))]
# 09 is alone at 001; at 101 there is nobody, twice: 16 slots at 1 have 05, 09 and a broken answer, asked for again.
script += [uid(9), EMPTY, EMPTY]
for slot in range(16):
    script.append({2: uid(0x05), 4: uid(0x09), 9: CRC}.get(slot, EMPTY))
script.append(uid(0x13))
# Asked again: 02 is silent three times in a row after a broken answer; 03 never makes up its mind.
script += [EMPTY, EMPTY, CRC, EMPTY, EMPTY, EMPTY]
script += [EMPTY, EMPTY, CRC] * 3
bus.script = script

steps = 0
waited = 0
wait = 0  # a name made now: none may be added under the lock
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
assert heard == [0x10, 0x13, 0x29, 0x25, 0x23, 0x41, 0x52], [hex(x) for x in heard]
assert listener.spans == 5, listener.spans
assert not listener.clean
assert clock.ticks_diff(listener.finished_at, listener.begun_at) > waited
assert listener.finished_at < listener.begun_at  # the wrap did happen

# The same inside a second visit, to confirm: a tag that knows no command of an ICODE, and answers when asked again.
FOREIGN = bytes((0x11, 0x12, 0, 0, 8, 1, 7, 0xE0))
bus.script = [EMPTY, EMPTY, FOREIGN]
bus.at = 0
known.clear()
known.add(FOREIGN)
listener.count = 0
visit.start(known, True)
micropython.heap_lock()
wait = visit.step()
while wait >= 0:
    clock.sleep_us(wait)
    wait = visit.step()
micropython.heap_unlock()
assert list(listener.log[: listener.count]) == [0x10] and listener.clean
known.clear()

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
