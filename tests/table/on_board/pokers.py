"""Rounds of the other pokers: Boston, Poker 4 cartes, Fou du poker, 3-5-7. Entry point: `ALL`."""

from sabot.rules import games
from sabot.wire import codes
from tests.table.on_board.rig import Rig, same

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def _locked(name: str, *bets: "tuple[int, str, int]", **options: "Any") -> Rig:
    """A table of the game with these bets locked, and the gate open."""
    rig = Rig(game=games.load(name), **options)
    for seat, bet, cents in bets:
        rig.put(seat, bet, cents)
    rig.run(1500)
    rig.rnvp()
    rig.run(800)
    same((rig.state(), rig.ports.gate.open), ("locked", True))
    return rig


def _close(rig: Rig, *bets: "tuple[int, str, int]") -> None:
    for seat, bet, cents in bets:
        rig.put(seat, bet, cents)
    rig.run(1500)
    rig.key("devoiler")
    rig.run(600)


def _names(rig: Rig) -> "list[str]":
    """Names of the records from the deal on, the keys left out."""
    names = [record["name"] for record in rig.records if record["name"] != "key"]
    return names[names.index("deal") :]


BOSTON = ((1, "ante", 500), (1, "first", 1000), (2, "ante", 1000), (2, "first", 2000), (2, "bonus", 500))


def boston() -> Rig:
    """Seat 1 stays and gets two more cards, as does the dealer; seat 2 folds, its bonus lives on its three cards."""
    rig = _locked("boston", *BOSTON)
    rig.deal("2c 2d 5h 7c 7d 9h Kc 9d 4s")
    same((rig.state(), rig.seat(1), rig.seat(2)), ("deciding", "deciding", "deciding"))
    _close(rig, (1, "second", 1000))
    same((rig.state(), rig.ports.gate.open, rig.seat(2)), ("dealing", True, "folded"))
    rig.key("devoiler")  # nothing to show yet
    rig.deal("2h 8c Qs 3d")
    same((rig.state(), rig.ports.gate.open), ("revealing", False))
    same([[row[0] for row in fields["hands"]] for fields in rig.named("deal")], [[1, 2, 0], [9, 8]])
    rig.key("devoiler")
    same([row[0] for row in rig.named("reveal")[0]["hands"]], [0, 8, 1, 9, 2])
    same(rig.paid()[1, "ante"], ("win", 500, 2500, 500))  # 67.63: three of a kind
    same(rig.paid()[1, "first"], ("win", 1000, 1000, 1000))
    same(rig.paid()[1, "second"], ("win", 1000, 1000, 1000))
    same(rig.paid()[2, "ante"], ("forfeit", 1000, 0, 0))
    same(rig.paid()[2, "first"], ("forfeit", 2000, 0, 0))
    same(rig.paid()[2, "bonus"], ("win", 500, 500, 500))
    same(_names(rig), ["deal", "decisions", "deal", "reveal", "settlement"])
    rig.key("fin")
    same((rig.state(), rig.kinds()), ("betting", []))
    return rig


def boston_all_fold() -> Rig:
    """Nobody stays: there is no second deal, and the dealer shows what he has."""
    rig = _locked("boston", *BOSTON)
    rig.deal("2c 2d 5h 7c 7d 9h Kc 9d 4s")
    _close(rig)
    same((rig.state(), rig.ports.gate.open), ("revealing", False))
    rig.key("devoiler")
    same([row[0] for row in rig.named("reveal")[0]["hands"]], [0, 2])
    rig.key("fin")
    same(rig.state(), "betting")
    return rig


def boston_held() -> Rig:
    """A second bet that is too low waits for the supervisor; the seat is dealt its cards all the same."""
    rig = _locked("boston", *BOSTON)
    rig.deal("2c 2d 5h 7c 7d 9h Kc 9d 4s")
    _close(rig, (1, "second", 500), (2, "second", 2000))
    same(rig.kinds(), [("relation", 2)])
    rig.deal("2h 8c 7s 8d Qs 3d")
    rig.key("devoiler")
    same((rig.seat(1), rig.seat(2)), ("held", "done"))
    same([row[0] for row in rig.named("reveal")[0]["hands"]], [0, 8, 2, 10])
    rig.supervisor(rig.issue("relation"), "valid")
    same([row[0] for row in rig.named("reveal")[1]["hands"]], [1, 9])
    same(rig.paid()[1, "second"], ("win", 1000, 1000, 1000))
    rig.key("fin")
    return rig


def boston_surplus_card() -> Rig:
    """A card too many after the second deal stops the table."""
    rig = _locked("boston", *BOSTON[:2])
    rig.deal("2c 2d 5h Kc 9d 4s")
    rig.card("7c")  # before the close: one more than the first deal
    same(rig.state(), "suspended")
    rig.supervisor(rig.issue("wrong_count"), "cleared")
    _close(rig, (1, "second", 1000))
    rig.deal("2h 8c Qs 3d")
    rig.card("7c")
    same(rig.state(), "suspended")
    rig.supervisor(rig.issue("wrong_count"), "cleared")
    rig.key("devoiler")
    same(rig.paid()[1, "second"], ("win", 1000, 1000, 1000))
    rig.key("fin")
    return rig


def boston_out_at_the_lock() -> Rig:
    """Two bets in a wrong relation (67.56): the seat is out, the other plays."""
    rig = _locked("boston", (1, "ante", 500), (1, "first", 500), *BOSTON[2:])
    same(rig.named("confirmed")[0]["out"], [(1, codes.kind_number("relation"), "67.56")])
    rig.void()
    return rig


def four_card() -> Rig:
    """The dealer's sixth card lies open from the deal on; a play bet of three times the ante."""
    rig = _locked("four_card", (1, "ante", 1000), (1, "aces_up", 500), (2, "aces_up", 500))
    rig.deal("7c 7d 7h 7s 2c 3c 4d 9h Js Kd Ac Qd 8h 5s 2h")
    same(rig.named("reveal"), [])
    rig.deal("Ah")
    same([[row[0] for row in fields["hands"]] for fields in rig.named("reveal")], [[8]])
    same(rig.named("reveal")[0]["hands"][0][2], bytes([50]))
    same((rig.state(), rig.seat(1), rig.seat(2)), ("deciding", "deciding", "in"))
    _close(rig, (1, "play", 3000))
    same([row[0] for row in rig.named("reveal")[1]["hands"]], [0, 1, 2])
    same(rig.paid()[1, "ante"], ("win", 1000, 1000, 1000))
    same(rig.paid()[1, "play"], ("win", 3000, 3000, 3000))
    same(rig.paid()[1, "extra"], ("win", 0, 25000, 0))
    same(rig.paid()[2, "aces_up"], ("lose", 500, 0, 0))
    rig.key("fin")
    same((rig.state(), rig.kinds()), ("betting", []))
    return rig


def four_card_play_bounds() -> Rig:
    """Between one and three times the ante any amount is lawful; above, the excess goes back; below, a ruling."""
    rig = _locked("four_card", (1, "ante", 1000), (2, "ante", 1000))
    rig.deal("7c 7d 7h 7s 2c 3c 4d 9h Js Kd Ac Qd 8h 5s 2h Ah")
    _close(rig, (1, "play", 3500), (2, "play", 1700))
    same(rig.kinds(), [("relation", 1)])
    same((rig.locked(1, "play"), rig.locked(2, "play")), (3000, 1700))
    rig.key("oui")
    rig.key("fin")
    return rig


FOU = ((1, "ante", 1000), (1, "super_bonus", 1000), (1, "queens_up", 500), (2, "ante", 500), (2, "super_bonus", 500))


def crazy_four() -> Rig:
    """A pair of aces gives the right to three times the ante: nothing is said of it before the reveal, or at all."""
    rig = _locked("crazy_four", *FOU)
    rig.deal("Ac Ad 3h 4s 9c 2c 2d 5h 7s 8c Kc Qd 9h 5s 3d")
    _close(rig, (1, "play", 3000), (2, "play", 500))
    same((rig.state(), rig.kinds()), ("settling", []))
    same(rig.paid()[1, "play"], ("win", 3000, 3000, 3000))
    same(rig.paid()[1, "super_bonus"], ("push", 1000, 0, 1000))
    same(rig.paid()[1, "queens_up"], ("win", 500, 500, 500))
    rig.key("fin")
    return rig


def _play_too_high() -> Rig:
    rig = _locked("crazy_four", *FOU)
    rig.deal("Kc Kd 3h 4s 9c 2c 2d 5h 7s 8c Ah Qd 9h 5s 3d")
    rig.put(1, "play", 3000)
    rig.put(2, "play", 500)
    rig.run(1500)
    rig.rnvp()
    rig.run(600)
    same((rig.state(), rig.kinds()), ("revealing", []))
    same(rig.named("decisions")[0]["spots"], [(19, 3000, 0), (35, 500, 0)])
    rig.key("devoiler")
    same((rig.kinds(), rig.seat(1), rig.seat(2)), ([("play_too_high", 2)], "held", "done"))
    same(rig.locked(1, "play"), 3000)
    return rig


def play_too_high() -> Rig:
    """Three times the ante on a pair of kings: found at the reveal, the excess goes back."""
    rig = _play_too_high()
    same(rig.supervisor(rig.issue("play_too_high"), "valid"), True)
    same(rig.paid()[1, "play"], ("win", 1000, 1000, 1000))
    rig.key("fin")
    return rig


def play_too_high_keyed() -> Rig:
    """A keyed amount that the hand gives no right to is asked about again."""
    rig = _play_too_high()
    same(rig.supervisor(rig.issue("play_too_high"), "keyed", 2000), True)
    same((rig.kinds()[1:], rig.seat(1)), ([("play_too_high", 2)], "held"))
    same(rig.supervisor(rig.issue("play_too_high"), "refused"), True)
    same(rig.paid()[1, "play"], ("win", 1000, 1000, 1000))
    rig.key("fin")
    return rig


SEVEN = ((1, "three", 500), (1, "five", 500), (1, "seven", 1001), (2, "three", 500), (2, "five", 1000))


def three_five_seven() -> Rig:
    """Three reveals and three settlements; seat 2, without a seven bet, is done after the second."""
    rig = _locked("poker_357", *SEVEN)
    rig.deal("7c 7d 2h Ks Qd 9h 7h 3c 2d Jc")
    same((rig.state(), rig.seat(1), rig.seat(2)), ("deciding", "deciding", "in"))
    same([row[0] for row in rig.named("deal")[0]["hands"]], [1, 2, 0, 8])
    rig.key("devoiler")
    rig.run(300)
    same((rig.state(), [row[0] for row in rig.named("reveal")[0]["hands"]]), ("revealing", [1, 2]))
    same(rig.paid(), {(1, "three"): ("win", 500, 500, 500), (2, "three"): ("lose", 500, 0, 0)})
    same((rig.seat(1), rig.seat(2)), ("in", "in"))
    rig.key("fin")
    rig.key("devoiler")
    same((rig.state(), [row[0] for row in rig.named("reveal")[1]["hands"]]), ("settling", [0]))
    same(rig.paid()[1, "five"], ("win", 500, 2000, 500))
    same((rig.seat(1), rig.seat(2)), ("in", "done"))
    rig.key("fin")
    same(rig.state(), "settling")
    rig.key("devoiler")
    same([row[0] for row in rig.named("reveal")[2]["hands"]], [8])
    same(rig.paid()[1, "seven"], ("win", 1001, 5005, 1001))
    rig.key("fin")
    same((rig.state(), rig.kinds()), ("betting", []))
    return rig


def withdrawn_seven() -> Rig:
    """ABANDON and the seat's key: half of the seven is lost there and then, the dealer's hand takes it, no alarm."""
    rig = _locked("poker_357", *SEVEN[:2], *SEVEN[3:])
    seven = rig.ports.chips.new(1001)
    rig.void()
    rig.put(1, "seven", 0, seven)
    rig.run(1500)
    rig.rnvp()
    rig.run(800)
    rig.deal("7c 7d 2h")
    rig.key("abandon")
    rig.key("p1")  # keyed while cards are still dealt: it takes effect when they are
    same(rig.paid(), {})
    rig.deal("Ks Qd 9h 7h 3c 2d Jc")
    same((rig.seat(1), rig.paid()), ("in", {(1, "seven"): ("forfeit", 1001, 0, 501)}))
    rig.lift(seven)
    rig.put(1, "seven", 500)
    rig.run(7000)
    same((rig.kinds(), rig.named("change")), ([], []))
    rig.key("devoiler")
    rig.run(300)
    same(rig.named("decisions")[0]["seats"], [])
    same(rig.paid()[1, "three"], ("win", 500, 500, 500))
    rig.key("devoiler")
    same((rig.seat(1), rig.seat(2)), ("done", "done"))
    rig.key("fin")  # no bet rests on the dealer's last two cards: they stay hidden
    same((rig.state(), len(rig.named("reveal"))), ("betting", 2))
    return rig


def seven_pulled() -> Rig:
    """A player who takes his seven back himself has withdrawn a bet: that is an irregularity like any other."""
    rig = _locked("poker_357", *SEVEN[:2], *SEVEN[3:])
    rig.void()
    seven = rig.put(1, "seven", 1000)
    rig.run(1500)
    rig.rnvp()
    rig.run(800)
    rig.deal("7c 7d 2h Ks Qd 9h 7h 3c 2d Jc")
    rig.lift(seven)
    rig.run(6000)
    same(rig.kinds(), [("withdrawn", 2)])
    rig.key("devoiler")
    rig.run(300)
    same((rig.seat(1), (1, "three") in rig.paid()), ("held", False))
    rig.key("devoiler")
    rig.supervisor(rig.issue("withdrawn"), "refused")
    same(rig.paid()[1, "five"], ("win", 500, 2000, 500))
    same(rig.seat(1), "in")
    rig.key("devoiler")
    same(rig.paid()[1, "seven"], ("win", 1000, 5000, 1000))
    rig.key("fin")
    return rig


def late_seven() -> Rig:
    """A seven that comes after the seat's last card and is allowed may be withdrawn at half, or stays (67.47)."""
    for withdrawn in (True, False):
        rig = _locked("poker_357", *SEVEN[3:])
        rig.deal("7c 7d 2h")
        rig.put(2, "seven", 1000)
        rig.run(1000)
        same((rig.kinds(), rig.seat(2)), ([("late", 2)], "deciding"))
        rig.supervisor(rig.issue("late"), "valid")
        rig.deal("7h 3c 2d Jc")
        same([row[2] for row in rig.named("deal")[0]["hands"]], [1, 0, 0])
        if withdrawn:
            rig.key("abandon")
            rig.key("p2")
            same(rig.paid(), {(2, "seven"): ("forfeit", 1000, 0, 500)})
        rig.key("devoiler")
        rig.run(300)
        same([row[0] for row in rig.named("decisions")[0]["seats"]], [] if withdrawn else [2])
        rig.key("devoiler")
        if not withdrawn:
            rig.key("devoiler")
            same(rig.paid()[2, "seven"], ("win", 1000, 5000, 1000))
        rig.key("fin")
        same(rig.state(), "betting")
    return rig


def seven_lifted_then_withdrawn() -> Rig:
    """Half of a seven is not taken while chips of it are gone: that is judged first, and the keys are pressed again."""
    rig = _locked("poker_357", *SEVEN[:2], *SEVEN[3:])
    rig.void()
    seven = rig.put(1, "seven", 1000)
    rig.run(1500)
    rig.rnvp()
    rig.run(800)
    rig.deal("7c 7d 2h Ks Qd 9h 7h 3c 2d Jc")
    rig.lift(seven)
    rig.run(1000)
    rig.keys("abandon p1")
    same((rig.kinds(), rig.paid()), ([("withdrawn", 2)], {}))
    rig.supervisor(rig.issue("withdrawn"), "refused")
    rig.keys("abandon p1")
    same(rig.paid(), {(1, "seven"): ("forfeit", 1000, 0, 500)})
    return rig


def seven_added_to_then_withdrawn() -> Rig:
    """Chips laid on a seven a moment before half of it is taken are told when they have dwelt."""
    rig = _locked("poker_357", *SEVEN)
    rig.deal("7c 7d 2h Ks Qd 9h 7h 3c 2d Jc")
    rig.put(1, "seven", 500)
    rig.run(250)
    rig.keys("abandon p1")
    same((rig.kinds(), rig.paid()), ([], {(1, "seven"): ("forfeit", 1001, 0, 501)}))
    rig.run(1000)
    same(rig.kinds(), [("capped", 2)])
    return rig


def late_below_its_limit() -> Rig:
    """A late seven below its limit that is allowed puts its seat out (67.45, LATE-LIMIT): seat 2 plays on alone."""
    rig = _locked("poker_357", *SEVEN[:2], *SEVEN[3:], limits={"seven": (500, 50000)})
    rig.put(1, "seven", 100)
    rig.run(1000)
    rig.supervisor(rig.issue("late"), "valid")
    same((rig.seat(1), rig.seat(2), rig.kinds()), ("out", "in", [("late", 2), ("limit", 1)]))
    rig.deal("7c 7d 2h Ks Qd 9h 7h 3c 2d Jc")
    rig.key("devoiler")
    rig.run(300)
    same([row[0] for row in rig.named("reveal")[0]["hands"]], [2])
    rig.key("devoiler")
    rig.key("fin")
    same(rig.state(), "betting")
    return rig


def void_between_settlements() -> Rig:
    """What the first settlement paid stands, the rest goes back."""
    rig = _locked("poker_357", *SEVEN)
    rig.deal("7c 7d 2h Ks Qd 9h 7h 3c 2d Jc")
    rig.key("devoiler")
    rig.run(300)
    rig.void()
    same(rig.named("void")[0]["spots"], [(17, 500), (18, 1001), (33, 1000)])
    return rig


ALL = (
    boston,
    boston_all_fold,
    boston_held,
    boston_surplus_card,
    boston_out_at_the_lock,
    four_card,
    four_card_play_bounds,
    crazy_four,
    play_too_high,
    play_too_high_keyed,
    three_five_seven,
    withdrawn_seven,
    seven_pulled,
    late_seven,
    seven_lifted_then_withdrawn,
    seven_added_to_then_withdrawn,
    late_below_its_limit,
    void_between_settlements,
)
