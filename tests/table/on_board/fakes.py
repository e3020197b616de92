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

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Prepared:
    """A record that is filled in place."""

    def __init__(self, code: int, counts: "dict[str, int]") -> None:
        self.code = code
        self.record = bytearray(fixed_size(code, counts))
        self.fields = HEADER_SIZE
        self.offsets = field_offsets(code, counts)
        for name in counts:
            self.record[self.offsets[name]] = counts[name]


class MemoryJournal:
    """The journal's interface over a list of parsed records."""

    def __init__(self, clock: "Clock", log: "list[Any]") -> None:
        self.full = False
        self.dealer = 0
        self.records: list[dict[str, Any]] = []
        self.raw: list[bytes] = []
        self._clock = clock
        self._log = log
        self._pending = bytearray(1024)
        self._pending_code = 0
        self._pending_length = 0
        self._pending_at = 0

    def append(self, code: int, values: "dict[str, Any]") -> int:
        self.seal()
        self._keep(code, pack_fields(code, values), self._clock.ticks())
        return len(self.records)

    def _keep(self, code: int, fields: bytes, ticks: int) -> None:
        raw = build(code, len(self.records) + 1, 1, self._clock.monotonic(ticks), 0, 0, self.dealer, fields)
        record = parse(raw)
        self.raw.append(bytes(raw))
        self.records.append(record)
        self._log.append(("record", record["name"], record["fields"]))

    def prepare(self, code: int, counts: "dict[str, int]") -> Prepared:
        return Prepared(code, counts)

    def commit(self, prepared: Prepared, ticks: int) -> None:
        """Allocates nothing, like the real one."""
        if self._pending_length:
            raise ValueError("a record is committed and not sealed")
        record = prepared.record
        for index in range(len(record)):
            self._pending[index] = record[index]
        self._pending_code = prepared.code
        self._pending_at = ticks
        self._pending_length = len(record)

    def seal(self) -> None:
        if self._pending_length:
            end = self._pending_length - TAG_SIZE - CHECK_SIZE
            self._pending_length = 0
            fields = bytes(self._pending[HEADER_SIZE:end])
            unpack_fields(self._pending_code, fields)
            self._keep(self._pending_code, fields, self._pending_at)

    def committed(self) -> bool:
        """Whether a record waits for its seal."""
        return self._pending_length > 0


class Clock:
    """Virtual time: `now` in microseconds since boot."""

    def __init__(self, start: int) -> None:
        self.now = start

    def ticks(self) -> int:
        return self.now & 0x3FFFFFFF

    def monotonic(self, ticks: int) -> int:
        behind = (self.now - ticks) & 0x3FFFFFFF
        if behind >= 0x20000000:
            behind -= 0x40000000
        return self.now - behind

    def stamp(self, buffer: bytearray, offset: int, ticks: int) -> None:
        value = self.monotonic(ticks)
        for index in range(6):
            buffer[offset + index] = (value >> (8 * index)) & 0xFF


class Chips:
    """Chips by number, with a value and a UID of their own."""

    def __init__(self) -> None:
        self.values: list[int] = []

    def new(self, value: int) -> int:
        self.values.append(value)
        return len(self.values) - 1

    def value(self, chip: int) -> int:
        return self.values[chip]

    def hold(self, chip: int) -> None:
        """Every chip has a number of its own for good."""

    def release(self, chip: int) -> None:
        """As it is."""

    def uid(self, chip: int) -> bytes:
        return bytes([chip & 255, chip >> 8, 1, 2, 3, 4, 4, 0xE0])


class Lamps:
    """Lamps by place; `hook` is called when they are shown."""

    def __init__(self, log: "list[Any]") -> None:
        self.spots: dict[int, int] = {}
        self.bar_state = 0
        self.hook: Any = None
        self.quiet = False
        self._log = log

    def spot(self, place: int, state: int) -> None:
        self.spots[place] = state

    def bar(self, state: int) -> None:
        self.bar_state = state

    def show(self) -> None:
        if self.hook is not None:
            self.hook()
        if not self.quiet:
            self._log.append(("lamps", sorted(self.spots.items())))


class Gate:
    """The shoe's gate."""

    def __init__(self, log: "list[Any]") -> None:
        self.open = False
        self._log = log

    def set(self, opened: bool) -> None:
        self.open = opened
        self._log.append(("gate", opened))


class Discard:
    """The antenna under the discard; the test says what lies there."""

    dead = False
    before = 0

    def begin(self) -> None:
        """What lies there now is no part of the round that begins."""


class Ports:
    """Everything the table is given."""

    def __init__(self, scanner: "Any", start: int) -> None:
        self.log: list[Any] = []
        self.clock = Clock(start)
        self.journal = MemoryJournal(self.clock, self.log)
        self.chips = Chips()
        self.lamps = Lamps(self.log)
        self.gate = Gate(self.log)
        self.scanner = scanner
        self.discard = Discard()
        self._nonce = 0

    def changed(self) -> None:
        """The display would be told."""

    def forget(self, name: str) -> None:
        """The module would leave the heap."""

    def prompt(self, kind: int, place: int, amount: int) -> None:
        self.log.append(("prompt", kind, place, amount))

    def random(self, count: int) -> bytes:
        self._nonce += 1
        return bytes([(self._nonce * 37 + index) & 255 for index in range(count)])
