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
from typing import Any, NamedTuple

from hwsim.core import NS_PER_MS
from hwsim.provisioning import small_table
from hwsim.rf.antenna import Tag
from hwsim.world.chips import Chip
from tests.bench.air import answer_us, bound_us, request_us
from tests.bench.rig import HOLD_NS, THE_DEALER_VOIDS, BenchTable

CHIPS = (("ante", 3), ("pair_plus", 2), ("play", 1))
SEATS = (1, 2)
SCANS = 10
SAMPLES = 20
FRAMES_US = (25, 40, 100)
READ_MEMORY = 0x23  # ISO/IEC 15693-3: read multiple blocks


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


class Newcomer(NamedTuple):
    """A chip that nobody has met, in microseconds from its landing: seen, and identified; and the reading alone."""

    seen: float
    identified: float
    reading: float


def newcomer(bench: BenchTable, seat: int, bet: str) -> Newcomer:
    """Lay a chip down, see it identified, and take it away.

    *Seen* is the end of its first answer. *Identified*: its memory has been read and its MAC checked, after which the
    field goes off, and the table is told. *Reading* begins with the request for the memory.
    """
    table = bench.table
    antenna = table.spot(seat, bet)
    (laid,), placed = bench.lay(seat, bet), table.now
    answers: list[int] = []
    asked: list[int] = []
    known: list[int] = []

    def ask(tag: Tag, request: bytes) -> bytes:
        if tag is laid.tag and request[1] == READ_MEMORY:
            asked.append(table.now - round(request_us(len(request)) * 1000))
        return request

    def listen(tag: Tag, answer: bytes) -> bytes:
        if tag is laid.tag:
            answers.append(table.now + round(answer_us(len(answer)) * 1000))
        return answer

    def field(on: bool) -> None:
        if asked and not on and not known:
            known.append(table.now)

    antenna.request_fault, antenna.air_fault, antenna.on_field = ask, listen, field
    bench.until(lambda: bool(known), "a chip is not read")
    antenna.request_fault = antenna.air_fault = antenna.on_field = None
    table.remove([laid])
    return Newcomer((answers[0] - placed) / 1000, (known[0] - placed) / 1000, (known[0] - asked[-1]) / 1000)


def noticed(chips: Sequence[Newcomer]) -> dict[str, dict[str, float]]:
    """Worst and median of how soon new chips were noticed."""
    return {
        "placed_to_seen_us": spread([each.seen for each in chips]),
        "seen_to_identified_us": spread([each.identified - each.seen for each in chips]),
        "placed_to_identified_us": spread([each.identified for each in chips]),
        "memory_and_mac_us": spread([each.reading for each in chips]),
    }


def _noticed() -> dict[str, Any]:
    with BenchTable() as bench:
        bench.start(host=False)
        chips = []
        for sample in range(SAMPLES):
            bench.go_round()
            bench.table.run_for(sample * 7)
            chips.append(newcomer(bench, 1, "ante"))
    return noticed(chips)


def removed(config: dict[str, Any] | None = None, seats: Sequence[int] = (1,)) -> dict[str, Any]:
    """From the removal of a locked chip to the record that says so; and the scan's period then, the gate being open.

    Two chips lie on the ante of each of these ``seats``; of the first one's one is taken.
    """
    latencies = []
    periods: list[float] = []
    with BenchTable(config=config or small_table(consequences=THE_DEALER_VOIDS)) as bench:
        bench.start(host=False)
        table = bench.table
        for sample in range(SAMPLES):
            chips = [chip for seat in seats for chip in bench.lay(seat, "ante", 2)]
            bench.go_round()
            bench.go_round()
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
    return {**figures, **_noticed(), **removed()}
