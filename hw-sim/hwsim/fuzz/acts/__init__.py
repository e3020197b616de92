"""What people do beside playing. Entry points: :data:`MESSY`, :data:`CHEATS`, :class:`Kind`, :func:`chosen`.

An act is a script of hands in time. It finds its own moment by lamps and cards, and does nothing when the moment, or a
chip that it needs, is not there; nothing in it says what the table should make of it.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from hwsim.fuzz.acts import around, cheats, messy, worthless
from hwsim.fuzz.acts.kind import Kind

MESSY: tuple[Kind, ...] = (*messy.ACTS, *around.ACTS)
CHEATS: tuple[Kind, ...] = (*cheats.ACTS, *worthless.ACTS)


def chosen(rng: random.Random, kinds: Sequence[Kind], number: int) -> list[Kind]:
    """So many acts of these kinds, by their weights."""
    if not kinds:
        return []
    return rng.choices(kinds, [kind.weight for kind in kinds], k=number)
