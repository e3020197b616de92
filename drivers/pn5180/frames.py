"""The frames that a PN5180 is sent again and again, made once and shared by all readers.

Entry point: `Frames`. What is written or read within one call needs no buffer of each reader's own.
"""

from .registers import (
    AND,
    COMMAND_IDLE_MASK,
    COMMAND_TRANSCEIVE,
    IRQ_ALL,
    IRQ_CLEAR,
    IRQ_STATUS,
    OR,
    READ_DATA,
    READ_REGISTER,
    READ_REGISTER_MULTIPLE,
    RF_OFF,
    RF_ON,
    RX_STATUS,
    SEND_DATA,
    SYSTEM_CONFIG,
    TIMER0_CONFIG,
    TIMER1_CONFIG,
    TIMER_NO_ANSWER,
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
    """Frames of all readers, for requests of up to ``limit`` bytes."""

    def __init__(self, limit: int) -> None:
        self.status = bytearray(8)  # IRQ_STATUS, RX_STATUS
        self.word = bytearray(4)
        self.get_status = bytearray((READ_REGISTER_MULTIPLE, IRQ_STATUS, RX_STATUS))
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
        self.idle_and_clear = write_registers((_IDLE, _CLEAR))
        self.arm = write_registers(_armed(TIMER1_CONFIG))
        self.arm_slots = write_registers(_armed(TIMER0_CONFIG))
        self.arm_eof = write_registers(_armed(TIMER0_CONFIG, ((TX_CONFIG, AND, TX_EOF_ONLY_MASK),)))


def arm_again(tx_config: int, slots: bool) -> bytearray:
    """Arm as ``Frames.arm`` or ``Frames.arm_slots`` does, with TX_CONFIG as it was before the first EOF-only slot."""
    return write_registers(_armed(TIMER0_CONFIG if slots else TIMER1_CONFIG, ((TX_CONFIG, WRITE, tx_config),)))
