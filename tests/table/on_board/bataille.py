"""Rounds of Bataille: two locks, wars, surrenders. Entry point: `ALL`, functions that return the table played on."""

from sabot.rules import games
from sabot.rules.variants import configure
from sabot.wire import codes
from tests.table.on_board.rig import Rig, same

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

BURN = "2c 2d 2h "


def bataille(**options: "Any") -> Rig:
    """A table of Bataille with six packs; `initial_lock`, `war_dealer_card` are the game's options."""
    game = configure(
        games.load("bataille"),
        initial_lock=options.pop("initial_lock", None),
        war_dealer_card=options.pop("war_dealer_card", None),
    )
    return Rig(game=game, decks=6, **options)


def laid(rig: Rig, *bets: "tuple[int, str, int]") -> "list[int]":
    """Bets laid, "Rien ne va plus", the tie bets confirmed: the gate is open."""
    chips = [rig.put(seat, bet, cents) for seat, bet, cents in bets]
    rig.run(1500)
    rig.rnvp()
    rig.run(800)
    same((rig.state(), rig.ports.gate.open), ("locked", True))
    return chips


def clean_round() -> Rig:
    """Nobody is equal to the dealer: everything is settled at once, and FIN is the second key."""
    rig = bataille()
    laid(rig, (1, "initial", 1000), (1, "tie", 500), (2, "initial", 2500))
    rig.deal("Kc 5d 9h")
    same((rig.state(), rig.seat(1), rig.seat(2)), ("settling", "done", "done"))
    same(
        rig.paid(),
        {
            (1, "initial"): ("win", 1000, 1000, 1000),
            (1, "tie"): ("lose", 500, 0, 0),
            (2, "initial"): ("lose", 2500, 0, 0),
        },
    )
    rig.key("fin")
    same((rig.state(), rig.kinds(), rig.named("change"), rig.named("key")), ("betting", [], [], []))
    names = ["table", "table", "lock", "confirmed_part", "first_card", "confirmed"]
    names += ["deal", "reveal", "settlement", "decisions", "round_end"]
    same([record["name"] for record in rig.records], names)
    same([fields["spots"] for fields in rig.named("lock")], [[(17, 500), (33, 0)]])
    same([fields["spots"] for fields in rig.named("first_card")], [[(16, 1000), (32, 2500)]])
    return rig


def two_wars() -> Rig:
    """Both seats at war, seat by seat, each with a dealer's card of its own; both tie bets and a third seat settled."""
    rig = bataille(seats=(1, 2, 3))
    laid(rig, (1, "initial", 1000), (1, "tie", 500), (2, "initial", 1000), (3, "initial", 500), (3, "tie", 100))
    rig.deal("9c 9d 4h 9s")
    same((rig.state(), rig.seat(1), rig.seat(2), rig.seat(3)), ("deciding", "deciding", "deciding", "done"))
    same(rig.paid()[1, "tie"], ("win", 500, 5000, 500))
    same(rig.paid()[3, "initial"], ("lose", 500, 0, 0))
    rig.put(1, "additional", 1000)
    rig.put(2, "additional", 1000)
    rig.run(1500)
    rig.key("devoiler")
    rig.run(500)
    same((rig.state(), rig.ports.gate.open, rig.named("decisions")[0]["seats"]), ("dealing", True, [(1, 5), (2, 5)]))
    rig.deal(BURN + "Kc " + BURN + "4d " + BURN + "7c " + BURN + "7d")
    same((rig.state(), rig.ports.gate.open), ("settling", False))
    same([row[0] for row in rig.named("deal")[1]["hands"]], [9, 17, 10, 18])
    same(rig.paid()[1, "initial"], ("win", 1000, 1000, 1000))
    same(rig.paid()[1, "additional"], ("push", 1000, 0, 1000))
    same(rig.paid()[2, "initial"], ("win", 1000, 1000, 1000))
    same(rig.paid()[2, "additional"], ("win", 1000, 1000, 1000))
    rig.key("fin")
    same((rig.state(), rig.kinds()), ("betting", []))
    return rig


def common_dealer_card() -> Rig:
    """The option: burn three, a card to each seat at war, burn three, one card to the dealer for all of them."""
    rig = bataille(war_dealer_card="common")
    laid(rig, (1, "initial", 1000), (2, "initial", 1000))
    rig.deal("9c 9d 9s")
    rig.put(1, "additional", 1000)
    rig.put(2, "additional", 1000)
    rig.run(1500)
    rig.rnvp()
    rig.run(500)
    rig.deal(BURN + "Kc 4d " + BURN + "7c")
    same([row[0] for row in rig.named("deal")[1]["hands"]], [9, 10, 8])
    same(rig.paid()[1, "initial"][0], "win")
    same(rig.paid()[2, "additional"], ("lose", 1000, 0, 0))
    rig.key("fin")
    return rig


def shared_antenna() -> Rig:
    """The war bet lies beside the initial bet, on its antenna: what comes after the dealer's card is the war bet."""
    rig = bataille(shared=True)
    laid(rig, (1, "initial", 1000), (1, "tie", 500), (2, "initial", 1000))
    rig.deal("9c 9d 9s")
    rig.put(1, "additional", 1000)
    mistaken = rig.put(2, "additional", 5000)
    rig.run(1500)
    rig.lift(mistaken)
    rig.run(1500)
    rig.put(2, "additional", 1000)
    rig.run(1500)
    rig.key("devoiler")
    rig.run(500)
    same((rig.locked(1, "initial"), rig.locked(1, "additional")), (1000, 1000))
    same((rig.kinds(), rig.named("change")), ([], []))
    rig.put(1, "additional", 500)  # after the close: the stake is being raised
    rig.run(1500)
    same(rig.kinds(), [("capped", 2)])
    rig.supervisor(rig.issue("capped"), "refused")
    rig.deal(BURN + "Kc " + BURN + "4d " + BURN + "7c " + BURN + "8d")
    same(rig.paid()[1, "additional"], ("push", 1000, 0, 1000))
    same(rig.paid()[2, "additional"], ("lose", 1000, 0, 0))
    rig.key("fin")
    rig.run(1500)
    same(rig.table.status()["spots"][0]["seen"], 2500)  # all that lies there is the next round's initial bet
    same(rig.table.status()["spots"][2]["seen"], 0)
    rig.rnvp()
    rig.run(800)
    rig.deal("Kc 5d 9h")
    same(rig.paid()[1, "initial"], ("win", 2500, 2500, 2500))
    rig.key("fin")
    return rig


def quick_war_bet() -> Rig:
    """A war bet that is seen before the dealer's card has been read is no raised stake."""
    rig = bataille(shared=True, seats=(1,))
    laid(rig, (1, "initial", 1000))
    rig.deal("9c")
    rig.read_ms = 110
    rig.until_just_visited(1, "tie")
    edge = rig.clock.ticks()
    rig.table.leaving(edge)
    rig.put(1, "additional", 1000)
    rig.run(110)
    same(rig.table.status()["spots"][0]["seen"], 2000)
    rig.table.card(29, edge)  # 9d
    same((rig.table.status()["spots"][0]["seen"], rig.table.status()["spots"][2]["seen"]), (1000, 1000))
    rig.run(1500)
    rig.key("devoiler")
    rig.run(500)
    same((rig.kinds(), rig.locked(1, "additional")), ([], 1000))
    rig.read_ms = 0
    rig.deal(BURN + "Kc " + BURN + "4d")
    same(rig.paid()[1, "initial"][0], "win")
    rig.key("fin")
    return rig


def surrenders() -> Rig:
    """ABANDON and the seat's key: half is taken at once. Another seat surrenders by leaving its spot empty."""
    rig = bataille()
    laid(rig, (1, "initial", 1005), (1, "tie", 500), (2, "initial", 1000))
    rig.deal("9c 9d 9s")
    rig.key("abandon")
    rig.key("p1")
    same((rig.seat(1), rig.paid()[1, "initial"]), ("done", ("forfeit", 1005, 0, 503)))
    same((rig.state(), rig.seat(2)), ("deciding", "deciding"))
    rig.key("abandon")
    rig.key("p1")  # nothing is left to surrender
    rig.rnvp()
    rig.run(500)
    same((rig.state(), rig.paid()[2, "initial"]), ("settling", ("forfeit", 1000, 0, 500)))
    rig.key("fin")
    same(rig.state(), "betting")
    return rig


def all_surrender() -> Rig:
    """The last equal seat has surrendered: nothing is left to close."""
    rig = bataille()
    laid(rig, (1, "initial", 1000), (2, "initial", 1000))
    rig.deal("9c Kd 9s")
    rig.key("abandon")
    rig.key("p1")
    same((rig.state(), rig.named("decisions")[0]["by"]), ("settling", 0))
    rig.key("fin")
    return rig


def lawful_changes() -> Rig:
    """Between the announcement and the first card an initial bet may change; a notice says so."""
    rig = bataille()
    chips = laid(rig, (1, "initial", 1000), (2, "initial", 1000))
    rig.lift(chips[0])
    rig.put(2, "initial", 500)
    rig.run(1000)
    rig.put(1, "initial", 2500)
    rig.run(1000)
    rig.deal("Kc 5d 9h")
    same((rig.kinds(), len(rig.named("change"))), ([], 3))
    same(rig.paid()[1, "initial"], ("win", 2500, 2500, 2500))
    same(rig.paid()[2, "initial"], ("lose", 1500, 0, 0))
    rig.key("fin")
    return rig


def late_after_the_first_card() -> Rig:
    """After the first card an initial bet is late, capped or pinched like any other; a late tie bet was late before."""
    rig = bataille()
    chips = laid(rig, (1, "initial", 1000), (2, "initial", 1000), (2, "initial", 1000))
    rig.put(1, "tie", 500)
    rig.deal("Kc")
    rig.put(1, "initial", 5000)
    rig.lift(chips[2])
    rig.run(6000)
    same(sorted(rig.kinds()), [("capped", 2), ("late", 2), ("pinched", 2)])
    rig.deal("5d 9h")
    same((rig.state(), rig.seat(1), rig.seat(2)), ("settling", "held", "held"))
    for kind in ("capped", "late"):
        same(rig.supervisor(rig.issue(kind), "refused"), True)
    same(rig.supervisor(rig.issue("pinched"), "valid"), True)
    same(rig.paid()[1, "initial"], ("win", 1000, 1000, 1000))
    same(rig.paid()[2, "initial"], ("lose", 1000, 0, 0))
    rig.key("fin")
    return rig


def around_the_first_card() -> Rig:
    """A chip whose interval contains the beam's edge is in doubt."""
    rig = bataille()
    laid(rig, (1, "initial", 1000), (2, "initial", 1000))
    rig.until_just_visited(2, "initial")
    rig.put(2, "initial", 500)
    rig.run(1)
    rig.deal("Kc Kd 9h")
    same(rig.kinds(), [("ambiguous_large", 2)])  # an addition to a standing bet
    same((rig.state(), rig.seat(2)), ("settling", "held"))
    rig.supervisor(rig.issue("ambiguous_large"), "valid")
    same(rig.paid()[2, "initial"], ("win", 1500, 1500, 1500))
    rig.key("fin")
    return rig


def tie_alone() -> Rig:
    """The initial bet goes before the first card: the seat is out and gets no card, its tie bet goes back (67.40)."""
    rig = bataille()
    chips = laid(rig, (1, "initial", 1000), (1, "tie", 500), (2, "initial", 1000))
    rig.lift(chips[0])
    rig.run(1000)
    rig.deal("Kc 9h")
    same(rig.named("confirmed")[0]["out"], [(1, codes.kind_number("missing"), "67.36")])
    same(rig.kinds(), [("missing", 1)])
    same((rig.state(), rig.seat(1)), ("settling", "out"))
    same(("void_return", 1, "tie", 500) in rig.prompts(), True)
    rig.key("fin")
    return rig


def tie_below_its_limit() -> Rig:
    """The tie bet is judged at the announcement: the seat is out before the first card."""
    rig = bataille()
    laid(rig, (1, "initial", 1000), (1, "tie", 50), (2, "initial", 1000))
    same(rig.named("confirmed_part")[0]["out"], [(1, codes.kind_number("limit"), "67.40")])
    same(rig.seat(1), "out")
    rig.deal("Kc 9h")
    same(rig.named("first_card")[0]["spots"], [(16, 0), (32, 1000)])
    same(rig.paid(), {(2, "initial"): ("win", 1000, 1000, 1000)})
    rig.key("fin")
    return rig


def initial_above_its_limit() -> Rig:
    """The initial bet is judged at its own lock."""
    rig = bataille()
    laid(rig, (1, "initial", 200000), (2, "initial", 1000))
    same(rig.named("confirmed_part")[0]["out"], [])
    rig.deal("Kc")
    rig.run(1000)
    same(rig.named("confirmed")[0]["out"], [(1, codes.kind_number("limit"), "67.36")])
    rig.deal("9h")
    same(rig.paid(), {(2, "initial"): ("win", 1000, 1000, 1000)})
    rig.key("fin")
    return rig


def nobody_is_left() -> Rig:
    """Every bet goes before the first card: there is no round, and the card has left too soon."""
    rig = bataille()
    for chip in laid(rig, (1, "initial", 1000)):
        rig.lift(chip)
    rig.run(1000)
    rig.card("Kc")
    rig.run(1000)
    same(rig.state(), "suspended")
    same([codes.kind_name(fields["kind"]) for fields in rig.named("card_fault")], ["card_before_lock"])
    rig.supervisor(rig.issue("card_before_lock"), "cleared")
    same(rig.state(), "idle")
    return rig


def withdrawn_before_the_first_card() -> Rig:
    """The announcement may be withdrawn until a card breaks the beam, and not after."""
    rig = bataille()
    laid(rig, (1, "initial", 1000), (1, "tie", 500))
    same(rig.table.withdraw(1), True)
    same(rig.state(), "betting")
    rig.rnvp()
    rig.run(800)
    rig.table.leaving(rig.clock.ticks())
    same(rig.table.withdraw(1), False)
    rig.deal("Kc 9h")
    same(rig.paid()[1, "tie"], ("lose", 500, 0, 0))
    rig.key("fin")
    return rig


def locked_by_the_announcement() -> Rig:
    """The option: "Rien ne va plus" locks both bets."""
    rig = bataille(initial_lock="announcement")
    laid(rig, (1, "initial", 1000), (1, "tie", 500))
    rig.put(1, "initial", 500)
    rig.run(1000)
    same(rig.kinds(), [("capped", 2)])
    rig.deal("Kc 9h")
    rig.supervisor(rig.issue("capped"), "refused")
    same((rig.named("first_card"), rig.paid()[1, "initial"]), ([], ("win", 1000, 1000, 1000)))
    rig.key("fin")
    return rig


def first_card_before_the_confirmation() -> Rig:
    """Gate by the key: the first card leaves while the tie bets are still being confirmed."""
    rig = bataille(gate_after="key")
    rig.put(1, "initial", 1000)
    rig.put(1, "tie", 500)
    rig.run(1500)
    rig.rnvp()
    rig.run(5)
    rig.card("9c")
    rig.run(1500)
    rig.deal("9s")
    same((rig.state(), rig.paid()[1, "tie"]), ("deciding", ("win", 500, 5000, 500)))
    rig.key("abandon")
    rig.key("p1")
    rig.key("fin")
    same((rig.state(), rig.kinds()), ("betting", []))
    return rig


def disputed_tie() -> Rig:
    """A tie bet in doubt holds its seat; the equal seat goes to war all the same."""
    rig = bataille()
    rig.put(1, "initial", 1000)
    rig.put(2, "initial", 1000)
    rig.run(1500)
    rig.until_just_visited(1, "tie")
    rig.put(1, "tie", 500)
    rig.run(1)
    rig.rnvp()
    rig.run(800)
    rig.deal("9c Kd 9s")
    same((rig.kinds(), rig.seat(1), rig.seat(2)), ([("ambiguous", 1)], "deciding", "done"))
    same((1, "tie") in rig.paid(), False)
    rig.key("oui")
    same(rig.paid()[1, "tie"], ("win", 500, 5000, 500))
    rig.put(1, "additional", 1000)
    rig.run(1500)
    rig.key("devoiler")
    rig.run(500)
    rig.deal(BURN + "Kc " + BURN + "4d")
    rig.key("fin")
    return rig


def held_at_the_first_settlement() -> Rig:
    """An unequal seat on hold at the first settlement is settled by its ruling, while the other decides."""
    rig = bataille()
    rig.put(1, "initial", 1000)
    rig.put(2, "initial", 1000)
    rig.run(1500)
    rig.until_just_visited(2, "tie")
    rig.put(2, "tie", 500)
    rig.run(1)
    rig.rnvp()
    rig.run(800)
    rig.deal("9c Kd 9s")
    same((rig.state(), rig.seat(2)), ("deciding", "held"))
    rig.key("non")
    same((rig.seat(2), rig.paid()[2, "initial"]), ("done", ("win", 1000, 1000, 1000)))
    rig.key("abandon")
    rig.key("p1")
    rig.key("fin")
    return rig


ALL = (
    clean_round, two_wars, common_dealer_card, shared_antenna, quick_war_bet, surrenders, all_surrender,
    lawful_changes, late_after_the_first_card, around_the_first_card, tie_alone, tie_below_its_limit,
    initial_above_its_limit, nobody_is_left, withdrawn_before_the_first_card, locked_by_the_announcement,
    first_card_before_the_confirmation, disputed_tie, held_at_the_first_settlement,
)  # fmt: skip
