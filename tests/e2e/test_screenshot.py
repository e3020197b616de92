"""`sabot sim screenshot`: the picture shows what the display and the lamps show, dot by dot."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from hwsim.chips.ws2812 import Pixel
from sabot_host.errors import Exit
from sabot_host.sim import glass
from sabot_host.sim.picture import GLASS, SCALE, Sight, bar_at, draw, lamp_at, shown
from sabot_host.sim.pytest_plugin import TestTable

LATE = Path(__file__).parents[2] / "scenarios" / "late_bet.scn"
SPOTS = tuple((seat, bet) for seat in (1, 2) for bet in ("ante", "pair_plus", "play"))
RED, DARK_FELT = (255, 0, 0), (22, 72, 52)


def screenshot(*words: object) -> subprocess.CompletedProcess[str]:
    command = "from sabot_host.cli.main import main; import sys; sys.exit(main())"
    return subprocess.run(
        [sys.executable, "-c", command, "sim", "screenshot", *map(str, words)],
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )


def read_glass(image: Image.Image) -> list[str]:
    """The display's text, from the dots in the picture."""
    rows = []
    for y in range(64):
        row = []
        for x in range(128):
            dot = image.getpixel((GLASS[0] + x * SCALE + SCALE // 2, GLASS[1] + y * SCALE + SCALE // 2))
            assert isinstance(dot, tuple)
            row.append(1 if sum(dot) > 300 else 0)
        rows.append(row)
    return glass.lines(rows)


def test_the_command_draws_an_instant(tmp_path: Path) -> None:
    picture = tmp_path / "late.png"
    run = screenshot(LATE, "--at", 4, "--language", "en", "-o", picture)
    assert run.returncode == 0, run.stderr
    assert run.stdout == f"{picture}: the table at 4.000 s\n"
    with Image.open(picture) as image:
        assert image.format == "PNG"
        sight = Sight(0, SPOTS, ((0, 0, 0),) * 14, ((0,) * 128,) * 64)
        lamps = {spot: image.getpixel(lamp_at(sight, *spot)) for spot in SPOTS}
        assert lamps == {spot: DARK_FELT if spot[1] == "play" else RED for spot in SPOTS}
        assert [image.getpixel(bar_at(number)) for number in range(8)] == [RED] * 8
        lines = read_glass(image)
    assert lines[:3] == ["DEALING", "S1 $25", "S2 $10"]
    assert lines[7] == "S2 DO NOT PAY"


def test_what_cannot_happen_ends_the_scenario_and_leaves_the_picture_of_that_moment(tmp_path: Path) -> None:
    scenario = tmp_path / "no.scn"
    scenario.write_text(
        "power on\nplug host\nwait until host up\npress fin\nwait until bar green\nwait 1\ndraw\nwait 60\n"
    )
    for instant in (("--end",), ("--at", 30)):
        picture = tmp_path / f"{instant[0]}.png"
        run = screenshot(scenario, *instant, "--language", "en", "-o", picture)
        assert run.returncode == Exit.FINDING, run.stderr
        assert "[scenario-impossible]" in run.stderr
        assert re.fullmatch(rf"{picture}: the table at \d\.\d+ s\n", run.stdout)
        with Image.open(picture) as image:
            assert read_glass(image)[0] == "TABLE WAITING"


def test_a_full_table_is_drawn_as_it_is() -> None:
    spots = tuple((seat, bet) for seat in range(1, 8) for bet in ("ante", "first", "second", "bonus"))
    lamps: tuple[Pixel, ...] = tuple((number, 40 - number, 3) for number in range(len(spots) + 8))
    sight = Sight(12_345_000_000, spots, lamps, ((1, 0) * 64,) * 64)
    image = draw(sight)
    middles = [lamp_at(sight, *spot) for spot in spots] + [bar_at(number) for number in range(8)]
    assert [image.getpixel(middle) for middle in middles] == [shown(lamp) for lamp in lamps]
    assert len(set(middles)) == len(middles)
    assert all(16 < x < image.width - 16 and 16 < y < GLASS[1] - 16 for x, y in middles)


def test_a_sight_is_what_the_table_shows(table: TestTable) -> None:
    table.open()
    table.play("seat 1 ante 25.00\nwait 1.5")
    sight = Sight.of(table.table, table.running.spots)
    image = draw(sight)
    assert read_glass(image) == table.display_lines()
    assert image.getpixel(bar_at(0)) == shown(table.table.hardware.lamps.pixels[-1])
    assert sight.seats == [1, 2]


@pytest.mark.parametrize("words", [[], ["--at", "4", "--end"]])
def test_the_instant_must_be_said_once(words: list[str], tmp_path: Path) -> None:
    run = screenshot(LATE, *words, "-o", tmp_path / "a.png")
    assert run.returncode == 2
    assert "[sim-when]" in run.stderr
    assert not (tmp_path / "a.png").exists()


def test_the_end_of_a_scenario(tmp_path: Path) -> None:
    text = tmp_path / "a.scn"
    text.write_text("open the table\nwait 1.0\nexpect bar red now\n")
    run = screenshot(text, "--end", "-o", tmp_path / "a.png")
    assert run.returncode == 0, run.stderr
    with Image.open(tmp_path / "a.png") as image:
        assert read_glass(image)[0] == "TABLE EN ATTENTE"
