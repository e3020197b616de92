"""The same seed and scenario give the same journal, byte for byte, whatever the machine does beside."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from sabot_host.sim.play import Outcome, play, read

SCENARIO = Path(__file__).parents[2] / "scenarios" / "void_by_supervisor.scn"
# It ends by itself: a test that is killed must not leave the machine busy.
BURN = "import time\nwhile time.process_time() < 60: sum(range(1000))"


@contextmanager
def load(processes: int) -> Iterator[None]:
    """Keep every processor busy."""
    burning = [subprocess.Popen([sys.executable, "-c", BURN]) for _ in range(processes)]
    try:
        yield
    finally:
        for process in burning:
            process.kill()
            process.wait()


def outcome(seed: int) -> Outcome:
    result = play(read(SCENARIO), seed=seed)
    assert result.good
    return result


@pytest.mark.timeout(300)  # beside the load it takes its share of a processor
def test_byte_identical_twice_and_under_load() -> None:
    first = outcome(5)
    assert outcome(5).journal == first.journal
    with load(3):
        assert outcome(5).journal == first.journal


@pytest.mark.campaign
def test_another_seed_gives_another_journal() -> None:
    # Other UIDs, other bounce, other nonces: a journal that did not depend on the seed would prove nothing above.
    assert outcome(5).journal != outcome(6).journal
