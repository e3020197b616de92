"""Start-up of a PN5180 in steps that never wait: reset, identification, ISO 15693 configuration, read-back.

Entry point: `BringUp`. ``start()``, then ``step()`` until it returns -1; each other value is the number of
microseconds to let pass. The chip's EEPROM is only read.
"""

from iso15693.reader import ReaderFault

from .registers import (
    EEPROM_FIRMWARE_VERSION,
    EEPROM_TEST_BUS,
    IRQ0_IDLE,
    IRQ2_GENERAL_ERROR,
    IRQ_ALL,
    IRQ_CLEAR,
    IRQ_ENABLE,
    IRQ_ENABLE_FIXED,
    IRQ_STATUS,
    LOAD_RF_CONFIG,
    READ_EEPROM,
    READ_REGISTER,
    READ_REGISTER_MULTIPLE,
    RF_CONFIG_RX_ISO15693,
    RF_CONFIG_TX_ISO15693,
    TEST_BUS_ENABLE,
    TIMER0_RELOAD,
    TIMER1_RELOAD,
    TRANSCEIVE0_INITIATOR,
    TRANSCEIVE_CONTROL,
    TX0_START_SYMBOL,
    TX1_DATA_ENABLE,
    TX_CONFIG,
    WRITE,
    write_registers,
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
    """Start-up of the chip behind ``transport``; its timers shall count down from ``reload0`` and ``reload1``."""

    def __init__(self, transport: "Transport", reset: "OutputLine", reload0: int, reload1: int) -> None:
        self._transport = transport
        self._reset = reset
        self._state = _DONE
        self._polls = 0
        self._kept = (IRQ_ENABLE_FIXED, reload0, reload1)  # of IRQ_ENABLE and both timers
        self._word = bytearray(4)
        self._identity = bytearray(EEPROM_TEST_BUS + 1 - EEPROM_FIRMWARE_VERSION)
        self._words = bytearray(20)
        self._get_irq = bytearray((READ_REGISTER, IRQ_STATUS))
        self._get_version = bytearray((READ_EEPROM, EEPROM_FIRMWARE_VERSION, len(self._identity)))
        self._load = bytearray((LOAD_RF_CONFIG, RF_CONFIG_TX_ISO15693, RF_CONFIG_RX_ISO15693))
        self._clear = write_registers(((IRQ_CLEAR, WRITE, IRQ_ALL),))
        self._set_up = write_registers(
            ((IRQ_ENABLE, WRITE, 0), (TIMER0_RELOAD, WRITE, reload0), (TIMER1_RELOAD, WRITE, reload1))
        )
        self._get_set_up = bytearray(
            (READ_REGISTER_MULTIPLE, IRQ_ENABLE, TIMER0_RELOAD, TIMER1_RELOAD, TX_CONFIG, TRANSCEIVE_CONTROL)
        )
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
            self._transport.post(self._clear)
            self._transport.post(self._load)
            self._transport.post(self._set_up)
            self._state = _READ_BACK
            return 0
        if self._state == _READ_BACK:
            self._read_back()
            self._state = _DONE
        return -1

    def _await_boot(self) -> int:
        """Read IRQ_STATUS until IDLE_IRQ shows; a chip that never shows it is told from one that is not there."""
        transport = self._transport
        self._polls += 1
        last = self._polls == _BOOT_POLLS
        if transport.busy() and not last:
            return _BOOT_POLL_US
        transport.post(self._get_irq)
        transport.fetch(self._word)
        booted = self._word[0] & IRQ0_IDLE
        if not booted and not last:
            return _BOOT_POLL_US
        transport.post(self._get_version)
        identity = self._identity
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
        transport = self._transport
        transport.post(self._get_irq)
        transport.fetch(self._word)
        if self._word[2] & IRQ2_GENERAL_ERROR:
            raise ReaderFault("refused")
        words = self._words
        transport.post(self._get_set_up)
        transport.fetch(words)
        for i in range(12):
            if words[i] != (self._kept[i >> 2] >> (8 * (i & 3))) & 0xFF:
                raise ReaderFault("config")
        if not words[12] & TX0_START_SYMBOL or not words[13] & TX1_DATA_ENABLE or not words[16] & TRANSCEIVE0_INITIATOR:
            raise ReaderFault("config")
        self.tx_config = words[12] | words[13] << 8 | words[14] << 16 | words[15] << 24
