"""The three state machines of a round, as data: one for the table, one for a seat, one for a spot.

Entry points: :data:`TABLE`, :data:`SEAT`, :data:`SPOT` and :func:`rules`, which makes ``(trigger, sources,
destination)`` of each; ``*_STATES`` with the first state first. The firmware interprets these rules; the host builds
its reference model and the diagrams of the documentation from the same data. A trigger that is not listed for a state
is an error, never ignored. ``BACK`` as a destination is the state that the machine was in before (suspension and the
like).
"""

BACK = "@back"


def rules(table: str) -> "tuple[tuple[str, tuple[str, ...], str], ...]":
    """The rules of one machine, from its text: trigger, the states it is listed for, its destination.

    They are a text because they lie in the controller's heap: as tuples they would take three times the room.
    """
    found = []
    for rule in table.split(";"):
        trigger, states = rule.split(": ")
        sources, destination = states.split(" > ")
        found.append((trigger, tuple(sources.split(" ")), destination))
    return tuple(found)


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

TABLE = (
    "open: closed > opening;"
    "opened: opening > idle;"
    "first_bet: idle > betting;"
    "emptied: betting > idle;"
    "last_call: betting > last_bets;"
    # The announcement "Rien ne va plus" (67.26). It is never refused while bets are open.
    "lock: betting last_bets > locked;"
    # Withdrawn by the dealer before the first card.
    "unlock: locked > betting;"
    "first_card: locked > dealing;"
    "all_dealt: dealing > deciding;"
    # The second announcement, or the dealer's reveal, ends the decisions (67.28, 67.29).
    "close: deciding > revealing;"
    # A second deal after the decisions: 67.39 and 67.60.
    "deal_again: revealing > dealing;"
    "dealt_again: dealing > revealing;"
    "reveal: revealing > settling;"
    "finish: settling > betting;"
    "void: locked dealing deciding revealing settling suspended > betting;"
    "suspend: idle betting last_bets locked dealing deciding revealing settling dealer_change > suspended;"
    "resume: suspended > @back;"
    "shuffle: idle betting > shuffle;"
    "shuffled: shuffle > @back;"
    "change_shoe: idle betting > shoe_change;"
    "shoe_changed: shoe_change > @back;"
    "change_dealer: idle betting > dealer_change;"
    "dealer_changed: dealer_change > @back;"
    "maintain: closed idle > maintenance;"
    "maintained: maintenance > @back;"
    "shut_down: idle > closing;"
    "closed: closing > closed"
)

SEAT_STATES = ("empty", "in", "deciding", "folded", "out", "held", "done")

SEAT = (
    "bet: empty > in;"
    "decide: in > deciding;"
    "play: deciding > in;"
    # From `in`: a ruling has taken away the play that was counted at the close.
    "fold: deciding in > folded;"
    # One bet is given up at half and the seat plays on (67.47).
    "withdraw: deciding > in;"
    # The bet that gave the decision was refused meanwhile: nothing is left to decide.
    "excuse: deciding > in;"
    # A limit or relation broken at the lock, or a void: the bets are returned.
    "out: in deciding folded held > out;"
    "hold: in deciding folded > held;"
    "unhold: held > @back;"
    "unbet: in > empty;"
    "done: in folded > done;"
    "clear: done out > empty"
)

SPOT_STATES = ("shut", "open", "locked", "settled", "released")

SPOT = (
    "open: shut released > open;"
    "lock: open > locked;"
    "unlock: locked > open;"
    "settle: locked > settled;"
    "release: settled > released;"
    # A void, a seat that is out, or a seat with no bet at the lock: what lies here is the next round's bet.
    "free: shut open locked settled > released;"
    "shut: open released > shut"
)
