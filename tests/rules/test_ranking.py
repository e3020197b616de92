"""Hand ranking against brute force from the articles' text, and its limits on the controller."""

from collections import Counter
from itertools import combinations
from random import Random

import pytest

from sabot.rules.cards import NO_CARD, Packs, card_from_name, card_name
from sabot.rules.ranking import (
    FLUSH,
    FULL_HOUSE,
    HIGH,
    PAIR,
    QUADS,
    ROYAL,
    STRAIGHT,
    STRAIGHT_FLUSH,
    TRIPS,
    TWO_PAIR,
    at_least,
    kind_of,
    matches,
    rank_hand,
)
from tests.model.hands_reference import best, best3, best4, best5, combination
from tests.rules.on_micropython import run
from tests.rules.rounds import PACK, shoe

KINDS = {
    "": HIGH,
    "paire": PAIR,
    "double paire": TWO_PAIR,
    "brelan": TRIPS,
    "séquence": STRAIGHT,
    "couleur": FLUSH,
    "main pleine": FULL_HOUSE,
    "carré": QUADS,
    "suite couleur": STRAIGHT_FLUSH,
    "quinte": STRAIGHT_FLUSH,
    "quinte royale": ROYAL,
}
REFERENCE = {3: best3, 4: best4, 5: best5}


def ints(names: "list[str] | tuple[str, ...]") -> list[int]:
    return [card_from_name(name) for name in names]


def test_all_three_card_hands_stand_in_the_order_of_67_23() -> None:
    """All 22,100 hands: the same kinds, and the same order with the same ties."""
    ours: dict[int, set[object]] = {}
    kinds: Counter[int] = Counter()
    for hand in combinations(PACK, 3):
        rank = rank_hand(ints(hand), 3, 3)
        assert 0 <= rank < 2**30
        kind = kind_of(rank, 3)
        kinds[kind] += 1
        assert kind == KINDS[combination(hand)[0]], hand
        ours.setdefault(rank, set()).add(best3(hand))
    assert kinds == {STRAIGHT_FLUSH: 48, TRIPS: 52, STRAIGHT: 720, FLUSH: 1096, PAIR: 3744, HIGH: 16440}
    in_order = [ours[rank] for rank in sorted(ours)]
    assert all(len(values) == 1 for values in in_order)
    reference = [next(iter(values)) for values in in_order]
    assert reference == sorted(set(reference), key=lambda value: value)  # type: ignore[arg-type,return-value]


@pytest.mark.parametrize(("count", "size"), [(3, 3), (4, 4), (5, 4), (6, 4), (5, 5), (7, 5)])
@pytest.mark.parametrize("decks", [1, 2])
def test_sampled_hands_compare_as_the_reference(count: int, size: int, decks: int) -> None:
    random = Random(count * 100 + size * 10 + decks)
    reference = REFERENCE[size]
    previous: tuple[int, object] | None = None
    for _ in range(1500):
        names = shoe(random, decks)[:count]
        rank = rank_hand(ints(names), count, size)
        assert 0 <= rank < 2**30
        assert kind_of(rank, size) == KINDS[combination(best(names, size))[0]], names
        value = reference(names)
        if previous is not None:
            other, other_value = previous
            assert (rank > other) == (value > other_value), names  # type: ignore[operator]
            assert (rank == other) == (value == other_value), names
        # Now and then the value to beat stays, so that near and equal hands meet too.
        if previous is None or random.randrange(8) == 0 or (rank == previous[0]):
            previous = (rank, value)
        shuffled = random.sample(names, count)
        assert rank_hand(ints(shuffled), count, size) == rank


@pytest.mark.parametrize(
    ("names", "size", "kind"),
    [
        ("As As Ks", 3, FLUSH),  # two packs: a flush that contains a pair is a flush
        ("As As As Ad Ah", 5, QUADS),
        ("Kc Ad 2h", 3, HIGH),  # the ace never stands in the middle
        ("Ac 2d 3h", 3, STRAIGHT),
        ("Qc Kd Ah 2s", 4, HIGH),
        ("Ac 2d 3h 4s", 4, STRAIGHT),
        ("Qc Kd Ah 2s 3s", 5, HIGH),
        ("Ac 2d 3h 4s 5s", 5, STRAIGHT),
        ("2c 2d 2h 2s Ac Kc Qc", 5, QUADS),
        ("As Ks Qs Js Ts", 5, ROYAL),
        ("Ks Qs Js Ts 9s", 5, STRAIGHT_FLUSH),
        ("2c 2d 2h 2s 7d", 4, QUADS),
        ("9c 9d 9h Kc Kd Kh 2s", 5, FULL_HOUSE),
    ],
)
def test_kinds_that_are_easily_got_wrong(names: str, size: int, kind: int) -> None:
    hand = names.split()
    assert kind_of(rank_hand(ints(hand), len(hand), size), size) == kind


def test_four_card_order_of_67_65() -> None:
    order = [
        "2c 5d 7h 9s",
        "2c 2d 3h 4s",
        "2c 2d 3h 3s",
        "Ac 2d 3h 4s",
        "2c 3c 5c 7c",
        "2c 2d 2h 3s",
        "Ac 2c 3c 4c",
        "2c 2d 2h 2s",
    ]
    ranks = [rank_hand(ints(names.split()), 4, 4) for names in order]
    assert ranks == sorted(set(ranks))


def test_two_deck_flushes_compare_card_by_card() -> None:
    """Repeated ranks count as often as they are held (decision TIEBREAK)."""
    order = ["As Ks Qs Js 9s", "As Ks Ks Js 9s", "As As 3s 3s 2s", "As As 4s 3s 2s", "As As Ks 3s 2s"]
    ranks = [rank_hand(ints(names.split()), 5, 5) for names in order]
    assert ranks == sorted(set(ranks))


def test_leads_of_kinds() -> None:
    queens = rank_hand(ints(["Qc", "Qd", "9h", "5c"]), 4, 4)
    assert matches(queens, 4, PAIR, 10)
    assert not matches(queens, 4, PAIR, 11)
    assert not matches(queens, 4, TWO_PAIR, 0)
    assert at_least(PAIR, 10, 4) <= queens < at_least(PAIR, 11, 4)
    nines = rank_hand(ints(["9c", "9d", "3h", "3c", "2d"]), 5, 5)
    assert matches(nines, 5, TWO_PAIR, 7)
    assert not matches(nines, 5, TWO_PAIR, 8)
    with pytest.raises(ValueError, match=r"."):
        at_least(TWO_PAIR, 0, 3)


def test_ranking_allocates_nothing_on_micropython() -> None:
    program = """
import micropython
from sabot.rules.ranking import rank_hand, kind_of, matches
from sabot.rules.cards import Packs
hand = bytearray(7)
packs = Packs(2)
def play():
    total = 0
    seed = 12345
    for n in range(2000):
        packs.shuffle()
        for place in range(7):
            card = 52
            while card == 52:
                seed = (seed * 1309 + 13849) & 0xffff
                card = (seed >> 3) % 52
                if not packs.take(card):
                    card = 52
            hand[place] = card
        for count, size in SHAPES:
            rank = rank_hand(hand, count, size)
            total = (total * 31 + (rank & 0xffff) + (rank >> 16) + kind_of(rank, size)) & 0xffffff
            if matches(rank, size, 1, 3):
                total ^= 1
    return total
SHAPES = ((1, 1), (3, 3), (5, 4), (6, 4), (5, 5), (7, 5))
micropython.heap_lock()
total = play()
micropython.heap_unlock()
print(total)
"""
    on_cpython: dict[str, object] = {}
    quiet = program.replace("import micropython\n", "").replace("micropython.heap_lock()\n", "")
    quiet = quiet.replace("micropython.heap_unlock()\nprint(total)\n", "")
    exec(compile(quiet, "play", "exec"), on_cpython)
    assert run(program) == f"{on_cpython['total']}\n"


def test_ranking_takes_less_than_16_kilobytes_of_the_controller() -> None:
    """Code and tables together, on the 64-bit interpreter, where pointers are twice as wide as on the board."""
    taken = run(
        """
import gc
import sabot.rules
gc.collect()
before = gc.mem_alloc()
import sabot.rules.ranking
gc.collect()
print(gc.mem_alloc() - before)
"""
    )
    assert 1024 < int(taken) <= 16384


def test_card_names() -> None:
    assert [card_name(card) for card in range(52)] == PACK
    assert [card_from_name(name) for name in PACK] == list(range(52))
    for wrong in ("", "A", "as", "AS", "1s", "10s", "Ax", " As", None, 7, ["A", "s"], "\xe9s"):
        assert card_from_name(wrong) == NO_CARD
    with pytest.raises(ValueError, match="not a card"):
        card_name(NO_CARD)
    with pytest.raises(ValueError, match="not a card"):
        card_name(52)


def test_packs_hold_each_card_once_a_pack() -> None:
    packs = Packs(2)
    assert [packs.take(7), packs.take(7), packs.take(7)] == [True, True, False]
    assert not packs.take(NO_CARD)
    assert not packs.take(52)
    packs.shuffle()
    assert packs.take(7)
