"""Segments: closed pieces of the ring in files in flash. Which there are, and how many wait for the host.

Entry point: :class:`Segments`. ``segment_file`` has what is in a file, ``moving`` writes them, ``opening`` finds them
again after a start: those are loaded for the while.
"""

from .errors import JournalError

try:
    from micropython import const
except ImportError:

    def const(value: int) -> int:
        """The value itself: CPython has no compile-time constants."""
        return value


try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .layout import Files

# Bytes of the longest segment: eight blocks of 4,096, of which littlefs takes 44 to find its way from one to the next.
SEGMENT = const(32724)


def longest(capacity: int) -> int:
    """Bytes of a segment at most, for a ring of ``capacity`` bytes."""
    return min(SEGMENT, capacity // 4)


class Segments:
    """The segments of one journal, ``most`` at most. ``files`` is None where there is no flash for them.

    ``firsts`` are the first records of all of them, oldest first; ``last`` is the newest record in any; ``waiting``
    says how many hold a record that the host has not acknowledged.
    """

    def __init__(self, files: "Files | None", most: int) -> None:
        self.files = files
        self.most = most
        self.firsts: list[int] = []
        self.last = 0
        self.waiting = 0
        self.table = b""
        self.key_id = b""
        self._reader: Any = None

    def acknowledged(self, sequence: int) -> None:
        """Count again how many segments wait for the host, which has acknowledged up to ``sequence``."""
        number = 0
        while number < len(self.firsts) and self.end(number) <= sequence:
            number += 1
        self.waiting = len(self.firsts) - number

    def end(self, number: int) -> int:
        """The last record of a segment."""
        return self.firsts[number + 1] - 1 if number + 1 < len(self.firsts) else self.last

    def reader(self, sequence: int) -> "Any":
        """The file that holds a record, open (:class:`sabot.journal.segment_file.Reader`). JournalError ``segment``."""
        number = len(self.firsts) - 1
        while self.firsts[number] > sequence:
            number -= 1
        if self._reader is None or self._reader.first != self.firsts[number]:
            from .segment_file import Reader

            self.close()
            if self.files is None:
                raise JournalError("segment", sequence)
            self._reader = Reader(self.files, self.table, self.key_id, self.firsts[number])
        return self._reader

    def close(self) -> None:
        """Let go of the file that is open for reading."""
        if self._reader is not None:
            self._reader.close()
            self._reader = None
