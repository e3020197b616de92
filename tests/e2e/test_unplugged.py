"""Parts that are unplugged in play: nothing hangs, nothing goes on that is not recorded, no unread card is dealt."""

import pytest

from sabot_host.sim.pytest_plugin import TestTable
from tests.sampled import sampled

BETS = "cards As Ad 7c 9h 5c 2d Qs 3c 2c\nseat 1 ante 25.00\nseat 2 ante 10.00\nwait 1.5"
LOCKED = f"{BETS}\npress rnvp\nwait until gate open"
DECIDING = f"{LOCKED}\ndraw 9\n+0.5 seat 1 play 25.00\nwait 1.5"
SETTLING = f"{DECIDING}\npress devoiler\nexpect settlement"


@pytest.mark.parametrize(
    ("before", "key"),
    sampled([(BETS, "rnvp"), (DECIDING, "devoiler"), (SETTLING, "fin")], [(DECIDING, "devoiler")]),
    ids=["betting", "deciding", "settling"],
)
def test_without_its_memory_the_table_is_stopped_and_says_so(table: TestTable, before: str, key: str) -> None:
    table.open()
    table.play(before)
    table.table.hardware.fram.power_off()
    table.play(f"press {key}\nwait 1.5\nexpect gate shut now")
    assert "PARTIE SUSPENDUE" in table.display_lines()
    assert "PANNE INTERNE" in table.display_lines()
    table.play("press fin\npress rnvp\nwait 1\nexpect gate shut now")
    assert table.bar != "green"
    assert table.table.controller.restarts == 0
    table.table.hardware.fram.power_on()
    table.play("press the reset button\nwait 2\nwait until host up\nexpect power_on")
    assert len(table.records("void")) == (0 if key == "rnvp" else 1)


@pytest.mark.parametrize("dealt", sampled([0, 4], [4]))
def test_without_the_shoes_reader_no_card_is_guessed(table: TestTable, dealt: int) -> None:
    table.open()
    table.play(LOCKED + (f"\ndraw {dealt}" if dealt else ""))
    table.play("break shoe reader\ntry to draw\nexpect unread_card\nexpect fault part shoe anywhere\nexpect gate shut")
    faces = ("As", "Ad", "7c", "9h", "5c")
    table.play("mend shoe reader\nexpect fault_cleared part shoe within 8")
    table.play(f"supervisor rules unread_card keyed {faces[dealt]}\npress oui\nwait until gate open\ndraw {8 - dealt}")
    table.play("expect state deciding")


@pytest.mark.campaign
def test_without_its_clock_chip_a_round_goes_on(table: TestTable) -> None:
    table.open()
    table.play(f"{LOCKED}\nbreak clock\nexpect fault part clock within 15\ndraw 9\n+0.5 seat 1 play 25.00\nwait 1.5")
    table.play(
        "press devoiler\nexpect settlement seat 1 ante win\nmend clock\nexpect fault_cleared part clock within 15"
    )
