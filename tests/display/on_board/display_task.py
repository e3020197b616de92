"""The display's task on the board's interpreter: what it sends, when it composes, faults, and what it allocates."""

import micropython
import ssd1306

import sabot.services.display as service
from sabot.display.screen import Screen
from sabot.display.words import ENGLISH
from sabot.wire.codes import PROMPTS, place

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Clock:
    """The `time` module that the task sees; its milliseconds move when told to."""

    def __init__(self) -> None:
        self.now = 1000

    def ticks_ms(self) -> int:
        return self.now

    def ticks_add(self, ticks: int, delta: int) -> int:
        return ticks + delta

    def ticks_diff(self, end: int, start: int) -> int:
        return end - start


class Bus:
    """I2C with an SSD1306 that keeps its memory: horizontal addressing."""

    def __init__(self) -> None:
        self.memory = bytearray(1024)
        self.at = 0
        self.page_end = 0
        self.answers = True
        self.transactions = 0
        self.longest = 0
        self.settings = 0

    def writeto(self, address: int, buf: "bytes | bytearray | memoryview") -> None:
        if not self.answers:
            raise OSError(5)
        self.transactions += 1
        if len(buf) > self.longest:
            self.longest = len(buf)
        if buf[0] == 0x40:
            for i in range(1, len(buf)):
                self.memory[self.at] = buf[i]
                self.at += 1
        elif len(buf) == 9:
            self.at = buf[7] * 128 + buf[4]
        elif len(buf) > 9:
            self.settings += 1


class Table:
    """A table of two seats whose status can be set."""

    def __init__(self) -> None:
        self.state = "betting"
        self.seen = 2500
        self.asked = 0
        self.menu: dict[str, Any] = {}
        self.paying: dict[str, Any] = {}

    def pays(self, page: int, *rows: "tuple[str, int, int]") -> None:
        """Open a page of two; without rows, none is open any more."""
        self.paying = {"seat": 1, "page": page, "pages": 2, "rows": list(rows)}

    def status(self) -> "dict[str, Any]":
        self.asked += 1
        spots = []
        for seat in (1, 2):
            where = place(seat, 0)
            spots.append({"place": where, "bet": "ante", "state": "open", "seen": self.seen, "locked": 2500})
        return {
            "state": self.state,
            "round": 3,
            "seats": [{"seat": seat, "state": "in", "held": False, "folding": False} for seat in (1, 2)],
            "spots": spots,
            "issues": [],
            "paying": self.paying,
            "cut": False,
            "dealer": 7,
            "menu": self.menu,
        }


clock = Clock()
setattr(service, "time", clock)  # noqa: B010
bus = Bus()
panel = ssd1306.SSD1306(bus)
faults: "dict[str, str]" = {}
said: "list[str]" = []
forgotten: "list[str]" = []
display = service.Display(panel, ssd1306.DisplayFault, faults, said.append, forgotten.append)
table = Table()


def shown(*lines: str) -> bytearray:
    """The dots of a page."""
    buffer = bytearray(1024)
    Screen(buffer, lambda line, first, last: None).show(lines + ("",) * (8 - len(lines)))
    return buffer


def settle(ms: int = 200) -> int:
    """Let the task turn until it has nothing to send, then let time pass; the number of transactions."""
    before = bus.transactions
    clock.now += ms
    while display.turn(clock.now) == service.PIECE_MS:
        clock.now += 1
    return bus.transactions - before


# No table yet, then one: each turn is one transaction at most, besides the one that starts the panel.
settle()
assert bus.settings == 1 and bus.memory == shown()
display.attend(table)
clock.now += 200
while True:
    before = bus.transactions
    wait = display.turn(clock.now)
    assert bus.transactions - before <= 1
    clock.now += 1
    if wait != service.PIECE_MS:
        break
assert bus.memory == shown("FAITES VOS MISES", "P1 25 $", "P2 25 $")
assert bus.longest <= 65

# Nothing changed: nothing is asked, nothing is sent.
asked = table.asked
assert settle(5000) == 0 and table.asked == asked

# Changes of amounts are gathered: the table is asked again no sooner than half a second after the last time.
table.seen = 5000
display.changed()
settle()
for _ in range(30):
    display.changed()
    settle(10)
assert table.asked == asked + 1
settle()
assert bus.memory == shown("FAITES VOS MISES", "P1 50 $", "P2 50 $")

# Only cells that differ are sent: two blocks of 16 columns a line here, each with its window.
table.seen = 7500
display.changed()
assert settle(500) == 4

# A change of state shows by itself.
table.state = "locked"
settle()
assert bus.memory == shown("RIEN NE VA PLUS", "P1 25 $", "P2 25 $")
table.state = "settling"
table.pays(1, ("pay", place(2, 0), 2500))
settle()
assert bus.memory == shown("PAIEMENTS         1/2", "P2 INIT PAYER 25 $", "", "", "", "", "", "FIN=SUIVANT")
table.pays(2, ("take", place(1, 0), 2500))
display.changed()
settle(500)
assert bus.memory == shown("PAIEMENTS         2/2", "P1 INIT RAMASSER")
table.pays(2)
display.changed()
settle(500)
assert bus.memory == shown("PAIEMENTS", "", "FIN DE PARTIE")
table.paying = {}
table.seen = 0
table.state = "betting"
settle()
assert bus.memory == shown("FAITES VOS MISES")

# A panel that has forgotten everything is given it again within ten seconds, though nothing has changed.
settings = bus.settings
bus.memory[:] = bytearray(b"\x55" * len(bus.memory))
settle(10_000)
settle()
assert bus.settings == settings + 1 and bus.memory == shown("FAITES VOS MISES")

# The bets of a void round are shown for a while.
table.state = "dealing"
settle()
table.state = "betting"
display.prompt(PROMPTS.index("void_return"), place(1, 0), 2500)
settle()
assert bus.memory == shown("ANNULÉE: REMETTRE", "P1 25 $")
settle(20001)
assert bus.memory == shown("FAITES VOS MISES")

# Lines for which there is no room take turns, without the table being asked.
for part in ("reader 0", "reader 1", "reader 2", "reader 3"):
    faults[part] = "busy"
display.changed()
settle(500)
first = bytes(bus.memory)
asked = table.asked
settle(2001)
assert bus.memory != first and table.asked == asked
settle(2001)
assert bus.memory == first
faults.clear()

# The language, confirmed for a moment.
display.choose(ENGLISH)
settle()
assert bus.memory == shown("", "", "  FRANÇAIS", "> ENGLISH")
settle(1600)
assert bus.memory == shown("PLACE YOUR BETS")

# The table's own word for it chooses the other one; and the menu, which ends by itself.
display.prompt(PROMPTS.index("language"), 0, 0)
settle()
assert bus.memory == shown("", "", "> FRANÇAIS", "  ENGLISH")
display.prompt(PROMPTS.index("language"), 0, 0)
settle(1700)
settle(1700)
forgotten.clear()
table.menu = {"item": "toke", "step": "amount", "text": "2500", "seat": 2, "place": place(2, 0)}
display.changed()
settle(600)
assert bus.memory == shown("TIP S2", "AMOUNT?", "$25", "", "", "", "", "YES=DONE NO=CORRECT")
table.menu = {}
settle(1100)
assert "sabot.display.menu_page" in forgotten and "sabot.display.words_en" in forgotten
assert bus.memory == shown("PLACE YOUR BETS")

# A display that fails is told of once, tried once a second, and comes back with the whole page.
bus.answers = False
table.seen = 2500
display.changed()
for _ in range(5000):
    display.turn(clock.now)
    clock.now += 1
assert said == ["absent"]
bus.answers = True
bus.memory[:] = b"\xaa" * 1024
settle(1001)
settle()
assert said == ["absent", ""]
assert bus.memory == shown("PLACE YOUR BETS", "S1 $25", "S2 $25")

# A controller that does not play.
display.refuse("memory")
settle()
assert bus.memory == shown("TABLE CLOSED", "", "INTERNAL FAULT", "memory", "", "", "", "CALL SUPERVISOR")

# What the lock's path may call, drawing a page and sending it allocate nothing.
panel.buffer[:] = bytes(1024)
screen = Screen(panel.buffer, panel.touch)
page = ("ÀÂÇÈÉÊËÎÏÔÙÛÜŒ«»°", "P1 1 250 $ P5 25 $", "OUI=VALIDE NON=REFUS", "", "abc", "", "", "QJKWXYZ 0123456789")
screen.show(page)
screen.show(("",) * 8)
blank = ("",) * 8
micropython.heap_lock()
display.changed()
screen.show(page)
while panel.step():
    pass
screen.show(blank)
micropython.heap_unlock()
assert not any(panel.buffer)
print("ok")
