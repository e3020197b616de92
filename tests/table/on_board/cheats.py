"""Hands that try their luck at the edges: just before a settlement, one chip in two bets, one card asked after."""

from sabot.wire import codes
from sabot.wire.codes import KEY_NOTES
from tests.table.on_board.rig import Rig, same

ONE_SEAT = "2c 3d 5h Qs 3c 2d"


def added_just_before_the_settlement() -> Rig:
    """Too short a time for the dwell before the dealer shows his hand: told, and ruled, before the seat is settled."""
    rig = Rig()
    rig.dealt_round((1, "ante", 2500), (2, "ante", 1000))
    rig.put(1, "play", 2500)
    rig.run(1000)
    rig.put(1, "ante", 10000)
    rig.put(1, "pair_plus", 500)
    rig.run(300)
    rig.key("devoiler")
    rig.run(400)
    same(len(rig.named("settlement")), 1)
    rig.put(2, "ante", 1000)  # after the settlement: that is how a dealer pays
    rig.run(2000)
    same(sorted(rig.kinds()), [("capped", 2), ("late", 2)])
    same(len(rig.named("settlement")), 1)
    rig.key("fin")
    same(rig.state(), "settling")
    same(rig.supervisor(rig.issue("capped"), "refused"), True)
    same(rig.supervisor(rig.issue("late"), "refused"), True)
    same(rig.paid()[1, "ante"][1], 2500)
    rig.key("fin")
    return rig


def added_as_the_seats_are_settled() -> Rig:
    """Laid down before the settlement and seen after it: nobody is paid so soon. Whatever is ruled, that is settled."""
    for word in ("refused", "valid"):
        rig = Rig(close_by="key")
        rig.dealt_round((1, "ante", 2500), cards=ONE_SEAT)
        rig.put(1, "play", 2500)
        rig.run(1000)
        rig.rnvp()
        rig.run(500)
        rig.until_just_visited(1, "ante")
        rig.put(1, "ante", 10000)
        rig.run(20)
        rig.key("devoiler")
        same((rig.state(), rig.table.status()["spots"][0]["seen"]), ("settling", 2500))
        rig.run(3000)
        same(rig.kinds(), [("capped", 2)])
        rig.supervisor(rig.issue("capped"), word)
        same((rig.named("resolved")[0]["amount"], rig.paid()[1, "ante"][1]), (2500, 2500))
        rig.key("fin")
    return rig


def paid_as_the_seats_are_settled() -> Rig:
    """A payment whose interval contains the settlement: by its value it is no bet; anything else may be one."""
    for cents, kinds in ((2500, []), (2000, [("capped", 2)]), (5000, []), (7500, [("capped", 2)])):
        rig = Rig(close_by="key")
        rig.dealt_round((1, "ante", 2500), cards="7c 7d 2h Qs 3c 2d")
        rig.put(1, "play", 2500)
        rig.run(1000)
        rig.rnvp()
        rig.run(500)
        changes = len(rig.named("change"))
        rig.until_just_visited(1, "ante")
        rig.key("devoiler")
        same(rig.paid()[1, "ante"], ("win", 2500, 2500, 2500))
        rig.run(20)
        rig.put(1, "ante", cents - 500)
        rig.put(1, "ante", 500)
        rig.run(3000)
        same((cents, rig.kinds()), (cents, kinds))
        same(len(rig.named("change")) - changes, 0 if kinds else 1)
        if kinds:
            rig.supervisor(rig.issue("capped"), "refused")
        rig.key("fin")
        same(rig.state(), "betting")
    return rig


def over_the_spot_at_the_settlement() -> Rig:
    """A hand with chips passes while the seat is settled: nothing was meant by it."""
    rig = Rig()
    rig.dealt_round((1, "ante", 2500), cards=ONE_SEAT)
    rig.put(1, "play", 2500)
    rig.run(1000)
    chip = rig.put(1, "ante", 10000)
    rig.run(200)
    rig.key("devoiler")
    rig.run(150)
    rig.lift(chip)
    rig.run(3000)
    same(rig.kinds(), [])
    rig.key("fin")
    return rig


def played_with_the_chips_of_the_ante() -> Rig:
    """The same chips cannot be two bets: the seat waits for the supervisor, however soon the dealer shows his hand."""
    for before_ms in (1500, 300):
        rig = Rig()
        chips = rig.dealt_round((1, "ante", 1000), cards=ONE_SEAT)
        rig.lift(chips[0])
        rig.run(400)
        rig.put(1, "play", 1000, chips[0])
        rig.run(before_ms)
        rig.key("devoiler")
        rig.run(300)
        same((rig.seat(1), rig.paid()), ("held", {}))
        same(rig.kinds()[-1], ("moved", 2))
        same(rig.supervisor(rig.issue("moved"), "refused"), True)
        same((rig.locked(1, "ante"), rig.locked(1, "play")), (1000, 0))
        same(rig.supervisor(rig.issue("relation"), "void"), True)
        same(rig.seat(1), "out")
        rig.key("fin")
    return rig


def _play_taken_away(word: str, amount: int = 0) -> Rig:
    """What was counted as the play was the ante's, and was refused; `word` answers what the play is then."""
    rig = Rig()
    chips = rig.dealt_round((1, "ante", 1000), cards=ONE_SEAT)
    rig.lift(chips[0])
    rig.run(400)
    rig.put(1, "play", 1000, chips[0])
    rig.run(1500)
    rig.key("devoiler")
    rig.run(300)
    rig.supervisor(rig.issue("moved"), "refused")
    asked = rig.named("irregularity")[-1]
    same((asked["before"], asked["after"]), (0, 1000))
    same(rig.supervisor(rig.issue("relation"), word, amount), True)
    same(rig.table.status()["issues"], [])
    rig.key("fin")
    same(rig.state(), "idle")
    return rig


def play_taken_away_and_folded() -> Rig:
    """Refused: no play stands, so the seat has folded."""
    rig = _play_taken_away("refused")
    same(rig.paid(), {(1, "ante"): ("forfeit", 1000, 0, 0)})
    return rig


def play_taken_away_and_made_good() -> Rig:
    """Valid: the player makes the play good with chips of his own."""
    rig = _play_taken_away("valid")
    same(rig.paid(), {(1, "ante"): ("lose", 1000, 0, 0), (1, "play"): ("lose", 1000, 0, 0)})
    return rig


def play_taken_away_and_keyed() -> Rig:
    """The same with the amount keyed."""
    rig = _play_taken_away("keyed", 1000)
    same(rig.paid()[1, "play"], ("lose", 1000, 0, 0))
    return rig


def cloned_before_the_lock() -> Rig:
    """Two chips of one UID lie there when the bets are locked: both seats wait, either bet can be refused."""
    rig = Rig()
    chip = rig.put(1, "ante", 2500)
    rig.put(2, "ante", 2500, chip)
    rig.run(1000)
    rig.rnvp()
    rig.run(1000)
    same(rig.kinds(), [("clone", 2), ("clone", 2)])
    rig.deal("2c 3d 5h 7c 7d 2h Qs 3c 2d")
    rig.put(1, "play", 2500)
    rig.put(2, "play", 2500)
    rig.run(1000)
    rig.key("devoiler")
    rig.run(500)
    same((rig.seat(1), rig.seat(2), rig.paid()), ("held", "held", {}))
    first, second = [issue["id"] for issue in sorted(rig.table.status()["issues"], key=lambda issue: issue["place"])]
    same(rig.supervisor(first, "refused"), True)
    same(rig.named("resolved"), [])  # two people rule on a cloned chip: the dealer has not answered yet
    rig.key("non")
    rig.run(500)
    same(rig.seat(1), "held")
    rig.ruled_by_two(first, "refused")
    rig.ruled_by_two(second, "valid")
    dealer = codes.ROLES.index("dealer")
    same([row["by"] for row in rig.named("seconded")], [0, dealer, dealer])
    same((rig.locked(1, "ante"), rig.paid()[2, "ante"][1]), (0, 2500))
    rig.run(500)
    for issue in rig.table.status()["issues"]:
        rig.ruled_by_two(issue["id"], "void")
    rig.key("fin")
    return rig


def cloned_for_the_play() -> Rig:
    """The ante stays where it is, and its double is the play."""
    rig = Rig()
    chips = rig.dealt_round((1, "ante", 2500), cards=ONE_SEAT)
    rig.put(1, "play", 2500, chips[0])
    rig.run(1500)
    rig.key("devoiler")
    rig.run(500)
    same(rig.kinds(), [("clone", 2), ("clone", 2)])
    same((rig.seat(1), rig.paid()), ("held", {}))
    for issue in rig.table.status()["issues"]:
        rig.ruled_by_two(issue["id"], "valid")
    same(rig.paid()[1, "play"][1], 2500)
    rig.key("fin")
    return rig


def pressed_before_it_could_be_read() -> Rig:
    """The dealer answers what he has read, not the ruling to second that is asked as his finger falls."""
    rig = Rig()
    rig.locked_round((1, "ante", 1000), (2, "ante", 1000))
    rig.put(1, "pair_plus", -2)
    rig.put(2, "pair_plus", -3)
    rig.run(1000)
    foreign, forged = rig.issue("foreign"), rig.issue("bad_mac")
    same(rig.supervisor(forged, "refused"), True)
    rig.run(60)
    rig.key("non")
    same([(row["id"], row["by"]) for row in rig.named("resolved")], [(foreign, codes.ROLES.index("dealer"))])
    same(rig.named("seconded"), [])
    rig.run(200)
    rig.key("oui")
    same([row["id"] for row in rig.named("resolved")], [foreign, forged])
    rig.void()
    return rig


def pressed_for_what_is_gone() -> Rig:
    """What was asked ends by itself as the finger falls: the key does not answer the next question."""
    rig = Rig()
    rig.locked_round((1, "ante", 1000), (2, "ante", 1000))
    chip = rig.put(1, "pair_plus", -2)
    rig.run(1000)
    rig.put(2, "pair_plus", -2)
    rig.run(1000)
    rig.lift(chip)
    while len(rig.table.status()["issues"]) > 1:
        rig.run(10)
    rig.key("oui")
    same((len(rig.named("key")), [row["by"] for row in rig.named("resolved")]), (1, [0]))
    rig.run(200)
    rig.key("oui")
    same(rig.table.status()["issues"], [])
    rig.void()
    return rig


def moved_and_soon_back_is_no_clone() -> Rig:
    """One chip from spot to spot and back, as fast as a hand goes, is on both for the scanner now and then."""
    rig = Rig()
    chips = rig.locked_round((1, "ante", 2500))
    for _ in range(3):
        rig.lift(chips[0])
        rig.run(60)
        rig.put(1, "pair_plus", 2500, chips[0])
        rig.run(60)
        rig.lift(chips[0])
        rig.run(60)
        rig.put(1, "ante", 2500, chips[0])
        rig.run(700)
    same([kind for kind, _ in rig.kinds() if kind == "clone"], [])
    rig.void()
    return rig


def more_chips_than_can_be_followed() -> Rig:
    """A chip for which there is no room lies there all the same: its spot is not taken as read."""
    rig = Rig()
    rig.table._core.ledger.capacity = 2
    rig.put(1, "ante", 500)
    rig.put(1, "ante", 500)
    rig.run(500)
    chip = rig.put(1, "pair_plus", 10000)
    rig.put(2, "ante", 1000)
    rig.run(1000)
    rig.rnvp()
    rig.run(5000)
    same((rig.table.status()["confirmed"], rig.ports.gate.open), (False, False))
    rig.run(7000)
    same([kind for kind in rig.kinds() if kind[1] == 2], [("transit", 2), ("transit", 2)])
    rig.void()
    rig.lift(chip)
    rig.run(1000)
    rig.rnvp()
    rig.run(12000)
    same([kind for kind in rig.kinds() if kind[1] == 2], [("transit", 2), ("transit", 2), ("transit", 2)])
    rig.void()
    return rig


def misdeal_asked_for_and_forgotten() -> Rig:
    """MALDONNE waits 10 s for its OUI, also when the counter of microseconds has gone round since."""
    rig = Rig()
    rig.locked_round((1, "ante", 1000))
    for minutes in (9, 18):
        rig.key("maldonne")
        pressed = rig.clock.now
        while rig.clock.now < pressed + minutes * 60000000 - 6000000:
            rig.clock.now += 50000
            rig.table.tick(rig.clock.ticks())
        rig.key("oui")
        same(rig.named("void"), [])
    rig.void()
    return rig


def a_key_that_does_not_rest() -> Rig:
    """Sixty records a minute say enough; the last of them says what is wrong."""
    rig = Rig()
    for _ in range(200):
        rig.table.glitch(rig.clock.ticks())
        rig.run(20)
    told = [KEY_NOTES[fields["note"]] for fields in rig.named("key")]
    same((len(told), told[0], told[-1]), (60, "glitch", "stuck"))
    rig.run(61000)
    rig.key("non")
    same(KEY_NOTES[rig.named("key")[-1]["note"]], "elsewhere")
    return rig


ALL = (
    added_just_before_the_settlement,
    added_as_the_seats_are_settled,
    paid_as_the_seats_are_settled,
    over_the_spot_at_the_settlement,
    played_with_the_chips_of_the_ante,
    play_taken_away_and_folded,
    play_taken_away_and_made_good,
    play_taken_away_and_keyed,
    cloned_before_the_lock,
    cloned_for_the_play,
    pressed_before_it_could_be_read,
    pressed_for_what_is_gone,
    moved_and_soon_back_is_no_clone,
    more_chips_than_can_be_followed,
    misdeal_asked_for_and_forgotten,
    a_key_that_does_not_rest,
)
