"""Tables for the fuzz. Entry point: :func:`table`."""

from __future__ import annotations

from typing import Any

from hwsim.provisioning import configuration

SEATS = 7
_SEATS_A_READER = 2


def table(game: str, seats: int = SEATS) -> dict[str, Any]:
    """A table of ``seats`` seats for ``game``: the spots of two neighbours on one reader."""
    config = configuration(game, seats)
    spots = [spot for reader in config["readers"] for spot in reader]
    shared = [
        [spot for spot in spots if first <= spot[0] < first + _SEATS_A_READER]
        for first in range(1, seats + 1, _SEATS_A_READER)
    ]
    return {**config, "readers": shared}
