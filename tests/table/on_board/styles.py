"""Cards in packets, tables that see no card at all, and those that see the discard. Entry point: `ALL`."""

from sabot.rules import games
from sabot.rules.cards import card_from_name
from sabot.rules.variants import configure
from sabot.table.errors import TableError
from sabot.wire import codes
from tests.table.on_board.rig import Rig, same

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def _locked(name: str, *bets: "tuple[int, str, int]", **options: "Any") -> Rig:
    game = games.load(name)
    if name == "bataille":
        game = configure(game, initial_lock="announcement")
        options["decks"] = 6
    rig = Rig(game=game, **options)
    _lock(rig, *bets)
    return rig


def _lock(rig: Rig, *bets: "tuple[int, str, int]") -> None:
    for seat, bet, cents in bets:
        rig.put(seat, bet, cents)
    rig.run(1500)
    rig.rnvp()
    rig.run(800)


def _close(rig: Rig, *bets: "tuple[int, str, int]") -> None:
    for seat, bet, cents in bets:
        rig.put(seat, bet, cents)
    rig.run(1500)
    rig.key("devoiler")
    rig.run(500)


def faults(rig: Rig) -> "list[str]":
    """Kinds of the card faults recorded."""
    return [codes.kind_name(fields["kind"]) for fields in rig.named("card_fault")]


ANTES = ((1, "ante", 1000), (2, "ante", 1000))


def packets() -> Rig:
    """Each packet is a set; the decks alternate from round to round, and no key says so."""
    rig = _locked("three_card", *ANTES, deal="packets")
    same((rig.state(), rig.ports.gate.open), ("locked", True))
    rig.packet("2h 7d 7c")
    same((rig.state(), rig.seat(1)), ("dealing", "deciding"))
    rig.packet("5h 2c 3d")
    rig.packet("Qs 3c 2d")
    same((rig.state(), rig.ports.gate.open), ("deciding", False))
    play = rig.put(1, "play", 1000)
    _close(rig)
    same(rig.named("reveal")[0]["hands"][1][2], bytes([2, 20, 21]))
    same(rig.paid()[1, "play"], ("win", 1000, 1000, 1000))
    rig.key("fin")
    rig.lift(play)
    _lock(rig)
    rig.packet("2h 7d 7c", deck=1)
    rig.packet("5h 2c 3d", deck=1)
    rig.packet("Qs 3c 2d", deck=1)
    rig.key("devoiler")
    rig.run(500)
    rig.key("fin")
    same((rig.state(), rig.kinds(), faults(rig)), ("betting", [], []))
    return rig


def packets_of_the_other_deck() -> Rig:
    """A packet of the deck that is being shuffled, or a card of no pack, is alien and takes no place."""
    rig = _locked("three_card", *ANTES, deal="packets")
    rig.packet("2h 7d 7c")
    rig.packet("5h 2c 3d", deck=1)
    same((rig.state(), faults(rig), rig.table.status()["cards"]), ("suspended", ["alien_card"], 3))
    rig.supervisor(rig.issue("alien_card"), "cleared")
    rig.packet("5h ? 3d")
    rig.supervisor(rig.issue("alien_card"), "cleared")
    rig.packet("5h 2c 3d")
    rig.packet("Qs 3c 2d")
    same(rig.state(), "deciding")
    rig.void()
    return rig


def packets_of_a_wrong_size() -> Rig:
    """Too many cards, or one that has been dealt already, take no place."""
    rig = _locked("three_card", *ANTES, deal="packets")
    rig.packet("2h 7d 7c 8c")
    rig.supervisor(rig.issue("wrong_count"), "cleared")
    rig.packet("2h 7d 7c")
    rig.packet("2h 2c 3d")
    same(faults(rig), ["wrong_count", "duplicate_card"])
    rig.supervisor(rig.issue("duplicate_card"), "cleared")
    rig.packet("5h 5h 3d")
    rig.supervisor(rig.issue("duplicate_card"), "cleared")
    same(rig.table.status()["cards"], 3)
    rig.void()
    return rig


def unread_in_a_packet() -> Rig:
    """Two cards of a packet were not heard: two people key each of them, and the deal goes on."""
    rig = _locked("three_card", *ANTES, deal="packets")
    rig.packet("7c -")
    same((rig.state(), faults(rig)), ("suspended", ["unread_card"]))
    for card in (21, 2):  # 7d 2h
        same(rig.seat(1), "in")
        same(rig.supervisor(rig.issue("unread_card"), "keyed", card), True)
        rig.key("oui")
    same((rig.state(), rig.seat(1), len(faults(rig))), ("dealing", "deciding", 2))
    rig.packet("5h 2c 3d")
    rig.packet("Qs 3c 2d")
    _close(rig, (1, "play", 1000))
    same(rig.paid()[1, "play"], ("win", 1000, 1000, 1000))
    rig.key("fin")
    return rig


def packet_too_soon() -> Rig:
    """Before the lock one fault, whatever the number of cards; before the confirmation the packet is kept."""
    rig = Rig(deal="packets", gate_after="key")
    rig.put(1, "ante", 1000)
    rig.run(1000)
    rig.packet("2h 7d 7c")
    same(faults(rig), ["card_before_lock"])
    rig.supervisor(rig.issue("card_before_lock"), "cleared")
    rig.rnvp()
    rig.packet("2h 7d 7c")
    rig.run(500)
    same((rig.state(), rig.seat(1)), ("dealing", "deciding"))
    rig.packet("Qs 3c 2d")
    same((rig.state(), len(faults(rig))), ("deciding", 1))
    rig.packet("")
    rig.void()
    return rig


def packets_of_a_second_deal() -> Rig:
    """Boston: packets of three, and after the close of two."""
    rig = _locked("boston", (1, "ante", 500), (1, "first", 1000), deal="packets")
    rig.packet("5h 2c 2d")
    rig.packet("Kc 9d 4s")
    _close(rig, (1, "second", 1000))
    rig.packet("8c 2h")
    rig.packet("3d Qs")
    rig.key("devoiler")
    same(rig.paid()[1, "ante"], ("win", 500, 2500, 500))
    rig.key("fin")
    return rig


def packets_split_by_the_plan() -> Rig:
    """3-5-7: the dealer's four in two packets; Poker 4: five, and one face up."""
    rig = _locked("poker_357", (1, "three", 500), (1, "five", 500), deal="packets")
    rig.packet("7c 7d 2h")
    rig.packet("7h 3c")
    rig.packet("2d Jc")
    rig.key("devoiler")
    rig.run(500)
    rig.key("devoiler")
    same(rig.paid()[1, "five"], ("win", 500, 2000, 500))
    rig.key("fin")
    rig = _locked("four_card", (1, "ante", 1000), deal="packets")
    rig.packet("7c 7d 7h 7s 2c")
    rig.packet("Ac Qd 8h 5s 2h")
    rig.packet("Ah")
    same([[row[0] for row in fields["hands"]] for fields in rig.named("reveal")], [[8]])
    _close(rig, (1, "play", 3000))
    same(rig.paid()[1, "play"], ("win", 3000, 3000, 3000))
    rig.key("fin")
    return rig


def judged() -> Rig:
    """No reader: the decisions open with the confirmation, and the dealer says how each bet has ended."""
    rig = _locked("three_card", *ANTES, (2, "pair_plus", 500), deal="none", gate_after="key")
    same((rig.state(), rig.ports.gate.open, rig.seat(1), rig.seat(2)), ("deciding", False, "deciding", "deciding"))
    same([row[:3] for row in rig.named("deal")[0]["hands"]], [(1, 0, 1), (2, 0, 1), (0, 0, 0)])
    same(rig.judge(1, "play", "win"), False)  # nothing lies there yet
    _close(rig, (1, "play", 1000))
    same((rig.state(), rig.seat(1), rig.seat(2), rig.paid()), ("settling", "in", "folded", {}))
    rig.key("fin")
    same(rig.judge(1, "extra", "win", 4), True)
    same(rig.judge(1, "ante", "lose", 0), True)
    same(rig.judge(1, "play", "lose", 0), True)
    same(rig.paid()[1, "ante"], ("lose", 1000, 0, 0))
    same(rig.paid()[1, "extra"], ("win", 0, 4000, 0))
    same((rig.seat(1), rig.seat(2)), ("done", "folded"))
    same(rig.judge(2, "pair_plus", "win", 6), True)
    same(rig.paid()[2, "pair_plus"], ("win", 500, 3000, 500))
    same(rig.paid()[2, "ante"], ("forfeit", 1000, 0, 0))
    rig.key("fin")
    same((rig.state(), rig.kinds()), ("betting", []))
    return rig


def keyed_hands() -> Rig:
    """Hands keyed when they lie open, and not before: the articles say what is due."""
    rig = _locked("three_card", *ANTES, deal="none")
    same(rig.hand(1, "7c 7d 2h"), False)
    _close(rig, (1, "play", 1000), (2, "play", 1000))
    same((rig.hand(0, "Qs 3c 2d"), rig.hand(1, "7c 7d 2h"), rig.hand(1, "8c 8d 2s")), (True, True, False))
    same(rig.paid()[1, "play"], ("win", 1000, 1000, 1000))
    same((rig.hand(2, "7c 4d 5h"), rig.hand(2, ""), rig.hand(9, "2c"), rig.hand(3, "2c")), (False, False, False, False))
    same(rig.hand(2, "2c 4d 5h"), True)
    same(rig.paid()[2, "play"], ("lose", 1000, 0, 0))
    same([row[0] for fields in rig.named("keyed_hands") for row in fields["hands"]], [0, 1, 2])
    rig.key("fin")
    same(rig.state(), "betting")
    return rig


def keyed_hand_without_the_right() -> Rig:
    """Fou du poker: the keyed hand gives no right to three times the ante."""
    rig = _locked("crazy_four", (1, "ante", 1000), (1, "super_bonus", 1000), deal="none")
    _close(rig, (1, "play", 3000))
    rig.hand(0, "Ah Qd 9h 5s 3d")
    rig.hand(1, "Kc Kd 3h 4s 9c")
    same((rig.kinds(), rig.seat(1)), ([("play_too_high", 2)], "held"))
    rig.supervisor(rig.issue("play_too_high"), "valid")
    same(rig.paid()[1, "play"], ("win", 1000, 1000, 1000))
    rig.key("fin")
    return rig


def bataille_judged() -> Rig:
    """The dealer names the equal seats, then says that the deal is done; wars and surrenders as everywhere."""
    rig = _locked(
        "bataille", (1, "initial", 1000), (1, "tie", 500), (2, "initial", 1000), (3, "initial", 1000),
        seats=(1, 2, 3), deal="none",
    )  # fmt: skip
    same((rig.state(), rig.ports.gate.open), ("locked", False))
    same(
        (rig.by_hand.name_equal(1), rig.by_hand.name_equal(2), rig.by_hand.name_equal(2), rig.by_hand.name_equal(7)),
        (True, True, True, False),
    )
    rig.by_hand.name_equal(3)
    rig.key("devoiler")
    same((rig.state(), rig.seat(1), rig.seat(2), rig.seat(3)), ("deciding", "deciding", "in", "deciding"))
    same(rig.by_hand.name_equal(2), False)
    same(rig.paid()[1, "tie"], ("win", 500, 5000, 500))
    rig.judge(2, "initial", "lose", 0)
    same(rig.paid()[2, "initial"], ("lose", 1000, 0, 0))
    rig.key("abandon")
    rig.key("p3")
    same(rig.paid()[3, "initial"], ("forfeit", 1000, 0, 500))
    _close(rig, (1, "additional", 1000))
    same((rig.state(), rig.seat(1)), ("settling", "in"))
    rig.judge(1, "initial", "win")
    rig.judge(1, "additional", "push", 0)
    same(rig.paid()[1, "additional"], ("push", 1000, 0, 1000))
    rig.key("fin")
    same((rig.state(), rig.kinds()), ("betting", []))
    return rig


def bataille_keyed() -> Rig:
    """Cards that lie open are keyed as they are dealt: who is equal follows, and the wars' cards in their turn."""
    rig = _locked("bataille", (1, "initial", 1000), (2, "initial", 1000), deal="none")
    for number, card in ((1, "9c"), (2, "Kd"), (0, "9s")):
        same(rig.hand(number, card), True)
    rig.key("devoiler")
    same((rig.seat(1), rig.seat(2), rig.paid()[2, "initial"][0]), ("deciding", "done", "win"))
    _close(rig, (1, "additional", 1000))
    same((rig.hand(9, "4c"), rig.hand(17, "4d")), (True, True))
    same(rig.paid()[1, "additional"], ("win", 1000, 1000, 1000))
    rig.key("fin")
    same(rig.state(), "betting")
    return rig


def bataille_nobody_equal() -> Rig:
    """Nobody is named: the seats are judged, and FIN ends the round."""
    rig = _locked("bataille", (1, "initial", 1000), deal="none")
    rig.key("devoiler")
    same(rig.state(), "settling")
    rig.judge(1, "initial", "win")
    rig.key("fin")
    same(rig.state(), "betting")
    return rig


def judged_in_stages() -> Rig:
    """3-5-7: three reveals, and after each the bets that are due."""
    rig = _locked("poker_357", (1, "three", 500), (1, "five", 500), (1, "seven", 500), deal="none")
    rig.key("devoiler")
    rig.run(500)
    rig.judge(1, "three", "lose", 0)
    same(rig.paid(), {(1, "three"): ("lose", 500, 0, 0)})
    rig.key("devoiler")
    rig.judge(1, "five", "win", 4)
    rig.key("devoiler")
    rig.judge(1, "seven", "win", 2)
    same(rig.paid()[1, "seven"], ("win", 500, 1000, 500))
    rig.key("fin")
    same(rig.state(), "betting")
    return rig


def boston_judged() -> Rig:
    """No second deal is seen, nor waited for."""
    rig = _locked("boston", (1, "ante", 500), (1, "first", 1000), deal="none")
    _close(rig, (1, "second", 1000))
    same(rig.state(), "revealing")
    rig.key("devoiler")
    for bet in ("ante", "first", "second"):
        rig.judge(1, bet, "lose", 0)
    same(rig.paid()[1, "second"], ("lose", 1000, 0, 0))
    rig.key("fin")
    return rig


def no_reader_no_edge() -> Rig:
    """A bet that the first card locks cannot be locked where nobody sees the first card."""
    try:
        Rig(game=games.load("bataille"), decks=6, deal="none")
    except TableError as error:
        same(error.code, "no_edge")
    else:
        raise AssertionError("a table without a reader takes a bet that the first card locks")
    return Rig()


def _discarding() -> Rig:
    """A round of Three Card Poker that is settled, at a table whose discard has an antenna."""
    rig = Rig(discard=6)
    rig.dealt_round((1, "ante", 1000), (2, "ante", 1000))
    _close(rig, (1, "play", 1000), (2, "play", 1000))
    same(rig.state(), "settling")
    return rig


def _back(rig: Rig, names: str) -> None:
    """These cards, and no others, lie in the discard; `?` is one of no pack."""
    rig.table.discarded(bytes([255 if name == "?" else card_from_name(name) for name in names.split()]))
    rig.run(1000)


def switched_card() -> Rig:
    """A card comes back that was not dealt: its hand is told, and two people answer for it before the round ends."""
    rig = _discarding()
    _back(rig, "7c 7d 2h")
    same(rig.kinds(), [])
    _back(rig, "7c 7d 2h 2c 3d")
    same(rig.kinds(), [])
    _back(rig, "7c 7d 2h 2c 3d Kh")
    same(rig.kinds(), [("hand_differs", 2)])
    same(codes.place_seat(rig.named("irregularity")[0]["place"]), 1)
    _back(rig, "7c 7d 2h 2c 3d Kh Qs 3c 2d")
    rig.key("fin")
    same((rig.state(), len(rig.kinds())), ("settling", 1))
    rig.ruled_by_two(rig.issue("hand_differs"), "cleared")
    rig.key("fin")
    same(rig.state(), "betting")
    return rig


def discard_incomplete() -> Rig:
    """Missing cards are asked for once; who still keeps one is told, and the dealer's missing card stops the table."""
    rig = _discarding()
    _back(rig, "7c 7d 2h 2c 3d 5h Qs 3c")
    rig.key("fin")
    same((rig.state(), rig.prompts()[-1][0], faults(rig)), ("settling", "discard", []))
    rig.key("fin")
    same((rig.state(), faults(rig)), ("suspended", ["wrong_count"]))
    rig.supervisor(rig.issue("wrong_count"), "cleared")
    rig.key("fin")
    same((rig.state(), rig.kinds()), ("betting", []))
    return rig


def discard_of_the_next_round() -> Rig:
    """A round without an irregularity, then one whose player keeps his cards: nothing is left over from the first."""
    rig = _discarding()
    _back(rig, "2c 3d 5h 7c 7d 2h Qs 3c 2d")
    rig.key("fin")
    same((rig.state(), rig.kinds(), faults(rig)), ("betting", [], []))
    for seat in (1, 2):
        for chip in list(rig.on[rig.antenna(seat, "play")]):
            rig.lift(chip)
    rig.run(1000)
    rig.rnvp()
    rig.run(400)
    rig.deal("2c 3d 5h 7c 7d 2h Qs 3c 2d")
    _close(rig, (1, "play", 1000), (2, "play", 1000))
    _back(rig, "7c 7d 2h Qs 3c 2d ?")
    same(rig.kinds(), [])  # nobody knows yet whose it is
    rig.key("fin")
    same((rig.prompts()[-1][0], rig.kinds()), ("discard", []))
    rig.key("fin")
    same(rig.kinds(), [("hand_differs", 2)])
    rig.ruled_by_two(rig.issue("hand_differs"), "cleared")
    rig.key("fin")
    same(rig.state(), "betting")
    return rig


ALL = (
    switched_card,
    discard_incomplete,
    discard_of_the_next_round,
    packets,
    packets_of_the_other_deck,
    packets_of_a_wrong_size,
    unread_in_a_packet,
    packet_too_soon,
    packets_of_a_second_deal,
    packets_split_by_the_plan,
    judged,
    keyed_hands,
    keyed_hand_without_the_right,
    bataille_judged,
    bataille_keyed,
    bataille_nobody_equal,
    judged_in_stages,
    boston_judged,
    no_reader_no_edge,
)
