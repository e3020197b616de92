"""The scan of the small table: period and ratio to the air-time bound, and how long chips take to be noticed.

One reader, six antennas: empty, and with 12 chips (three on each ante, two on each pair plus, one on each play spot).
*Cold* is the first whole scan after all chips have been laid down, without what is known: it holds the reading of each
chip's memory too, which the bound does not. *Steady* is the mean of ten scans from then on. Chips are laid down and
removed at instants spread over a scan.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from hwsim.core import NS_PER_MS
from hwsim.rf.antenna import Tag
from hwsim.world.chips import Chip
from tests.bench.air import bound_us
from tests.bench.rig import HOLD_NS, BenchTable

CHIPS = (("ante", 3), ("pair_plus", 2), ("play", 1))
SEATS = (1, 2)
SCANS = 10
SAMPLES = 20
FRAMES_US = (25, 40, 100)
MEMORY_ANSWER_BYTES = 20  # an inventory's answer has 12, that of a chip's memory 27


def _scans_us(bench: BenchTable, count: int) -> list[float]:
    """Lengths of the next ``count`` whole scans."""
    ends: list[int] = []

    def end() -> None:
        ends.append(bench.table.now)
        bench.at_scan_end = end

    bench.at_scan_end = end
    bench.until(lambda: len(ends) > count, "the scanner stands still", 60_000)
    bench.at_scan_end = None
    return [(after - before) / 1000 for before, after in pairwise(ends[: count + 1])]


def _periods(frame_us: int) -> dict[str, Any]:
    with BenchTable(frame_us=frame_us) as bench:
        bench.start(host=False)
        empty = _scans_us(bench, SCANS)
        laid: list[Chip] = []

        def lay() -> None:
            for seat in SEATS:
                for bet, count in CHIPS:
                    laid.extend(bench.lay(seat, bet, count))

        bench.at_scan_end = lay
        bench.until(lambda: bool(laid), "the scanner stands still")
        begun = bench.table.now
        ends: list[int] = []
        bench.at_scan_end = lambda: ends.append(bench.table.now)
        bench.until(lambda: bool(ends), "the scanner stands still")
        steady = _scans_us(bench, SCANS)
        uids = [
            [int.from_bytes(piece.uid, "little") for piece in bench.table.felt.lying_on(antenna)]
            for antenna in bench.table.spots.values()
        ]
        empty_bound, bound = bound_us([[]] * len(uids)), bound_us(uids)
        cold_us = (ends[0] - begun) / 1000
        return {
            "empty": _period(statistics.mean(empty), empty_bound),
            "cold": _period(cold_us, bound),
            "steady": _period(statistics.mean(steady), bound),
        }


def _period(us: float, bound: float) -> dict[str, float]:
    return {"period_us": round(us), "bound_us": round(bound), "ratio": round(us / bound, 3)}


def _noticed() -> dict[str, Any]:
    """From a chip's landing to its first answer, and to the end of the reading of its memory."""
    seen: list[float] = []
    identified: list[float] = []
    with BenchTable() as bench:
        bench.start(host=False)
        table = bench.table
        antenna = table.spot(1, "ante")
        answers: list[tuple[int, int]] = []

        def listen(tag: Tag, answer: bytes) -> bytes:
            answers.append((table.now, len(answer)))
            return answer

        antenna.air_fault = listen
        for sample in range(SAMPLES):
            bench.go_round()
            table.run_for(sample * 7)
            answers.clear()
            chips, placed = bench.lay(1, "ante"), table.now
            bench.until(lambda: any(length > MEMORY_ANSWER_BYTES for _, length in answers), "a chip is not read")
            seen.append((answers[0][0] - placed) / 1000)
            identified.append((answers[-1][0] - placed) / 1000)
            table.remove(chips)
    return {
        "placed_to_seen_us": spread(seen),
        "seen_to_identified_us": spread([known - first for known, first in zip(identified, seen, strict=True)]),
        "placed_to_identified_us": spread(identified),
    }


def _removed() -> dict[str, Any]:
    """From the removal of a locked chip to the record that says so; and the scan's period then, the gate being open."""
    latencies = []
    periods: list[float] = []
    with BenchTable() as bench:
        bench.start(host=False)
        table = bench.table
        for sample in range(SAMPLES):
            chips = bench.lay_known(1, "ante", 2)
            table.press("rnvp", hold=HOLD_NS)
            bench.until(lambda: bench.written("confirmed") is not None, "the lock is not confirmed")
            periods += _scans_us(bench, 2)
            table.run_for(sample * 7)
            removed = table.now
            table.remove(chips[:1])
            bench.until(lambda: bench.written("change") is not None, "the removal is not recorded")
            latencies.append((table.now - removed) / 1000)
            table.press("maldonne", hold=HOLD_NS)
            table.run_for(2 * HOLD_NS / NS_PER_MS)
            table.press("oui", hold=HOLD_NS)
            bench.until(lambda: bench.written("void") is not None, "the round does not end")
            table.remove(chips[1:])
            bench.go_round()
            bench.forget()
    return {"locked_period_us": round(statistics.mean(periods)), "removed_to_record_us": spread(latencies)}


def spread(values: Sequence[float]) -> dict[str, float]:
    """The worst and the median of the samples."""
    return {"worst": round(max(values)), "median": round(statistics.median(values))}


def measure() -> dict[str, Any]:
    """Return periods and ratios by the cost of a frame, and the latencies at 40 us a frame."""
    figures: dict[str, Any] = {f"frame_{frame_us}_us": _periods(frame_us) for frame_us in FRAMES_US}
    return {**figures, **_noticed(), **_removed()}
