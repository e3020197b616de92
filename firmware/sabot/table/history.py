"""What a seat did in its last rounds: its mean locked bet, its doubts, its haste. Entry point: `History`.

Only for the thresholds of the operations manual: an ambiguous change is large when it is so many times the seat's mean
bet of the last 20 rounds, or its third doubt in that time; chips laid down too soon for the third time are told to the
pit.
"""

try:
    from micropython import const
except ImportError:

    def const(x: int) -> int:
        """The value itself, where there is no MicroPython."""
        return x


_ROUNDS = const(20)
_THIRD = const(3)


class History:
    """Of seats 1 to 7; rounds in which a seat did not bet are not counted."""

    def __init__(self, large_times: int) -> None:
        self._large_times = large_times  # the mean bet so often is large
        # By seat, and only of seats that have played: most tables have fewer than seven players.
        self._bets: dict[int, list[int]] = {}
        self._doubts: dict[int, list[int]] = {}
        self._now: dict[int, int] = {}  # doubts of the running round
        self._early: dict[int, list[int]] = {}  # numbers of rounds with chips laid down too soon

    def doubt(self, seat: int) -> None:
        """The seat gave a doubt in the running round."""
        self._now[seat] = self._now.get(seat, 0) + 1

    def large(self, seat: int, cents: int) -> bool:
        """Whether a change of `cents` is large for this seat, its doubt being already counted."""
        bets = self._bets.get(seat, ())
        if sum(bets) and cents * len(bets) >= self._large_times * sum(bets):
            return True
        return self._now.get(seat, 0) + sum(self._doubts.get(seat, ())) >= _THIRD

    def too_soon(self, seat: int, number: int) -> bool:
        """Chips that cannot win lie at the seat in round `number`; whether that is the third of 20 rounds."""
        recent = [before for before in self._early.get(seat, ()) if number - _ROUNDS < before < number]
        self._early[seat] = recent + [number]
        if len(self._early[seat]) < _THIRD:
            return False
        self._early[seat] = []
        return True

    def end(self, seat: int, cents: int) -> None:
        """The round is over; the seat had locked bets of `cents` in all (0: it did not play)."""
        doubts = self._now.pop(seat, 0)
        if cents or doubts:
            self._bets[seat] = self._bets.get(seat, [])[1 - _ROUNDS :] + [cents]
            self._doubts[seat] = self._doubts.get(seat, [])[1 - _ROUNDS :] + [doubts]
