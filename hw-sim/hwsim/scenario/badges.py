"""The staff's badges: enrolled, revoked, shown. Entry point: :data:`ACTS`, handlers by the name of the act."""

from __future__ import annotations

from hwsim.scenario.machinery import ask, session
from hwsim.scenario.people import Values, mended
from hwsim.scenario.stage import Impossible, Stage
from hwsim.table import SHOW_NS
from hwsim.world.badges import Badge


def _fitted(stage: Stage) -> None:
    if stage.table.hardware.badge_reader is None:
        raise Impossible("this table has no badge reader", "give it one above the first act: config badge_reader true")


def _badge(stage: Stage, values: Values) -> None:
    stage.badges[values["name"]] = stage.table.badge(values["name"], values.get("number", 7))


def _phone(stage: Stage, values: Values) -> None:
    stage.badges[values["name"]] = stage.table.phone(values["name"])


def _known(stage: Stage, name: str) -> Badge:
    badge = stage.badges.get(name)
    if badge is None:
        there = " ".join(stage.badges) or "none"
        raise Impossible(f"no badge is called {name}; there are: {there}", f"make it first: badge {name}")
    return badge


def _enrol(stage: Stage, values: Values) -> None:
    _fitted(stage)
    name, role = values["name"], values["role"]
    badge = _known(stage, name)
    session(stage)
    stage.host.enrol(role, values["number"], badge.uid)
    ask(stage, f"{name} as {role} {values['number']}")
    stage.enrolled[name] = role


def _revoke(stage: Stage, values: Values) -> None:
    name = values["name"]
    badge = _known(stage, name)
    if name not in stage.enrolled:
        raise Impossible(f"{name} is not enrolled", f"enrol it first: enrol {name} as dealer 41")
    session(stage)
    stage.host.revoke(stage.enrolled[name], badge.uid)
    ask(stage, f"revoking {name}")
    del stage.enrolled[name]


def _show(stage: Stage, values: Values) -> None:
    _fitted(stage)
    stage.table.show(_known(stage, values["name"]), values.get("seconds", SHOW_NS))


ACTS = mended({"badge": _badge, "phone": _phone, "enrol": _enrol, "revoke": _revoke, "show": _show})
