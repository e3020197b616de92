"""Play bets and folds. Entry point: `ALL`, functions that return the table they were played on."""

from sabot.wire import codes
from tests.table.on_board.rig import Rig, same


def early_play() -> Rig:
    """A play bet before the seat's last card is a prompt, and counts at the close."""
    rig = Rig()
    rig.locked_round((1, "ante", 1000))
    rig.put(1, "play", 1000)
    rig.run(1000)
    same(rig.kinds(), [("early_play", 1)])
    rig.deal("7c 7d 2h Qs 3c 2d")
    same(rig.table.status()["issues"], [])
    rig.key("devoiler")
    rig.run(300)
    same(rig.paid()[1, "play"], ("win", 1000, 1000, 1000))
    rig.key("fin")
    return rig


def blind_play_before_the_lock() -> Rig:
    """A play bet that lies there before the lock is early too."""
    rig = Rig()
    rig.put(1, "play", 1000)
    rig.locked_round((1, "ante", 1000))
    rig.run(1000)
    same(rig.kinds(), [("early_play", 1)])
    rig.deal("7c 7d 2h Qs 3c 2d")
    rig.key("devoiler")
    rig.run(300)
    same(rig.paid()[1, "play"], ("win", 1000, 1000, 1000))
    rig.key("fin")
    return rig


def play_without_ante() -> Rig:
    """Pair plus alone has no play bet: a prompt, and the chip is no bet."""
    rig = Rig()
    rig.dealt_round((1, "pair_plus", 1000), cards="7c 7d 2h Qs 3c 2d")
    rig.put(1, "play", 1000)
    rig.run(1000)
    same(rig.kinds(), [("play_without_ante", 1)])
    rig.key("devoiler")
    rig.run(300)
    same(rig.paid(), {(1, "pair_plus"): ("win", 1000, 1000, 1000)})
    rig.key("fin")
    return rig


def free_until_the_close() -> Rig:
    """Chips laid down and taken back before the close leave no record."""
    rig = Rig()
    rig.dealt_round((1, "ante", 1000), cards="7c 7d 2h Qs 3c 2d")
    chip = rig.put(1, "play", 500)
    rig.run(1000)
    rig.lift(chip)
    rig.run(1000)
    rig.put(1, "play", 1000)
    rig.run(1000)
    rig.key("devoiler")
    rig.run(300)
    same((rig.kinds(), rig.named("change")), ([], []))
    same(rig.paid()[1, "play"], ("win", 1000, 1000, 1000))
    rig.key("fin")
    return rig


def play_too_high() -> Rig:
    """The excess over the ante goes back; the dealer says so with one key."""
    rig = Rig()
    rig.dealt_round((1, "ante", 1000), cards="7c 7d 2h Qs 3c 2d")
    rig.put(1, "play", 1500)
    rig.run(1000)
    rig.key("devoiler")
    rig.run(300)
    same(rig.kinds(), [("relation", 1)])
    same(rig.paid()[1, "play"], ("win", 1000, 1000, 1000))
    rig.key("oui")
    rig.key("fin")
    return rig


def play_too_high_beside_a_foreign_chip() -> Rig:
    """Two things are wrong with one spot at the close: both are told."""
    rig = Rig()
    rig.dealt_round((1, "ante", 1000), cards="7c 7d 2h Qs 3c 2d")
    rig.put(1, "play", 1500)
    rig.put(1, "play", -2)
    rig.run(1000)
    rig.key("devoiler")
    rig.run(300)
    same(rig.kinds(), [("foreign", 1), ("relation", 1)])
    same(rig.paid()[1, "play"], ("win", 1000, 1000, 1000))
    rig.key("fin")
    return rig


def _play_too_low() -> Rig:
    rig = Rig()
    rig.dealt_round()
    rig.put(1, "play", 600)
    rig.put(2, "play", 1000)
    rig.run(1000)
    rig.key("devoiler")
    rig.run(300)
    same(rig.kinds(), [("relation", 2)])
    same((rig.seat(1), rig.seat(2)), ("held", "done"))
    same([row[0] for row in rig.named("reveal")[0]["hands"]], [0, 2])
    return rig


def play_too_low_completed() -> Rig:
    """The supervisor lets the player complete the bet to the ante."""
    rig = _play_too_low()
    same(rig.supervisor(rig.issue("relation"), "valid"), True)
    same([row[0] for row in rig.named("reveal")[1]["hands"]], [1])
    same(rig.paid()[1, "play"], ("lose", 1000, 0, 0))
    rig.key("fin")
    same(rig.state(), "betting")
    return rig


def play_too_low_refused() -> Rig:
    """Refused: the chips go back and the seat has folded; its hand stays hidden."""
    rig = _play_too_low()
    same(rig.supervisor(rig.issue("relation"), "refused"), True)
    same(len(rig.named("reveal")), 1)
    same(rig.paid()[1, "ante"], ("forfeit", 1000, 0, 0))
    same((1, "play") in rig.paid(), False)
    rig.key("fin")
    return rig


def play_keyed_wrong_then_right() -> Rig:
    """A keyed amount that 67.28 does not allow is asked about again."""
    rig = _play_too_low()
    same(rig.supervisor(rig.issue("relation"), "keyed", 700), True)
    same(rig.seat(1), "held")
    same(rig.supervisor(rig.issue("relation"), "keyed", 1000), True)
    same(rig.paid()[1, "play"], ("lose", 1000, 0, 0))
    rig.key("fin")
    return rig


def folded_and_played() -> Rig:
    """A fold was keyed and chips lie there at the close: the supervisor says which it is."""
    rig = Rig()
    rig.dealt_round()
    rig.key("abandon")
    rig.key("p1")
    rig.put(1, "play", 1000)
    rig.run(1000)
    rig.key("devoiler")
    rig.run(300)
    same(rig.kinds(), [("relation", 2)])
    rig.supervisor(rig.issue("relation"), "valid")
    same(rig.paid()[1, "play"], ("lose", 1000, 0, 0))
    rig.key("fin")
    return rig


def fold_taken_back() -> Rig:
    """ABANDON and the seat's key once more, before the close, take the fold back."""
    rig = Rig()
    rig.dealt_round((1, "ante", 1000), cards="7c 7d 2h Qs 3c 2d")
    for _ in range(2):
        rig.key("abandon")
        rig.key("p1")
    rig.key("p1")
    rig.key("abandon")
    rig.key("p2")
    rig.put(1, "play", 1000)
    rig.run(1000)
    rig.key("devoiler")
    rig.run(300)
    same((rig.kinds(), rig.paid()[1, "play"][0]), ([], "win"))
    same([codes.KEY_NOTES[fields["note"]] for fields in rig.named("key")], ["elsewhere", "elsewhere", "none"])
    rig.key("fin")
    return rig


def doubtful_play() -> Rig:
    """A play bet around the close: in doubt; refused, the seat has folded."""
    rig = Rig()
    rig.dealt_round()
    rig.until_just_visited(1, "play")
    rig.put(1, "play", 1000)
    rig.run(1)
    rig.key("devoiler")
    rig.run(300)
    same(rig.kinds(), [("ambiguous", 1)])
    same((rig.seat(1), rig.seat(2)), ("held", "done"))
    rig.key("non")
    same(rig.paid()[1, "ante"], ("forfeit", 1000, 0, 0))
    rig.key("fin")
    return rig


def doubtful_play_accepted() -> Rig:
    """Yes: the seat plays."""
    rig = Rig()
    rig.dealt_round((1, "ante", 1000), cards="7c 7d 2h Qs 3c 2d")
    rig.until_just_visited(1, "play")
    rig.put(1, "play", 1000)
    rig.run(1)
    rig.rnvp()
    rig.run(300)
    same(rig.state(), "revealing")
    rig.key("oui")
    same(rig.seat(1), "in")
    rig.key("devoiler")
    same(rig.paid()[1, "play"], ("win", 1000, 1000, 1000))
    rig.key("fin")
    return rig


def late_play() -> Rig:
    """A play bet after the close of a seat that has folded is the next round's."""
    rig = Rig(close_by="key")
    rig.dealt_round()
    rig.put(2, "play", 1000)
    rig.run(500)
    rig.rnvp()
    rig.run(300)
    rig.put(1, "play", 1000)
    rig.put(2, "play", 1000)
    rig.run(1000)
    same(sorted(rig.kinds()), [("capped", 2), ("next_round", 1)])
    rig.key("devoiler")
    rig.supervisor(rig.issue("capped"), "refused")
    same(rig.paid()[2, "play"], ("win", 1000, 1000, 1000))
    rig.key("fin")
    return rig


def ante_refused_while_deciding() -> Rig:
    """The ante in doubt is refused after the seat's last card: pair plus goes on alone."""
    rig = Rig()
    rig.put(1, "pair_plus", 500)
    rig.run(1000)
    rig.until_just_visited(1, "ante")
    rig.put(1, "ante", 1000)
    rig.run(1)
    rig.rnvp()
    rig.run(400)
    rig.deal("7c 7d 2h Qs 3c 2d")
    same(rig.seat(1), "deciding")
    rig.key("non")
    same(rig.seat(1), "in")
    rig.key("devoiler")
    rig.run(300)
    same(rig.paid(), {(1, "pair_plus"): ("win", 500, 500, 500)})
    rig.key("fin")
    return rig


def ante_refused_while_dealing() -> Rig:
    """The same, before the dealer has his cards: the deal record tells that the seat does not decide."""
    rig = Rig()
    rig.put(1, "pair_plus", 500)
    rig.run(1000)
    rig.until_just_visited(1, "ante")
    rig.put(1, "ante", 1000)
    rig.run(1)
    rig.rnvp()
    rig.run(400)
    rig.deal("7c 7d 2h Qs")
    same(rig.seat(1), "deciding")
    rig.key("non")
    rig.deal("3c 2d")
    same(rig.named("deal")[0]["hands"][0][:3], (1, 3, 0))
    rig.key("devoiler")
    rig.run(300)
    same(rig.paid(), {(1, "pair_plus"): ("win", 500, 500, 500)})
    rig.key("fin")
    return rig


def _late_ante(cards: str, before: bool) -> Rig:
    """Pair plus alone, and an ante laid after the seat's last card, when so many of the dealer's cards have left.

    `before`: it is ruled before the close.
    """
    rig = Rig()
    rig.locked_round((1, "pair_plus", 500))
    rig.deal("7c 7d 2h " + cards)
    rig.put(1, "ante", 1000)
    rig.run(1000)
    same((rig.kinds(), rig.seat(1)), ([("late", 2)], "deciding"))
    if before:
        rig.supervisor(rig.issue("late"), "valid")
        same(rig.seat(1), "deciding")
    rig.deal("Qs 3c 2d"[len(cards) :])
    rig.put(1, "play", 1000)
    rig.run(1000)
    rig.key("devoiler")
    rig.run(300)
    if not before:
        same((rig.seat(1), rig.paid()), ("held", {}))
        rig.supervisor(rig.issue("late"), "valid")
    same((rig.kinds(), rig.seat(1)), ([("late", 2)], "done"))
    same((rig.paid()[1, "ante"], rig.paid()[1, "play"]), (("win", 1000, 1000, 1000), ("win", 1000, 1000, 1000)))
    rig.key("fin")
    return rig


def late_ante_while_dealing() -> Rig:
    """An ante that comes after the seat's last card and is allowed gives the decision that 67.28 asks for."""
    rig = _late_ante("", True)
    same(rig.named("deal")[0]["hands"][0][:3], (1, 3, 1))
    return rig


def late_ante_after_the_deal() -> Rig:
    """The same, when the deal record has said that the seat does not decide; the ruling comes after the close."""
    rig = _late_ante("Qs 3c 2d", False)
    same(rig.named("deal")[0]["hands"][0][:3], (1, 3, 0))
    same(rig.named("seat_state")[0], {"seat": 1, "trigger": "decide"})
    return rig


def late_ante_refused() -> Rig:
    """Refused, it gives none: the play bet beside it is none, and pair plus goes on alone."""
    rig = Rig()
    rig.dealt_round((1, "pair_plus", 500), cards="7c 7d 2h Qs 3c 2d")
    rig.put(1, "play", 1000)
    rig.run(1000)
    same(rig.kinds(), [("play_without_ante", 1)])
    rig.put(1, "ante", 1000)
    rig.run(1000)
    same((rig.seat(1), [issue["kind"] for issue in rig.table.status()["issues"]]), ("deciding", ["late"]))
    rig.supervisor(rig.issue("late"), "refused")
    same([fields["trigger"] for fields in rig.named("seat_state")], ["decide", "excuse"])
    rig.key("devoiler")
    rig.run(300)
    same(rig.paid(), {(1, "pair_plus"): ("win", 500, 500, 500)})
    rig.key("fin")
    return rig


ALL = (
    early_play,
    blind_play_before_the_lock,
    play_without_ante,
    free_until_the_close,
    play_too_high,
    play_too_high_beside_a_foreign_chip,
    play_too_low_completed,
    play_too_low_refused,
    play_keyed_wrong_then_right,
    folded_and_played,
    fold_taken_back,
    doubtful_play,
    doubtful_play_accepted,
    late_play,
    ante_refused_while_deciding,
    ante_refused_while_dealing,
    late_ante_while_dealing,
    late_ante_after_the_deal,
    late_ante_refused,
)
