"""Memories of a journal that has played for long, made without the board.

Entry points: `Memories`, `made`, `filled`, `board_id`.
"""

from __future__ import annotations

import hashlib
from typing import NamedTuple

from hwsim.chips.qspi_flash import SECTORS
from hwsim.provisioning import DEVELOPMENT_KEYS
from sabot.journal.errors import JournalError
from sabot.journal.journal import Journal
from sabot.wire.records import code_of
from tests.journal.fast_memory import FastMemory
from tests.journal.flash_files import Flash, LfsFiles
from tests.journal.on_board.journal_memory import FakeClock

MEMORY = 512 * 1024
SEGMENTS = 72
POWER_ON = {"cause": 1, "version": "0.0.0", "config_hash": bytes(8)}


class Memories(NamedTuple):
    """What the board's two memories hold; options of a simulated table."""

    image: bytearray
    flash: bytearray


def board_id(seed: int) -> bytes:
    """The id of the simulated board with this seed."""
    return hashlib.sha256(f"board {seed}".encode()).digest()[:8]


def _begun(seed: int) -> tuple[FastMemory, Flash, Journal]:
    memory, flash = FastMemory(image=bytearray(MEMORY)), Flash(SECTORS)
    files = LfsFiles(flash, form=True, mounted="/segments")
    journal = Journal(memory, FakeClock(now=5), files, files.open, SEGMENTS)
    journal.format(DEVELOPMENT_KEYS["journal"], board_id(seed))
    journal.open()
    journal.append(code_of("power_on"), POWER_ON)
    return memory, flash, journal


def _relieve(journal: Journal) -> None:
    while journal.crowded:
        for _ in journal.moves():
            pass


def made(seed: int, used: int, *, segments: bool = True) -> Memories:
    """A journal of the simulated board's own in which ``used`` bytes wait for a host.

    ``segments``: those that were due have been written; without, everything is in the memory.
    """
    memory, flash, journal = _begun(seed)
    while journal.used < used:
        journal.append(code_of("fault"), {"part": 1, "index": 0, "detail": 220 * "x"})
        if segments:
            _relieve(journal)
    return Memories(memory.image, flash.buffer)


def filled(seed: int, left: int) -> Memories:
    """A journal of which ``left`` bytes are not used by records that no host has; the longest come first."""
    memory, flash, journal = _begun(seed)
    bets = [(0x10, 1, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF)] * 58
    for name, values, length in (
        ("settlement", {"round": 1, "bets": bets}, 1300),
        ("fault", {"part": 1, "index": 0, "detail": 220 * "x"}, 300),
        ("link", {"up": 1}, 0),
    ):
        while journal.capacity - journal.used > left + length:
            try:
                journal.append(code_of(name), values)
            except JournalError:
                break
            _relieve(journal)
    return Memories(memory.image, flash.buffer)
