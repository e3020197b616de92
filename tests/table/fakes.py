"""What the table is given in its tests: a journal in memory, chips, lamps, gate, clock. Entry point: `Ports`.

Runs on MicroPython and on CPython. Everything that can be seen from outside goes into one list, `log`, in its order.
"""

from sabot.wire.records import (
    CHECK_SIZE,
    HEADER_SIZE,
    TAG_SIZE,
    build,
    field_offsets,
    fixed_size,
    pack_fields,
    parse,
    unpack_fields,
)


class Prepared:
    """A record that is filled in place."""

    def __init__(self, code, counts):
        self.code = code
        self.record = bytearray(fixed_size(code, counts))
        self.fields = HEADER_SIZE
        self.offsets = field_offsets(code, counts)
        for name in counts:
            self.record[self.offsets[name]] = counts[name]


class MemoryJournal:
    """The journal's interface over a list of parsed records."""

    def __init__(self, clock, log):
        self.records = []
        self.raw = []
        self._clock = clock
        self._log = log
        self._pending = bytearray(1024)
        self._pending_code = 0
        self._pending_length = 0
        self._pending_at = 0

    def append(self, code, values):
        self.seal()
        self._keep(code, pack_fields(code, values), self._clock.ticks())
        return len(self.records)

    def _keep(self, code, fields, ticks):
        raw = build(code, len(self.records) + 1, 1, self._clock.monotonic(ticks), 0, 0, 0, fields)
        record = parse(raw)
        self.raw.append(bytes(raw))
        self.records.append(record)
        self._log.append(("record", record["name"], record["fields"]))

    def prepare(self, code, counts):
        return Prepared(code, counts)

    def commit(self, prepared, ticks):
        """Allocates nothing, like the real one."""
        if self._pending_length:
            raise ValueError("a record is committed and not sealed")
        record = prepared.record
        for index in range(len(record)):
            self._pending[index] = record[index]
        self._pending_code = prepared.code
        self._pending_at = ticks
        self._pending_length = len(record)

    def seal(self):
        if self._pending_length:
            end = self._pending_length - TAG_SIZE - CHECK_SIZE
            self._pending_length = 0
            fields = bytes(self._pending[HEADER_SIZE:end])
            unpack_fields(self._pending_code, fields)
            self._keep(self._pending_code, fields, self._pending_at)

    def committed(self):
        """Whether a record waits for its seal."""
        return self._pending_length > 0


class Clock:
    """Virtual time: `now` in microseconds since boot."""

    def __init__(self, start):
        self.now = start

    def ticks(self):
        return self.now & 0x3FFFFFFF

    def monotonic(self, ticks):
        behind = (self.now - ticks) & 0x3FFFFFFF
        if behind >= 0x20000000:
            behind -= 0x40000000
        return self.now - behind

    def stamp(self, buffer, offset, ticks):
        value = self.monotonic(ticks)
        for index in range(6):
            buffer[offset + index] = (value >> (8 * index)) & 0xFF


class Chips:
    """Chips by number, with a value and a UID of their own."""

    def __init__(self):
        self.values = []

    def new(self, value):
        self.values.append(value)
        return len(self.values) - 1

    def value(self, chip):
        return self.values[chip]

    def uid(self, chip):
        return bytes([chip & 255, chip >> 8, 1, 2, 3, 4, 4, 0xE0])


class Lamps:
    """Lamps by place; `hook` is called when they are shown."""

    def __init__(self, log):
        self.spots = {}
        self.bar_state = 0
        self.hook = None
        self.quiet = False
        self._log = log

    def spot(self, place, state):
        self.spots[place] = state

    def bar(self, state):
        self.bar_state = state

    def show(self):
        if self.hook is not None:
            self.hook()
        if not self.quiet:
            self._log.append(("lamps", sorted(self.spots.items())))


class Gate:
    """The shoe's gate."""

    def __init__(self, log):
        self.open = False
        self._log = log

    def set(self, opened):
        self.open = opened
        self._log.append(("gate", opened))


class Ports:
    """Everything the table is given."""

    def __init__(self, scanner, start):
        self.log = []
        self.clock = Clock(start)
        self.journal = MemoryJournal(self.clock, self.log)
        self.chips = Chips()
        self.lamps = Lamps(self.log)
        self.gate = Gate(self.log)
        self.scanner = scanner
        self._nonce = 0

    def prompt(self, kind, place, amount):
        self.log.append(("prompt", kind, place, amount))

    def random(self, count):
        self._nonce += 1
        return bytes([(self._nonce * 37 + index) & 255 for index in range(count)])
