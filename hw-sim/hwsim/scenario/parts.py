"""Parts that fail and are mended, and the clock.

Entry points: :data:`ACTS`, handlers by the name of the act, :func:`fail`.
"""

from __future__ import annotations

from typing import Any

from hwsim.chips.ds3231_time import registers_of, seconds_of
from hwsim.core import NS_PER_S
from hwsim.scenario.people import Handler, Values, mended
from hwsim.scenario.stage import Impossible, Stage
from hwsim.wiring import Hardware


def _part(hardware: Hardware, name: str, number: int) -> Any:
    """The chip of that name (of :data:`~hwsim.scenario.matcher.PARTS`); Impossible when none is fitted."""
    fitted: dict[str, list[Any]] = {
        "display": [hardware.display],
        "clock": [hardware.clock],
        "gate": [hardware.gate],
        "shoe reader": [hardware.shoe_reader] if hardware.shoe_reader is not None else [],
        "optical sensor": list(hardware.lip.sensors) if hardware.lip is not None else [],
        "reader": [*hardware.readers],
        "expander": [*hardware.expanders],
        "badge reader": [hardware.badge_reader] if hardware.badge_reader is not None else [],
    }
    chips = fitted[name]
    if number >= len(chips):
        raise Impossible(f"this table has {len(chips)} of them: {name}", "name one that is fitted")
    return chips[number]


def fail(hardware: Hardware, name: str, number: int, dead: bool) -> None:
    """The part does not answer any more, or answers again; Impossible when that is so already."""
    part = _part(hardware, name, number)
    if part.dead == dead:
        raise Impossible(f"the {name} {'has failed' if dead else 'works'} already", "leave the line out")
    part.dead = dead


def _fails(dead: bool) -> Handler:
    def handler(stage: Stage, values: Values) -> None:
        name, number = values["part"]
        fail(stage.table.hardware, name, number, dead)

    return handler


def _jumps(sign: int) -> Handler:
    def handler(stage: Stage, values: Values) -> None:
        clock = stage.table.hardware.clock
        told = seconds_of(clock.time) + sign * round(values["seconds"] / NS_PER_S)
        clock.set_time(registers_of(told))

    return handler


def _swings(swings: bool) -> Handler:
    def handler(stage: Stage, values: Values) -> None:
        stage.table.hardware.clock.fail_crystal(not swings)

    return handler


ACTS = mended(
    {
        "break": _fails(True),
        "mend": _fails(False),
        "clock_forward": _jumps(1),
        "clock_back": _jumps(-1),
        "clock_stops": _swings(False),
        "clock_goes": _swings(True),
    }
)
