"""Tables for the fuzz. Entry point: :func:`table`."""

from __future__ import annotations

from typing import Any

from hwsim.provisioning import configuration
from hwsim.wiring import ANTENNAS_A_READER, READERS

SEATS = 7


def table(game: str, seats: int = SEATS, readers: int = READERS) -> dict[str, Any]:
    """A table of ``seats`` seats for ``game``, its spots shared out over so many readers, seat by seat.

    ValueError when they do not fit.
    """
    config = configuration(game, seats)
    spots = [spot for reader in config["readers"] for spot in reader]
    each = -(-seats // readers)
    shared = [[spot for spot in spots if first < spot[0] <= first + each] for first in range(0, seats, each)]
    if any(len(reader) > ANTENNAS_A_READER for reader in shared):
        raise ValueError(f"{seats} seats of {len(spots) // seats} spots do not fit on {readers} readers")
    return {**config, "readers": shared}
