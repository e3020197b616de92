"""What the release takes of a board's flash is what docs/hardware.md has for it."""

from __future__ import annotations

import re
from pathlib import Path

from sabot_host.flash.boards import SECTOR_BYTES, board_named
from sabot_host.release import bundle, image

PAGE = Path(__file__).parents[2] / "docs" / "hardware.md"
UNUSED = 20
"""Blocks; a page that has more room for the code than this above what it takes is stale."""


def test_the_code_takes_no_more_blocks_than_the_page_has_for_it(release: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.sabot"
    path.write_bytes(release)
    board = board_named("pico2")
    files = bundle.read(path).on_board
    taken = len(image.make(files, board))
    text = PAGE.read_text(encoding="utf-8")
    budget = {
        what: int(blocks) for blocks, what in re.findall(r"^\| (\d+) \| (\w+)", text[text.index("## Flash") :], re.M)
    }
    assert sum(list(budget.values())[:4]) == board.filesystem_bytes // SECTOR_BYTES
    assert budget["code"] - UNUSED < taken <= budget["code"]
