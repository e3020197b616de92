"""Random play under power cuts and every other fault, judged.

Entry points: :func:`torture`, :func:`run`, :class:`Result`, :func:`shortened`.

People, faults and checks are ``hwsim.torture``; here they get a table with a host, and the journal is pulled, verified
and replayed at the end. The same seed gives the same life and the same journal, byte for byte.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hwsim.core import NS_PER_MS, SimFault
from hwsim.fuzz.tables import table
from hwsim.process import ControllerDied
from hwsim.provisioning import DEVELOPMENT_KEYS
from hwsim.torture import stored
from hwsim.torture.bets import Bodies, unseen
from hwsim.torture.ledger import Ledger
from hwsim.torture.life import Life
from hwsim.torture.memory import bodies
from hwsim.torture.minimise import minimised
from hwsim.torture.plan import ATTEMPTS, MEMORY, Plan, plan
from hwsim.torture.shown import early
from hwsim.world.truth import WorldError
from sabot.wire import meters
from sabot_host.errors import SabotError
from sabot_host.sim.damage import damaged
from sabot_host.sim.play import Session, Verdict

__all__ = ["ATTEMPTS", "SEATS", "Result", "as_dict", "command", "line", "lines", "plan", "run", "shortened", "torture"]

SEATS = 2
_WRAP_US = 1 << 30
_LAST_NOTES = 25


@dataclass
class Result:
    """What came of one seed."""

    game: str
    seats: int
    plan: Plan
    played: int = 0
    """rounds that went to their end"""
    voided: int = 0
    stuck: int = 0
    cuts: int = 0
    in_recovery: int = 0
    records: int = 0
    judged: int = 0
    """settled bets that were held against what lay there"""
    seconds: float = 0.0
    faults: dict[str, int] = field(default_factory=dict)
    """those that came, by kind"""
    violations: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """what people did and what failed, at the end"""
    journal: bytes = b""

    @property
    def good(self) -> bool:
        """Whether nothing was violated."""
        return not self.violations


def torture(
    game: str,
    seed: int,
    *,
    seats: int = SEATS,
    attempts: int = ATTEMPTS,
    keep: Collection[int] | None = None,
    calm: bool = False,
    code: Sequence[Path] | None = None,
) -> Result:
    """One life, from ``seed``, and what is wrong with it.

    ``keep``: the numbers of those of its faults that come; ``calm``: people do nothing beside playing; ``code``:
    folders with another firmware and its drivers.
    """
    life = plan(seed, attempts, calm=calm)
    return run(game, seats, life if keep is None else life.keeping(keep), code)


def run(game: str, seats: int, life: Plan, code: Sequence[Path] | None = None, acts: Sequence[str] = ()) -> Result:
    """Live a plan and judge it; ``acts``: the only ones that people do beside playing, by their names."""
    result = Result(game, seats, life)
    with Session(table(game, seats), seed=life.seed, code=code, ticks_us=life.ticks_us) as session:
        lived = Life(session.stage(), life, acts)
        try:
            lived.live()
            _judge(session, lived, result)
        except (SimFault, ControllerDied, WorldError) as error:
            result.violations.append(f"the firmware ended: {error}")
        except SabotError as error:
            result.violations.append(f"the journal cannot be pulled: {error.message}")
        _count(lived, result)
    return result


def shortened(result: Result) -> Result:
    """What comes of the shortest life, made of that of a failing ``result``, in which something is violated still."""
    return run(result.game, result.seats, minimised(result.plan, lambda life: _fails(result, life)))


def _fails(result: Result, life: Plan) -> bool:
    return not run(result.game, result.seats, life).good


def _count(lived: Life, result: Result) -> None:
    result.violations[:0] = lived.violations
    result.played, result.voided, result.stuck = lived.played, lived.voided, lived.stuck
    result.cuts, result.in_recovery = lived.power.cuts, lived.power.in_recovery
    result.seconds = lived.play.seconds
    for fault in result.plan.faults:
        if fault.number in lived.faults.fired:
            result.faults[fault.kind] = result.faults.get(fault.kind, 0) + 1
    for area, number in lived.power.rotted.items():
        result.faults["rot " + area] = number
    if result.plan.ticks_us:
        result.faults["tick wrap"] = 1
    result.notes = [str(note) for note in lived.floor.diary.notes[-_LAST_NOTES:]]


def _judge(session: Session, lived: Life, result: Result) -> None:
    """Hold the journal against the memory's bus, the host, the money, the bodies and the reference model."""
    session.witness.look()
    writes = list(session.table.hardware.fram.journal or [])
    last = max(session.witness.raw, default=0)
    heard = [record.data for record in session.host.records]
    verdict, pulled = session.judge()
    result.records, result.journal = verdict.records, pulled.path.read_bytes()
    wrong = [text for text in (verdict.chain, verdict.model) if text]
    wrong += stored.kept(pulled.records, bodies(writes), last)
    wrong += stored.heard(pulled.records, heard)
    wrong += stored.chained(pulled.records, DEVELOPMENT_KEYS["journal"])
    ledger = Ledger(lived.floor.law)
    ledger.take(session.witness.entries)
    wrong += ledger.wrong
    wrong += stored.summed(_meters(verdict), ledger.meters)
    wrong += _told_of_tasks(session, lived)
    hardware = session.table.hardware
    wrong += early(session.witness.entries, hardware.lamps.changed, hardware.gate.log, _unkept(lived))
    floor = lived.floor
    house = {label: chip for label, chip in floor.bodies.items() if chip not in floor.strange}
    spots = session.table.spots
    bodies_ = Bodies(session.table.truth.facts, house, {spot: antenna.name for spot, antenna in spots.items()})
    shift = lived.plan.ticks_us // _WRAP_US * _WRAP_US * 1000
    for text in unseen(session.witness.entries, floor.law, bodies_, spots, lived.faults.disturbed, shift):
        result.judged += 1
        wrong += [text] if text else []
    result.violations += wrong
    if lived.plan.rot and result.good and not lived.violations:
        result.violations += damaged(session, lived.plan.rot, pulled.records, result.faults)


def _meters(verdict: Verdict) -> dict[str, int]:
    """What the controller's own meters say, whose digest stands in the head that verification has judged."""
    said = verdict.meters or meters.as_dict(meters.new())
    places = said["places"]
    return {**said, **{name: sum(row[name] for row in places) for name in meters.BETS}}


def _unkept(lived: Life) -> list[tuple[int, int]]:
    """From when to when (ns) the memory kept nothing, for want of a supply or because it was deaf."""
    fired = lived.faults.fired
    memory = [fault for fault in lived.plan.faults if fault.number in fired and fault.kind in MEMORY]
    return [(fired[fault.number], fired[fault.number] + int(fault.values["ms"]) * NS_PER_MS) for fault in memory]


def _told_of_tasks(session: Session, lived: Life) -> Iterator[str]:
    """A task that died, or a watchdog that bit: a fault of the firmware, but where its memory did not keep a record."""
    memory = _unkept(lived)
    if session.table.controller.bites and not memory:
        yield f"the watchdog bit {session.table.controller.bites} times"
    for entry in session.witness.entries:
        if entry.name == "fault" and entry.fields["part"] == "task" and not memory:
            yield f"record {entry.sequence}: {entry}"


def as_dict(result: Result) -> dict[str, Any]:
    """For JSON."""
    return {
        "good": result.good,
        "game": result.game,
        "seats": result.seats,
        "seed": result.plan.seed,
        "rounds": result.played,
        "voided": result.voided,
        "stuck": result.stuck,
        "cuts": result.cuts,
        "cuts_in_recovery": result.in_recovery,
        "records": result.records,
        "bets_judged": result.judged,
        "virtual_seconds": round(result.seconds, 3),
        "faults": dict(sorted(result.faults.items())),
        "violations": result.violations,
        "plan": result.plan.lines(),
        "journal_sha256": hashlib.sha256(result.journal).hexdigest(),
    }


def line(result: Result) -> str:
    """One line for people."""
    came = ", ".join(f"{number} {kind}" for kind, number in sorted(result.faults.items())) or "no fault"
    played = f"{result.played} of {result.plan.attempts + 1} rounds played to their end"  # the last one in peace
    counts = f"{played}, {result.cuts} power cuts, {result.records} records, {result.seconds:.0f} s of the table's time"
    return f"seed {result.plan.seed}: {counts}; {came}: {_said(result)}"


def _said(result: Result) -> str:
    return f"{len(result.violations)} violations" if result.violations else "nothing violated"


def lines(result: Result) -> Iterator[str]:
    """What is wrong, the faults that led to it, what was done at the end, how to see it again."""
    yield from (f"violated: {text}" for text in result.violations)
    yield from (f"    {text}" for text in result.plan.lines())
    yield from (f"    {note}" for note in result.notes)
    yield f"again: {command(result)}"


def command(result: Result) -> str:
    """The command that lives the same again."""
    life = result.plan
    words = f"sabot sim torture --game {result.game} --seats {result.seats} --seed {life.seed} --rounds {life.attempts}"
    numbers = ",".join(str(fault.number) for fault in life.faults) or "none"
    calm = " --calm" if life.calm else ""
    return f"{words} --faults {numbers}{calm}"
