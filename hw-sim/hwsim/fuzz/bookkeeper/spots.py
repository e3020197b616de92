"""What must be told at spots that cannot win, or not yet. Entry points: :func:`early`, :func:`never`, :func:`idle`.

Chips on the spot of a decision before it opens, and chips at a seat that does not play, or plays no more.
"""

from __future__ import annotations

from hwsim.fuzz.bookkeeper.duties import MORE, TURN, WORTHLESS, After, Duty
from hwsim.fuzz.bookkeeper.locks import SLACK_NS, Locked
from hwsim.fuzz.bookkeeper.stays import HOUSE, Stays
from hwsim.fuzz.bookkeeper.visits import Spot, Visits


def early(
    spot: Spot, begin: int, opens: tuple[int, int], kind: str, stays: Stays, visits: Visits, locked: Locked
) -> list[Duty]:
    """Chips on a decision's spot from the lock at ``begin`` until it opened, between the two instants of ``opens``."""
    after = After(spot, begin, opens[0], opens[0], stays, visits, locked)
    found = []
    for stay in stays.at(spot):
        if stay.came >= opens[1] or stay.went <= begin or stay.sort != HOUSE:
            continue
        if locked.at(stay.label, stay.came, other_than=spot):
            continue
        if after.dwells(stay, opens[1]) is False:
            continue
        certain = stay.came > begin and after.dwells(stay, opens[0] - TURN) is True
        words = f"{stay.label} lay there from {stay.came / 1e9:.3f}, before the seat's last card"
        found.append(Duty(spot, stay.uid, (stay.came,), frozenset((kind,)), certain, words, group=kind))
    return found


def never(
    spot: Spot, begin: int, settled: int, end: int, kind: str, stays: Stays, visits: Visits, locked: Locked
) -> list[Duty]:
    """Chips that came, before the seat was settled, to the spot of a decision that never opens.

    What has not lain there long enough for an alarm by ``settled`` is the next round's when it has.
    """
    after = After(spot, begin, end, end, stays, visits, locked)
    found = []
    for stay in stays.at(spot):
        if stay.came >= settled or stay.went <= begin or stay.sort != HOUSE:
            continue
        if locked.at(stay.label, stay.came, other_than=spot):
            continue
        if after.dwells(stay, end) is False:
            continue
        kinds = set()
        if after.dwells(stay, settled) is not False:
            kinds.add(kind)
        if after.dwells(stay, settled - TURN) is not True and after.missed(stay) + TURN > settled:
            kinds.add("next_round")
        certain = stay.came > begin and after.dwells(stay, end - TURN) is True
        words = f"{stay.label} lay there from {stay.came / 1e9:.3f}, and nothing is decided there"
        group = kind if kind in kinds else "next_round"
        found.append(Duty(spot, stay.uid, (stay.came,), frozenset(kinds), certain, words, group=group))
    return found


def idle(
    spot: Spot,
    begin: int,
    must_from: int,
    end: int,
    stays: Stays,
    visits: Visits,
    locked: Locked,
    *,
    settled: bool = False,
) -> list[Duty]:
    """Chips that came to a spot that cannot win, from ``begin`` to ``end``; they must be told from ``must_from`` on.

    ``settled``: until ``begin`` a bet lay there, and what no visit can tell apart from that instant may be late.
    """
    after = After(spot, begin, end, end, stays, visits, locked)
    found = []
    for stay in stays.at(spot):
        if not begin < stay.came < end or locked.at(stay.label, stay.came) or after.dwells(stay, end) is False:
            continue
        certain = stay.came > must_from and after.dwells(stay, end - TURN) is True and not locked.ever(stay.label)
        words = f"{stay.label} came at {stay.came / 1e9:.3f}"
        worthless = WORTHLESS.get(stay.sort)
        kinds = frozenset((worthless or "next_round",))
        if settled and not worthless and visits.window(spot, stay.came)[0] < begin + SLACK_NS:
            kinds |= MORE
        group = "" if worthless else "next_round"
        found.append(Duty(spot, stay.uid, (stay.came,), kinds, certain, words, stay.value, group=group))
    return found
