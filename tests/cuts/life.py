"""A whole round of the real firmware without a cut, with each write to the journal's memory: :func:`life`."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from hwsim.chips.mb85rs import Write
from hwsim.scenario.runner import Line, Runner
from hwsim.scenario.script import Script
from sabot.wire import meters
from sabot.wire.records import TAG_SIZE, parse, whole
from sabot_host.sim.play import Session, read, settings
from tests.records import ROOT

LATE_BET = "late_bet"
"""the smallest table's round: a late bet, a ruling, a settlement"""


class Life(NamedTuple):
    """The memory before the round, its writes, its records without their tags, and what there was after each write."""

    name: str
    blank: bytes
    log: list[Write]
    records: dict[int, bytes]
    durable: list[int]
    """by number of writes done: the newest record whose body is whole"""
    sums: list[bytes]
    """the meters after each record; none after the first 0"""

    @property
    def first(self) -> int:
        """Number of writes before the first record: provisioning has given the memory its key by then."""
        return self.durable.index(1) - 1


def script(name: str) -> Script:
    """The scenario: of that name, or the clean round of the game of that name."""
    folder = ROOT / "scenarios"
    path = folder / f"{name}.scn"
    return read(path if path.exists() and name == LATE_BET else folder / "games" / f"{name}.scn")


def session(name: str, image: bytearray | None = None) -> Session:
    """The table of that scenario, its memory holding ``image`` when one is given; nothing is switched on yet."""
    round_ = script(name)
    config = settings(round_.game, round_.seats, round_.config, round_.limits)
    return Session(config, seed=round_.seed, image=image)


@cache
def life(name: str) -> Life:
    """Play the scenario to its end; AssertionError when a line of it is not as expected."""
    with session(name) as table:
        blank = bytes(table.table.hardware.fram.image)
        lines: list[Line] = []
        assert Runner(script(name), table.stage(), lines.append).run(), [line.detail for line in lines if not line.good]
        log = list(table.table.hardware.fram.journal or [])
    records: dict[int, bytes] = {}
    durable, sums = [0], [bytes(meters.new())]
    for write in log:
        if whole(write.data, len(write.data)) == len(write.data):
            parsed = parse(write.data)
            assert parsed["sequence"] == len(records) + 1
            records[parsed["sequence"]] = write.data[:-TAG_SIZE]
            block = bytearray(sums[-1])
            meters.apply(block, parsed["code"], parsed["fields"])
            sums.append(bytes(block))
        durable.append(len(records))
    return Life(name, blank, log, records, durable, sums)
