"""A plan that fails, made short. Entry point: :func:`minimised`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from hwsim.torture.plan import Plan

_MOST = 40  # lives that are tried


def minimised(plan: Plan, fails: Callable[[Plan], bool]) -> Plan:
    """A life that still ``fails`` and of which nothing can be left out: first people's acts, then fault after fault."""
    tried = 0

    def still(candidate: Plan) -> bool:
        nonlocal tried
        tried += 1
        return tried <= _MOST and fails(candidate)

    if not plan.calm and still(replace(plan, calm=True)):
        plan = replace(plan, calm=True)
    numbers = [fault.number for fault in plan.faults]
    size = max(1, len(numbers) // 2)
    while size:
        for at in range(0, len(numbers), size):
            fewer = plan.keeping(set(numbers) - set(numbers[at : at + size]))
            if len(fewer.faults) < len(plan.faults) and still(fewer):
                plan = fewer
                numbers = [fault.number for fault in plan.faults]
                break
        else:
            size //= 2
    return plan
