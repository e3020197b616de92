"""What a table says of itself, judged. Entry point: :func:`checks`. Nobody is needed, and nothing is changed."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import Any

from sabot_host.diag.bench import FAILED, PASSED, UNTESTED, Bench, Check
from sabot_host.monitor.picture import Picture

ROUND_TRIPS = 25
SLOW_MS = 250
"""A question that takes so long was sent again: `RESEND_MS` of the protocol."""
HALF = 0.5


def checks(bench: Bench) -> list[Check]:
    """Version, readiness, faults, journal, display, antennas that should be empty, and the link itself."""
    status = bench.client.status()
    picture = bench.picture()
    faults = faults_of(status)
    unseen = blind(faults)
    return [
        _ready(status),
        *(_fault(part, code) for part, code in faults.items()),
        _journal(status.get("journal")),
        _display(picture, faults),
        _antennas(picture, unseen),
        _empty(picture, unseen),
        _link(bench),
    ]


def faults_of(status: dict[str, Any]) -> dict[str, str]:
    """What has failed, and how, as `status` tells it."""
    return {part: str(code) for part, code in sorted((status.get("faults") or {}).items())}


def blind(faults: dict[str, str]) -> list[str]:
    """Readers that see nothing."""
    return [part for part, code in faults.items() if part.startswith("reader ") and code != "unsteady"]


def _check(name: str, passed: bool, found: str, hint: str) -> Check:
    return Check(name, PASSED if passed else FAILED, found, "" if passed else hint)


def _ready(status: dict[str, Any]) -> Check:
    refused = status.get("refused")
    if isinstance(refused, dict):
        return _check("ready", False, f"refuses to play: {refused.get('text')} [{refused.get('code')}]", "mend it")
    return _check("ready", status.get("ready") is True, "yes" if status.get("ready") else "no", "see sabot status")


def _fault(part: str, code: str) -> Check:
    if part.startswith("task"):
        hint = "the table has stopped: mend what the words name, then start the controller again"
        return _check(f"part {part}", False, code, hint)
    return _check(f"part {part}", False, code, f"look after {part}: cable, connector, the part itself")


def _display(picture: Picture, faults: dict[str, str]) -> Check:
    """What the controller means to show; nobody sees it on a display that has failed."""
    if any(part.startswith("display ") for part in faults):
        return Check("display", UNTESTED, "", "mend the display, then run it again")
    return _check(
        "display", any(picture.lines), picture.lines[0] if any(picture.lines) else "shows nothing", "its cable"
    )


def _antennas(picture: Picture, parts: Sequence[str]) -> Check:
    """Whether the table has spots to play on; ``parts`` are readers that see nothing there."""
    if parts and picture.spots:
        hint = "mend the reader, then run it again"
        return Check("antennas", UNTESTED, f"{len(picture.spots)} spots, some unseen: {', '.join(parts)}", hint)
    return _check(
        "antennas", bool(picture.spots), f"{len(picture.spots)} spots", "the table refuses to play: see ready"
    )


def _empty(picture: Picture, parts: Sequence[str]) -> Check:
    """Whether no chip lies there, as far as readers that work can tell; ``parts`` are the others."""
    lying = [f"seat {spot.seat} {spot.bet}" for spot in picture.spots if spot.chips]
    if parts and not lying:
        hint = "mend the reader, then run it again"
        return Check("empty", UNTESTED, f"no chip where a reader works; none seen by {', '.join(parts)}", hint)
    return _check("empty", not lying, ", ".join(lying) or "no chip lies anywhere", "take the chips away, run it again")


def _journal(journal: Any) -> Check:
    if not isinstance(journal, dict):
        return _check("journal", False, "there is none", "the journal's memory: see ready")
    share = journal["used"] / max(journal["capacity"], 1)
    found = f"{100 * share:.0f} % used, last record {journal['last']}"
    return _check("journal", not journal["full"] and share < HALF, found, "sabot journal pull --ack")


def _link(bench: Bench) -> Check:
    """How long a question takes, there and back."""
    times = []
    for _ in range(ROUND_TRIPS):
        began = bench.clock.now_ms()
        bench.picture()
        times.append(bench.clock.now_ms() - began)
    found = f"{statistics.median(times):.0f} ms a question, {max(times)} ms the slowest of {ROUND_TRIPS}"
    return _check("link", statistics.median(times) < SLOW_MS, found, "another cable or port; no long hub chains")
