"""Who works at the table, over the whole firmware: signing on through the host, relief, the supervisor's desk."""

from __future__ import annotations

from collections.abc import Callable

from sabot.wire.records import parse
from sabot_host.journal.file import read
from sabot_host.sim.pytest_plugin import TestTable

BET = "seat 1 ante 25.00\nwait 1.0\n"
DEAL = "press rnvp\nwait until gate open\ndraw 6 every 0.3\n"


def sign(table: TestTable, role: str, number: int, on: bool = True) -> list[str]:
    """Sign on or off through the host; what the controller said against it."""
    table.host.sign(role, number, on)
    table.table.run_while(lambda: not table.host.quiet(), 3000)
    return table.host.refusals()


def open_(table: TestTable) -> None:
    table.play("power on\nplug host\nwait until host up\nwait 1.0")


def test_no_dealer_no_play(make_table: Callable[..., TestTable]) -> None:
    table = make_table(config={"sign_on": "required"})
    open_(table)
    table.play("press fin\nexpect key note nobody\nwait 0.5")
    assert not sign(table, "dealer", 41)
    table.play("press fin\nwait until bar green\n" + BET + DEAL)
    assert sign(table, "dealer", 42), "no relief within a round"
    table.play("seat 1 play 25.00\nwait 1.0\npress devoiler\nexpect settlement\nwait 0.5\npress fin\nexpect round_end")
    assert not sign(table, "dealer", 42)
    _verdict, pulled = table.judge()
    dealers = [parse(record)["dealer"] for record in read(pulled.path).records]
    assert dealers[0] == 0
    assert dealers[-1] == 42
    assert set(dealers) == {0, 41, 42}


def test_a_table_whose_dealer_has_left_stops_when_somebody_acts(make_table: Callable[..., TestTable]) -> None:
    table = make_table(config={"sign_on": "required"})
    open_(table)
    sign(table, "dealer", 41)
    table.play("press fin\nwait until bar green\n" + BET)
    assert not sign(table, "dealer", 41, on=False)
    table.play("expect bar dark\npress rnvp\nexpect nobody\nwait 0.5")
    assert not table.records("lock")
    table.host.rule(int(table.records("nobody")[-1].fields["id"]), "cleared", 0)
    table.table.run_for(500)
    assert not sign(table, "dealer", 42)
    table.play("wait 0.5\n" + DEAL + "expect deal")


def test_the_desk_and_the_menu_by_keys(table: TestTable) -> None:
    open_(table)
    table.play("press fin\nwait until bar green\n" + BET)
    keys = "press plus\nwait 0.3\npress p3\nwait 0.3\npress p2\nwait 0.3\npress p1\nwait 0.3\npress p5\nwait 0.3\n"
    table.play(keys + "press plus\nwait 0.3\npress oui\nexpect keyed_bet seat 2 ante after 5.00")
    assert not sign(table, "supervisor", 7)
    table.play(DEAL + "draw 3 every 0.3\nwait 0.5\npress plus\nwait 0.3\npress p6\nwait 0.3\npress p2\nexpect dispute")
    table.play("press superviseur\nwait 0.3\npress maldonne\nwait 0.3\npress p1\nwait 0.3\npress oui")
    table.play("expect resolved resolution void by supervisor\nexpect seat_state seat 2 trigger out")
