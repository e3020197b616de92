"""A table whose journal is pulled, for the host's tests: the firmware's own journal in front of a pull.

Entry points: `Table` (a `sabot_host.journal.pull.Source`), `KEY`.
"""

from collections.abc import Callable, Iterator

from sabot.journal.journal import Journal
from tests.journal.fast_memory import FastMemory
from tests.journal.on_board.journal_memory import KEY, TABLE, FakeClock
from tests.journal.on_board.journal_script import live

__all__ = ["KEY", "TABLE", "Table"]


class Broken(Exception):
    """The cable was pulled."""


class Table:
    """A provisioned table. ``break_after``: the link breaks after so many records more; None: never."""

    def __init__(self, size: int = 65536, rounds: int = 8) -> None:
        self.memory = FastMemory(size)
        self.clock = FakeClock(seconds=1_790_000_000)
        self.journal = Journal(self.memory, self.clock)
        self.journal.format(KEY, TABLE)
        self.journal.open()
        self.break_after: int | None = None
        self.during: Callable[[], None] | None = None
        self.play(rounds)

    def play(self, rounds: int) -> None:
        """Play on; nothing is acknowledged."""
        live(self.journal, rounds, acknowledging=False)

    def head(self, nonce: bytes) -> bytes:
        """The head over the nonce."""
        return self.journal.head(nonce)

    def read_records(
        self, first: int, on_progress: Callable[[int, int], None] | None = None, last: int | None = None
    ) -> Iterator[bytes]:
        """Records from ``first`` to ``last``."""
        end = self.journal.last if last is None else last
        for sequence, record in self.journal.records_from(first):
            if sequence > end:
                return
            if self.break_after is not None:
                if not self.break_after:
                    raise Broken
                self.break_after -= 1
            if self.during is not None:
                self.during()
            if on_progress is not None:
                on_progress(sequence, end)
            yield record

    def acknowledge(self, sequence: int) -> None:
        """Acknowledge."""
        self.journal.acknowledge(sequence)
