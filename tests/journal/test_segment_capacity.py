"""72 hours at 60 rounds an hour without a host: what fits, what is warned of, how often the flash is erased."""

from __future__ import annotations

from sabot.journal import layout
from sabot.journal.journal import Journal
from sabot.journal.ring import SEGMENT
from sabot.wire.records import MAX_RECORD, OVERHEAD, code_of
from tests.journal.fast_memory import FastMemory
from tests.journal.flash_files import BLOCK, Flash, LfsFiles
from tests.journal.on_board.journal_memory import KEY, TABLE, FakeClock

MEMORY = 512 * 1024
BLOCKS = 768
OTHERS = 192
"""Blocks that code and configuration may take, and what is to stay free (docs/hardware.md)."""
SEGMENTS = 72
ROUNDS_A_DAY = 24 * 60
ROUND = (100, 68, 93, 40, 62, 111, 120, 34)
"""Bytes of the records of a clean round of Three Card Poker, five seats, two with Pair plus, and its one key record."""


def rounds(blocks: int, segments: int) -> tuple[Journal, Flash, LfsFiles]:
    flash = Flash(blocks)
    files = LfsFiles(flash, form=True)
    journal = Journal(FastMemory(MEMORY), FakeClock(), files, files.open, segments)
    journal.format(KEY, TABLE)
    journal.open()
    return journal, flash, files


def play(journal: Journal) -> None:
    """One round, and then whatever is due."""
    for length in ROUND:
        journal.append(code_of("fault"), {"part": 1, "index": 2, "detail": "x" * (length - OVERHEAD - 3)})
    while journal.crowded:
        for _ in journal.moves():
            pass


def test_the_room_is_that_of_three_days() -> None:
    journal, _, _ = rounds(64, SEGMENTS)
    flash = SEGMENTS * (SEGMENT - 128 - max(ROUND))
    memory = MEMORY - layout.RING - layout.room_to_finish(MEMORY - layout.RING) - 2 * MAX_RECORD
    assert flash + memory > 3 * ROUNDS_A_DAY * sum(ROUND)
    assert journal.capacity == MEMORY - layout.RING + SEGMENTS * SEGMENT
    assert SEGMENTS * 8 + OTHERS <= BLOCKS
    assert (SEGMENT + 44) % BLOCK == 0


def test_three_days_without_a_host() -> None:
    """On a flash whose other blocks are taken by other files."""
    journal, flash, files = rounds(BLOCKS, SEGMENTS)
    taken = files.open("others", "wb")
    for _ in range(OTHERS - 8):
        taken.write(bytes(BLOCK))
    taken.close()
    erases, programs = flash.erases, flash.programs
    half_at = full_at = played = 0
    while not full_at:
        play(journal)
        played += 1
        half_at = half_at or played * journal.half
        full_at = played * journal.full
    erases, programs = flash.erases - erases, flash.programs - programs
    a_day = ROUNDS_A_DAY / played
    print(f"{played} rounds, warning at {half_at}; {erases * a_day:.0f} erases and {programs * a_day:.0f} pages a day")
    assert played >= 3 * ROUNDS_A_DAY
    assert 0.45 < half_at / played < 0.55
    assert erases * a_day < 500
    assert journal.first == 1 and sum(1 for _ in journal.records_from(1)) == journal.last
