"""Segments on the whole firmware: written where nothing can be locked or dealt, cut anywhere, pulled as one stream."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest

from hwsim.core import NS_PER_MS
from hwsim.provisioning import DEVELOPMENT_KEYS
from hwsim.table import VirtualCable
from sabot.wire.records import parse
from sabot_host.link.client import Client
from sabot_host.sim.pytest_plugin import TestTable
from tests.e2e.stored import made
from tests.sampled import sampled

SEED = 33
QUARTER = 130 * 1024
STALL_MS = 2000  # a task that stands still for so long is dead to the supervisor
ROUND = """
seat 1 ante 25.00
seat 2 ante 10.00
wait 1.0
press rnvp
expect lock
wait until gate open
draw 9 every 0.4
seat 1 play 25.00
seat 2 play 10.00
+0.3 press devoiler
expect settlement
wait 2.0
press fin
expect round_end
"""
OPENED = "plug host\nwait until host up\npress fin\nwait until bar green"


def crowded(used: int = QUARTER + 60_000, **options: object) -> TestTable:
    """A table whose memory has been filling for long, without a host."""
    memories = made(SEED, used, segments=False)
    return TestTable(seed=SEED, image=memories.image, flash=memories.flash, **options)  # type: ignore[arg-type]


@pytest.fixture
def table() -> Iterator[TestTable]:
    table = crowded()
    try:
        yield table
    finally:
        table.close()


def one_stream(table: TestTable) -> None:
    """The journal holds; its numbers go from 1 on, without a gap."""
    verdict, pulled = table.judge()
    assert verdict.good, verdict.lines()
    numbers = [parse(record)["sequence"] for record in pulled.records]
    assert numbers == list(range(1, numbers[-1] + 1))


def test_flash_is_written_only_while_the_table_is_closed_or_has_settled(table: TestTable) -> None:
    """Over the trace of the bus: each program and erase, held against the records' instants."""
    changes: list[int] = []
    flash = table.table.hardware.flash
    flash.journal = []
    table.play("power on\nwait 1.5\n" + OPENED)
    early = len(flash.journal)
    assert early > 10
    table.play(ROUND + "wait 1.0" + ROUND)
    table.witness.look()
    allowed = []
    begin: int | None = 0
    for entry in table.witness.entries:
        if entry.name == "table" and entry.fields["trigger"] == "open" and begin is not None:
            allowed.append((begin, entry.when))
            begin = None
        elif entry.name == "settlement":
            begin = entry.when
        elif entry.name == "round_end" and begin is not None:
            allowed.append((begin, entry.when))
            begin = None
    changes = [change.when for change in flash.journal]
    assert len(allowed) == 3
    assert all(any(first < when < last for first, last in allowed) for when in changes)
    assert len(changes) - early > 100, "the rounds' own windows were used"
    assert flash.erases > 12
    one_stream(table)


@pytest.mark.campaign
def test_each_step_ends_within_what_the_supervisor_forgives(table: TestTable) -> None:
    """With the longest times of the data sheet, every task goes on between two steps: the watchdog is fed."""
    flash, fabric = table.table.hardware.flash, table.table.fabric
    flash.slow = True
    fed: list[int] = []
    feed = fabric.feed_watchdog

    def feeding() -> None:
        fed.append(table.table.now)
        feed()

    fabric.feed_watchdog = feeding  # type: ignore[method-assign]
    table.play("power on\nwait 14.0")
    assert table.table.controller.restarts == 0
    assert flash.erases > 8
    longest = max(later - before for before, later in pairwise(fed)) / NS_PER_MS
    print(f"longest step {longest:.0f} ms")
    assert 400 < longest < STALL_MS
    one_stream(table)


def cut(table: TestTable, operations: int, torn: bool) -> None:
    """The power goes at an operation of the flash, comes back, and the memory is relieved all the same."""
    flash = table.table.hardware.flash
    table.table.start()
    table.running.powered = True
    flash.cut_after(operations, torn=torn)
    assert table.table.run_while(lambda: flash.powered, 20_000)
    table.table.stop()
    table.running.powered = False
    table.play("power on\nwait 5.0")
    assert flash.erases >= 8
    one_stream(table)


@pytest.mark.parametrize(("operations", "torn"), sampled([(0, True), (37, True), (135, False)], [(37, True)]))
def test_a_cut_at_an_operation_of_the_flash_loses_nothing(table: TestTable, operations: int, torn: bool) -> None:
    cut(table, operations, torn)


@pytest.mark.campaign
@pytest.mark.parametrize("operations", [0, 1, 3, 16, 18, 127, 129, 131, 132, 134, 136])
def test_a_cut_at_operations_of_the_flash(table: TestTable, operations: int) -> None:
    cut(table, operations, operations % 2 == 0)


@pytest.mark.campaign
def test_a_flash_that_takes_nothing_is_told_and_play_goes_on(table: TestTable) -> None:
    table.table.hardware.flash.fail = True
    table.play("power on\nwait 2.0\n" + OPENED + ROUND)
    table.host.unplug()
    client = Client(VirtualCable(table.table))
    client.open()
    assert client.status()["faults"] == {"flash 0": "does not take records"}
    client.close()
    faults = [entry for entry in table.records("fault") if entry.fields["part"] == "flash"]
    assert len(faults) == 1
    one_stream(table)


def test_what_the_host_acknowledges_leaves_the_flash(table: TestTable) -> None:
    table.play("power on\nwait 12.0")
    flash = table.table.hardware.flash
    client = Client(VirtualCable(table.table))
    client.open()
    client.authenticate("auditor", DEVELOPMENT_KEYS["auditor"])
    before = client.status()["journal"]
    assert before["first"] == 1
    client.acknowledge(before["last"])
    programs = flash.programs
    table.table.run_for(2000)
    after = client.status()["journal"]
    client.close()
    assert flash.programs > programs
    assert after["used"] < 1000 and after["first"] == 1, "what the memory still has can be read again"


@pytest.mark.campaign
def test_records_in_segments_and_records_in_the_memory_are_one_journal() -> None:
    memories = made(SEED, 900_000)
    table = TestTable(seed=SEED, image=memories.image, flash=memories.flash)
    try:
        table.play("power on\nwait 1.0\n" + OPENED + ROUND)
        one_stream(table)
    finally:
        table.close()
