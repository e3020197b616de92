"""What only people can see: keyed bets, tips, disputes; and what is told to whom. Entry point: `ALL`."""

from sabot.wire import codes
from tests.table.on_board.rig import Rig, same


def keyed_bet() -> Rig:
    """A coupon beside a chip: the dealer keys its amount, and it is part of the bet."""
    rig = Rig()
    rig.put(1, "ante", 500)
    rig.run(1000)
    same(rig.declare("keyed_bet", 1, "ante", 1000), True)
    same(rig.declare("keyed_bet", 1, "ante", 2500), True)
    same(rig.locked(1, "ante"), 0)
    rig.rnvp()
    rig.run(400)
    same((rig.locked(1, "ante"), rig.kinds()), (3000, [("keyed_bet", 1), ("keyed_bet", 1)]))
    same([fields["after"] for fields in rig.named("irregularity")], [1500, 3000])
    same([codes.RESOLUTIONS[fields["resolution"]] for fields in rig.named("resolved")], ["keyed", "keyed"])
    rig.deal("7c 7d 2h Qs 3c 2d")
    rig.put(1, "play", 3000)
    rig.run(1000)
    rig.key("devoiler")
    rig.run(300)
    same(rig.paid()[1, "ante"], ("win", 3000, 3000, 3000))
    rig.key("fin")
    rig.run(300)
    same(rig.table.status()["spots"][0]["seen"], 500)  # it was for one round
    return rig


def keyed_bet_alone() -> Rig:
    """A dead chip is all there is: the seat plays with what was keyed."""
    rig = Rig()
    same(rig.declare("keyed_bet", 2, "ante", 2500), True)
    same((rig.state(), rig.seat(2)), ("betting", "in"))
    rig.rnvp()
    rig.run(400)
    same(rig.named("confirmed")[0]["spots"], [(32, 2500, 0)])
    rig.deal("7c 7d 2h Qs 3c 2d")
    same(rig.declare("keyed_bet", 2, "ante", 500), False)  # the bet is locked
    same(rig.declare("keyed_bet", 2, "play", 2500), True)
    rig.key("devoiler")
    rig.run(300)
    same(rig.paid()[2, "play"], ("win", 2500, 2500, 2500))
    rig.key("fin")
    same(rig.state(), "idle")
    return rig


def keyed_bet_above_the_limit() -> Rig:
    """Above the limit it is the supervisor's to key; 0 takes it back."""
    rig = Rig(keyed_cents=5000)
    rig.put(1, "ante", 500)
    rig.run(1000)
    same(rig.declare("keyed_bet", 1, "ante", 5001), False)
    same(rig.declare("keyed_bet", 1, "ante", 5001, "supervisor"), True)
    same(rig.declare("keyed_bet", 1, "ante", 0), True)
    same(rig.declare("keyed_bet", 9, "ante", 100), False)
    same(rig.declare("late", 1, "ante", 100), False)
    rig.rnvp()
    rig.run(400)
    same(rig.locked(1, "ante"), 500)
    rig.void()
    return rig


def keyed_bet_void() -> Rig:
    """A void gives a keyed bet back like any other, and forgets it."""
    rig = Rig()
    rig.declare("keyed_bet", 1, "ante", 2500)
    rig.rnvp()
    rig.run(400)
    rig.void()
    same(rig.named("void")[0]["spots"], [(16, 2500)])
    rig.run(300)
    same(rig.state(), "idle")
    return rig


def toke() -> Rig:
    """A tip lies beside the bet: it is outside limits and relations, and no part of the bet."""
    rig = Rig()
    rig.put(1, "ante", 1000)
    rig.put(1, "ante", 200)
    rig.run(1000)
    same(rig.declare("toke", 1, "ante", 1500), False)  # more than lies there
    same(rig.declare("toke", 1, "play", 100), False)
    same(rig.declare("toke", 1, "ante", 200), True)
    rig.rnvp()
    rig.run(400)
    same((rig.locked(1, "ante"), rig.kinds()), (1000, [("toke", 0)]))
    rig.deal("7c 7d 2h Qs 3c 2d")
    rig.put(1, "play", 1000)
    rig.run(1000)
    rig.key("devoiler")
    rig.run(300)
    same(rig.paid()[1, "ante"], ("win", 1000, 1000, 1000))
    same(rig.kinds(), [("toke", 0)])
    rig.key("fin")
    return rig


def dispute() -> Rig:
    """A player disputes his bet: the seat waits for the supervisor, the others are settled, the pit is told."""
    rig = Rig()
    same(rig.declare("dispute", 1, "ante"), False)  # no round is running
    rig.dealt_round()
    rig.put(1, "play", 1000)
    rig.run(1000)
    same((rig.declare("dispute", 1, "ante"), rig.declare("dispute", 1, "ante")), (True, False))
    same(codes.calls("dispute"), True)
    rig.key("devoiler")
    rig.run(300)
    same((rig.seat(1), rig.seat(2)), ("held", "done"))
    same(rig.supervisor(rig.issue("dispute"), "keyed", 500), True)
    rig.run(100)
    same((rig.seat(1), rig.kinds()[1:]), ("held", [("relation", 2)]))  # the play bet is not the ante's any more
    rig.supervisor(rig.issue("relation"), "keyed", 500)
    same(rig.paid()[1, "ante"][1], 500)
    rig.key("fin")
    return rig


def dispute_after_the_payment() -> Rig:
    """A dispute over what was paid keeps the round open until it is ruled."""
    rig = Rig()
    rig.dealt_round((1, "pair_plus", 1000), cards="7c 7d 2h Qs 3c 2d")
    rig.key("devoiler")
    rig.run(300)
    same((rig.seat(1), rig.declare("dispute", 1, "pair_plus")), ("done", True))
    rig.key("fin")
    same(rig.state(), "settling")
    rig.supervisor(rig.issue("dispute"), "cleared")
    rig.key("fin")
    same(rig.state(), "betting")
    return rig


def absent_player() -> Rig:
    """The dealer calls the supervisor for a player who is absent."""
    rig = Rig()
    rig.dealt_round()
    same(rig.declare("absent", 2, "ante"), True)
    rig.put(1, "play", 1000)
    rig.run(1000)
    rig.key("devoiler")
    rig.run(300)
    same((rig.seat(1), rig.seat(2)), ("done", "held"))
    rig.supervisor(rig.issue("absent"), "void")
    same(rig.seat(2), "out")
    rig.key("fin")
    return rig


def too_soon_thrice() -> Rig:
    """Chips that cannot win, in three of twenty rounds: the third time the pit is told, silently."""
    rig = Rig()
    for number in range(3):
        rig.put(2, "ante", 500)
        rig.run(1000)
        rig.rnvp()
        rig.run(400)
        same(len(rig.named("alert")), 0)
        chip = rig.put(1, "ante", 1000)
        rig.run(1500)
        again = rig.put(1, "pair_plus", 1000)
        rig.run(1500)
        same(len(rig.named("alert")), 1 if number == 2 else 0)
        rig.void()
        rig.lift(chip)
        rig.lift(again)
        rig.run(1000)
    same([fields["place"] for fields in rig.named("alert")], [16])
    return rig


def foreign_after_the_lock() -> Rig:
    """A chip that is not the house's is foreign wherever it comes; one with a false MAC is not paid before a ruling."""
    rig = Rig()
    rig.dealt_round()
    rig.put(1, "ante", -2)
    rig.put(2, "ante", -3)
    rig.run(1500)
    same(rig.kinds(), [("foreign", 1), ("bad_mac", 2)])
    same([fields["place"] for fields in rig.named("irregularity")], [16, 32])
    rig.put(1, "play", 1000)
    rig.put(2, "play", 1000)
    rig.run(1000)
    rig.key("devoiler")
    rig.run(300)
    same((rig.seat(1), rig.seat(2)), ("done", "held"))
    rig.ruled_by_two(rig.issue("bad_mac"), "refused")
    same(rig.paid()[2, "ante"], ("win", 1000, 1000, 1000))
    rig.key("fin")
    return rig


def who_sees_what() -> Rig:
    """The house chooses: a late bet on the lamp for all to see, a foreign chip silently; by default neither."""
    rig = Rig(visibility={"late": "public", "foreign": "silent"})
    rig.locked_round((1, "ante", 1000))
    rig.put(1, "pair_plus", 500)
    rig.put(1, "ante", -2)
    rig.run(1500)
    same(sorted(rig.kinds()), [("foreign", 1), ("late", 2)])
    same([issue["visible"] for issue in rig.table.status()["issues"]], ["silent", "public"])
    same((rig.ports.lamps.spots[17], rig.ports.lamps.spots[16]), (codes.LAMP_ATTENTION, codes.LAMP_LOCKED))
    rig.void()
    rig = Rig()
    rig.locked_round((1, "ante", 1000))
    rig.put(1, "pair_plus", 500)
    rig.run(1500)
    same([issue["visible"] for issue in rig.table.status()["issues"]], ["silent"])
    same(rig.ports.lamps.spots[17], codes.LAMP_LOCKED)
    rig.void()
    return rig


ALL = (
    keyed_bet,
    keyed_bet_alone,
    keyed_bet_above_the_limit,
    keyed_bet_void,
    toke,
    dispute,
    dispute_after_the_payment,
    absent_player,
    too_soon_thrice,
    foreign_after_the_lock,
    who_sees_what,
)
