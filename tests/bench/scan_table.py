"""Whole scans of any table, reader by reader, beside the air-time bound of what lies there.

Entry points: :class:`ScanTable` (``cold``, ``steady``), :func:`table_of` (seats and spots on four
readers, coupled or not), :class:`Scan` (what was measured).

A reader's scan is over when each of its antennas has been visited once more. *Cold*: every reader finds its chips new,
laid down at the instant at which its scan before was over. *Steady*: all of them have been identified. The bound is
that of the busiest reader; a scan of the table lasts as long as its slowest reader's.
"""

from __future__ import annotations

import random
import statistics
from itertools import pairwise
from typing import Any, NamedTuple

from hwsim.provisioning import full_table
from hwsim.world.air import Air
from hwsim.world.chips import Chip
from sabot_host.sim.acceptance import with_acceptance
from tests.bench.air import bound_us, coupled_bound_us
from tests.bench.rig import BenchTable, FieldProbe

GAME_OF_SPOTS = {4: "crazy_four", 3: "three_card"}
LIMIT_MS = 60_000
CENTS = 2500
SETTLED_MS = 100
SCANS = 10


class Scan(NamedTuple):
    """A scan of the whole table: its length, that of the slowest reader, and the bound, that of the busiest one."""

    us: float
    bound_us: float

    @property
    def ratio(self) -> float:
        """Length by bound."""
        return self.us / self.bound_us


def table_of(spots: int, *, coupled: bool = False) -> dict[str, Any]:
    """Seven seats of ``spots`` spots each on four readers; ``coupled``: as in the reference table, else none."""
    config = with_acceptance(full_table(GAME_OF_SPOTS[spots]))
    if not coupled:
        del config["couples_with"]
    return config


class ScanTable(BenchTable):
    """A table that counts each reader's scans; ``seed`` also says where chips are laid."""

    def __init__(self, config: dict[str, Any], *, seed: int = 0, **options: Any) -> None:
        super().__init__(config=config, seed=seed, bets=(), **options)
        self._dice = random.Random(f"scan/{seed}")
        self._coupled = "couples_with" in config
        self._readers = [[tuple(spot) for spot in reader if spot is not None] for reader in config["readers"]]
        self.ends: list[list[int]] = [[] for _ in self._readers]
        """Of each reader: the instants, in ns, at which a scan was over."""
        self._left = [set(reader) for reader in self._readers]
        for number, reader in enumerate(self._readers):
            for spot in reader:
                self.table.spot(*spot).enter(_probe(self, number, spot))
        self._to_lay: list[list[tuple[Chip, tuple[int, str]]]] = [[] for _ in self._readers]
        self._laid_at: list[int] = [0] * len(self._readers)
        self.chips: list[Chip] = []

    def visited(self, reader: int, spot: tuple[int, str]) -> None:
        """The field of a spot's antenna has gone off."""
        left = self._left[reader]
        left.discard(spot)
        if left:
            return
        left.update(self._readers[reader])
        self.ends[reader].append(self.table.now)
        if self._to_lay[reader]:
            for chip, spot in self._to_lay[reader]:
                self.table.felt.place(chip, self.table.spot(*spot), self.table.now)
                self.chips.append(chip)
            self._to_lay[reader] = []
            self._laid_at[reader] = len(self.ends[reader]) - 1

    def bound(self) -> float:
        """The air-time bound of what lies on the table now, in us."""
        lying = [[self._uids(spot) for spot in reader] for reader in self._readers]
        if self._coupled:
            return coupled_bound_us(lying, [[spot[0] for spot in reader] for reader in self._readers])
        return max(bound_us(reader) for reader in lying)

    def cold(self, chips: int) -> Scan:
        """Lay ``chips`` on random spots of a table whose readers know none, and take the first scan of each reader.

        Which UID lies where depends on the seed alone, not on which reader is ready first.
        """
        spots = [spot for reader in self._readers for spot in reader]
        wanted = [(self.table.mint.chip(CENTS), self._dice.choice(spots)) for _ in range(chips)]
        self._to_lay = [[each for each in wanted if each[1] in reader] for reader in self._readers]
        full = [number for number, there in enumerate(self._to_lay) if there]
        self.until(lambda: not any(self._to_lay), "the scanner stands still", LIMIT_MS)
        self.until(
            lambda: all(len(self.ends[number]) > self._laid_at[number] + 1 for number in full),
            "the scanner stands still",
            LIMIT_MS,
        )
        lengths = []
        for number in full:
            first = self._laid_at[number]
            lengths.append(self.ends[number][first + 1] - self.ends[number][first])
        return Scan(max(lengths) / 1000, self.bound())

    def identified(self) -> None:
        """Let time pass until the memory of every chip has been read: no reader takes longer for a scan any more."""
        self.table.run_for(SETTLED_MS * max(1, len(self.chips) // 4))

    def steady(self, lost: float = 0.0) -> Scan:
        """The mean of the next scans of each reader, while a share of answers is ``lost``."""
        antennas = list(self.table.spots.values())
        air = None
        if lost:
            air = Air(self.table.scheduler, antennas, self._dice.randrange(1 << 30))
            air.thin(antennas, lost)
        first = [len(ends) for ends in self.ends]
        self.until(
            lambda: all(len(ends) > begun + SCANS for ends, begun in zip(self.ends, first, strict=True)),
            "the scanner stands still",
            LIMIT_MS,
        )
        means = []
        for ends, begun in zip(self.ends, first, strict=True):
            means.append(statistics.mean(after - before for before, after in pairwise(ends[begun : begun + SCANS + 1])))
        if air is not None:
            air.clear(antennas)
        return Scan(max(means) / 1000, self.bound())

    def _uids(self, spot: tuple[int, str]) -> list[int]:
        lying = self.table.felt.lying_on(self.table.spot(*spot))
        return [int.from_bytes(piece.uid, "little") for piece in lying]


def _probe(table: ScanTable, reader: int, spot: tuple[int, str]) -> FieldProbe:
    return FieldProbe(lambda: table.visited(reader, spot))
