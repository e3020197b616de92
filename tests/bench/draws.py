"""First cards of Bataille that break the beam at chosen boundaries of a scan, and how soon each locks the initial bets.

Entry points: :class:`DrawTable` (one boot of the whole firmware that takes any number of first cards), :class:`Draw`
(one measurement). Article 67.36: the initial bet locks when the first card is dealt.

The card is drawn up to the beam and waits there; the chips of a seat that comes late, which is lawful until this card,
are laid down when the last antenna's field goes off, and the card goes on just before the n-th call from there.
"""

from __future__ import annotations

from typing import NamedTuple

from hwsim import costs
from hwsim.core import NS_PER_US
from hwsim.provisioning import configuration
from hwsim.table import BAR_LAMPS
from hwsim.world.chips import Chip
from sabot.wire.records import parse
from tests.bench.rig import FRAM_BYTE_NS, HOLD_NS, THE_DEALER_VOIDS, BenchTable

BETS = ("initial", "tie", "additional")
BEFORE_THE_BEAM = -21_501  # um: the card's edge stands one micrometre before the beam
FAST = 2_000  # mm/s
MORE_CHIPS = 3


class Draw(NamedTuple):
    """One first card: latencies from the beam's edge to the record's last byte, and to the latch of the red lamps.

    ``edge_error_us`` is the recorded instant less the true one: edge, interrupt latency, one call.
    """

    boundary: int
    durable_us: float
    red_us: float
    edge_error_us: int


class DrawTable(BenchTable):
    """A table of two seats that is open, with a host that follows its journal."""

    def __init__(self, *, seed: int = 0, frame_us: int = 40, main: str = "") -> None:
        config = configuration("bataille", 2, consequences=THE_DEALER_VOIDS)
        super().__init__(seed=seed, frame_us=frame_us, main=main, bets=BETS, config=config)
        spots = list(self.table.spots)
        initial = [index for index, (_, bet) in enumerate(spots) if bet == "initial"]
        self._red = [*initial, *range(len(spots), len(spots) + BAR_LAMPS)]

    def __enter__(self) -> DrawTable:
        """Switch it on."""
        self.start(host=True)
        return self

    def scan_calls(self) -> int:
        """Calls of one scan between the announcement and the first card."""
        chips = self._announced()
        controller = self.table.controller
        calls: list[int] = []

        def end() -> None:
            calls.append(controller.calls)
            self.at_scan_end = end

        self.at_scan_end = end
        self.until(lambda: len(calls) == 2, "the scanner stands still")
        self.at_scan_end = None
        self._void(chips)
        return calls[1] - calls[0]

    def draw(self, boundary: int) -> Draw:
        """Break the beam at the ``boundary``-th call boundary of a scan, 1 the first; then void the round."""
        table, hardware = self.table, self.table.hardware
        chips = self._announced()
        pull = table.shoe.pull(table.now, to=BEFORE_THE_BEAM)
        self.until(lambda: pull.position == BEFORE_THE_BEAM, "the card does not come")
        lamps = len(hardware.lamps.changed)
        broken = len(hardware.beam.log)

        def lay() -> None:
            chips.extend(self.lay(2, "initial", MORE_CHIPS))
            table.fabric.at_call(table.controller.calls + boundary, lambda: pull.go_on(table.now, FAST))

        self.at_scan_end = lay
        self.until(
            lambda: self.written("first_card") is not None and self._red_since(lamps) is not None,
            f"boundary {boundary}: the first card locks nothing",
        )
        edge, blocked = hardware.beam.log[broken]
        written, red = self.written("first_card"), self._red_since(lamps)
        assert blocked and written is not None and red is not None
        ticks = (edge + costs.IRQ_LATENCY_NS + self.call_ns - table.controller.ticks_zero) // NS_PER_US
        result = Draw(
            boundary,
            (written.when + len(written.data) * FRAM_BYTE_NS - edge) / NS_PER_US,
            (red - edge) / NS_PER_US,
            parse(written.data)["fields"]["edge"] - ticks,
        )
        self._void(chips)
        return result

    def _announced(self) -> list[Chip]:
        """A bet is laid, announced and confirmed, and the gate is open."""
        chips = self.lay_known(1, "initial")
        self.table.press("rnvp", hold=HOLD_NS)
        self.until(lambda: self.table.hardware.gate.open, "the gate stays shut")
        return chips

    def _void(self, chips: list[Chip]) -> None:
        table = self.table
        table.run_for(400)  # the card is out and known, and the initial bets are confirmed
        table.press("maldonne", hold=HOLD_NS)
        table.run_for(45)
        table.press("oui", hold=HOLD_NS)
        self.until(lambda: self.written("void") is not None, "the round does not end")
        table.remove(chips)
        table.shuffle()
        self.station.acknowledge()
        self.go_round()
        self.forget()

    def _red_since(self, first: int) -> int | None:
        """Instant at which the initial bets' spots and the bar were red, among the latches from ``first`` on."""
        for change in self.table.hardware.lamps.changed[first:]:
            if all(red and not green and not blue for red, green, blue in (change.pixels[i] for i in self._red)):
                return change.when
        return None
