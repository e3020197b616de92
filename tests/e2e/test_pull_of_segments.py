"""A long journal, most of it in segments, over a slow cable that comes off: bit for bit what the controller holds."""

from __future__ import annotations

import hashlib
import time
from pathlib import Path

import pytest

from hwsim.provisioning import DEVELOPMENT_KEYS
from hwsim.table import SimTable, VirtualCable
from sabot.journal.journal import Journal
from sabot_host.errors import SabotError
from sabot_host.journal import file as journal_file
from sabot_host.journal.pull import pull
from sabot_host.journal.verify import verify
from sabot_host.link.client import Client
from sabot_host.sim.play import Session
from tests.e2e.stored import SEGMENTS, Memories, made
from tests.journal.fast_memory import FastMemory
from tests.journal.flash_files import Flash, LfsFiles
from tests.journal.on_board.journal_memory import FakeClock

SEED = 5


class SlowCable(VirtualCable):
    """Gives the host ``a_read`` bytes at a time, one read a millisecond, and comes off after ``lasts`` bytes."""

    def __init__(self, table: SimTable, a_read: int, lasts: int) -> None:
        super().__init__(table)
        self._a_read = a_read
        self._left = lasts
        self._came = b""

    def read(self, timeout_ms: int) -> bytes:
        """A few bytes."""
        if not self._came and self._left > 0:
            self._came = super().read(timeout_ms)
        self._table.run_for(1)
        piece, self._came = self._came[: self._a_read], self._came[self._a_read :]
        self._left -= len(piece)
        return piece if self._left > 0 else b""


def records_of(memories: Memories) -> list[bytes]:
    memory = FastMemory(image=memories.image)
    files = LfsFiles(Flash(0, memories.flash), mounted="/segments")
    journal = Journal(memory, FakeClock(now=5), files, files.open, SEGMENTS)
    journal.open()
    return [record for _, record in journal.records_from(1)]


def pulled_through(used: int, lasts: int, path: Path) -> tuple[int, float, float]:
    """Pull until it is whole: sessions, virtual seconds, real seconds. AssertionError when it is not equal."""
    memories = made(SEED, used)
    held = records_of(memories)
    with Session(seed=SEED, image=memories.image, flash=memories.flash) as session:
        table = session.table
        table.start()
        table.run_for(1500)
        began, real = table.now, time.monotonic()
        sessions = 0
        while True:
            sessions += 1
            assert sessions < 40
            client = Client(SlowCable(table, 32, lasts))
            try:
                client.open()
                client.authenticate("auditor", DEVELOPMENT_KEYS["auditor"])
                pull(client, path, hashlib.sha256(b"%d" % sessions).digest()[:16])
                break
            except SabotError as error:
                assert error.code.startswith("link"), error
            finally:
                client.close()
        seconds = (table.now - began) / 1e9
        real = time.monotonic() - real
    found = journal_file.read(path)
    assert verify(found, DEVELOPMENT_KEYS["journal"]).good
    same = found.records[: len(held)]
    assert hashlib.sha256(b"".join(same)).digest() == hashlib.sha256(b"".join(held)).digest()
    assert len(found.records) > len(held)
    return sessions, seconds, real


@pytest.mark.campaign
def test_a_cable_that_comes_off(tmp_path: Path) -> None:
    sessions, _, _ = pulled_through(200_000, 60_000, tmp_path / "journal")
    assert sessions > 3


@pytest.mark.campaign
@pytest.mark.timeout(900)
def test_a_megabyte(tmp_path: Path) -> None:
    sessions, seconds, real = pulled_through(1_048_576, 400_000, tmp_path / "journal")
    print(f"{sessions} sessions, {seconds:.0f} s: {1_048_576 / seconds / 1000:.1f} KB/s; {real:.0f} s real")
    assert sessions > 2
