"""A bet reader that fails, in every phase of a round: seat 1's; seat 2 has another one. Entry point: `ALL`."""

from sabot.rules import games
from sabot.wire import codes
from sabot.wire.codes import PAYMENTS
from tests.table.on_board.rig import Rig, same

WIN = "7c 7d 2h Qs 3c 2d"  # of a seat that plays alone


def _seat_2_wins(rig: Rig) -> None:
    """Seat 2 plays, and is settled, whatever seat 1 waits for."""
    rig.put(2, "play", 1000)
    rig.run(1500)
    rig.key("devoiler")
    rig.run(1000)
    same(rig.paid()[2, "ante"][0], "win")


def _next_round(rig: Rig) -> Rig:
    """The round ends, the reader is mended, and both seats are in the next one."""
    rig.key("fin")
    same(rig.state(), "betting")
    if rig.dead:
        rig.mend_reader()
    for antenna in range(len(rig.on)):
        for chip in list(rig.on[antenna]):
            rig.lift(chip)
    rig.run(3000)
    rig.locked_round()
    same((rig.locked(1, "ante"), rig.locked(2, "ante")), (1000, 1000))
    rig.void()
    return rig


def before_the_lock() -> Rig:
    """What was seen of its seat waits for a ruling; the gate does not."""
    rig = Rig()
    rig.put(1, "ante", 1000)
    rig.put(2, "ante", 1000)
    rig.run(1000)
    rig.break_reader(1)
    rig.run(2000)
    same((rig.state(), rig.kinds()), ("betting", []))
    rig.rnvp()
    rig.run(400)
    same((rig.ports.gate.open, rig.kinds()), (True, [("transit", 2)]))
    same(rig.supervisor(rig.issue("transit"), "void"), True)
    same((rig.seat(1), rig.seat(2)), ("out", "in"))
    rig.deal("2c 3d 5h " + WIN)
    _seat_2_wins(rig)
    return _next_round(rig)


def nobody_there_before_the_lock() -> Rig:
    """Nobody was seen at its seat: it is not played, whatever is laid there meanwhile."""
    rig = Rig()
    rig.put(2, "ante", 1000)
    rig.run(1000)
    rig.break_reader(1)
    rig.put(1, "ante", 1000)
    rig.run(1000)
    rig.rnvp()
    rig.run(400)
    same((rig.seat(1), rig.kinds(), rig.ports.gate.open), ("empty", [], True))
    rig.deal(WIN)
    _seat_2_wins(rig)
    return _next_round(rig)


def as_the_lock_is_confirmed() -> Rig:
    """Dead between the edge and the confirming visits."""
    rig = Rig()
    rig.put(1, "ante", 1000)
    rig.put(2, "ante", 1000)
    rig.run(1000)
    rig.rnvp(3)
    rig.break_reader(1)
    rig.run(500)
    same((rig.ports.gate.open, len(rig.named("confirmed")), rig.kinds()), (True, 1, [("transit", 2)]))
    same(rig.supervisor(rig.issue("transit"), "valid"), True)
    same(rig.locked(1, "ante"), 1000)
    rig.void()
    return rig


def in_the_deal_and_back() -> Rig:
    """Its seat waits until it has been heard again; what came meanwhile is told then."""
    rig = Rig()
    rig.locked_round()
    rig.deal("2c 3d")
    rig.break_reader(1)
    same((rig.state(), rig.kinds()), ("dealing", [("reader_fault", 2)]))
    rig.deal("5h " + WIN)
    same(rig.state(), "deciding")
    came = rig.clock.now
    rig.put(1, "ante", 500)
    rig.run(2000)
    rig.mend_reader()
    rig.run(3000)
    same([codes.RESOLUTIONS[fields["resolution"]] for fields in rig.named("resolved")], ["cleared"])
    same(rig.kinds(), [("reader_fault", 2), ("capped", 2)])
    told = rig.named("irregularity")[1]
    same(told["earliest"] <= came <= told["latest"], True)
    rig.supervisor(rig.issue("capped"), "refused")
    rig.put(1, "play", 1000)
    _seat_2_wins(rig)
    same(rig.paid()[1, "ante"][1], 1000)
    return _next_round(rig)


def in_the_decisions_for_good() -> Rig:
    """Seat 2 is settled; seat 1 is when people have said what its bets are."""
    rig = Rig()
    rig.dealt_round()
    rig.break_reader(1)
    _seat_2_wins(rig)
    same((1, "ante") in rig.paid(), False)
    rig.key("fin")
    same(rig.state(), "settling")
    technician = codes.ROLES.index("technician")
    cleared = codes.RESOLUTIONS.index("cleared")
    same(rig.table.resolve(rig.issue("reader_fault"), cleared, 0, technician), True)
    for issue in rig.table.status()["issues"]:
        same((issue["kind"], rig.supervisor(issue["id"], "keyed", 1000)), ("transit", True))
    rig.run(300)
    same(rig.paid()[1, "ante"][1], 1000)
    return _next_round(rig)


def as_the_decisions_close() -> Rig:
    """Dead from the second announcement on: what was seen of the play waits for a ruling."""
    rig = Rig()
    rig.dealt_round()
    rig.put(1, "play", 1000)
    rig.put(2, "play", 1000)
    rig.run(1000)
    rig.key("devoiler")
    rig.break_reader(1)
    rig.run(2000)
    same((rig.paid()[2, "play"][1], (1, "play") in rig.paid()), (1000, False))
    rig.mend_reader()
    rig.run(3000)
    for issue in list(rig.table.status()["issues"]):
        same((issue["kind"], rig.supervisor(issue["id"], "valid")), ("transit", True))
    rig.run(300)
    same(rig.paid()[1, "play"][1], 1000)
    return _next_round(rig)


def in_the_payment() -> Rig:
    """Nobody knows what lies at its seat: FIN turns the page, and nothing is called wrong."""
    rig = Rig(payment_order="left_to_right")
    rig.dealt_round()
    rig.put(1, "play", 1000)
    _seat_2_wins(rig)
    rig.break_reader(1)
    rig.run(1000)
    rig.key("fin")
    same(rig.kinds(), [])
    rig.put(2, "ante", 2000)
    rig.run(1500)
    rig.keys("fin fin")
    same((rig.state(), rig.kinds()), ("betting", []))
    same(rig.named("paid")[0]["seats"][0], (1, PAYMENTS.index("not_verified")))
    return rig


def between_the_two_locks() -> Rig:
    """Bataille: dead before the first card locks the initial bets; the other seat's cards are bound all the same."""
    rig = Rig(game=games.load("bataille"), decks=6)
    rig.locked_round((1, "initial", 1000), (1, "tie", 500), (2, "initial", 1000))
    rig.break_reader(1)
    rig.deal("9c")
    rig.run(1000)
    same((len(rig.named("confirmed")), rig.seat(2)), (1, "in"))
    same(set(rig.kinds()), {("reader_fault", 2), ("transit", 2)})
    rig.void()
    return rig


ALL = (
    before_the_lock,
    nobody_there_before_the_lock,
    as_the_lock_is_confirmed,
    in_the_deal_and_back,
    in_the_decisions_for_good,
    as_the_decisions_close,
    in_the_payment,
    between_the_two_locks,
)
