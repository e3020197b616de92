"""One request and what comes back, in steps that never wait.

Entry point: `Exchange`. ``request`` is filled, ``start()`` or ``start_slot()`` prepares it, ``step()`` is called until
it returns -1; each other value is the number of microseconds to let pass before the next call (0: at once). Then
``result`` is one of ``EMPTY``, ``ANSWER``, ``COLLISION``, ``CRC``, ``PROTOCOL`` of `iso15693.reader`. Nothing is
allocated.

Whoever takes turns at one reader may share an exchange and its buffers: none of them has one under way meanwhile.
"""

from .reader import EMPTY, FAULT, INVENTORY_BYTES, PENDING, ReaderFault
from .requests import REQUEST_BYTES

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False

if TYPE_CHECKING:
    from .interfaces import Reader


class Exchange:
    """An exchange with the tags in the field of ``reader``."""

    def __init__(self, reader: "Reader") -> None:
        self._reader = reader
        self._count = 0
        self._answer = 0
        self._how = 0
        self._slot = False
        self._patient = False
        self._sent = True
        self.request = bytearray(REQUEST_BYTES)
        self.answer = bytearray(INVENTORY_BYTES)  # room for that of an inventory
        self.uid = bytearray(8)  # ... and for the tag in question
        self.result: int = EMPTY
        self.t_request = 0  # ticks_us just before the request, or the slot's EOF, was sent

    def start(self, count: int, answer: int, how: int = 0, patient: bool = False) -> None:
        """Prepare the first ``count`` bytes of ``request``, which expect ``answer`` bytes back (both without CRC).

        ``request`` must stay as it is until the exchange is over. ``how``: ``SLOTS`` and ``EXPECTED`` of
        `iso15693.reader`. ``patient``: the same tag was asked just now and not heard; let it finish an answer that may
        have been lost.
        """
        self._count = count
        self._answer = answer
        self._how = how
        self._slot = False
        self._patient = patient
        self._sent = False

    def start_slot(self) -> None:
        """Prepare the EOF that opens the next slot of a 16-slot inventory."""
        self._slot = True
        self._patient = False
        self._sent = False

    def step(self) -> int:
        """Go on; returns microseconds to wait, or -1 when ``result`` is known.

        Raises:
            ReaderFault: with the code the reader gave.
        """
        reader = self._reader
        if not self._sent:
            wait = reader.quiet_in() if self._patient else reader.ready_in()
            if wait > 0:
                return wait
            self._sent = True
            self.t_request = reader.now
            if self._slot:
                return reader.begin_slot()
            return reader.begin(self.request, self._count, self._answer, self._how)
        result = reader.poll()
        if result == PENDING:
            return reader.wait_us
        if result == FAULT:
            raise ReaderFault(reader.fault)
        self.result = result
        return -1
