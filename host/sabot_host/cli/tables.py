"""The tables that a command means, where it may be several: by number, or every one that runs.

Entry points: :func:`at_tables` (work that needs a port), :func:`on_each` (the work at each table, side by side, and a
line for each), :func:`found_wrong` (an exit status). The options are those of :mod:`sabot_host.cli.meant`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from sabot_host.cli.meant import Meant
from sabot_host.cli.progress import shown
from sabot_host.cli.several import Outcome, side_by_side, tell
from sabot_host.cli.surroundings import result
from sabot_host.errors import DeviceError, Exit
from sabot_host.flash.bus import Bus, SharedBus
from sabot_host.flash.devices import Device, choose, numbered, present
from sabot_host.flash.flasher import Reporter
from sabot_host.flash.lock import board_lock


def at_tables(
    act: Callable[[str | None], Any],
    port: str | None,
    meant: Meant,
    worded: Callable[[Any], str],
    as_json: bool,
    valued: Callable[[Any], dict[str, Any]] = dict,
    wrong: Callable[[Any], bool] = lambda result: False,
) -> int:
    """Do ``act`` at the table at ``port``, or at those meant, and tell what came of it; the exit status.

    ``worded`` and ``valued`` say a result for people and for JSON; it is FINDING where one is ``wrong``.
    """
    if meant.several:
        status, outcomes = on_each(lambda bus, device, reporter: act(device.port), meant, worded, as_json, valued)
        return status or found_wrong(outcomes, wrong)
    found = act(port)
    result(worded(found), valued(found), as_json)
    return Exit.FINDING if wrong(found) else Exit.OK


def on_each(
    act: Callable[[Bus, Device, Reporter], Any],
    meant: Meant,
    worded: Callable[[Any], str],
    as_json: bool,
    valued: Callable[[Any], Any],
    agreed: Callable[[str], None] = lambda names: None,
) -> tuple[int, list[Outcome]]:
    """Do ``act`` at each table, whose board is this process's meanwhile; the exit status, and how each ended.

    ``agreed`` is asked with the tables' names before anything is done; for ``worded`` and ``valued`` see
    :func:`sabot_host.cli.several.tell`. DeviceError where no table runs.
    """
    bus = SharedBus()
    devices = present(bus)

    def one(found: Callable[[], Device], reporter: Reporter) -> Any:
        device = found()
        with board_lock(device.place):
            return act(bus, device, reporter)

    if meant.numbers is None:
        work = {
            f"table {each.table}" if _alone(devices, each) else f"table {each.table}, {each.place}": partial(
                one, partial(choose, devices, each.place)
            )
            for each in sorted(devices, key=lambda each: each.table)
            if each.is_table
        }
    else:
        work = {f"table {number}": partial(one, partial(numbered, devices, number)) for number in meant.numbers}
    if not work:
        raise DeviceError("table-none", "no table is attached and running", "plug it in, look with: sabot devices")
    agreed(", ".join(work))
    with shown() as reporter:
        outcomes = side_by_side(work, meant.at_once, reporter)
    return tell(outcomes, worded, as_json, valued), outcomes


def found_wrong(outcomes: list[Outcome], wrong: Callable[[Any], bool]) -> Exit:
    """The exit status of work that came to its end at every table: FINDING where a result is ``wrong``."""
    found = any(wrong(outcome.result) for outcome in outcomes if outcome.error is None)
    return Exit.FINDING if found else Exit.OK


def _alone(devices: list[Device], device: Device) -> bool:
    """Whether no other board says that it is the same table: two of one number are two lines, not one."""
    return sum(each.is_table and each.table == device.table for each in devices) == 1
