"""Start-up of a PN5180 in steps that never wait: reset, identification, ISO 15693 configuration, read-back.

Entry point: `BringUp`. ``start()``, then ``step()`` until it returns -1; each other value is the number of
microseconds to let pass. The chip's EEPROM is only read.
"""

from iso15693.reader import ReaderFault

from .registers import (
    CRC0_ENABLE,
    EEPROM_FIRMWARE_VERSION,
    EEPROM_TEST_BUS,
    IRQ0_IDLE,
    IRQ2_GENERAL_ERROR,
    TEST_BUS_ENABLE,
    TRANSCEIVE0_INITIATOR,
    TX0_START_SYMBOL,
    TX1_DATA_ENABLE,
)
from .transport import RISE_READS

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
    from .frames import Frames
    from .interfaces import OutputLine
    from .transport import Transport

# Firmware versions that this driver's register use is known to fit: major << 8 | minor, 3.4 to 3.10 ("3.A"), 4.0, 4.1.
VERSIONS = (0x0304, 0x0305, 0x0306, 0x0307, 0x0308, 0x0309, 0x030A, 0x0400, 0x0401)

_RESET_US = const(50)  # RESET_N low, at least 10 us
_BOOT_US = const(3_000)  # RESET_N high to IDLE_IRQ: 2.5 ms typical, depends on XTAL_BOOT_TIME
_BOOT_POLL_US = const(500)
_BOOT_POLLS = const(40)

_RESET = const(0)
_RELEASE = const(1)
_BOOT = const(2)
_CONFIGURE = const(3)
_READ_BACK = const(4)
_DONE = const(5)


class BringUp:
    """Start-up of the chip behind ``transport``, by ``frames`` of all chips."""

    def __init__(self, transport: "Transport", reset: "OutputLine", frames: "Frames") -> None:
        self._transport = transport
        self._reset = reset
        self._frames = frames
        self._state = _DONE
        self._polls = 0
        self.version = 0  # major << 8 | minor
        self.tx_config = 0  # TX_CONFIG as the chip's own ISO 15693 configuration sets it

    def start(self) -> None:
        """Prepare; the chip is reset by the first ``step()``."""
        self._state = _RESET

    def step(self) -> int:
        """Go on; returns microseconds to wait, or -1 when the chip is ready for use.

        Raises:
            ReaderFault: ``absent``, ``stuck``, ``version``, ``boot``, ``busy``, ``refused`` or ``config``.
        """
        if self._state == _RESET:
            self._transport.release()
            self._transport.rise_reads = RISE_READS
            self._reset.value(0)
            self._state = _RELEASE
            return _RESET_US
        if self._state == _RELEASE:
            self._reset.value(1)
            self._polls = 0
            self._state = _BOOT
            return _BOOT_US
        if self._state == _BOOT:
            return self._await_boot()
        if self._state == _CONFIGURE:
            self._transport.post(self._frames.clear)
            self._transport.post(self._frames.load)
            self._transport.post(self._frames.set_up)
            self._state = _READ_BACK
            return 0
        if self._state == _READ_BACK:
            self._read_back()
            self._state = _DONE
        return -1

    def _await_boot(self) -> int:
        """Read IRQ_STATUS until IDLE_IRQ shows; a chip that never shows it is told from one that is not there."""
        transport, frames = self._transport, self._frames
        self._polls += 1
        last = self._polls == _BOOT_POLLS
        if transport.busy() and not last:
            return _BOOT_POLL_US
        transport.post(frames.get_irq)
        transport.fetch(frames.word)
        booted = frames.word[0] & IRQ0_IDLE
        if not booted and not last:
            return _BOOT_POLL_US
        transport.post(frames.get_version)
        identity = frames.eeprom
        transport.fetch(identity)
        version = identity[1] << 8 | identity[0]
        if version == 0xFFFF:
            raise ReaderFault("absent")
        if not version:
            raise ReaderFault("stuck")
        if version not in VERSIONS:
            raise ReaderFault("version")
        if not booted:
            raise ReaderFault("boot")
        self.version = version
        if not identity[EEPROM_TEST_BUS - EEPROM_FIRMWARE_VERSION] & TEST_BUS_ENABLE:
            transport.rise_reads = 0
        self._state = _CONFIGURE
        return 0

    def _read_back(self) -> None:
        transport, frames = self._transport, self._frames
        transport.post(frames.get_irq)
        transport.fetch(frames.word)
        if frames.word[2] & IRQ2_GENERAL_ERROR:
            raise ReaderFault("refused")
        if frames.word[0] & IRQ0_IDLE:  # cleared above: a chip that clears none shows answers that never came
            raise ReaderFault("config")
        words = frames.words
        transport.post(frames.get_set_up)
        transport.fetch(words)
        for i in range(16):
            if words[i] != (frames.set_up_words[i >> 2] >> (8 * (i & 3))) & 0xFF:
                raise ReaderFault("config")
        if not words[16] & TX0_START_SYMBOL or not words[17] & TX1_DATA_ENABLE or not words[20] & TRANSCEIVE0_INITIATOR:
            raise ReaderFault("config")
        # Without a CRC no tag hears a request, and every antenna would be empty.
        if not words[24] & words[28] & CRC0_ENABLE:
            raise ReaderFault("config")
        self.tx_config = words[16] | words[17] << 8 | words[18] << 16 | words[19] << 24
