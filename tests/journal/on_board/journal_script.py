"""A stretch of table life for the journal's tests: records of every shape, prepared ones, acknowledgements.

Entry point: `live`. Runs on CPython and on MicroPython.
"""

from sabot.journal.journal import Journal
from sabot.wire.records import HEADER_SIZE, code_of

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

POWER_ON = {"cause": 1, "version": "0.1.0", "config_hash": b"confhash"}


def fill_lock(record: bytearray, offsets: "dict[str, int]", number: int, spots: int) -> None:
    """Fill the fields of a lock record, byte by byte as the lock path does."""
    record[HEADER_SIZE] = number & 0xFF
    at = offsets["spots"] + 1
    for spot in range(spots):
        record[at] = 0x10 + spot
        record[at + 1] = (number + spot) & 0xFF
        at += 5


def _round(number: int) -> "list[tuple[str, dict[str, object]]]":
    """The records of one round, in order, between its lock and the next."""
    records: list[tuple[str, dict[str, object]]] = [
        ("confirmed", {"round": number, "begun": 1, "ended": 2, "spots": [(0x10, number, 0)], "out": []}),
    ]
    if number % 3 == 1:
        uids = [(bytes([number, n, 0, 0, 0, 0, 4, 0xE0]),) for n in range(number % 5)]
        records.append(
            (
                "irregularity",
                {
                    "id": number,
                    "kind": 13 + number % 4,
                    "severity": 2,
                    "place": 0x11,
                    "before": 500,
                    "after": 700,
                    "earliest": 10,
                    "latest": 1 << 40,
                    "uids": uids,
                },
            )
        )
        records.append(("resolved", {"id": number, "resolution": 2, "by": 2, "amount": 500}))
    if number % 4 == 2:
        records.append(("void", {"round": number, "reason": 1, "by": 2, "article": "67.30", "spots": [(0x10, number)]}))
        return records
    bets = [(0x10 + n, 1 + n % 3, 100 * number, 50 * n, 100 * number) for n in range(1 + number % 6)]
    records.append(("settlement", {"round": number, "bets": bets}))
    records.append(("round_end", {"round": number, "rounds": number}))
    return records


def live(
    journal: Journal,
    rounds: int,
    returned: "Callable[[int], None] | None" = None,
    acknowledging: bool = True,
) -> None:
    """Play ``rounds`` rounds; ``returned(sequence)`` is called when a call has returned that made a record durable.

    ``acknowledging``: a host acknowledges records now and then.
    """

    def tell(sequence: int) -> None:
        if returned is not None:
            returned(sequence)

    def append(name: str, values: "dict[str, object]") -> None:
        tell(journal.append(code_of(name), values))

    append("power_on", POWER_ON)
    for number in range(1, rounds + 1):
        journal.dealer = number
        spots = number % 6
        lock = journal.prepare(code_of("lock"), {"spots": spots})
        fill_lock(lock.record, lock.offsets, number, spots)
        tell(journal.commit(lock, 1000 * number))
        if number % 2:
            journal.seal()  # else the next append does it
        for name, values in _round(number):
            append(name, values)
        if acknowledging and number % 3 == 0:
            journal.acknowledge(journal.last - number % 4)
    append("fault", {"part": 1, "index": 2, "detail": "x" * 120})
