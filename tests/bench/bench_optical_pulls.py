"""Random pulls past the optical sensors through pin interrupts: wrong identities, and refusals by kind and cause."""

import tempfile
from pathlib import Path

from tests.strip.lip import random_pulls

PULLS = 200
SEED = 1


def measure() -> dict[str, object]:
    """Pull cards with dirt, ways back, light and other faults; counts, no units."""
    with tempfile.TemporaryDirectory() as root:
        return random_pulls(Path(root), PULLS, SEED).figures()
