"""The scan of a full table, seven seats on four readers, beside its air-time bound: cold, steady and with answers lost.

The antennas do not couple, but where the figure says so: that one has a bound of its own (`tests/bench/air.py`).
:mod:`tests.bench.scan_table` says what cold and steady are.
"""

from __future__ import annotations

from typing import Any

from tests.bench.scan_table import Scan, ScanTable, table_of

TABLES = {"spots_21_chips_40": (3, 40), "spots_28_chips_60": (4, 60), "spots_28_chips_120": (4, 120)}
LOST = 0.05


def _figures(scan: Scan) -> dict[str, float]:
    return {"period_us": round(scan.us), "bound_us": round(scan.bound_us), "ratio": round(scan.ratio, 3)}


def _measured(spots: int, chips: int, *, coupled: bool = False) -> dict[str, Any]:
    with ScanTable(table_of(spots, coupled=coupled)) as table:
        table.start(host=False)
        cold = table.cold(chips)
        table.identified()
        steady = table.steady()
        lossy = table.steady(LOST)
    return {"cold": _figures(cold), "steady": _figures(steady), "lost_5_percent": _figures(lossy)}


def measure() -> dict[str, Any]:
    """Return periods, bounds and ratios by the table, and the coupled table's."""
    figures = {name: _measured(*table) for name, table in TABLES.items()}
    return {**figures, "coupled_spots_21_chips_40": _measured(*TABLES["spots_21_chips_40"], coupled=True)}
