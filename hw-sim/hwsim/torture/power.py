"""What follows a power cut: darkness, bits that turn over, the start, and the next cut inside it.

Entry points: :class:`Power` (``away``: from a cut to a controller that has started).
"""

from __future__ import annotations

import binascii
from collections.abc import Callable
from functools import partial

from hwsim.core import NS_PER_MS, PowerFailure
from hwsim.torture.faults import Faults
from hwsim.torture.memory import AREAS
from hwsim.torture.plan import Fault

_STARTS_MS = 1_000  # the boot, the recovery, and the host's session
_MOST = 4  # cuts in a row


class Power:
    """The supply of the table of ``faults``; ``look`` is called before each start."""

    def __init__(self, faults: Faults, look: Callable[[], None]) -> None:
        self.cuts = 0
        """of the supply, those inside a recovery included"""
        self.in_recovery = 0
        """those of them"""
        self.rotted: dict[str, int] = {}
        """bits that turned over while it was dark, by area"""
        self._faults = faults
        self._floor = faults.floor
        self._table = faults.floor.table
        self._stage = faults.floor.stage
        self._look = look

    def away(self) -> None:
        """The supply has gone; time passes until it is back and the controller has had time to start."""
        for round_ in range(_MOST):
            fault, self._faults.cutting = self._faults.cutting, None
            self.off(fault, again=round_ > 0)
            try:
                self.on(fault if not round_ else None)
            except PowerFailure:
                continue
            return

    def off(self, fault: Fault | None, *, again: bool = False) -> None:
        """It is dark: everybody stops, and the chips keep what they keep."""
        reset = fault is not None and fault.kind == "reset"
        self._floor.crew.dismiss()
        self._look()
        if reset:
            self._table.controller.kill()
            self._stage.powered = False
            return
        self.cuts += 1
        self.in_recovery += again
        self._table.stop()
        self._stage.powered = False
        values = fault.values if fault is not None else {}
        self._table.run_for(int(values.get("off_ms", 500)))
        if "rot" in values and not again:
            self._rot(str(values["rot"]), int(values["bit"]))

    def on(self, fault: Fault | None = None) -> None:
        """It is back; PowerFailure when it goes again before the controller has started."""
        if fault is not None and fault.kind == "reset":
            self._table.controller.start()
        else:
            self._table.start()
        self._stage.powered = True
        if fault is not None and "again" in fault.values:
            self._again(fault)
        self._table.run_for(_STARTS_MS)

    def _again(self, fault: Fault) -> None:
        """Cut the recovery that begins now."""
        after = int(fault.values["after"])
        fails = partial(self._fails, fault)
        if fault.values["again"] == "bytes":
            self._table.hardware.fram.cut_after(after, fails)
        else:
            self._table.scheduler.after(after * NS_PER_MS, fails)

    def _fails(self, fault: Fault) -> None:
        if self._stage.powered and self._faults.cutting is None and not self._faults.over:
            self._floor.say("fault", f"{fault}: cut again in the recovery")
            raise PowerFailure(str(fault))

    def _rot(self, area: str, chosen: int) -> None:
        """One bit turns over, in one of two copies when the other one is whole; else in nothing that is used."""
        image = self._table.hardware.fram.image
        copies = AREAS[area]
        if len(copies) == 2:
            blocks = [bytes(image[copy.start : copy.stop]) for copy in copies]
            if area == "head" and blocks[0] != blocks[1]:
                return  # the cut has left one of them already
            if not all(binascii.crc32(block[:-4]) == int.from_bytes(block[-4:], "little") for block in blocks):
                return
        bits = 8 * len(copies[0])
        copy = copies[chosen // bits % len(copies)]
        bit = chosen % bits
        image[copy.start + bit // 8] ^= 1 << bit % 8
        self.rotted[area] = self.rotted.get(area, 0) + 1
        self._floor.say("fault", f"bit {bit} of a {area} turns over")
