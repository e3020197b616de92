"""The dealer's display on the whole firmware: what it shows, how it is fed, and a table without it."""

from pathlib import Path

from hwsim.chips.ssd1306 import Ssd1306
from hwsim.core import NS_PER_MS
from sabot_host.sim.play import Session
from sabot_host.sim.pytest_plugin import TestTable

BETS = "seat 1 ante 25.00\nseat 1 pair_plus 5.00\nseat 2 ante 10.00\nwait 1.2"
SHOWN_MS = 700  # changes of amounts are gathered for half a second


class Watched:
    """A chip on I2C whose transactions are timed: bytes of each, address included, by the wire's rate."""

    def __init__(self, chip: Ssd1306) -> None:
        self._chip = chip
        self.longest = 0
        self.count = 0

    @property
    def acknowledges(self) -> bool:
        return self._chip.acknowledges

    def write(self, data: bytes) -> int:
        self.longest = max(self.longest, len(data) + 1)
        self.count += 1
        return self._chip.write(data)

    def read(self, count: int) -> bytes:
        return self._chip.read(count)

    def stop(self) -> None:
        self._chip.stop()


def test_the_display_follows_the_round(table: TestTable) -> None:
    table.open()
    table.table.run_for(SHOWN_MS)
    assert table.display_lines()[0] == "TABLE EN ATTENTE"
    table.play(BETS)
    assert table.display_lines()[:3] == ["FAITES VOS MISES", "P1 30 $", "P2 10 $"]
    table.play("seat 2 ante 50.00\nwait 1.2")
    assert table.display_lines()[2] == "P2 60 $"  # the amounts read are there before the lock
    table.play("press rnvp\nwait 0.4")
    assert table.display_lines()[:3] == ["RIEN NE VA PLUS", "P1 30 $", "P2 60 $"]
    table.play("wait until gate open\ndraw 9 every 0.4\nwait 0.4")
    assert table.display_lines()[:3] == ["DÉCISIONS", "P1 ?", "P2 ?"]
    table.play("seat 1 play 25.00\nwait 1.2")
    assert table.display_lines()[1] == "JOUE P1"
    table.play("press abandon p2\nwait 0.6")
    assert table.display_lines()[2] == "ABANDON P2"  # the dealer can take it back until the close
    table.play("press devoiler\nexpect settlement\nwait 0.4")
    assert table.display_lines()[0].startswith("PAIEMENTS")


def test_what_breaks_a_limit_is_asked_for_before_the_lock(table: TestTable) -> None:
    table.open()
    table.play("seat 1 ante 1.00\nwait 2.0")
    assert "P1 INIT MIN 5 $" in table.display_lines()


def test_cheating_is_not_named(table: TestTable) -> None:
    table.open()
    table.play(BETS + "\npress rnvp\n+0.4 seat 2 pair_plus 5.00\nexpect late seat 2 pair_plus\nwait 0.5")
    lines = table.display_lines()
    assert "P2 NE PAS PAYER" in lines
    assert not [line for line in lines if "TARDIVE" in line]


def test_a_controller_that_refuses_to_play_says_why() -> None:
    with Session() as session:
        (session.folder / "board" / "config.json").write_text("{}")
        session.table.start()
        session.table.run_for(1500)
        assert session.display_lines()[0] == "TABLE FERMÉE"
        assert session.display_lines()[3] == "configuration"


def test_a_table_plays_on_without_its_display(table: TestTable, tmp_path: Path) -> None:
    table.open()
    display = table.table.hardware.display
    display.dead = True
    table.play(BETS + "\nexpect fault part display detail absent")
    table.play("press rnvp\nexpect lock within 0.1\nexpect bar red within 0.02\nexpect confirmed")
    display.power_cycle()  # it comes back as new: its memory holds anything
    display.dead = False
    table.table.run_for(2000)
    assert [str(entry) for entry in table.records("fault_cleared")] == ["fault_cleared part display index 0 by none"]
    assert table.display_lines()[:3] == ["RIEN NE VA PLUS", "P1 30 $", "P2 10 $"]
    assert len(table.records("fault")) == 1
    assert table.table.controller.restarts == 0


def test_no_transaction_is_longer_than_three_milliseconds(table: TestTable) -> None:
    devices = table.table.fabric.i2c_buses[1].devices
    watched = Watched(table.table.hardware.display)
    devices[0x3C] = watched
    table.open()
    table.play(BETS + "\npress rnvp\nwait until gate open")
    assert watched.count > 40
    assert table.table.fabric.i2c_buses[1].wire_ns(watched.longest) < 3 * NS_PER_MS


def test_the_menu_is_shown_step_by_step_and_changes_the_language(table: TestTable) -> None:
    table.open()
    table.play("seat 1 ante 25.00\nwait 1.2\npress plus\nwait 0.8")
    assert table.display_lines()[0] == "MENU"
    table.play("press p2\nwait 0.8")
    assert table.display_lines()[:2] == ["POURBOIR", "PLACE?"]
    table.play("press non\nwait 1.3")
    assert table.display_lines()[:2] == ["FAITES VOS MISES", "P1 25 $"]
    table.play("press plus\nwait 0.3\npress abandon\nwait 0.5")
    assert table.display_lines()[2:4] == ["  FRANÇAIS", "> ENGLISH"]
    table.play("wait 2.0")
    assert table.display_lines()[:2] == ["PLACE YOUR BETS", "S1 $25"]
