"""Wars at Bataille that do not go as they should. Entry point: `ALL`."""

from sabot.rules.cards import card_from_name
from sabot.table.deal import AGAIN, CUT, UNREAD
from sabot.wire import codes, meters
from tests.table.on_board.bataille import BURN, bataille, laid
from tests.table.on_board.rig import Rig, same


def _too_low() -> Rig:
    """Two seats at war, the first of them with half the bet that it owes."""
    rig = bataille()
    laid(rig, (1, "initial", 1000), (2, "initial", 1000))
    rig.deal("9c 9d 9s")
    rig.put(1, "additional", 500)
    rig.put(2, "additional", 1000)
    rig.run(1500)
    rig.key("devoiler")
    rig.run(500)
    return rig


def war_bet_too_low() -> Rig:
    """The seat is on hold and plays on; the supervisor lets it complete the bet, and it is settled after the others."""
    rig = _too_low()
    same((rig.state(), rig.kinds()), ("dealing", [("relation", 2)]))
    rig.deal(BURN + "Kc " + BURN + "4d " + BURN + "7c " + BURN + "8d")
    same((rig.state(), rig.seat(1), rig.seat(2)), ("settling", "held", "done"))
    same(rig.supervisor(rig.issue("relation"), "valid"), True)
    same(rig.paid()[1, "additional"], ("push", 1000, 0, 1000))
    rig.key("fin")
    return rig


def war_bet_refused() -> Rig:
    """The same seat's chips go back while the wars are dealt: it has surrendered, whatever its card."""
    rig = _too_low()
    rig.deal(BURN + "Kc")
    same(rig.supervisor(rig.issue("relation"), "refused"), True)
    rig.deal(BURN + "4d " + BURN + "7c " + BURN + "8d")
    same(rig.paid()[1, "initial"], ("forfeit", 1000, 0, 500))
    same((1, "additional") in rig.paid(), False)
    rig.key("fin")
    return rig


def freed_in_the_war() -> Rig:
    """An equal seat on hold at the first settlement goes to war; its tie bet is settled by the ruling in between."""
    rig = bataille()
    rig.put(1, "initial", 1000)
    rig.run(1500)
    rig.until_just_visited(1, "tie")
    rig.put(1, "tie", 500)
    rig.run(1)
    rig.rnvp()
    rig.run(800)
    rig.deal("9c 9s")
    rig.put(1, "additional", 1000)
    rig.run(1500)
    rig.key("devoiler")
    rig.run(500)
    rig.deal(BURN + "Kc")
    rig.key("oui")
    same((rig.paid(), rig.state()), ({(1, "tie"): ("win", 500, 5000, 500)}, "dealing"))
    rig.deal(BURN + "4d")
    same(rig.paid()[1, "initial"], ("win", 1000, 1000, 1000))
    rig.key("fin")
    return rig


def cut_card() -> Rig:
    """The round in which the cut card comes is played to its end; then the table waits for the shuffle."""
    rig = bataille()
    laid(rig, (1, "initial", 1000))
    rig.deal("Kc")
    rig.table.card(CUT, rig.clock.ticks())
    rig.table.card(CUT + AGAIN, rig.clock.ticks())
    rig.deal("9h")
    same((rig.paid()[1, "initial"][0], len(rig.named("cut_card"))), ("win", 1))
    rig.key("fin")
    rig.run(500)
    same((rig.state(), rig.ports.lamps.bar_state), ("shuffle", codes.LAMP_OFF))
    rig.rnvp()
    same(rig.named("lock")[1:], [])
    rig.key("fin")
    rig.run(500)
    same(rig.state(), "betting")
    rig.table.card(CUT, rig.clock.ticks())  # between two rounds: no other begins
    same(rig.state(), "shuffle")
    rig.key("fin")
    same([fields["trigger"] for fields in rig.named("table")][2:], ["shuffle", "shuffled"] * 2)
    return rig


def cut_card_first() -> Rig:
    """The cut card comes before the first one dealt: it locks nothing, and a bet raised behind it is lawful (67.36)."""
    rig = bataille()
    laid(rig, (1, "initial", 1000))
    edge = rig.clock.ticks()
    rig.table.leaving(edge)
    rig.run(60)
    same(rig.table.status()["spots"][0]["state"], "locked")
    rig.table.card(CUT, edge)
    same((rig.table.status()["spots"][0]["state"], rig.ports.gate.open, len(rig.named("cut_card"))), ("open", True, 1))
    rig.run(500)
    same((rig.table.status()["spots"][0]["state"], rig.named("confirmed")), ("open", []))
    rig.put(1, "initial", 500)
    rig.run(1000)
    rig.deal("Kc 9h")
    same([dict(fields["spots"])[0x10] for fields in rig.named("first_card")], [1000, 1500])
    same((rig.paid()[1, "initial"], rig.kinds()), (("win", 1500, 1500, 1500), []))
    rig.key("fin")
    same(rig.state(), "shuffle")
    return rig


def cut_card_close_before_a_card() -> Rig:
    """A card so close behind the cut card that its edge came before that was known: it locks with its own edge."""
    rig = bataille()
    laid(rig, (1, "initial", 1000))
    edge = rig.clock.ticks()
    rig.table.leaving(edge)
    rig.run(60)
    second = rig.clock.ticks()
    rig.table.leaving(second)
    rig.run(30)
    rig.table.card(CUT, edge)
    rig.table.card(card_from_name("Kc"), second)
    rig.run(500)
    locks = rig.named("first_card")
    same((len(locks), locks[1]["edge"] - locks[0]["edge"]), (2, second - edge))
    rig.deal("9h")
    same((rig.paid()[1, "initial"], rig.kinds()), (("win", 1000, 1000, 1000), []))
    rig.key("fin")
    return rig


def half_in_chips() -> Rig:
    """Half of an odd bet goes back in chips that there are; what that gives beyond the half is recorded."""
    rig = bataille(half_rounding=100)
    laid(rig, (1, "initial", 1050), (2, "initial", 1000))
    rig.deal("9c 9d 9s")
    for seat in ("p1", "p2"):
        rig.keys("abandon " + seat)
    same((rig.paid()[1, "initial"], rig.paid()[2, "initial"]), (("forfeit", 1050, 0, 525), ("forfeit", 1000, 0, 500)))
    same(rig.named("rounded"), [{"place": 16, "amount": 75}])
    taken = [prompt for prompt in rig.prompts() if prompt[0] == "take"]
    same(taken, [("take", 1, "initial", 450), ("take", 2, "initial", 500)])
    block = meters.new()
    for record in rig.records:
        meters.apply(block, record["code"], record["fields"])
    same(meters.as_dict(block)["rounded"], 75)
    rig.key("fin")
    return rig


def unread_in_the_war() -> Rig:
    """A war card that could not be read stops the table until two people have seen its face."""
    rig = bataille()
    laid(rig, (1, "initial", 1000))
    rig.deal("9c 9s")
    rig.put(1, "additional", 1000)
    rig.run(1500)
    rig.key("devoiler")
    rig.run(500)
    rig.deal(BURN)
    rig.table.card(UNREAD, rig.clock.ticks())
    same(rig.state(), "suspended")
    rig.supervisor(rig.issue("unread_card"), "keyed", 44)  # Kc
    rig.key("oui")
    rig.deal(BURN + "4d")
    same(rig.paid()[1, "initial"], ("win", 1000, 1000, 1000))
    rig.key("fin")
    return rig


def void_in_the_war() -> Rig:
    """What the first settlement has settled stands; the bets at war go back."""
    rig = bataille()
    laid(rig, (1, "initial", 1000), (1, "tie", 500), (2, "initial", 1000))
    rig.deal("9c Kd 9s")
    rig.put(1, "additional", 1000)
    rig.run(1500)
    rig.key("devoiler")
    rig.run(500)
    rig.deal(BURN)
    rig.key("maldonne")
    rig.key("oui")
    same(rig.named("void")[0]["spots"], [(16, 1000), (18, 1000)])
    same(rig.state(), "betting")
    return rig


ALL = (
    cut_card,
    cut_card_first,
    cut_card_close_before_a_card,
    half_in_chips,
    war_bet_too_low,
    war_bet_refused,
    freed_in_the_war,
    unread_in_the_war,
    void_in_the_war,
)
