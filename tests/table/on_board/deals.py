"""Cards leaving the shoe as they should not. Entry point: `ALL`, functions that return the table played on."""

from sabot.rules.cards import card_from_name
from sabot.table.deal import AGAIN, ALIEN, UNREAD
from sabot.wire import codes
from tests.table.on_board.rig import Rig, same


def faults(rig: Rig) -> "list[str]":
    """Kinds of the card faults recorded."""
    return [codes.kind_name(fields["kind"]) for fields in rig.named("card_fault")]


def card_before_the_lock() -> Rig:
    """A card leaves while bets are open: the table stops until the supervisor has seen to it."""
    rig = Rig()
    rig.put(1, "ante", 1000)
    rig.run(1000)
    rig.card("2c")
    same((rig.state(), faults(rig)), ("suspended", ["card_before_lock"]))
    rig.rnvp()
    same(len(rig.named("lock")), 0)
    same(rig.void(), False)
    same(rig.supervisor(rig.issue("card_before_lock"), "refused"), False)
    same(rig.supervisor(rig.issue("card_before_lock"), "valid"), True)
    same(rig.named("resolved")[-1]["resolution"], codes.RESOLUTIONS.index("cleared"))
    same(rig.state(), "betting")
    return rig


def card_before_the_gate() -> Rig:
    """A card leaves after the lock with the gate still shut."""
    rig = Rig()
    rig.put(1, "ante", 1000)
    rig.run(1000)
    rig.rnvp()
    rig.card("2c")
    same((rig.state(), faults(rig)), ("suspended", ["card_before_lock"]))
    rig.run(1000)
    same(rig.named("confirmed"), [])
    rig.supervisor(rig.issue("card_before_lock"), "cleared")
    rig.run(1)
    same((rig.state(), rig.ports.gate.open, rig.locked(1, "ante")), ("locked", True, 1000))
    rig.deal("2c 3d 5h")
    rig.void()
    return rig


def card_at_a_closed_table() -> Rig:
    """A card that leaves the shoe of a closed table stops nothing, and is recorded."""
    rig = Rig(opened=False)
    rig.card("2c")
    same((rig.state(), faults(rig), rig.named("card_fault")[0]["id"]), ("closed", ["card_before_lock"], 0))
    rig.key("fin")
    rig.locked_round()
    rig.deal("2c")
    rig.void()
    return rig


def pushed_back() -> Rig:
    """The card that left last leaves again: it had been in the shoe, and keeps its place; a new round begins anew."""
    rig = Rig()
    rig.locked_round()
    rig.deal("2c 3d")
    rig.table.card(card_from_name("3d") + AGAIN, rig.clock.ticks())
    same((rig.state(), faults(rig)), ("suspended", ["pushed_back"]))
    rig.supervisor(rig.issue("pushed_back"), "cleared")
    same(rig.table.status()["cards"], 2)
    rig.deal("5h 7c 7d 2h Qs 3c 2d")
    same(rig.state(), "deciding")
    rig.void()
    rig.run(1000)
    rig.rnvp()
    rig.run(400)
    rig.table.card(card_from_name("2d") + AGAIN, rig.clock.ticks())
    same((rig.state(), rig.table.status()["cards"], faults(rig)), ("dealing", 1, ["pushed_back"]))
    rig.void()
    return rig


def unread_card() -> Rig:
    """The supervisor keys the face and the dealer confirms it; the first keying was wrong."""
    rig = Rig()
    rig.locked_round((1, "ante", 1000))
    rig.deal("7c 7d")
    rig.table.card(UNREAD, rig.clock.ticks())
    same((rig.state(), rig.ports.gate.open), ("suspended", False))
    number = rig.issue("unread_card")
    same(rig.supervisor(number, "cleared"), False)
    same(rig.supervisor(number, "keyed", 52), False)
    same(rig.supervisor(number, "keyed", 20), True)  # 7c has been dealt, which nobody is told who only asks
    rig.key("oui")
    same(rig.supervisor(rig.issue("duplicate_card"), "cleared"), True)
    same(rig.state(), "suspended")
    same(rig.supervisor(number, "keyed", 1), True)  # 2d
    rig.key("non")
    same(rig.state(), "suspended")
    same(rig.supervisor(number, "keyed", 2), True)  # 2h
    rig.key("oui")
    same((rig.state(), rig.seat(1), rig.ports.gate.open), ("dealing", "deciding", True))
    same([fields["amount"] for fields in rig.named("resolved")], [0, 0])
    rig.deal("Qs 3c 2d")
    rig.put(1, "play", 1000)
    rig.run(500)
    rig.key("devoiler")
    rig.run(300)
    same(rig.named("reveal")[0]["hands"][1][2], bytes([20, 21, 2]))
    same(rig.paid()[1, "play"], ("win", 1000, 1000, 1000))
    rig.key("fin")
    return rig


def last_card_unread() -> Rig:
    """The dealer's last card is unread: the deal is complete when it has been keyed."""
    rig = Rig()
    rig.locked_round((1, "pair_plus", 1000))
    rig.deal("7c 7d 2h Qs 3c")
    rig.table.card(UNREAD, rig.clock.ticks())
    rig.supervisor(rig.issue("unread_card"), "keyed", 1)
    same(rig.named("deal"), [])
    rig.key("oui")
    same((rig.state(), rig.ports.gate.open), ("deciding", False))
    rig.key("devoiler")
    rig.run(300)
    rig.key("fin")
    return rig


def alien_and_duplicate() -> Rig:
    """A card of no pack, then one that has been dealt already: each stops the table and takes no place."""
    rig = Rig()
    rig.locked_round((1, "ante", 1000))
    rig.deal("7c")
    rig.table.card(ALIEN, rig.clock.ticks())
    same(rig.supervisor(rig.issue("alien_card"), "cleared"), True)
    same(rig.state(), "dealing")
    rig.card("7c")
    same(faults(rig), ["alien_card", "duplicate_card"])
    rig.card("8c")
    same(faults(rig)[2:], ["two_cards"])
    rig.supervisor(rig.issue("two_cards"), "cleared")
    same(rig.state(), "suspended")
    rig.supervisor(rig.issue("duplicate_card"), "cleared")
    same(rig.table.status()["cards"], 1)
    rig.deal("7d 2h Qs 3c 2d")
    rig.key("devoiler")
    rig.run(300)
    rig.key("fin")
    return rig


def second_card_before_the_lock() -> Rig:
    """A card leaves while the table is stopped and nothing was to be dealt: it has no place to be keyed for."""
    rig = Rig()
    rig.put(1, "ante", 1000)
    rig.run(600)
    rig.card("7c")
    rig.card("8c")
    same(faults(rig), ["card_before_lock", "two_cards"])
    number = rig.issue("two_cards")
    same(rig.supervisor(number, "keyed", 20), False)
    rig.supervisor(rig.issue("card_before_lock"), "cleared")
    same(rig.supervisor(number, "cleared"), True)
    same(rig.state(), "betting")
    return rig


def two_packs() -> Rig:
    """With two packs in play the same card may come twice, not three times."""
    rig = Rig(decks=2)
    rig.locked_round((1, "ante", 1000))
    rig.deal("7c 7c")
    same(faults(rig), [])
    rig.card("7c")
    same(faults(rig), ["duplicate_card"])
    same(rig.supervisor(rig.issue("duplicate_card"), "void"), True)
    same((rig.state(), len(rig.named("void"))), ("betting", 1))
    return rig


def one_card_too_many() -> Rig:
    """A card after the last one of the plan."""
    rig = Rig()
    rig.dealt_round()
    rig.card("9h")
    same((rig.state(), faults(rig)), ("suspended", ["wrong_count"]))
    rig.key("devoiler")
    rig.run(300)
    same(rig.named("decisions"), [])
    rig.supervisor(rig.issue("wrong_count"), "cleared")
    same(rig.state(), "deciding")
    rig.key("devoiler")
    rig.run(300)
    rig.key("fin")
    return rig


def stopped_while_closing() -> Rig:
    """The table is stopped between the close and its confirming scan: the decisions wait for it."""
    rig = Rig()
    rig.dealt_round()
    rig.put(1, "play", 1000)
    rig.run(500)
    rig.key("devoiler")
    rig.card("9h")
    rig.run(1000)
    same(rig.named("decisions"), [])
    rig.supervisor(rig.issue("wrong_count"), "cleared")
    same(rig.state(), "settling")
    rig.key("fin")
    return rig


ALL = (
    card_before_the_lock,
    card_before_the_gate,
    card_at_a_closed_table,
    pushed_back,
    unread_card,
    last_card_unread,
    alien_and_duplicate,
    second_card_before_the_lock,
    two_packs,
    one_card_too_many,
    stopped_while_closing,
)
