"""Until the reveal the table does the same, line by line, whatever the face-down cards are.

Two tables are dealt other faces where nobody may see them, and every line of the firmware that runs from the first card
to the close is compared: a branch, a loop or a table look-up by a hidden face would show.
"""

import sys
from types import FrameType
from typing import Any

import pytest

from sabot.rules.cards import card_from_name
from sabot.wire.commitment import NONCE_SIZE, SIZE, commitment
from tests.table.on_board import fakes
from tests.table.on_board.pokers import _close, _locked
from tests.table.on_board.rig import Rig

CRAZY = ((1, "ante", 1000), (1, "super_bonus", 1000), (2, "ante", 1000), (2, "super_bonus", 1000))
# Game, bets, plays, and two deals that differ in what lies face down only; the last card of four_card lies open.
PAIRS: list[tuple[str, tuple[Any, ...], tuple[Any, ...], str, str]] = [
    (
        "three_card",
        ((1, "ante", 1000), (2, "ante", 1000), (2, "pair_plus", 500)),
        ((1, "play", 1000), (2, "play", 1000)),
        "2c 3d 5h 7c 7d 2h Qs 3c 2d",
        "Ah Kh Qh 9s 9d 9c 2c 7h 4d",
    ),
    (
        "four_card",
        ((1, "ante", 1000), (2, "ante", 1000)),
        ((1, "play", 1000), (2, "play", 1000)),
        "2c 3d 5h 7c 9d 2h Qs 3c 2d 4h Ks Kd 8c 8d Th 6s",
        "Ac Ad Ah As 9d 5h Qs 5c 5d 4h 2s Kd 3c 8d Jh 6s",
    ),
    (
        "boston",
        ((1, "ante", 500), (1, "first", 1000), (2, "ante", 500), (2, "first", 1000)),
        ((1, "second", 1000), (2, "second", 1000)),
        "2c 2d 5h 7c 7d 9h Kc 9d 4s",
        "Ac Ad Ah 3c 8d Jh 2c Td 5s",
    ),
    # Fou du poker: seat 1 has the right to three times its ante in the second deal, seat 2 in the first (67.81).
    (
        "crazy_four",
        CRAZY,
        ((1, "play", 3000), (2, "play", 3000)),
        "2c 3d 5h 7c 9d Ac Ad 3c 2d 4h Ks Kd 8c 8d Th",
        "Ac Ad Ah As 9d 2h 4s 5c 7d Jh 2s 3d 3c 8d Qh",
    ),
]


class Lines:
    """The lines of the firmware that run while it is on, in their order."""

    def __init__(self) -> None:
        self.ran: list[tuple[str, int]] = []

    def _line(self, frame: FrameType, event: str, _argument: object) -> Any:
        if "/firmware/sabot/" not in frame.f_code.co_filename:
            return None
        if event == "line":
            self.ran.append((frame.f_code.co_filename, frame.f_lineno))
        return self._line

    def __enter__(self) -> "Lines":
        self._before = sys.gettrace()
        sys.settrace(self._line)
        return self

    def __exit__(self, *_error: object) -> None:
        sys.settrace(self._before)


def until_the_close(game: str, bets: tuple[Any, ...], plays: tuple[Any, ...], cards: str) -> tuple[Rig, Lines]:
    """A round up to the instant before anything is revealed, and what ran meanwhile."""
    rig = _locked(game, *bets)
    with Lines() as lines:
        for name in cards.split():
            rig.card(name)
            rig.run(40)
        for seat, bet, cents in plays:
            rig.put(seat, bet, cents)
        rig.run(1200)
        rig.table.status()
    assert rig.state() == "deciding"
    return rig, lines


def outside(rig: Rig) -> list[Any]:
    """Everything that the table has shown, without what is random: nonces make the commitments."""
    shown = []
    for entry in rig.log:
        if entry[0] == "record" and entry[1] == "deal":
            entry = ("record", "deal", [row[:3] for row in entry[2]["hands"]])
        shown.append(entry)
    return [*shown, rig.table.status()]


@pytest.mark.parametrize(("game", "bets", "plays", "one", "other"), PAIRS, ids=[pair[0] for pair in PAIRS])
def test_the_same_lines_run_whatever_lies_face_down(
    game: str, bets: tuple[Any, ...], plays: tuple[Any, ...], one: str, other: str
) -> None:
    (first, ran), (second, ran_then) = (until_the_close(game, bets, plays, cards) for cards in (one, other))
    assert len(ran.ran) > 5_000
    assert ran.ran == ran_then.ran
    # A face that lies open (four_card's last) is the same in both, so is everything that was shown.
    assert outside(first) == outside(second)


def test_a_look_at_a_hidden_hand_would_show(monkeypatch: pytest.MonkeyPatch) -> None:
    """The check itself: a table that asks before the close who may bet three times is found."""
    from sabot.table.deal import Deal

    right = Deal.served

    def served(self: Deal) -> int:
        hand = right(self)
        if hand > 0 and any(card >= 48 for card in self.hand(hand)):
            self.packs.holds(0)
        return hand

    monkeypatch.setattr(Deal, "served", served)
    game, bets, plays, one, other = PAIRS[3]
    assert until_the_close(game, bets, plays, one)[1].ran != until_the_close(game, bets, plays, other)[1].ran


@pytest.mark.parametrize("game", ["three_card", "crazy_four"])
def test_a_folded_hand_is_never_told(game: str) -> None:
    """A seat that folds, and has no side bet, shows nothing in its round or after it."""
    _, bets, plays, _, _ = next(pair for pair in PAIRS if pair[0] == game)
    bets = tuple(bet for bet in bets if bet[1] not in ("pair_plus", "queens_up"))
    size = 3 if game == "three_card" else 5
    shown = []
    for hidden in ("2c 3d 5h 7c 9d", "Ac Ad Ah As Kd"):
        rig = _locked(game, *bets)
        own = ["8c", "8d", "Th", "4c", "6d"][:size]
        dealer = ["Qs", "4h", "2d", "3h", "6s"][:size]
        rig.deal(" ".join([*own, *hidden.split()[:size], *dealer]))
        _close(rig, (1, "play", plays[0][2] if game == "three_card" else 1000))
        rig.key("devoiler")
        rig.run(2000)
        assert rig.state() == "settling"
        assert 2 not in [row[0] for fields in rig.named("reveal") for row in fields["hands"]]
        rig.key("fin")
        rig.run(1000)
        assert rig.named("round_end")
        shown.append(outside(rig))
    assert shown[0] == shown[1]


# --- commitments ------------------------------------------------------------------------------------------------------


def test_a_commitment_is_found_by_its_nonce_only() -> None:
    """52 cards and 22,100 hands are nothing to try: what must be tried is the nonce, of which there are 2**64."""
    assert NONCE_SIZE == SIZE == 8
    card = bytes([card_from_name("As")])
    nonce = bytes(range(101, 109))
    committed = commitment(nonce, card)
    guesses = {bytes(8), b"\xff" * 8, nonce[::-1], committed, nonce[:-1] + b"\x00", bytes([nonce[0] ^ 1]) + nonce[1:]}
    guesses |= {number.to_bytes(8, end) for number in range(2_000) for end in ("little", "big")}
    assert committed not in {commitment(guess, bytes([code])) for guess in guesses for code in range(52)}
    assert len({commitment(nonce, bytes([code])) for code in range(52)}) == 52


def test_equal_hands_do_not_look_equal_and_a_nonce_is_used_once() -> None:
    """One nonce of 8 bytes from the controller's generator for each hand, and another where a hand is dealt anew."""
    asked: list[bytes] = []

    def random(ports: fakes.Ports, count: int) -> bytes:
        asked.append(bytes([len(asked) + 1]) * count)
        return asked[-1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fakes.Ports, "random", random)
        rig, _ = until_the_close(*PAIRS[0][:4])
    rows = rig.named("deal")[0]["hands"]
    assert [len(nonce) for nonce in asked] == [NONCE_SIZE] * len(rows)
    assert len({row[3] for row in rows}) == len(rows)
    told = b"".join(rig.ports.journal.raw)
    assert not [nonce for nonce in asked if nonce in told], "before the reveal"


def test_commitments_of_one_card_are_spread_evenly() -> None:
    """Of a thousand nonces, no bit of the commitments to one card prefers a value, nor to another card's."""
    for code in (0, 51):
        ones = [0] * 64
        for number in range(1_000):
            value = int.from_bytes(commitment(number.to_bytes(8, "little"), bytes([code])), "little")
            ones = [count + (value >> bit & 1) for bit, count in enumerate(ones)]
        assert all(420 < count < 580 for count in ones)  # five standard deviations of 15.8
