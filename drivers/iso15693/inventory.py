"""Anticollision: finds every tag in the field, whatever the UIDs (ISO/IEC 15693-3, 8).

Entry point: `Inventory`. ``start()``, then ``step()`` until it returns -1; each clean answer goes to
``listener.tag(uid, t_request_us, t_answer_us)``, and ``clean`` says afterwards whether anything was left in doubt.

A tree of requests, kept as an explicit stack of (kind, mask length, mask). The mask length is a number of its own: a
mask of leading zeros is as good as any other. What a request, or a slot, tells:

* nothing: no tag. One clean answer that fits the mask and the slot: a tag.
* a collision: the reader says at which bit, and the bits before it. With few tags about there, each value of that bit
  is asked for with a one-slot request of its own, and both must answer; with many, a 16-slot request takes the place of
  the collision, and must then show two occupied slots or a collision again. Two tags are told apart by two one-slot
  requests in three quarters of the time that 16 slots take.
* anything else (CRC, framing, a UID that cannot be in that slot): asked again alone, in one slot, up to ``PROBES``
  times.

A half that does not answer twice running proves the bit or the bits before it wrong: 16 slots then stand for both.
Depth ends at 64 bits: tags that still collide there have one and the same UID (``clones``).
"""

import time

from .exchange import Exchange
from .reader import ANSWER, COLLISION, EMPTY, EXPECTED, INVENTORY_BYTES, SLOTS
from .requests import inventory

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
    from .interfaces import Buffer, Reader, TagListener

STACK = const(32)  # requests that may wait at a time, 21 with 250 tags; a full one makes the inventory not clean
ROUNDS = const(512)  # requests of one inventory at most
PROBES = const(2)  # times that a doubtful slot is asked again

_UID_BITS = const(64)
_DEEPEST = const(60)  # of a 16-slot request
_LAST_SLOT = const(15)
_UID_AT = const(16)  # bits of an answer before the UID: flags, DSFID

# When 16 slots are worth their time. Of n tags, all have the same next bit with a probability of 2 to the (1 - n): the
# sooner a collision shows, the more tags there probably are. And of a 16-slot request that left few slots empty, the
# slots hold several tags each.
_CROWDED_EMPTY = const(5)  # empty slots, at most
_CROWDED_BITS = const(2)  # ... and fewer equal bits than this

# Kinds of request on the stack. Those of 16 slots are the number of tags that must show; a collision counts as two.
_SIXTEEN = const(0)  # 16 slots, nothing heard yet
_DOUBTED = const(1)  # 16 slots, something was heard
_COLLIDED = const(2)  # 16 slots, a collision was heard
_FORK = const(3)  # a collision at the bit after the mask, not asked for yet
_SINGLE = const(4)  # one slot, the first request
_HALF = const(5)  # one slot, one value of a bit at which a collision was heard
_HALF_AGAIN = const(6)
_PROBE = const(7)  # one slot, in doubt; _PROBE + n after n vain tries


class Inventory:
    """Inventories of the tags in the field of ``reader``; one at a time."""

    def __init__(self, reader: "Reader", listener: "TagListener | None" = None) -> None:
        self._reader = reader
        self.listener = listener
        self.clean = True  # every slot was empty, read, or resolved further down
        self.clones = 0  # places where several tags answered to one UID
        self.rounds = 0  # requests with a SOF sent
        self.channel = Exchange(reader)  # may be shared while no inventory is under way
        self._afi = 0
        self._few = False
        self._kinds = bytearray(STACK)
        self._bits = bytearray(STACK)
        self._above = bytearray(STACK)  # mask length of the request that collided
        self._masks = bytearray(STACK * 8)
        self._depth = 0
        # The request under way
        self._kind: int = _SINGLE
        self._length = 0
        self._parent = 0
        self._mask = bytearray(8)
        self._slot = 0
        self._occupied = 0
        self._empty = 0
        self._base = 0  # depth at its begin
        self._active = False

    def start(self, afi: int = 0, single: bool = True, few: bool = False) -> None:
        """Prepare an inventory of the application family ``afi`` (0: all).

        ``single``: begin with a one-slot request, the shorter way when at most one tag is expected. ``few``: should
        there be more after all, they will be two.
        """
        self._afi = afi
        self._few = few
        self.clean = True
        self.clones = 0
        self.rounds = 0
        self._depth = 0
        self._length = 0
        for i in range(8):
            self._mask[i] = 0
        self._push(_SINGLE if single else _SIXTEEN, 0, 0)
        self._active = False

    def step(self) -> int:
        """Go on; returns microseconds to wait, or -1 when the inventory is over.

        Raises:
            ReaderFault: the reader failed; the inventory is void.
        """
        if not self._active:
            if not self._next_request():
                return -1
            return self.channel.step()
        wait = self.channel.step()
        if wait >= 0:
            return wait
        if self._kind < _FORK:
            self._judge_slot(self.channel.result)
            if self._slot < _LAST_SLOT:
                self._slot += 1
                self.channel.start_slot()
                return self.channel.step()
            self._end_slots()
        else:
            self._judge(self.channel.result)
        if self._next_request():
            return self.channel.step()
        self._active = False
        return -1

    def _next_request(self) -> bool:
        if not self._depth:
            return False
        if self.rounds >= ROUNDS:
            self.clean = False
            return False
        self.rounds += 1
        depth = self._depth - 1
        self._kind = self._kinds[depth]
        self._length = self._bits[depth]
        self._parent = self._above[depth]
        for i in range(8):
            self._mask[i] = self._masks[depth * 8 + i] & _low_bits(self._length - 8 * i)
        if self._kind == _FORK:
            # First the tags that have 0 there; its place on the stack becomes the other half's.
            at = self._length >> 3
            self._length += 1
            self._kind = _HALF
            self._kinds[depth] = _HALF
            self._bits[depth] = self._length
            self._masks[depth * 8 + at] |= 1 << ((self._length - 1) & 7)
        else:
            self._depth = depth
        self._base = self._depth
        self._slot = 0
        self._occupied = 0
        self._empty = 0
        single = self._kind > _FORK
        count = inventory(self.channel.request, self._afi, single, self._length, self._mask)
        # A half that was not heard may be answering still.
        how = EXPECTED if self._kind == _HALF else 0 if single else SLOTS
        self.channel.start(count, INVENTORY_BYTES, how, self._kind == _HALF_AGAIN)
        self._active = True
        return True

    def _push(self, kind: int, length: int, above: int) -> None:
        """Put a request with the first ``length`` bits of the current mask on the stack."""
        depth = self._depth
        if depth == STACK:
            self.clean = False
            return
        self._kinds[depth] = kind
        self._bits[depth] = length
        self._above[depth] = above
        for i in range(8):
            self._masks[depth * 8 + i] = self._mask[i]
        self._depth = depth + 1

    # --- sixteen slots ------------------------------------------------------------------------------------------------

    def _judge_slot(self, result: int) -> None:
        if result == EMPTY:
            self._empty += 1
            return
        self._occupied += 2 if result == COLLISION else 1
        if result == ANSWER and self._read_tag():
            return
        # What is asked for next has the slot's number behind the mask.
        length = self._length
        at = length >> 3
        wide = self._slot << (length & 7)
        self._mask[at] |= wide & 0xFF
        if wide > 0xFF:
            self._mask[at + 1] |= wide >> 8
        if result == COLLISION:
            self._resolve(length + 4, True)
        else:
            self._push(_PROBE, length + 4, length)
        self._mask[at] &= ~wide & 0xFF
        if wide > 0xFF:
            self._mask[at + 1] &= ~(wide >> 8) & 0xFF

    def _end_slots(self) -> None:
        if self._occupied < self._kind:
            self.clean = False
        if self._empty > _CROWDED_EMPTY:
            return
        for depth in range(self._base, self._depth):
            above = self._above[depth]
            if self._kinds[depth] == _FORK and self._bits[depth] < above + _CROWDED_BITS and above <= _DEEPEST:
                self._kinds[depth] = _COLLIDED
                self._bits[depth] = above

    # --- one slot -----------------------------------------------------------------------------------------------------

    def _judge(self, result: int) -> None:
        kind = self._kind
        if result == EMPTY:
            if kind == _HALF:
                self._push(_HALF_AGAIN, self._length, self._parent)
            elif kind == _HALF_AGAIN and self._parent <= _DEEPEST:
                self._push(_COLLIDED, self._parent, self._parent)
            elif kind != _SINGLE:
                # What was heard before is gone: noise then, or a tag that cannot be heard now.
                self.clean = False
        elif result == ANSWER and self._read_tag():
            return
        elif result == COLLISION:
            self._resolve(self._length, self._few or kind != _SINGLE)
        elif kind == _SINGLE:
            self._push(_DOUBTED, self._length, self._length)
        elif kind < _PROBE:
            self._push(_PROBE, self._length, self._parent)
        elif kind < _PROBE + PROBES - 1:
            self._push(kind + 1, self._length, self._parent)
        else:
            self.clean = False

    def _resolve(self, length: int, few: bool) -> None:
        """Ask for the tags behind a collision; the first ``length`` bits of the current mask are theirs."""
        bit = self._reader.position - _UID_AT
        if length <= bit < _UID_BITS and (few or bit > length) and self._fork(length, bit):
            return
        if length <= _DEEPEST:
            self._push(_COLLIDED, length, length)
        else:
            self.clones += 1
            self.clean = False

    def _fork(self, length: int, bit: int) -> bool:
        """Push both halves at ``bit``; False when the bits received before it cannot be right."""
        if bit == length:
            self._push(_FORK, bit, length)
            return True
        mask = self._mask
        uid = self.channel.uid
        self._reader.read(self.channel.answer)
        for i in range(8):
            uid[i] = self.channel.answer[2 + i]
        if not self._matches(uid, length):
            return False
        for i in range(8):  # from here on ``uid`` keeps the mask as it was
            held = mask[i]
            mask[i] = uid[i] & _low_bits(bit - 8 * i)
            uid[i] = held
        self._push(_FORK, bit, length)
        for i in range(8):
            mask[i] = uid[i]
        return True

    # --- answers ------------------------------------------------------------------------------------------------------

    def _read_tag(self) -> bool:
        """Fetch the answer and report it; False when it cannot be what was asked for."""
        reader = self._reader
        if reader.length != INVENTORY_BYTES:
            return False
        answer = self.channel.answer
        reader.read(answer)
        # No error flag (ISO/IEC 15693-3, 7.4.1), and the class byte that every UID ends with.
        if answer[0] or answer[9] != 0xE0:
            return False
        uid = self.channel.uid
        for i in range(8):
            uid[i] = answer[2 + i]
        length = self._length
        if not self._matches(uid, length):
            return False
        if self._kind < _FORK:
            at = length >> 3
            wide = uid[at] | (uid[at + 1] << 8 if at < 7 else 0)
            if (wide >> (length & 7)) & 0x0F != self._slot:
                return False
        if self.listener is not None:
            self.listener.tag(uid, self.channel.t_request, time.ticks_us())
        return True

    def _matches(self, uid: "Buffer", length: int) -> bool:
        """Whether ``uid`` begins with the first ``length`` bits of the current mask."""
        mask = self._mask
        for i in range(8):
            if (uid[i] ^ mask[i]) & _low_bits(length - 8 * i):
                return False
        return True


def _low_bits(count: int) -> int:
    """A byte with its lowest ``count`` bits set; none below 0, all above 8."""
    if count >= 8:
        return 0xFF
    return (1 << count) - 1 if count > 0 else 0
