"""Anticollision: finds every tag in the field, whatever the UIDs (ISO/IEC 15693-3, 8).

Entry point: `Inventory`. ``start()``, then ``step()`` until it returns -1; each clean answer goes to
``listener.tag(uid, t_request_us, t_answer_us)``, and ``clean`` says afterwards whether anything was left in doubt.

A tree of requests, kept as an explicit stack of (kind, mask length, mask). The mask length is a number of its own: a
mask of leading zeros is as good as any other. What a slot tells:

* nothing: no tag. One clean answer that fits the mask and the slot: a tag. A collision: the slot becomes a 16-slot
  request of its own, four bits deeper, and must then show two occupied slots or a collision again.
* anything else (CRC, framing, a UID that cannot be in that slot): asked again alone, in one slot, up to ``PROBES``
  times.

Depth ends at 60 bits: tags that still collide there have one and the same UID (``clones``).
"""

import time

from .exchange import Exchange
from .reader import ANSWER, COLLISION, EMPTY, INVENTORY_BYTES
from .requests import REQUEST_BYTES, inventory

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
    from .interfaces import Reader, TagListener

STACK = const(64)  # requests that may wait at a time; a full one makes the inventory not clean
ROUNDS = const(512)  # requests of one inventory at most
PROBES = const(2)  # times that a doubtful slot is asked again

_DEEPEST = const(60)
_LAST_SLOT = const(15)

# Kinds of request on the stack. Those of 16 slots are the number of tags that must show; a collision counts as two.
_SIXTEEN = const(0)  # 16 slots, nothing heard yet
_DOUBTED = const(1)  # 16 slots, something was heard
_COLLIDED = const(2)  # 16 slots, a collision was heard
_SINGLE = const(3)  # one slot, the first request
_PROBE = const(4)  # one slot, in doubt; _PROBE + n after n vain tries


class Inventory:
    """Inventories of the tags in the field of ``reader``; one at a time."""

    def __init__(self, reader: "Reader", listener: "TagListener | None" = None) -> None:
        self._reader = reader
        self.listener = listener
        self.clean = True  # every slot was empty, read, or resolved further down
        self.clones = 0  # places where several tags answered to one UID
        self.rounds = 0  # requests with a SOF sent
        self._exchange = Exchange(reader)
        self._request = bytearray(REQUEST_BYTES)
        self._answer = bytearray(INVENTORY_BYTES)
        self._uid = bytearray(8)
        self._afi = 0
        self._kinds = bytearray(STACK)
        self._bits = bytearray(STACK)
        self._masks = bytearray(STACK * 8)
        self._depth = 0
        # The request under way
        self._kind: int = _SINGLE
        self._length = 0
        self._mask = bytearray(8)
        self._slot = 0
        self._occupied = 0
        self._active = False

    def start(self, afi: int = 0, single: bool = True) -> None:
        """Prepare an inventory of the application family ``afi`` (0: all).

        ``single``: begin with a one-slot request, the shorter way when at most one tag is expected.
        """
        self._afi = afi
        self.clean = True
        self.clones = 0
        self.rounds = 0
        self._depth = 0
        self._length = 0
        for i in range(8):
            self._mask[i] = 0
        self._push(_SINGLE if single else _SIXTEEN, 0)
        self._active = False

    def step(self) -> int:
        """Go on; returns microseconds to wait, or -1 when the inventory is over.

        Raises:
            ReaderFault: the reader failed; the inventory is void.
        """
        if not self._active:
            if not self._next_request():
                return -1
            return self._exchange.step()
        wait = self._exchange.step()
        if wait >= 0:
            return wait
        self._judge(self._exchange.result)
        if self._kind < _SINGLE and self._slot < _LAST_SLOT:
            self._slot += 1
            self._exchange.start_slot()
            more = True
        else:
            if self._kind < _SINGLE and self._occupied < self._kind:
                self.clean = False
            more = self._next_request()
        if more:
            return self._exchange.step()
        self._active = False
        self._reader.end_slots()
        return -1

    def _next_request(self) -> bool:
        if not self._depth:
            return False
        if self.rounds >= ROUNDS:
            self.clean = False
            return False
        self.rounds += 1
        self._depth -= 1
        depth = self._depth
        self._kind = self._kinds[depth]
        self._length = self._bits[depth]
        for i in range(8):
            self._mask[i] = self._masks[depth * 8 + i]
        self._slot = 0
        self._occupied = 0
        count = inventory(self._request, self._afi, self._kind >= _SINGLE, self._length, self._mask)
        self._exchange.start(self._request, count, INVENTORY_BYTES)
        self._active = True
        return True

    def _push(self, kind: int, length: int) -> None:
        """Put a request with the first ``length`` bits of the current mask on the stack."""
        depth = self._depth
        if depth == STACK:
            self.clean = False
            return
        self._kinds[depth] = kind
        self._bits[depth] = length
        for i in range(8):
            self._masks[depth * 8 + i] = self._mask[i]
        self._depth = depth + 1

    def _push_slot(self, kind: int) -> None:
        """Put a request for the tags of the current slot alone on the stack."""
        length = self._length
        at = length >> 3
        nibble = self._slot << (length & 4)
        self._mask[at] |= nibble
        self._push(kind, length + 4)
        self._mask[at] &= ~nibble & 0xFF

    def _judge(self, result: int) -> None:
        if result == EMPTY:
            # What was heard before is gone: noise then, or a tag that cannot be heard now.
            if self._kind >= _PROBE:
                self.clean = False
            return
        self._occupied += 2 if result == COLLISION else 1
        if result == ANSWER and self._read_tag():
            return
        if self._kind < _SINGLE:
            if result != COLLISION:
                self._push_slot(_PROBE)
            elif self._length < _DEEPEST:
                self._push_slot(_COLLIDED)
            else:
                self.clones += 1
                self.clean = False
        elif result == COLLISION:
            if self._length <= _DEEPEST:
                self._push(_COLLIDED, self._length)
            else:
                self.clones += 1
                self.clean = False
        elif self._kind == _SINGLE:
            self._push(_DOUBTED, self._length)
        elif self._kind < _PROBE + PROBES - 1:
            self._push(self._kind + 1, self._length)
        else:
            self.clean = False

    def _read_tag(self) -> bool:
        """Fetch the answer and report it; False when it cannot be what was asked for."""
        reader = self._reader
        if reader.length != INVENTORY_BYTES:
            return False
        answer = self._answer
        reader.read(answer)
        # No error flag (ISO/IEC 15693-3, 7.4.1), and the class byte that every UID ends with.
        if answer[0] or answer[9] != 0xE0:
            return False
        uid = self._uid
        for i in range(8):
            uid[i] = answer[2 + i]
        length = self._length
        whole = length >> 3
        for i in range(whole):
            if uid[i] != self._mask[i]:
                return False
        if length & 4 and (uid[whole] ^ self._mask[whole]) & 0x0F:
            return False
        if self._kind < _SINGLE:
            if (uid[whole] >> (length & 4)) & 0x0F != self._slot:
                return False
        if self.listener is not None:
            self.listener.tag(uid, self._exchange.t_request, time.ticks_us())
        return True
