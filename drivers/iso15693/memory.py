"""Reads a tag's memory, addressed, so that no other tag can answer in its place.

Entry point: `BlockRead`. The field is on; ``start()``, then ``step()`` until it returns -1; then ``ok``, ``data`` and
``error``. A damaged or missing answer is asked for again, up to ``TRIES`` times.
"""

from .exchange import Exchange
from .reader import ANSWER
from .requests import read_multiple

try:
    from micropython import const
except ImportError:

    def const(value: int) -> int:
        """Stand in for MicroPython's compile-time constant."""
        return value


try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False

if TYPE_CHECKING:
    from .interfaces import Buffer, Reader

TRIES = const(4)

_ERROR_FLAG = const(0x01)


class BlockRead:
    """Reads of up to ``capacity`` blocks of ``block_bytes`` each through ``reader``.

    ``channel``: an exchange of the reader's that is not in use meanwhile; None: one of its own.
    """

    def __init__(
        self, reader: "Reader", capacity: int = 8, block_bytes: int = 4, channel: "Exchange | None" = None
    ) -> None:
        self.capacity = capacity
        self.block_bytes = block_bytes
        self.data = bytearray(capacity * block_bytes)
        self.ok = False  # the first ``count`` blocks of data are what the tag holds
        self.error = 0  # the tag's error code (ISO/IEC 15693-3, table 7), 0: none
        self._reader = reader
        self._exchange = channel or Exchange(reader)
        self._length = 0
        self._answer_bytes = 1 + capacity * block_bytes
        self._tries = 0
        self._received = bytearray(1 + capacity * block_bytes)
        self._view = memoryview(self._received)  # of the answer's exact length
        self._refusal = bytearray(2)

    def start(self, uid: "bytes | Buffer", first: int, count: int) -> None:
        """Prepare to read ``count`` (1..capacity) blocks from ``first`` (0..255) of the tag ``uid``.

        Allocates nothing when the ``count`` is that of the last time, or the capacity at the first.

        Raises:
            ValueError: out of these ranges.
        """
        if not 1 <= count <= self.capacity or not 0 <= first <= 255:
            raise ValueError("blocks out of range")
        self.ok = False
        self.error = 0
        self._length = read_multiple(self._exchange.request, uid, first, count)
        if self._answer_bytes != 1 + count * self.block_bytes:
            self._answer_bytes = 1 + count * self.block_bytes
            self._view = memoryview(self._received)[: self._answer_bytes]
        self._tries = 0
        self._exchange.start(self._length, self._answer_bytes)

    def step(self) -> int:
        """Go on; returns microseconds to wait, or -1 when it is over.

        Raises:
            ReaderFault: the reader failed.
        """
        wait = self._exchange.step()
        if wait >= 0:
            return wait
        self._tries += 1
        if self._exchange.result == ANSWER and self._take():
            return -1
        if self._tries >= TRIES:
            return -1
        self._exchange.start(self._length, self._answer_bytes, 0, True)
        return self._exchange.step()

    def _take(self) -> bool:
        """Fetch the answer; False when it is not worth having."""
        reader = self._reader
        if reader.length == 2:
            reader.read(self._refusal)
            if self._refusal[0] & _ERROR_FLAG:
                self.error = self._refusal[1]
                return True
            return False
        if reader.length != self._answer_bytes:
            return False
        reader.read(self._view)
        if self._received[0]:
            return False
        for i in range(self._answer_bytes - 1):
            self.data[i] = self._received[1 + i]
        self.ok = True
        return True
