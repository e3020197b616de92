"""Cheats with real tags on the air: what the journal says of them, and that no money comes of it."""

from sabot_host.sim.pytest_plugin import TestTable

DEAL = "press rnvp\nwait until gate open\ndraw 9 every 0.3\n"


def test_one_uid_in_two_bets_holds_both_seats(table: TestTable) -> None:
    table.open()
    table.play("chips A 25.00\nclone C of A\nplace A on seat 1 ante\nplace C on seat 2 ante\nwait 1.0\n" + DEAL)
    assert len(table.records("clone")) == 2
    table.play("press devoiler\nexpect decisions\nwait 0.5\npress fin\nwait 0.5\nexpect no settlement anywhere")
    table.play(
        "supervisor rules clone seat 1 ante refused\npress oui\nsupervisor rules clone seat 2 ante refused\npress oui"
    )
    table.play("expect seconded\nexpect seconded")


def test_the_double_of_the_ante_is_no_play(table: TestTable) -> None:
    table.open()
    table.play("chips A 25.00\nclone C of A\nplace A on seat 1 ante\nseat 2 ante 10.00\nwait 1.0\n" + DEAL)
    table.play("place C on seat 1 play\nwait 1.0\npress devoiler\nexpect settlement only seat 2 ante\nwait 0.5")
    assert [row for entry in table.records("settlement") for row in entry.rows if row["seat"] == 1] == []
    assert {entry.fields["bet"] for entry in table.records("clone")} == {"ante", "play"}


def test_chips_added_as_the_dealer_shows_his_hand_are_told(table: TestTable) -> None:
    table.open()
    table.play("seat 1 ante 25.00\nwait 1.0\npress rnvp\nwait until gate open\ndraw 6 every 0.3\nseat 1 play 25.00")
    table.play("wait 1.0\nmark hand\nseat 1 ante 100.00\n+0.3 press devoiler")
    table.play("expect capped seat 1 ante before 25.00 after 125.00 covers hand\nexpect no settlement anywhere")
    table.play("supervisor rules capped seat 1 ante refused\nexpect settlement seat 1 ante stake 25.00")
