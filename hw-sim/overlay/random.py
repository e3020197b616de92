"""``random`` seeded by the simulator, where the board seeds from its own entropy."""

import _entropy
import urandom
from urandom import choice, getrandbits, randint, random, randrange, uniform

__all__ = ("choice", "getrandbits", "randint", "random", "randrange", "seed", "uniform")


def seed(n: int | None = None) -> None:
    """Seed with ``n``, or from the simulator's entropy."""
    urandom.seed(_entropy.number() if n is None else n)


seed()
