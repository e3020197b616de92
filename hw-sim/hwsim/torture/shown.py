"""A record is durable before its consequence is visible. Entry point: :func:`early`.

The bar turns from green to red because of a record that is in memory by then, and the gate opens for cards of a round
whose lock has been recorded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from hwsim.chips.ws2812 import Change
from hwsim.core import NS_PER_MS
from hwsim.scenario.claims import Entry
from hwsim.scenario.stage import colour
from hwsim.table import BAR_LAMPS

_OPEN = ("green", "amber")
_SOON_NS = 300 * NS_PER_MS
"""the lamps follow at once; a display that is written meanwhile, or a collection, holds them up"""
_LOCKS = ("lock", "first_card")
_ENDS = ("round_end", "void", "unlock")
_STOPS = ("table", "card_fault", "irregularity", "fault")


def early(
    entries: Sequence[Entry],
    lamps: Iterable[Change],
    gate: Iterable[tuple[int, bool]],
    unkept: Sequence[tuple[int, int]] = (),
) -> Iterator[str]:
    """What was seen and had no record yet, in words; ``gate`` is its log: instant (ns), whether it opens.

    ``unkept``: from when to when (ns) the memory kept nothing. A table that cannot record stops, and turns red, without
    a record that says why.
    """
    before = ""
    for when, pixels in lamps:
        bar = {colour(pixel) for pixel in pixels[-BAR_LAMPS:]}
        shown = bar.pop() if len(bar) == 1 else "mixed"
        stopped = any(begin <= when <= end + _SOON_NS for begin, end in unkept)
        if shown == "red" and before in _OPEN and not stopped and not _just_recorded(entries, when):
            yield f"the bar turns red at {when / 1e9:.6f}, and no record says why"
        before = shown
    running = {entry.when: entry.name in _LOCKS for entry in entries if entry.name in (*_LOCKS, *_ENDS)}
    for when, opens in gate:
        last = max((at for at in running if at < when), default=None)
        if opens and (last is None or not running[last]):
            yield f"the gate opens at {when / 1e9:.6f}, and no lock has been recorded"


def _just_recorded(entries: Sequence[Entry], when: int) -> bool:
    return any(
        when - _SOON_NS <= entry.when < when and (entry.name in _LOCKS or entry.family in _STOPS) for entry in entries
    )
