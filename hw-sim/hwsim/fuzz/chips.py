"""The house's tray. Entry points: :class:`Tray`, :func:`making`.

Chips are bodies: what is paid is carried, and nothing comes from nowhere but by :meth:`Tray.make`, which counts it.
"""

from __future__ import annotations

from collections.abc import Sequence

from hwsim.table import DENOMINATIONS
from hwsim.world.chips import Chip, Mint


class Tray:
    """The house's chips; it never runs out, because the cage brings what is missing."""

    def __init__(self, mint: Mint) -> None:
        self.chips: list[Chip] = []
        self.made = 0
        """cents that the cage has brought"""
        self._mint = mint

    def put(self, chips: Sequence[Chip]) -> None:
        """Take chips in."""
        self.chips += chips

    def make(self, cents: int) -> Chip:
        """A chip that was not there before."""
        self.made += cents
        return self._mint.chip(cents)

    def pay(self, cents: int) -> list[Chip]:
        """An amount in few chips, out of the tray as far as it holds them."""
        chosen: list[Chip] = []
        for value in DENOMINATIONS:
            while cents >= value:
                chosen.append(self._one(value))
                cents -= value
        if cents:
            raise ValueError(f"{cents} cents are left that no chip makes")
        return chosen

    def small(self, cents: int) -> list[Chip]:
        """The same amount in chips of the next smaller value."""
        smaller = [value for value in DENOMINATIONS if value < cents and cents % value == 0]
        value = smaller[0] if smaller else cents
        return [self._one(value) for _ in range(cents // value)]

    def _one(self, value: int) -> Chip:
        for chip in self.chips:
            if chip.cents == value:
                self.chips.remove(chip)
                return chip
        return self.make(value)


def making(chips: Sequence[Chip], cents: int) -> list[Chip] | None:
    """Chips that make up an amount, the largest tried first; None when no choice does."""
    ways: dict[int, list[Chip]] = {0: []}
    for chip in sorted(chips, key=lambda chip: -chip.cents):
        for total, chosen in list(ways.items()):
            if total + chip.cents <= cents and total + chip.cents not in ways:
                ways[total + chip.cents] = [*chosen, chip]
    return ways.get(cents)
