"""The dealer's menu, the supervisor's desk, and who has signed on, all by keys. Entry point: `ALL`."""

from sabot.wire import codes
from tests.table.on_board.rig import Rig, same

SEVEN = "7c 7d 2h Qs 3c 2d"  # a pair of sevens for the one seat, queen high for the dealer


def _finish(rig: Rig) -> None:
    rig.key("devoiler")
    rig.run(500)
    rig.key("fin")
    rig.run(300)


def _faults(rig: Rig) -> "list[str]":
    return [codes.kind_name(fields["kind"]) for fields in rig.named("card_fault")]


def toke_and_keyed_bet() -> Rig:
    """PLUS 2, seat, spot, amount, OUI: a tip; PLUS 3: a dead chip's bet. Neither leaves a record of its keys."""
    rig = Rig()
    rig.put(1, "ante", 2500)
    rig.put(1, "ante", 500)
    rig.run(1000)
    rig.keys("plus p2 p1 p1 p5 plus oui")  # 5.00
    same(rig.table.status()["menu"], {})
    rig.keys("plus p3 p2 p1 p1")
    same(rig.table.status()["menu"]["text"], "1")
    rig.keys("p5 non maldonne plus oui")  # 15, 1, 10, 1000: 10.00
    same(rig.kinds(), [("toke", 0), ("keyed_bet", 1)])
    rig.rnvp()
    rig.run(400)
    same((rig.locked(1, "ante"), rig.locked(2, "ante")), (2500, 1000))
    same(rig.named("key"), [])
    rig.void()
    return rig


def keyed_bet_above_the_dealers_limit() -> Rig:
    """What the dealer may not key, the supervisor keys through the same menu."""
    rig = Rig(keyed_cents=5000)
    same(rig.sign("supervisor", 7), True)
    rig.keys("plus p3 p1 p1 p6 plus plus oui")
    same((rig.table.status()["menu"]["step"], rig.kinds()), ("refused", []))
    rig.run(3100)
    same(rig.table.status()["menu"], {})
    rig.keys("superviseur plus p3 p1 p1 p6 maldonne maldonne maldonne oui")
    same(rig.kinds(), [("keyed_bet", 1)])
    same(codes.ROLES[rig.named("resolved")[0]["by"]], "supervisor")
    same(rig.table.status()["spots"][0]["seen"], 6000)
    return rig


def menu_is_left() -> Rig:
    """NON goes back, half a minute shuts the menu, and the announcement is never a digit of it."""
    rig = Rig()
    rig.put(1, "ante", 1000)
    rig.run(1000)
    rig.keys("plus p2 non")
    same(rig.table.status()["menu"], {})
    rig.keys("plus plus")
    same(rig.table.status()["menu"]["items"][0], "exposed")
    rig.run(31000)
    same(rig.table.status()["menu"], {})
    rig.keys("plus p3 p1 p1 p5")
    rig.rnvp()
    rig.run(400)
    same((rig.state(), rig.table.status()["menu"]), ("locked", {}))
    rig.keys("plus p7 oui")  # the announcement is withdrawn
    same((rig.state(), len(rig.named("unlock"))), ("betting", 1))
    rig.keys("plus devoiler")
    same(rig.state(), "last_bets")
    rig.keys("plus abandon")
    same([prompt[0] for prompt in rig.prompts()][-1], "language")
    return rig


def bet_seen_late() -> Rig:
    """The dealer saw it after his word and before his key: the supervisor says whether it was in time."""
    rig = Rig()
    rig.put(1, "ante", 1000)
    rig.put(2, "ante", 1000)
    rig.run(5000)
    late = rig.put(1, "ante", 5000)
    rig.run(600)
    rig.rnvp()
    rig.run(400)
    same((rig.locked(1, "ante"), rig.kinds()), (6000, []))
    rig.keys("plus p1 p1 p1")
    same(rig.kinds(), [("seen_late", 2)])
    told = rig.named("irregularity")[0]
    same((told["before"], told["after"], told["uids"]), (1000, 6000, [(rig.ports.chips.uid(late),)]))
    rig.deal("2c 3d 5h 7c 7d 2h Qs 3c 2d")
    rig.put(2, "play", 1000)
    rig.run(1000)
    rig.key("devoiler")
    rig.run(500)
    same((rig.seat(1), rig.seat(2)), ("held", "done"))
    same(rig.sign("supervisor", 7), True)
    rig.keys("superviseur non")
    same((rig.paid()[1, "ante"][1], rig.kinds()), (1000, [("seen_late", 2)]))
    rig.key("fin")
    return rig


def exchange_announced() -> Rig:
    """Chips of a bet are exchanged for others of the same value: a question, unless the dealer has said so before."""
    rig = Rig()
    chips = rig.dealt_round()
    rig.keys("plus p4 p1")
    rig.lift(chips[0])
    rig.put(1, "ante", 500)
    rig.put(1, "ante", 500)
    rig.run(7000)
    same((rig.kinds(), [fields["said"] for fields in rig.named("declared")]), ([("equal_swap", 0)], [6]))
    rig.lift(chips[1])
    rig.put(2, "ante", 500)
    rig.put(2, "ante", 500)
    rig.run(7000)
    same(rig.kinds(), [("equal_swap", 0), ("equal_swap", 1)])
    rig.key("oui")
    rig.keys("plus plus p3 p2 p4 plus plus oui")  # chips for 400.00 are sold
    same((rig.named("declared")[1]["amount"], rig.named("declared")[1]["place"]), (40000, 32))
    rig.void()
    return rig


def dispute_and_absence() -> Rig:
    """Both hold the seat; the desk shows the gravest first and walks through them."""
    rig = Rig()
    rig.dealt_round((1, "ante", 1000), (2, "ante", 1000))
    rig.put(2, "play", 1000)
    rig.keys("plus p6 p1 plus maldonne p2")
    same(rig.kinds(), [("dispute", 2), ("absent", 2)])
    rig.key("devoiler")
    rig.run(500)
    same((rig.seat(1), rig.seat(2)), ("held", "held"))
    rig.key("superviseur")
    same((codes.KEY_NOTES[rig.named("key")[-1]["note"]], rig.prompts()[-1][0]), ("called", "call_supervisor"))
    rig.sign("supervisor", 7)
    rig.keys("superviseur superviseur")
    same(rig.table.status()["menu"]["id"], 2)
    rig.keys("maldonne p1 oui")  # the absent player's bets go back
    same(rig.seat(2), "out")
    rig.keys("fin")
    same((rig.seat(1), rig.table.status()["menu"]), ("done", {}))
    rig.key("fin")
    same(rig.state(), "betting")
    return rig


def case_that_the_host_ends_at_the_desk() -> Rig:
    """What is on the desk is ruled from the host: the desk goes on to the next, and behind the last is left."""
    rig = Rig()
    rig.dealt_round((1, "ante", 1000), (2, "ante", 1000))
    rig.put(2, "play", 1000)
    rig.keys("plus p6 p1 plus maldonne p2")
    rig.sign("supervisor", 7)
    rig.keys("superviseur plus p5")  # an amount is being keyed
    same((rig.table.status()["menu"]["id"], rig.table.status()["menu"]["step"]), (1, "amount"))
    same(rig.supervisor(1, "cleared"), True)
    rig.run(100)
    same((rig.table.status()["menu"]["id"], rig.table.status()["menu"]["step"]), (2, "ruling"))
    rig.keys("non")  # what he read when he pressed was the first
    same([issue["id"] for issue in rig.table.status()["issues"]], [2])
    same(rig.supervisor(2, "cleared"), True)
    rig.run(100)
    same(rig.table.status()["menu"], {})
    return rig


def case_that_takes_another_s_place_at_the_desk() -> Rig:
    """The desk is at the next at once, the display is told, and a key counts for it when it can have been read."""
    rig = Rig()
    rig.dealt_round((1, "ante", 1000), (2, "ante", 1000))
    rig.put(2, "play", 1000)
    rig.keys("plus p6 p1 plus maldonne p2")
    rig.sign("supervisor", 7)
    rig.keys("superviseur")
    same(rig.supervisor(1, "cleared"), True)
    same(rig.table.status()["menu"]["id"], 2)
    for key in ("oui", "non", "fin", "maldonne", "plus", "superviseur"):
        rig.keys(key)
        same((rig.table.status()["menu"]["id"], rig.table.status()["menu"]["step"]), (2, "ruling"))
    rig.run(300)
    rig.keys("non")
    same((rig.table.status()["menu"], rig.table.status()["issues"]), ({}, []))
    return rig


def card_keyed_at_the_panel() -> Rig:
    """A card that could not be read: the supervisor keys its face at the desk, the dealer confirms it."""
    rig = Rig()
    rig.locked_round((1, "ante", 1000))
    rig.deal("7c 7d 2h Qs 3c")
    rig.table.card(-1, rig.clock.ticks())
    rig.sign("supervisor", 7)
    rig.keys("superviseur plus maldonne p2 p2 oui")  # 02, diamonds
    same((rig.state(), rig.table.status()["menu"]), ("suspended", {}))
    rig.key("oui")
    same(rig.state(), "deciding")
    rig.put(1, "play", 1000)
    rig.run(1000)
    _finish(rig)
    same(rig.paid()[1, "ante"], ("win", 1000, 1000, 1000))
    return rig


def void_at_the_panel() -> Rig:
    """MALDONNE at the desk, the reason, OUI: the round is void in the supervisor's name."""
    rig = Rig()
    rig.locked_round()
    rig.deal("2c")
    rig.sign("supervisor", 7)
    rig.keys("superviseur maldonne p2 oui")
    void = rig.named("void")[0]
    same((codes.VOID_REASONS[void["reason"]], codes.ROLES[void["by"]]), ("misdeal", "supervisor"))
    rig.keys("superviseur superviseur")
    rig.run(61000)
    same(rig.table.status()["menu"], {})
    return rig


def exposed_card_is_burned() -> Rig:
    """The house burns an exposed card; the next one takes its place."""
    rig = Rig()
    rig.locked_round((1, "ante", 1000))
    rig.deal("7c 9d")
    rig.keys("plus plus p1 p1")
    same((rig.state(), _faults(rig)), ("suspended", ["exposed"]))
    same(rig.supervisor(rig.issue("exposed"), "valid"), True)
    rig.deal("7d 2h Qs 3c 2d")
    rig.put(1, "play", 1000)
    rig.run(1000)
    _finish(rig)
    same(
        (rig.paid()[1, "ante"], rig.named("reveal")[0]["hands"][1][2]), (("win", 1000, 1000, 1000), bytes([20, 21, 2]))
    )
    return rig


def exposed_and_let_be() -> Rig:
    """By another house's table the card stays, the seat's hand is void, or the round."""
    rig = Rig(
        consequences={"exposed": "void_hand", "misplaced": "void_round", "foul_hand": "void_hand", "misdeal": "dealer"}
    )
    rig.locked_round()
    rig.deal("2c 3d 5h 7c")
    rig.keys("plus plus p1 p2")
    rig.supervisor(rig.issue("exposed"), "valid")
    same((rig.seat(2), rig.prompts()[-1][:2]), ("out", ("void_return", 2)))
    rig.keys("plus plus p1 p1")
    rig.supervisor(rig.issue("exposed"), "refused")  # no such word for a stop: nothing
    same(rig.state(), "suspended")
    rig.supervisor(rig.issue("exposed"), "cleared")  # it was none: play goes on
    rig.deal("Qs 3c 2d")
    rig.keys("plus p5 p1 maldonne")
    rig.supervisor(rig.issue("misplaced"), "valid")
    same((rig.state(), codes.VOID_REASONS[rig.named("void")[0]["reason"]]), ("betting", "house"))
    return rig


def hands_at_the_wrong_seats() -> Rig:
    """Two hands are exchanged after the deal: new commitments, and each is opened by its own."""
    rig = Rig()
    rig.dealt_round(cards="7c 7d 2h 2c 3d 5h Qs 3c 2d")
    rig.put(1, "play", 1000)
    rig.put(2, "play", 1000)
    rig.run(1000)
    rig.keys("plus p5 p1 p1")
    same(_faults(rig), [])  # one seat is no exchange
    rig.keys("plus p5 p1 p2")
    rig.sign("supervisor", 7)
    rig.keys("superviseur oui")
    same(([row[0] for row in rig.named("redealt")[0]["hands"]], rig.state()), ([1, 2], "deciding"))
    rig.key("devoiler")
    rig.run(500)
    same((rig.paid()[1, "play"][0], rig.paid()[2, "play"][0]), ("lose", "win"))
    rig.key("fin")
    return rig


def foul_hand() -> Rig:
    """A hand with a wrong number of cards: its bets go back, the others play on."""
    rig = Rig()
    rig.locked_round()
    rig.deal("2c 3d 5h 7c 7d")
    rig.keys("plus plus p2 p2")
    rig.supervisor(rig.issue("foul_hand"), "valid")
    same(rig.seat(2), "out")
    rig.deal("Qs 3c 2d")
    same(rig.state(), "deciding")
    rig.put(1, "play", 1000)
    rig.run(1000)
    _finish(rig)
    same((rig.state(), sorted(rig.paid())), ("betting", [(1, "ante"), (1, "play")]))
    return rig


def nobody_at_the_table() -> Rig:
    """Where dealers must sign on, the table does not open without one, and stops when one leaves and another acts."""
    rig = Rig(opened=False, sign_on="required")
    rig.key("fin")
    same((rig.state(), rig.prompts()[-1][0]), ("closed", "sign_on"))
    same(codes.KEY_NOTES[rig.named("key")[0]["note"]], "nobody")
    same(rig.sign("dealer", 0), False)
    same(rig.sign("dealer", 41), True)
    rig.key("fin")
    rig.put(1, "ante", 1000)
    rig.run(1000)
    same(rig.state(), "betting")
    same(rig.sign("dealer", 40, on=False), False)  # another than who is there
    same(rig.sign("dealer", 41, on=False), True)
    same((rig.state(), rig.prompts()[-1][0]), ("dealer_change", "sign_on"))
    rig.rnvp()
    same((rig.state(), _faults(rig), rig.named("lock")), ("suspended", ["nobody"], []))
    same(rig.sign("dealer", 42), False)
    rig.supervisor(rig.issue("nobody"), "cleared")
    same((rig.state(), rig.sign("dealer", 42), rig.state()), ("dealer_change", True, "betting"))
    rig.run(500)
    rig.rnvp()
    rig.run(400)
    same(rig.state(), "locked")
    rig.void()
    return rig


def relief_between_rounds_only() -> Rig:
    """The number of the dealer is in every record; he is relieved between rounds, never within one."""
    rig = Rig(sign_on="required", opened=False)
    rig.sign("dealer", 41)
    rig.key("fin")
    rig.locked_round((1, "ante", 1000))
    same((rig.sign("dealer", 42), rig.sign("dealer", 41, on=False)), (False, False))
    rig.deal(SEVEN)
    rig.put(1, "play", 1000)
    rig.run(1000)
    _finish(rig)
    same(rig.sign("dealer", 42), True)
    signed = [
        (record["dealer"], record["fields"]["id"], record["fields"]["on"])
        for record in rig.records
        if record["name"] == "signed"
    ]
    same(signed, [(41, 41, 1), (41, 41, 0), (42, 42, 1)])
    same([fields["trigger"] for fields in rig.named("table")][-2:], ["change_dealer", "dealer_changed"])
    same(
        (rig.sign("supervisor", 7), rig.sign("supervisor", 8, on=False), rig.sign("supervisor", 7, on=False)),
        (True, False, True),
    )
    return rig


def what_a_supervisor_leaves_open_is_shut() -> Rig:
    """Neither the desk nor a menu in his name stays open when he signs off."""
    rig = Rig()
    rig.locked_round((1, "ante", 1000))
    for keys, item in (("superviseur", "ruling"), ("superviseur plus", "")):
        rig.sign("supervisor", 7)
        rig.keys(keys)
        same(rig.table.status()["menu"]["item"], item)
        rig.sign("supervisor", 7, on=False)
        rig.run(200)
        same(rig.table.status()["menu"], {})
    rig.key("plus")
    rig.run(200)
    same(rig.table.status()["menu"]["step"], "item")
    return rig


def closed_by_the_menu() -> Rig:
    """The table is closed through the menu, once no bet lies on it."""
    rig = Rig()
    chip = rig.put(1, "ante", 1000)
    rig.run(1000)
    rig.keys("plus plus p4 oui")
    same(rig.state(), "betting")
    rig.lift(chip)
    rig.run(4000)
    rig.keys("plus plus p4 oui")
    same(rig.state(), "closed")
    return rig


ALL = (
    toke_and_keyed_bet, keyed_bet_above_the_dealers_limit, menu_is_left, bet_seen_late, exchange_announced,
    dispute_and_absence, case_that_the_host_ends_at_the_desk, case_that_takes_another_s_place_at_the_desk,
    card_keyed_at_the_panel, void_at_the_panel,
    exposed_card_is_burned, exposed_and_let_be, hands_at_the_wrong_seats, foul_hand, nobody_at_the_table,
    relief_between_rounds_only, what_a_supervisor_leaves_open_is_shut, closed_by_the_menu,
)  # fmt: skip
