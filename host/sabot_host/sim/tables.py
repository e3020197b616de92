"""Several demonstrations side by side, one a process: each simulated table keeps to one processor of its own.

Entry point: :func:`play_all`. The first table tells as it plays; what the others have told follows when it is done.
"""

from __future__ import annotations

import signal
from collections.abc import Sequence
from contextlib import ExitStack
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import NamedTuple, NoReturn

from sabot_host.errors import SabotError
from sabot_host.sim.demo import Demo, Report, Say

_PATIENCE_S = 600.0
_END_S = 10.0


class Plan(NamedTuple):
    """What is played at one table."""

    game: str
    rounds: int
    seats: int
    seed: int


def play_all(plans: Sequence[Plan], say: Say) -> list[Report]:
    """Play every plan and tell of it; a report each. SabotError when a table's process ends without one."""
    context = get_context("spawn")
    with ExitStack() as ends:
        others = []
        for plan in plans[1:]:
            near, far = context.Pipe(duplex=False)
            process = context.Process(target=_play_apart, args=(plan, far), daemon=True)
            process.start()
            far.close()
            ends.callback(process.join, _END_S)
            ends.callback(process.terminate)
            others.append((plan, near))
        reports = [Demo(*plans[0]).play(say)]
        for plan, near in others:
            say("")
            reports.append(_told(plan, near, say))
        return reports


def _told(plan: Plan, near: Connection, say: Say) -> Report:
    """What another process has played: its lines, then its report."""
    try:
        while near.poll(_PATIENCE_S):
            said = near.recv()
            if isinstance(said, Report):
                return said
            say(said)
    except EOFError:
        pass
    raise SabotError(
        "sim-table-lost", f"the table of {plan.game} ended without a report", f"sabot sim demo --game {plan.game}"
    )


def _end(number: int, frame: object) -> NoReturn:
    raise SystemExit(0)  # cuts the power of the simulated board and clears its folder


def _play_apart(plan: Plan, far: Connection) -> None:
    """In a process of its own; Ctrl-C is the first process's, which ends this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _end)
    with far:
        far.send(Demo(*plan).play(far.send))
