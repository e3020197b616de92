"""The custom commands of the ICODE SLIX2, built in place in a buffer of the caller's (NXP SL2S2602 data sheet).

Entry points: `custom` (a command to one tag), `inventory_read`, `selected_read`, `scrambled` (a password for the air),
the codes, `PASSWORD_*` and the options of the extended inventory read. Requests are addressed, UIDs and numbers travel
least significant byte first. `iso15693.tag.Icode` uses them; a table in play does not load this module.
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

# Custom commands; each is followed by the manufacturer's code.
INVENTORY_READ = const(0xA0)
FAST_INVENTORY_READ = const(0xA1)  # the answer comes at 53 kbit/s
SET_EAS = const(0xA2)
RESET_EAS = const(0xA3)
LOCK_EAS = const(0xA4)
EAS_ALARM = const(0xA5)
PROTECT_EAS = const(0xA6)  # with the option: the AFI; for good
WRITE_EAS_ID = const(0xA7)
NXP_SYSTEM_INFORMATION = const(0xAB)
RANDOM_NUMBER = const(0xB2)
SET_PASSWORD = const(0xB3)
WRITE_PASSWORD = const(0xB4)
LOCK_PASSWORD = const(0xB5)
PROTECT_PAGE = const(0xB6)
LOCK_PAGE = const(0xB7)
DESTROY = const(0xB9)
ENABLE_PRIVACY = const(0xBA)
PASSWORDS_OF_64_BITS = const(0xBB)
STAY_QUIET_PERSISTENT = const(0xBC)
READ_SIGNATURE = const(0xBD)

PASSWORD_READ = const(0x01)
PASSWORD_WRITE = const(0x02)
PASSWORD_PRIVACY = const(0x04)
PASSWORD_DESTROY = const(0x08)
PASSWORD_EAS_AFI = const(0x10)

# Options of the extended inventory read
ONLY_EAS = const(0x01)  # only tags whose EAS is on answer
WHOLE_UID = const(0x02)  # with the UID asked for: all of it, not what mask and slot leave open
NO_DATA = const(0x10)
GO_QUIET = const(0x20)  # after the answer
GO_PERSISTENT_QUIET = const(0x40)
ONLY_PERSISTENT_QUIET = const(0x60)  # tags in that state alone answer

_NXP = const(0x04)
_HIGH_RATE = const(0x02)
_INVENTORY = const(0x04)
_SELECTED = const(0x10)
_AFI = const(0x10)  # with _INVENTORY
_ONE_SLOT = const(0x20)  # with _INVENTORY
_ADDRESSED = const(0x20)
_OPTION = const(0x40)
_EXTENDED = const(0x80)  # with the mask length
_DEEPEST = const(60)  # bits of a mask, with 16 slots
_UID_BITS = const(64)


def custom(
    buf: "Buffer", code: int, uid: "bytes | Buffer", parameters: "bytes | Buffer" = b"", option: bool = False
) -> int:
    """Build the command ``code`` to the tag ``uid``; returns its length. ``option`` sets the option flag."""
    buf[0] = _HIGH_RATE | _ADDRESSED | (_OPTION if option else 0)
    buf[1] = code
    buf[2] = _NXP
    buf[3:11] = uid
    buf[11 : 11 + len(parameters)] = parameters
    return 11 + len(parameters)


def inventory_read(
    buf: "Buffer",
    first: int,
    count: int,
    bits: int = 0,
    mask: "bytes | Buffer" = b"",
    afi: int = 0,
    single: bool = True,
    with_uid: bool = False,
    fast: bool = False,
    options: int = -1,
) -> int:
    """Inventory whose answers hold ``count`` blocks from ``first`` on, and with ``with_uid`` the UID before them.

    ``bits``, ``mask``, ``afi`` and ``single`` are those of an inventory. ``options``: extended mode; -1: standard mode,
    in which the UID is what mask and slot leave open of it. Returns the length. ValueError: a mask that is too long, or
    no block asked for.
    """
    if not 0 <= bits <= (_UID_BITS if single else _DEEPEST):
        raise ValueError("the mask is too long")
    silent = options >= 0 and options & NO_DATA
    if not silent and not 1 <= count <= 256:
        raise ValueError("1 to 256 blocks")
    buf[0] = (
        _HIGH_RATE | _INVENTORY | (_ONE_SLOT if single else 0) | (_AFI if afi else 0) | (_OPTION if with_uid else 0)
    )
    buf[1] = FAST_INVENTORY_READ if fast else INVENTORY_READ
    buf[2] = _NXP
    at = 3
    if afi:
        buf[at] = afi
        at += 1
    buf[at] = bits
    at += 1
    if options >= 0:
        buf[at - 1] = bits | _EXTENDED
        buf[at] = options
        at += 1
    whole = (bits + 7) >> 3
    for i in range(whole):
        buf[at + i] = mask[i]
    if bits & 7:
        buf[at + whole - 1] = mask[whole - 1] & ((1 << (bits & 7)) - 1)
    at += whole
    if not silent:
        buf[at] = first
        buf[at + 1] = count - 1
        at += 2
    return at


def selected_read(buf: "Buffer", first: int, count: int, fast: bool) -> int:
    """Read ``count`` blocks of the tag that is selected, as an inventory read; returns the length.

    Real tags are reported to answer the fast one in this form only. ValueError: no block asked for.
    """
    if not 1 <= count <= 256:
        raise ValueError("1 to 256 blocks")
    buf[0] = _HIGH_RATE | _SELECTED
    buf[1] = FAST_INVENTORY_READ if fast else INVENTORY_READ
    buf[2] = _NXP
    buf[3] = 0
    buf[4] = first
    buf[5] = count - 1
    return 6


def scrambled(password: int, random: "bytes | Buffer") -> bytes:
    """Four bytes of a password for the air: its bytes, and over them the two of the tag's random number, twice."""
    return bytes([(password >> 8 * i & 0xFF) ^ random[i & 1] for i in range(4)])
