"""What happens to chips after the lock. Entry point: `ALL`, functions that return the table they were played on."""

from sabot.wire import codes
from tests.table.on_board.rig import Rig, same


def late_bet() -> Rig:
    """A new bet on an empty spot of a live seat; refused, it is no bet."""
    rig = Rig()
    rig.locked_round()
    rig.put(1, "pair_plus", 500)
    rig.run(300)
    same(rig.kinds(), [])
    rig.run(500)
    same(rig.kinds(), [("late", 2)])
    same(rig.prompts()[-1][:3], ("do_not_pay", 1, "pair_plus"))
    rig.deal("7c 7d 2h 2c 3d 5h Qs 3c 2d")
    rig.put(1, "play", 1000)
    rig.run(500)
    rig.key("devoiler")
    rig.run(300)
    same((rig.seat(1), rig.seat(2)), ("held", "done"))
    rig.key("fin")
    same(codes.KEY_NOTES[rig.named("key")[-1]["note"]], "held_seat")
    same(rig.supervisor(rig.issue("late"), "refused"), True)
    same(rig.seat(1), "done")
    same((1, "pair_plus") in rig.paid(), False)
    rig.key("fin")
    same(rig.state(), "betting")
    return rig


def capped() -> Rig:
    """Chips added to a locked bet; allowed by the supervisor, they count."""
    rig = Rig()
    rig.locked_round()
    rig.put(1, "ante", 500)
    rig.run(1000)
    same(rig.kinds(), [("capped", 2)])
    irregularity = rig.named("irregularity")[0]
    same((irregularity["before"], irregularity["after"]), (1000, 1500))
    same(rig.supervisor(rig.issue("capped"), "valid"), True)
    same(rig.locked(1, "ante"), 1500)
    rig.void()
    return rig


def pinched() -> Rig:
    """Part of a bet lifted: recorded at once, judged after five seconds; the bet stands."""
    rig = Rig()
    chips = rig.locked_round((1, "ante", 1000), (1, "ante", 500))
    rig.lift(chips[1])
    rig.run(300)
    same(len(rig.named("change")), 1)
    same(rig.kinds(), [])
    rig.run(5000)
    same(rig.kinds(), [("pinched", 2)])
    same(rig.locked(1, "ante"), 1500)
    rig.supervisor(rig.issue("pinched"), "cleared")
    rig.void()
    same(rig.named("void")[0]["spots"], [(16, 1500)])
    return rig


def withdrawn() -> Rig:
    """A whole bet lifted."""
    rig = Rig()
    chips = rig.locked_round()
    rig.lift(chips[0])
    rig.run(6000)
    same(rig.kinds(), [("withdrawn", 2)])
    rig.void()
    return rig


def withdrawn_before_the_settlement() -> Rig:
    """A removal is judged at its seat's settlement, if that comes before the five seconds."""
    rig = Rig()
    chips = rig.dealt_round()
    rig.put(1, "play", 1000)
    rig.run(500)
    rig.lift(chips[0])
    rig.run(300)
    rig.key("devoiler")
    rig.run(300)
    same(rig.kinds(), [("withdrawn", 2)])
    same(rig.seat(1), "held")
    rig.supervisor(rig.issue("withdrawn"), "refused")
    same(rig.paid()[1, "ante"], ("lose", 1000, 0, 0))
    rig.key("fin")
    return rig


def handled() -> Rig:
    """Lifted and put back within five seconds: a notice."""
    rig = Rig()
    chips = rig.locked_round()
    rig.lift(chips[0])
    rig.run(2000)
    rig.put(1, "ante", 1000, chips[0])
    rig.run(6000)
    same(rig.kinds(), [("handled", 0)])
    same(rig.table.status()["issues"], [])
    rig.void()
    return rig


def passing_hand() -> Rig:
    """A hand with chips passes over a spot: nothing."""
    rig = Rig()
    rig.locked_round()
    chip = rig.put(1, "pair_plus", 500)
    rig.run(250)
    rig.lift(chip)
    rig.run(6000)
    same(rig.kinds(), [])
    rig.void()
    return rig


def equal_swap() -> Rig:
    """The same value in other chips: one question."""
    rig = Rig()
    chips = rig.locked_round()
    rig.lift(chips[0])
    rig.put(1, "ante", 500)
    rig.put(1, "ante", 500)
    rig.run(1500)
    same(rig.kinds(), [("equal_swap", 1)])
    rig.key("oui")
    same((rig.table.status()["issues"], rig.locked(1, "ante")), ([], 1000))
    rig.void()
    return rig


def exchanged() -> Rig:
    """Chips exchanged for more are capped by the difference, for less pinched."""
    rig = Rig()
    chips = rig.locked_round()
    rig.lift(chips[0])
    rig.put(1, "ante", 2500)
    rig.lift(chips[1])
    rig.put(2, "ante", 100)
    rig.run(1500)
    same(sorted(rig.kinds()), [("capped", 2), ("pinched", 2)])
    same(sorted([fields["after"] for fields in rig.named("irregularity")]), [100, 2500])
    rig.void()
    return rig


def moved_and_put_back() -> Rig:
    """A locked chip on another spot; put back in time it clears itself."""
    rig = Rig()
    chips = rig.locked_round((1, "ante", 1000), (1, "pair_plus", 500))
    rig.lift(chips[1])
    rig.put(1, "ante", 500, chips[1])
    rig.run(2000)
    same(rig.kinds(), [("moved", 1)])
    rig.lift(chips[1])
    rig.put(1, "pair_plus", 500, chips[1])
    rig.run(20000)
    same(rig.kinds(), [("moved", 1), ("handled", 0)])
    same(rig.table.status()["issues"], [])
    rig.void()
    return rig


def moved_for_good() -> Rig:
    """Not put back within 15 s, it is the supervisor's, at both seats."""
    rig = Rig()
    chips = rig.locked_round()
    rig.lift(chips[0])
    rig.put(2, "ante", 1000, chips[0])
    rig.run(17000)
    same(rig.kinds(), [("moved", 1), ("moved", 2), ("moved", 2)])
    same([seat["held"] for seat in rig.table.status()["seats"]], [True, True])
    same((rig.locked(1, "ante"), rig.locked(2, "ante")), (1000, 1000))
    rig.void()
    return rig


def cloned() -> Rig:
    """One UID on two spots at once: the supervisor's; the copy counts nothing."""
    rig = Rig()
    chips = rig.locked_round()
    rig.put(2, "pair_plus", 1000, chips[0])
    rig.run(5000)
    same(rig.kinds(), [("clone", 2)])
    rig.ruled_by_two(rig.issue("clone"), "refused")
    same(rig.locked(2, "pair_plus"), 0)
    rig.void()
    return rig


def moved_by_one_hand() -> Rig:
    """Two chips that one hand carries over are one report, and end together."""
    rig = Rig()
    chips = rig.locked_round((1, "ante", 1000), (1, "ante", 500), (2, "ante", 1000))
    for chip in chips[:2]:
        rig.lift(chip)
        rig.put(2, "ante", 0, chip)
    rig.run(2000)
    same(rig.kinds(), [("moved", 1)])
    same(rig.named("irregularity")[0]["after"], 2500)
    for chip in chips[:2]:
        rig.lift(chip)
        rig.put(1, "ante", 0, chip)
    rig.run(2000)
    same(rig.table.status()["issues"], [])
    rig.void()
    return rig


def cloned_as_the_hand_is_shown() -> Rig:
    """A copy laid down just before the settlement is told as one, and holds its seat."""
    rig = Rig()
    chips = rig.dealt_round((1, "ante", 1000), (2, "ante", 1000))
    rig.put(1, "play", 1000)
    rig.put(2, "play", 1000)
    rig.run(1000)
    rig.put(2, "pair_plus", 1000, chips[0])
    rig.run(200)
    rig.key("devoiler")
    rig.run(1500)
    same(rig.kinds(), [("clone", 2)])
    same((rig.seat(1), rig.seat(2)), ("done", "held"))
    rig.ruled_by_two(rig.issue("clone"), "refused")
    same(rig.seat(2), "done")
    rig.key("fin")
    return rig


def worthless_where_nothing_can_win() -> Rig:
    """At an empty seat too a chip that is not the house's is foreign, and one with a false MAC takes two people."""
    rig = Rig()
    rig.locked_round((1, "ante", 1000))
    foreign = rig.put(2, "ante", -2)
    rig.put(2, "pair_plus", -3)
    rig.run(1000)
    same(sorted(rig.kinds()), [("bad_mac", 2), ("foreign", 1)])
    rig.lift(foreign)
    rig.run(1000)
    rig.ruled_by_two(rig.issue("bad_mac"), "refused")
    same(rig.table.status()["issues"], [])
    rig.void()
    return rig


def next_round_chip() -> Rig:
    """A chip at an empty seat cannot win: a prompt, gone with the chip."""
    rig = Rig()
    rig.locked_round((1, "ante", 1000))
    chip = rig.put(2, "ante", 1000)
    rig.run(1000)
    same(rig.kinds(), [("next_round", 1)])
    rig.lift(chip)
    rig.run(1000)
    same(rig.table.status()["issues"], [])
    rig.put(2, "ante", 700)
    rig.run(1000)
    rig.void()
    same([spot["seen"] for spot in rig.table.status()["spots"]][3], 700)
    return rig


ALL = (
    late_bet,
    capped,
    pinched,
    withdrawn,
    withdrawn_before_the_settlement,
    handled,
    passing_hand,
    equal_swap,
    exchanged,
    moved_and_put_back,
    moved_for_good,
    moved_by_one_hand,
    cloned_as_the_hand_is_shown,
    worthless_where_nothing_can_win,
    cloned,
    next_round_chip,
)
