"""Measures ranking and settlement. Run by `bench_ranking`, on MicroPython.

Standard input: the name of the ranking module, then the names of games, one a line. Standard output: for each shape
`rank COUNT SIZE NANOSECONDS CHECKSUM`, then for each game `settle GAME MICROSECONDS BYTES CALLS` for seven seats.
"""

import gc
import sys
import time

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SHAPES = ((3, 3), (5, 4), (6, 4), (5, 5), (7, 5))
HANDS = 200
REPEATS = 5

# Cards of a seat and of the dealer, bets, decision, cards of a war: every line of the answer is due.
SEATS = {
    "three_card": ((0, 5, 10), (48, 45, 42), {"ante": 10, "pair_plus": 5, "play": 10}, "play", None, None),
    "bataille": ((30,), (31,), {"initial": 10, "tie": 5, "additional": 10}, "war", 5, 9),
    "poker_357": ((0, 5, 10), (48, 45, 42, 20), {"three": 5, "five": 5, "seven": 5}, "stay", None, None),
    "boston": (
        (0, 1, 2, 9, 10),
        (48, 45, 42, 20, 25),
        {"ante": 10, "first": 20, "bonus": 5, "second": 20},
        "play",
        None,
        None,
    ),
    "four_card": (
        (0, 1, 2, 9, 15),
        (48, 45, 42, 20, 25, 30),
        {"ante": 10, "aces_up": 5, "play": 30},
        "play",
        None,
        None,
    ),
    "crazy_four": (
        (0, 1, 2, 9, 15),
        (48, 45, 42, 20, 25),
        {"ante": 10, "super_bonus": 10, "queens_up": 5, "play": 30},
        "play",
        None,
        None,
    ),
}


def deal() -> "list[bytearray]":
    """Hands of seven cards, the same on every interpreter."""
    seed = 1
    hands: list[bytearray] = []
    while len(hands) < HANDS:
        hand = bytearray()
        while len(hand) < 7:
            seed = (seed * 1309 + 13849) & 0xFFFF
            card = (seed >> 3) % 52
            if bytes([card]) not in hand:
                hand.append(card)
        hands.append(hand)
    return hands


def rank_all(rank_hand: "Any", hands: "list[bytearray]", count: int, size: int) -> None:
    """Print what one ranking takes at best, and a checksum of all ranks."""
    best = 1 << 29
    for _ in range(REPEATS):
        started = time.ticks_us()
        for hand in hands:
            rank_hand(hand, count, size)
        best = min(best, time.ticks_diff(time.ticks_us(), started))
    total = 0
    for hand in hands:
        total = (total * 31 + rank_hand(hand, count, size)) % 1000003
    print("rank", count, size, best * 1000 // len(hands), total)


def settle_all(game_id: str) -> None:
    """Print what settling seven seats takes at best: time, bytes allocated, calls of the ranking."""
    from sabot.rules.games import load

    settle: Any = __import__("sabot.rules.settle", None, None, ("settle_seat",))
    bets: Any = __import__("sabot.rules.bets", None, None, ("verify_bets",))
    game = load(game_id)
    cards, dealer, staked, decision, war_player, war_dealer = SEATS[game_id]
    best = 1 << 29
    allocated = 0
    for _ in range(4 * REPEATS):
        gc.collect()
        before = gc.mem_alloc()
        started = time.ticks_us()
        for _ in range(7):
            settle.settle_seat(game, cards, dealer, staked, decision, war_player, war_dealer)
        best = min(best, time.ticks_diff(time.ticks_us(), started))
        allocated = gc.mem_alloc() - before
    calls = [0]
    plain = settle.rank_hand

    def counted(hand: "Any", count: int, size: int) -> "Any":
        calls[0] += 1
        return plain(hand, count, size)

    settle.rank_hand = bets.rank_hand = counted
    for _ in range(7):
        settle.settle_seat(game, cards, dealer, staked, decision, war_player, war_dealer)
    settle.rank_hand = bets.rank_hand = plain
    print("settle", game_id, best, allocated, calls[0])


def main() -> None:
    """Measure what standard input names."""
    name, *games = sys.stdin.read().split()
    module = __import__(name, None, None, ("rank_hand",))
    hands = deal()
    for count, size in SHAPES:
        rank_all(module.rank_hand, hands, count, size)
    for game in games:
        gc.collect()
        settle_all(game)


main()
