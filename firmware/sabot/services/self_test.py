"""The self-test of a closed table: every chip says who it is, every antenna how well it reads what lies there.

Entry points: :class:`SelfTest` (:meth:`~SelfTest.run` is a task; then ``found``), :func:`outliers`. Loaded when a host
asks for it, and dropped with its result (docs/protocol.md). A reader under test makes no visits meanwhile; the others
do.
"""

import asyncio
import time

from iso15693.exchange import Exchange
from iso15693.inventory import Inventory
from iso15693.reader import ANSWER, EMPTY
from iso15693.requests import PRESENCE_BYTES, reset_to_ready
from micropython import const

from sabot.services.mouth import BLOCKED
from sabot.wire.codes import ROLES
from sabot.wire.records import code_of

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_MOST_TAGS = const(4)  # asked in turn; the read rate is theirs together
_LOOKS = const(3)  # inventories that look for them
_PATIENCE_MS = const(500)  # for the visit under way, and for an antenna that couples
_WORSE = const(10)  # points of a hundred below the middle of the others
_NOISY = const(10)  # answers of a hundred that nobody gave
_NOWHERE = const(32)  # as in ``reader_scan``
_EXPANDER = const(1)  # place of the first one among the chips


def outliers(rows: "list[list[int]]") -> "list[int]":
    """Antennas that read worse than the others, or hear what is not there: numbers, of rows as in ``found``."""
    rates = [_rate(row) for row in rows if row[2]]
    rates.sort()
    middle = rates[len(rates) // 2] if rates else 0
    found = []
    for row in rows:
        if row[2]:
            bad = _rate(row) + _WORSE < middle
        else:
            bad = 100 * row[5] > _NOISY * row[3]
        if bad:
            found.append(row[0])
    return found


def _rate(row: "list[int]") -> int:
    """Answers heard, of a hundred asked for."""
    return 100 * row[4] // row[3] if row[3] else 0


def _never(antenna: int, waits: bool = False) -> bool:
    """The reader makes no visit now."""
    return False


async def _over(step: "Callable[[], int]") -> None:
    """Do what the drivers do in steps, to its end; every step is bounded by its driver."""
    while True:
        wait = step()
        if wait < 0:
            return
        if wait >= 1000:
            await asyncio.sleep_ms(wait // 1000)
        elif wait:
            time.sleep_us(wait)


class _Tags:
    """UIDs heard in some inventories."""

    def __init__(self) -> None:
        self.uids: "list[bytes]" = []

    def tag(self, uid: bytearray, low: int, high: int) -> None:
        """A tag answered."""
        heard = bytes(uid)
        if heard not in self.uids and len(self.uids) < _MOST_TAGS:
            self.uids.append(heard)


class SelfTest:
    """``tries`` requests an antenna.

    ``found``, when ``done``: what docs/protocol.md says of the command's reply.
    """

    def __init__(self, app: "Any", playing: "Any", tries: int) -> None:
        self.done = False
        self.task: "Any" = None
        self.found: "list[Any]" = []
        self._app = app
        self._playing = playing
        self._tries = tries
        self._rows: "list[list[int]]" = []
        self._stopped = ""

    async def run(self) -> None:
        """The task: a few seconds, in which the table's other tasks go on."""
        playing = self._playing
        chips: "list[str]" = []
        readers: "list[str]" = []
        exits: "list[Any]" = []
        try:
            chips = [_code(check) for check in playing.chips]
            _lines(chips, playing.pad)
            self._app.forget("mcp23017.line")
            for scan in playing.ports.scanner.scans:
                readers.append(await self._reader(scan))
            for mouth in playing.mouth:
                exits = await self._shoe(mouth)
            self._record(len([code for code in chips if code]) + len([code for code in readers if code[0] > "9"]))
        except Exception as error:
            self._stopped = "%s: %s" % (type(error).__name__, error)
        lamps = len(playing.ports.lamps.states)
        held = playing.pad.held()
        self.found = [
            self._tries,
            self._stopped,
            chips,
            held,
            lamps,
            readers,
            self._rows,
            outliers(self._rows),
            exits,
        ]
        self.done = True

    def _record(self, faults: int) -> None:
        journal = self._app.journal
        if not journal.full:
            rows = [(row[0], row[2], _rate(row) if row[2] else row[5]) for row in self._rows]
            journal.append(code_of("tested"), {"by": ROLES.index("technician"), "faults": faults, "antennas": rows})

    async def _reader(self, scan: "Any") -> str:
        """Every antenna of a reader; returns its version, or its fault's code."""
        if scan.told:
            return str(scan.told)
        free = scan.free
        scan.free = _never
        try:
            exchange = Exchange(scan.reader)
            for at in range(len(scan.antennas)):
                antenna = scan.antennas[at]
                if not await self._comes(scan, free, antenna):
                    return str(scan.told or "busy")
                if self._opened():
                    break
                scan.on = antenna
                scan.switch.select(scan.ports[at])
                row = [antenna, self._playing.ports.scanner.antennas[antenna]]
                row.extend(await self._measure(scan, exchange))
                scan.on = _NOWHERE
                if not self._stopped:
                    self._rows.append(row)
        except scan.fault as fault:
            scan.failed(fault.code)
            return await _ailment(scan, str(fault.code))
        finally:
            scan.free = free
        return _version(scan.reader)

    def _opened(self) -> bool:
        """Whether the table has been opened: what is measured no more belongs to the play."""
        if self._app.table.state != "closed":
            self._stopped = "opened"
        return self._stopped != ""

    async def _comes(self, scan: "Any", free: "Callable[..., bool]", antenna: int) -> bool:
        """Wait until the reader makes no visit and no antenna that couples is on; False: that has not come."""
        for _ in range(_PATIENCE_MS):
            if scan.rests() and free(antenna, True):
                return True
            await asyncio.sleep_ms(1)
        return False

    async def _measure(self, parts: "Any", exchange: Exchange) -> "list[int]":
        """With the field on: tags, requests, answers, damaged answers."""
        await _switched(parts.field, True)
        heard = _Tags()
        inventory = Inventory(parts.reader, heard)
        for _ in range(_LOOKS):
            inventory.start(0, True)
            await _over(inventory.step)
        answers = damaged = 0
        for number in range(self._tries):
            if self._opened():
                break
            if heard.uids:
                uid = heard.uids[number % len(heard.uids)]
                exchange.start(reset_to_ready(exchange.request, uid), PRESENCE_BYTES)
                await _over(exchange.step)
                if exchange.result == ANSWER:
                    answers += 1
                elif exchange.result != EMPTY:
                    damaged += 1
            else:
                inventory.start(0, True)
                await _over(inventory.step)
                if not inventory.clean or heard.uids:
                    damaged += 1
                    heard.uids = []
            await asyncio.sleep_ms(0)
        await _switched(parts.field, False)
        return [len(heard.uids), self._tries, answers, damaged]

    async def _shoe(self, mouth: "Any") -> "list[Any]":
        """What leaves cards: its reader, what that hears, the beam, the optical sensors."""
        strip = mouth.strip
        seen = [strip.ring.lost, 0 if strip.ring.dark() else 1] if strip else []
        told = ["", 0, 0, 1 if mouth.beam.value() == BLOCKED else 0, mouth.lost_edges, seen]
        if mouth.reader is None:
            return told
        told[0] = mouth.told or _version(mouth.reader)
        if not mouth.told and not mouth.listening() and not self._opened():
            mouth.looked = time.ticks_ms()  # it is not started anew meanwhile
            try:
                row = await self._measure(mouth, Exchange(mouth.reader))
                told[1] = row[0]
                told[2] = row[3]
            except mouth.fault as fault:
                mouth.failed(fault.code)
                told[0] = str(fault.code)
        return told


def _version(reader: "Any") -> str:
    return "%d.%d" % (reader.version >> 8, reader.version & 255)


def _lines(chips: "list[str]", pad: "Any") -> None:
    """Have each expander pull the line of the keys: what is wrong with that goes into ``chips`` in its place."""
    from mcp23017.line import check_line

    for number in range(len(pad.expanders)):
        if not chips[_EXPANDER + number]:
            chips[_EXPANDER + number] = _code(check_line, pad.expanders[number], pad.interrupt)


def _code(check: "Callable[..., Any]", *given: "Any") -> str:
    """What a chip says that is asked without disturbing anything; an empty text when all is well."""
    try:
        check(*given)
    except Exception as error:
        return getattr(error, "code", "") or type(error).__name__
    return ""


async def _ailment(scan: "Any", code: str) -> str:
    """What a reader that failed with ``code`` has: what its start finds, when it does not come back."""
    for _ in range(_PATIENCE_MS):
        if scan.rests() or scan.dead():
            break
        await asyncio.sleep_ms(1)
    return str(scan.told) if scan.dead() else code


async def _switched(field: "Any", on: bool) -> None:
    """Switch a field on or off."""
    if on:
        field.start_on()
    else:
        field.start_off()
    await _over(field.step)
