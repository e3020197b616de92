"""Records come before what they tell of can be seen, and nothing shows a face-down card."""

from collections.abc import Callable
from typing import Any

import pytest

from sabot.rules import games
from sabot.rules.bets import bet_named
from sabot.wire import codes
from tests.table.on_board.rig import Rig
from tests.table.on_board.scenarios import ALL


def first(log: list[Any], wanted: Callable[[Any], bool]) -> int:
    return next(position for position, entry in enumerate(log) if wanted(entry))


def is_record(name: str) -> Callable[[Any], bool]:
    return lambda entry: entry[0] == "record" and entry[1] == name


@pytest.mark.parametrize("scenario", ALL, ids=[scenario.__name__ for scenario in ALL])
def test_payment_gate_and_returns_follow_their_records(scenario: Callable[[], Rig]) -> None:
    confirmed = voided = settled = stopped = 0
    rig = scenario()
    for entry in rig.log:
        if entry[0] == "record":
            confirmed += entry[1] in ("confirmed", "confirmed_part")
            voided += entry[1] in ("void", "confirmed", "confirmed_part", "seat_state")
            settled += entry[1] == "settlement"
            stopped += entry[1] in ("irregularity", "card_fault", "fault")
        elif entry == ("gate", True) and rig.config.gate_after == "confirm":
            assert confirmed
        elif entry[0] == "prompt":
            kind = codes.PROMPTS[entry[1]]
            assert settled or kind not in ("pay", "take", "push")
            assert voided or kind != "void_return"
            assert stopped or kind not in ("do_not_pay", "call_supervisor", "early", "next_round")


def test_the_gate_follows_the_confirmation() -> None:
    rig = Rig()
    rig.locked_round()
    assert first(rig.log, is_record("confirmed")) < first(rig.log, lambda entry: entry == ("gate", True))


def test_the_gate_by_the_key_follows_the_committed_lock() -> None:
    rig = Rig(gate_after="key")
    rig.put(1, "ante", 1000)
    rig.run(1000)
    red: list[tuple[bool, bool]] = []
    rig.ports.lamps.hook = lambda: red.append((rig.ports.journal.committed(), rig.ports.gate.open))
    rig.rnvp()
    assert red[0] == (True, False)
    assert rig.ports.gate.open


@pytest.mark.parametrize("announcement", ["lock", "close"])
def test_the_record_is_committed_when_the_lamps_turn_red(announcement: str) -> None:
    rig = Rig()
    committed: list[bool] = []
    if announcement == "lock":
        rig.put(1, "ante", 1000)
        rig.run(1000)
    else:
        rig.dealt_round()
    rig.ports.lamps.hook = lambda: committed.append(rig.ports.journal.committed())
    rig.rnvp()
    rig.ports.lamps.hook = None
    assert committed[0] is True
    places = (16, 17, 32, 33) if announcement == "lock" else (18, 34)
    assert [rig.ports.lamps.spots[place] for place in places] == [codes.LAMP_LOCKED] * len(places)


def test_a_storage_fault_leaves_the_lamps_as_they_are() -> None:
    rig = Rig()
    rig.put(1, "ante", 1000)
    rig.run(1000)
    before = dict(rig.ports.lamps.spots)

    def broken(prepared: object, ticks: int) -> None:
        raise OSError("storage")

    rig.ports.journal.commit = broken  # type: ignore[method-assign]
    with pytest.raises(OSError, match="storage"):
        rig.rnvp()
    assert rig.ports.lamps.spots == before
    assert rig.state() == "betting"
    assert rig.locked(1, "ante") == 0


def watched(cards: str, keyed: str = "") -> tuple[list[Any], list[Any]]:
    """What can be seen and read of a round up to the reveal, and after it."""
    rig = Rig()
    rig.locked_round((1, "ante", 1000), (1, "pair_plus", 500), (2, "ante", 1000))
    names = cards.split()
    for name in names:
        if name == keyed:
            rig.table.card(-1, rig.clock.ticks())
            number = rig.issue("unread_card")
            assert rig.table.resolve(number, codes.RESOLUTIONS.index("keyed"), 12 + names.index(name), 2)
            rig.key("oui")
        else:
            rig.card(name)
        rig.run(300)
    rig.put(1, "play", 1000)
    rig.run(1000)
    rig.key("abandon")
    rig.key("p2")
    rig.rnvp()
    rig.run(500)
    until = len(rig.log)
    rig.key("devoiler")
    return rig.log[:until], rig.log[until:]


def veiled(log: list[Any]) -> list[Any]:
    """The same without what a commitment hides."""
    seen = []
    for entry in log:
        if is_record("deal")(entry):
            entry = ("deal", [(seat, cards, decides) for seat, cards, decides, _ in entry[2]["hands"]])
        seen.append(entry)
    return seen


@pytest.mark.parametrize("keyed", ["", "2h", "9h"])
def test_nothing_depends_on_a_face_down_card(keyed: str) -> None:
    low = watched("2c 3d 5h 7c 7d 9h Qs 3c 2d" if keyed == "9h" else "2c 3d 5h 7c 7d 2h Qs 3c 2d", keyed)
    high = watched("Ac Kc Qc 2c 4d 9h As Ks Ad" if keyed == "9h" else "Ac Kc Qc 2c 4d 2h As Ks Ad", keyed)
    assert veiled(low[0]) == veiled(high[0])
    assert low[0] != high[0]  # the commitments
    assert low[1] != high[1]


def seen_until_the_reveal(game: str, cards: str, second: str = "") -> list[Any]:
    """What can be seen and read of a round of another poker until a hand is turned up; each seat bets all it may."""
    rig = Rig(game=games.load(game))
    for seat in (1, 2):
        for bet in rig.game.bets:
            if bet.name != rig.game.decision.bet:
                rig.put(seat, bet.name, (bet.relation.low if bet.relation is not None else 1) * 1000)
    rig.run(1500)
    rig.rnvp()
    rig.run(800)
    rig.deal(cards)
    for seat in (1, 2):
        if rig.game.decision.bet is not None:
            bet = bet_named(rig.game, rig.game.decision.bet)
            rig.put(seat, bet.name, bet.relation.high * 1000)
    rig.run(1500)
    rig.rnvp()
    rig.run(800)
    rig.deal(second)
    rig.run(2000)
    assert rig.state() == "revealing"
    assert rig.kinds() == []
    until = len(rig.log)
    rig.key("devoiler")
    assert rig.log[until:]
    return rig.log[:until]


LOW_HANDS = "2c 2d 3h 4s 9c 2h 2s 5h 7s 8c Jh Qd 9h 5s 3d"
HIGH_HANDS = "Ac Ad As Ah 9d Kc Kd 5d 7d 8d Qh 2d 4h 6s Th"
HANDS = {
    "boston": ("2c 3d 5h 7c 7d 9h Kc 9d 4s", "Ac Ad As Kc Kd Kh 2c 2d 2h"),
    "four_card": (LOW_HANDS + " 4d", HIGH_HANDS + " 4d"),
    "crazy_four": (LOW_HANDS, HIGH_HANDS),
    "poker_357": ("2c 3d 5h 7c 7d 9h Kc 9d 4s 8h", "Ac Ad As Kc Kd Kh 2c 2d 2h 3h"),
}


@pytest.mark.parametrize("game", HANDS)
def test_nothing_depends_on_a_face_down_card_at_any_poker(game: str) -> None:
    seconds = ("2h 8c 7s 8d Qs 4d", "3c 4c 5c 6c 7c 8c") if game == "boston" else ("", "")
    low = seen_until_the_reveal(game, HANDS[game][0], seconds[0])
    high = seen_until_the_reveal(game, HANDS[game][1], seconds[1])
    if game == "four_card":  # the dealer's open card is the same: only its nonce is told with it
        assert [entry[2]["hands"][0][2] for entry in low if is_record("reveal")(entry)] == [bytes([8 + 1])]
    assert veiled(low) == veiled(high)
    assert low != high  # the commitments


def test_status_names_no_card() -> None:
    rig = Rig()
    rig.locked_round()
    rig.deal("Ac Kc Qc")
    before = rig.table.status()
    other = Rig()
    other.locked_round()
    other.deal("2c 3d 5h")
    assert before == other.table.status()
