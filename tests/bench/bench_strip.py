"""The optical shoe's decoder: 100,000 random pulls, each with any number of faults, and what came of them.

A pull is one card or two, with dirt on either sensor or both, stray light, push-backs, half pulls, and edges lost,
doubled, bouncing or swapped (`tests/strip/pulls.py`). Wrong is any card told that did not move.
"""

import random
from collections import Counter
from typing import Any

from optical_strip.decoder import NOTHING, Decoder

from tests.strip.exhaustive import CAUSES, decoded
from tests.strip.pulls import random_pull

PULLS = 100_000
SEED = 5


def measure() -> dict[str, Any]:
    """Count the pulls by outcome, and the refused ones by cause."""
    chance = random.Random(SEED)
    outcomes: Counter[str] = Counter(clean=0, clean_read=0, faulty=0, faulty_read=0, wrong=0)
    refused: Counter[str] = Counter()
    for _ in range(PULLS):
        pull = random_pull(chance)
        cards, cause = decoded(pull.entries, Decoder())
        kind = "faulty" if pull.kinds else "clean"
        outcomes[kind] += 1
        if not set(cards) <= set(pull.codes):
            outcomes["wrong"] += 1
        elif cards:
            outcomes[f"{kind}_read"] += 1
        elif cause != NOTHING:
            refused[CAUSES[cause].replace(" ", "_").replace("-", "_")] += 1
    return {"pulls": PULLS, **outcomes, "refused": dict(sorted(refused.items()))}
