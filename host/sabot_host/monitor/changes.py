"""What has changed from one view to the next, in words. Entry points: :func:`changes`, :func:`moved`."""

from __future__ import annotations

from collections.abc import Iterator

from sabot_host.monitor.picture import Issue, Picture


def changes(before: Picture | None, after: Picture, course: bool) -> list[str]:
    """One line for each change; ``course``: those of the round too, which records tell better where there are any."""
    told = list(_faults(before, after))
    if course:
        told += _course(before, after)
    return told


def _faults(before: Picture | None, after: Picture) -> Iterator[str]:
    old = before.faults if before is not None else ()
    yield from (f"fault: {fault}" for fault in after.faults if fault not in old)
    yield from (f"fault is over: {fault}" for fault in old if fault not in after.faults)
    if after.refused and (before is None or before.refused != after.refused):
        yield f"the controller refuses to play: {after.refused}"
    if after.full and not (before is not None and before.full):
        yield "the journal is full: pull and acknowledge it"


def moved(before: Picture | None, after: Picture) -> list[str]:
    """The table's new state, when it is in another one."""
    same = before is not None and (before.state, before.round) == (after.state, after.round)
    if same or not after.state:
        return []
    return [f"table {after.state}" + (f", round {after.round}" if after.round else "")]


def _course(before: Picture | None, after: Picture) -> Iterator[str]:
    yield from moved(before, after)
    old = {issue.number: issue for issue in before.issues} if before is not None else {}
    new = {issue.number: issue for issue in after.issues}
    yield from (f"irregularity {number}: {named(issue)}" for number, issue in new.items() if number not in old)
    yield from (f"irregularity {number} is over: {named(issue)}" for number, issue in old.items() if number not in new)


def named(issue: Issue) -> str:
    """An irregularity in words: kind, where, how grave."""
    where = f" at seat {issue.seat} {issue.bet}" if issue.seat else ""
    return f"{issue.kind}{where}, severity {issue.severity}"
