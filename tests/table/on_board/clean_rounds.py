"""Rounds without an irregularity, each a function that returns the table it was played on. Entry point: `ALL`."""

from sabot.wire import codes
from tests.table.on_board.rig import Rig, same


def clean_round() -> Rig:
    """Seat 1 plays and loses to a better high card, seat 2 plays its pair and wins."""
    rig = Rig()
    rig.dealt_round((1, "ante", 1000), (2, "ante", 1000), (2, "pair_plus", 500))
    same(rig.state(), "deciding")
    rig.put(1, "play", 1000)
    rig.put(2, "play", 1000)
    rig.run(2000)
    rig.key("devoiler")
    rig.run(500)
    same(rig.state(), "settling")
    same(rig.paid()[1, "ante"], ("lose", 1000, 0, 0))
    same(rig.paid()[1, "play"], ("lose", 1000, 0, 0))
    same(rig.paid()[2, "ante"], ("win", 1000, 1000, 1000))
    same(rig.paid()[2, "pair_plus"], ("win", 500, 500, 500))
    rig.key("fin")
    same(rig.state(), "betting")
    same(rig.kinds(), [])
    same(
        [record["name"] for record in rig.records],
        ["table", "table", "lock", "confirmed", "deal", "key", "decisions", "reveal", "settlement", "round_end"],
    )
    return rig


def pair_plus_alone() -> Rig:
    """A seat without an ante has nothing to decide, and is settled on its cards."""
    rig = Rig()
    rig.dealt_round((1, "pair_plus", 1000), cards="7c 7d 2h Qs 3c 2d")
    same(rig.seat(1), "in")
    rig.key("devoiler")
    rig.run(300)
    same(rig.paid(), {(1, "pair_plus"): ("win", 1000, 1000, 1000)})
    rig.key("fin")
    return rig


def folds() -> Rig:
    """Seat 1 folds by its key and seat 2 by leaving its spot empty; seat 2's side bet lives."""
    rig = Rig()
    rig.dealt_round((1, "ante", 1000), (2, "ante", 2000), (2, "pair_plus", 500))
    rig.key("abandon")
    rig.key("p1")
    rig.run(1000)
    rig.key("devoiler")
    rig.run(300)
    same(rig.seat(1), "done")
    same(rig.paid()[1, "ante"], ("forfeit", 1000, 0, 0))
    same(rig.paid()[2, "ante"], ("forfeit", 2000, 0, 0))
    same(rig.paid()[2, "pair_plus"], ("win", 500, 500, 500))
    same([row[0] for row in rig.named("reveal")[0]["hands"]], [0, 2])
    rig.key("fin")
    return rig


def folded_ante_is_taken_away() -> Rig:
    """The dealer takes a folded ante at once: no alarm, only the change."""
    rig = Rig()
    ante = rig.dealt_round()[0]
    rig.key("abandon")
    rig.key("p1")
    rig.lift(ante)
    rig.run(7000)
    same(rig.kinds(), [])
    same(len(rig.named("change")), 1)
    rig.put(2, "play", 1000)
    rig.run(1000)
    rig.key("devoiler")
    rig.run(300)
    rig.key("fin")
    return rig


def several_rounds() -> Rig:
    """Chips that stay are the next round's bets."""
    rig = Rig()
    for _ in range(3):
        rig.put(1, "ante", 500)
        rig.run(1000)
        rig.rnvp()
        rig.run(400)
        rig.deal("As Ks Qd 2c 3d 5h")
        play = rig.put(1, "play", rig.locked(1, "ante"))
        rig.run(500)
        rig.key("devoiler")
        rig.run(300)
        rig.lift(play)
        rig.run(300)
        rig.key("fin")
        rig.run(300)
    same([fields["round"] for fields in rig.named("round_end")], [1, 2, 3])
    same([fields["spots"][0] for fields in rig.named("lock")], [(16, 500), (16, 1000), (16, 1500)])
    return rig


def second_announcement_closes() -> Rig:
    """RNVP closes the decisions, DEVOILER then shows the dealer's hand."""
    rig = Rig(close_by="key")
    rig.dealt_round()
    rig.key("devoiler")
    same(rig.state(), "deciding")
    rig.put(1, "play", 1000)
    rig.run(500)
    rig.rnvp()
    rig.rnvp()
    rig.run(300)
    same(rig.state(), "revealing")
    same(rig.named("decisions")[0]["seats"], [(1, 1), (2, 2)])
    rig.key("devoiler")
    same(rig.state(), "settling")
    rig.key("fin")
    notes = [(fields["key"], codes.KEY_NOTES[fields["note"]]) for fields in rig.named("key")]
    same(notes, [(12, "elsewhere"), (1, "none"), (1, "elsewhere")])
    return rig


ALL = (clean_round, pair_plus_alone, folds, folded_ante_is_taken_away, several_rounds, second_announcement_closes)
