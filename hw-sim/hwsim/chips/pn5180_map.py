"""PN5180: numbers of the data sheet (registers, bits, EEPROM) and the times of the model.

Entry points: the constants; :class:`Pn5180Timing`, the one block of times a test or the cost model may replace;
:data:`REGISTERS`; :data:`RF_CONFIGURATIONS`; :func:`factory_eeprom`.
"""

from __future__ import annotations

from dataclasses import dataclass

# Registers (data sheet chapter on registers; 32 bits, little endian on the bus).
SYSTEM_CONFIG = 0x00
IRQ_ENABLE = 0x01
IRQ_STATUS = 0x02
IRQ_CLEAR = 0x03
TRANSCEIVE_CONTROL = 0x04
PADCONFIG = 0x05
PADOUT = 0x07
TIMER0_STATUS = 0x08
TIMER0_RELOAD = 0x0B
TIMER0_CONFIG = 0x0E
RX_WAIT_CONFIG = 0x11
CRC_RX_CONFIG = 0x12
RX_STATUS = 0x13
TX_WAIT_CONFIG = 0x17
TX_CONFIG = 0x18
CRC_TX_CONFIG = 0x19
SIGPRO_RM_CONFIG = 0x1C
RF_STATUS = 0x1D
AGC_CONFIG = 0x1E
RF_CONTROL_TX = 0x20
SYSTEM_STATUS = 0x24
TEMP_CONTROL = 0x25
AGC_REF_CONFIG = 0x26
FELICA_EMD_CONTROL = 0x43

#: Every register that exists, with its reset value. 0x43 exists from firmware 4.1 on.
REGISTERS = dict.fromkeys((*range(0x06), *range(0x07, 0x2A), 0x36, 0x39, FELICA_EMD_CONTROL), 0)
REGISTERS[SYSTEM_CONFIG] = 0x1
REGISTERS[IRQ_ENABLE] = 0x000E0000
REGISTERS[AGC_CONFIG] = 0x0000A003
REGISTERS[SIGPRO_RM_CONFIG] = 1 << 19 | 1 << 18
REGISTER_SPACE = 0x80
READ_ONLY = (IRQ_STATUS, TIMER0_STATUS, TIMER0_STATUS + 1, TIMER0_STATUS + 2, RX_STATUS, RF_STATUS, SYSTEM_STATUS)
KEPT_IN_STANDBY = (PADCONFIG, PADOUT, TEMP_CONTROL)

# SYSTEM_CONFIG.
COMMAND_MASK = 0x7
COMMAND_IDLE = 0
COMMAND_AFTER_RESET = 1
COMMAND_TRANSCEIVE = 3
COMMAND_KEEP = 4
START_SEND = 1 << 3
MFC_CRYPTO_ON = 1 << 6
SOFT_RESET = 1 << 8
SYSTEM_CONFIG_READ_ONLY = 1 << 10

# IRQ bits.
IRQ_RX = 1 << 0
IRQ_TX = 1 << 1
IRQ_IDLE = 1 << 2
IRQ_STATE_CHANGE = 1 << 5
IRQ_EXTERNAL_OFF = 1 << 6
IRQ_EXTERNAL_ON = 1 << 7
IRQ_RF_OFF = 1 << 8
IRQ_RF_ON = 1 << 9
IRQ_RF_ACTIVE_ERROR = 1 << 10
IRQ_TIMER0 = 1 << 11
IRQ_SOF = 1 << 14
IRQ_SUBCARRIER = 1 << 15
IRQ_GENERAL_ERROR = 1 << 17
IRQ_HV_ERROR = 1 << 18
IRQ_ALL = 0x000FFFFF
IRQ_ENABLE_FIXED = 0x000E0000

# SYSTEM_STATUS.
BOOT_POR = 1 << 0
BOOT_EXTERNAL_FIELD = 1 << 1
BOOT_WAKE_COUNTER = 1 << 2
BOOT_SOFT_RESET = 1 << 3
STANDBY_PREVENTED = 1 << 5
SEMANTIC_ERROR = 1 << 6
SYNTAX_ERROR = 1 << 7
PARAMETER_ERROR = 1 << 8
HOST_ERRORS = SEMANTIC_ERROR | SYNTAX_ERROR | PARAMETER_ERROR

# TIMERx_RELOAD.
TIMER_RELOAD_MASK = 0x000FFFFF

# TRANSCEIVE_CONTROL.
INITIATOR = 1 << 0
RX_MULTIPLE = 1 << 1
TX_FRAMESTEP = 1 << 2
TX_SKIP_SEND = 1 << 3
STATE_TRIGGER_SHIFT = 4

# TX_CONFIG.
TX_FIRST_BITS = 0x7
TX_LAST_BITS_SHIFT = 3
TX_LAST_BITS = 0x7 << TX_LAST_BITS_SHIFT
START_SYMBOL = 0x3 << 6
STOP_SYMBOL = 0x3 << 8
DATA_ENABLE = 1 << 10
TX_PARITY = 1 << 11

# CRC_TX_CONFIG and CRC_RX_CONFIG.
CRC_ENABLE = 1 << 0
CRC_INVERTED = 1 << 1
CRC_5_BITS = 1 << 2
CRC_PRESET_SHIFT = 3
CRC_PRESETS = (0x0000, 0x6363, 0xA671, 0xFFFF, 0x0012, 0xE012)
CRC_PRESET_ARBITRARY = 7
TX_CRC_START_AT_BYTE_2 = 1 << 6
RX_BIT_ALIGN = 0x7 << 6
RX_KEEP_AFTER_COLLISION = 1 << 9
RX_PARITY = 1 << 10

# RX_STATUS.
RX_LAST_BITS_SHIFT = 13
RX_DATA_INTEGRITY_ERROR = 1 << 16
RX_PROTOCOL_ERROR = 1 << 17
RX_COLLISION = 1 << 18
RX_COLLISION_POSITION_SHIFT = 19
RX_ERRORS = 0x03FF0000

COLLISIONS_OFF = 0x3 << 5  # SIGPRO_RM_CONFIG, COLL_LEVEL 11

# RF_STATUS.
TRANSCEIVE_STATE_SHIFT = 24
RF_CRC_OK = 1 << 18
RF_OWN_FIELD = 1 << 17
RF_EXTERNAL_FIELD = 1 << 16
RF_ACTIVE_CAUSE_SHIFT = 13
RF_RX_ENABLE = 1 << 12
RF_TX_ACTIVE = 1 << 11
RF_RX_ACTIVE = 1 << 10

# Transceiver states.
IDLE = 0
WAIT_TRANSMIT = 1
TRANSMITTING = 2
WAIT_RECEIVE = 3
WAIT_FOR_DATA = 4
RECEIVING = 5

# EEPROM.
EEPROM_SIZE = 0xFF
EEPROM_FIRMWARE = 0x12
EEPROM_IDLE_IRQ_AFTER_BOOT = 0x16
EEPROM_TESTBUS = 0x17
EEPROM_IRQ_PIN = 0x1A
IRQ_PIN_AUTO_CLEAR = 0x02
EEPROM_IDENTITY = range(0x16)
EEPROM_DO_NOT_TOUCH = range(0x2C, 0x30)

TX_BUFFER = 260
RX_BUFFER = 508

# RF configurations whose content is known; the register values are the model's own choice within the data sheet's
# bit fields (unverified), except that TX_CONFIG carries both symbols and data, INITIATOR is 1, and the CRC is that of
# ISO/IEC 15693.
TX_15693_DEEP = 0x0D
TX_15693_SHALLOW = 0x0E
RX_15693 = 0x8D
RX_15693_FAST = 0x8E
KEEP_CONFIGURATION = 0xFF
TX_CONFIGURATIONS = range(0x1D)
RX_CONFIGURATIONS = range(0x80, 0x9D)

_CRC_15693 = CRC_ENABLE | CRC_INVERTED | 3 << CRC_PRESET_SHIFT
_TX_15693 = (
    (TRANSCEIVE_CONTROL, INITIATOR),
    (TX_WAIT_CONFIG, 0),
    (TX_CONFIG, DATA_ENABLE | 1 << 8 | 1 << 6),
    (CRC_TX_CONFIG, _CRC_15693),
)
_RX_15693 = (
    (RX_WAIT_CONFIG, 0x18 << 8 | 0x7F),  # 227 us, below t1
    (CRC_RX_CONFIG, _CRC_15693),
    (SIGPRO_RM_CONFIG, 1 << 19 | 1 << 18 | 4 << 12 | 4 << 8 | 1 << 5),
)
RF_CONFIGURATIONS = {
    TX_15693_DEEP: (*_TX_15693, (RF_CONTROL_TX, 0x1F << 13)),
    TX_15693_SHALLOW: (*_TX_15693, (RF_CONTROL_TX, 0x06 << 13)),
    RX_15693: _RX_15693,
    RX_15693_FAST: _RX_15693,
}


@dataclass(frozen=True, slots=True)
class Pn5180Timing:
    """Times of the model in nanoseconds.

    The data sheet gives ``boot``, ``reset_low`` and the field check (302 us) inside ``rf_on``; everything else is
    unverified: plausible values, of the magnitude that public drivers live with.
    """

    boot: int = 2_500_000  # RESET_N high -> IDLE_IRQ, typical
    reset_low: int = 10_000  # shortest RESET_N pulse
    register: int = 20_000  # BUSY after a register access ("some tens of us")
    per_entry: int = 1_000  # each further entry of a MULTIPLE access
    data: int = 20_000  # BUSY after WRITE_TX_DATA, SEND_DATA, READ_DATA
    answer: int = 5_000  # BUSY after the answer frame
    eeprom_read: int = 50_000
    eeprom_write: int = 3_000_000  # "some ms"
    load_rf_config: int = 500_000  # "< 1 ms"
    rf_on: int = 500_000  # with collision avoidance: field check 302 us, then the field
    rf_on_unchecked: int = 200_000  # without
    rf_off: int = 100_000
    switch_mode: int = 100_000
    subcarrier_pulses: int = 18_879  # subcarrier seen -> RX_SC_DET: 8 pulses


def factory_eeprom(firmware: tuple[int, int] = (4, 0), die: bytes = b"\x50\x18" + bytes(14)) -> bytearray:
    """EEPROM of a fresh chip: identity, version, IDLE_IRQ on; cells without a documented default hold 00."""
    eeprom = bytearray(EEPROM_SIZE)
    eeprom[0x00:0x10] = die.ljust(16, b"\0")[:16]
    major, minor = firmware
    eeprom[0x10:0x16] = bytes((minor, major, minor, major, minor, major))
    eeprom[EEPROM_IDLE_IRQ_AFTER_BOOT] = 1
    eeprom[EEPROM_IRQ_PIN] = 1
    eeprom[0x30] = 3  # CLOCK_CONFIG: crystal
    return eeprom
