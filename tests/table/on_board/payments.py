"""Paying, seat by seat, and what the antennas can see of it. Entry point: `ALL`."""

from sabot.rules import games
from sabot.wire import codes
from sabot.wire.codes import PAYMENTS
from tests.table.on_board.rig import Rig, same

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# Seat 1 has a pair of sevens and wins, seat 2 loses to the dealer's queen.
CARDS = "7c 7d 2h 2c 3d 5h Qs 3c 2d"


def _settled(**options: "Any") -> "tuple[Rig, list[int]]":
    """Seat 1 wins an ante and a play bet of 1000 each, seat 2 loses 500 and 500; the chips laid, in that order."""
    options.setdefault("payment_order", "left_to_right")
    rig = Rig(**options)
    chips = rig.dealt_round((1, "ante", 1000), (2, "ante", 500), cards=CARDS)
    chips.append(rig.put(1, "play", 1000))
    chips.append(rig.put(2, "play", 500))
    rig.run(1000)
    rig.key("devoiler")
    rig.run(400)
    same(rig.state(), "settling")
    return rig, chips


def _take(rig: Rig, chips: "list[int]") -> None:
    """The dealer takes what seat 2 has lost."""
    rig.lift(chips[1])
    rig.lift(chips[3])


def _page_of(rig: Rig) -> "tuple[int, int, int, list[str]]":
    """Seat, number, number of pages, and what is to be done, of the open page."""
    page = rig.table.status()["paying"]
    return page["seat"], page["page"], page["pages"], [row[0] for row in page["rows"]]


def paying(rig: Rig) -> int:
    """Seat that is being paid, or 0."""
    return int(rig.table.status()["paying"].get("seat", 0))


def outcomes(rig: Rig) -> "list[tuple[int, str]]":
    """How the pages of the last round ended."""
    return [(seat, PAYMENTS[outcome]) for seat, outcome in rig.named("paid")[-1]["seats"]]


def verified() -> Rig:
    """Winnings beside each stake, the loser's chips taken: the pages turn by themselves, and one FIN ends the round."""
    rig, chips = _settled()
    same(_page_of(rig), (1, 1, 2, ["pay", "pay"]))
    rig.run(1500)
    rig.put(1, "ante", 1000)
    rig.run(800)
    same(paying(rig), 1)
    rig.put(1, "play", 1000)
    rig.run(1500)
    same(paying(rig), 2)
    _take(rig, chips)
    rig.run(1500)
    same(paying(rig), 0)
    rig.key("fin")
    same((rig.state(), rig.kinds()), ("betting", []))
    same(outcomes(rig), [(1, "verified"), (2, "verified")])
    same([record["name"] for record in rig.records[-3:]], ["settlement", "paid", "round_end"])
    return rig


def in_one_stack() -> Rig:
    """All winnings on one of the seat's spots: what counts is the value."""
    rig, chips = _settled()
    rig.run(1500)
    rig.put(1, "play", 2000)
    rig.run(1500)
    same(paying(rig), 2)
    _take(rig, chips)
    rig.run(1500)
    rig.key("fin")
    same(outcomes(rig), [(1, "verified"), (2, "verified")])
    return rig


def change_from_the_stake() -> Rig:
    """The dealer lays down the whole and takes the stakes: for a moment both lie there."""
    rig, chips = _settled()
    rig.run(1500)
    rig.put(1, "ante", 4000)
    rig.run(1500)
    rig.lift(chips[0])
    rig.lift(chips[2])
    rig.run(1500)
    same((paying(rig), rig.kinds()), (2, []))
    _take(rig, chips)
    rig.run(1500)
    rig.key("fin")
    same(outcomes(rig)[0], (1, "verified"))
    return rig


def into_the_hand() -> Rig:
    """Nothing can be seen of it: the player takes his stakes, and the page turns when they are gone."""
    rig, chips = _settled()
    rig.run(3000)
    rig.lift(chips[0])
    rig.lift(chips[2])
    rig.run(1500)
    same(paying(rig), 2)
    _take(rig, chips)
    rig.run(1500)
    rig.key("fin")
    same((outcomes(rig), rig.kinds()), ([(1, "cleared"), (2, "verified")], []))
    return rig


def turned_by_the_key() -> Rig:
    """Paid into the hand, and the stakes stay for the next round: FIN turns what cannot be verified."""
    rig, chips = _settled()
    rig.run(3000)
    rig.key("fin")
    same((rig.state(), paying(rig)), ("settling", 2))
    _take(rig, chips)
    rig.run(200)
    rig.key("fin")
    same((rig.state(), rig.kinds()), ("betting", []))
    same(outcomes(rig), [(1, "not_verified"), (2, "not_verified")])
    return rig


def bets_on_a_paid_spot() -> Rig:
    """A player who has been paid bets again while the next seat is paid: nobody minds."""
    rig, chips = _settled()
    rig.run(1500)
    rig.put(1, "ante", 2000)
    rig.run(1500)
    same(paying(rig), 2)
    rig.lift(chips[2])
    rig.put(1, "ante", 5000)
    _take(rig, chips)
    rig.run(200)
    rig.put(2, "ante", 2500)  # and a loser whose chips have gone bets as well
    rig.run(1500)
    same((paying(rig), rig.kinds()), (0, []))
    rig.key("fin")
    same(outcomes(rig), [(1, "verified"), (2, "verified")])
    return rig


def overpaid() -> Rig:
    """Too much lies there: a prompt, which ends by itself when it is put right."""
    rig, chips = _settled()
    rig.run(1500)
    surplus = [rig.put(1, "ante", 2500)][0]
    rig.run(4500)
    same((rig.kinds(), paying(rig)), ([("overpaid", 1)], 1))
    same([(fields["before"], fields["after"]) for fields in rig.named("irregularity")], [(4000, 4500)])
    rig.lift(surplus)
    rig.put(1, "ante", 2000)
    rig.run(1500)
    same((rig.table.status()["issues"], paying(rig)), ([], 2))
    _take(rig, chips)
    rig.run(1500)
    rig.key("fin")
    same((rig.state(), rig.named("alert")), ("betting", []))
    return rig


def overpaid_and_left() -> Rig:
    """Twenty seconds later it is the supervisor's, and the pit is told."""
    rig, chips = _settled()
    rig.run(1500)
    rig.put(1, "ante", 2500)
    rig.run(4500)
    rig.key("fin")
    same((rig.kinds(), paying(rig)), ([("overpaid", 1)], 2))
    _take(rig, chips)
    rig.run(1500)
    rig.key("fin")
    same(rig.state(), "settling")
    rig.run(20000)
    same(rig.kinds(), [("overpaid", 1), ("overpaid", 2)])
    same([codes.kind_name(fields["kind"]) for fields in rig.named("alert")], ["overpaid"])
    rig.key("fin")
    same(rig.state(), "settling")
    rig.supervisor(rig.issue("overpaid"), "valid")
    rig.key("fin")
    same((rig.state(), outcomes(rig)[0]), ("betting", (1, "wrong")))
    return rig


def underpaid() -> Rig:
    """Half of the winnings, and FIN: a prompt; the dealer adds the rest."""
    rig, chips = _settled()
    rig.run(1500)
    rig.put(1, "ante", 1000)
    rig.run(1500)
    same((rig.kinds(), paying(rig)), ([], 1))
    rig.key("fin")
    same((rig.kinds(), paying(rig)), ([("underpaid", 1)], 2))
    rig.put(1, "play", 1000)
    rig.run(1500)
    same(rig.table.status()["issues"], [])
    _take(rig, chips)
    rig.run(1500)
    rig.key("fin")
    same((rig.state(), outcomes(rig)), ("betting", [(1, "corrected"), (2, "verified")]))
    return rig


def underpaid_and_swept() -> Rig:
    """The player takes the stakes and half of what is due: the page turns, and says so."""
    rig, chips = _settled()
    rig.run(1500)
    paid = rig.put(1, "ante", 1000)
    rig.run(2000)
    for chip in (chips[0], chips[2], paid):
        rig.lift(chip)
    rig.run(1500)
    same((rig.kinds(), paying(rig)), ([("underpaid", 1)], 2))
    rig.key("oui")  # the dealer has given him the rest
    _take(rig, chips)
    rig.run(1500)
    rig.key("fin")
    same(rig.state(), "idle")
    return rig


def loser_left() -> Rig:
    """FIN with a lost bet still lying there."""
    rig, chips = _settled()
    rig.run(3000)
    rig.key("fin")
    rig.lift(chips[1])
    rig.run(1000)
    rig.key("fin")
    same((rig.state(), rig.kinds()), ("settling", [("loser_left", 1)]))
    same([(fields["place"], fields["after"]) for fields in rig.named("irregularity")], [(34, 500)])
    rig.lift(chips[3])
    rig.run(1000)
    same(rig.table.status()["issues"], [])
    rig.key("fin")
    same((rig.state(), outcomes(rig)), ("betting", [(1, "not_verified"), (2, "corrected")]))
    return rig


def winner_taken_before_its_turn() -> Rig:
    """A winner's stake goes while another seat is paid; it comes back."""
    rig, chips = _settled(payment_order="right_to_left")
    same(paying(rig), 2)
    rig.lift(chips[0])
    rig.run(1500)
    same(rig.kinds(), [("winner_taken", 1)])
    same([fields["place"] for fields in rig.named("irregularity")], [16])
    rig.put(1, "ante", 0, chips[0])
    rig.run(1000)
    same(rig.table.status()["issues"], [])
    _take(rig, chips)
    rig.run(1500)
    rig.put(1, "ante", 2000)
    rig.run(1500)
    rig.key("fin")
    same(outcomes(rig), [(2, "verified"), (1, "verified")])
    return rig


def winner_taken_at_once() -> Rig:
    """The stakes are swept before anybody can have been paid."""
    rig, chips = _settled()
    rig.lift(chips[0])
    rig.lift(chips[2])
    rig.run(3500)
    same((rig.kinds(), paying(rig)), ([("winner_taken", 1)], 2))
    _take(rig, chips)
    rig.run(25000)
    same(rig.kinds()[1:], [("winner_taken", 2)])
    rig.supervisor(rig.issue("winner_taken"), "valid")
    rig.key("fin")
    same((rig.state(), outcomes(rig)[0]), ("idle", (1, "wrong")))
    return rig


def winner_taken_in_part() -> Rig:
    """One of a winner's stakes is taken with its page, and put back; a keyed stake, which nobody sees, is not taken."""
    rig, chips = _settled()
    rig.lift(chips[0])
    rig.run(1000)
    same(rig.kinds(), [])
    rig.run(2500)
    same((rig.kinds(), paying(rig)), ([("winner_taken", 1)], 1))
    rig.put(1, "ante", 0, chips[0])
    rig.run(1000)
    same(rig.table.status()["issues"], [])
    rig.put(1, "ante", 1000)
    rig.put(1, "play", 1000)
    _take(rig, chips)
    rig.run(2500)
    rig.key("fin")
    same(outcomes(rig), [(1, "verified"), (2, "verified")])
    rig = Rig(payment_order="left_to_right")
    rig.put(1, "ante", 500)
    rig.run(500)
    rig.declare("keyed_bet", 1, "ante", 500)
    rig.dealt_round((2, "ante", 500), cards="7c 7d 2h 2c 3d 5h Qs 3c 2d")
    rig.put(1, "play", 1000)
    rig.run(1000)
    rig.key("devoiler")
    rig.run(6000)
    same((rig.state(), rig.kinds()), ("settling", [("keyed_bet", 1)]))
    return rig


def wrong_seat() -> Rig:
    """The winnings of one seat lie at another, which is still to be paid."""
    rig = Rig(payment_order="left_to_right")
    rig.dealt_round(cards="7c 7d 2h 8c 8d 5h Qs 3c 2d")
    rig.put(1, "play", 1000)
    rig.put(2, "play", 1000)
    rig.run(1000)
    rig.key("devoiler")
    rig.run(1500)
    mistaken = rig.put(2, "ante", 2000)
    rig.run(1500)
    same((rig.kinds(), paying(rig)), ([("wrong_seat_paid", 1)], 1))
    same([fields["place"] for fields in rig.named("irregularity")], [32])
    rig.lift(mistaken)
    rig.put(1, "ante", 0, mistaken)
    rig.run(1500)
    same((rig.table.status()["issues"], paying(rig)), ([], 2))
    rig.put(2, "ante", 2000)
    rig.run(1500)
    rig.key("fin")
    same(outcomes(rig), [(1, "verified"), (2, "verified")])
    return rig


def a_large_difference() -> Rig:
    """From 100 $ on it is the supervisor's at once."""
    rig, chips = _settled()
    rig.run(1500)
    surplus = rig.put(1, "ante", 20000)
    rig.run(4500)
    same((rig.kinds(), len(rig.named("alert"))), ([("overpaid", 2)], 1))
    rig.lift(surplus)
    rig.put(1, "ante", 2000)
    _take(rig, chips)
    rig.run(3000)
    rig.key("fin")
    same(rig.state(), "settling")
    rig.supervisor(rig.issue("overpaid"), "cleared")
    rig.key("fin")
    same(rig.state(), "betting")
    return rig


def losers_first() -> Rig:
    """First what is to be taken, at every seat, then what is to be paid."""
    rig, chips = _settled(losers_first=True)
    same([(kind, seat) for kind, seat, _bet, _cents in rig.prompts() if kind in ("pay", "take")][:2], [("take", 2)] * 2)
    same(paying(rig), 2)
    _take(rig, chips)
    rig.run(1500)
    same(paying(rig), 1)
    rig.put(1, "ante", 2000)
    rig.run(1500)
    rig.key("fin")
    same(outcomes(rig), [(2, "verified"), (1, "verified")])
    return rig


def between_two_settlements() -> Rig:
    """Bataille: the seats that are not equal are paid while the equal one decides; FIN turns a page then, too."""
    rig = Rig(game=games.load("bataille"), decks=6, payment_order="left_to_right")
    for seat, bet in ((1, "initial"), (1, "tie"), (2, "initial")):
        rig.put(seat, bet, 1000)
    rig.run(1500)
    rig.rnvp()
    rig.run(800)
    rig.deal("9c Kd 9s")
    same((rig.state(), paying(rig)), ("deciding", 1))
    rig.run(1500)
    rig.put(1, "tie", 10000)
    rig.run(1500)
    same(paying(rig), 2)
    rig.key("fin")
    same((rig.state(), paying(rig)), ("deciding", 0))
    rig.put(1, "additional", 1000)
    rig.run(1500)
    rig.key("devoiler")
    rig.run(500)
    rig.deal("2c 2d 2h Kc 2c 2d 2h Kh")
    same((rig.state(), paying(rig)), ("settling", 1))
    rig.run(1500)
    rig.put(1, "initial", 2000)
    rig.run(1500)
    rig.key("fin")
    same((rig.state(), rig.kinds()), ("betting", []))
    same(outcomes(rig), [(1, "verified"), (2, "not_verified"), (1, "verified")])
    return rig


def void_while_paying() -> Rig:
    """A void ends the payment with the round."""
    rig, _chips = _settled()
    rig.void()
    rig.run(1500)
    same((rig.state(), rig.table.status()["paying"], rig.named("paid")), ("betting", {}, []))
    return rig


ALL = (
    verified,
    in_one_stack,
    change_from_the_stake,
    into_the_hand,
    turned_by_the_key,
    bets_on_a_paid_spot,
    overpaid,
    overpaid_and_left,
    underpaid,
    underpaid_and_swept,
    loser_left,
    winner_taken_before_its_turn,
    winner_taken_at_once,
    winner_taken_in_part,
    wrong_seat,
    a_large_difference,
    losers_first,
    between_two_settlements,
    void_while_paying,
)
