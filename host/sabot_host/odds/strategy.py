"""Best decisions put into words. Entry points: `refused_hands`, `by_rank`.

A decision on part of a hand is stated as the list of hands that are better given up. A decision on a whole hand is
stated by the lowest hand that justifies each choice, those that make the rule worth most; what it costs against the
best choice for every single hand is counted exactly.
"""

from fractions import Fraction

import numpy as np

from sabot.rules.cards import RANKS, card_name
from sabot.rules.game import Game

from .model import Strategy
from .naming import cards_name
from .packs import Counts, Hands

_LISTED = 40  # more hands than this are counted, not listed
_TEN = 8
_NEVER = -(1 << 62)


def refused_hands(game: Game, seen: Hands, takes: "np.typing.NDArray[np.bool_]", share: Fraction) -> Strategy:
    """State a decision on the cards seen: which hands refuse it. `takes` has one entry a class of `seen`."""
    taken, refused = game.decision.taken, game.decision.refused
    shares = ((taken, 1 - share), (refused, share))
    if takes.all():
        return Strategy((f"always {taken}: no hand is better given up",), shares)
    names: dict[str, list[int]] = {}
    for place, cards in enumerate(seen.cards.tolist()):
        names.setdefault(cards_name(cards), []).append(place)
    listed = []
    for name, places in names.items():
        giving_up = [place for place in places if not takes[place]]
        if len(giving_up) == len(places):
            listed.append(name)
        else:
            listed += [
                " ".join(card_name(card) for card in sorted(seen.cards[place].tolist(), reverse=True))
                for place in giving_up
            ]
    if len(listed) > _LISTED:
        return Strategy((f"{refused} with {len(listed)} kinds of hands, too many to list",), shares)
    return Strategy((f"{refused} with {', '.join(sorted(listed))}", f"{taken} with everything else"), shares)


def by_rank(
    choices: list[str], worth: list[Counts], lowest: list[int], names: list[str], opened: bool
) -> tuple[tuple[str, ...], int]:
    """State a decision by the lowest rank of each choice; return the statement and its value over all deals.

    Args:
        choices: the choices in words, in the order of what they stake.
        worth: by choice: the value of all hands of a rank, one row a rank of the dealer's open card (or one row), one
            column a rank of the hand, weakest first.
        lowest: by choice: the column of the lowest hand that has a right to it.
        names: the hands of each column, in words.
        opened: the rows are the dealer's open card.
    """
    lines = []
    reached = 0
    for row in range(len(worth[0])):
        # best[t]: the best value of the hands below column t with the choices so far; starts: of each later choice,
        # the value of the hands below each column less what they would be worth with that choice.
        best = np.concatenate([[0], np.cumsum(worth[0][row])])
        starts = []
        for choice in range(1, len(choices)):
            sums = np.concatenate([[0], np.cumsum(worth[choice][row])])
            start = best - sums
            start[: lowest[choice]] = _NEVER
            starts.append(start)
            best = np.maximum(best, np.maximum.accumulate(start) + sums)
        reached += int(best[-1])
        limits: list[int] = []
        end = len(names)
        for start in reversed(starts):
            end = int(np.argmax(start[: end + 1])) if start[: end + 1].max() > _NEVER else end
            limits.insert(0, end)
        shown = f"dealer shows {'10' if row == _TEN else RANKS[row]}: " if opened else ""
        lines.append(shown + _spans(choices, names, limits))
    return tuple(lines), reached


def _spans(choices: list[str], names: list[str], limits: list[int]) -> str:
    """The choices with the hands they begin at: `fold below Q-6-4; play with Q-6-4 or better`."""
    starts = [0, *limits]
    ends = [*limits, len(names)]
    words = []
    for choice, start, end in zip(choices, starts, ends, strict=True):
        if start == end:
            continue
        if start == 0 and end == len(names):
            words.append(f"always {choice}")
        elif start == 0:
            words.append(f"{choice} below {names[end]}")
        else:
            words.append(f"{choice} with {names[start]} or better")
    return "; ".join(words)
