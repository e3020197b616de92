"""A journal's life without a cut, against which every cut is judged.

Entry points: :class:`Witness` (what had returned after each write), :class:`Uncut` (what a test keeps of it),
:func:`judge_records`.
"""

from __future__ import annotations

from collections.abc import Sized
from typing import Protocol

from sabot.journal.journal import Journal
from sabot.wire import meters
from sabot.wire.records import parse


class Uncut(Protocol):
    """By number of writes done, ``durable``: the newest record whose call had returned; ``acknowledged``: likewise.

    ``records`` by sequence, as they were when sealed; ``sums``: the meters after each sequence.
    """

    @property
    def durable(self) -> list[int]: ...
    @property
    def acknowledged(self) -> list[int]: ...
    @property
    def records(self) -> dict[int, bytes]: ...
    @property
    def sums(self) -> list[bytes]: ...


class Witness:
    """Notes what ``journal`` has returned, and how many writes ``log`` held then."""

    def __init__(self, journal: Journal, log: Sized) -> None:
        self._journal = journal
        self._log = log
        self._marks: list[tuple[int, int, int]] = []
        self.records: dict[int, bytes] = {}

    def mark(self, sequence: int) -> None:
        """A call has returned, and this is the newest record."""
        self._marks.append((len(self._log), sequence, self._journal.acknowledged))

    def returned(self, sequence: int) -> None:
        """The same of an append: the newest records are as they will be."""
        self.mark(sequence)
        for number in range(max(1, self._journal.last - 3), self._journal.last + 1):
            record = self._journal.read(number)
            assert record is not None
            self.records.setdefault(number, record)

    def after_each_write(self) -> tuple[list[int], list[int]]:
        """``durable`` and ``acknowledged`` of an `Uncut`."""
        durable, acknowledged = [0] * (len(self._log) + 1), [0] * (len(self._log) + 1)
        for writes, sequence, upto in self._marks:
            for later in range(writes, len(self._log) + 1):
                durable[later], acknowledged[later] = sequence, upto
        return durable, acknowledged

    def sums(self) -> list[bytes]:
        """``sums`` of an `Uncut`."""
        sums = [bytes(meters.new())]
        for sequence in sorted(self.records):
            parsed = parse(self.records[sequence])
            block = bytearray(sums[-1])
            meters.apply(block, parsed["code"], parsed["fields"])
            sums.append(bytes(block))
        return sums


def judge_records(journal: Journal, life: Uncut, writes: int) -> None:
    """What a cut after ``writes`` whole writes left, opened, against the life without a cut."""
    last = journal.last
    assert life.durable[writes] <= last <= life.durable[writes] + 1, "a record that had returned is lost"
    assert journal.first <= journal.acknowledged + 1, "a record that the host lacks is gone"
    assert journal.acknowledged >= life.acknowledged[writes]
    sequences = []
    for sequence, record in journal.records_from(1):
        assert record == life.records[sequence], f"record {sequence} differs"
        sequences.append(sequence)
    assert sequences == list(range(journal.first, last + 1))
    assert bytes(journal.meters) == life.sums[last]
