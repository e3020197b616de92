"""A part that play needs fails, and the task that needs it dies: nothing says then that bets can be made."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import pytest

from hwsim.compiled import compiled
from hwsim.core import NS_PER_MS
from hwsim.process import ControllerDied
from hwsim.provisioning import DEVELOPMENT_KEYS
from hwsim.scenario.errors import ScenarioError
from hwsim.table import REPOSITORY, SOURCES, VirtualCable
from sabot_host.link.client import Client
from sabot_host.sim.pytest_plugin import TestTable
from tests.e2e.asking import asked
from tests.sampled import sampled

BETS = "seat 1 ante 25.00\nseat 2 ante 10.00\nwait 1.5"
PROTECTED = 0x0C  # status of a memory that takes no write


def suspended(table: TestTable) -> bool:
    return bool(table.display_lines()) and table.display_lines()[0] == "PARTIE SUSPENDUE"


def bets_lie_there(table: TestTable) -> None:
    """Two seats have bet, and from now on the memory keeps nothing."""
    table.open()
    table.play(BETS)
    table.table.hardware.fram.status = PROTECTED


def restarted(table: TestTable) -> str:
    """The memory keeps records again and the power comes back: what the journal says then of the task that died."""
    table.table.hardware.fram.status = 0
    table.play("power off\nwait 1\npower on\nwait 2")
    return str(table.records("fault")[-1].fields["detail"])


@pytest.mark.parametrize("hold_ms", sampled([5, 20, 45, 120], [20, 120]))
def test_a_panel_that_dies_with_its_key_down_leaves_no_green_bar(table: TestTable, hold_ms: int) -> None:
    """Nobody judges the edge with which the key comes up; display and lamps do not wait for that."""
    bets_lie_there(table)
    table.table.press("rnvp", hold=hold_ms * NS_PER_MS)
    table.table.run_for(100)
    assert table.bar not in ("green", "dark") and not table.records("lock")
    table.table.run_for(3000)
    assert table.bar not in ("green", "dark") and suspended(table)
    assert restarted(table).startswith("crash: panel: JournalError")


@pytest.mark.parametrize("key", sampled(["fin", "p1", "oui"], ["p1"]))
def test_a_panel_that_dies_at_another_key_leaves_no_green_bar(table: TestTable, key: str) -> None:
    bets_lie_there(table)
    table.table.press(key)
    table.table.run_for(100)
    table.table.press("rnvp", hold=200 * NS_PER_MS)
    table.table.run_for(1500)
    assert table.bar not in ("green", "dark") and suspended(table) and not table.records("lock")
    assert restarted(table).startswith("crash: panel: JournalError")


def test_a_supervisor_that_dies_is_seen_before_the_watchdog_bites(table: TestTable) -> None:
    """It lights the lamps, too: the bar is no longer green while five seconds run."""
    bets_lie_there(table)
    table.table.hardware.case.open(table.table.now)
    table.table.run_for(300)
    assert table.bar not in ("green", "dark") and table.table.controller.restarts == 0
    table.table.hardware.fram.status = 0
    table.play("wait 6")
    assert table.table.controller.restarts == 1


def stopped(table: TestTable) -> bool:
    """Whether everybody can see that the table is stopped, and no card can leave."""
    return table.bar == "red" and suspended(table) and table.table.hardware.gate.holds


def test_a_table_that_stops_for_good_says_so_on_a_display_that_shows_the_menu(table: TestTable) -> None:
    """Nobody hears the keys any more that would have shut it."""
    bets_lie_there(table)
    table.play("press plus\nwait 0.5\npress p3\nwait 0.5")
    assert table.display_lines()[0] == "SAISIE"
    table.play("unplug host\nwait 4")
    assert stopped(table) and "PANNE INTERNE" in table.display_lines()
    assert restarted(table).startswith("crash: link: JournalError")


def test_a_stop_is_told_on_a_display_that_shows_the_menu(table: TestTable) -> None:
    table.open()
    table.play(f"{BETS}\npress rnvp\nwait until gate open\npress plus\nwait 0.5")
    assert table.display_lines()[0] == "MENU"
    table.play("draw two together\nwait 1")
    assert suspended(table) and "DEUX CARTES" in table.display_lines()
    table.play("press plus\nwait 2")
    assert table.display_lines()[0] == "MENU"  # opened since, it is what the dealer wants to say of the stop


def test_a_note_of_the_host_that_is_not_kept_stops_the_table(table: TestTable) -> None:
    """The link goes on, so that somebody can see it: it was the first to find the memory deaf."""
    bets_lie_there(table)
    table.play("unplug host\nwait 4")
    assert stopped(table)
    assert restarted(table).startswith("crash: link: JournalError")


def test_a_void_that_is_not_kept_shuts_the_gate(table: TestTable) -> None:
    table.open()
    table.play(f"{BETS}\npress rnvp\nwait until gate open")
    table.table.hardware.fram.status = PROTECTED
    with pytest.raises(ScenarioError):
        table.play("supervisor voids the round")
    table.play("wait 0.5\nunplug host")
    assert stopped(table) and asked(table.table)["round"]["gate"] is False
    assert restarted(table).startswith("crash: link: JournalError")


def test_a_display_that_cannot_be_told_of_stops_the_table_and_comes_back(table: TestTable) -> None:
    bets_lie_there(table)
    table.table.hardware.display.dead = True
    table.play("wait 12")
    assert table.bar == "red"
    table.table.hardware.display.dead = False
    table.play("wait 2")
    assert stopped(table)
    assert restarted(table).startswith("crash: display: JournalError")


def test_a_badge_that_cannot_be_recorded_stops_the_table(make_table: Callable[..., TestTable]) -> None:
    table = make_table(config={"badge_reader": True})
    table.open()
    table.play(f"{BETS}\nbadge anna")
    table.table.hardware.fram.status = PROTECTED
    table.play("show anna\nwait 1.5")
    assert stopped(table)
    assert restarted(table).startswith("crash: badge_reader: JournalError")


@pytest.mark.parametrize("gone", ["expander", "memory"])
def test_a_controller_that_starts_again_and_refuses_leaves_no_lamp_lit(table: TestTable, gone: str) -> None:
    """The lamps keep what they were told: a reset alone does not change them."""
    table.open()
    table.play(BETS)
    hardware = table.table.hardware
    if gone == "expander":
        hardware.expanders[0].dead = True
    else:
        hardware.fram.power_off()
    table.play("press the reset button\nwait 2")
    assert table.unwilling() is not None and table.bar == "dark"
    assert not any(any(pixel) for pixel in hardware.lamps.pixels)
    hardware.expanders[0].dead = False
    table.play("power off\nwait 1\npower on\nwait 2")


@pytest.mark.parametrize("where", ["boot_loader", "prompt"])
def test_a_controller_that_leaves_its_table_leaves_no_lamp_lit(table: TestTable, where: str) -> None:
    table.open()
    assert table.bar == "green"
    table.host.unplug()
    client = Client(VirtualCable(table.table))
    client.open()
    client.authenticate("technician", DEVELOPMENT_KEYS["technician"])
    getattr(client, where)()
    client.close()
    with suppress(ControllerDied):  # the prompt waits for somebody's input
        table.play("wait 2")
    assert not any(any(pixel) for pixel in table.table.hardware.lamps.pixels)
    table.play("power off\nwait 1\npower on\nwait 2")


FULL_HEAP = """
from sabot import app
from sabot.boards import pico2

inner = app.Faults.record


def record(self, part, index, detail):
    if part == "task" and not detail.startswith("crash"):
        raise MemoryError
    inner(self, part, index, detail)


app.Faults.record = record
app.run(pico2)
"""


@pytest.mark.campaign  # a firmware of its own is compiled for it
def test_a_death_that_there_is_no_room_to_record_stops_the_table_all_the_same(
    make_table: Callable[..., TestTable],
) -> None:
    table = make_table(code=[compiled(SOURCES, REPOSITORY / "build" / "sim", main=FULL_HEAP)])
    (table.folder / "board" / "main.py").write_text(FULL_HEAP)
    bets_lie_there(table)
    table.play("press fin\nwait 1")
    assert stopped(table)
    assert restarted(table).startswith("crash: panel: JournalError")
