"""How each kind of fault comes over the table and goes again. Entry points: :class:`Faults`, :class:`Disturbed`.

What cuts the power raises :class:`~hwsim.core.PowerFailure` at its instant; whoever plays the life sees to what follows
(:mod:`hwsim.torture.power`).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

from hwsim.chips.ds3231_time import registers_of, seconds_of
from hwsim.core import NS_PER_MS, PowerFailure
from hwsim.fuzz.floor import Floor
from hwsim.scenario import machinery
from hwsim.scenario.stage import Impossible
from hwsim.torture.plan import Fault
from hwsim.world.chips import Chip

_DEAF = 0x0C  # both block protection bits of the memory's status: every write is ignored
_LOST_SHARE = 0.2
_SLOW_MS = (180, 20)  # a slow host reads nothing for so long, then takes what there is for so long
_FLAP_MS = 150
_FOREVER = 1 << 62


class Disturbed(NamedTuple):
    """From when to when (ns) what lay on the antennas could not be known."""

    begin: int
    end: int


class Faults:
    """Brings faults over ``floor``'s table, and takes those back that last."""

    def __init__(self, floor: Floor) -> None:
        self.floor = floor
        self.fired: dict[int, int] = {}
        """when each fault came (ns), by its number; those that found nothing to harm are missing"""
        self.cutting: Fault | None = None
        """the fault that has cut the power"""
        self.disturbed: list[Disturbed] = []
        self._table = floor.table
        self._stage = floor.stage
        self._scheduler = floor.table.scheduler
        self._undo: dict[int, Callable[[], object]] = {}
        self.over = False

    # --- coming and going ---------------------------------------------------------------------------------------------

    def expect(self, fault: Fault) -> None:
        """Let a fault come when it is due, counted from now."""
        self._scheduler.after(fault.after_ms * NS_PER_MS, partial(self._come, fault))

    def heal(self) -> None:
        """Everything that has not gone by itself goes now."""
        for number in list(self._undo):
            self._go(number)

    def end(self) -> None:
        """Nothing fails any more: what has not come yet stays away, cuts that wait for a byte or a call included."""
        self.over = True
        if self._stage.powered:
            self._table.hardware.fram.power_on()
            self._table.hardware.flash.power_on()

    def _come(self, fault: Fault) -> None:
        if self.over or not self._stage.powered:
            return  # there is nothing that could fail
        handler: Callable[[Fault, Mapping[str, Any]], bool | None] = getattr(self, "_" + fault.kind)
        if handler(fault, fault.values) is not False:
            self._fire(fault)

    def _fire(self, fault: Fault) -> None:
        self.fired.setdefault(fault.number, self._table.now)
        self.floor.say("fault", str(fault))

    def _lasts(self, fault: Fault, values: Mapping[str, Any], undo: Callable[[], object]) -> None:
        self._undo[fault.number] = undo
        self._scheduler.after(values["ms"] * NS_PER_MS, partial(self._go, fault.number))

    def _go(self, number: int) -> None:
        undo = self._undo.pop(number, None)
        if undo is not None:
            undo()

    def _disturbs(self) -> Callable[[], None]:
        """From now on the antennas tell less than there is; returns what ends that."""
        at = len(self.disturbed)
        self.disturbed.append(Disturbed(self._table.now, _FOREVER))

        def over() -> None:
            self.disturbed[at] = Disturbed(self.disturbed[at].begin, self._table.now)

        return over

    # --- power --------------------------------------------------------------------------------------------------------

    def _fail(self, fault: Fault) -> None:
        if self._stage.powered and self.cutting is None and not self.over:
            self._fire(fault)
            self.cutting = fault
            raise PowerFailure(str(fault))

    def _cut(self, fault: Fault, values: Mapping[str, Any]) -> bool:
        self._fail(fault)
        return False

    _reset = _cut

    def _cut_call(self, fault: Fault, values: Mapping[str, Any]) -> bool:
        self._table.fabric.at_call(self._table.controller.calls + values["calls"], partial(self._fail, fault))
        return False

    def _cut_memory(self, fault: Fault, values: Mapping[str, Any]) -> bool:
        fram = self._table.hardware.fram
        fram.cut_after(values["bytes"], partial(self._fail, fault), in_flight=bool(values["torn"]))
        return False

    def _cut_flash(self, fault: Fault, values: Mapping[str, Any]) -> bool:
        flash = self._table.hardware.flash
        flash.cut_after(values["operations"], partial(self._fail, fault), torn=bool(values["torn"]))
        return False

    # --- parts --------------------------------------------------------------------------------------------------------

    def _memory_brown_out(self, fault: Fault, values: Mapping[str, Any]) -> bool:
        """Its own supply drops inside a frame and comes back: what is clocked meanwhile is lost."""
        fram = self._table.hardware.fram

        def back() -> None:
            if self._stage.powered and not fram.powered:
                fram.power_on()

        def drops() -> None:
            self._fire(fault)
            self._lasts(fault, values, back)

        fram.cut_after(values["bytes"], drops)
        return False

    def _memory_deaf(self, fault: Fault, values: Mapping[str, Any]) -> None:
        fram = self._table.hardware.fram
        fram.status = _DEAF
        self._lasts(fault, values, lambda: setattr(fram, "status", 0))

    def _flash_deaf(self, fault: Fault, values: Mapping[str, Any]) -> None:
        flash = self._table.hardware.flash
        flash.fail = True
        self._lasts(fault, values, lambda: setattr(flash, "fail", False))

    def _reader_brown_out(self, fault: Fault, values: Mapping[str, Any]) -> None:
        readers = self._table.hardware.readers
        over = self._disturbs()
        readers[values["reader"] % len(readers)].power_cycle()
        self._lasts(fault, {"ms": 500}, over)

    def _reader_dead(self, fault: Fault, values: Mapping[str, Any]) -> None:
        readers = self._table.hardware.readers
        reader = readers[values["reader"] % len(readers)]
        over = self._disturbs()
        reader.fail(values["how"])

        def back() -> None:
            reader.fail("")
            over()

        self._lasts(fault, values, back)

    def _display_brown_out(self, fault: Fault, values: Mapping[str, Any]) -> None:
        self._table.hardware.display.power_cycle()

    def _clock_jump(self, fault: Fault, values: Mapping[str, Any]) -> None:
        clock = self._table.hardware.clock
        clock.set_time(registers_of(seconds_of(clock.time) + values["seconds"]))

    def _clock_stops(self, fault: Fault, values: Mapping[str, Any]) -> None:
        clock = self._table.hardware.clock
        clock.fail_crystal()
        self._lasts(fault, values, lambda: clock.fail_crystal(False))

    def _stuck_key(self, fault: Fault, values: Mapping[str, Any]) -> None:
        key = self._table.hardware.keys[values["key"]]
        key.stick(self._table.now, values["level"] == "down")
        self._lasts(fault, values, lambda: key.unstick(self._table.now))

    # --- air ----------------------------------------------------------------------------------------------------------

    def _tag_lost(self, fault: Fault, values: Mapping[str, Any]) -> bool:
        """The tag of one of the chips that lie there is not heard any more."""
        lying = [chip for spot in self._table.spots for chip in self.floor.lying(*spot)]
        if not lying:
            return False
        lost: list[Chip] = [random.Random(fault.after_ms).choice(lying)]
        over = self._disturbs()
        self._stage.air.lose(lost)

        def back() -> None:
            self._stage.air.end(lost)
            over()

        self._lasts(fault, values, back)
        return True

    def _answers_lost(self, fault: Fault, values: Mapping[str, Any]) -> None:
        self._stage.air.thin(self._table.spots.values(), _LOST_SHARE)
        self._clears(fault, values)

    def _noise(self, fault: Fault, values: Mapping[str, Any]) -> None:
        self._stage.air.jam(self._table.spots.values(), values["ms"] * NS_PER_MS)
        self._clears(fault, values)

    def _clears(self, fault: Fault, values: Mapping[str, Any]) -> None:
        over = self._disturbs()

        def clear() -> None:
            self._stage.air.clear(self._table.spots.values())
            over()

        self._lasts(fault, values, clear)

    # --- cable and host -----------------------------------------------------------------------------------------------

    def _act(self, name: str, **values: Any) -> bool:
        """What a scenario can have the host do; False where that is impossible now."""
        try:
            machinery.ACTS[name](self._stage, values)
        except Impossible:
            return False
        return True

    def _cable(self, fault: Fault, values: Mapping[str, Any]) -> bool:
        self._lasts(fault, values, lambda: self._act("plug"))
        return self._act("unplug")

    def _cable_flaps(self, fault: Fault, values: Mapping[str, Any]) -> None:
        self._turns(fault, values, (_FLAP_MS, _FLAP_MS), ("unplug", "plug"))

    def _host_dead(self, fault: Fault, values: Mapping[str, Any]) -> bool:
        self._lasts(fault, values, lambda: self._act("host_reads"))
        return self._act("host_stops")

    def _host_slow(self, fault: Fault, values: Mapping[str, Any]) -> None:
        self._turns(fault, values, _SLOW_MS, ("host_stops", "host_reads"))

    def _turns(self, fault: Fault, values: Mapping[str, Any], times: tuple[int, int], acts: tuple[str, str]) -> None:
        """Two acts by turns, each so many milliseconds before the other; the second ends it."""
        self._lasts(fault, values, lambda: self._act(acts[1]))

        def turn(which: int) -> None:
            if fault.number in self._undo:
                self._act(acts[which])
                self._scheduler.after(times[which] * NS_PER_MS, partial(turn, 1 - which))

        turn(0)

    def _garbage(self, fault: Fault, values: Mapping[str, Any]) -> bool:
        return self._act("host_garbage", number=values["bytes"])

    def _flood(self, fault: Fault, values: Mapping[str, Any]) -> bool:
        return self._act("host_floods", seconds=values["ms"] * NS_PER_MS)

    def _acknowledge(self, fault: Fault, values: Mapping[str, Any]) -> bool:
        if not self._stage.host.up:
            return False
        self._stage.host.acknowledge()
        return True
