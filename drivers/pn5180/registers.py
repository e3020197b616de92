"""PN5180 commands, registers and bits (NXP PN5180A0xx/C3,C4 data sheet rev 4.0), and the frames made of them.

Entry points: the constants, and `write_registers` which builds a WRITE_REGISTER_MULTIPLE frame.
"""

try:
    from micropython import const
except ImportError:

    def const(value: int) -> int:
        """Stand in for MicroPython's compile-time constant."""
        return value


# Host commands: first byte of a frame
WRITE_REGISTER_MULTIPLE = const(0x03)  # up to 42 entries {register, action, value 4}
READ_REGISTER = const(0x04)
READ_REGISTER_MULTIPLE = const(0x05)  # up to 18 registers
READ_EEPROM = const(0x07)  # address, length
SEND_DATA = const(0x09)  # valid bits of the last byte (0: all), data
READ_DATA = const(0x0A)  # one dummy byte
LOAD_RF_CONFIG = const(0x11)  # transmitter, receiver
RF_ON = const(0x16)  # 0: with the check for another field
RF_OFF = const(0x17)  # one dummy byte

# Actions of WRITE_REGISTER_MULTIPLE
WRITE = const(1)
OR = const(2)
AND = const(3)

# Registers, 32 bits each, least significant byte first
SYSTEM_CONFIG = const(0x00)
IRQ_ENABLE = const(0x01)
IRQ_STATUS = const(0x02)
IRQ_CLEAR = const(0x03)
TRANSCEIVE_CONTROL = const(0x04)
TIMER2_STATUS = const(0x0A)
TIMER0_RELOAD = const(0x0B)
TIMER1_RELOAD = const(0x0C)
TIMER2_RELOAD = const(0x0D)
TIMER0_CONFIG = const(0x0E)
TIMER1_CONFIG = const(0x0F)
TIMER2_CONFIG = const(0x10)
CRC_RX_CONFIG = const(0x12)
RX_STATUS = const(0x13)
TX_CONFIG = const(0x18)
CRC_TX_CONFIG = const(0x19)

# SYSTEM_CONFIG: COMMAND, bits 2:0
COMMAND_IDLE_MASK = const(0xFFFFFFF8)  # AND: idle
COMMAND_TRANSCEIVE = const(0x00000003)  # OR, after idle: transceive

# IRQ_CLEAR and IRQ_STATUS
IRQ_ALL = const(0x000FFFFF)
# by byte of IRQ_STATUS as it is read
IRQ0_RX = const(0x01)  # bit 0: end of a reception, good or bad
IRQ0_IDLE = const(0x04)  # bit 2: start-up finished
IRQ1_TX_RFOFF = const(0x01)  # bit 8
IRQ1_TX_RFON = const(0x02)  # bit 9
IRQ1_RF_ACTIVE_ERROR = const(0x04)  # bit 10: the field stayed off, another one is present
IRQ1_TIMER0 = const(0x08)  # bit 11
IRQ1_TIMER1 = const(0x10)  # bit 12
IRQ1_RX_SOF = const(0x40)  # bit 14: the SOF of an answer is over
IRQ1_RX_SUBCARRIER = const(0x80)  # bit 15: an answer has begun
IRQ2_TEMPERATURE = const(0x01)  # bit 16: the chip has switched its field off
IRQ2_GENERAL_ERROR = const(0x02)  # bit 17: a command was refused
IRQ_ENABLE_FIXED = const(0x000E0000)  # IRQ_ENABLE reads so when nothing is enabled

# RX_STATUS by byte: 0 and bit 0 of 1: length; 1 bits 7:5: valid bits of the last byte; 2 bits 2:0: errors;
# bits 25:19: position of the collision
RX2_CRC = const(0x01)  # bit 16
RX2_PROTOCOL = const(0x02)  # bit 17
RX2_COLLISION = const(0x04)  # bit 18

# TX_CONFIG
TX_EOF_ONLY_MASK = const(0xFFFFFB3F)  # AND: no start symbol (7:6), no data (10); the stop symbol stays
TX0_START_SYMBOL = const(0xC0)  # byte 0, bits 7:6
TX1_DATA_ENABLE = const(0x04)  # byte 1, bit 10

CRC0_ENABLE = const(0x01)  # CRC_TX_CONFIG and CRC_RX_CONFIG byte 0: sent, and checked and taken off an answer
TRANSCEIVE0_INITIATOR = const(0x01)  # TRANSCEIVE_CONTROL byte 0: this side speaks first

# TIMERx_CONFIG: enabled (bit 0), 13.56 MHz, one shot, starts at the end of transmission (11), stops when an answer has
# begun (20)
TIMER_NO_ANSWER = const(0x00100801)
# Enabled, 13.56 MHz, one shot, starts when the own field has come on (bit 8)
TIMER_FIELD_ON = const(0x00000101)
TIMER_LONGEST = const(0x000FFFFF)  # of TIMERx_RELOAD: 77.3 ms
# TIMERx_STATUS by byte: 2 bit 4: running; 19:0 what is left
TIMER2_RUNNING = const(0x10)

RF_CONFIG_TX_ISO15693 = const(0x0D)  # 100 % ASK, 1 out of 4, 26 kbit/s
RF_CONFIG_RX_ISO15693 = const(0x8D)  # one sub-carrier, 26 kbit/s

EEPROM_FIRMWARE_VERSION = const(0x12)  # minor, major; what follows up to the test bus is read with it
EEPROM_TEST_BUS = const(0x17)
TEST_BUS_ENABLE = const(0x80)  # bit 7


def write_registers(entries: "tuple[tuple[int, int, int], ...]") -> bytearray:
    """Build the frame that carries out ``entries`` (register, action, value) one after the other."""
    frame = bytearray(1 + 6 * len(entries))
    frame[0] = WRITE_REGISTER_MULTIPLE
    at = 1
    for register, action, value in entries:
        frame[at] = register
        frame[at + 1] = action
        for i in range(4):
            frame[at + 2 + i] = (value >> (8 * i)) & 0xFF
        at += 6
    return frame
