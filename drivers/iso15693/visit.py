"""One visit of a reader to one antenna: who is there, who is new, who is gone.

Entry point: `Visit`. The caller has switched the antenna (the field is off), calls ``start()`` and then ``step()``
until it returns -1; what was found goes to the listener (ticks_us everywhere):

* ``begun(t)``: before the field goes on;
* ``answered(index, t_lo, t_hi)``: a known tag answered; it was there at some instant of [t_lo, t_hi]: t_lo lies before
  the request, or the slot's EOF, that it answered; t_hi after its answer was read;
* ``stranger(uid, t_lo, t_hi)``: the same of a tag that is not known; once a visit, see ``uids``; the buffer is only
  lent;
* ``silent(index, t_first, count)``: absent: ``retries`` clean non-answers in a row to its full UID; t_first is the
  instant after the first of them was observed;
* ``unknown(index)``: neither; a damaged answer or a single miss is never an absence;
* ``finished(clean, t)``: the field is off again (or kept, see ``keep_field``).

Course: field on; every known tag that can is asked by its full UID for a sign of life, and goes to Quiet with it (see
`requests.presence`); then an inventory, which only the others answer: tags that cannot, strangers, and one known tag
that is left out, because the inventory's first request costs no more than its own would. A strong tag hides a weak one
that answers with it, and nobody can tell: so in five visits of eleven none is left out (`_NOBODY_OUT`), and what lies
under the one is heard. Where none is known, and many strangers were heard of late, the inventory begins with 16 slots.
What still has not answered is asked again by its full UID alone: by an inventory with that mask, or, when it may have
gone to Quiet and only its answer was lost, by a request that any state answers (`requests.reset_to_ready`). When a
stack has gone, those that were not heard are called together first (`roll_call`). To ``confirm``, none is left out,
tags that cannot go to Quiet are asked by their full UID too, and each by itself.

Known tags must not be added or removed before the visit is over. A `ReaderFault` ends the visit without ``finished``;
tags not yet reported are unknown.
"""

import time

from .field import Field
from .reader import ANSWER, EMPTY, EXPECTED, INVENTORY_BYTES
from .requests import PRESENCE_BYTES, inventory, is_slix2, presence, reset_to_ready
from .roll_call import RollCall, is_worth_it

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
    from typing import Any

    from .interfaces import KnownTags, Reader, VisitListener
    from .inventory import Inventory
    from .uid_table import UidTable

_CROWD = const(12)  # strangers on the antennas before, times 4, from which on the next begins with 16 slots
# Visits of eleven in which no known tag is left out, bit by bit. They lie as the squares modulo eleven do: whatever
# number of antennas the caller goes round, at most three visits in a row to one of them leave a tag out.
_NOBODY_OUT = const(0b11101001000)
_CYCLE = const(11)
TRIES_PER_RETRY = const(3)  # requests to one tag at most: this times ``retries``

_UID_BITS = const(64)

_IDLE = const(0)
_FIELD_ON = const(1)
_ASKING = const(2)
_INVENTORY = const(3)
_PROBING = const(4)
_FIELD_OFF = const(5)
_CALLING = const(6)
_TELLING = const(7)

# What is known of each known tag; bits.
_HEARD = const(1)
_HEARD_BY_UID = const(2)  # ... in answer to its full UID
_ASKED = const(4)  # to go to Quiet: it may have, though it was not heard
_NONE = const(-1)


class Visit:
    """Visits of ``reader``.

    ``uids`` is a table of the visit's own for the strangers that it hears, so that each is told once; its capacity
    bounds them. Without one, a stranger is told each time that it answers. At most ``capacity`` tags may be known, by
    default as many as that table holds. ``inventory``'s exchange is the visit's too. ``retries`` (1..85) is the K of
    the definition of *absent*. ``afi``: application family, 0 for all.
    """

    def __init__(
        self,
        reader: "Reader",
        inventory: "Inventory",
        uids: "UidTable | None",
        retries: int = 8,
        listener: "VisitListener | None" = None,
        afi: int = 0,
        capacity: int = 0,
    ) -> None:
        self._reader = reader
        self._inventory = inventory
        self._strangers = uids
        self._retries = retries
        self.afi = afi  # may be changed between visits
        self.listener = listener
        self.keep_field = False  # set during a visit: leave the field on, the caller has more to ask
        self.field = Field(reader)  # the caller's too, when it is asked to keep the field on
        self._exchange = inventory.channel
        self._roll_call = RollCall(inventory.channel, self.field, retries)
        self._uid = inventory.channel.uid
        self._heard = bytearray(capacity or (uids.capacity if uids is not None else 0))
        self._known: Any = None  # KnownTags, once a visit has been prepared
        self._confirm = False
        self._state = _IDLE
        self._clean = True
        self._index = -1
        self._tries = 0
        self._misses = 0
        self._t_first = 0
        self._probed = False
        self._company = 0  # answers of tags that are not known
        self._crowd = 0  # how many they were of late, times 4: the last visit counts for half
        self._plain = 0  # known tags that cannot go to Quiet
        self._left_out = _NONE  # index of the known tag that only the inventory asks
        self._turn = 0  # of the cycle

    def start(self, known: "KnownTags", confirm: bool = False) -> None:
        """Prepare a visit that expects the tags of ``known``.

        Raises:
            ValueError: more tags are known than its capacity.
        """
        if known.count > len(self._heard):
            raise ValueError("too many known tags")
        self._known = known
        self._confirm = confirm
        if self._strangers is not None:
            self._strangers.clear()
        for i in range(known.count):
            self._heard[i] = 0
        self._clean = True
        self.keep_field = False
        self._index = -1
        self._probed = False
        self._company = 0
        self._choose()
        self._state = _IDLE

    def _choose(self) -> None:
        """Find out who cannot go to Quiet; when all can, and none is to be confirmed, one need not in most visits."""
        known = self._known
        self._plain = 0
        for index in range(known.count):
            known.get_into(index, self._uid)
            if not is_slix2(self._uid):
                self._plain += 1
        everybody = self._plain or self._confirm or _NOBODY_OUT >> self._turn & 1
        self._left_out = _NONE if everybody else known.count - 1
        self._turn = (self._turn + 1) % _CYCLE

    def step(self) -> int:
        """Go on; returns microseconds to wait, or -1 when the visit is over.

        Raises:
            ReaderFault: the reader failed; reset it. The visit is over.
        """
        if self._state == _INVENTORY:
            wait = self._inventory.step()
            if wait >= 0:
                return wait
            if not self._inventory.clean:
                self._clean = False
            self._crowd = (self._crowd + 4 * self._company) >> 1
            return self._call_or_probe()
        if self._state == _ASKING:
            wait = self._exchange.step()
            if wait >= 0:
                return wait
            if self._exchange.result == ANSWER and self._reader.length == PRESENCE_BYTES:
                self._heard[self._index] = _HEARD | _HEARD_BY_UID
                self._answered()
            return self._ask_next()
        if self._state == _PROBING:
            wait = self._exchange.step()
            if wait >= 0:
                return wait
            return self._judge(self._exchange.result)
        if self._state == _CALLING:
            wait = self._roll_call.step()
            if wait >= 0:
                return wait
            self._index = -1
            if self._roll_call.misses < self._retries:
                return self._next_probe()
            self._state = _TELLING
        if self._state == _TELLING:
            return self._tell_next()
        if self._state == _FIELD_ON:
            wait = self.field.step()
            if wait >= 0:
                return wait
            self._state = _ASKING
            return self._ask_next()
        if self._state == _IDLE:
            if self.listener is not None:
                self.listener.begun(time.ticks_us())
            self.field.start_on()
            self._state = _FIELD_ON
            return self.field.step()
        return self._switch_off()

    def _ask_next(self) -> int:
        """Ask the next known tag for a sign of life, or begin the inventory."""
        known = self._known
        index = self._index + 1
        while index < known.count:
            if index != self._left_out:
                known.get_into(index, self._uid)
                if is_slix2(self._uid):
                    self._index = index
                    self._heard[index] = _ASKED
                    count = presence(self._exchange.request, self._uid, self._confirm)
                    self._exchange.start(count, PRESENCE_BYTES, EXPECTED)
                    return self._exchange.step()
            index += 1
        self._inventory.listener = self
        # One slot would only collide with two tags known to answer, or when many are being laid down everywhere.
        single = self._plain < 2 and (known.count > 0 or self._crowd < _CROWD)
        self._inventory.start(self.afi, single, known.count > 0)
        self._state = _INVENTORY
        return self._inventory.step()

    def tag(self, uid: bytearray, t_request_us: int, t_answer_us: int) -> None:
        """Take a tag from the inventory (`iso15693.inventory` calls this)."""
        index = self._known.find(uid)
        if index >= 0:
            self._heard[index] = _HEARD
            if self.listener is not None:
                self.listener.answered(index, t_request_us, t_answer_us)
            return
        self._company += 1
        strangers = self._strangers
        if strangers is not None:
            if strangers.find(uid) >= 0:
                return
            if strangers.add(uid) < 0:
                self._clean = False
                return
        if self.listener is not None:
            self.listener.stranger(uid, t_request_us, t_answer_us)

    def _call_or_probe(self) -> int:
        """The inventory is over: tags that were not heard are called together, or else each is asked alone."""
        known = self._known
        self._index = -1
        missing = 0
        for index in range(known.count):
            if not self._heard[index] & _HEARD:
                missing += 1
        heard = known.count - missing
        if self._confirm or self._company or (self._plain and heard) or not is_worth_it(missing, heard):
            return self._next_probe()
        self._roll_call.start(known, self._heard, self.afi)
        self._state = _CALLING
        return self._roll_call.step()

    def _tell_next(self) -> int:
        """None that was not heard is there: say so of the next one, or end the visit."""
        index = self._index + 1
        while index < self._known.count and self._heard[index] & _HEARD:
            index += 1
        self._index = index
        if index >= self._known.count:
            return self._end()
        if self.listener is not None:
            self.listener.silent(index, self._roll_call.t_first, self._roll_call.misses)
        return 0

    def _next_probe(self) -> int:
        index = self._index + 1
        wanted = _HEARD_BY_UID if self._confirm else _HEARD
        while index < self._known.count and self._heard[index] & wanted:
            index += 1
        self._index = index
        if index < self._known.count:
            self._tries = 0
            self._misses = 0
            self._known.get_into(index, self._uid)
            self._state = _PROBING
            return self._probe()
        return self._end()

    def _end(self) -> int:
        if self.keep_field:
            return self._finish()
        self.field.start_off()
        self._state = _FIELD_OFF
        return self._switch_off()

    def _switch_off(self) -> int:
        wait = self.field.step()
        if wait >= 0:
            return wait
        return self._finish()

    def _probe(self) -> int:
        answer = INVENTORY_BYTES
        if self._heard[self._index] & _ASKED:
            count = reset_to_ready(self._exchange.request, self._uid)
            answer = PRESENCE_BYTES
            patient = self._tries > 0
        else:
            count = inventory(self._exchange.request, self.afi, True, _UID_BITS, self._uid)
            # The inventory, or the try before, may have asked this tag a moment ago and lost its answer.
            patient = self._tries > 0 or not self._probed
        self._exchange.start(count, answer, 0, patient)
        self._probed = True
        return self._exchange.step()

    def _judge(self, result: int) -> int:
        """Weigh one answer, or none, to the full UID of the tag in question."""
        self._tries += 1
        if result == EMPTY:
            if not self._misses:
                self._t_first = time.ticks_us()
            self._misses += 1
            if self._misses == self._retries:
                if self.listener is not None:
                    self.listener.silent(self._index, self._t_first, self._misses)
                return self._next_probe()
        else:
            self._misses = 0
            if result == ANSWER and self._is_answer():
                self._answered()
                return self._next_probe()
        if self._tries < TRIES_PER_RETRY * self._retries:
            return self._probe()
        self._clean = False
        if self.listener is not None:
            self.listener.unknown(self._index)
        return self._next_probe()

    def _answered(self) -> None:
        if self.listener is not None:
            self.listener.answered(self._index, self._exchange.t_request, time.ticks_us())

    def _is_answer(self) -> bool:
        if self._heard[self._index] & _ASKED:
            return True  # whatever it says: no other tag takes a request with this UID for its own
        if self._reader.length != INVENTORY_BYTES:
            return False
        answer = self._exchange.answer
        self._reader.read(answer)
        if answer[0]:
            return False
        for i in range(8):
            if answer[2 + i] != self._uid[i]:
                return False
        return True

    def _finish(self) -> int:
        self._state = _IDLE
        if self.listener is not None:
            self.listener.finished(self._clean, time.ticks_us())
        return -1
