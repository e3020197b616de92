"""The journal: a megabyte pulled, and how fast the host verifies it.

The pulled journal lies mostly in flash segments and is compared with what the controller holds, bit by bit
(`tests/e2e/pulling.py`): once over a whole cable, once over one that gives the host 32 bytes a millisecond and comes
off.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hwsim.table import VirtualCable
from tests.e2e.pulling import MEGABYTE, Pulled, SlowCable, pulled_through


def _figures(pulled: Pulled) -> dict[str, Any]:
    return {
        "bytes": pulled.size,
        "seconds": round(pulled.seconds, 1),
        "kilobytes_a_second": round(pulled.size / pulled.seconds / 1000, 1),
        "sessions": pulled.sessions,
    }


def measure() -> dict[str, Any]:
    """Return the rates of the pulls, and records verified a real second."""
    with TemporaryDirectory() as folder:
        whole = pulled_through(MEGABYTE, Path(folder) / "whole", VirtualCable)
        slow = pulled_through(MEGABYTE, Path(folder) / "slow", lambda table: SlowCable(table, 32, 400_000))
    return {
        "pull": {"whole_cable": _figures(whole), "slow_and_broken": _figures(slow)},
        "verified_records_a_real_s": round(whole.records / whole.verified_s),
    }
