"""The link on the real interpreter beside a scanning table: what a host costs the scan, and how fast a pull is.

A bet antenna is visited over and over in `betting`; how often its switch settles is the pace of the scan.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hwsim.core import NS_PER_MS
from hwsim.provisioning import DEVELOPMENT_KEYS
from hwsim.rf.switch import AntennaSwitch
from hwsim.table import SimTable, VirtualCable
from sabot_host.link.client import Client

MEASURED_MS = 1500
TOLERANCE = 0.04
PULL_BYTES_A_SECOND = 20_000

Act = Callable[[SimTable], object]


@pytest.fixture
def settled(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Grows by one entry each time that an antenna switch settles."""
    found: list[int] = []
    settle = AntennaSwitch._settle

    def count(switch: AntennaSwitch) -> None:
        found.append(1)
        settle(switch)

    monkeypatch.setattr(AntennaSwitch, "_settle", count)
    return found


def opened(table: SimTable, role: str) -> Client:
    client = Client(VirtualCable(table))
    client.open()
    client.authenticate(role, DEVELOPMENT_KEYS[role])
    return client


@pytest.fixture
def table(tmp_path: Path) -> Iterator[SimTable]:
    """A table in `betting`, its scanner at work."""
    table = SimTable(tmp_path, seed=1)
    try:
        table.start()
        table.run_for(1500)
        table.press("fin")
        table.run_for(300)
        yield table
    finally:
        table.stop()


def pace(table: SimTable, settled: list[int], act: Act) -> float:
    """Visits a second while ``act`` goes on."""
    began, settled[:] = table.now, []
    while table.now < began + MEASURED_MS * NS_PER_MS:
        act(table)
    return len(settled) * 1e9 / (table.now - began)


def nothing(table: SimTable) -> None:
    table.run_for(10)


def flood(table: SimTable) -> None:
    """Twice as much as the controller takes: there is always more to read."""
    table.fabric.cdc.host_write(random.Random(table.now).randbytes(64))
    table.run_for(10)
    table.fabric.cdc.host_read()


@pytest.mark.campaign
def test_the_scan_keeps_its_pace_whatever_the_host_does(table: SimTable, settled: list[int]) -> None:
    cdc = table.fabric.cdc
    alone = pace(table, settled, nothing)
    assert alone > 50
    found = {}

    cdc.host_open()
    found["garbage"] = pace(table, settled, flood)
    cdc.host_reads = False
    found["garbage from a host that reads nothing"] = pace(table, settled, flood)
    cdc.host_close()
    cdc.host_reads = True
    table.run_for(5000)  # what is left of the flood

    asked: list[object] = []
    client = opened(table, "auditor")
    found["status without a pause"] = pace(table, settled, lambda _: asked.append(client.status()))
    next(client.read_records(1))
    cdc.host_reads = False
    found["a host that has stopped reading"] = pace(table, settled, nothing)
    cdc.host_reads = True
    client.close()
    table.run_for(500)

    slower = {name: round(1 - visits / alone, 3) for name, visits in found.items()}
    assert {name: share for name, share in slower.items() if share > TOLERANCE} == {}
    assert cdc.dropped == 0
    assert opened(table, "auditor").status()["faults"] == {}


def test_a_pull_beside_the_scan(table: SimTable) -> None:
    """Two hundred records of the smallest useful size; larger ones go faster."""
    client = opened(table, "technician")
    for second in range(200):
        client.set_time(1_700_000_000 + second)
    client.authenticate("auditor", DEVELOPMENT_KEYS["auditor"])
    began = table.now
    size = sum(len(record) for record in client.read_records(1))
    assert size > 8000
    assert size * 1e9 / (table.now - began) >= PULL_BYTES_A_SECOND
    assert table.fabric.cdc.dropped == 0
