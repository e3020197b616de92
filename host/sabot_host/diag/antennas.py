"""The read rate of each antenna, with chips that a technician lays there.

Entry points: :func:`measure`, :class:`Antenna`. A look asks the controller what it sees; it counts as right when the
chips of this antenna are all there and no more. The controller itself bridges a single missed answer, so what shows
here is what play would see, not the air's own rate.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from sabot_host.diag.bench import FAILED, LOOK_MS, PASSED, Bench, Check
from sabot_host.monitor.picture import Picture, Spot

LOOKS = 30
GOOD = 0.99
POOR = 0.9


class Antenna(NamedTuple):
    """A spot's antenna: in ``right`` of ``looks`` it saw its chips, in ``ghosts`` a chip where none lay."""

    seat: int
    bet: str
    looks: int
    right: int
    ghosts: int
    cents: int

    @property
    def rate(self) -> float:
        """Share of looks that were right."""
        return self.right / self.looks if self.looks else 0.0

    @property
    def good(self) -> bool:
        """Whether it may play."""
        return self.rate >= GOOD and not self.ghosts


def measure(bench: Bench, laid: Callable[[int], None] | None = None) -> list[Antenna]:
    """Seat by seat: chips are laid, looked at, and taken away; ``laid(seat)`` is called while they lie there."""
    found: list[Antenna] = []
    ghosts: dict[tuple[int, str], int] = {}
    for seat in bench.picture().seats:
        found += _seat(bench, seat.number, ghosts, laid)
    return [one._replace(ghosts=ghosts.get((one.seat, one.bet), 0)) for one in found]


def _seat(
    bench: Bench, seat: int, ghosts: dict[tuple[int, str], int], laid: Callable[[int], None] | None
) -> list[Antenna]:
    bets = [spot.bet for spot in bench.picture().of_seat(seat)]
    bench.tell(f"seat {seat}: lay one chip on each of: {', '.join(bets)}")
    bench.until(lambda picture: all(spot.chips for spot in picture.of_seat(seat)))
    bench.tell(f"seat {seat}: hands off, {LOOKS * LOOK_MS // 1000} seconds")
    pictures = []
    for _ in range(LOOKS):
        bench.clock.pause(LOOK_MS)
        pictures.append(bench.picture())
    for picture in pictures:
        for spot in picture.spots:
            if spot.seat != seat and spot.chips:
                ghosts[spot.seat, spot.bet] = ghosts.get((spot.seat, spot.bet), 0) + 1
    if laid is not None:
        laid(seat)
    bench.tell(f"seat {seat}: take the chips away")
    bench.until(lambda picture: not any(spot.chips for spot in picture.spots))
    return [_antenna(seat, bet, [_spot(picture, seat, bet) for picture in pictures]) for bet in bets]


def _spot(picture: Picture, seat: int, bet: str) -> Spot:
    return next(spot for spot in picture.of_seat(seat) if spot.bet == bet)


def _antenna(seat: int, bet: str, looks: Sequence[Spot]) -> Antenna:
    """What is right is what was seen most often, as long as it is a chip."""
    seen = [(spot.chips, spot.seen) for spot in looks if spot.chips]
    usual = max(seen, key=seen.count, default=(0, 0))
    return Antenna(seat, bet, len(looks), seen.count(usual), 0, usual[1])


def checks(antennas: Sequence[Antenna], parts: Sequence[str] = ()) -> list[Check]:
    """One line for each antenna; ``parts`` are readers that have failed, and see nothing."""
    found = []
    for one in antennas:
        words = f"{100 * one.rate:.0f} % of {one.looks} looks, {one.cents // 100}.{one.cents % 100:02} $"
        if one.ghosts:
            words += f"; {one.ghosts} times a chip where none lay"
        hint = "" if one.good else "antenna, its cable, its tuning; a chip of the house in the middle of the spot?"
        if parts and not one.right:
            hint = f"{', '.join(parts)} first; then the antenna, where it still sees nothing"
        found.append(Check(f"antenna seat {one.seat} {one.bet}", PASSED if one.good else FAILED, words, hint))
    return found
