"""The reference table, revision A: every chip on its pins and buses, as in ``docs/hardware.md``.

Entry point: :class:`Hardware`. Written from that page and not from the firmware, so a wrong pin on either side shows.
"""

from __future__ import annotations

from hwsim.chips.beam import ExitBeam
from hwsim.chips.buzzer import Buzzer
from hwsim.chips.ds3231 import Ds3231
from hwsim.chips.ds3231_bus import HalfRead
from hwsim.chips.ds3231_time import registers_of
from hwsim.chips.gate import Gate
from hwsim.chips.mb85rs import Mb85rs
from hwsim.chips.mcp23017 import Mcp23017
from hwsim.chips.optical_lip import OpticalLip
from hwsim.chips.pn532_i2c import ADDRESS as BADGE_ADDRESS
from hwsim.chips.pn532_i2c import Pn532I2c
from hwsim.chips.pn5180 import Pn5180
from hwsim.chips.qspi_flash import QspiFlash
from hwsim.chips.ssd1306 import Ssd1306
from hwsim.chips.switches import Contact, Key
from hwsim.chips.ws2812 import Ws2812Chain
from hwsim.core import Line, Scheduler
from hwsim.fabric import Fabric
from hwsim.nets import Pad, SharedLine
from hwsim.rf.antenna import Antenna
from hwsim.rf.switch import AntennaSwitch, FixedPort
from hwsim.world.badges import BadgePad

READERS = 4
ANTENNAS_A_READER = 8

_NSS = (5, 6, 7, 8)
_NSS_SHOE = 9
_BUSY = (10, 11, 12, 13)
_BUSY_SHOE = 14
_OPTICAL = (20, 21)
_SELECT_BITS = ((0, 1, 2), (3, 4, 5), (8, 9, 10), (11, 12, 13))  # of expander 0x20
_RESET_BITS = ((0, 7), (0, 14), (0, 15), (1, 7))  # expander, bit
_RESET_SHOE_BIT = (1, 15)

KEY_BITS = {
    "p1": (0, 6),
    "p2": (1, 0),
    "p3": (1, 1),
    "p4": (1, 2),
    "p5": (1, 3),
    "p6": (1, 4),
    "p7": (1, 5),
    "oui": (1, 6),
    "non": (1, 8),
    "fin": (1, 9),
    "devoiler": (1, 10),
    "abandon": (1, 11),
    "maldonne": (1, 12),
    "superviseur": (1, 13),
    "plus": (1, 14),
}


class Hardware:
    """All chips of one table. ``lamps``: length of the chain; ``readers``: how many bet readers are fitted (1 to 4).

    ``image`` is the content of the FRAM at power-up, ``flash`` that of the controller's flash, None for new ones;
    ``seed`` varies bounce and torn bytes.
    ``shoe`` is what reads a card that leaves it: ``rfid``, ``optical`` or ``both``.
    ``badges`` is whether the reader of the staff's badges is fitted.
    ``clock`` is what the clock has been set to, in seconds since 1970 UTC (2000 to 2099); None: nobody has set it.
    """

    def __init__(
        self,
        scheduler: Scheduler,
        fabric: Fabric,
        *,
        lamps: int,
        readers: int = READERS,
        shoe: str = "rfid",
        badges: bool = False,
        image: bytearray | None = None,
        flash: bytearray | None = None,
        clock: int | None = None,
        seed: int = 0,
    ) -> None:
        self.antennas = [
            [Antenna(scheduler, f"reader {reader} antenna {number}") for number in range(ANTENNAS_A_READER)]
            for reader in range(readers)
        ]
        self.mouth = Antenna(scheduler, "mouth")
        ports: list[list[Line]] = [[Line(f"U{chip + 1}.{bit}", 0) for bit in range(16)] for chip in range(2)]
        self.interrupt = SharedLine(scheduler, "INT")
        """The expanders' line; ``interrupt_taps`` are their own ends of it, and break."""
        self.interrupt_taps = [self.interrupt.tap(f"U{chip + 1}") for chip in range(2)]
        self.keys = {"rnvp": Key(scheduler, _input(fabric, 22, "RNVP"), seed=seed)}
        for name, (chip, bit) in KEY_BITS.items():
            # The key only pulls down: without the expander's own pull-up its net floats, and the model says so.
            net = SharedLine(scheduler, name.upper(), pull=None)
            ports[chip][bit] = net
            self.keys[name] = Key(scheduler, net.tap("key"), seed=seed)
        self.expanders = [
            Mcp23017(
                scheduler,
                f"U{chip + 1}",
                ports[chip],
                self.interrupt_taps[chip],
                bit7_input_fault=True,
            )
            for chip in range(2)
        ]
        for chip, expander in enumerate(self.expanders):
            fabric.i2c(1, 0x20 + chip, expander)
        self.clock = _clock(scheduler, fabric, clock)
        self.display = Ssd1306(scheduler, seed=seed)
        fabric.i2c(1, 0x3C, self.display)
        self.pad = BadgePad(scheduler)
        """What the staff hold their badges to."""
        self.badge_reader: Pn532I2c | None = None
        if badges:
            self.badge_reader = Pn532I2c(scheduler, self.pad)
            fabric.i2c(1, BADGE_ADDRESS, self.badge_reader)
        fabric.pin(15, self.interrupt, "in")
        self.readers = []
        for reader in range(readers):
            selects = [ports[0][bit] for bit in _SELECT_BITS[reader]]
            switch = AntennaSwitch(scheduler, selects, self.antennas[reader])
            chip, bit = _RESET_BITS[reader]
            self.readers.append(
                _reader(scheduler, fabric, _NSS[reader], _BUSY[reader], ports[chip][bit], switch, f"reader {reader}")
            )
        chip, bit = _RESET_SHOE_BIT
        self.shoe_reader: Pn5180 | None = None
        if shoe == "optical":
            fabric.pin(_NSS_SHOE, Line("NSS shoe reader", 1), "out")
        else:
            self.shoe_reader = _reader(
                scheduler, fabric, _NSS_SHOE, _BUSY_SHOE, ports[chip][bit], FixedPort(self.mouth), "shoe reader"
            )
        self.lip: OpticalLip | None = None
        if shoe != "rfid":
            a, b = (_input(fabric, gpio, f"OPTICAL_{name}", 0) for gpio, name in zip(_OPTICAL, "AB", strict=True))
            self.lip = OpticalLip(scheduler, (a, b))
        for reader in range(readers, READERS):
            fabric.pin(_NSS[reader], Line(f"NSS{reader}", 1), "out")
        self.fram = Mb85rs(scheduler, "MB85RS4MT", image, seed=seed)
        fabric.spi(0, _output(fabric, 17, "CS_FRAM", 1), self.fram)
        self.flash = fabric.flash = QspiFlash(scheduler, flash, seed=seed)
        self.beam = ExitBeam(scheduler, _input(fabric, 26, "BEAM"))
        self.gate = Gate(scheduler, _output(fabric, 27, "GATE", 0))
        self.lid = Contact(scheduler, _input(fabric, 28, "LID"), seed=seed)
        self.case = Contact(scheduler, _input(fabric, 4, "CASE"), seed=seed)
        self.buzzer = Buzzer(scheduler)
        fabric.pwm(1, self.buzzer.drive)
        self.lamps = Ws2812Chain(scheduler, lamps)
        fabric.pio(0, self.lamps)

    def power_off(self) -> None:
        """The supply goes: what keeps nothing without it forgets; the expanders let the readers fall into reset."""
        self.fram.power_off()
        self.clock.power(supply=False, battery=True)
        self.display.power_cycle()
        if self.badge_reader is not None:
            self.badge_reader.power_cycle()
        self.lamps.power_cycle()
        for tap in self.interrupt_taps:  # both let go at once: neither drives the line against the other
            tap.configure(1, push_pull=False)
        for expander in self.expanders:
            expander.power_cycle()

    def power_on(self) -> None:
        """The supply comes back."""
        self.fram.power_on()
        self.flash.power_on()
        self.clock.power(supply=True, battery=True)


def _input(fabric: Fabric, gpio: int, name: str, level: int = 1) -> Line:
    """A line that the world drives; ``level`` is the one at which its resistor lets it rest."""
    line = Line(name, level)
    fabric.pin(gpio, line, "in")
    return line


def _output(fabric: Fabric, gpio: int, name: str, level: int) -> Line:
    """A line that the firmware drives; ``level`` is the one its resistor gives it before."""
    line = Line(name, level)
    fabric.pin(gpio, line, "out")
    return line


def _clock(scheduler: Scheduler, fabric: Fabric, seconds: int | None) -> Ds3231:
    """The clock, and the bus's wires, which it can hold: nobody can be reached while SDA is low."""
    sda, scl = SharedLine(scheduler, "SDA"), SharedLine(scheduler, "SCL")
    wires = fabric.i2c_buses[1]
    sda.listen(lambda _line, level: setattr(wires, "stuck", not level))
    fabric.pin(2, Pad(sda, "SDA"))
    fabric.pin(3, Pad(scl, "SCL"))
    chip = Ds3231(scheduler, supply=False, bus=HalfRead(sda.tap("DS3231"), sda, scl))
    if seconds is not None:
        chip.set_time(registers_of(seconds))
    fabric.i2c(1, 0x68, chip)
    return chip


def _reader(
    scheduler: Scheduler,
    fabric: Fabric,
    nss: int,
    busy: int,
    reset_n: Line,
    port: AntennaSwitch | FixedPort,
    name: str,
) -> Pn5180:
    line = Line("BUSY " + name, 0)
    fabric.pin(busy, line, "in")
    chip = Pn5180(scheduler, line, reset_n, port, name=name)
    fabric.spi(0, _output(fabric, nss, "NSS " + name, 1), chip)
    return chip
