"""The frames that a PN5180 is sent again and again, made once and shared by all readers.

Entry point: `Frames`. What is written or read within one call needs no buffer of each reader's own.
"""

from .registers import (
    AND,
    COMMAND_IDLE_MASK,
    COMMAND_TRANSCEIVE,
    CRC_RX_CONFIG,
    CRC_TX_CONFIG,
    EEPROM_FIRMWARE_VERSION,
    EEPROM_TEST_BUS,
    IRQ_ALL,
    IRQ_CLEAR,
    IRQ_ENABLE,
    IRQ_ENABLE_FIXED,
    IRQ_STATUS,
    LOAD_RF_CONFIG,
    OR,
    READ_DATA,
    READ_EEPROM,
    READ_REGISTER,
    READ_REGISTER_MULTIPLE,
    RF_CONFIG_RX_ISO15693,
    RF_CONFIG_TX_ISO15693,
    RF_OFF,
    RF_ON,
    RX_STATUS,
    SEND_DATA,
    SYSTEM_CONFIG,
    TIMER0_CONFIG,
    TIMER0_RELOAD,
    TIMER1_CONFIG,
    TIMER1_RELOAD,
    TIMER2_CONFIG,
    TIMER2_RELOAD,
    TIMER2_STATUS,
    TIMER_FIELD_ON,
    TIMER_LONGEST,
    TIMER_NO_ANSWER,
    TRANSCEIVE_CONTROL,
    TX_CONFIG,
    TX_EOF_ONLY_MASK,
    WRITE,
    write_registers,
)

_IDLE = (SYSTEM_CONFIG, AND, COMMAND_IDLE_MASK)
_CLEAR = (IRQ_CLEAR, WRITE, IRQ_ALL)
_TRANSCEIVE = (SYSTEM_CONFIG, OR, COMMAND_TRANSCEIVE)


def _armed(timer: int, tx_config: "tuple[tuple[int, int, int], ...]" = ()) -> "tuple[tuple[int, int, int], ...]":
    """Entries after which the chip waits for SEND_DATA, and its timer ``timer`` measures the silence that follows."""
    return (_IDLE,) + tx_config + ((timer, WRITE, 0), (timer, WRITE, TIMER_NO_ANSWER), _CLEAR, _TRANSCEIVE)


class Frames:
    """Frames of all readers, for requests of up to ``limit`` bytes; their timers count down from both reloads."""

    def __init__(self, limit: int, reload0: int, reload1: int) -> None:
        self.status = bytearray(8)  # IRQ_STATUS, and RX_STATUS or TIMER2_STATUS
        self.word = bytearray(4)
        self.get_status = bytearray((READ_REGISTER_MULTIPLE, IRQ_STATUS, RX_STATUS))
        self.get_field = bytearray((READ_REGISTER_MULTIPLE, IRQ_STATUS, TIMER2_STATUS))
        self.get_irq = bytearray((READ_REGISTER, IRQ_STATUS))
        self.read_data = bytearray((READ_DATA, 0))
        self.rf_on = bytearray((RF_ON, 0))
        self.rf_off = bytearray((RF_OFF, 0))
        self.send_eof = bytearray((SEND_DATA, 0))
        self.send_frame = bytearray(2 + limit)
        self.send_frame[0] = SEND_DATA
        # Whole buffers only go over the bus, so there is a view for each length.
        views: list[memoryview] = []
        for count in range(limit + 1):
            views.append(memoryview(self.send_frame)[: 2 + count])
        self.send_views = views
        # Before the field is switched: timer 2 measures for how long it has been on.
        self.idle_and_clear = write_registers(
            (_IDLE, (TIMER2_CONFIG, WRITE, 0), (TIMER2_CONFIG, WRITE, TIMER_FIELD_ON), _CLEAR)
        )
        self.arm = write_registers(_armed(TIMER1_CONFIG))
        self.arm_slots = write_registers(_armed(TIMER0_CONFIG))
        self.arm_eof = write_registers(_armed(TIMER0_CONFIG, ((TX_CONFIG, AND, TX_EOF_ONLY_MASK),)))
        # Of the start-up, and room for what it reads.
        self.set_up_words = (IRQ_ENABLE_FIXED, reload0, reload1, TIMER_LONGEST)  # of IRQ_ENABLE and the timers
        self.eeprom = bytearray(EEPROM_TEST_BUS + 1 - EEPROM_FIRMWARE_VERSION)
        self.words = bytearray(32)
        self.get_version = bytearray((READ_EEPROM, EEPROM_FIRMWARE_VERSION, len(self.eeprom)))
        self.load = bytearray((LOAD_RF_CONFIG, RF_CONFIG_TX_ISO15693, RF_CONFIG_RX_ISO15693))
        self.clear = write_registers((_CLEAR,))
        self.set_up = write_registers(
            (
                (IRQ_ENABLE, WRITE, 0),
                (TIMER0_RELOAD, WRITE, reload0),
                (TIMER1_RELOAD, WRITE, reload1),
                (TIMER2_RELOAD, WRITE, TIMER_LONGEST),
            )
        )
        self.get_set_up = bytearray(
            (
                READ_REGISTER_MULTIPLE,
                IRQ_ENABLE,
                TIMER0_RELOAD,
                TIMER1_RELOAD,
                TIMER2_RELOAD,
                TX_CONFIG,
                TRANSCEIVE_CONTROL,
                CRC_TX_CONFIG,
                CRC_RX_CONFIG,
            )
        )
        self._tx_config = -1
        self._again = (self.arm, self.arm_slots)

    def armed_again(self, tx_config: int) -> "tuple[bytearray, bytearray]":
        """Arm as ``arm`` and ``arm_slots`` do, with TX_CONFIG as it was before the first EOF-only slot.

        Chips whose TX_CONFIG is the same share the frames.
        """
        if tx_config != self._tx_config:
            self._tx_config = tx_config
            chips_own = ((TX_CONFIG, WRITE, tx_config),)
            self._again = (
                write_registers(_armed(TIMER1_CONFIG, chips_own)),
                write_registers(_armed(TIMER0_CONFIG, chips_own)),
            )
        return self._again
