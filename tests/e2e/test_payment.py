"""A clean round takes three keys: the payout pages turn by themselves when what lies there is what is due."""

from __future__ import annotations

from collections.abc import Callable

from sabot_host.sim.pytest_plugin import TestTable

PAYS = {"payment_order": "right_to_left"}
OPEN = "power on\nplug host\nwait until host up\npress fin\nwait until bar green\n"
# Seats 1 to 3, three cards each, then the dealer's: a pair of sevens wins, nine high loses, an ace high folds.
CARDS = "cards 7c 7d 2h 9c 4d 2s Ac 8d 3s Qs Jc 2d\n"


def pressed(table: TestTable, since: int) -> list[str]:
    """Names of the keys that the dealer has pressed since the line of that number."""
    words = [line.text.split() for line in table.lines[since:]]
    return [line[line.index("press") + 1] for line in words if "press" in line]


def test_three_keys_in_a_clean_round(make_table: Callable[..., TestTable]) -> None:
    table = make_table(seats=3, config=PAYS)
    table.play(OPEN)
    since = len(table.lines)
    table.play(CARDS + "seat 1 ante 25.00\nseat 2 ante 10.00\nseat 3 ante 5.00\nseat 1 pair_plus 5.00\nwait 1.5")
    table.play("press rnvp\nwait until gate open\ndraw 12 every 0.4\nexpect deal")
    table.play("seat 1 play 25.00\nseat 2 play 10.00\nwait 1.5\npress devoiler\nexpect settlement")
    # From the dealer's right: seat 3 has folded, seat 2 has lost, seat 1 is paid beside its stakes.
    table.play("+1.5 take all from seat 3 ante\n+2.5 take all from seat 2 ante\n+0.2 take all from seat 2 play")
    table.play("+2.5 seat 1 ante 25.00\n+0.5 seat 1 play 25.00\n+0.5 seat 1 pair_plus 5.00\nwait 2.0")
    table.play("press fin\nexpect paid seat 3 outcome verified, seat 2 outcome verified\nexpect round_end")
    assert pressed(table, since) == ["rnvp", "devoiler", "fin"]
    assert not table.records("irregularity")
    assert [row["outcome"] for row in table.records("paid")[0].rows] == ["verified"] * 3
