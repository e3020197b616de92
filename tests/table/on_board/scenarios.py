"""All rounds of the table's tests. Entry point: `ALL`. As a program it plays each and prints its journal's digest."""

import binascii
import hashlib

from tests.table.on_board import (
    bataille,
    changes,
    cheats,
    choices,
    clean_rounds,
    deals,
    declared,
    doubts,
    ends,
    locks,
    panel,
    payments,
    pokers,
    readers,
    styles,
    wars,
)
from tests.table.on_board.rig import Rig

ALL = (
    clean_rounds.ALL
    + locks.ALL
    + doubts.ALL
    + changes.ALL
    + cheats.ALL
    + deals.ALL
    + choices.ALL
    + ends.ALL
    + bataille.ALL
    + pokers.ALL
    + declared.ALL
    + payments.ALL
    + styles.ALL
    + wars.ALL
    + readers.ALL
    + panel.ALL
)


def digest(rig: Rig) -> str:
    """SHA-256 of a journal."""
    summary = hashlib.sha256()
    for record in rig.ports.journal.raw:
        summary.update(record)
    return binascii.hexlify(summary.digest()).decode()


if __name__ == "__main__":
    for scenario in ALL:
        print(digest(scenario()))
