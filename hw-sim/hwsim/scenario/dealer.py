"""What the dealer does: keys, cards out of the shoe, lid and case.

Entry points: :data:`ACTS`, handlers by name; :func:`drawn` and :func:`until` for other pulls.
"""

from __future__ import annotations

from collections.abc import Callable

from hwsim.core import NS_PER_MS, NS_PER_S
from hwsim.scenario.people import Handler, Values, mended
from hwsim.scenario.stage import UNTIL_THE_GATE, Impossible, Stage
from hwsim.table import PRESS_NS
from hwsim.world.shoe import BACK, DEALT, GATE_HELD, SHOE_EMPTY, USUAL

DIGITS = dict(
    zip("1234567890", ("p1", "p2", "p3", "p4", "p5", "p6", "p7", "abandon", "devoiler", "maldonne"), strict=True)
)
"""The digit that stands on each key, for entries."""
EVERY_NS = 700 * NS_PER_MS  # from one card to the next
PACKET_EVERY_NS = 1500 * NS_PER_MS
NEXT_KEY_NS = 400 * NS_PER_MS  # a finger, from one key to the next
_SLOWEST_PULL_NS = 30 * NS_PER_S  # in jerks, with a stop at each
_STAGGER_UM = 5_000  # of the second of two cards
_HALF_OUT_UM = 0  # in the beam, and not yet out of the mouth's field
_PAUSE_NS = 300 * NS_PER_MS
_READS_NS = 250 * NS_PER_MS
_TAKE_PLACE = ("second", "doubt")  # what is asked before anything else that is asked


def _read(stage: Stage) -> None:
    """Whoever answers a question has read it."""
    heard = [prompt.when for prompt in stage.host.prompts if prompt.prompt in _TAKE_PLACE]
    if heard:
        stage.table.controller.run_until(max(heard[-1] + _READS_NS, stage.table.now))


def _press(stage: Stage, values: Values) -> None:
    """One key is over at once; several when the finger could press the next one."""
    if values["keys"][0] in ("oui", "non"):
        _read(stage)
    begin = stage.table.now
    for number, key in enumerate(values["keys"]):
        stage.table.controller.run_until(max(begin + number * NEXT_KEY_NS, _up(stage, key)))
        stage.press(key, values.get("seconds", PRESS_NS))
    if len(values["keys"]) > 1:
        stage.table.controller.run_until(begin + len(values["keys"]) * NEXT_KEY_NS)


def _up(stage: Stage, key: str) -> int:
    """When a finger can press ``key``: at once, or, while it is down from the press before, once it has let go."""
    end = stage.pressed_until.get(key, 0)
    return end + NEXT_KEY_NS - PRESS_NS if end > stage.table.now else stage.table.now


def _key_in(stage: Stage, values: Values) -> None:
    _press(stage, {"keys": (*(DIGITS[digit] for digit in values["entry"]), "oui")})


def _hold(stage: Stage, values: Values) -> None:
    stage.hold(values["key"])


def _let_go(stage: Stage, values: Values) -> None:
    if not stage.is_down(values["key"]):
        raise Impossible(f"the key {values['key']} is up", f"hold it first: hold {values['key']}")
    stage.let_go(values["key"])


# --- cards ------------------------------------------------------------------------------------------------------------


def _cards(stage: Stage, values: Values) -> None:
    stage.table.shuffle(values["cards"])


def _shuffle(stage: Stage, values: Values) -> None:
    stage.table.shuffle()


def drawn(stage: Stage, what: str, pull: Callable[[], object]) -> None:
    """Pull, and wait until what is pulled is out; Impossible when nothing comes."""
    seen = len(stage.table.truth.facts)
    pull()
    until(stage, seen, (DEALT, GATE_HELD, SHOE_EMPTY))
    acts = {fact.act for fact in stage.table.truth.facts[seen:]}
    if GATE_HELD in acts:
        raise Impossible(f"{what} stays in the shoe: the gate is shut", UNTIL_THE_GATE)
    if SHOE_EMPTY in acts:
        raise Impossible("no card is left in the shoe", "shuffle, or name cards")


def _draw(stage: Stage, values: Values) -> None:
    begin = stage.table.now
    for number in range(values.get("number", 1)):
        stage.table.controller.run_until(begin + number * values.get("seconds", EVERY_NS))
        drawn(stage, f"card {number + 1}", lambda: stage.table.draw(speed=values.get("speed", USUAL)))


def _packet(stage: Stage, values: Values) -> None:
    size = values.get("size", values["number"])
    begin = stage.table.now
    for number in range(values["number"] if "size" in values else 1):
        stage.table.controller.run_until(begin + number * values.get("seconds", PACKET_EVERY_NS))
        drawn(stage, f"packet {number + 1}", lambda: stage.table.shoe.pull_packet(size, stage.table.now))


def until(stage: Stage, seen: int, acts: tuple[str, ...]) -> None:
    """Let time pass until one of ``acts`` is in the truth, behind its first ``seen`` facts."""
    facts = stage.table.truth.facts
    stage.table.controller.run_while(lambda: not any(fact.act in acts for fact in facts[seen:]), _SLOWEST_PULL_NS)


def _try_draw(stage: Stage, values: Values) -> None:
    seen = len(stage.table.truth.facts)
    stage.table.draw()
    until(stage, seen, (DEALT, GATE_HELD, SHOE_EMPTY))


def _draw_two(stage: Stage, values: Values) -> None:
    facts = stage.table.truth.facts
    dealt = sum(fact.act == DEALT for fact in facts)
    stage.table.shoe.draw_two(stage.table.now, values.get("speed", USUAL), values.get("mm", _STAGGER_UM))
    done = stage.table.controller.run_while(
        lambda: sum(fact.act == DEALT for fact in facts) < dealt + 2, _SLOWEST_PULL_NS
    )
    if not done:
        raise Impossible("two cards cannot be drawn: the gate is shut or the shoe is empty", UNTIL_THE_GATE)


def _half_pull(stage: Stage, values: Values) -> None:
    if stage.halfway is not None:
        raise Impossible("a card is halfway out already", "push it back, or pull it out")
    pull = stage.table.shoe.pull(stage.table.now, USUAL, _HALF_OUT_UM)
    stage.settle()
    if pull.card is None:
        raise Impossible("no card can be pulled: the gate is shut or the shoe is empty", UNTIL_THE_GATE)
    stage.halfway = pull


def _half_end(act: str, end: str) -> Handler:
    def handler(stage: Stage, values: Values) -> None:
        if stage.halfway is None:
            raise Impossible("no card is halfway out", "pull a card halfway")
        seen = len(stage.table.truth.facts)
        getattr(stage.halfway, act)(stage.table.now, values.get("speed", USUAL))
        stage.halfway = None
        until(stage, seen, (end,))

    return handler


def _push_back(stage: Stage, values: Values) -> None:
    _half_pull(stage, values)
    stage.table.controller.run_for(_PAUSE_NS)
    _half_end("push_back", BACK)(stage, values)


def _contact(name: str, act: str) -> Handler:
    def handler(stage: Stage, values: Values) -> None:
        getattr(getattr(stage.table.hardware, name), act)(stage.table.now)

    return handler


ACTS = mended(
    {
        "press": _press,
        "key_in": _key_in,
        "hold": _hold,
        "let_go": _let_go,
        "cards": _cards,
        "shuffle": _shuffle,
        "draw": _draw,
        "packet": _packet,
        "try_draw": _try_draw,
        "draw_two": _draw_two,
        "half_pull": _half_pull,
        "half_back": _half_end("push_back", BACK),
        "half_out": _half_end("go_on", DEALT),
        "push_back": _push_back,
        "open_lid": _contact("lid", "open"),
        "close_lid": _contact("lid", "close"),
        "open_case": _contact("case", "open"),
        "close_case": _contact("case", "close"),
    }
)
