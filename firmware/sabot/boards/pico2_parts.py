"""What is on the reference table's board, revision A: pins, buses and the chips on them. Entry point: :class:`Board`.

Its attributes are driver objects ready to be started. The pin map is the one of ``docs/hardware.md``. Needed at the
start only.
"""

import time

import rp2
from antenna_switch import ExpanderAntennaSwitch
from ds3231 import DS3231, ClockFault
from iso15693.field import Field
from iso15693.inventory import Inventory
from iso15693.memory import BlockRead
from iso15693.reader import ReaderFault
from iso15693.uid_table import UidTable
from iso15693.visit import Visit
from machine import I2C, PWM, SPI, Pin
from mb85rs import MB85RS
from mcp23017 import MCP23017, ExpanderFault
from micropython import const
from pn5180 import PN5180
from ssd1306 import SSD1306, DisplayFault
from ws2812 import WS2812

from sabot.boards.pico2 import FastSelect

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_PIN_LAMPS = const(0)
_PIN_BUZZER = const(1)
_PIN_SDA = const(2)
_PIN_SCL = const(3)
_PIN_CASE = const(4)
PINS_NSS = (5, 6, 7, 8)
_PIN_NSS_SHOE = const(9)
PINS_BUSY = (10, 11, 12, 13)
_PIN_BUSY_SHOE = const(14)
_PIN_INT = const(15)
_PIN_MISO = const(16)
_PIN_CS_FRAM = const(17)
_PIN_SCK = const(18)
_PIN_MOSI = const(19)
_PIN_RNVP = const(22)
_PIN_BEAM = const(26)
_PIN_GATE = const(27)
_PIN_LID = const(28)

_READER_HZ = const(7000000)  # PN5180: 7 Mbit/s at most
_FRAM_HZ = const(20000000)
_I2C_HZ = const(400000)
_I2C_TIMEOUT_US = const(3000)  # no transaction is longer: a stuck bus must not delay the lock
_CLOCKS_OF_A_BYTE = const(9)
_HALF_CLOCK_US = const(5)

EXPANDERS = (0x20, 0x21)
# Bits of the expanders that are keys: inputs with pull-up and interrupt. All others are outputs, low at the start, so
# every reader is held in reset.
EXPANDER_KEYS = (0x0040, 0x7F7F)
# Antenna select of each reader: expander, first bit, number of bits.
SELECTS = ((0, 0, 3), (0, 3, 3), (0, 8, 3), (0, 11, 3))
# RESET_N of the four readers and of the shoe's: expander, bit.
RESETS = ((0, 7), (0, 14), (0, 15), (1, 7))
RESET_SHOE = (1, 15)
# Keys, three numbers each: expander, bit, number of the key in wire.codes.KEYS.
KEYS = bytes((
    0, 6, 2, 1, 0, 3, 1, 1, 4, 1, 2, 5, 1, 3, 6, 1, 4, 7, 1, 5, 8, 1, 6, 9,
    1, 8, 10, 1, 9, 11, 1, 10, 12, 1, 11, 13, 1, 12, 14, 1, 13, 15, 1, 14, 16,
))  # fmt: skip

_CHIP_BLOCKS = const(6)  # of a chip's memory
_BLOCK_BYTES = const(4)
_FRESH_CARDS = const(24)  # cards that may come to the discard in one visit
_VISIT_TAGS = const(128)  # tags that one antenna may hold
_BUZZER_HZ = const(2300)
_LAMP_MACHINE = const(0)
_LAMP_HZ = const(8000000)  # ten clocks a bit of 1.25 us
_MOST_LAMPS = const(40)  # an antenna each, and the bar


@rp2.asm_pio(sideset_init=rp2.PIO.OUT_LOW, out_shiftdir=rp2.PIO.SHIFT_LEFT, autopull=True, pull_thresh=24)
def _lamp_program() -> None:
    """WS2812 timing: 0 is 0.375 us high, 1 is 0.75 us high, of 1.25 us; the wire rests low."""
    t1 = 3
    t2 = 3
    t3 = 4
    wrap_target()  # type: ignore # noqa: F821
    label("bit")  # type: ignore # noqa: F821
    out(x, 1).side(0)[t3 - 1]  # type: ignore # noqa: F821
    jmp(not_x, "zero").side(1)[t1 - 1]  # type: ignore # noqa: F821
    jmp("bit").side(1)[t2 - 1]  # type: ignore # noqa: F821
    label("zero")  # type: ignore # noqa: F821
    nop().side(0)[t2 - 1]  # type: ignore # noqa: F821
    wrap()  # type: ignore # noqa: F821


# What a reader's parts raise: its antenna switch and its reset line are on an expander.
_FAULTS = (ReaderFault, ExpanderFault)


def _free_i2c() -> None:
    """Clock out a part that a reset has left in the middle of a read: it holds SDA low until its byte is over.

    (UM10204, 3.1.16; within nine clocks SDA is high at some time, and the STOP that follows ends the read.)
    """
    sda = Pin(_PIN_SDA, Pin.OPEN_DRAIN, value=1)
    scl = Pin(_PIN_SCL, Pin.OPEN_DRAIN, value=1)
    for _ in range(_CLOCKS_OF_A_BYTE):
        if sda.value():
            break
        scl.value(0)
        time.sleep_us(_HALF_CLOCK_US)
        scl.value(1)
        time.sleep_us(_HALF_CLOCK_US)
    for pin, level in ((scl, 0), (sda, 0), (scl, 1), (sda, 1)):
        pin.value(level)
        time.sleep_us(_HALF_CLOCK_US)


class ReaderParts:
    """The driver objects of a bet reader: see ``services.reader_scan``."""

    fault = _FAULTS

    def __init__(self, reader: "Any", retries: int, afi: int) -> None:
        self.reader = reader
        inventory = Inventory(reader)
        self.visit = Visit(reader, inventory, None, retries, None, afi, _VISIT_TAGS)
        self.blocks = BlockRead(reader, _CHIP_BLOCKS, _BLOCK_BYTES, inventory.channel)
        self.field = self.visit.field


class DiscardParts:
    """Tables for the cards on the discard's antenna: see ``services.discard``."""

    def __init__(self) -> None:
        self.known = UidTable(_VISIT_TAGS)
        self.fresh = UidTable(_FRESH_CARDS)


class ShoeParts:
    """The driver objects of the shoe's reader: see ``services.mouth``."""

    fault = _FAULTS

    def __init__(self, reader: "Any") -> None:
        self.reader = reader
        self.inventory = Inventory(reader)
        self.field = Field(reader)


class Board:
    """Everything that is soldered, made once; what the configuration says is fitted comes with :meth:`fit`."""

    def __init__(self) -> None:
        self._spi = SPI(0, baudrate=_READER_HZ, sck=Pin(_PIN_SCK), mosi=Pin(_PIN_MOSI), miso=Pin(_PIN_MISO))
        _free_i2c()
        self._i2c = I2C(1, sda=Pin(_PIN_SDA), scl=Pin(_PIN_SCL), freq=_I2C_HZ, timeout=_I2C_TIMEOUT_US)
        self.gate = Pin(_PIN_GATE, Pin.OUT, value=0)
        self._chain = rp2.StateMachine(_LAMP_MACHINE, _lamp_program, freq=_LAMP_HZ, sideset_base=Pin(_PIN_LAMPS))
        self._chain.active(1)
        WS2812(self._chain, _MOST_LAMPS).show()  # a reset leaves them lit, and a start may end in a refusal
        self.rnvp = Pin(_PIN_RNVP, Pin.IN, Pin.PULL_UP)
        self.interrupt = Pin(_PIN_INT, Pin.IN, Pin.PULL_UP)
        self.beam = Pin(_PIN_BEAM, Pin.IN, Pin.PULL_UP)
        self.lid = Pin(_PIN_LID, Pin.IN, Pin.PULL_UP)
        self.case = Pin(_PIN_CASE, Pin.IN, Pin.PULL_UP)
        self._selects = [Pin(number, Pin.OUT, value=1) for number in PINS_NSS]  # every one is high before the first use
        self._shoe_select = Pin(_PIN_NSS_SHOE, Pin.OUT, value=1)
        fram_select = FastSelect(Pin(_PIN_CS_FRAM, Pin.OUT, value=1), self._spi, _FRAM_HZ, _READER_HZ)
        self.fram = MB85RS(self._spi, fram_select, "MB85RS4MT")
        self.expanders = (MCP23017(self._i2c, EXPANDERS[0]), MCP23017(self._i2c, EXPANDERS[1]))
        self.clock = DS3231(self._i2c)
        self.clock_fault = ClockFault
        self.display = SSD1306(self._i2c)
        self.display_fault = DisplayFault
        self.buzzer = PWM(Pin(_PIN_BUZZER), freq=_BUZZER_HZ, duty_u16=0)
        self.keys = KEYS
        self.expander_fault = ExpanderFault
        self.readers: "list[ReaderParts]" = []
        self.switches: "list[ExpanderAntennaSwitch]" = []
        self.shoe: "Any" = None
        self.lamps: "Any" = None
        self.discard: "Any" = None
        self.badges: "Any" = None

    def fit(self, config: "Any", lamp_count: int) -> None:
        """Make the readers that are fitted, the shoe's, that of the badges, and the chain of lamps."""
        for number in range(config.readers):
            reader = self._reader(self._selects[number], PINS_BUSY[number], RESETS[number], "reader %d" % number)
            self.readers.append(ReaderParts(reader, config.retries, config.afi_chip))
            expander, first, count = SELECTS[number]
            held = expander == RESETS[number][0]
            self.switches.append(ExpanderAntennaSwitch(self.expanders[expander], first, count, held))
        if config.discard >= 0:
            self.discard = DiscardParts()
        self.shoe = ShoeParts(self._reader(self._shoe_select, _PIN_BUSY_SHOE, RESET_SHOE, "shoe"))
        if config.badge_reader:
            from pn532 import PN532, PN532Fault
            from pn532.i2c import I2cLink

            self.badges = PN532(I2cLink(self._i2c))
            self.badge_fault = PN532Fault
        self.lamps = WS2812(self._chain, lamp_count)

    def _reader(self, select: Pin, busy: int, reset: "tuple[int, int]", name: str) -> PN5180:
        expander, bit = reset
        return PN5180(self._spi, select, Pin(busy, Pin.IN), self.expanders[expander].pin(bit), name)

    def start_expanders(self) -> None:
        """Bring up both expanders: directions, pull-ups, interrupt on change of every key."""
        for interrupt in (False, True):
            # Both share one line, and a fresh chip drives it push-pull: first make both open drain, then let them pull.
            for number in range(len(self.expanders)):
                keys = EXPANDER_KEYS[number]
                self.expanders[number].start(keys, keys, keys if interrupt else 0)
