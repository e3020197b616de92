"""Firmware with one thing wrong, made by changing the text of a copy. Entry points: :data:`MUTANTS`, :func:`built`."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import NamedTuple

from hwsim.compiled import compiled
from hwsim.table import REPOSITORY, SOURCES


class Mutant(NamedTuple):
    """What is changed: in which file of the firmware, which text (it stands there once) into which other."""

    file: str
    text: str
    other: str


MUTANTS = {
    "dwell_0": Mutant("sabot/config.py", "dwell_ms 0 5000 500", "dwell_ms 0 5000 0"),
    "one_silence_is_absence": Mutant("sabot/config.py", "retries 1 32 8", "retries 1 32 1"),
    "late_is_ambiguous": Mutant(
        "sabot/table/alarms.py", 'kind = "capped" if locked else "late"', 'kind = "ambiguous_large"'
    ),
    "lock_at_the_tasks_time": Mutant(
        "sabot/services/panel.py", "self._table.announce(self._announcement.instant)", "self._table.announce(now)"
    ),
    "moved_is_withdrawn": Mutant(
        "sabot/table/watch.py", "other = ledger.elsewhere(spot, ledger.chip[item])", "other = -1"
    ),
}


def built(mutant: Mutant, folder: Path) -> list[Path]:
    """Folders of the changed firmware, compiled; ``folder`` is where the copy is made.

    ValueError when the text does not stand there once: then the mutant has to follow the firmware.
    """
    copy = folder / "firmware"
    shutil.copytree(SOURCES[0], copy, ignore=shutil.ignore_patterns("__pycache__"))
    path = copy / mutant.file
    source = path.read_text()
    if source.count(mutant.text) != 1:
        raise ValueError(f"{mutant.file} holds {mutant.text!r} {source.count(mutant.text)} times")
    path.write_text(source.replace(mutant.text, mutant.other))
    return [compiled([copy, SOURCES[1]], REPOSITORY / "build" / "sim")]
