"""What people do with chips and hands. Entry points: :data:`ACTS`, handlers by the name of the act; :func:`mended`.

Every handler gets the stage and the values of its sentence; it returns when the act is over.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from hwsim.core import NS_PER_MS
from hwsim.scenario.stage import Impossible, Stage
from hwsim.world.cards import Card
from hwsim.world.chips import HAND_NS, NUDGE_NS, Chip
from hwsim.world.truth import EXPOSED, WorldError

Values = Mapping[str, Any]
Handler = Callable[[Stage, Values], None]

STACK_NS = 250 * NS_PER_MS  # from one chip of a stack to the next


def mended(handlers: Mapping[str, Handler]) -> dict[str, Handler]:
    """The handlers, with what the world itself calls impossible told as such."""

    def guarded(handler: Handler) -> Handler:
        def act(stage: Stage, values: Values) -> None:
            try:
                handler(stage, values)
                stage.settle()
            except WorldError as error:
                raise Impossible(str(error), "write what can happen at this moment") from error

        return act

    return {name: guarded(handler) for name, handler in handlers.items()}


def _put(stage: Stage, chips: list[Chip], spot: Any, at: int, every: int = 0) -> None:
    for number, chip in enumerate(chips):
        stage.table.felt.place(chip, stage.table.spot(spot.seat, spot.bet), at + number * every)


def _place(stage: Stage, values: Values) -> None:
    _put(stage, stage.in_hand(values["pieces"]), values["spot"], stage.table.now)


def _stack(stage: Stage, values: Values) -> None:
    _put(
        stage,
        stage.in_hand(values["pieces"]),
        values["spot"],
        stage.table.now,
        values.get("seconds", STACK_NS),
    )


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


def _nudge(stage: Stage, values: Values) -> None:
    for chip in stage.lying(values["pieces"], values["spot"]):
        stage.table.felt.nudge(chip, stage.table.now, values.get("seconds", NUDGE_NS), str(stage.table.seed))


def _swap(stage: Stage, values: Values) -> None:
    others = stage.in_hand(values["other"])
    stage.table.remove(stage.lying(values["pieces"], values["spot"]))
    _put(stage, others, values["spot"], stage.table.now + values.get("seconds", HAND_NS))


def _pass_over(stage: Stage, values: Values) -> None:
    chips = stage.in_hand(values["pieces"])
    _put(stage, chips, values["spot"], stage.table.now)
    stage.table.remove(chips, stage.table.now + values["seconds"])


def _hover(stage: Stage, values: Values) -> None:
    spot = values["spot"]
    stage.air.hand(stage.table.spot(spot.seat, spot.bet), values["seconds"])


# --- chips that are made ----------------------------------------------------------------------------------------------


def _chips(stage: Stage, values: Values) -> None:
    stage.name(values["name"], stage.make(values["amounts"]))


def _strangers(kind: str) -> Handler:
    def handler(stage: Stage, values: Values) -> None:
        stage.name(values["name"], stage.make(values["amounts"], stage.strangers[kind]))

    return handler


def _dead(stage: Stage, values: Values) -> None:
    stage.name(values["name"], [stage.table.mint.dead(cents) for cents in values["amounts"]])


def _clone(stage: Stage, values: Values) -> None:
    stage.name(values["name"], [stage.table.mint.clone(chip) for chip in stage.named(values["of"])])


# --- cards on the felt ------------------------------------------------------------------------------------------------


def _tuck(stage: Stage, values: Values) -> None:
    spot = values["spot"]
    card = stage.dealt(values["card"])
    stage.table.felt.place(card, stage.table.spot(spot.seat, spot.bet), stage.table.now)


def _untuck(stage: Stage, values: Values) -> None:
    spot = values["spot"]
    there = stage.table.felt.lying_on(stage.table.spot(spot.seat, spot.bet))
    for piece in there:
        if isinstance(piece, Card) and piece.code == values["card"]:
            stage.table.felt.remove(piece, stage.table.now)
            return
    lying = ", ".join(piece.label for piece in there) or "nothing"
    raise Impossible(f"no {values['card']} lies at {spot}: there lies {lying}", "tuck it there first")


def _discard(stage: Stage, values: Values) -> None:
    stage.table.discard([stage.card(code) for code in values["cards"]])


def _discard_rest(stage: Stage, values: Values) -> None:
    felt = stage.table.felt
    stage.table.discard([card for card in stage.table.shoe.dealt if felt.where(card) is None])


def _expose(stage: Stage, values: Values) -> None:
    stage.table.truth.record(EXPOSED, stage.dealt(values["card"]), "felt")


ACTS = mended(
    {
        "bet": _bet,
        "place": _place,
        "stack": _stack,
        "take": _take,
        "move": _move,
        "lift": _lift,
        "nudge": _nudge,
        "swap": _swap,
        "pass_over": _pass_over,
        "hover": _hover,
        "chips": _chips,
        "foreign": _strangers("foreign"),
        "forged": _strangers("forged"),
        "dead": _dead,
        "clone": _clone,
        "tuck": _tuck,
        "untuck": _untuck,
        "expose": _expose,
        "discard": _discard,
        "discard_rest": _discard_rest,
    }
)
