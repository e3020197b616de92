"""Both ends of the link over a cable that loses, flips, cuts, repeats and adds bytes: what may never go wrong."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from sabot_host.errors import SabotError
from sabot_host.link.client import Client
from tests.link.board import CLOCK, KEYS, Controller
from tests.link.cable import Cable, Faults

LIMIT_MS = 600_000

KINDS = {
    "clean": {},
    "lost bytes": {"lose": 0.003},
    "flipped bits": {"flip": 0.003},
    "garbage": {"garbage": 0.2},
    "cut bursts": {"cut": 0.1},
    "repeated bursts": {"twice": 0.2},
    "late frames": {"late": 0.3},
    "everything": {"lose": 0.001, "flip": 0.001, "garbage": 0.05, "cut": 0.03, "twice": 0.05, "late": 0.1},
}


@pytest.fixture(params=[0, (1 << 30) - 4000], ids=["from zero", "over the counter's wrap"])
def clock(request: pytest.FixtureRequest) -> None:
    CLOCK.ms = request.param


def records(seed: int, count: int = 40) -> list[bytes]:
    rng = random.Random(seed)
    return [rng.randbytes(rng.choice((32, 60, 223, 224, 225, 448, 600, 1024))) for _ in range(count)]


def persist(cable: Cable, seed: int) -> Iterator[Client]:
    """Sessions of a host that does not give up, within a bounded time."""
    end = CLOCK.ms + LIMIT_MS
    while CLOCK.ms < end:
        client = Client(cable)
        try:
            client.open()
            client.authenticate("auditor", KEYS["auditor"])
        except SabotError:
            continue
        yield client
    raise AssertionError("the link does not recover")


@pytest.mark.usefixtures("clock")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(3))
def test_every_record_arrives_once_and_in_order(kind: str, seed: int) -> None:
    there = records(seed)
    controller = Controller(there, seed)
    cable = Cable(controller, Faults(seed, **KINDS[kind]), Faults(seed + 1, **KINDS[kind]))
    got: list[bytes] = []
    for client in persist(cable, seed):
        try:
            for record in client.read_records(len(got) + 1, last=len(there)):
                got.append(record)
            break
        except SabotError:
            continue
    assert got == there


@pytest.mark.usefixtures("clock")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(3))
def test_a_void_is_executed_at_most_once(kind: str, seed: int) -> None:
    controller = Controller(seed=seed)
    cable = Cable(controller, Faults(seed, **KINDS[kind]), Faults(seed + 1, **KINDS[kind]))
    end = CLOCK.ms + LIMIT_MS
    client = Client(cable)
    done = 0
    while done < 5:
        assert CLOCK.ms < end, "the link does not recover"
        before = controller.app.table.voids
        try:
            client.open()
            client.authenticate("supervisor", KEYS["supervisor"])
            before = controller.app.table.voids
            client.void(1)
        except SabotError:
            cable.step(9_000)  # whatever is still on its way arrives, late frames too
            assert controller.app.table.voids - before in (0, 1)
        else:
            done += 1
            cable.step(9_000)
            assert controller.app.table.voids - before == 1
