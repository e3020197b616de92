"""What the journal says of instants is what really happened: the key's edge exactly, chips within their intervals."""

import pytest

from hwsim.core import NS_PER_MS, NS_PER_US
from sabot_host.sim.pytest_plugin import TestTable

IRQ_NS = 12 * NS_PER_US  # from the edge to the handler's clock, as docs/timing-model.md has it
LATENCY_NS = 10 * NS_PER_MS
SCAN_MS = 150  # of six antennas, with what lies on them


def test_the_lock_is_the_keys_first_edge(table: TestTable) -> None:
    table.open()
    table.play("seat 1 ante 25.00\nwait 1.0\nmark key\npress rnvp\nexpect lock seat 1 ante 25.00")
    lock = table.records("lock")[0]
    edge = table.running.marks["key"]
    assert 0 <= int(lock.fields["edge"]) - edge <= IRQ_NS
    table.play("expect bar red within 0.02")
    # The bounce ends 1 to 5 ms after the edge, then come 3 ms of steady level.
    red = next(change.when for change in table.table.hardware.lamps.changed if change.when > edge)
    assert lock.when < red, "the record is durable before the lamps are red"
    assert red - edge <= LATENCY_NS + 8 * NS_PER_MS


@pytest.mark.parametrize("after_ms", [15, 300])
def test_a_late_chips_interval_holds_the_truth(table: TestTable, after_ms: int) -> None:
    table.open()
    table.play("seat 1 ante 25.00\nwait 1.0\npress rnvp")
    table.play(f"+{after_ms / 1000:.3f} mark hand\nseat 1 pair_plus 5.00\nexpect irregularity covers hand")
    found = table.records("irregularity")
    key = int(table.records("lock")[0].fields["edge"])
    assert [entry.name for entry in found] == ["late"] or (after_ms < SCAN_MS and found[0].name == "ambiguous")
    assert (int(found[0].fields["earliest"]) > key) == (found[0].name == "late")
    assert int(found[0].fields["latest"]) - int(found[0].fields["earliest"]) <= (SCAN_MS + 100) * NS_PER_MS


@pytest.mark.parametrize("before_ms", [3, 25])
def test_a_chip_just_before_the_key_is_never_called_late(table: TestTable, before_ms: int) -> None:
    table.open()
    table.play("seat 1 ante 25.00\nwait 1.0")
    table.play(f"mark hand\nseat 1 pair_plus 5.00\n+{before_ms / 1000:.3f} press rnvp\nexpect confirmed\nwait 1.5")
    assert not table.records("late")
    # The lock record may not know the chip's value yet (read in a second visit): what is locked is what is confirmed.
    amount = next((row["amount"] for row in table.records("confirmed")[0].rows if row["bet"] == "pair_plus"), 0)
    doubts = table.records("ambiguous")
    assert amount == 500 or len(doubts) == 1, "neither locked nor asked about"
    if doubts:
        table.play("expect ambiguous anywhere seat 1 pair_plus covers hand")
