"""Answers that are lost on the air. Entry point: :func:`lossy`.

Only a chip that has lain on its spot for a second loses answers: one that was never heard there cannot be told from one
that has not come yet, whatever the controller does.
"""

from __future__ import annotations

import random

from hwsim.core import NS_PER_S
from hwsim.fuzz.floor import Floor
from hwsim.rf.antenna import Tag


def lossy(floor: Floor, share: float, seed: int) -> None:
    """Lose that share of the chips' answers."""
    rng = random.Random(f"air/{seed}")

    def fault(tag: Tag, answer: bytes) -> bytes | None:
        lain = floor.now - floor.laid_at.get(id(tag), floor.now)
        return None if lain > NS_PER_S and rng.random() < share else answer

    for antenna in floor.table.spots.values():
        antenna.air_fault = fault
