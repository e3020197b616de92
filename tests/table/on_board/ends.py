"""Every way a round can end. Entry point: `ALL`, functions that return the table they were played on."""

from sabot.table.deal import UNREAD
from sabot.wire import codes
from tests.table.on_board.rig import Rig, same


def misdeal() -> Rig:
    """MALDONNE asks, OUI confirms within ten seconds."""
    rig = Rig()
    rig.dealt_round()
    rig.key("maldonne")
    rig.key("non")
    rig.key("maldonne")
    rig.run(11000)
    rig.key("oui")
    same(rig.state(), "deciding")
    rig.key("maldonne")
    rig.key("oui")
    same(rig.state(), "betting")
    same(rig.named("void")[0]["spots"], [(16, 1000), (32, 1000)])
    same(rig.named("void")[0]["article"], "house:misdeal")
    return rig


def misdeal_asked() -> Rig:
    """By most houses' table the dealer asks, the table stops, and the supervisor voids the round or lets it go on."""
    rig = Rig(consequences={"misdeal": "void_round"})
    rig.locked_round((1, "ante", 1000))
    rig.deal("7c 7d")
    rig.key("maldonne")
    rig.key("oui")
    same((rig.state(), codes.kind_name(rig.named("card_fault")[0]["kind"])), ("suspended", "misdeal"))
    rig.supervisor(rig.issue("misdeal"), "cleared")
    rig.deal("2h Qs 3c")
    rig.key("maldonne")
    rig.key("oui")
    rig.supervisor(rig.issue("misdeal"), "valid")
    void = rig.named("void")[0]
    same(
        (codes.VOID_REASONS[void["reason"]], codes.ROLES[void["by"]], rig.state()), ("misdeal", "supervisor", "betting")
    )
    return rig


def void_everywhere() -> Rig:
    """Void in each state of a round; what is settled stands."""
    rig = Rig()
    same(rig.void(), False)

    def lay() -> None:
        for seat in (1, 2):
            rig.put(seat, "ante", 1000)
        rig.run(1000)

    lay()
    rig.rnvp()
    same((rig.state(), rig.void()), ("locked", True))
    rig.run(500)
    rig.rnvp()
    rig.run(400)
    same((rig.state(), rig.void()), ("locked", True))
    rig.run(500)
    rig.rnvp()
    rig.run(400)
    rig.deal("2c 3d")
    same((rig.state(), rig.void()), ("dealing", True))
    rig.rnvp()
    rig.run(400)
    rig.deal("2c 3d 5h 7c 7d 2h Qs 3c 2d")
    same((rig.state(), rig.void()), ("deciding", True))
    rig.rnvp()
    rig.run(400)
    rig.deal("2c 3d 5h 7c 7d 2h Qs 3c 2d")
    rig.rnvp()
    rig.run(400)
    same((rig.state(), rig.void()), ("revealing", True))
    rig.rnvp()
    rig.run(400)
    rig.deal("2c 3d 5h 7c 7d 2h Qs 3c 2d")
    rig.put(1, "play", 600)
    rig.run(500)
    rig.key("devoiler")
    rig.run(400)
    same((rig.state(), rig.seat(1)), ("settling", "held"))
    same(rig.void(), True)
    same(rig.named("void")[-1]["spots"], [(16, 1000), (18, 600)])
    rig.rnvp()
    rig.run(400)
    rig.table.card(UNREAD, rig.clock.ticks())
    same((rig.state(), rig.void()), ("suspended", True))
    same((len(rig.named("void")), rig.state(), rig.void()), (7, "betting", False))
    return rig


def seat_voided() -> Rig:
    """The supervisor sends one seat's bets back; the round goes on."""
    rig = Rig()
    rig.locked_round((1, "ante", 1000), (1, "pair_plus", 500), (2, "ante", 1000))
    rig.put(1, "ante", 5000)
    rig.run(1000)
    same(rig.supervisor(rig.issue("capped"), "void"), True)
    same((rig.seat(1), rig.locked(1, "ante")), ("out", 0))
    rig.deal("2c 3d 5h 7c 7d 2h Qs 3c 2d")
    rig.key("devoiler")
    rig.run(300)
    same(sorted(rig.paid()), [(2, "ante")])
    rig.key("fin")
    return rig


def ruling_breaks_the_bets() -> Rig:
    """Rulings that leave a play bet without its ante are refused by the settlement, and put to the supervisor again."""
    rig = Rig()
    chips = rig.dealt_round((1, "ante", 1000), cards="7c 7d 2h Qs 3c 2d")
    rig.put(1, "play", 1000)
    rig.run(500)
    rig.rnvp()
    rig.run(300)
    rig.lift(chips[0])
    rig.run(6000)
    same(rig.supervisor(rig.issue("withdrawn"), "keyed", 700), True)
    rig.key("devoiler")
    same((rig.seat(1), rig.kinds()[-1]), ("held", ("relation", 2)))
    same(rig.supervisor(rig.issue("relation"), "keyed", 700), True)
    same(rig.paid()[1, "play"], ("win", 700, 700, 700))
    rig.key("fin")
    return rig


def full_journal() -> Rig:
    """No room for another round: this one is finished, then the table closes and cannot be opened."""
    rig = Rig()
    rig.dealt_round()
    rig.ports.journal.full = True
    rig.key("devoiler")
    rig.run(300)
    rig.key("fin")
    same(rig.state(), "closed")
    same([codes.FAULTS[fields["part"]] for fields in rig.named("fault")], ["journal_full"])
    rig.run(1000)
    asked = len(rig.prompts())
    rig.key("fin")
    same((rig.state(), rig.prompts()[asked:]), ("closed", [("call_supervisor", 0, "", 0)]))
    keys = len(rig.named("key"))
    rig.key("non")
    same(len(rig.named("key")), keys)  # the last room is for what ends a round
    rig.ports.journal.full = False
    rig.key("fin")
    rig.run(500)
    same(rig.state(), "betting")
    rig.rnvp()
    rig.run(400)
    same(rig.locked(1, "ante"), 1000)
    rig.void()
    return rig


def halted() -> Rig:
    """A part of the controller has died: nothing plays on."""
    rig = Rig()
    rig.dealt_round()
    rig.table.halt()
    same(rig.state(), "suspended")
    rig.put(1, "play", 1000)
    rig.run(1000)
    rig.key("devoiler")
    rig.rnvp()
    rig.card("9h")
    same((rig.void(), rig.state()), (False, "suspended"))
    return rig


def opened_and_shut() -> Rig:
    """The table closes when no bet lies there, and only then."""
    rig = Rig(opened=False)
    rig.put(1, "ante", 1000)
    rig.run(1000)
    rig.rnvp()
    same((rig.state(), rig.named("lock")), ("closed", []))
    rig.key("fin")
    same((rig.state(), rig.table.shut(1)), ("betting", False))
    rig.table.last_call(1)
    same(rig.state(), "last_bets")
    rig.rnvp()
    rig.run(400)
    same(rig.locked(1, "ante"), 1000)
    rig.void()
    for chip in list(rig.on[0]):
        rig.lift(chip)
    rig.run(3000)
    same((rig.state(), rig.table.shut(1)), ("idle", True))
    same(rig.state(), "closed")
    return rig


def unruled_after_a_power_cut() -> Rig:
    """What waited for the supervisor when the power went keeps the table closed until he has cleared it."""
    rig = Rig(opened=False)
    rig.table.stands("unruled")
    rig.key("fin")
    number = rig.issue("unruled")
    same((rig.state(), rig.prompts()[-1][0]), ("closed", "call_supervisor"))
    same((rig.supervisor(number, "void"), rig.supervisor(number, "refused")), (False, False))
    same(rig.supervisor(number, "cleared"), True)
    rig.key("fin")
    same(rig.state(), "idle")
    return rig


ALL = (
    misdeal,
    unruled_after_a_power_cut,
    misdeal_asked,
    void_everywhere,
    seat_voided,
    ruling_breaks_the_bets,
    full_journal,
    halted,
    opened_and_shut,
)
