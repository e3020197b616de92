"""On MicroPython: the lock, the close, the scan and the shoe's path allocate nothing. Prints `ok`."""

import micropython

from sabot.rules.cards import card_from_name
from sabot.wire import codes
from tests.table.on_board import bataille
from tests.table.on_board.rig import Rig

shown = 0


def unlock() -> None:
    """The lamps are red: what follows may allocate."""
    global shown
    shown += 1
    micropython.heap_unlock()


# The bets' lock: from the key to red lamps, the record committed before.
rig = Rig()
rig.put(1, "ante", 1000)
rig.put(2, "ante", 1000)
rig.run(1000)
rig.ports.lamps.quiet = True
edge = rig.clock.ticks()
rig.run(4)
rig.ports.lamps.hook = unlock
micropython.heap_lock()
rig.table.announce(edge)
rig.ports.lamps.hook = None
assert shown == 1
assert rig.named("lock")[0]["spots"] == [(16, 1000), (17, 0), (32, 1000), (33, 0)]
assert rig.named("lock")[0]["edge"] == edge
rig.run(400)

# The shoe's path: every card but those that end a packet, which open a decision or make the deal record.
for position, name in enumerate(["2c", "3d", "5h", "7c", "7d", "2h", "Qs", "3c", "2d"]):
    code = card_from_name(name)
    now = rig.clock.ticks()
    if position % 3 < 2:
        micropython.heap_lock()
        rig.table.card(code, now)
        micropython.heap_unlock()
    else:
        rig.table.card(code, now)
assert rig.state() == "deciding"

# The second announcement.
rig.put(1, "play", 1000)
rig.run(1000)
edge = rig.clock.ticks()
rig.run(4)
rig.ports.lamps.hook = unlock
micropython.heap_lock()
rig.table.announce(edge)
rig.ports.lamps.hook = None
assert shown == 2
assert codes.KEYS[rig.named("key")[0]["key"]] == "rnvp"
rig.run(400)

# Bataille: the beam's edge of the first card locks the initial bets, and the shoe's path is the same.
rig = bataille.bataille()
bataille.laid(rig, (1, "initial", 1000), (2, "initial", 1000))
rig.ports.lamps.quiet = True
edge = rig.clock.ticks()
micropython.heap_lock()
rig.table.leaving(edge)
micropython.heap_unlock()
assert rig.ports.journal.committed()
micropython.heap_lock()
rig.table.leaving(edge)
micropython.heap_unlock()
rig.table.card(card_from_name("9c"), edge)
assert rig.named("first_card")[0]["edge"] == edge
rig.run(1000)
for name in ("9d", "9s"):
    rig.card(name)
rig.put(1, "additional", 1000)
rig.run(1500)
rig.key("devoiler")
rig.run(500)
for name in ["2c", "2d", "2h", "Kc", "2c", "2d", "2h"]:
    code = card_from_name(name)
    now = rig.clock.ticks()
    micropython.heap_lock()
    rig.table.leaving(now)
    rig.table.card(code, now)
    micropython.heap_unlock()

# The scan while bets are open: chips come, stay in doubt, leave, visits end.
rig = Rig()
chip = rig.ports.chips.new(500)
rig.run(500)
presence = rig.presence
for number in range(200):
    start = rig.clock.ticks() + number * 20000
    micropython.heap_lock()
    presence.visit_begun(0, start)
    if number % 4 == 0:
        presence.answered(0, chip, start + 1, start + 2)
    elif number % 4 == 2:
        presence.unknown(0, chip)
    elif number % 4 == 3:
        presence.silent(0, chip, start + 2)
    presence.visit_finished(0, number % 4 != 2, start + 10000)
    micropython.heap_unlock()
print("ok")
