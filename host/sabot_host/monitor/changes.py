"""What has changed from one view to the next, in words. Entry points: :func:`changes`, :func:`moved`."""

from __future__ import annotations

from collections.abc import Iterator

from sabot_host.lang import CODED, Tongue
from sabot_host.monitor.picture import Issue, Picture


def changes(before: Picture | None, after: Picture, course: bool, tongue: Tongue = CODED) -> list[str]:
    """One line for each change; ``course``: those of the round too, which records tell better where there are any."""
    told = list(_faults(before, after, tongue))
    if course:
        told += _course(before, after, tongue)
    return told


def _faults(before: Picture | None, after: Picture, tongue: Tongue) -> Iterator[str]:
    old = before.faults if before is not None else ()
    said = tongue.said
    for fault in after.faults:
        if fault not in old:
            yield said(f"fault: {of_part(fault, tongue)}")
    for fault in old:
        if fault not in after.faults:
            yield said(f"fault is over: {of_part(fault, tongue)}")
    if after.refused and (before is None or before.refused != after.refused):
        yield said(f"the controller refuses to play: {after.refused}")
    if after.full and not (before is not None and before.full):
        yield said("the journal is full: pull and acknowledge it")


def of_part(fault: str, tongue: Tongue) -> str:
    """A fault as the controller tells it, ``reader 2: silent``."""
    part, _, what = fault.partition(": ")
    name, space, index = part.partition(" ")
    return tongue.word("part", name) + space + index + tongue.colon + tongue.said(what)


def moved(before: Picture | None, after: Picture, tongue: Tongue = CODED) -> list[str]:
    """The table's new state, when it is in another one."""
    same = before is not None and (before.state, before.round) == (after.state, after.round)
    if same or not after.state:
        return []
    state = tongue.said(f"table {tongue.word('table', after.state)}")
    return [tongue.said(f"{state}, round {after.round}") if after.round else state]


def _course(before: Picture | None, after: Picture, tongue: Tongue) -> Iterator[str]:
    yield from moved(before, after, tongue)
    old = {issue.number: issue for issue in before.issues} if before is not None else {}
    new = {issue.number: issue for issue in after.issues}
    said = tongue.said
    for number, issue in new.items():
        if number not in old:
            yield said(f"irregularity {number}: {named(issue, tongue)}")
    for number, issue in old.items():
        if number not in new:
            yield said(f"irregularity {number} is over: {named(issue, tongue)}")


def named(issue: Issue, tongue: Tongue = CODED) -> str:
    """An irregularity in words: kind, where, how grave."""
    kind = tongue.word("kind", issue.kind)
    if issue.seat:
        kind = tongue.said(f"{kind} at seat {issue.seat} {tongue.word('bet', issue.bet)}")
    return tongue.said(f"{kind}, severity {issue.severity}")
