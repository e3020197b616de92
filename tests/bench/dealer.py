"""A dealer and one player who play round after round of Three Card Poker, as fast as hands can be and no faster.

Entry point: :class:`Dealer`. Every round is complete: new chips on the ante, the announcement, six cards, a play bet,
the reveal, the settlement, the end. A round with an irregularity or a bad card is an AssertionError.
"""

from __future__ import annotations

from hwsim.core import NS_PER_MS
from hwsim.world.chips import Chip
from tests.bench.rig import HOLD_NS, BenchTable

SEAT = 1
CARDS = 6
CARD_NS = 250 * NS_PER_MS  # from one card to the next
CARD_SPEED = 1000  # mm/s
TROUBLE = ("irregularity", "card_fault", "fault", "void")


class Dealer:
    """Plays on an open ``bench`` whose host is plugged in."""

    def __init__(self, bench: BenchTable) -> None:
        self.rounds = 0
        self.records: list[str] = []
        self._bench = bench
        self._ante: list[Chip] = []

    def play(self, rounds: int) -> None:
        """Play ``rounds`` rounds; the table is betting, with nothing on it, before and after."""
        for _ in range(rounds):
            self._round()

    def _round(self) -> None:
        bench, table = self._bench, self._bench.table
        bench.forget()
        table.truth.facts.clear()
        table.hardware.lamps.changed.clear()
        table.hardware.gate.log.clear()
        ante = bench.lay_known(SEAT, "ante")
        self._press("rnvp", "confirmed")
        bench.until(lambda: table.hardware.gate.open, "the gate stays shut")
        for _ in range(CARDS):
            self._draw()
        self._wait("deal")
        play = bench.lay_known(SEAT, "play")
        self._press("devoiler", "settlement")
        self._press("fin", "round_end")
        table.remove([*ante, *play])
        table.shuffle()
        bench.station.acknowledge()
        bench.go_round()
        for name in TROUBLE:
            assert bench.written(name) is None, f"round {self.rounds + 1}: {name}"
        self.rounds += 1

    def _draw(self) -> None:
        table = self._bench.table
        begin, dealt = table.now, len(table.shoe.dealt)
        table.draw(speed=CARD_SPEED)
        self._bench.until(lambda: len(table.shoe.dealt) > dealt, "a card stays in the shoe")
        table.controller.run_until(begin + CARD_NS)

    def _press(self, key: str, record: str) -> None:
        self._bench.table.press(key, hold=HOLD_NS)
        self._wait(record)

    def _wait(self, record: str) -> None:
        self._bench.until(lambda: self._bench.written(record) is not None, f"round {self.rounds + 1}: no {record}")
