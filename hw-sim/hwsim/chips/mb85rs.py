"""MB85RS ferroelectric RAM family on SPI: the memory that survives any power cut.

Entry points: :class:`Mb85rs` (an :class:`~hwsim.core.SpiDevice`); :data:`PARTS`; world side ``image``, ``status``,
``journal``, ``ignored``, ``cut_after()``, ``power_on()``; :func:`replay` rebuilds the memory after any prefix of the
journal, whole or torn.

Modelled: all opcodes, the write enable latch (WEL) and what clears it, block protection, status register protection,
wrapping addresses, sleep with its wake-up time, power cuts between and inside bytes.

Limits: a clock faster than the part is refused (SimFault), but set-up and hold times are not looked at; endurance is
not counted; block protection is judged byte by byte; FSTRD and SLEEP exist on the parts with three address bytes only.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from typing import NamedTuple

from hwsim.core import NS_PER_US, Line, Scheduler, SimFault

WRSR, WRITE, READ, WRDI, RDSR, WREN, FSTRD, RDID, SLEEP = 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x0B, 0x9F, 0xB9

STATUS_WPEN = 0x80
STATUS_BP = 0x0C
STATUS_WEL = 0x02
STATUS_STORED = 0xFC  # WPEN, three spare bits, BP1 and BP0 are non-volatile

T_REC_NS = 400 * NS_PER_US  # wake-up from sleep
FLOATING = 0xFF  # what the bus reads while the chip does not drive its output


class Part(NamedTuple):
    """One member of the family: size in bytes, address bytes, identification, highest clock in MHz."""

    size: int
    address_bytes: int
    identification: bytes
    max_mhz: int

    @property
    def large(self) -> bool:
        """Whether the part has fast read and sleep."""
        return self.address_bytes == 3


def _part(kilobytes: int, address_bytes: int, product: str, max_mhz: int = 25) -> Part:
    return Part(kilobytes * 1024, address_bytes, bytes.fromhex("047F" + product), max_mhz)


PARTS = {
    "MB85RS16": _part(2, 2, "0101", 20),
    "MB85RS64V": _part(8, 2, "0302", 20),
    "MB85RS64T": _part(8, 2, "2303"),
    "MB85RS128B": _part(16, 2, "0409"),
    "MB85RS128TY": _part(16, 2, "2403"),
    "MB85RS256B": _part(32, 2, "0509"),
    "MB85RS256TY": _part(32, 2, "2503"),
    "MB85RS512T": _part(64, 2, "2603"),
    "MB85RS1MT": _part(128, 3, "2703"),
    "MB85RS2MTA": _part(256, 3, "4803"),
    "MB85RS4MT": _part(512, 3, "4903"),
}


class Write(NamedTuple):
    """What one WRITE transaction stored: instant of its first byte (ns), address, bytes.

    A transaction that wraps at the end of the memory, or runs across a protected block, makes one entry for each
    contiguous stretch.
    """

    when: int
    address: int
    data: bytes


class Ignored(NamedTuple):
    """A command that the part took no notice of: instant (ns), opcode, reason."""

    when: int
    opcode: int
    reason: str


class Mb85rs:
    """One FRAM chip.

    Args:
        scheduler: virtual time.
        part: a key of :data:`PARTS`.
        image: the contents, kept and changed in place; None = all zero.
        name: for messages.
        write_protect_n: the WP pin, low = protect; None = tied high.
        identifies: False models parts said to have no RDID; the command is then answered by a floating bus.
        seed: decides what a byte in flight becomes at a power cut.

    Raises:
        ValueError: unknown part, or an image of another size.
    """

    def __init__(
        self,
        scheduler: Scheduler,
        part: str = "MB85RS4MT",
        image: bytearray | None = None,
        *,
        name: str = "FRAM",
        write_protect_n: Line | None = None,
        identifies: bool = True,
        seed: int = 0,
    ) -> None:
        if part not in PARTS:
            raise ValueError(f"{name}: unknown part {part}, known: {', '.join(PARTS)}")
        self.part = PARTS[part]
        self.image = bytearray(self.part.size) if image is None else image
        if len(self.image) != self.part.size:
            raise ValueError(f"{name}: a {part} holds {self.part.size} bytes, the image has {len(self.image)}")
        self.name = name
        self.status = 0  # the non-volatile bits
        self.journal: list[Write] | None = None
        self.ignored: list[Ignored] = []
        self.powered = True
        self._scheduler = scheduler
        self._write_protect_n = write_protect_n
        self._identifies = identifies
        self._random = random.Random(f"{seed}/{name}")
        self._write_enabled = False
        self._asleep = False
        self._ready_at = 0
        self._cut_left: int | None = None
        self._cut_in_flight = True
        self._on_cut: Callable[[], None] | None = None
        self._selected = False
        self._reset_transaction()

    # World side

    @property
    def write_enabled(self) -> bool:
        """The write enable latch."""
        return self._write_enabled

    @property
    def asleep(self) -> bool:
        """Whether the part is in sleep mode (a chip select wakes it)."""
        return self._asleep

    def cut_after(self, n_bytes: int, on_cut: Callable[[], None] | None = None, *, in_flight: bool = True) -> None:
        """Cut the power when ``n_bytes`` more bytes have been stored by WRITE.

        With ``in_flight`` the cut comes inside the byte after them, which becomes anything; without, right behind the
        last one. ``on_cut`` is scheduled at the instant of the cut, for whoever stops the controller.
        """
        if n_bytes < 0 or (n_bytes == 0 and not in_flight):
            raise ValueError(f"{self.name}: nothing to cut after {n_bytes} bytes")
        self._cut_left = n_bytes
        self._cut_in_flight = in_flight
        self._on_cut = on_cut

    def power_off(self) -> None:
        """The supply goes: the transaction under way ends where it is; contents stay, WEL does not."""
        self._close_run()
        self._reset_transaction()
        self.powered = False
        self._write_enabled = False
        self._asleep = False

    def power_on(self) -> None:
        """The supply comes back; the part ignores the bus until the next chip select."""
        self.powered = True
        self._deaf = True
        self._ready_at = 0
        self._cut_left = None

    # SPI side

    def select(self) -> None:
        """Chip select goes low: a new command, or the wake-up from sleep."""
        self._selected = True
        self._reset_transaction()
        if self._asleep:
            self._asleep = False
            self._ready_at = self._scheduler.now + T_REC_NS

    def deselect(self) -> None:
        """Chip select goes high: WRITE and WRSR drop the write enable latch, SLEEP takes effect."""
        self._selected = False
        self._close_run()
        if self._opcode == WRSR and self._status_in is not None and self.powered:
            self._store_status(self._status_in)
        if self._opcode in (WRITE, WRSR) and self.powered:
            self._write_enabled = False
        if self._opcode == SLEEP and self.powered:
            self._asleep = True
        self._reset_transaction()

    def transfer(self, mosi: bytes, byte_ns: int) -> bytes:
        """Exchange bytes.

        Raises:
            SimFault: not selected, unknown opcode, WRSR with more than one byte, or a clock beyond the part's.
        """
        if not self._selected:
            raise SimFault(f"{self.name}: clocked without chip select at {self._scheduler.now} ns")
        if byte_ns * self.part.max_mhz < 8_000 - self.part.max_mhz:  # one ns of rounding is forgiven
            raise SimFault(
                f"{self.name}: {8_000 / byte_ns:.1f} MHz, the part ends at {self.part.max_mhz} MHz, "
                f"at {self._scheduler.now} ns"
            )
        miso = bytearray()
        for i, byte in enumerate(mosi):
            when = self._scheduler.now + i * byte_ns
            if self._stage_bytes == 0 and self._opcode == READ:
                return bytes(miso) + self._read_block(len(mosi) - i)
            if self._stage_bytes == 0 and self._opcode == WRITE and self._write_block(mosi[i:], when):
                return bytes(miso).ljust(len(mosi), bytes((FLOATING,)))
            miso.append(self._exchange(byte, when))
        return bytes(miso)

    def _reset_transaction(self) -> None:
        self._opcode: int | None = None
        self._deaf = False
        self._stage_bytes = 0  # address and dummy bytes still to come
        self._address = 0
        self._position = 0  # bytes given by RDID
        self._status_in: int | None = None
        self._warned = False
        self._run_when = 0
        self._run_address = 0
        self._run = bytearray()

    def _exchange(self, byte: int, when: int) -> int:
        if not self.powered or self._deaf:
            return FLOATING
        if self._opcode is None:
            self._begin(byte, when)
            return FLOATING
        opcode = self._opcode
        if opcode == RDSR:
            return self.status | (STATUS_WEL if self._write_enabled else 0)
        if opcode == RDID:
            position = self._position
            self._position += 1
            answers = self._identifies and position < len(self.part.identification)
            return self.part.identification[position] if answers else FLOATING
        if opcode == WRSR:
            if self._status_in is not None:
                raise SimFault(f"{self.name}: WRSR takes one byte, a second one came at {when} ns")
            self._status_in = byte
            return FLOATING
        if opcode in (READ, WRITE, FSTRD):
            return self._memory(opcode, byte, when)
        return FLOATING  # bytes behind WREN, WRDI and SLEEP mean nothing

    def _begin(self, opcode: int, when: int) -> None:
        if when < self._ready_at:
            self._deaf = True
            self.ignored.append(Ignored(when, opcode, "waking up"))
            return
        known = (WRSR, WRITE, READ, WRDI, RDSR, WREN, RDID) + ((FSTRD, SLEEP) if self.part.large else ())
        if opcode not in known:
            raise SimFault(f"{self.name}: unknown opcode {opcode:02X} at {when} ns")
        self._opcode = opcode
        if opcode == WREN:
            self._write_enabled = True
        elif opcode == WRDI:
            self._write_enabled = False
        elif opcode in (READ, WRITE):
            self._stage_bytes = self.part.address_bytes
        elif opcode == FSTRD:
            self._stage_bytes = self.part.address_bytes + 1
        if opcode in (WRITE, WRSR) and not self._write_enabled:
            self.ignored.append(Ignored(when, opcode, "WEL is 0"))

    def _memory(self, opcode: int, byte: int, when: int) -> int:
        if self._stage_bytes:
            is_dummy = opcode == FSTRD and self._stage_bytes == 1
            self._stage_bytes -= 1
            if not is_dummy:
                self._address = (self._address << 8 | byte) % self.part.size  # unused upper bits mean nothing
            return FLOATING
        address = self._address
        if opcode == WRITE:
            self._write_byte(address, byte, when)
            self._address = (address + 1) % self.part.size
            return FLOATING
        self._address = (address + 1) % self.part.size
        return self.image[address]

    def _read_block(self, count: int) -> bytes:
        """Data bytes of a READ in one go; the same as byte by byte, without its cost."""
        answer = bytearray()
        while len(answer) < count:
            piece = self.image[self._address : self._address + count - len(answer)]
            answer += piece
            self._address = (self._address + len(piece)) % self.part.size
        return bytes(answer)

    def _write_block(self, data: bytes, when: int) -> bool:
        """Data bytes of a WRITE in one go, as byte by byte; False, and nothing done, where one is not as the others."""
        end = self._address + len(data)
        cut = self._cut_left is not None and self._cut_left <= len(data)
        if not self._write_enabled or cut or end > self._protected_from():
            return False
        if self._cut_left is not None:
            self._cut_left -= len(data)
        self._extend_run(self._address, data, when)
        self.image[self._address : end] = data
        self._address = end % self.part.size
        return True

    def _protected_from(self) -> int:
        """First protected address; the block reaches to the end of the memory."""
        size = self.part.size
        return (size, size * 3 // 4, size // 2, 0)[(self.status & STATUS_BP) >> 2]

    def _write_byte(self, address: int, byte: int, when: int) -> None:
        if not self._write_enabled:
            return
        if address >= self._protected_from():
            self._close_run()
            if not self._warned:
                self._warned = True
                self.ignored.append(Ignored(when, WRITE, f"address {address:05X} is protected"))
            return
        cut = False
        if self._cut_left is not None:
            if self._cut_left == 0:
                byte = self._random.randrange(256)
                cut = True
            else:
                self._cut_left -= 1
                cut = self._cut_left == 0 and not self._cut_in_flight
        self._extend_run(address, bytes((byte,)), when)
        self.image[address] = byte
        if cut:
            self._cut_left = None
            self.power_off()
            if self._on_cut is not None:
                self._scheduler.at(when, self._on_cut)

    def _extend_run(self, address: int, data: bytes, when: int) -> None:
        if self.journal is None:
            return
        if self._run and address != self._run_address + len(self._run):
            self._close_run()
        if not self._run:
            self._run_when = when
            self._run_address = address
        self._run += data

    def _close_run(self) -> None:
        if self._run and self.journal is not None:
            self.journal.append(Write(self._run_when, self._run_address, bytes(self._run)))
        self._run = bytearray()

    def _store_status(self, value: int) -> None:
        if not self._write_enabled:
            return  # noted when the command came
        pin_low = self._write_protect_n is not None and not self._write_protect_n.level
        if self.status & STATUS_WPEN and pin_low:
            self.ignored.append(Ignored(self._scheduler.now, WRSR, "WPEN is 1 and WP is low"))
            return
        self.status = value & STATUS_STORED


def replay(
    base: bytes, journal: Iterable[Write], writes: int, torn: int | None = None, in_flight: int | None = None
) -> bytearray:
    """The memory after the first ``writes`` entries of ``journal``, applied to ``base``.

    With ``torn`` the power went in the middle of the next entry: its first ``torn`` bytes are there, and the byte
    behind them is ``in_flight`` (0-255) when that is given.

    Raises:
        ValueError: fewer entries, or fewer bytes in the torn one, than asked for.
    """
    image = bytearray(base)
    entries = list(journal)
    if writes > len(entries) or (torn is not None and writes == len(entries)):
        raise ValueError(f"the journal has {len(entries)} writes")
    for _when, address, data in entries[:writes]:
        image[address : address + len(data)] = data
    if torn is None:
        return image
    _when, address, data = entries[writes]
    if torn + (in_flight is not None) > len(data):
        raise ValueError(f"write {writes} has {len(data)} bytes")
    image[address : address + torn] = data[:torn]
    if in_flight is not None:
        image[address + torn] = in_flight
    return image
