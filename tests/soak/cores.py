"""A process for each core, which keeps to it with all that it starts. Entry point: :func:`pool`.

A table and its firmware take turns, thousands of times a second; to wake another core takes longer than a turn.
"""

from __future__ import annotations

import multiprocessing
import os
from concurrent.futures import ProcessPoolExecutor


def pool() -> ProcessPoolExecutor:
    """Processes that begin afresh, on the cores that this one may use."""
    context = multiprocessing.get_context("spawn")
    cores: multiprocessing.Queue[int] = context.Queue()
    for core in os.sched_getaffinity(0):
        cores.put(core)
    return ProcessPoolExecutor(len(os.sched_getaffinity(0)), context, _stay, (cores,))


def _stay(cores: multiprocessing.Queue[int]) -> None:
    os.sched_setaffinity(0, {cores.get()})
