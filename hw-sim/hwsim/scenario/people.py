"""What people do: chips, keys, cards, lid and case. Entry point: :data:`ACTS`, handlers by the name of the act.

Every handler gets the stage and the values of its sentence; it returns when the act is over.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from hwsim.core import NS_PER_MS, NS_PER_S
from hwsim.scenario.stage import Impossible, Stage
from hwsim.table import PRESS_NS
from hwsim.world.chips import HAND_NS, Chip
from hwsim.world.shoe import BACK, DEALT, GATE_HELD, SHOE_EMPTY, USUAL
from hwsim.world.truth import WorldError

Values = Mapping[str, Any]
Handler = Callable[[Stage, Values], None]

EVERY_NS = 700 * NS_PER_MS  # from one card to the next
_SLOWEST_PULL_NS = 5 * NS_PER_S
_HALF_OUT_UM = 0  # in the beam, and not yet out of the mouth's field
_PAUSE_NS = 300 * NS_PER_MS


def _put(stage: Stage, chips: list[Chip], spot: Any, at: int) -> None:
    for chip in chips:
        stage.table.felt.place(chip, stage.table.spot(spot.seat, spot.bet), at)


def _place(stage: Stage, values: Values) -> None:
    _put(stage, stage.in_hand(values["pieces"]), values["spot"], stage.table.now)


def _bet(stage: Stage, values: Values) -> None:
    _put(stage, stage.table.stack(values["money"]), values["spot"], stage.table.now)


def _take(stage: Stage, values: Values) -> None:
    stage.table.remove(stage.lying(values["pieces"], values["spot"]))


def _move(stage: Stage, values: Values) -> None:
    target = stage.table.spot(values["to"].seat, values["to"].bet)
    for chip in stage.lying(values["pieces"], values["spot"]):
        stage.table.felt.move(chip, target, stage.table.now, values.get("seconds", HAND_NS))


def _lift(stage: Stage, values: Values) -> None:
    chips = stage.lying(values["pieces"], values["spot"])
    stage.table.remove(chips)
    _put(stage, chips, values["spot"], stage.table.now + values["seconds"])


def _pass_over(stage: Stage, values: Values) -> None:
    chips = stage.in_hand(values["pieces"])
    _put(stage, chips, values["spot"], stage.table.now)
    stage.table.remove(chips, stage.table.now + values["seconds"])


def _chips(stage: Stage, values: Values) -> None:
    stage.name(values["name"], stage.make(values["amounts"]))


def _strangers(kind: str) -> Handler:
    def handler(stage: Stage, values: Values) -> None:
        stage.name(values["name"], stage.make(values["amounts"], stage.strangers[kind]))

    return handler


def _clone(stage: Stage, values: Values) -> None:
    stage.name(values["name"], [stage.table.mint.clone(chip) for chip in stage.named(values["of"])])


def _press(stage: Stage, values: Values) -> None:
    stage.table.press(values["key"], hold=values.get("seconds", PRESS_NS))


def _cards(stage: Stage, values: Values) -> None:
    stage.table.shuffle(values["cards"])


def _shuffle(stage: Stage, values: Values) -> None:
    stage.table.shuffle()


def _draw(stage: Stage, values: Values) -> None:
    begin = stage.table.now
    for number in range(values.get("number", 1)):
        stage.table.controller.run_until(begin + number * values.get("seconds", EVERY_NS))
        seen = len(stage.table.truth.facts)
        stage.table.draw(speed=values.get("speed", USUAL))
        _until(stage, seen, (DEALT, GATE_HELD, SHOE_EMPTY))
        acts = {fact.act for fact in stage.table.truth.facts[seen:]}
        if GATE_HELD in acts:
            raise Impossible(f"card {number + 1} stays in the shoe: the gate is shut", "wait until gate open")
        if SHOE_EMPTY in acts:
            raise Impossible("no card is left in the shoe", "shuffle, or name cards")


def _until(stage: Stage, seen: int, acts: tuple[str, ...]) -> None:
    facts = stage.table.truth.facts
    stage.table.controller.run_while(lambda: not any(fact.act in acts for fact in facts[seen:]), _SLOWEST_PULL_NS)


def _try_draw(stage: Stage, values: Values) -> None:
    seen = len(stage.table.truth.facts)
    stage.table.draw()
    _until(stage, seen, (DEALT, GATE_HELD, SHOE_EMPTY))


def _draw_two(stage: Stage, values: Values) -> None:
    facts = stage.table.truth.facts
    dealt = sum(fact.act == DEALT for fact in facts)
    stage.table.shoe.draw_two(stage.table.now)
    done = stage.table.controller.run_while(
        lambda: sum(fact.act == DEALT for fact in facts) < dealt + 2, _SLOWEST_PULL_NS
    )
    if not done:
        raise Impossible("two cards cannot be drawn: the gate is shut or the shoe is empty", "wait until gate open")


def _push_back(stage: Stage, values: Values) -> None:
    seen = len(stage.table.truth.facts)
    pull = stage.table.shoe.pull(stage.table.now, USUAL, _HALF_OUT_UM)
    stage.settle()
    if pull.card is None:
        raise Impossible("no card can be pulled: the gate is shut or the shoe is empty", "wait until gate open")
    pull.push_back(stage.table.now + _PAUSE_NS)
    _until(stage, seen, (BACK,))


def _contact(name: str, act: str) -> Handler:
    def handler(stage: Stage, values: Values) -> None:
        getattr(getattr(stage.table.hardware, name), act)(stage.table.now)

    return handler


def _mended(handler: Handler) -> Handler:
    """What the world itself calls impossible is told as such."""

    def guarded(stage: Stage, values: Values) -> None:
        try:
            handler(stage, values)
            stage.settle()
        except WorldError as error:
            raise Impossible(str(error), "write what can happen at this moment") from error

    return guarded


ACTS: dict[str, Handler] = {
    name: _mended(handler)
    for name, handler in {
        "bet": _bet,
        "place": _place,
        "take": _take,
        "move": _move,
        "lift": _lift,
        "pass_over": _pass_over,
        "chips": _chips,
        "foreign": _strangers("foreign"),
        "forged": _strangers("forged"),
        "clone": _clone,
        "press": _press,
        "cards": _cards,
        "shuffle": _shuffle,
        "draw": _draw,
        "try_draw": _try_draw,
        "draw_two": _draw_two,
        "push_back": _push_back,
        "open_lid": _contact("lid", "open"),
        "close_lid": _contact("lid", "close"),
        "open_case": _contact("case", "open"),
        "close_case": _contact("case", "close"),
    }.items()
}
