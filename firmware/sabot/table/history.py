"""What a seat did in its last rounds: its mean locked bet, its doubts, its haste. Entry point: `History`.

Only for the thresholds of the operations manual: an ambiguous change is large when it is four times the seat's mean bet
of the last 20 rounds, or its third doubt in that time; chips laid down too soon for the third time are told to the pit.
"""

try:
    from micropython import const
except ImportError:

    def const(x: int) -> int:
        """The value itself, where there is no MicroPython."""
        return x


_ROUNDS = const(20)
_LARGE_TIMES = const(4)
_THIRD = const(3)


class History:
    """Of seats 1 to 7; rounds in which a seat did not bet are not counted."""

    def __init__(self) -> None:
        self._bets: list[list[int]] = [[] for _ in range(8)]
        self._doubts: list[list[int]] = [[] for _ in range(8)]
        self._now = [0] * 8  # doubts of the running round
        self._early: list[list[int]] = [[] for _ in range(8)]  # numbers of rounds with chips laid down too soon

    def doubt(self, seat: int) -> None:
        """The seat gave a doubt in the running round."""
        self._now[seat] += 1

    def large(self, seat: int, cents: int) -> bool:
        """Whether a change of `cents` is large for this seat, its doubt being already counted."""
        bets = self._bets[seat]
        if sum(bets) and cents * len(bets) >= _LARGE_TIMES * sum(bets):
            return True
        return self._now[seat] + sum(self._doubts[seat]) >= _THIRD

    def too_soon(self, seat: int, number: int) -> bool:
        """Chips that cannot win lie at the seat in round `number`; whether that is the third of 20 rounds."""
        recent = [before for before in self._early[seat] if number - _ROUNDS < before < number]
        self._early[seat] = recent + [number]
        if len(self._early[seat]) < _THIRD:
            return False
        self._early[seat] = []
        return True

    def end(self, seat: int, cents: int) -> None:
        """The round is over; the seat had locked bets of `cents` in all (0: it did not play)."""
        if cents or self._now[seat]:
            self._bets[seat] = self._bets[seat][1 - _ROUNDS :] + [cents]
            self._doubts[seat] = self._doubts[seat][1 - _ROUNDS :] + [self._now[seat]]
            self._now[seat] = 0
