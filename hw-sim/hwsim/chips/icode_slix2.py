"""NXP ICODE SLIX2 (SL2S2602): 79 user blocks and a counter, passwords, EAS, privacy, inventory read.

Entry points: :class:`IcodeSlix2`; its states beyond ISO/IEC 15693 are plain attributes (``persistent_quiet``,
``privacy``, ``destroyed``, ``eas``, ``counter``, ``passwords``, ``page_pointer``, ``page_conditions``).

Models every command of the product except 24 (which it lacks). Choices where the data sheet is silent: feature flags
of GET NXP SYSTEM INFO, programming time, the counter at FFFF + 1 (``counter_wraps``), a fast inventory read (A1) to a
tag that is not selected stays silent as reported from the field (``fast_needs_select``).
"""

from __future__ import annotations

from hwsim.chips.iso15693_tag import (
    ADDRESS,
    AFI_PRESENT,
    HIGH_RATE,
    INVENTORY,
    ONE_SLOT,
    OPTION,
    QUIET,
    SELECT,
    SELECTED,
    Command,
    Iso15693Tag,
)
from hwsim.rf.air import BIT_FAST_HIGH, BIT_FAST_LOW, T1_CYCLES, crc16, with_crc
from hwsim.rf.antenna import Reply

COUNTER_BLOCK = 79
USER_BLOCKS = 79

# Password identifiers.
READ = 0x01
WRITE = 0x02
PRIVACY = 0x04
DESTROY = 0x08
EAS_AFI = 0x10

# Page protection conditions: low page (below the pointer) in bits 1:0, high page in bits 5:4.
PROTECT_READ = 0x01
PROTECT_WRITE = 0x02
HIGH_PAGE_SHIFT = 4

# Extended inventory read, options byte.
ONLY_EAS = 0x01
FULL_UID = 0x02
NO_DATA = 0x10
GO_QUIET = 0x20
GO_PERSISTENT = 0x40
ONLY_PERSISTENT = 0x60
EXTENDED = 0x80  # in the mask length byte

PERSISTENT_NS = 2_000_000_000  # persistent quiet outlives a field-off of this length (data sheet: at least)

# Bits 1-7, 9, 11, 13 and 14 of the feature list; the product's own value is not published (unverified).
FEATURE_FLAGS = 0x0000357F

EAS_SEQUENCE = bytes.fromhex("2FB36270D5A7907FE8B18038D281497682DA9A866FAF8BB0F19CD112A57237EF")


class IcodeSlix2(Iso15693Tag):
    """One SLIX2 tag. ``uid`` LSB first; ``memory`` fills user blocks from 0 (at most 316 bytes).

    ``signature`` is the 32-byte originality signature it returns. Raises ValueError when something does not fit.
    """

    __slots__ = (
        "_granted",
        "_lost_field_at",
        "_muted",
        "_random",
        "_random_state",
        "afi_protected",
        "both_passwords",
        "counter",
        "counter_protected",
        "counter_wraps",
        "destroyed",
        "eas",
        "eas_id",
        "eas_locked",
        "eas_protected",
        "fast_needs_select",
        "locked_passwords",
        "page_conditions",
        "page_pointer",
        "pages_locked",
        "passwords",
        "persistent_quiet",
        "privacy",
        "signature",
    )

    def __init__(
        self,
        uid: bytes,
        afi: int = 0,
        dsfid: int = 0,
        memory: bytes = b"",
        *,
        signature: bytes = bytes(32),
        counter_wraps: bool = False,
        fast_needs_select: bool = True,
    ) -> None:
        if len(memory) > 4 * USER_BLOCKS:
            raise ValueError(f"{len(memory)} bytes do not fit {USER_BLOCKS} user blocks")
        if len(signature) != 32:
            raise ValueError(f"a signature has 32 bytes, not {len(signature)}")
        super().__init__(uid, afi, dsfid, memory)
        self.signature = signature
        self.counter_wraps = counter_wraps
        self.fast_needs_select = fast_needs_select
        self.counter = 0
        self.counter_protected = False
        self.passwords = {
            READ: bytes(4),
            WRITE: bytes(4),
            EAS_AFI: bytes(4),
            PRIVACY: b"\x0f" * 4,
            DESTROY: b"\x0f" * 4,
        }
        self.locked_passwords: set[int] = set()
        self.page_pointer = 0
        self.page_conditions = 0
        self.pages_locked = False
        self.both_passwords = False
        self.eas = False
        self.eas_id = bytes(2)
        self.eas_locked = False
        self.eas_protected = False
        self.afi_protected = False
        self.privacy = False
        self.destroyed = False
        self.persistent_quiet = False
        self._granted: set[int] = set()
        self._muted = False
        self._random: bytes | None = None
        self._random_state = crc16(self.uid)
        self._lost_field_at: int | None = None

    # Field and states.

    def power_up(self, now: int) -> None:
        """Field on; persistent quiet is forgotten after a long time without."""
        super().power_up(now)
        if self._lost_field_at is not None and now - self._lost_field_at > PERSISTENT_NS:
            self.persistent_quiet = False

    def power_down(self, now: int) -> None:
        """Field off: passwords, random number and muteness are gone."""
        super().power_down(now)
        self._granted.clear()
        self._random = None
        self._muted = False
        self._lost_field_at = now

    def _listens(self) -> bool:
        return not (self.destroyed or self._muted)

    def _ignores_anonymous(self, code: int) -> bool:
        if self.state == QUIET:
            return True
        return self.persistent_quiet and code != 0xA5

    def _takes_part(self, flags: int) -> bool:
        if self.privacy or self.state == QUIET:
            return False
        return not self.persistent_quiet or bool(flags & AFI_PRESENT)

    def _answer_slot(self) -> Reply | None:
        if self._after == GO_QUIET:
            self.state = QUIET
        elif self._after == GO_PERSISTENT:
            self.persistent_quiet = True
        return super()._answer_slot()

    def _command(self, flags: int, frame: bytes) -> Reply | None:
        code = frame[1]
        if self.privacy and code not in (0xB2, 0xB3):
            return None
        if code in (0xA0, 0xA1):
            return self._direct_read(flags, frame)
        return super()._command(flags, frame)

    def _select_persistent(self, flags: int, params: bytes) -> Reply | None:
        if flags & ADDRESS:
            self.persistent_quiet = False
        return self._select(flags, params)

    def _reset_persistent(self, flags: int, params: bytes) -> Reply | None:
        self.persistent_quiet = False
        return self._reset_to_ready(flags, params)

    def _stay_quiet_persistent(self, flags: int, params: bytes) -> Reply | None:
        if flags & ADDRESS:
            self.persistent_quiet = True
        return None

    # Memory, protection and counter.

    def _conditions(self, block: int) -> int:
        return self.page_conditions >> (0 if block < self.page_pointer else HIGH_PAGE_SHIFT) & 3

    def _has(self, *identifiers: int) -> bool:
        return self._granted.issuperset(identifiers)

    def _readable(self, block: int) -> bool:
        if block >= USER_BLOCKS:
            return block == COUNTER_BLOCK
        if not self._conditions(block) & PROTECT_READ:
            return True
        return self._has(READ, WRITE) if self.both_passwords else self._has(READ)

    def _writable(self, block: int) -> bool:
        if block >= USER_BLOCKS:
            return block == COUNTER_BLOCK
        if block in self.locked:
            return False
        conditions = self._conditions(block)
        if not conditions:
            return True
        if self.both_passwords or conditions == PROTECT_READ | PROTECT_WRITE:
            return self._has(READ, WRITE)
        return self._has(READ if conditions == PROTECT_READ else WRITE)

    def _block(self, block: int) -> bytes:
        if block == COUNTER_BLOCK:
            return self.counter.to_bytes(2, "little") + bytes((0, self.counter_protected))
        return super()._block(block)

    def _lock_user_block(self, flags: int, params: bytes) -> Reply | None:
        return self._refuse(flags) if params[0] == COUNTER_BLOCK else self._lock_block(flags, params)

    def _store(self, block: int, data: bytes) -> bool:
        if block != COUNTER_BLOCK:
            return super()._store(block, data)
        preset = int.from_bytes(data[:2], "little")
        if preset == 1:
            if (self.counter_protected and not self._has(READ)) or (self.counter == 0xFFFF and not self.counter_wraps):
                return False
            self.counter = (self.counter + 1) & 0xFFFF
            return True
        if not self._has(WRITE) or data[3] > 1:
            return False
        self.counter = preset
        self.counter_protected = bool(data[3])
        return True

    def _protect_page(self, flags: int, params: bytes) -> Reply | None:
        if params[0] >= USER_BLOCKS or params[1] & ~0x33 or self.pages_locked or not self._has(READ, WRITE):
            return self._refuse(flags)
        self.page_pointer, self.page_conditions = params
        return self._programmed(flags)

    def _lock_pages(self, flags: int, params: bytes) -> Reply | None:
        if params[0] != self.page_pointer or not self._has(READ, WRITE):
            return self._refuse(flags)
        self.pages_locked = True
        return self._programmed(flags)

    def _need_both(self, flags: int, params: bytes) -> Reply | None:
        if not self._has(READ, WRITE):
            return self._refuse(flags)
        self.both_passwords = True
        return self._programmed(flags)

    # Passwords, privacy, destroy.

    def _get_random(self, flags: int, params: bytes) -> Reply | None:
        self._random_state = (self._random_state * 25_173 + 13_849) & 0xFFFF
        self._random = self._random_state.to_bytes(2, "little")
        return self._reply(flags, self._random)

    def _proves(self, identifier: int, covered: bytes) -> bool | None:
        """Compare a covered password. None without a random number; a wrong one mutes the tag until field off."""
        if self._random is None:
            return None
        password = bytes(byte ^ self._random[i & 1] for i, byte in enumerate(covered))
        self._muted = password != self.passwords[identifier]
        return not self._muted

    def _set_password(self, flags: int, params: bytes) -> Reply | None:
        identifier = params[0]
        if identifier not in self.passwords or (self.privacy and identifier != PRIVACY):
            return self._refuse(flags)
        if identifier != PRIVACY and not flags & (ADDRESS | SELECT):
            return None
        if not self._proves(identifier, params[1:]):
            return self._refuse(flags)
        self._granted.add(identifier)
        if identifier == PRIVACY:
            self.privacy = False
            return self._programmed(flags)
        return self._refuse(flags) if flags & OPTION else self._reply(flags, b"")

    def _write_password(self, flags: int, params: bytes) -> Reply | None:
        if params[0] not in self._granted or params[0] in self.locked_passwords:
            return self._refuse(flags)
        self.passwords[params[0]] = bytes(params[1:])
        return self._programmed(flags)

    def _lock_password(self, flags: int, params: bytes) -> Reply | None:
        if params[0] not in self.passwords:
            return self._refuse(flags)
        self.locked_passwords.add(params[0])
        return self._programmed(flags)

    def _enable_privacy(self, flags: int, params: bytes) -> Reply | None:
        if not self._proves(PRIVACY, params):
            return self._refuse(flags)
        self.privacy = True
        return self._programmed(flags)

    def _destroy(self, flags: int, params: bytes) -> Reply | None:
        if not self._proves(DESTROY, params):
            return self._refuse(flags)
        self.destroyed = True
        return self._programmed(flags)

    # EAS and AFI.

    def _afi_writable(self) -> bool:
        return not self.afi_locked and (not self.afi_protected or self._has(EAS_AFI))

    def _eas_writable(self) -> bool:
        return not self.eas_locked and (not self.eas_protected or self._has(EAS_AFI))

    def _switch_eas(self, flags: int, on: bool) -> Reply | None:
        if not self._eas_writable():
            return self._refuse(flags)
        self.eas = on
        return self._programmed(flags)

    def _set_eas(self, flags: int, params: bytes) -> Reply | None:
        return self._switch_eas(flags, True)

    def _reset_eas(self, flags: int, params: bytes) -> Reply | None:
        return self._switch_eas(flags, False)

    def _lock_eas(self, flags: int, params: bytes) -> Reply | None:
        if not self._eas_writable():
            return self._refuse(flags)
        self.eas_locked = True
        return self._programmed(flags)

    def _eas_alarm(self, flags: int, params: bytes) -> Reply | None:
        if not self.eas:
            return None
        if not flags & OPTION:
            return None if params else self._reply(flags, EAS_SEQUENCE)
        if not params or params[0] not in (0, 8, 16) or len(params) != 1 + params[0] // 8:
            return None
        if params[0] == 0:
            return self._reply(flags, self.eas_id)
        return self._reply(flags, EAS_SEQUENCE) if self.eas_id.startswith(params[1:]) else None

    def _protect_eas_afi(self, flags: int, params: bytes) -> Reply | None:
        if flags & OPTION:
            self.afi_protected = True
        else:
            self.eas_protected = True
        return self._programmed(flags & ~OPTION)

    def _write_eas_id(self, flags: int, params: bytes) -> Reply | None:
        if not self._eas_writable():
            return self._refuse(flags)
        self.eas_id = bytes(params)
        return self._programmed(flags)

    # Identification.

    def _nxp_information(self, flags: int, params: bytes) -> Reply | None:
        locks = self.afi_locked | self.eas_locked << 1 | self.dsfid_locked << 2 | self.pages_locked << 3
        head = bytes((self.page_pointer, self.page_conditions, locks))
        return self._reply(flags, head + FEATURE_FLAGS.to_bytes(4, "little"))

    def _read_signature(self, flags: int, params: bytes) -> Reply | None:
        return self._reply(flags, self.signature)

    # Inventory read (A0) and fast inventory read (A1).

    def _read_reply(self, flags: int, fast: bool, data: bytes) -> Reply | None:
        if not fast:
            return self._reply(flags, data)
        if flags & 1:  # two subcarriers
            return None
        return T1_CYCLES, with_crc(b"\0" + data), BIT_FAST_HIGH if flags & HIGH_RATE else BIT_FAST_LOW

    def _user_blocks(self, first: int, count: int) -> range | None:
        """Blocks that a read of ``count`` from ``first`` returns; None when it returns none or may not."""
        blocks = range(first, min(first + count, USER_BLOCKS))
        return blocks if blocks and all(self._readable(block) for block in blocks) else None

    def _inventory_read(self, flags: int, params: bytes) -> Reply | None:
        return self._read_in_slot(flags, params, False)

    def _fast_inventory_read(self, flags: int, params: bytes) -> Reply | None:
        return None if self.fast_needs_select else self._read_in_slot(flags, params, True)

    def _read_in_slot(self, flags: int, params: bytes, fast: bool) -> Reply | None:
        if not params or params[0] != self.MANUFACTURER or self.privacy:
            return None
        at = 1
        if flags & AFI_PRESENT:
            if len(params) < 2 or not self._afi_matches(params[1]):
                return None
            at = 2
        if len(params) <= at:
            return None
        length = params[at] & ~EXTENDED
        options = 0
        if params[at] & EXTENDED:
            at += 1
            if len(params) <= at:
                return None
            options = params[at]
        at += 1
        mask_end = at + ((length + 7) >> 3)
        wanted = 0 if options & NO_DATA else 2
        if len(params) != mask_end + wanted or length > (64 if flags & ONE_SLOT else 60):
            return None
        then = options & ONLY_PERSISTENT
        if then == ONLY_PERSISTENT:
            if not self.persistent_quiet or self.state == QUIET:
                return None
            then = 0
        elif not self._takes_part(flags):
            return None
        if (options & ONLY_EAS and not self.eas) or not self._mask_matches(length, params[at:mask_end]):
            return None
        data = b""
        if wanted:
            blocks = self._user_blocks(params[mask_end], params[mask_end + 1] + 1)
            if blocks is None:
                return None
            data = self._blocks(flags & ~OPTION, blocks.start, len(blocks))
        if flags & OPTION:
            known = 0 if options & FULL_UID else length + (0 if flags & ONE_SLOT else 4)
            data = self.uid[known >> 3 :] + data
        reply = self._read_reply(flags, fast, data)
        return None if reply is None else self._in_slot(flags, length, reply, then)

    def _direct_read(self, flags: int, frame: bytes) -> Reply | None:
        """A0/A1 without the inventory flag: the UID travels as a 64-bit mask; works like read multiple."""
        fast = frame[1] == 0xA1
        params = frame[3:-2]
        if frame[2] != self.MANUFACTURER or not params or flags & INVENTORY:
            return None
        selected = bool(flags & SELECT)
        if selected == bool(flags & ADDRESS) or (selected and self.state != SELECTED):
            return None
        if fast and self.fast_needs_select and not selected:
            return None
        if params[0] == 64:
            if params[1:9] != self.uid:
                return None
            params = params[8:]
        elif params[0] or not selected:
            return None
        if len(params) != 3:
            return None
        blocks = self._user_blocks(params[1], params[2] + 1)
        if blocks is None:
            return None
        return self._read_reply(flags, fast, self._blocks(flags, blocks.start, len(blocks)))


IcodeSlix2.INVENTORIES = {
    **Iso15693Tag.INVENTORIES,
    0xA0: IcodeSlix2._inventory_read,
    0xA1: IcodeSlix2._fast_inventory_read,
}
IcodeSlix2.COMMANDS = {
    **{code: command for code, command in Iso15693Tag.COMMANDS.items() if code != 0x24},  # no write multiple
    0x22: Command(IcodeSlix2._lock_user_block, 1, option=True),
    0x25: Command(IcodeSlix2._select_persistent, 0),
    0x26: Command(IcodeSlix2._reset_persistent, 0),
    0xA2: Command(IcodeSlix2._set_eas, 0, option=True),
    0xA3: Command(IcodeSlix2._reset_eas, 0, option=True),
    0xA4: Command(IcodeSlix2._lock_eas, 0, option=True),
    0xA5: Command(IcodeSlix2._eas_alarm, -1, option=True),
    0xA6: Command(IcodeSlix2._protect_eas_afi, 0, option=True),
    0xA7: Command(IcodeSlix2._write_eas_id, 2, option=True),
    0xAB: Command(IcodeSlix2._nxp_information, 0),
    0xB2: Command(IcodeSlix2._get_random, 0),
    0xB3: Command(IcodeSlix2._set_password, 5, option=True),
    0xB4: Command(IcodeSlix2._write_password, 5, option=True, named=True),
    0xB5: Command(IcodeSlix2._lock_password, 1, option=True),
    0xB6: Command(IcodeSlix2._protect_page, 2, option=True),
    0xB7: Command(IcodeSlix2._lock_pages, 1, option=True),
    0xB9: Command(IcodeSlix2._destroy, 4, option=True, named=True),
    0xBA: Command(IcodeSlix2._enable_privacy, 4, option=True),
    0xBB: Command(IcodeSlix2._need_both, 0, option=True),
    0xBC: Command(IcodeSlix2._stay_quiet_persistent, 0),
    0xBD: Command(IcodeSlix2._read_signature, 0),
}
