"""An ISO/IEC 15693 tag: states, anticollision, and the optional commands of part 3 on a block memory.

Entry points: :class:`Iso15693Tag` (implements ``hwsim.rf.antenna.Tag``), :class:`Command` (an entry of its command
table, which a product's model extends).

Models: field settling (1 ms), the Ready, Quiet and Selected states, slots counted by EOF, AFI, flags of the request,
answers at high and low rate with one or two subcarriers, write timing with both values of the option flag.
Limits: loses its state at once with the field (a real tag after some ms); answers exactly t1 nominal after the EOF.
World side: ``uid``, ``memory``, ``afi``, ``dsfid``, ``state`` are plain attributes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple

from hwsim.rf.air import (
    BIT_HIGH,
    BIT_HIGH_TWO_SUBCARRIERS,
    BIT_LOW,
    BIT_LOW_TWO_SUBCARRIERS,
    FIELD_SETTLE_NS,
    PROGRAM_STEP_CYCLES,
    T1_CYCLES,
    AirFrame,
    cycles_ns,
    with_crc,
)
from hwsim.rf.antenna import Antenna, Reply

# Request flags (ISO/IEC 15693-3).
HIGH_RATE = 0x02
INVENTORY = 0x04
EXTENSION = 0x08
SELECT = 0x10  # with INVENTORY: AFI present
AFI_PRESENT = 0x10
ADDRESS = 0x20  # with INVENTORY: one slot
ONE_SLOT = 0x20
OPTION = 0x40
RFU = 0x80

# States.
READY = 0
QUIET = 1
SELECTED = 2

#: Carrier cycles of an answer bit, by flags 1:0 (rate, subcarriers).
RATES = (BIT_LOW, BIT_LOW_TWO_SUBCARRIERS, BIT_HIGH, BIT_HIGH_TWO_SUBCARRIERS)

# A write takes k steps of 302 us; the standard bounds it at 20 ms. k is a model constant (unverified).
PROGRAM_STEPS = 13
PROGRAM_CYCLES = PROGRAM_STEPS * PROGRAM_STEP_CYCLES

_ERROR = with_crc(b"\x01\x0f")
_DONE = with_crc(b"\x00")


class Command(NamedTuple):
    """One command outside inventory.

    ``run(tag, flags, params)`` returns the reply or None (silence); ``length`` is the number of parameter bytes after
    the UID (-1: checked by ``run``); ``option`` whether the option flag is supported; ``named`` whether the request
    must be addressed or selected.
    """

    run: Callable[[Any, int, bytes], Reply | None]
    length: int
    option: bool = False
    named: bool = False


class Iso15693Tag:
    """A tag with ``blocks`` blocks of ``block_size`` bytes.

    ``uid`` is 8 bytes, LSB first (E0 last); ``memory`` fills the blocks from 0, the rest is 00. Raises ValueError for
    a UID or memory that does not fit.
    """

    __slots__ = (
        "_after",
        "_late_reply",
        "_slot_reply",
        "_slots_to_go",
        "afi",
        "afi_locked",
        "antenna",
        "block_size",
        "blocks",
        "deaf_until",
        "dsfid",
        "dsfid_locked",
        "eof_at",
        "ic_reference",
        "locked",
        "memory",
        "powered_at",
        "state",
        "uid",
        "uid_number",
    )

    COMMANDS: ClassVar[dict[int, Command]]
    INVENTORIES: ClassVar[dict[int, Callable[[Any, int, bytes], Reply | None]]]
    MANUFACTURER = 0x04

    def __init__(
        self,
        uid: bytes,
        afi: int = 0,
        dsfid: int = 0,
        memory: bytes = b"",
        *,
        blocks: int = 80,
        block_size: int = 4,
        ic_reference: int = 1,
    ) -> None:
        if len(uid) != 8 or uid[7] != 0xE0:
            raise ValueError(f"not a UID, LSB first: {uid.hex(' ')}")
        if len(memory) > blocks * block_size:
            raise ValueError(f"{len(memory)} bytes do not fit {blocks} blocks of {block_size}")
        self.uid = bytes(uid)
        self.uid_number = int.from_bytes(uid, "little")
        self.afi = afi
        self.dsfid = dsfid
        self.blocks = blocks
        self.block_size = block_size
        self.ic_reference = ic_reference
        self.memory = bytearray(memory.ljust(blocks * block_size, b"\0"))
        self.locked: set[int] = set()
        self.afi_locked = False
        self.dsfid_locked = False
        self.antenna: Antenna | None = None
        self.powered_at: int | None = None
        self.deaf_until = 0
        self.eof_at = 0
        self.state = READY
        self._slots_to_go = 0
        self._slot_reply: Reply | None = None
        self._late_reply: tuple[int, Reply] | None = None
        self._after = 0

    def __repr__(self) -> str:
        return f"tag {self.uid[::-1].hex().upper()}"

    # Field.

    def power_up(self, now: int) -> None:
        """The field is on: Ready after the settling time."""
        self.powered_at = now
        self.deaf_until = 0

    def power_down(self, now: int) -> None:
        """The field is gone, and with it every state."""
        self.powered_at = None
        self.state = READY
        self._slots_to_go = 0
        self._late_reply = None

    def hear(self, request: AirFrame) -> Reply | None:
        """Execute a request; the reply's delay counts from the end of its EOF."""
        powered = self.powered_at
        if powered is None or request.start < powered + FIELD_SETTLE_NS or request.start < self.deaf_until:
            return None
        self._slots_to_go = 0
        self._late_reply = None
        if not request.crc_ok or not self._listens():
            return None
        frame = request.frame
        flags = frame[0]
        if flags & (EXTENSION | RFU):
            return None
        self.eof_at = request.end
        if flags & INVENTORY:
            inventory = self.INVENTORIES.get(frame[1])
            return inventory(self, flags, frame[2:-2]) if inventory is not None else None
        return self._command(flags, frame)

    def hear_eof(self, start: int, end: int, early: bool) -> Reply | None:
        """Count a slot, or answer a write that waits for its EOF."""
        if self.powered_at is None or start < self.deaf_until:
            return None
        late = self._late_reply
        if late is not None:
            self._late_reply = None
            return late[1] if start >= late[0] else None
        if self._slots_to_go:
            self._slots_to_go -= 1
            if not self._slots_to_go and not early:
                return self._answer_slot()
        return None

    def hear_garbage(self, start: int) -> None:
        """A SOF ends the round; nothing after it makes sense."""
        if start >= self.deaf_until:
            self._slots_to_go = 0
            self._late_reply = None

    def _listens(self) -> bool:
        """Whether the tag takes commands at all (a destroyed or muted one does not)."""
        return True

    # Inventory.

    def _takes_part(self, flags: int) -> bool:
        return self.state != QUIET

    def _afi_matches(self, afi: int) -> bool:
        if afi == 0:
            return True
        if afi & 0x0F == 0:
            return self.afi & 0xF0 == afi
        return self.afi == afi

    def _mask_matches(self, length: int, mask: bytes) -> bool:
        return not (int.from_bytes(mask, "little") ^ self.uid_number) & ((1 << length) - 1)

    def _in_slot(self, flags: int, mask_length: int, reply: Reply, after: int = 0) -> Reply | None:
        """Answer now, or keep ``reply`` for the slot that the UID bits after the mask name.

        ``after`` is what a product does once it has answered; 0: nothing.
        """
        self._slot_reply = reply
        self._after = after
        if not flags & ONE_SLOT:
            self._slots_to_go = (self.uid_number >> mask_length) & 15
            if self._slots_to_go:
                return None
        return self._answer_slot()

    def _answer_slot(self) -> Reply | None:
        return self._slot_reply

    def _inventory(self, flags: int, params: bytes) -> Reply | None:
        if not self._takes_part(flags):
            return None
        if flags & AFI_PRESENT:
            if not params or not self._afi_matches(params[0]):
                return None
            params = params[1:]
        if not params:
            return None
        length = params[0]
        if len(params) != 1 + ((length + 7) >> 3) or length > (64 if flags & ONE_SLOT else 60):
            return None
        if length and not self._mask_matches(length, params[1:]):
            return None
        return self._in_slot(flags, length, self._reply(flags, bytes((self.dsfid,)) + self.uid))

    # Addressing and answers.

    def _ignores_anonymous(self, code: int) -> bool:
        """Whether a request that is neither addressed nor selected leaves the tag cold."""
        return self.state == QUIET

    def _command(self, flags: int, frame: bytes) -> Reply | None:
        code = frame[1]
        offset = 2
        if 0xA0 <= code <= 0xDF:
            if frame[2] != self.MANUFACTURER:
                return None
            offset = 3
        if flags & ADDRESS:
            if flags & SELECT or len(frame) < offset + 10:
                return None
            if frame[offset : offset + 8] != self.uid:
                if code == 0x25 and self.state == SELECTED:
                    self.state = READY
                return None
            offset += 8
        elif flags & SELECT:
            if self.state != SELECTED:
                return None
        elif self._ignores_anonymous(code):
            return None
        command = self.COMMANDS.get(code)
        params = frame[offset:-2]
        if (
            command is None
            or (command.length >= 0 and len(params) != command.length)
            or (flags & OPTION and not command.option)
            or (command.named and not flags & (ADDRESS | SELECT))
        ):
            return self._refuse(flags)
        return command.run(self, flags, params)

    def _reply(self, flags: int, data: bytes) -> Reply:
        return T1_CYCLES, with_crc(b"\0" + data), RATES[flags & 3]

    def _refuse(self, flags: int) -> Reply | None:
        """Error 0F when the request named this tag, else silence."""
        return (T1_CYCLES, _ERROR, RATES[flags & 3]) if flags & (ADDRESS | SELECT) else None

    def _programmed(self, flags: int) -> Reply | None:
        """Success of a write-type command: after the programming time, or after the EOF that option 1 asks for."""
        rate = RATES[flags & 3]
        if flags & OPTION:
            self._late_reply = (self.eof_at + cycles_ns(PROGRAM_CYCLES), (T1_CYCLES, _DONE, rate))
            return None
        return T1_CYCLES + PROGRAM_CYCLES, _DONE, rate

    # Commands.

    def _stay_quiet(self, flags: int, params: bytes) -> Reply | None:
        if flags & ADDRESS:
            self.state = QUIET
        return None

    def _select(self, flags: int, params: bytes) -> Reply | None:
        if not flags & ADDRESS:
            return self._refuse(flags)
        self.state = SELECTED
        return T1_CYCLES, _DONE, RATES[flags & 3]

    def _reset_to_ready(self, flags: int, params: bytes) -> Reply | None:
        self.state = READY
        return T1_CYCLES, _DONE, RATES[flags & 3]

    def _readable(self, block: int) -> bool:
        return block < self.blocks

    def _writable(self, block: int) -> bool:
        return block < self.blocks and block not in self.locked

    def _block(self, block: int) -> bytes:
        return bytes(self.memory[block * self.block_size : (block + 1) * self.block_size])

    def _security(self, block: int) -> int:
        return 1 if block in self.locked else 0

    def _store(self, block: int, data: bytes) -> bool:
        """Write a block that may be written; False when the chip refuses this content."""
        self.memory[block * self.block_size : (block + 1) * self.block_size] = data
        return True

    def _read_single(self, flags: int, params: bytes) -> Reply | None:
        if not self._readable(params[0]):
            return self._refuse(flags)
        return self._reply(flags, self._blocks(flags, params[0], 1))

    def _blocks(self, flags: int, first: int, count: int) -> bytes:
        if flags & OPTION:
            return b"".join(bytes((self._security(n),)) + self._block(n) for n in range(first, first + count))
        return b"".join([self._block(n) for n in range(first, first + count)])

    def _read_multiple(self, flags: int, params: bytes) -> Reply | None:
        first = params[0]
        count = min(params[1] + 1, self.blocks - first)
        if count <= 0 or not all(self._readable(block) for block in range(first, first + count)):
            return self._refuse(flags)
        return self._reply(flags, self._blocks(flags, first, count))

    def _write_single(self, flags: int, params: bytes) -> Reply | None:
        if (
            len(params) != 1 + self.block_size
            or not self._writable(params[0])
            or not self._store(params[0], params[1:])
        ):
            return self._refuse(flags)
        return self._programmed(flags)

    def _write_multiple(self, flags: int, params: bytes) -> Reply | None:
        """All of the blocks or none."""
        if len(params) < 2:
            return self._refuse(flags)
        first, count, size = params[0], params[1] + 1, self.block_size
        wanted = range(first, first + count)
        if len(params) != 2 + count * size or not all(self._writable(block) for block in wanted):
            return self._refuse(flags)
        for block in wanted:
            at = 2 + (block - first) * size
            self._store(block, params[at : at + size])
        return self._programmed(flags)

    def _lock_block(self, flags: int, params: bytes) -> Reply | None:
        if not self._writable(params[0]):
            return self._refuse(flags)
        self.locked.add(params[0])
        return self._programmed(flags)

    def _afi_writable(self) -> bool:
        return not self.afi_locked

    def _write_afi(self, flags: int, params: bytes) -> Reply | None:
        if not self._afi_writable():
            return self._refuse(flags)
        self.afi = params[0]
        return self._programmed(flags)

    def _lock_afi(self, flags: int, params: bytes) -> Reply | None:
        if not self._afi_writable():
            return self._refuse(flags)
        self.afi_locked = True
        return self._programmed(flags)

    def _write_dsfid(self, flags: int, params: bytes) -> Reply | None:
        if self.dsfid_locked:
            return self._refuse(flags)
        self.dsfid = params[0]
        return self._programmed(flags)

    def _lock_dsfid(self, flags: int, params: bytes) -> Reply | None:
        if self.dsfid_locked:
            return self._refuse(flags)
        self.dsfid_locked = True
        return self._programmed(flags)

    def _system_information(self, flags: int, params: bytes) -> Reply | None:
        tail = bytes((self.dsfid, self.afi, self.blocks - 1, self.block_size - 1, self.ic_reference))
        return self._reply(flags, b"\x0f" + self.uid + tail)

    def _block_security(self, flags: int, params: bytes) -> Reply | None:
        first = params[0]
        last = min(first + params[1], self.blocks - 1)
        if first > last:
            return self._refuse(flags)
        return self._reply(flags, bytes(self._security(block) for block in range(first, last + 1)))


# Functions are looked up by code; a product's table adds to these.
Iso15693Tag.INVENTORIES = {0x01: Iso15693Tag._inventory}
Iso15693Tag.COMMANDS = {
    0x02: Command(Iso15693Tag._stay_quiet, 0),
    0x20: Command(Iso15693Tag._read_single, 1, option=True),
    0x21: Command(Iso15693Tag._write_single, -1, option=True),
    0x22: Command(Iso15693Tag._lock_block, 1, option=True),
    0x23: Command(Iso15693Tag._read_multiple, 2, option=True),
    0x24: Command(Iso15693Tag._write_multiple, -1, option=True),
    0x25: Command(Iso15693Tag._select, 0),
    0x26: Command(Iso15693Tag._reset_to_ready, 0),
    0x27: Command(Iso15693Tag._write_afi, 1, option=True),
    0x28: Command(Iso15693Tag._lock_afi, 0, option=True),
    0x29: Command(Iso15693Tag._write_dsfid, 1, option=True),
    0x2A: Command(Iso15693Tag._lock_dsfid, 0, option=True),
    0x2B: Command(Iso15693Tag._system_information, 0),
    0x2C: Command(Iso15693Tag._block_security, 2),
}
