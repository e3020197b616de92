"""NXP PN532 as a reader of badges (ISO/IEC 14443 type A), on I2C or UART.

Entry points: `PN532`, `PN532Fault`, and the links `pn532.i2c.I2cLink` and `pn532.uart.UartLink`. Each act is begun by
a ``begin_...()`` and done by calling ``step()`` until it returns -1; every other value is the number of microseconds to
wait. No method waits, every act has a bound, and nothing is allocated after construction.

A command is sent up to three times when its acknowledgement does not come: the frame that wakes the chip may be lost,
and so may the first one after an abort. An answer with a wrong check sum is asked for again. What is left of an answer
to an earlier command, or of one that a restart of the host has cut, is passed over.
"""

import time

from .frames import (
    ACK,
    ACK_FRAME,
    ANSWER_FRAME,
    BUFFER,
    DAMAGED,
    NACK,
    NACK_FRAME,
    NOTHING,
    SYNTAX_FRAME,
    Finder,
    command,
    seal,
)

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
    from .interfaces import Link

PAGE_BYTES = const(16)  # a READ of a Type 2 tag brings four pages of 4 bytes

_IC = const(0x32)
_KNOWN_VERSION = const(0x0106)  # firmware 1.6
_TYPE_A = const(0x01)
_RANDOM = const(0x08)  # first byte of a single-size UID drawn anew in each field (ISO/IEC 14443-3)
_STATUS_ERROR = const(0x3F)  # status byte: bit 7 NAD, bit 6 more information

_SENDS = const(3)
_REPEATS = const(2)  # an answer with a wrong check sum is asked for again so many times

_ACK_LIMIT_US = const(20_000)  # the chip takes 15 ms at most
_SHORT_LIMIT_US = const(50_000)
# With the number of tries set by start() a search ends within tens of ms; a card that does not answer a READ is given
# up by the chip after 51.2 ms (RFConfiguration item 2, as after reset).
_AIR_LIMIT_US = const(200_000)
_GAP_US = const(1_000)  # after an answer the next command may be lost if it comes sooner (UART)
_ABORT_US = const(2_000)  # after an abort, a refusal or the order to sleep
_POLL_US = const(1_000)

_SAM = const(0)  # normal mode: ends LowVbat, in which the chip is after reset
_VERSION = const(1)
_TRIES = const(2)  # a search for a card ends after the third try instead of never
_FIELD_OFF = const(3)
_FIELD_ON = const(4)
_LIST = const(5)
_READ = const(6)
_RELEASE = const(7)
_POWER_DOWN = const(8)
_LAST_OF_START = const(3)

_COMMANDS = (
    b"\x14\x01\x00\x00",
    b"\x02",
    b"\x32\x05\xff\x01\x02",
    b"\x32\x01\x00",
    b"\x32\x01\x01",
    b"\x4a\x01\x00",
    b"\x40\x01\x30\x00",
    b"\x52\x00",
    b"\x16\x00",
)
_CODE_AT = const(6)  # of the command's code in its frame
_PAGE_AT = const(9)  # of the page number in the frame of _READ
_WAKE_AT = const(7)  # of the wake-up sources in the frame of _POWER_DOWN

_IDLE = const(0)
_TO_SEND = const(1)
_AWAIT_ACK = const(2)
_AWAIT_ANSWER = const(3)


class PN532Fault(Exception):
    """The reader cannot be used as it is; ``start()`` it anew.

    ``code``: ``absent`` (no acknowledge of its address; on UART: silence), ``busy`` (acknowledges its address and never
    becomes ready), ``garbage`` (what it sends makes no sense), ``timeout`` (took a command and did not answer it),
    ``refused`` (did not understand a command), ``version`` (another chip, or firmware not known).
    """

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class PN532:
    """A PN532 behind ``link``.

    After a search: ``found``; the card's ``uid`` (``uid_length`` bytes of it count: 4, 7 or 10), ``atqa`` and ``sak``;
    ``random``: the UID is drawn anew each time and identifies nobody. After a read: ``ok``, ``status`` (of the user
    manual, 7.1: 0x01 no answer, 0x13 refused by the tag ...) and the four pages in ``data``.
    """

    def __init__(self, link: "Link") -> None:
        self._link = link
        self._finder = Finder()
        self._frames = tuple([command(data) for data in _COMMANDS])
        self._frames[_POWER_DOWN][_WAKE_AT] = link.wake_source
        seal(self._frames[_POWER_DOWN])
        self.version = 0  # firmware, version << 8 | revision, once started
        self.found = False
        self.uid = bytearray(10)
        self.uid_length = 0
        self.atqa = 0
        self.sak = 0
        self.random = False
        self.ok = False
        self.status = 0
        self.data = bytearray(PAGE_BYTES)
        self._state = _IDLE
        self._what = _SAM
        self._starting = False
        self._asleep = True
        self._stale = True  # the chip may still have something to say that nobody asked for
        self._sends = 0
        self._repeats = 0
        self._t_free = 0
        self._t_limit = 0

    def start(self) -> None:
        """Wake, identify and configure the chip, field off; about 15 ms, at most 1 s. Waits; for start-up only.

        Raises:
            PN532Fault: any of its codes.
        """
        self.begin_start()
        wait = self.step()
        while wait >= 0:
            time.sleep_us(wait)
            wait = self.step()

    def begin_start(self) -> None:
        """Prepare what ``start()`` does. Whatever the chip was doing for an earlier host is aborted."""
        self.version = 0
        self._asleep = True
        self.abort()
        self._starting = True
        self._begin(_SAM)

    def begin_list(self) -> None:
        """Search for one card; within 200 ms. Switches the field on if need be."""
        self.found = False
        self._begin(_LIST)

    def begin_read(self, page: int) -> None:
        """Read four pages of the card found (Type 2 tag: NTAG, Ultralight), from ``page`` (0..255) on.

        When it fails, search for the card again before the next read: it has fallen back to idle.
        """
        self.ok = False
        frame = self._frames[_READ]
        frame[_PAGE_AT] = page & 0xFF
        seal(frame)
        self._begin(_READ)

    def begin_release(self) -> None:
        """Let go of the card found, so that a search finds it anew."""
        self._begin(_RELEASE)

    def begin_field(self, on: bool) -> None:
        """Switch the field; off, every card forgets its state."""
        self._begin(_FIELD_ON if on else _FIELD_OFF)

    def begin_power_down(self) -> None:
        """Let the chip sleep until the next command."""
        self._begin(_POWER_DOWN)

    def abort(self) -> None:
        """Give up what was begun; the chip drops it too. The next act may be begun at once."""
        self._link.send(ACK, self._asleep)
        self._starting = False
        self._rest(_ABORT_US)

    def step(self) -> int:
        """Go on; returns microseconds to wait, or -1 when the act is done.

        Raises:
            PN532Fault: the act is over; what it would have found is not valid.
        """
        state = self._state
        if state == _TO_SEND:
            return self._send()
        if state == _AWAIT_ACK:
            return self._take_ack()
        if state == _AWAIT_ANSWER:
            return self._take_answer()
        return -1

    def _begin(self, what: int) -> None:
        self._what = what
        self._sends = 0
        self._repeats = 0
        self._state = _TO_SEND

    def _rest(self, us: int) -> None:
        """End what is running; leave the chip alone for ``us``, and then take nothing old for an answer."""
        self._state = _IDLE
        self._stale = True
        self._t_free = time.ticks_add(time.ticks_us(), us)

    def _fail(self, code: str) -> None:
        self._starting = False
        self._rest(_ABORT_US)
        raise PN532Fault(code)

    def _send(self) -> int:
        left = time.ticks_diff(self._t_free, time.ticks_us())
        if 0 < left <= _ABORT_US:  # an older instant may seem to lie far ahead
            return left
        link = self._link
        if self._stale:
            link.flush()
            self._stale = False
        self._sends += 1
        if not link.send(self._frames[self._what], self._asleep or self._sends > 1):
            return self._send_again("absent")
        self._state = _AWAIT_ACK
        self._t_limit = time.ticks_add(time.ticks_us(), _ACK_LIMIT_US)
        return _POLL_US

    def _send_again(self, code: str) -> int:
        if self._sends >= _SENDS:
            self._fail(code)
        self._rest(_ABORT_US)
        self._state = _TO_SEND
        return _ABORT_US

    def _take_ack(self) -> int:
        link = self._link
        finder = self._finder
        if not link.poll(len(ACK)):
            return self._send_again("absent")
        while link.count:
            kind = finder.look(link.buffer, link.count, BUFFER)
            link.drop(finder.end)
            if kind == ACK_FRAME:
                self._asleep = False
                self._state = _AWAIT_ANSWER
                limit = _AIR_LIMIT_US if self._what in (_LIST, _READ) else _SHORT_LIMIT_US
                self._t_limit = time.ticks_add(time.ticks_us(), limit)
                return _POLL_US
            if kind == NACK_FRAME:
                return self._send_again("garbage")
            if kind == NOTHING:
                break
            # Else: an answer that was under way when the command came.
        if time.ticks_diff(time.ticks_us(), self._t_limit) > 0:
            return self._send_again("garbage" if link.heard else link.silence)
        return _POLL_US

    def _take_answer(self) -> int:
        link = self._link
        finder = self._finder
        polled = link.poll(BUFFER)
        while link.count:
            kind = finder.look(link.buffer, link.count, BUFFER)
            if kind == ANSWER_FRAME and link.buffer[finder.start] == self._frames[self._what][_CODE_AT] + 1:
                if self._accept(finder.start + 1, finder.length - 1):
                    link.drop(finder.end)
                    return self._done()
                kind = DAMAGED
            link.drop(finder.end)
            if kind == SYNTAX_FRAME:
                self._fail("refused")
            if kind == DAMAGED or (kind == NOTHING and link.framed):
                return self._ask_again()
            if kind == NOTHING:
                break
        if time.ticks_diff(time.ticks_us(), self._t_limit) > 0:
            link.send(ACK, False)  # the chip drops the command
            self._fail("timeout" if polled else "absent")
        return _POLL_US

    def _ask_again(self) -> int:
        """Have the chip repeat an answer that came damaged."""
        self._repeats += 1
        if self._repeats > _REPEATS:
            self._link.send(ACK, False)
            self._fail("garbage")
        self._link.send(NACK, False)
        return _POLL_US

    def _done(self) -> int:
        self._t_free = time.ticks_add(time.ticks_us(), _GAP_US)
        self._state = _IDLE
        if self._what == _POWER_DOWN:
            self._asleep = True
            self._rest(_ABORT_US)
        if self._starting and self._what < _LAST_OF_START:
            self._begin(self._what + 1)
            return _GAP_US
        self._starting = False
        return -1

    def _accept(self, at: int, length: int) -> bool:
        """Take in the ``length`` bytes of an answer's data; False when they make no sense."""
        buf = self._link.buffer
        if self._what == _VERSION:
            if length != 4:
                return False
            version = buf[at + 1] << 8 | buf[at + 2]
            if buf[at] != _IC or version != _KNOWN_VERSION or not buf[at + 3] & _TYPE_A:
                self._fail("version")
            self.version = version
        elif self._what == _LIST:
            return self._accept_card(at, length)
        elif self._what == _READ:
            if not length:
                return False
            self.status = buf[at] & _STATUS_ERROR
            if self.status:
                return True
            if length != 1 + PAGE_BYTES:
                return False
            for i in range(PAGE_BYTES):
                self.data[i] = buf[at + 1 + i]
            self.ok = True
        elif self._what in (_RELEASE, _POWER_DOWN):
            if length != 1:
                return False
            self.status = buf[at] & _STATUS_ERROR
        return True

    def _accept_card(self, at: int, length: int) -> bool:
        """Target data of a type A card: number, SENS_RES 2, SEL_RES, UID length, UID, perhaps its ATS."""
        buf = self._link.buffer
        if length == 1 and not buf[at]:
            return True
        if length < 6 or buf[at] != 1 or buf[at + 1] != 1:
            return False
        count = buf[at + 5]
        if count not in (4, 7, 10) or length < 6 + count:
            return False
        self.atqa = buf[at + 2] << 8 | buf[at + 3]
        self.sak = buf[at + 4]
        for i in range(count):
            self.uid[i] = buf[at + 6 + i]
        self.uid_length = count
        self.random = count == 4 and self.uid[0] == _RANDOM
        self.found = True
        return True
