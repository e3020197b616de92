"""I2C as the board's program meets it: a chip that does not answer, one that holds the clock, one that holds SDA."""

from pathlib import Path

from hwsim.chips.ds3231 import Ds3231
from hwsim.chips.ds3231_bus import HalfRead
from hwsim.chips.pn532_i2c import Pn532I2c
from hwsim.core import NS_PER_MS
from hwsim.nets import Pad, SharedLine
from hwsim.world.badges import BadgePad
from tests.hwsim.overlay_rig import START_NS, Rig


def test_chip_that_wakes_up_and_one_that_holds_the_clock(tmp_path: Path) -> None:
    program = """
        from machine import I2C
        i2c = I2C(1, scl=3, sda=2, freq=400_000, timeout=3_000)
        def attempt(call, *arguments):
            start = time.ticks_us()
            try:
                result = call(*arguments)
            except OSError as error:
                result = error.args[0]
            print(result, time.ticks_diff(time.ticks_us(), start) // 1000)
        time.sleep_ms(2)
        attempt(i2c.scan)
        time.sleep_ms(1)
        attempt(i2c.scan)
        attempt(i2c.readfrom, 0x24, 1)
        attempt(i2c.writeto, 0x24, b"\\x00\\x00\\xff\\x02\\xfe\\xd4\\x02\\x2a\\x00")
        time.sleep_ms(5)
        attempt(i2c.readfrom, 0x24, 7)
        time.sleep_ms(200)
        attempt(i2c.readfrom, 0x24, 7)
        time.sleep_ms(200)
        attempt(i2c.readfrom, 0x24, 1)
        attempt(i2c.readfrom, 0x24, 1)
        """
    with Rig(tmp_path, program) as rig:
        chip = Pn532I2c(rig.scheduler, BadgePad(rig.scheduler))
        rig.fabric.i2c(1, 0x24, chip)

        def hold(ns: int) -> None:
            chip.hold_clock_ns = ns

        rig.scheduler.at(START_NS + 100 * NS_PER_MS, lambda: hold(2 * NS_PER_MS))
        rig.scheduler.at(START_NS + 300 * NS_PER_MS, lambda: hold(10 * NS_PER_MS))
        lines = rig.finish()
    assert lines[:5] == ["[] 3", "[36] 3", "b'\\x00' 0", "9 0", "b'\\x01\\x00\\x00\\xff\\x00\\xff\\x00' 0"]
    assert lines[5].endswith(" 2")
    assert lines[6:] == ["110 3", "110 3"]


def test_data_line_held_by_a_read_that_was_abandoned(tmp_path: Path) -> None:
    """The way out that every data sheet tells: clock until SDA is high, then START and STOP."""
    program = """
        from machine import I2C, Pin
        def bus():
            return I2C(1, scl=Pin(3), sda=Pin(2), freq=400_000, timeout=3_000)
        try:
            bus().readfrom_mem(0x68, 0x0F, 1)
        except OSError as error:
            print(error.args[0])
        sda, scl = Pin(2, Pin.OPEN_DRAIN, value=1), Pin(3, Pin.OPEN_DRAIN, value=1)
        pulses = 0
        while not sda.value():
            scl(0)
            scl(1)
            pulses += 1
        sda(0)
        sda(1)
        print(pulses)
        print(bus().readfrom_mem(0x68, 0x0F, 1))
        """
    with Rig(tmp_path, program) as rig:
        sda, scl = SharedLine(rig.scheduler, "SDA"), SharedLine(rig.scheduler, "SCL")
        chip = Ds3231(rig.scheduler, bus=HalfRead(sda.tap("DS3231"), sda, scl))
        chip.set_time(list(bytes.fromhex("00 00 00 01 01 01 26")))
        wires = rig.fabric.i2c_buses[1]
        sda.listen(lambda _line, level: setattr(wires, "stuck", not level))
        rig.fabric.pin(2, Pad(sda, "GPIO 2"))
        rig.fabric.pin(3, Pad(scl, "GPIO 3"))
        rig.fabric.i2c(1, 0x68, chip)
        rig.scheduler.run_until(rig.scheduler.now + NS_PER_MS)
        chip.abandon_read(0x05, 2)  # month 01: five more zeros, then the one
        assert rig.finish() == ["110", "5", "b'\\x08'"]
