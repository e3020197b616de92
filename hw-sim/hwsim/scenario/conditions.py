"""What a line may expect or wait for. Entry point: :func:`met`, whether a condition holds at this instant."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from hwsim.scenario import claims
from hwsim.scenario.script import Claim
from hwsim.scenario.stage import Stage
from hwsim.scenario.values import dollars

ENGLISH = "en"
_NEGATED = ("display", "prompt")

Values = Mapping[str, Any]
Check = Callable[[Stage, Values], "tuple[bool, str]"]


def met(stage: Stage, values: Values) -> tuple[bool, str]:
    """Whether the condition of a sentence holds now; the text says what is there."""
    stage.witness.look()
    good, detail = CHECKS[values["condition"]](stage, values)
    return good != is_negated(values), detail


def is_negated(values: Values) -> bool:
    """Whether the sentence says that something must not be; records know that themselves."""
    return "no" in values and values["condition"] in _NEGATED


def _bar(stage: Stage, values: Values) -> tuple[bool, str]:
    return stage.bar() == values["colour"], f"the bar is {stage.bar()}"


def _lamp(stage: Stage, values: Values) -> tuple[bool, str]:
    colour = stage.lamp(values["spot"])
    return colour == values["colour"], f"the lamp is {colour}"


def _text(stage: Stage, values: Values) -> str:
    """The text meant, in the language of the table's configuration."""
    text: str = values["quoted"]
    return values.get("english", text) if stage.language == ENGLISH else text


def _told(lines: Sequence[str]) -> str:
    shown = " | ".join(lines).rstrip(" |")
    return f"the display shows: {shown}" if shown else "the display is dark"


def _display(stage: Stage, values: Values) -> tuple[bool, str]:
    lines = stage.display()
    return any(_text(stage, values) in line for line in lines), _told(lines)


def _display_line(stage: Stage, values: Values) -> tuple[bool, str]:
    lines = stage.display()
    return lines[values["number"] - 1 : values["number"]] == [_text(stage, values)], _told(lines)


def _display_dark(stage: Stage, values: Values) -> tuple[bool, str]:
    lines = stage.display()
    return not any(lines), _told(lines)


def _buzzer(is_heard: bool) -> Check:
    def check(stage: Stage, values: Values) -> tuple[bool, str]:
        now = stage.table.hardware.buzzer.sounding
        return now == is_heard, f"the buzzer is {'sounding' if now else 'silent'}"

    return check


def _no_buzzer(stage: Stage, values: Values) -> tuple[bool, str]:
    heard = [
        tone for tone in stage.table.hardware.buzzer.log if tone.hertz and tone.when >= stage.marks[values["name"]]
    ]
    return not heard, f"it was heard {len(heard)} times"


def _gate(is_open: bool) -> Check:
    def check(stage: Stage, values: Values) -> tuple[bool, str]:
        now = stage.table.hardware.gate.open
        return now == is_open, f"the gate is {'open' if now else 'shut'}"

    return check


def _state(stage: Stage, values: Values) -> tuple[bool, str]:
    told: str = stage.witness.state
    if told != values["state"]:  # records aggregate: a deal is told when it is over
        told = stage.host.state() or told
    return told == values["state"], f"the table is {told}"


def _prompt(stage: Stage, values: Values) -> tuple[bool, str]:
    heard = stage.host.prompts[stage.heard :]
    for index, prompt in enumerate(heard):
        spot = values.get("spot")
        there = spot is None or (prompt.spot is not None and spot.holds(prompt.spot.seat, prompt.spot.bet))
        if prompt.prompt == values["prompt"] and there:
            if "no" not in values:
                stage.heard += index + 1
            return True, f"there is {prompt.prompt} {prompt.spot or ''}".strip()
    told = ", ".join(f"{one.prompt} {one.spot or ''}".strip() for one in heard) or "none"
    return False, f"prompts since: {told}"


def _few_prompts(stage: Stage, values: Values) -> tuple[bool, str]:
    since = [heard for heard in stage.host.prompts if heard.when >= stage.marks[values["name"]]]
    told = ", ".join(f"{one.prompt} {one.spot or ''}".strip() for one in since)
    return len(since) <= values["number"], f"there were {len(since)}: {told or 'none'}"


def _keys(few: bool) -> Check:
    def check(stage: Stage, values: Values) -> tuple[bool, str]:
        since = [key for when, key in stage.presses if when >= stage.marks[values["name"]]]
        good = len(since) <= values["number"] if few else len(since) == values["number"]
        return good, f"there were {len(since)}: {' '.join(since) or 'none'}"

    return check


def _host_up(is_up: bool) -> Check:
    def check(stage: Stage, values: Values) -> tuple[bool, str]:
        return stage.host.up == is_up, "a session is open" if stage.host.up else "no session is open"

    return check


def _host_has(stage: Stage, values: Values) -> tuple[bool, str]:
    got = list(stage.host.sequences())
    stored = [entry.sequence for entry in stage.witness.entries]
    wanted = list(range(1, (stored[-1] if stored else 0) + 1))
    return got == wanted, f"the host has {len(got)} records of {len(wanted)}"


def _meter(stage: Stage, values: Values) -> tuple[bool, str]:
    value = stage.witness.counter(values["meter"])
    return value == values["number"], f"it stands at {value}"


def _spot_meter(stage: Stage, values: Values) -> tuple[bool, str]:
    stands = stage.witness.settled(values["spot"].seat, values["spot"].bet)
    wanted = (values["staked"], values["paid"], values["returned"])
    told = [f"{word} {dollars(cents)}" for word, cents in zip(("staked", "paid", "returned"), stands, strict=True)]
    return stands == wanted, "it stands at " + " ".join(told)


def _record(stage: Stage, values: Values) -> tuple[bool, str]:
    claim: Claim = values["claim"]
    entries = [entry for entry in stage.witness.entries if claim.anywhere or entry.sequence > stage.found]
    if claim.following:
        entries = entries[:1]
    for entry in entries:
        if claims.holds(claim, entry, stage.marks):
            if claim.absent:
                return False, f"record {entry.sequence}: {entry}"
            stage.found = entry.sequence
            return True, f"record {entry.sequence}: {entry}"
    if claim.absent:
        return True, ""
    alike = [entry for entry in entries if claim.record in (entry.name, entry.family)]
    shown = alike or entries[-3:]
    since = f" since record {stage.found}" if stage.found and not claim.anywhere else ""
    return False, f"there is{since}: " + ("; ".join(f"{one.sequence} {one}" for one in shown) or "no record")


CHECKS: dict[str, Check] = {
    "bar": _bar,
    "lamp": _lamp,
    "display": _display,
    "display_line": _display_line,
    "display_dark": _display_dark,
    "buzzer_sounding": _buzzer(True),
    "buzzer_silent": _buzzer(False),
    "no_buzzer": _no_buzzer,
    "gate_open": _gate(True),
    "gate_shut": _gate(False),
    "state": _state,
    "prompt": _prompt,
    "few_prompts": _few_prompts,
    "keys": _keys(False),
    "few_keys": _keys(True),
    "host_up": _host_up(True),
    "host_away": _host_up(False),
    "host_has": _host_has,
    "meter": _meter,
    "spot_meter": _spot_meter,
    "record": _record,
}
