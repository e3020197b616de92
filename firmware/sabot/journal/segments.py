"""Segments: closed pieces of the ring in files in flash. Which there are, and how many wait for the host.

Entry point: :class:`Segments`. ``segment`` reads and writes them, ``opening`` finds them again after a start: both are
loaded for the while.
"""

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
    from collections.abc import Callable

    from .layout import File, Files
    from .segment import Reader

# Bytes of the longest segment: eight blocks of 4,096, of which littlefs takes 44 to find its way from one to the next.
SEGMENT = const(32724)


class Segments:
    """The segments of one journal, ``most`` at most, of up to ``size`` bytes: a quarter of the ring of ``capacity``.

    ``flash`` is None where there is none for them, else its folders; ``open`` opens a file. ``firsts`` are the first
    records of all segments, oldest first; ``last`` is the newest record in any; ``waiting`` says how many hold a record
    that the host has not acknowledged.
    """

    def __init__(
        self, flash: "Files | None", open: "Callable[[str, str], File] | None", most: int, capacity: int
    ) -> None:
        self.flash = flash
        self.open = open
        self.most = most
        self.size = min(SEGMENT, capacity // 4)
        self.due = capacity // 4  # bytes in the ring that are nowhere else, from which on the next one is written
        self.firsts: list[int] = []
        self.last = 0
        self.waiting = 0
        self.table = b""
        self.key_id = b""
        self.reader: Reader | None = None
