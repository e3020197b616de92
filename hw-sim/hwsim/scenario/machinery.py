"""What happens to power, cable and host.

Entry points: :data:`ACTS`, handlers by the name of the act; :func:`session` and :func:`ask` for whoever has the host do
something.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any

from hwsim.core import NS_PER_MS, NS_PER_S
from hwsim.provisioning import card_number
from hwsim.scenario.claims import Entry
from hwsim.scenario.stage import Impossible, Stage

Values = Mapping[str, Any]
Handler = Callable[[Stage, Values], None]

FLOOD_BYTES = 512
A_DEALER = 1  # who signs on when nobody is named
OPENS = "fin"  # the key that opens a closed table
FLAP_NS = 500 * NS_PER_MS
_FLOOD_EVERY_NS = NS_PER_MS
_ASK_NS = 10 * NS_PER_S
_SETTLED = "resolved"
_IRREGULAR = ("irregularity", "card_fault")


def _power_on(stage: Stage, values: Values) -> None:
    if stage.powered:
        raise Impossible("the power is on already", "cut it first: power off")
    stage.powered = True
    stage.table.start()


def _open_table(stage: Stage, values: Values) -> None:
    """What a shift begins with, as far as it has not been done: the last key opens the table."""
    if not stage.powered:
        _power_on(stage, values)
    if not stage.host.plugged:
        _plug(stage, values)
    session(stage)
    if stage.table.config.get("sign_on") == "required":
        _signs("dealer", True)(stage, {"number": A_DEALER})
    stage.press(OPENS)
    if not stage.table.controller.run_while(lambda: stage.bar() != "green", _ASK_NS):
        raise Impossible("the table does not open", "see why: sabot sim run with what is above this line")


def _power_off(stage: Stage, values: Values) -> None:
    _powered(stage)
    stage.witness.look()
    stage.table.stop()
    stage.powered = False


def _powered(stage: Stage) -> None:
    if not stage.powered:
        raise Impossible("the power is off", "switch it on: power on")


def _cut_power(stage: Stage, values: Values) -> None:
    """The cut itself ends the controller from outside, when it has come: the line waits for it."""
    _powered(stage)
    fram = stage.table.hardware.fram
    fram.cut_after(values["number"])
    if not stage.table.controller.run_while(lambda: fram.powered, 60 * NS_PER_S):
        raise Impossible("nothing was stored for a minute", "let something happen that is recorded")
    _power_off(stage, values)


def _reset(stage: Stage, values: Values) -> None:
    _powered(stage)
    stage.witness.look()
    stage.table.controller.reset()


def _plug(stage: Stage, values: Values) -> None:
    if stage.host.plugged:
        raise Impossible("the host is plugged in already", "leave the line out")
    stage.host.plug()


def _plugged(stage: Stage) -> None:
    if not stage.host.plugged:
        raise Impossible("no host is plugged in", "plug it in: plug host")


def _unplug(stage: Stage, values: Values) -> None:
    _plugged(stage)
    stage.host.unplug()


def _flap(stage: Stage, values: Values) -> None:
    """In and out by turns; in when it is over."""
    _plugged(stage)
    end = stage.table.now + values["seconds"]
    every = values.get("every", FLAP_NS)
    if not every:
        raise Impossible("a cable cannot be out and in at the same moment", "give the time from one to the next")

    def turn() -> None:
        if stage.host.plugged and stage.table.now < end:
            stage.host.unplug()
        elif not stage.host.plugged:
            stage.host.plug()
        if stage.table.now < end:
            stage.table.scheduler.after(every, turn)

    turn()
    stage.table.controller.run_until(end + every)


def _reads(willing: bool) -> Handler:
    def handler(stage: Stage, values: Values) -> None:
        _plugged(stage)
        stage.host.reads(willing)

    return handler


def _noise(stage: Stage, count: int, salt: object) -> bytes:
    """Bytes that are worse than random: every eighth is a frame's end."""
    source = random.Random(f"{stage.table.seed}/noise/{salt}")
    return bytes(0 if source.random() < 0.125 else source.randrange(256) for _ in range(count))


def _garbage(stage: Stage, values: Values) -> None:
    _plugged(stage)
    stage.host.send(_noise(stage, values["number"], stage.table.now))


def _flood(stage: Stage, values: Values) -> None:
    _plugged(stage)
    end = stage.table.now + values["seconds"]
    noise = _noise(stage, FLOOD_BYTES, stage.table.now)

    def pour() -> None:
        if stage.host.plugged and stage.table.now < end:
            stage.host.send(noise)
            stage.table.scheduler.after(_FLOOD_EVERY_NS, pour)

    pour()


def ask(stage: Stage, what: str) -> None:
    """Wait for the controller's answer to what the host has just asked; Impossible when it refuses."""
    stage.table.controller.run_while(lambda: not stage.host.quiet(), _ASK_NS)
    refused = stage.host.refusals()
    if refused or not stage.host.quiet():
        raise Impossible(f"{what}: {'; '.join(refused) or 'no answer in 10 s'}", "see the records above")


def session(stage: Stage) -> None:
    """Wait until a session is open; Impossible when none comes."""
    _plugged(stage)
    if not stage.table.controller.run_while(lambda: not stage.host.up, _ASK_NS):
        raise Impossible("the controller does not answer the host", "power it on, give it a second")


def _acknowledge(stage: Stage, values: Values) -> None:
    session(stage)
    stage.host.acknowledge()
    ask(stage, "acknowledgement")


def _void(stage: Stage, values: Values) -> None:
    session(stage)
    stage.host.void()
    ask(stage, "void")


def _end(stage: Stage, values: Values, ruling: str, amount: int, role: str) -> None:
    """End the oldest irregularity of that kind, and at that spot if one is named, that is not ended yet."""
    session(stage)
    stage.witness.look()
    spot = values.get("spot")
    at = f" at {spot}" if spot else ""
    ended = {entry.fields["id"] for entry in stage.witness.entries if entry.name == _SETTLED}
    waiting = [
        entry
        for entry in stage.witness.entries
        if entry.family in _IRREGULAR and entry.fields["id"] and entry.fields["id"] not in ended
    ]
    for entry in waiting:
        fields = entry.fields
        if entry.name == values["kind"] and (spot is None or spot.holds(fields.get("seat"), fields.get("bet"))):
            stage.host.rule(int(fields["id"]), ruling, amount, role)
            ask(stage, f"ruling on {entry.name}{at}")
            return
    there = ", ".join(_where(entry) for entry in waiting)
    hint = f"rule on what is open: {there}" if there else "none of any kind is open: expect it first"
    raise Impossible(f"no open irregularity {values['kind']}{at}", hint)


def _where(entry: Entry) -> str:
    """An irregularity's kind and place, in the words of a ruling."""
    place = f" seat {entry.fields['seat']} {entry.fields['bet']}" if "bet" in entry.fields else ""
    return entry.name + place


def _rule(stage: Stage, values: Values) -> None:
    _end(stage, values, values["ruling"], values.get("money", 0), "supervisor")


def _technician_rules(stage: Stage, values: Values) -> None:
    _end(stage, values, values["ruling"], 0, "technician")


def _rule_card(stage: Stage, values: Values) -> None:
    _end(stage, values, "keyed", card_number(values["card"]), "supervisor")


def _declare(stage: Stage, values: Values) -> None:
    session(stage)
    stage.host.declare(values["declaration"], values["spot"], values.get("money", 0))
    ask(stage, f"{values['declaration']} at {values['spot']}")


def _signs(role: str, on: bool) -> Handler:
    def handler(stage: Stage, values: Values) -> None:
        session(stage)
        stage.host.sign(role, values["number"], on)
        ask(stage, f"{role} {values['number']} signs {'on' if on else 'off'}")

    return handler


ACTS: dict[str, Handler] = {
    "open_table": _open_table,
    "power_on": _power_on,
    "power_off": _power_off,
    "reset": _reset,
    "cut_power": _cut_power,
    "plug": _plug,
    "unplug": _unplug,
    "flap": _flap,
    "host_stops": _reads(False),
    "host_reads": _reads(True),
    "host_garbage": _garbage,
    "host_floods": _flood,
    "host_acknowledges": _acknowledge,
    "void": _void,
    "rule": _rule,
    "rule_card": _rule_card,
    "technician_rules": _technician_rules,
    "declare": _declare,
    "sign_dealer_on": _signs("dealer", True),
    "sign_dealer_off": _signs("dealer", False),
    "sign_supervisor_on": _signs("supervisor", True),
    "sign_supervisor_off": _signs("supervisor", False),
}
