"""When a key was pressed, whatever the bus does, on MicroPython. Run by tests/firmware/test_key_instants."""

from fakes import Clock, Pin, set_time

import sabot.services.bouts as bouts
import sabot.services.panel as panel

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

CLOCK = Clock(1000)
TURN_US = 2000
set_time(CLOCK, panel, bouts)


class Fault(Exception):
    """The expander does not answer."""


class Line(Pin):
    """An interrupt line that is broken: it never falls."""

    def irq(self, handler: "Any", trigger: int, hard: bool) -> None: ...


class Expander:
    """One key. The next ``deaf`` reads fail; ``dropped``: it has lost its configuration."""

    down = 0
    moved = 0
    caught = 0  # its level when it moved first
    deaf = 0
    dropped = False

    def check(self) -> bool:
        kept = not self.dropped
        self.dropped = False
        return kept

    def read_changes(self, buf: bytearray) -> None:
        if self.deaf:
            self.deaf -= 1
            raise Fault
        levels = 0xFF & ~self.down
        caught = 0xFE | self.caught
        for at, value in enumerate((self.moved, 0, caught, 0xFF, levels, 0xFF)):
            buf[at] = value
        self.moved = 0

    def set(self, down: int) -> None:
        self.moved = self.down ^ down
        self.caught = down ^ 1
        self.down = down


class Reporter:
    """Hears of a broken line."""

    def tell(self, part: str, index: int, detail: str) -> None: ...


class Keys:
    """A panel of one key."""

    def __init__(self, line: "Line | None" = None) -> None:
        self.expander = Expander()
        self.pad = panel.KeyPad(line or Line(1), (self.expander,), bytes((0, 0, 5)), Fault, Reporter())
        self.pad.start(4)

    def wait(self, seconds: int) -> int:
        """Let time pass; returns when the key was told to have been pressed, -1 when it was not."""
        found = -1
        for _ in range(seconds * 1000000 // TURN_US):
            if self.pad.poll(CLOCK.ticks_us()):
                found = self.pad.instant
            CLOCK.sleep_us(TURN_US)
        return found

    def press(self, deaf: int, dropped: bool = False) -> int:
        """Press the key after a minute without any; returns by how much it was told too late, in us."""
        self.wait(60)
        self.expander.set(1)
        self.expander.deaf = deaf
        self.expander.dropped = dropped
        begun = CLOCK.now
        told = self.wait(1)
        self.expander.set(0)
        self.wait(1)
        return told - begun


def a_read_that_fails() -> None:
    keys = Keys()
    keys.press(0)
    for deaf in (0, 1, 2, 5):
        late = keys.press(deaf)
        if not 0 <= late <= 10000 + TURN_US:
            raise AssertionError((deaf, late))


def an_expander_that_has_lost_its_configuration() -> None:
    keys = Keys()
    late = keys.press(1, True)
    if not 0 <= late <= 1000000:
        raise AssertionError(late)


PRESS = ((0, 1), (2, 0), (3, 1), (4, 0), (5, 1))  # ms, down: it bounces
RELEASE = ((0, 0), (1, 1), (2, 0), (4, 1), (5, 0), (6, 1), (7, 0))


class Sound(Line):
    """An interrupt line that falls."""

    handler: "Any" = None

    def irq(self, handler: "Any", trigger: int, hard: bool) -> None:
        self.handler = handler


def pressed(keys: Keys, line: Sound, hold: int, deaf: int) -> int:
    """How often a press of ``hold`` ms counts, in whose first ``deaf`` ms the bus does not work."""
    begun = CLOCK.now
    moves = dict(PRESS)
    for at, down in RELEASE:
        moves[hold + at] = down
    count = 0
    for ms in range(250):
        if ms in moves:
            if not keys.expander.moved:
                keys.expander.caught = moves[ms] ^ 1
                line.level = 0
                line.handler(line)
            keys.expander.down = moves[ms]
            keys.expander.moved = 1
        if not ms % 2:
            keys.expander.deaf = 1 if ms < deaf else 0
            while keys.pad.poll(CLOCK.ticks_us()):
                count += 1
            line.level = 0 if keys.expander.moved else 1
        CLOCK.now = (begun + 1000 * (ms + 1)) % (1 << 30)
    keys.wait(1)
    return count


def a_bus_that_comes_back_while_a_key_bounces() -> None:
    line = Sound(1)
    keys = Keys(line)
    pressed(keys, line, 60, 0)
    for hold in range(20, 70, 5):
        for deaf in range(0, 80, 2):
            count = pressed(keys, line, hold, deaf)
            if count != 1:
                raise AssertionError((hold, deaf, count))


class Wire(Pin):
    """The announcement key's wire."""

    handler: "Any" = None

    def irq(self, handler: "Any", trigger: int, hard: bool) -> None:
        self.handler = handler

    def change(self, level: int) -> None:
        self.level = level
        self.handler(self)


class Hasty(panel.AnnouncementKey):
    """``then()`` happens at the very instant at which edges have been judged and are about to be counted so."""

    then: "Any" = None
    _counted = 0

    def _get(self) -> int:
        return self._counted

    def _set(self, edges: int) -> None:
        if self.then is not None:
            act, self.then = self.then, None
            act()
        self._counted = edges

    _judged = property(_get, _set)


def a_press_in_the_instant_in_which_a_glitch_is_judged() -> None:
    wire = Wire(1)
    key = Hasty(wire)
    key.start(3)
    wire.change(0)
    CLOCK.sleep_us(500)
    wire.change(1)
    begun: list[int] = []

    def press() -> None:
        begun.append(CLOCK.now)
        wire.change(0)

    key.then = press
    told = []
    for _ in range(20):
        event = key.poll(CLOCK.ticks_us())
        if event:
            told.append((event, key.instant))
        CLOCK.sleep_us(TURN_US)
    if [event for event, _ in told] != [2, 1] or not 0 <= told[1][1] - begun[0] < 100:
        raise AssertionError((told, begun))


for act in (
    a_press_in_the_instant_in_which_a_glitch_is_judged,
    a_read_that_fails,
    an_expander_that_has_lost_its_configuration,
    a_bus_that_comes_back_while_a_key_bounces,
):
    print(act.__name__)
    act()
print("ok")
