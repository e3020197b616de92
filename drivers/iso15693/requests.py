"""ISO/IEC 15693 requests, built in place in a buffer of the caller's; the reader chip adds the CRC.

Entry points: `inventory`, `stay_quiet`, `reset_to_ready`, `read_multiple`, `system_information`, and of the ICODE's own
commands `presence`, for tags that `is_slix2` knows. Each fills the buffer from byte 0 and returns the number of bytes;
`REQUEST_BYTES` is enough for any of them. UIDs and masks travel least significant byte
first, as everywhere in this package. Nothing is allocated.
"""

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
    from typing import TypeAlias

    Buffer: TypeAlias = bytearray | memoryview

REQUEST_BYTES = const(13)

# Request flags (ISO/IEC 15693-3, 7.3.1). One sub-carrier is the default of every request.
_HIGH_RATE = const(0x02)
_INVENTORY = const(0x04)
_AFI = const(0x10)  # with _INVENTORY: an AFI follows the command
_ONE_SLOT = const(0x20)  # with _INVENTORY
_ADDRESSED = const(0x20)  # without _INVENTORY: a UID follows the command

# Commands (ISO/IEC 15693-3, 10.2)
_CMD_INVENTORY = const(0x01)
_CMD_STAY_QUIET = const(0x02)
_CMD_READ_MULTIPLE = const(0x23)
_CMD_RESET_TO_READY = const(0x26)
_CMD_SYSTEM_INFORMATION = const(0x2B)

# ICODE SLIX2 (SL2S2602 data sheet): UID bits 37 and 36 tell the type; custom commands carry the manufacturer's code.
_NXP = const(0x04)
_ICODE = const(0x01)
_TYPE_MASK = const(0x18)
_TYPE_SLIX2 = const(0x08)
_CMD_INVENTORY_READ = const(0xA0)
_EXTENDED = const(0x80)  # with the mask length: an options byte follows it
_NO_DATA = const(0x10)
_GO_QUIET = const(0x20)
PRESENCE_BYTES = const(1)  # of the answers to `presence` and `reset_to_ready`: flags


def inventory(buf: "Buffer", afi: int, single: bool, bits: int, mask: "bytes | Buffer") -> int:
    """Inventory of tags whose UID begins with ``bits`` (0..64; 0..60 with 16 slots) bits of ``mask``.

    ``afi`` 0 asks every application family. ``single``: one slot, else 16. Mask bits above ``bits`` are sent as 0.
    """
    flags = _HIGH_RATE | _INVENTORY
    if single:
        flags |= _ONE_SLOT
    at = 2
    if afi:
        flags |= _AFI
        buf[2] = afi
        at = 3
    buf[0] = flags
    buf[1] = _CMD_INVENTORY
    buf[at] = bits
    at += 1
    whole = bits >> 3
    for i in range(whole):
        buf[at + i] = mask[i]
    at += whole
    rest = bits & 7
    if rest:
        buf[at] = mask[whole] & ((1 << rest) - 1)
        at += 1
    return at


def _addressed(buf: "Buffer", command: int, uid: "bytes | Buffer") -> int:
    buf[0] = _HIGH_RATE | _ADDRESSED
    buf[1] = command
    for i in range(8):
        buf[2 + i] = uid[i]
    return 10


def stay_quiet(buf: "Buffer", uid: "bytes | Buffer") -> int:
    """Send the tag to Quiet: it takes part in no inventory until the field goes off. Tags never answer this."""
    return _addressed(buf, _CMD_STAY_QUIET, uid)


def read_multiple(buf: "Buffer", uid: "bytes | Buffer", first: int, count: int) -> int:
    """Read ``count`` (1..256) blocks from ``first`` on, without their security status."""
    at = _addressed(buf, _CMD_READ_MULTIPLE, uid)
    buf[at] = first
    buf[at + 1] = count - 1
    return at + 2


def system_information(buf: "Buffer", uid: "bytes | Buffer") -> int:
    """Ask for DSFID, AFI, memory size and IC reference; the answer is parsed by its information flags."""
    return _addressed(buf, _CMD_SYSTEM_INFORMATION, uid)


def reset_to_ready(buf: "Buffer", uid: "bytes | Buffer") -> int:
    """Send the tag to Ready, whatever state it is in; it answers with its flags."""
    return _addressed(buf, _CMD_RESET_TO_READY, uid)


def is_slix2(uid: "bytes | Buffer") -> bool:
    """Whether the UID is that of an ICODE SLIX2, which knows the extended inventory read."""
    return uid[6] == _NXP and uid[5] == _ICODE and uid[4] & _TYPE_MASK == _TYPE_SLIX2


def presence(buf: "Buffer", uid: "bytes | Buffer", whole: bool) -> int:
    """Extended inventory read in one slot, masked by the tag's UID: it answers with its flags and goes to Quiet.

    (SL2S2602 data sheet, INVENTORY READ in extended mode, options: no data, QUIET.) Unless ``whole``, the mask leaves
    out the two highest bytes, the class and the manufacturer: tags of another one do not know the command, whose third
    byte is the manufacturer's code (ISO/IEC 15693-3, custom commands).
    """
    count = 8 if whole else 6
    buf[0] = _HIGH_RATE | _INVENTORY | _ONE_SLOT
    buf[1] = _CMD_INVENTORY_READ
    buf[2] = _NXP
    buf[3] = _EXTENDED | 8 * count
    buf[4] = _NO_DATA | _GO_QUIET
    for i in range(count):
        buf[5 + i] = uid[i]
    return 5 + count
