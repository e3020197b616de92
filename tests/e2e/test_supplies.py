"""Parts whose supply drops alone while the table plays: they forget their settings, and get them again."""

from itertools import product

import pytest

from sabot_host.sim.pytest_plugin import TestTable
from tests.sampled import sampled

CARDS = "cards As Ad 7c 9h 5c 2d Qs 3c 2c"
LOCK = "seat 1 ante 25.00\nseat 2 ante 10.00\nwait 1.5\npress rnvp\nwait until gate open"
PLAY = "draw 9\n+0.5 seat 1 play 25.00\n+0.5 seat 2 play 10.00\nwait 1.5\npress devoiler"


def settled(table: TestTable) -> None:
    table.play("expect settlement seat 1 ante win, seat 1 play win, seat 2 ante lose")
    assert table.table.controller.restarts == 0


@pytest.mark.campaign
def test_the_display_is_lit_again(table: TestTable) -> None:
    table.open()
    table.play(f"{CARDS}\n{LOCK}")
    display = table.table.hardware.display
    display.power_cycle()
    assert not display.lit
    table.play("wait 11")
    assert display.lit
    table.play(f"{PLAY}\nwait 1")
    assert "PAIEMENTS" in table.display_lines()[0]
    settled(table)


@pytest.mark.parametrize(
    ("when", "number"),
    sampled(product(["betting", "locked", "deciding"], [0, 1]), [("locked", 1), ("deciding", 0)]),
)
def test_an_expander_drives_its_readers_and_hears_its_keys_again(table: TestTable, number: int, when: str) -> None:
    drop = table.table.hardware.expanders[number].power_cycle
    table.open()
    table.play(f"{CARDS}\nseat 1 ante 25.00\nseat 2 ante 10.00\nwait 1.5")
    if when == "betting":
        drop()
        table.play("wait 3")
    table.play("press rnvp\nwait until gate open")
    if when == "locked":
        drop()
        table.play("wait 4")
    table.play("draw 9\n+0.5 seat 1 play 25.00\n+0.5 seat 2 play 10.00\nwait 1.5")
    if when == "deciding":
        drop()
        table.play("wait 4")
    table.play("press devoiler")
    settled(table)
