"""The scan of a full table, seven seats on four readers, beside its air-time bound: cold, steady and with answers lost.

The antennas do not couple, but where the figure says so: those have a bound of their own (`tests/bench/air.py`).
:mod:`tests.bench.scan_table` says what cold and steady are. Scan and bound depend on what lies where, so each is the
mean of some draws. Each at a PN5180 frame of 40 us, and of 25 and 100 us. And one antenna with 100 chips, as the driver
alone visits it; how soon one chip more is seen, and known, on the table of 28 antennas with 60 chips; and how soon a
locked chip that is taken is recorded, with two on each seat's ante and neighbours that couple.
"""

from __future__ import annotations

import random
import statistics
from collections.abc import Sequence
from typing import Any

from hwsim.costs import CALL_NS_BY_FRAME_US
from hwsim.provisioning import SEATS, full_table
from tests.bench.air import antenna_us
from tests.bench.bench_scan import newcomer, noticed, removed
from tests.bench.rig import THE_DEALER_VOIDS
from tests.bench.scan_table import Scan, ScanTable, table_of
from tests.drivers.table import Rig, uid

TABLES = {"spots_21_chips_40": (3, 40), "spots_28_chips_60": (4, 60), "spots_28_chips_120": (4, 120)}
JUDGED = "spots_28_chips_60"
LOST = 0.05
JUDGED_US = 40
OTHERS_US = (25, 100)
CROWD = 100
DRAWS = 6
JUDGED_DRAWS = 60  # of the table that has goals: a single draw's ratio is 0.1 off, and so the mean of these 0.013
SAMPLES = 20
PHASE_MS = 7


def _figures(scan: Scan) -> dict[str, float]:
    return {"period_us": round(scan.us), "bound_us": round(scan.bound_us), "ratio": round(scan.ratio, 3)}


def _mean(scans: Sequence[Scan]) -> dict[str, float]:
    """Of all draws: the mean of period and bound, and of each one's ratio."""
    mean = Scan(statistics.mean(scan.us for scan in scans), statistics.mean(scan.bound_us for scan in scans))
    return {**_figures(mean), "ratio": round(statistics.mean(scan.ratio for scan in scans), 3)}


def _measured(spots: int, chips: int, *, coupled: bool = False, frame_us: int = JUDGED_US) -> dict[str, Any]:
    judged = (spots, chips) == TABLES[JUDGED] and not coupled and frame_us == JUDGED_US
    config = table_of(spots, coupled=coupled)
    cold, steady, lossy = [], [], []
    for seed in range(JUDGED_DRAWS if judged else DRAWS):
        with ScanTable(config, seed=seed, frame_us=frame_us) as table:
            table.start(host=False)
            cold.append(table.cold(chips))
            table.identified()
            steady.append(table.steady())
            lossy.append(table.steady(LOST))
    return {
        "cold": {**_mean(cold), "worst_ratio": round(max(scan.ratio for scan in cold), 3)},
        "steady": _mean(steady),
        "lost_5_percent": _mean(lossy),
    }


def _at_each_frame(spots: int, chips: int, *, coupled: bool = False) -> dict[str, Any]:
    others = {f"frame_{us}_us": _measured(spots, chips, coupled=coupled, frame_us=us) for us in OTHERS_US}
    return {**_measured(spots, chips, coupled=coupled), **others}


def _crowd(frame_us: int) -> dict[str, Any]:
    """One visit to an antenna on which so many chips lie that nobody has met yet."""
    serials = random.Random(CROWD).sample(range(1 << 40), CROWD)
    rig = Rig(cost_us=CALL_NS_BY_FRAME_US[frame_us] // 1000)
    rig.put(*serials)
    rig.reader.start()
    us = rig.make_visit()
    found = {bytes(heard) for heard, _low, _high in rig.heard.strangers}
    bound = antenna_us([int.from_bytes(uid(serial), "little") for serial in serials])
    return {**_figures(Scan(us, bound)), "found": len(found & {uid(serial) for serial in serials})}


def _noticed(spots: int, chips: int) -> dict[str, Any]:
    """How soon one chip more is noticed, on a random spot."""
    dice = random.Random(SAMPLES)
    found = []
    with ScanTable(table_of(spots)) as bench:
        bench.start(host=False)
        bench.cold(chips)
        bench.identified()
        for sample in range(SAMPLES):
            bench.table.run_for(sample * PHASE_MS)
            found.append(newcomer(bench, *dice.choice(list(bench.table.spots))))
            bench.go_round()
            bench.go_round()
    return noticed(found)


def measure() -> dict[str, Any]:
    """Return periods, bounds and ratios by the table, the coupled table's, and those of the one antenna."""
    figures = {name: _at_each_frame(*table) for name, table in TABLES.items()}
    figures |= {"coupled_" + name: _at_each_frame(*table, coupled=True) for name, table in TABLES.items()}
    others = {f"frame_{us}_us": _crowd(us) for us in OTHERS_US}
    figures["one_chip_more"] = _noticed(*TABLES[JUDGED])
    figures["seven_antes"] = removed(full_table("three_card", consequences=THE_DEALER_VOIDS), range(1, SEATS + 1))
    return {**figures, "one_antenna_chips_100": {**_crowd(JUDGED_US), **others}}
