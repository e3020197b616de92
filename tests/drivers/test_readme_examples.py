"""The example in each driver's README, as it is written there, on the board's interpreter, wired as the README says."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from hwsim.chips.beam import ExitBeam
from hwsim.chips.ds3231 import Ds3231
from hwsim.chips.icode_slix2 import IcodeSlix2
from hwsim.chips.mb85rs import Mb85rs
from hwsim.chips.mcp23017 import Mcp23017
from hwsim.chips.optical_lip import OpticalLip
from hwsim.chips.pn532_i2c import ADDRESS, Pn532I2c
from hwsim.chips.pn5180 import Pn5180
from hwsim.chips.ssd1306 import Ssd1306
from hwsim.chips.ws2812 import Ws2812Chain
from hwsim.core import Line
from hwsim.rf.antenna import Antenna
from hwsim.rf.switch import FixedPort
from hwsim.world.badges import BadgePad, NtagBadge
from hwsim.world.cards import make_pack
from hwsim.world.shoe import Leg, Shoe
from hwsim.world.truth import Truth
from hwsim.world.uids import UidSource
from tests.hwsim.overlay_rig import Rig

DRIVERS = Path(__file__).parents[2] / "drivers"
DS3231_ADDRESS, EXPANDER, DISPLAY = 0x68, 0x20, 0x3C
TEN_LINES = 10  # of the first example of its use, imports included, blank lines not
UID = bytes.fromhex("3a120000080104e0")
MEMORY = bytes(range(64))

Check = Callable[[list[str]], None]


def blocks(name: str) -> list[str]:
    """The Python of a README, block by block."""
    text = (DRIVERS / name / "README.md").read_text(encoding="utf-8")
    return re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def said(printed: list[str], *wanted: str) -> None:
    assert printed == list(wanted), printed


def output(rig: Rig, gpio: int, level: int = 0) -> Line:
    line = Line(f"GP{gpio}", level)
    rig.fabric.pin(gpio, line, "out")
    return line


def expander(rig: Rig) -> list[Line]:
    """An MCP23017 on I2C 0; the lines of its ports, A first. What is an input there has nothing on it but a pull-up."""
    ports = [Line(f"{'AB'[bit // 8]}{bit % 8}", int(bit >= 8)) for bit in range(16)]
    taps = [Line("INT", 1)]
    rig.fabric.i2c(0, EXPANDER, Mcp23017(rig.scheduler, "U1", ports, taps[0]))
    return ports


def levels(lines: list[Line]) -> list[int]:
    return [line.level for line in lines]


# --- what hangs on the pins of each README, and what must have happened -----------------------------------------------


def antenna_switch(rig: Rig) -> Check:
    direct = [output(rig, gpio) for gpio in (2, 3, 4)]
    ports = expander(rig)

    def check(printed: list[str]) -> None:
        said(printed)
        assert levels(direct) == [1, 0, 1] == levels(ports[:3])

    return check


def ds3231(rig: Rig) -> Check:
    chip = Ds3231(rig.scheduler)
    rig.fabric.i2c(0, DS3231_ADDRESS, chip)

    def check(printed: list[str]) -> None:
        said(printed)
        assert chip.trusted, "the time was set"

    return check


def reader(rig: Rig) -> Antenna:
    nss, busy, reset = output(rig, 17, 1), Line("BUSY", 0), output(rig, 21)
    rig.fabric.pin(20, busy, "in")
    antenna = Antenna(rig.scheduler, "spot")
    rig.fabric.spi(0, nss, Pn5180(rig.scheduler, busy, reset, FixedPort(antenna), name="U2"))
    return antenna


def pn5180(rig: Rig) -> Check:
    antenna = reader(rig)
    tags = [IcodeSlix2(bytes((low,)) + UID[1:]) for low in (0x3A, 0x0A, 0x07)]
    for tag in tags:
        antenna.enter(tag)

    def check(printed: list[str]) -> None:
        assert printed[0].startswith("firmware ")
        assert sorted(printed[1:]) == sorted(tag.uid[::-1].hex() for tag in tags)
        assert not antenna.field_on

    return check


def iso15693(rig: Rig) -> Check:
    antenna = reader(rig)
    tag = IcodeSlix2(UID, memory=MEMORY)
    antenna.enter(tag)

    def check(printed: list[str]) -> None:
        assert printed[:3] == ["tags: 1", "tags that were not known: 1", str(MEMORY[:32])]
        assert printed[3].startswith("blocks: 80 b'") and len(printed) == 4
        assert tag.memory[:8] == b"8 bytes." and tag.memory[8:64] == MEMORY[8:]

    return check


def mb85rs(rig: Rig) -> Check:
    chip = Mb85rs(rig.scheduler, "MB85RS4MT")
    rig.fabric.spi(0, output(rig, 22, 1), chip)

    def check(printed: list[str]) -> None:
        said(printed, "True b'durable when this returns'")
        assert chip.image[0x100:0x119] == b"durable when this returns"

    return check


def mcp23017(rig: Rig) -> Check:
    ports = expander(rig)

    def check(printed: list[str]) -> None:
        said(printed)
        assert levels(ports[:4]) == [0, 1, 0, 1], "0x000A of the mask 0x000E, and the reset line low"

    return check


def optical_strip(rig: Rig) -> Check:
    lines = [Line(name, 0) for name in "AB"]
    for gpio, line in zip((20, 21), lines, strict=True):
        rig.fabric.pin(gpio, line, "in")
    scheduler = rig.scheduler
    shoe = Shoe(
        scheduler,
        Truth(scheduler),
        Antenna(scheduler, "mouth"),
        ExitBeam(scheduler, Line("BEAM", 1)),
        lip=OpticalLip(scheduler, (lines[0], lines[1])),
    )
    pack = make_pack(lambda uid, afi, memory: IcodeSlix2(uid, afi=afi, memory=memory), UidSource(1), strips=True)
    shoe.load(pack)
    card = pack[0]

    def pull() -> None:
        shoe.pull_along(scheduler.now, [Leg(shoe.geometry.out, 500)])

    scheduler.at(10**9, pull)

    def check(printed: list[str]) -> None:
        number = "23456789TJQKA".index(card.label[0]) * 4 + "cdhs".index(card.label[1])
        said(printed, f"card {number}")

    return check


def pn532(rig: Rig) -> Check:
    pad = BadgePad(rig.scheduler)
    rig.fabric.i2c(0, ADDRESS, Pn532I2c(rig.scheduler, pad))
    badge = NtagBadge(bytes.fromhex("04a1b2c3d4e580"))
    pad.enter(badge)

    def check(printed: list[str]) -> None:
        said(printed, badge.uid.hex())

    return check


def ssd1306(rig: Rig) -> Check:
    chip = Ssd1306(rig.scheduler)
    rig.fabric.i2c(0, DISPLAY, chip)

    def check(printed: list[str]) -> None:
        said(printed)
        pixels = chip.pixels()
        assert chip.lit and any(any(row) for row in pixels[:8]) and not any(any(row) for row in pixels[8:])

    return check


def ws2812(rig: Rig) -> Check:
    chain = Ws2812Chain(rig.scheduler, 12)
    rig.fabric.pio(15, chain)

    def check(printed: list[str]) -> None:
        said(printed)
        rig.controller.run_for(10**9)
        assert chain.pixels == [(255, 0, 0)] + [(0, 0, 0)] * 11

    return check


WIRED: dict[str, Callable[[Rig], Check]] = {
    "antenna_switch": antenna_switch,
    "ds3231": ds3231,
    "iso15693": iso15693,
    "mb85rs": mb85rs,
    "mcp23017": mcp23017,
    "optical_strip": optical_strip,
    "pn5180": pn5180,
    "pn532": pn532,
    "ssd1306": ssd1306,
    "ws2812": ws2812,
}


def test_every_driver_has_an_example_that_is_wired_here() -> None:
    assert sorted(WIRED) == sorted(path.parent.name for path in DRIVERS.glob("*/__init__.py"))


@pytest.mark.parametrize("name", WIRED)
def test_the_example_runs_as_written(name: str, tmp_path: Path) -> None:
    rig = Rig(tmp_path, "\n".join(blocks(name)), path=[DRIVERS])
    check = WIRED[name](rig)
    with rig:
        check(rig.finish())


@pytest.mark.parametrize("name", WIRED)
def test_the_readme_says_how_it_is_wired_and_its_example_is_short(name: str) -> None:
    text = (DRIVERS / name / "README.md").read_text(encoding="utf-8")
    assert re.search(r"^\| .*(Pico 2|reader chip)", text, re.MULTILINE) or "Wiring: " in text
    example = next(block for block in blocks(name) if re.search(rf"^(import|from) {name}\b", block, re.MULTILINE))
    assert len([line for line in example.splitlines() if line]) <= TEN_LINES
