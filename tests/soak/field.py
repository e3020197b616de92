"""Rounds at the reference table in bad weather, for so many virtual seconds. Entry points: :func:`soak`, :func:`good`.

Seven seats of four spots on four readers, 28 antennas, neighbours coupled, from the .mpy files on the board's own heap
with a host that follows (`tests/bench/full_table.py`). People are honest and their chips are good; the fields are not
(`hwsim.rf.weather`): so whatever is asked about chips is a false alarm. Ten times a second the host looks at the table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from hwsim.core import NS_PER_MS, NS_PER_S
from hwsim.fuzz.floor import IRREGULAR
from hwsim.rf.weather import Weather
from hwsim.scenario.claims import Entry
from tests.bench.full_table import FullTable
from tests.soak.judge import Judge

GAME = "crazy_four"
SEED = 24
LOOK_NS = 100 * NS_PER_MS
WARM_UP = 3  # rounds before the heap's first measure
HEAP_EVERY = 10  # rounds between two measures of the heap
HEAP_GROWTH = 2048  # bytes: the journal's index grows by an entry every 32 records until the host's word moves it on
TOLD = 5


class Soak(FullTable):
    """The table, its weather, and the judge of what it says."""

    def __init__(self, game: str, seed: int, config: dict[str, Any] | None = None) -> None:
        super().__init__(game, seed=seed, config=config)
        self.table = self._session.table
        self.weather: Weather | None = None
        self.judge = Judge({antenna.name: place for place, antenna in self.table.spots.items()})
        self.heap_used: list[int] = []
        """bytes in use at rest, every so many rounds"""
        self.asked: Counter[str] = Counter()
        """irregularities by kind"""
        self._facts = 0
        self._entry = 0
        self._edges: dict[int, int] = {}
        self._picture: object = None

    def begin(self) -> None:
        """The weather turns bad, and the host begins to look."""
        self.weather = Weather(self.table.scheduler, self.table.spots.values(), self.table.seed)
        self._look()

    def _look(self) -> None:
        host = self._session.host
        host.look()
        facts = self.table.truth.facts
        self.judge.happen(facts[self._facts :])
        self._facts = len(facts)
        if host.picture is not None and host.picture is not self._picture:
            self._picture = host.picture
            self.judge.look(host.picture, self.table.now)
        self._read_on()
        self.table.scheduler.after(LOOK_NS, self._look)

    def _read_on(self) -> None:
        """What the journal has told since."""
        self._session.witness.look()
        entries = self._session.witness.entries
        for entry in entries[self._entry :]:
            if entry.family == IRREGULAR:
                self.asked[entry.name] += 1
            elif entry.name == "lock":
                self._edges[int(entry.fields["round"])] = entry.when
            elif entry.name == "confirmed":
                self._confirmed(entry)
        self._entry = len(entries)

    def _confirmed(self, entry: Entry) -> None:
        """The bets of a lock that are in no doubt; its instant is that of its record, some ms after the edge."""
        edge = self._edges.pop(int(entry.fields["round"]), entry.when)
        for row in entry.rows:
            if "bet" in row and "amount" in row and "flags" not in row:
                self.judge.bet((int(row["seat"]), str(row["bet"])), edge, int(row["amount"]))

    def play_on(self, seconds: int) -> None:
        """Play rounds until so much time has passed; the heap is measured between rounds."""
        end = self.table.now + seconds * NS_PER_S
        while self.table.now < end:
            self.play(1)
            if self.rounds >= WARM_UP and (self.rounds - WARM_UP) % HEAP_EVERY == 0:
                self.heap_used.append(self.heap()[1])
        self.heap_used.append(self.heap()[1])


def good(figures: Mapping[str, Any]) -> bool:
    """Nothing missed, nothing misattributed, a flat heap and no restart."""
    heap = figures["heap_used_bytes"]
    wrong = figures["missed"] or figures["misattributed"] or figures["restarts"]
    return not wrong and heap["late"] - heap["early"] <= HEAP_GROWTH


def heap_of(used: Sequence[int]) -> dict[str, int]:
    """Means of the measures' second quarter, when all that is needed now and then has been loaded, and of the last."""
    quarter = len(used) // 4
    early, late = used[quarter : max(2 * quarter, 1)], used[-max(quarter, 1) :]
    return {"early": sum(early) // len(early), "late": sum(late) // len(late), "most": max(used), "measures": len(used)}


def _figures(table: Soak, seconds: float) -> dict[str, Any]:
    judge, weather = table.judge, table.weather
    assert weather is not None
    return {
        "missed": len(judge.missed),
        "misattributed": len(judge.misattributed),
        "virtual_s": round(seconds),
        "rounds": table.rounds,
        "looks": judge.looks,
        "spots_judged": judge.spots,
        "bets_judged": judge.bets,
        "asked": dict(sorted(table.asked.items())),
        "weather": dict(sorted(weather.happened.items())),
        "restarts": table.table.controller.restarts,
        "heap_used_bytes": heap_of(table.heap_used),
        "told": [*judge.missed[:TOLD], *judge.misattributed[:TOLD]],
    }


def soak(game: str, seed: int, seconds: int, config: dict[str, Any] | None = None) -> dict[str, Any]:
    """Play ``game`` from ``seed`` for so many virtual seconds: what came of it, for :func:`good` and the record.

    AssertionError for a fault, or a void round.
    """
    with Soak(game, seed, config) as table:
        began = table.table.now
        table.begin()
        table.play_on(seconds)
        return {"seed": seed, **_figures(table, (table.table.now - began) / NS_PER_S)}
