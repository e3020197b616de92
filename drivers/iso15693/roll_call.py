"""Whether any of several tags that were not heard in a visit is there, asked of all of them at once.

Entry point: `RollCall`. To ask each alone by its full UID until it counts as absent takes some 40 ms a tag, and more
than a second when a stack is taken away. Here the field goes off and on, so that every tag is in Ready again, those
that were heard are asked once more and go to Quiet with it, and then all others are called: an inventory in one slot,
without a mask. K clean non-answers in a row to that are K of each of them. Anything else proves nothing; then each is
asked alone. Nothing is allocated.
"""

import time

from .reader import EMPTY, EXPECTED, INVENTORY_BYTES
from .requests import PRESENCE_BYTES, inventory, presence

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
    from .exchange import Exchange
    from .field import Field
    from .interfaces import KnownTags

FEWEST = const(3)  # tags that were not heard: two are asked one after the other as fast
HEARD_PER_MISSING = const(4)  # the others, each of which costs a request, at most this times as many

_FIELD_OFF = const(0)
_FIELD_ON = const(1)
_QUIETING = const(2)
_CALLING = const(3)


def is_worth_it(missing: int, heard: int) -> bool:
    """Whether to call ``missing`` tags together is faster than each alone, when ``heard`` others must be quieted."""
    return missing >= FEWEST and heard <= HEARD_PER_MISSING * missing


class RollCall:
    """Roll calls over ``exchange`` in ``field``; ``retries`` is the K of the definition of *absent*."""

    def __init__(self, exchange: "Exchange", field: "Field", retries: int) -> None:
        self._exchange = exchange
        self._field = field
        self._retries = retries
        self._state = _FIELD_OFF
        self._index = 0
        self._afi = 0
        self._known: "KnownTags | None" = None
        self._heard = bytearray(0)
        self.t_first = 0  # ticks_us after the first of the non-answers was observed
        self.misses = 0  # clean non-answers in a row; as many as ``retries``: none of the missing is there

    def start(self, known: "KnownTags", heard: bytearray, afi: int) -> None:
        """Prepare a call of the tags of ``known`` for which ``heard`` is even; the others must know `presence`.

        Raises:
            ReaderFault: ``busy``.
        """
        self._known = known
        self._heard = heard
        self._afi = afi
        self.misses = 0
        self._index = -1
        self._field.start_off()
        self._state = _FIELD_OFF

    def step(self) -> int:
        """Go on; returns microseconds to wait, or -1 when it is over. The field is on then.

        Raises:
            ReaderFault: the reader failed; reset it.
        """
        if self._state == _CALLING:
            wait = self._exchange.step()
            if wait >= 0:
                return wait
            if self._exchange.result != EMPTY:
                self.misses = 0
                return -1
            if not self.misses:
                self.t_first = time.ticks_us()
            self.misses += 1
            return self._call() if self.misses < self._retries else -1
        if self._state == _QUIETING:
            wait = self._exchange.step()
            return wait if wait >= 0 else self._quiet_next()
        wait = self._field.step()
        if wait >= 0:
            return wait
        if self._state == _FIELD_OFF:
            self._field.start_on()
            self._state = _FIELD_ON
            return self._field.step()
        self._state = _QUIETING
        return self._quiet_next()

    def _quiet_next(self) -> int:
        """Send the next tag that was heard to Quiet, or call the others. One that misses it answers the call."""
        known = self._known
        index = self._index + 1
        while known is not None and index < known.count:
            if self._heard[index] & 1:
                self._index = index
                known.get_into(index, self._exchange.uid)
                count = presence(self._exchange.request, self._exchange.uid, False)
                self._exchange.start(count, PRESENCE_BYTES, EXPECTED)
                return self._exchange.step()
            index += 1
        self._index = index
        self._state = _CALLING
        return self._call()

    def _call(self) -> int:
        count = inventory(self._exchange.request, self._afi, True, 0, self._exchange.uid)
        self._exchange.start(count, INVENTORY_BYTES, 0, True)
        return self._exchange.step()
