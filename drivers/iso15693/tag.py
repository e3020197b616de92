"""One tag at a time, command by command: to write a tag, examine it, protect it.

Entry points: `Tag` (any tag of ISO/IEC 15693), `Icode` (an ICODE SLIX2), `SystemInformation`, `TagError`. For
workshops and tests of tags: these methods wait for the answer themselves, each with a bound. A table in play, which has
other things to do meanwhile, does not load this module.

The field is on. Nothing is written but to the tag with this UID, and everything written is read back.
"""

import time

from . import icode
from .reader import ANSWER, COLLISION, CRC, FAULT, PENDING, T2_US, ReaderFault, answer_us
from .requests import read_multiple, reset_to_ready, stay_quiet, system_information

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
    from .interfaces import Buffer, Reader

TRIES = const(4)  # of a request that may be repeated
BLOCK_BYTES = const(4)

_REQUEST_BYTES = const(16)
_MOST_BLOCKS = const(64)  # in one answer
_MOST_WRITTEN = const(61)  # in one request: what the transmit buffer of a PN5180 holds
_WRITE_US = const(25_000)  # an answer to a write may come 20 ms after the request (ISO/IEC 15693-3)
_GRID_US = const(302)  # ... on a grid of 4096 carrier cycles
_GRACE_US = const(1_500)
_MOST_POLLS = const(2_000)
_ERROR_FLAG = const(0x01)
_HIGH_RATE = const(0x02)
_ADDRESSED = const(0x20)
_CMD_WRITE_SINGLE = const(0x21)
_CMD_WRITE_MULTIPLE = const(0x24)
_CMD_SELECT = const(0x25)
_INFO_DSFID = const(0x01)
_INFO_AFI = const(0x02)
_INFO_MEMORY = const(0x04)
_INFO_REFERENCE = const(0x08)
_SIGNATURE_BYTES = const(32)
_EAS_BYTES = const(32)


class TagError(Exception):
    """The tag did not do it.

    ``code``: ``silent`` (no answer), ``damaged`` (none that could be used), ``refused`` (``error`` is the tag's code,
    ISO/IEC 15693-3, table 7), ``verify`` (what is read back is not what was written), ``length`` (an answer of another
    length).
    """

    def __init__(self, code: str, error: int = 0) -> None:
        super().__init__(code)
        self.code = code
        self.error = error


class SystemInformation:
    """What a tag tells of itself; -1 where it does not: ``dsfid afi blocks block_bytes reference``."""

    def __init__(self, answer: bytes) -> None:
        """``answer``: from the information flags on. TagError ``length``: it ends before its flags say so."""
        flags = answer[0] if answer else 0
        fields = [-1, -1, -1, -1, -1]
        at = 9
        for bit, into, size in ((_INFO_DSFID, 0, 1), (_INFO_AFI, 1, 1), (_INFO_MEMORY, 2, 2), (_INFO_REFERENCE, 4, 1)):
            if flags & bit:
                if len(answer) < at + size:
                    raise TagError("length")
                fields[into] = answer[at]
                if size == 2:
                    fields[2] = answer[at] + 1
                    fields[3] = (answer[at + 1] & 0x1F) + 1
                at += size
        if len(answer) != at:
            raise TagError("length")
        self.dsfid, self.afi, self.blocks, self.block_bytes, self.reference = fields


class Tag:
    """The tag ``uid`` (8 bytes, least significant first) in the field of ``reader``."""

    def __init__(self, reader: "Reader", uid: "bytes | Buffer") -> None:
        self.uid = bytes(uid)
        self._reader = reader
        self._request = bytearray(_REQUEST_BYTES)

    def read(self, first: int, count: int) -> bytes:
        """Read ``count`` (1 to 64) blocks of 4 bytes. ValueError, TagError, ReaderFault."""
        if not 1 <= count <= _MOST_BLOCKS:
            raise ValueError("1 to 64 blocks")
        data = self._ask(read_multiple(self._request, self.uid, first, count), count * BLOCK_BYTES)
        if len(data) != count * BLOCK_BYTES:
            raise TagError("length")
        return data

    def write(self, first: int, data: "bytes | Buffer") -> None:
        """Write whole blocks of 4 bytes from ``first`` on, one after the other, and read each back.

        Every tag can do that. ValueError, TagError, ReaderFault; what was written before stays.
        """
        for number in range(_whole_blocks(data)):
            block = bytes(data[number * BLOCK_BYTES : (number + 1) * BLOCK_BYTES])
            self._start(_CMD_WRITE_SINGLE)
            self._request[10] = first + number
            self._request[11:15] = block
            self._write(15, first + number, block)

    def write_multiple(self, first: int, data: "bytes | Buffer") -> None:
        """Write 1 to 61 whole blocks of 4 bytes from ``first`` on with one command, and read them back.

        For tags that have this command, which the SLIX2 has not (TagError ``refused``), and for readers that take a
        request so long (`pn5180.fast`; another: ReaderFault ``length``). ValueError, TagError, ReaderFault.
        """
        count = _whole_blocks(data)
        if count > _MOST_WRITTEN:
            raise ValueError("1 to 61 blocks")
        length = 12 + len(data)
        if length > len(self._request):
            self._request = bytearray(length)
        self._start(_CMD_WRITE_MULTIPLE)
        self._request[10] = first
        self._request[11] = count - 1
        self._request[12:length] = bytes(data)
        self._write(length, first, bytes(data))

    def system_information(self) -> SystemInformation:
        """Ask what it is. TagError, ReaderFault."""
        return SystemInformation(self._ask(system_information(self._request, self.uid), 14))

    def select(self) -> None:
        """Send it to Selected, and any other that is there to Ready. TagError, ReaderFault."""
        self._start(_CMD_SELECT)
        self._ask(10, 0)

    def reset_to_ready(self) -> None:
        """Send it to Ready, whatever state it is in. TagError, ReaderFault."""
        self._ask(reset_to_ready(self._request, self.uid), 0)

    def stay_quiet(self) -> None:
        """Send it to Quiet until the field goes off: it takes part in no inventory. It never answers this."""
        self._say(stay_quiet(self._request, self.uid))

    def _write(self, length: int, first: int, data: bytes) -> None:
        """Send ``length`` bytes of the request, and see whether ``data`` lies in the blocks from ``first`` on."""
        try:
            self._ask(length, 0, True)
        except TagError as error:
            if error.code == "refused":
                raise
            # Its answer was lost, perhaps, and not the write: what is there decides.
        if self.read(first, len(data) // BLOCK_BYTES) != data:
            raise TagError("verify")

    # --- one request --------------------------------------------------------------------------------------------------

    def _start(self, command: int) -> None:
        """Begin an addressed request of ten bytes."""
        self._request[0] = _HIGH_RATE | _ADDRESSED
        self._request[1] = command
        self._request[2:10] = self.uid

    def _say(self, count: int) -> None:
        """Send a request that is never answered."""
        self._exchange(count, 1, False, False)

    def _ask(self, count: int, data: int, slow: bool = False, tries: int = TRIES) -> bytes:
        """Send the first ``count`` bytes of the request; the answer without its flags, ``data`` bytes probably.

        ``slow``: a write, whose answer may take 20 ms.
        """
        result = 0
        for attempt in range(tries):
            result = self._exchange(count, 1 + data, slow, attempt > 0)
            if result == ANSWER:
                answer = bytearray(self._reader.length)
                self._reader.read(answer)
                if answer[0] & _ERROR_FLAG:
                    raise TagError("refused", answer[1] if len(answer) > 1 else 0)
                return bytes(answer[1:])
        raise TagError("damaged" if result in (CRC, COLLISION) else "silent")

    def _exchange(self, count: int, answer: int, slow: bool, again: bool) -> int:
        """One request and what came of it."""
        reader = self._reader
        time.sleep_us(reader.quiet_in() if again else reader.ready_in())
        time.sleep_us(reader.begin(self._request, count, answer, 0))
        limit = time.ticks_add(time.ticks_us(), (_WRITE_US if slow else 0) + answer_us(answer) + _GRACE_US)
        result: int = PENDING
        for _ in range(_MOST_POLLS):
            result = reader.poll()
            if result == FAULT and not slow:
                raise ReaderFault(reader.fault)
            if result in (ANSWER, COLLISION, CRC):
                break
            late = time.ticks_diff(time.ticks_us(), limit) >= 0
            if late or (result != PENDING and not slow):
                break
            time.sleep_us(min(reader.wait_us, _GRID_US) if result == PENDING else _GRID_US)
        if slow:
            time.sleep_us(T2_US)  # the reader did not expect the answer so late
        return result


def _whole_blocks(data: "bytes | Buffer") -> int:
    """How many blocks of 4 bytes these are; ValueError when it is not a whole number of them."""
    if not data or len(data) % BLOCK_BYTES:
        raise ValueError("whole blocks of 4 bytes")
    return len(data) // BLOCK_BYTES


class Icode(Tag):
    """An ICODE SLIX2. Passwords are numbers of 32 bits; ids are `icode.PASSWORD_READ` and the like.

    Each method raises TagError and ReaderFault. A wrong password leaves the tag deaf until the field goes off.
    """

    def random_number(self) -> bytes:
        """Two bytes over which the next password is laid."""
        return self._sized(self._custom(icode.RANDOM_NUMBER, data=2), 2)

    def set_password(self, number: int, password: int) -> None:
        """Prove the password ``number``; it counts until the field goes off."""
        scrambled = icode.scrambled(password, self.random_number())
        self._custom(icode.SET_PASSWORD, bytes((number,)) + scrambled, slow=number == icode.PASSWORD_PRIVACY, tries=1)

    def write_password(self, number: int, password: int) -> None:
        """Give the password ``number`` a new value, once the old one has been proved. It travels in the clear."""
        plain = bytes([password >> 8 * i & 0xFF for i in range(4)])
        self._custom(icode.WRITE_PASSWORD, bytes((number,)) + plain, slow=True)

    def lock_password(self, number: int) -> None:
        """Keep the password ``number`` for good."""
        self._custom(icode.LOCK_PASSWORD, bytes((number,)), slow=True)

    def protect_page(self, pointer: int, status: int) -> None:
        """Protect blocks below ``pointer`` (0 to 78) by bits 0 and 1 of ``status`` (read, write), others by 4 and 5."""
        self._custom(icode.PROTECT_PAGE, bytes((pointer, status)), slow=True)

    def lock_page(self, pointer: int) -> None:
        """Keep the protection whose pointer this is for good."""
        self._custom(icode.LOCK_PAGE, bytes((pointer,)), slow=True)

    def passwords_of_64_bits(self) -> None:
        """From now on protected pages need both passwords, for good."""
        self._custom(icode.PASSWORDS_OF_64_BITS, slow=True)

    def destroy(self, password: int) -> None:
        """Silence the tag for ever."""
        self._custom(icode.DESTROY, icode.scrambled(password, self.random_number()), slow=True, tries=1)

    def enable_privacy(self, password: int) -> None:
        """Let the tag answer nothing but a random number and the proof of its privacy password."""
        self._custom(icode.ENABLE_PRIVACY, icode.scrambled(password, self.random_number()), slow=True, tries=1)

    def set_eas(self, on: bool) -> None:
        """Switch the article surveillance on or off."""
        self._custom(icode.SET_EAS if on else icode.RESET_EAS, slow=True)

    def lock_eas(self) -> None:
        """Keep its state, and its id, for good."""
        self._custom(icode.LOCK_EAS, slow=True)

    def protect_eas(self, afi: bool = False) -> None:
        """Let the article surveillance (``afi``: the AFI) be changed with its password alone, for good."""
        self._custom(icode.PROTECT_EAS, slow=True, option=afi)

    def write_eas_id(self, number: int) -> None:
        """Write the 16 bits by which a group of tags can be asked."""
        self._custom(icode.WRITE_EAS_ID, bytes((number & 0xFF, number >> 8)), slow=True)

    def eas_alarm(self) -> bytes:
        """The 32 bytes of the alarm; TagError ``silent`` while it is off."""
        return self._sized(self._custom(icode.EAS_ALARM, data=_EAS_BYTES), _EAS_BYTES)

    def eas_id(self) -> int:
        """The id; TagError ``silent`` while the alarm is off."""
        answer = self._sized(self._custom(icode.EAS_ALARM, b"\0", data=2, option=True), 2)
        return answer[0] | answer[1] << 8

    def nxp_system_information(self) -> bytes:
        """Page protection pointer and conditions, lock bits, and four bytes of features."""
        return self._sized(self._custom(icode.NXP_SYSTEM_INFORMATION, data=7), 7)

    def signature(self) -> bytes:
        """The 32 bytes by which its maker signed the UID; an emulator can have copied them."""
        return self._sized(self._custom(icode.READ_SIGNATURE, data=_SIGNATURE_BYTES), _SIGNATURE_BYTES)

    def stay_quiet_persistent(self) -> None:
        """Send it to Quiet for some seconds beyond the field's end too. It never answers this."""
        self._say(icode.custom(self._request, icode.STAY_QUIET_PERSISTENT, self.uid))

    def inventory_read(self, first: int, count: int, options: int = -1, fast: bool = False) -> bytes:
        """Read blocks by an inventory that this tag alone answers; ``options``: in extended mode.

        ``fast``: at 53 kbit/s, to which the reader must be set (`pn5180.fast`).
        """
        length = icode.inventory_read(self._request, first, count, 64, self.uid, fast=fast, options=options)
        return self._ask(length, 0 if options >= 0 and options & icode.NO_DATA else count * BLOCK_BYTES)

    def selected_read(self, first: int, count: int, fast: bool = False) -> bytes:
        """Read blocks of this tag after `select`, as real tags are known to answer the fast one."""
        return self._ask(icode.selected_read(self._request, first, count, fast), count * BLOCK_BYTES)

    def _custom(
        self,
        code: int,
        parameters: bytes = b"",
        data: int = 0,
        slow: bool = False,
        option: bool = False,
        tries: int = TRIES,
    ) -> bytes:
        return self._ask(icode.custom(self._request, code, self.uid, parameters, option), data, slow, tries)

    @staticmethod
    def _sized(answer: bytes, count: int) -> bytes:
        if len(answer) != count:
            raise TagError("length")
        return answer
