"""What this package asks of a reader chip, and the air times of ISO/IEC 15693.

Entry points: the results of ``poll()`` (``PENDING`` .. ``FAULT``), what a request may be (``SLOTS``, ``EXPECTED``),
`ReaderFault`, `request_us`, `answer_us`, `EOF_US`, `T1_MAX_US`, `T2_US`, `T3_US`, `SETTLE_US`, and the payload length
of an inventory's answer (``INVENTORY_BYTES``).

A reader is any object with these methods; `pn5180.PN5180` is one:

* ``begin(payload, count, answer, how)`` sends a request of ``count`` bytes (no CRC) and expects ``answer`` bytes (no
  CRC) back; ``begin_slot()`` sends an EOF only: the next slot of a request that was ``SLOTS``; both return the
  microseconds until the first ``poll()`` makes sense;
* ``poll()`` returns one of the results below; after ``PENDING``, ``wait_us`` says when to ask again;
* ``ready_in()`` gives the microseconds until a request may be sent, 0 when it may be sent now; ``quiet_in()`` those
  until a tag whose answer was lost would have finished it and hears again; either leaves the ticks_us in ``now``;
* ``length`` (bytes of the answer), ``read(into)`` (fetches ``len(into)`` bytes), ``fault`` (a code); after a collision
  ``position``, its first bit counted from the answer's first, and ``read(into)`` for the bits before it;
* ``rf_on()``, ``rf_off()`` return the microseconds until ``rf_ready()`` makes sense; while that is False, ``wait_us``
  says when to ask again. After the field has come on ``ready_in()`` gives tags the time to wake.

Times: microseconds, request 1-of-4, answer with one sub-carrier at the high rate (ISO/IEC 15693-2, -3).
"""

try:
    from micropython import const
except ImportError:

    def const(value: int) -> int:
        """Stand in for MicroPython's compile-time constant."""
        return value


PENDING = const(0)  # nothing decided yet
EMPTY = const(1)  # no tag began to answer in time
ANSWER = const(2)  # one answer with a good CRC
COLLISION = const(3)  # two or more tags answered differently
CRC = const(4)  # an answer whose CRC does not fit
PROTOCOL = const(5)  # something was received that is not a frame: noise, or a tag that left while it answered
FAULT = const(6)  # the reader itself reports trouble; ``fault`` says which

# What a request may be, for ``begin()``; bits.
SLOTS = const(1)  # an inventory of 16 slots: an empty slot may be told by the missing sub-carrier
EXPECTED = const(2)  # a tag is known to be there: the first poll makes sense at the end of its answer

INVENTORY_BYTES = const(10)  # flags 1, DSFID 1, UID 8
UID_BYTES = const(8)

EOF_US = const(38)  # request EOF, 512 cycles of 13.56 MHz
T1_MAX_US = const(324)  # latest start of an answer after the request, 4384 cycles
T2_US = const(310)  # silence owed to tags after an answer, 4192 cycles
T3_US = const(475)  # ... after a request or EOF that no tag answered: t1 and the SOF of an answer, 474.3 us
SETTLE_US = const(1000)  # field on before the first request


class ReaderFault(Exception):
    """The reader cannot be used as it is; reset it (``recover()``) before going on.

    ``code`` is one of: ``absent`` (the bus reads FF only), ``stuck`` (00 only), ``version`` (firmware not known),
    ``boot`` (no end of start-up), ``config`` (a register did not keep its value), ``busy`` (BUSY did not fall in time),
    ``field`` (the field did not go on or off), ``refused`` (the chip refused a command), ``hot`` (over temperature),
    ``timeout`` (neither an answer nor the time-out came), ``length`` (a request longer than the driver's buffer).
    """

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def request_us(count: int) -> int:
    """Air time of a request of ``count`` bytes without CRC: SOF, bytes, CRC and EOF; rounded up."""
    return (11327 + 30206 * (count + 2) + 99) // 100


def answer_us(count: int) -> int:
    """Air time of an answer of ``count`` bytes without CRC: SOF, bytes, CRC and EOF; rounded up."""
    return (30206 * (count + 3) + 99) // 100
