"""Firmware with one thing wrong, and the life in which that shows. Entry point: :data:`LIVES`."""

from __future__ import annotations

from typing import NamedTuple

from hwsim.torture.plan import Fault, Plan
from tests.fuzz.mutants import Mutant


class Case(NamedTuple):
    """A mutant, the life that it does not survive, what people do in it, and a word of what must be found."""

    mutant: Mutant
    plan: Plan
    acts: tuple[str, ...]
    found: str


def _life(after_ms: int, kind: str, **values: int | str) -> Plan:
    return Plan(1, 1, (Fault(1, 1, after_ms, kind, values),), calm=True)


LIVES = {
    "what was settled goes back once more": Case(
        Mutant("sabot/journal/recovery.py", "self.settled[place] = (result, stake, paid, returned)", "pass"),
        _life(4500, "cut", off_ms=20),
        (),
        "go back",
    ),
    "plays do not go back": Case(
        Mutant("sabot/journal/recovery.py", 'elif name == "decisions":', 'elif name == "no such record":'),
        _life(4065, "cut_memory", bytes=250, torn=1, off_ms=20),
        (),
        "go back",
    ),
    "a body whose append was cut is dropped": Case(
        Mutant("sabot/journal/opening.py", "return _pending_body(storage, ring)", "return None"),
        _life(1500, "cut_memory", bytes=75, torn=1, off_ms=20),
        (),
        "was whole in memory",
    ),
    "a head slot is believed without its check": Case(
        Mutant("sabot/journal/layout.py", "or parts[-1] != crc32(memoryview(buffer)[: HEAD_SIZE - 4])", ""),
        _life(2500, "cut", off_ms=20, rot="head", bit=8 * 60),
        (),
        "record",
    ),
    "a bet laid after the lock counts": Case(
        Mutant(
            "sabot/table/watch.py",
            "            ledger.mark[item] = led.LATER\n        elif mark in",
            "            ledger.mark[item] = led.COUNTED\n            core.spots.locked[spot] = core.spots.seen[spot]\n"
            "        elif mark in",
        ),
        Plan(2, 3, ()),
        ("late", "capped"),
        "lay there",
    ),
}
