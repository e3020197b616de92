"""What happens to cards and sensors of an optical shoe, and cards that are pulled by the millimetre.

Entry point: :data:`ACTS`, handlers by the name of the act.
"""

from __future__ import annotations

import random

from hwsim.chips.optical_lip import OpticalLip, ReflectiveSensor
from hwsim.core import NS_PER_MS
from hwsim.scenario.dealer import drawn, until
from hwsim.scenario.people import Handler, Values, mended
from hwsim.scenario.stage import UNTIL_THE_GATE, Impossible, Stage
from hwsim.world.cards import Card
from hwsim.world.shoe import FASTEST, GATE_HELD, HALTED, SHOE_EMPTY, SLOWEST, USUAL, Leg, Pull
from hwsim.world.truth import WorldError

LONGEST_STOP_NS = 300 * NS_PER_MS  # within a pull in jerks
MOST_JERKS = 100
FLICKER_NS = 10 * NS_PER_MS  # a lamp on a mains of 50 Hz


def _lip(stage: Stage) -> OpticalLip:
    lip = stage.table.hardware.lip
    if lip is None:
        raise Impossible("this table's shoe has no optical sensors", "config shoe optical, or both")
    return lip


def _card(stage: Stage, code: str) -> Card:
    """The card of that code that comes next out of the shoe, or else one that is out."""
    _lip(stage)
    return next((card for card in stage.table.shoe.cards if card.code == code), None) or stage.card(code)


# --- dirt and light ---------------------------------------------------------------------------------------------------


def _spoils(white: bool) -> Handler:
    def handler(stage: Stage, values: Values) -> None:
        try:
            _card(stage, values["card"]).face.below.spoil(values["first"], values["last"], white=white)
        except ValueError as error:
            raise Impossible(str(error), "a card is 63 mm from edge to edge: from 20 to 24.5 mm") from None

    return handler


def _wipe(stage: Stage, values: Values) -> None:
    for strip in _card(stage, values["card"]).face.strips:
        strip.wipe()


def _turn(stage: Stage, values: Values) -> None:
    face = _card(stage, values["card"]).face
    face.turned = not face.turned


def _turn_over(stage: Stage, values: Values) -> None:
    face = _card(stage, values["card"]).face
    face.up = not face.up


def _sensors(stage: Stage, values: Values) -> list[ReflectiveSensor]:
    return [_lip(stage).sensors[number] for number in values["sensors"]]


def _forces(white: bool) -> Handler:
    def handler(stage: Stage, values: Values) -> None:
        for sensor in _sensors(stage, values):
            sensor.force(stage.table.now, white, values["seconds"])

    return handler


def _flicker(stage: Stage, values: Values) -> None:
    seed = stage.table.seed + stage.table.now
    for number, sensor in enumerate(_sensors(stage, values)):
        sensor.flicker(stage.table.now, values["seconds"], FLICKER_NS, seed + number)


# --- pulls ------------------------------------------------------------------------------------------------------------


def _pull(stage: Stage, values: Values) -> None:
    if stage.halfway is not None:
        raise Impossible("a card is halfway out already", "push it back, or pull it out")
    _go(stage, None, values["mm"], values)


def _pull_on(stage: Stage, values: Values) -> None:
    _go(stage, _halfway(stage), values["mm"], values)


def _push_on(stage: Stage, values: Values) -> None:
    _go(stage, _halfway(stage), -values["mm"], values)


def _halfway(stage: Stage) -> Pull:
    if stage.halfway is None:
        raise Impossible("no card is halfway out", "pull a card halfway")
    return stage.halfway


def _go(stage: Stage, pull: Pull | None, way: int, values: Values) -> None:
    """Move a card so far, from where it waits or stands; the line ends when it has stopped."""
    shoe, now = stage.table.shoe, stage.table.now
    leg = Leg((shoe.geometry.rest if pull is None else pull.position) + way, values.get("speed", USUAL))
    if leg.to in (shoe.geometry.rest, shoe.geometry.out):
        raise Impossible("that far it is out, or back in the shoe", "pull it out, or push it back")
    seen = len(stage.table.truth.facts)
    try:
        if pull is None:
            pull = shoe.pull_along(now, [leg])
        else:
            pull.along(now, [leg])
    except WorldError as error:
        raise Impossible(str(error), "a card goes 120 mm in all, at 50 to 2000 mm/s") from None
    until(stage, seen, (HALTED, GATE_HELD, SHOE_EMPTY))
    if pull.card is None:
        raise Impossible("no card can be pulled: the gate is shut or the shoe is empty", UNTIL_THE_GATE)
    stage.halfway = pull


def _jerks(stage: Stage, values: Values) -> None:
    if not 1 <= values["number"] <= MOST_JERKS:
        raise Impossible(f"a pull in {values['number']} jerks", f"1 to {MOST_JERKS}")
    shoe = stage.table.shoe
    source = random.Random(f"jerks/{stage.table.seed}/{stage.table.now}")
    places = sorted(source.sample(range(shoe.geometry.rest + 1, shoe.geometry.out), values["number"]))
    legs = [
        Leg(to, source.randint(SLOWEST, FASTEST), source.choice((0, source.randrange(LONGEST_STOP_NS))))
        for to in places
    ]
    legs.append(Leg(shoe.geometry.out, source.randint(SLOWEST, FASTEST)))
    drawn(stage, "the card", lambda: shoe.pull_along(stage.table.now, legs))


ACTS = mended(
    {
        "smudge": _spoils(white=False),
        "rub": _spoils(white=True),
        "wipe": _wipe,
        "turn": _turn,
        "turn_over": _turn_over,
        "shine": _forces(white=True),
        "cover": _forces(white=False),
        "flicker": _flicker,
        "pull_mm": _pull,
        "pull_on": _pull_on,
        "push_on": _push_on,
        "jerks": _jerks,
    }
)
