"""Changes around the announcement, which somebody has to judge. Entry point: `ALL`, functions that return a table."""

from tests.table.on_board.rig import Rig, same


def _straddle(rig: Rig, cents: int, seat: int = 1, bet: str = "pair_plus") -> int:
    """Lay a chip down right before the edge, where no visit comes in between."""
    rig.until_just_visited(seat, bet)
    chip = rig.put(seat, bet, cents)
    rig.run(1)
    rig.rnvp()
    rig.run(400)
    return chip


def ambiguous_valid() -> Rig:
    """A small change around the lock is one question; yes makes it part of the bet."""
    rig = Rig()
    rig.put(1, "ante", 1000)
    rig.put(2, "ante", 1000)
    rig.run(1000)
    _straddle(rig, 300)
    same(rig.kinds(), [("ambiguous", 1)])
    same((rig.locked(1, "pair_plus"), rig.ports.gate.open), (0, True))
    rig.key("oui")
    same(rig.locked(1, "pair_plus"), 300)
    rig.deal("7c 7d 2h 2c 3d 5h Qs 3c 2d")
    rig.put(1, "play", 1000)
    rig.run(500)
    rig.key("devoiler")
    rig.run(300)
    same(rig.paid()[1, "pair_plus"], ("win", 300, 300, 300))
    rig.key("fin")
    return rig


def ambiguous_refused() -> Rig:
    """No: the chip goes back, the rest of the bet stands."""
    rig = Rig()
    rig.put(1, "ante", 1000)
    rig.run(1000)
    _straddle(rig, 300)
    rig.key("non")
    same((rig.locked(1, "ante"), rig.locked(1, "pair_plus")), (1000, 0))
    rig.deal("7c 7d 2h Qs 3c 2d")
    rig.put(1, "play", 1000)
    rig.run(500)
    rig.key("devoiler")
    rig.run(300)
    same((1, "pair_plus") in rig.paid(), False)
    rig.key("fin")
    return rig


def ambiguous_alone_refused() -> Rig:
    """The only chip of a seat is refused: the seat has no bet and is out."""
    rig = Rig()
    rig.put(1, "ante", 1000)
    rig.run(1000)
    _straddle(rig, 600, 2, "ante")
    same(rig.seat(2), "in")
    rig.key("non")
    same(rig.seat(2), "out")
    rig.void()
    return rig


def ambiguous_unanswered() -> Rig:
    """Nobody answers: the seat is held at the settlement, and FIN waits for it."""
    rig = Rig()
    rig.put(1, "ante", 1000)
    rig.put(2, "pair_plus", 1000)
    rig.run(1000)
    _straddle(rig, 300)
    rig.deal("7c 7d 2h 2c 3d 5h Qs 3c 2d")
    rig.put(1, "play", 1000)
    rig.run(500)
    rig.key("devoiler")
    rig.run(300)
    same((rig.seat(1), rig.seat(2)), ("held", "done"))
    rig.key("fin")
    same(rig.state(), "settling")
    rig.key("oui")
    same(rig.seat(1), "done")
    same(rig.paid()[1, "pair_plus"], ("win", 300, 300, 300))
    rig.key("fin")
    same(rig.state(), "betting")
    return rig


def ambiguous_removal() -> Rig:
    """A chip lifted around the lock: in doubt too; no means that the bet stands as it was."""
    rig = Rig()
    rig.put(1, "ante", 1000)
    side = rig.put(1, "pair_plus", 200)
    rig.run(1000)
    rig.until_just_visited(1, "pair_plus")
    rig.lift(side)
    rig.run(1)
    rig.rnvp()
    rig.run(400)
    same(rig.kinds(), [("ambiguous", 1)])
    same(rig.locked(1, "pair_plus"), 0)
    rig.key("non")
    same(rig.locked(1, "pair_plus"), 200)
    rig.void()
    return rig


def ambiguous_large() -> Rig:
    """A large change, and any addition to a standing bet, is the supervisor's."""
    rig = Rig()
    rig.put(1, "ante", 1000)
    rig.put(2, "ante", 1000)
    rig.run(1000)
    rig.until_just_visited(2, "ante")
    rig.put(2, "ante", 500)
    rig.put(1, "pair_plus", 20000)
    rig.run(1)
    rig.rnvp()
    rig.run(400)
    same(rig.kinds(), [("ambiguous_large", 2), ("ambiguous_large", 2)])
    rig.key("oui")
    same(len(rig.table.status()["issues"]), 2)
    same(rig.supervisor(1, "refused"), True)
    same(rig.supervisor(2, "valid"), True)
    same((rig.locked(1, "pair_plus"), rig.locked(2, "ante")), (0, 1500))
    rig.void()
    return rig


def one_stack_heard_in_part() -> Rig:
    """Chips laid down in one go, some heard before the lock and some after it: a small doubt, no addition."""
    rig = Rig()
    rig.put(2, "ante", 1000)
    rig.run(1000)
    rig.until_just_visited(2, "ante")
    for seat in (1, 2):
        for chip in (rig.put(seat, "ante", 500), rig.put(seat, "ante", 500)):
            rig.deaf[chip] = True
        rig.deaf[chip - 1] = False
    rig.until_just_visited(2, "ante")
    rig.deaf = {}
    rig.rnvp()
    rig.run(400)
    same(sorted(rig.kinds()), [("ambiguous", 1), ("ambiguous_large", 2)])
    same((rig.locked(1, "ante"), rig.locked(2, "ante")), (500, 1500))
    rig.key("oui")
    same(rig.supervisor(rig.issue("ambiguous_large"), "valid"), True)
    same((rig.locked(1, "ante"), rig.locked(2, "ante")), (1000, 2000))
    rig.void()
    return rig


def third_doubt() -> Rig:
    """The third doubt of a seat in 20 rounds is the supervisor's, however small."""
    rig = Rig()
    for number in range(3):
        ante = rig.put(1, "ante", 1000)
        rig.run(1000)
        side = _straddle(rig, 100)
        same(rig.kinds()[-1], ("ambiguous", 1) if number < 2 else ("ambiguous_large", 2))
        if number < 2:
            rig.key("oui")
        rig.deal("7c 7d 2h Qs 3c 2d")
        rig.key("devoiler")
        rig.run(300)
        if number == 2:
            rig.supervisor(rig.issue("ambiguous_large"), "valid")
        rig.key("fin")
        rig.lift(ante)
        rig.lift(side)
        rig.run(3000)
    same(len(rig.named("round_end")), 3)
    return rig


ALL = (
    ambiguous_valid, ambiguous_refused, ambiguous_alone_refused, ambiguous_unanswered, ambiguous_removal,
    ambiguous_large, one_stack_heard_in_part, third_doubt,
)  # fmt: skip
