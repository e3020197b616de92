"""What the announcement locks, and spots that cannot be read. Entry point: `ALL`, functions that return a table."""

from sabot.wire import codes
from tests.table.on_board.rig import Rig, same


def empty_table() -> Rig:
    """The announcement without a bet is recorded and does nothing."""
    rig = Rig()
    rig.rnvp()
    rig.run(1000)
    same((rig.state(), [codes.KEY_NOTES[fields["note"]] for fields in rig.named("key")]), ("idle", ["no_bets"]))
    return rig


def pressed_twice() -> Rig:
    """The second press of a locked table changes nothing."""
    rig = Rig()
    rig.locked_round()
    rig.rnvp()
    rig.run(500)
    same(len(rig.named("lock")), 1)
    same([codes.KEY_NOTES[fields["note"]] for fields in rig.named("key")], ["elsewhere"])
    same(rig.void(), True)
    return rig


def glitch() -> Rig:
    """A press too short to count locks nothing."""
    rig = Rig()
    rig.put(1, "ante", 1000)
    rig.run(1000)
    rig.table.glitch(rig.clock.ticks())
    same((rig.state(), [codes.KEY_NOTES[fields["note"]] for fields in rig.named("key")]), ("betting", ["glitch"]))
    return rig


def gate_waits_for_the_scan() -> Rig:
    """The gate opens after the confirming scan, not with the lamps."""
    rig = Rig()
    rig.put(1, "ante", 1000)
    rig.run(1000)
    rig.rnvp()
    same((rig.state(), rig.ports.gate.open), ("locked", False))
    rig.run(400)
    same(rig.ports.gate.open, True)
    rig.void()
    same(rig.ports.gate.open, False)
    return rig


def gate_by_the_key() -> Rig:
    """`gate_after: key`: cards that leave before the scan is done take their places afterwards."""
    rig = Rig(gate_after="key")
    rig.put(1, "ante", 1000)
    rig.put(2, "ante", 100)
    rig.run(1000)
    rig.rnvp()
    same(rig.ports.gate.open, True)
    rig.card("2c")
    rig.card("3d")
    rig.run(400)
    same(rig.state(), "dealing")
    same(rig.seat(2), "out")
    rig.deal("5h 7c 7d 2h")
    same(rig.named("deal")[0]["hands"][0][:3], (1, 3, 1))
    rig.void()
    return rig


def gate_by_the_key_and_a_wrong_card() -> Rig:
    """What is wrong with a card is told when the scan is done; until then no other card leaves."""
    rig = Rig(gate_after="key")
    rig.put(1, "ante", 1000)
    rig.run(1000)
    rig.rnvp()
    rig.card("2c")
    same(rig.ports.gate.open, True)
    rig.table.card(-1, rig.clock.ticks())  # unread
    rig.run(50)
    same((rig.ports.gate.open, rig.kinds()), (False, []))
    rig.run(400)
    same([codes.kind_name(fields["kind"]) for fields in rig.named("card_fault")], ["unread_card"])
    same((rig.state(), rig.ports.gate.open), ("suspended", False))
    rig.void()
    return rig


def out_at_the_lock() -> Rig:
    """A bet under the limit is a prompt before the lock, and puts its seat out at the lock."""
    rig = Rig()
    rig.put(1, "ante", 1000)
    rig.put(2, "ante", 100)
    rig.run(1000)
    same([prompt for prompt in rig.prompts() if prompt[0] != "none"], [("minimum", 2, "ante", 500)])
    rig.rnvp()
    rig.run(400)
    same((rig.seat(1), rig.seat(2)), ("in", "out"))
    same(rig.named("confirmed")[0]["out"], [(2, codes.kind_number("limit"), "67.26")])
    same(rig.kinds(), [("limit", 1)])  # the dealer returns the bet, and says so
    told = rig.named("irregularity")[0]
    same((told["place"], told["after"], told["earliest"]), (32, 0, rig.named("lock")[0]["edge"]))
    rig.key("oui")
    same([codes.ROLES[fields["by"]] for fields in rig.named("resolved")], ["dealer"])
    same(rig.prompts()[-1], ("void_return", 2, "ante", 100))
    rig.deal("2c 3d 5h Qs 3c 2d")
    same([row[0] for row in rig.named("deal")[0]["hands"]], [1, 0])
    rig.key("devoiler")
    rig.run(300)
    rig.key("fin")
    return rig


def everyone_out() -> Rig:
    """No seat has a bet that stands: the table takes bets again."""
    rig = Rig()
    rig.locked_round((2, "ante", 100))
    same(rig.state(), "betting")
    same(len(rig.named("unlock")), 1)
    same(rig.ports.gate.open, False)
    return rig


def withdrawn_announcement() -> Rig:
    """Before the first card the dealer may take the announcement back."""
    rig = Rig()
    rig.locked_round()
    same(rig.table.withdraw(1), True)
    same(rig.state(), "betting")
    rig.put(1, "ante", 500)
    rig.run(500)
    rig.rnvp()
    rig.run(400)
    same(rig.locked(1, "ante"), 1500)
    rig.card("2c")
    same(rig.table.withdraw(1), False)
    rig.void()
    return rig


def wholly_before() -> Rig:
    """A chip seen before the edge, and one lifted before it, are lawful changes."""
    rig = Rig()
    rig.put(1, "ante", 1000)
    second = rig.put(1, "ante", 500)
    rig.run(1000)
    rig.lift(second)
    rig.put(1, "pair_plus", 200)
    rig.run(300)
    rig.rnvp()
    rig.run(400)
    same(rig.kinds(), [])
    same((rig.locked(1, "ante"), rig.locked(1, "pair_plus")), (1000, 200))
    rig.void()
    return rig


def later_chip_is_no_doubt() -> Rig:
    """A chip laid down well after the lock is late, not ambiguous."""
    rig = Rig()
    rig.locked_round()
    rig.put(1, "pair_plus", 300)
    rig.run(1000)
    same(rig.kinds(), [("late", 2)])
    rig.void()
    return rig


def straightened_at_the_lock() -> Rig:
    """The dealer straightens a bet during the announcement: same chip, back at once."""
    rig = Rig()
    ante = rig.put(1, "ante", 1000)
    rig.run(1000)
    rig.until_just_visited(1, "ante")
    rig.lift(ante)
    rig.run(1)
    rig.rnvp()
    rig.run(100)
    rig.put(1, "ante", 1000, ante)
    rig.run(1000)
    same(rig.locked(1, "ante"), 1000)
    same(rig.table.status()["issues"], [])
    rig.void()
    return rig


def hand_over_the_lock() -> Rig:
    """A hand lies over a bet from before the announcement until after: the bet is as it was, and counts."""
    rig = Rig()
    rig.put(1, "ante", 1000)
    rig.run(1000)
    hand = rig.antenna(1, "ante")
    last = rig.clock.now
    rig.noisy[hand] = True
    rig.run(1500)
    edge = rig.rnvp()
    rig.run(1000)
    rig.noisy[hand] = False
    rig.run(1000)
    same(rig.named("confirmed")[0]["spots"], [(16, 1000, 0)])
    same(rig.kinds(), [("transit", 0)])
    notice = rig.named("irregularity")[0]
    same(notice["earliest"] <= last < edge < notice["latest"], True)
    same(rig.table.status()["issues"], [])
    rig.void()
    return rig


def hand_over_the_lock_for_long() -> Rig:
    """Ten seconds without an answer are no moment any more: the bet is in doubt."""
    rig = Rig()
    rig.put(1, "ante", 1000)
    rig.run(1000)
    hand = rig.antenna(1, "ante")
    rig.noisy[hand] = True
    rig.run(9500)
    rig.rnvp()
    rig.run(1000)
    rig.noisy[hand] = False
    rig.run(1000)
    same(rig.named("confirmed")[0]["spots"], [(16, 0, 1)])
    same(rig.kinds(), [("ambiguous", 1)])
    rig.void()
    return rig


def swapped_at_the_lock() -> Rig:
    """Chips of one value exchanged around the lock: the amount is certain, and the dealer is asked."""
    rig = Rig()
    ante = rig.put(1, "ante", 1000)
    rig.run(1000)
    rig.until_just_visited(1, "ante")
    rig.lift(ante)
    rig.put(1, "ante", 500)
    rig.put(1, "ante", 500)
    rig.run(1)
    rig.rnvp()
    rig.run(400)
    same(rig.kinds(), [("equal_swap", 1)])
    same(rig.named("confirmed")[0]["spots"], [(16, 1000, 0)])
    rig.key("non")
    same(rig.locked(1, "ante"), 1000)
    rig.void()
    return rig


def transit() -> Rig:
    """A spot that cannot be read holds the gate: told after 3 s, and over as soon as it can be read."""
    rig = Rig()
    rig.put(1, "ante", 1000)
    rig.run(1000)
    rig.noisy[rig.antenna(1, "ante")] = True
    rig.rnvp()
    rig.run(2500)
    same((rig.kinds(), rig.ports.gate.open), ([], False))
    rig.run(1000)
    same((rig.kinds(), rig.ports.gate.open), ([("transit", 1)], False))
    rig.noisy = {}
    rig.run(600)
    same((rig.ports.gate.open, rig.locked(1, "ante")), (True, 1000))
    same(rig.table.status()["issues"], [])
    rig.void()
    return rig


def transit_given_up() -> Rig:
    """After 10 s the supervisor rules on what was seen before the lock; the deal goes on."""
    rig = Rig()
    rig.put(1, "ante", 1000)
    rig.put(2, "ante", 1000)
    rig.run(1000)
    rig.noisy[rig.antenna(1, "ante")] = True
    rig.rnvp()
    rig.run(10500)
    same((rig.kinds(), rig.ports.gate.open), ([("transit", 1), ("transit", 2)], True))
    rig.noisy = {}
    rig.deal("7c 7d 2h 2c 3d 5h Qs 3c 2d")
    rig.put(1, "play", 1000)
    rig.run(500)
    same(rig.supervisor(rig.issue("transit"), "valid"), True)
    rig.key("devoiler")
    rig.run(300)
    same(rig.paid()[1, "ante"], ("win", 1000, 1000, 1000))
    rig.key("fin")
    return rig


def unread_chip() -> Rig:
    """A chip whose value is not known yet keeps its spot in transit."""
    rig = Rig()
    chip = rig.put(1, "ante", -1)
    rig.put(1, "pair_plus", 500)
    rig.run(1000)
    rig.rnvp()
    rig.run(1000)
    same(rig.ports.gate.open, False)
    rig.ports.chips.values[chip] = 2000
    rig.run(800)
    same((rig.ports.gate.open, rig.locked(1, "ante")), (True, 2000))
    rig.void()
    return rig


def foreign_and_false_chips() -> Rig:
    """A chip of another house is the dealer's to give back, one with a false MAC the supervisor's; neither counts."""
    rig = Rig()
    rig.locked_round((1, "ante", 1000), (1, "ante", -2), (2, "ante", 1000), (2, "ante", -3))
    same((rig.kinds(), rig.locked(1, "ante"), rig.locked(2, "ante")), ([("foreign", 1), ("bad_mac", 2)], 1000, 1000))
    rig.key("oui")
    same([issue["kind"] for issue in rig.table.status()["issues"]], ["bad_mac"])
    rig.void()
    return rig


def foreign_chip_lifted_while_confirming() -> Rig:
    """It lay there at the lock, which is told; that it was lifted before the lock was confirmed withdraws nothing."""
    for value, told in ((-2, ("foreign", 1)), (-3, ("bad_mac", 2))):
        rig = Rig()
        chip = rig.put(1, "ante", value)
        rig.put(2, "ante", 1000)
        rig.run(1500)
        rig.noisy[rig.antenna(2, "ante")] = True  # this spot is the last one to be confirmed
        rig.rnvp()
        rig.run(1000)
        rig.lift(chip)
        rig.run(600)
        rig.noisy.clear()
        rig.run(2000)
        same((rig.kinds(), rig.locked(1, "ante")), ([told], 0))
        same([issue["kind"] for issue in rig.table.status()["issues"]], ["bad_mac"] if value == -3 else [])
        rig.void()
    return rig


def ticks_wrap() -> Rig:
    """The microsecond counter wraps between the bets and the lock."""
    rig = Rig((1 << 30) - 2500000)
    rig.locked_round()
    rig.put(1, "pair_plus", 300)
    rig.run(1000)
    same(rig.clock.now > 1 << 30, True)
    same(rig.kinds(), [("late", 2)])
    rig.supervisor(rig.issue("late"), "refused")
    rig.void()
    return rig


def long_round() -> Rig:
    """A round that stands still longer than the counter can compare: changes are still after the lock."""
    rig = Rig()
    ante = rig.locked_round()[0]
    rig.deal("2c 3d 5h")
    rig.run(560000)
    rig.lift(ante)
    rig.put(2, "pair_plus", 300)
    rig.run(6000)
    same(rig.kinds(), [("late", 2), ("withdrawn", 2)])
    rig.void()
    return rig


ALL = (
    empty_table, pressed_twice, glitch, gate_waits_for_the_scan, gate_by_the_key,
    gate_by_the_key_and_a_wrong_card, out_at_the_lock, everyone_out,
    withdrawn_announcement, wholly_before, later_chip_is_no_doubt, hand_over_the_lock, hand_over_the_lock_for_long,
    straightened_at_the_lock, swapped_at_the_lock, transit, transit_given_up, unread_chip, foreign_and_false_chips,
    foreign_chip_lifted_while_confirming, ticks_wrap, long_round,
)  # fmt: skip
