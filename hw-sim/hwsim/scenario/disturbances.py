"""What happens on the air. Entry point: :data:`ACTS`, handlers by the name of the act."""

from __future__ import annotations

from hwsim.rf.antenna import Antenna
from hwsim.scenario.people import Values, mended
from hwsim.scenario.script import Spot
from hwsim.scenario.stage import Stage
from hwsim.world.air import ALWAYS_NS, FOR_EVER


def _flip(stage: Stage, values: Values) -> None:
    stage.air.flip(stage.named(values["name"]), values["number"], values.get("count", FOR_EVER))


def _change(stage: Stage, values: Values) -> None:
    stage.air.change(stage.named(values["name"]), values["number"])


def _lose(stage: Stage, values: Values) -> None:
    stage.air.lose(stage.named(values["name"]), values.get("count", FOR_EVER))


def _hear(stage: Stage, values: Values) -> None:
    stage.air.end(stage.named(values["name"]))


def _antennas(stage: Stage, where: Spot | None) -> list[Antenna]:
    """The antenna of a spot, or all of the spots'."""
    return list(stage.table.spots.values()) if where is None else [stage.table.spot(where.seat, where.bet)]


def _thin(stage: Stage, values: Values) -> None:
    stage.air.thin(_antennas(stage, values["where"]), values["percent"], values.get("seconds", ALWAYS_NS))


def _jam(stage: Stage, values: Values) -> None:
    stage.air.jam(_antennas(stage, values["where"]), values["seconds"], values.get("every", 0))


def _quiet(stage: Stage, values: Values) -> None:
    stage.air.clear(_antennas(stage, values["where"]))


ACTS = mended(
    {
        "flip": _flip,
        "change": _change,
        "lose": _lose,
        "hear": _hear,
        "thin": _thin,
        "jam": _jam,
        "quiet": _quiet,
    }
)
