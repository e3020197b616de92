"""The three state machines of a round, as data: one for the table, one for a seat, one for a spot.

Entry points: :data:`TABLE`, :data:`SEAT`, :data:`SPOT`: each a tuple of ``(trigger, sources, destination)``, and
``*_STATES`` with the first state first. The firmware interprets these tuples; the host builds its reference model and
the diagrams of the documentation from the same data. A trigger that is not listed for a state is an error, never
ignored. ``BACK`` as a destination is the state that the machine was in before (suspension and the like).
"""

BACK = "@back"


def _rule(trigger: str, destination: str, *sources: str) -> "tuple[str, tuple[str, ...], str]":
    """One entry. Written as constants, the tables would be loaded with a copy of each name at every place of it."""
    return trigger, sources, destination


TABLE_STATES = (
    "closed",
    "opening",
    "idle",
    "betting",
    "last_bets",
    "locked",
    "dealing",
    "deciding",
    "revealing",
    "settling",
    "shuffle",
    "shoe_change",
    "dealer_change",
    "suspended",
    "maintenance",
    "closing",
)

_IN_ROUND = ("locked", "dealing", "deciding", "revealing", "settling")

TABLE = (
    _rule("open", "opening", "closed"),
    _rule("opened", "idle", "opening"),
    _rule("first_bet", "betting", "idle"),
    _rule("emptied", "idle", "betting"),
    _rule("last_call", "last_bets", "betting"),
    # The announcement "Rien ne va plus" (67.26). It is never refused while bets are open.
    _rule("lock", "locked", "betting", "last_bets"),
    # Withdrawn by the dealer before the first card.
    _rule("unlock", "betting", "locked"),
    _rule("first_card", "dealing", "locked"),
    _rule("all_dealt", "deciding", "dealing"),
    # The second announcement, or the dealer's reveal, ends the decisions (67.28, 67.29).
    _rule("close", "revealing", "deciding"),
    _rule("reveal", "settling", "revealing"),
    _rule("finish", "betting", "settling"),
    _rule("void", "betting", *(_IN_ROUND + ("suspended",))),
    _rule("suspend", "suspended", *(("idle", "betting", "last_bets") + _IN_ROUND)),
    _rule("resume", BACK, "suspended"),
    _rule("shuffle", "shuffle", "idle", "betting"),
    _rule("shuffled", BACK, "shuffle"),
    _rule("change_shoe", "shoe_change", "idle", "betting"),
    _rule("shoe_changed", BACK, "shoe_change"),
    _rule("change_dealer", "dealer_change", "idle", "betting"),
    _rule("dealer_changed", BACK, "dealer_change"),
    _rule("maintain", "maintenance", "closed", "idle"),
    _rule("maintained", BACK, "maintenance"),
    _rule("shut_down", "closing", "idle"),
    _rule("closed", "closed", "closing"),
)

SEAT_STATES = ("empty", "in", "deciding", "folded", "out", "held", "done")

SEAT = (
    _rule("bet", "in", "empty"),
    _rule("decide", "deciding", "in"),
    _rule("play", "in", "deciding"),
    _rule("fold", "folded", "deciding"),
    # The bet that gave the decision was refused meanwhile: nothing is left to decide.
    _rule("excuse", "in", "deciding"),
    # A limit or relation broken at the lock, or a void: the bets are returned.
    _rule("out", "out", "in", "deciding", "folded", "held"),
    _rule("hold", "held", "in", "deciding", "folded"),
    _rule("unhold", BACK, "held"),
    _rule("unbet", "empty", "in"),
    _rule("done", "done", "in", "folded"),
    _rule("clear", "empty", "done", "out"),
)

SPOT_STATES = ("shut", "open", "locked", "settled", "released")

SPOT = (
    _rule("open", "open", "shut", "released"),
    _rule("lock", "locked", "open"),
    _rule("unlock", "open", "locked"),
    _rule("settle", "settled", "locked"),
    _rule("release", "released", "settled"),
    # A void, a seat that is out, or a seat with no bet at the lock: what lies here is the next round's bet.
    _rule("free", "released", "shut", "open", "locked", "settled"),
    _rule("shut", "shut", "open", "released"),
)
