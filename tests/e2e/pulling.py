"""A journal of which most lies in segments, pulled from the whole firmware and compared bit by bit.

Entry points: `pulled_through`, `SlowCable`, `Pulled`, `MEGABYTE`.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

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
MEGABYTE = 1_060_000
"""Bytes that a journal uses whose records are a megabyte together; the rest is what it keeps beside them."""


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


class Pulled(NamedTuple):
    """What a pull took."""

    sessions: int
    seconds: float
    """virtual"""
    size: int
    """bytes of the records"""
    records: int
    verified_s: float
    """real: the file was verified in"""


def pulled_through(used: int, path: Path, cable: Callable[[SimTable], VirtualCable]) -> Pulled:
    """Pull until it is whole, with as many cables as it takes. AssertionError when it is not equal."""
    memories = made(SEED, used)
    held = records_of(memories)
    with Session(seed=SEED, image=memories.image, flash=memories.flash) as session:
        table = session.table
        table.start()
        table.run_for(1500)
        began = table.now
        sessions = 0
        while True:
            sessions += 1
            assert sessions < 40
            client = Client(cable(table))
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
    real = time.monotonic()
    found = journal_file.read(path)
    assert verify(found, DEVELOPMENT_KEYS["journal"]).good
    real = time.monotonic() - real
    same = found.records[: len(held)]
    assert hashlib.sha256(b"".join(same)).digest() == hashlib.sha256(b"".join(held)).digest()
    assert len(found.records) > len(held)
    return Pulled(sessions, seconds, sum(map(len, found.records)), len(found.records), real)
