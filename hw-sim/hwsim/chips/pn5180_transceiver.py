"""PN5180: the contactless side. Field, transceiver state machine, transmission and reception.

Entry points: :class:`Transceiver`: ``command`` and ``send`` (host), ``field_on``, ``field_off``, ``antenna_changed``
(field), ``status`` (RF_STATUS), ``tag_gone`` (antenna).

On air only ISO/IEC 15693 reader mode exists: RF configurations 0D or 0E with 8D or 8E.
"""

from __future__ import annotations

from typing import NoReturn

from hwsim.chips import pn5180_map as m
from hwsim.chips import pn5180_timers as t
from hwsim.core import Event, Scheduler, SimFault
from hwsim.rf.air import (
    BIT_FAST_HIGH,
    BIT_HIGH,
    REQUEST_BIT_CYCLES,
    REQUEST_BYTE_CYCLES,
    REQUEST_EOF_CYCLES,
    REQUEST_SOF_CYCLES,
    T1_CYCLES,
    AirFrame,
    Answer,
    crc_register,
    cycles_ns,
)
from hwsim.rf.antenna import Antenna, Tag
from hwsim.rf.reception import Reception, superpose
from hwsim.rf.switch import RfPort

_TX_KNOWN = (m.TX_15693_DEEP, m.TX_15693_SHALLOW)
_RX_BIT = {m.RX_15693: BIT_HIGH, m.RX_15693_FAST: BIT_FAST_HIGH}
# "RX started" of the timers comes four bits into the data.
_RX_STARTED_BITS = 4
_AGC_IN_FIELD = 0x1C0  # any plausible reading (unverified)


class Transceiver:
    """State machine, field and air of one PN5180. ``registers`` is the chip's register file, shared with its host side.

    Attributes the host side reads: ``state``, ``received`` (last frame stored in the RX buffer), ``tx_data``.
    """

    __slots__ = (
        "_air_event",
        "_antenna",
        "_bit_cycles",
        "_crc_ok",
        "_deep",
        "_noise",
        "_port",
        "_reception",
        "_registers",
        "_rx_open_at",
        "_scheduler",
        "_state",
        "_timers",
        "_timing",
        "_tx_frame",
        "_tx_not_before",
        "_tx_readable",
        "_tx_start",
        "_tx_with_sof",
        "external_field",
        "name",
        "on_air",
        "received",
        "rx_configuration",
        "transceiving",
        "tx_configuration",
        "tx_data",
    )

    def __init__(
        self,
        scheduler: Scheduler,
        name: str,
        registers: list[int],
        timers: t.Timers,
        port: RfPort,
        timing: m.Pn5180Timing,
    ) -> None:
        self._scheduler = scheduler
        self.name = name
        self._registers = registers
        self._timers = timers
        self._port = port
        self._timing = timing
        self._antenna: Antenna | None = None
        self._air_event: Event | None = None
        self.on_air = False
        self.external_field = False
        port.attach(self.antenna_changed)
        self.reset()

    def reset(self) -> None:
        """Registers are at their reset values already: nothing loaded, nothing in progress, field off."""
        self._cancel()
        self._state = m.IDLE
        self.transceiving = False
        self.tx_configuration: int | None = None
        self.rx_configuration: int | None = None
        self.tx_data = b""
        self.received = b""
        self._reception: Reception | None = None
        self._noise: int | None = None
        self._rx_open_at = 0
        self._tx_not_before = 0
        self._tx_start = 0
        self._tx_frame = b""
        self._tx_with_sof = False
        self._tx_readable = False
        self._deep = True
        self._bit_cycles = BIT_HIGH
        self._crc_ok = False
        if self.on_air:
            self._drop_field()

    # Field.

    def field_on(self) -> None:
        """RF_ON has done its work."""
        self.on_air = True
        self._antenna = self._port.antenna()
        if self._antenna is not None:
            self._antenna.power_on(self)
        self._raise(m.IRQ_RF_ON)
        self._timers.signal(t.START_RF_ON, t.STOP_RF_ON, self._scheduler.now)

    def field_off(self) -> None:
        """RF_OFF has done its work."""
        if self.on_air:
            self._drop_field()
        self._registers[m.AGC_CONFIG] = m.REGISTERS[m.AGC_CONFIG]
        self._raise(m.IRQ_RF_OFF)
        self._timers.signal(t.START_RF_OFF, t.STOP_RF_OFF, self._scheduler.now)

    def _drop_field(self) -> None:
        self.on_air = False
        self._leave_antenna()

    def _leave_antenna(self) -> None:
        reception = self._reception
        if reception is not None:
            for answer in tuple(reception.answers):
                self._cut(reception, answer)
        if self._antenna is not None:
            self._antenna.power_off()
            self._antenna = None

    def antenna_changed(self) -> None:
        """The switch has chosen another antenna: the field moves with it."""
        if not self.on_air:
            return
        self._leave_antenna()
        self._antenna = self._port.antenna()
        if self._antenna is not None:
            self._antenna.power_on(self)

    def set_external_field(self, present: bool) -> None:
        """World side: another reader's field appears or goes."""
        if present == self.external_field:
            return
        self.external_field = present
        self._raise(m.IRQ_EXTERNAL_ON if present else m.IRQ_EXTERNAL_OFF)
        if present:
            self._timers.signal(t.START_EXTERNAL_ON, t.STOP_EXTERNAL_ON, self._scheduler.now)
        else:
            self._timers.signal(t.START_EXTERNAL_OFF, t.STOP_EXTERNAL_OFF, self._scheduler.now)

    # State machine.

    @property
    def state(self) -> int:
        """TRANSCEIVE_STATE: the guard time after a transmission passes by itself."""
        if self._state == m.WAIT_RECEIVE and self._scheduler.now >= self._rx_open_at:
            return m.WAIT_FOR_DATA
        return self._state

    def status(self) -> int:
        """RF_STATUS."""
        state = self.state
        value = state << m.TRANSCEIVE_STATE_SHIFT
        if state == m.TRANSMITTING:
            value |= m.RF_TX_ACTIVE
        elif state == m.WAIT_FOR_DATA:
            value |= m.RF_RX_ENABLE
        elif state == m.RECEIVING:
            value |= m.RF_RX_ENABLE | m.RF_RX_ACTIVE
        if self._crc_ok:
            value |= m.RF_CRC_OK
        if self.on_air:
            value |= m.RF_OWN_FIELD | _AGC_IN_FIELD
        if self.external_field:
            value |= m.RF_EXTERNAL_FIELD
        return value

    def command(self, command: int) -> None:
        """COMMAND of SYSTEM_CONFIG is written."""
        if command == m.COMMAND_KEEP:
            return
        if command == m.COMMAND_TRANSCEIVE:
            if self.transceiving:
                return
            self.transceiving = True
            if self._registers[m.TRANSCEIVE_CONTROL] & m.INITIATOR:
                self._enter(m.WAIT_TRANSMIT)
            else:
                self._rx_open_at = self._scheduler.now
                self._enter(m.WAIT_RECEIVE)
        elif command in (m.COMMAND_IDLE, m.COMMAND_AFTER_RESET):
            self._stop()
        else:
            self._fault(f"SYSTEM_CONFIG COMMAND {command:03b} is not modelled")

    def send(self) -> None:
        """START_SEND in WaitTransmit: transmit ``tx_data`` (or a lone EOF) as soon as the guard time is over.

        Without data while DATA_ENABLE is set: a host exception, nothing is sent.
        """
        if self._registers[m.TX_CONFIG] & m.DATA_ENABLE and not self.tx_data:
            self._registers[m.SYSTEM_CONFIG] &= ~m.START_SEND
            self._raise(m.IRQ_GENERAL_ERROR)
            self._registers[m.SYSTEM_STATUS] |= m.SEMANTIC_ERROR
            return
        control = self._registers[m.TRANSCEIVE_CONTROL]
        if control & (m.RX_MULTIPLE | m.TX_FRAMESTEP | m.TX_SKIP_SEND):
            self._fault(f"TRANSCEIVE_CONTROL {control:08X}: only plain transceive is modelled")
        if self.tx_configuration not in _TX_KNOWN or self.rx_configuration not in _RX_BIT:
            self._fault(
                f"transmission with RF configurations {_hex(self.tx_configuration)}/{_hex(self.rx_configuration)}: "
                "only ISO15693 (0D, 0E with 8D, 8E) is on air"
            )
        if self._tx_not_before > self._scheduler.now:
            if self._air_event is None:
                self._air_event = self._scheduler.at(self._tx_not_before, self._transmit)
        else:
            self._transmit()

    def _stop(self) -> None:
        if self._state == m.TRANSMITTING and self._antenna is not None and self._tx_with_sof:
            self._antenna.garble(self._tx_start)
        self._cancel()
        self._reception = None
        if self.transceiving:
            self.transceiving = False
            self._registers[m.SYSTEM_CONFIG] &= ~m.START_SEND
            self._enter(m.IDLE)

    def _cancel(self) -> None:
        if self._air_event is not None:
            self._air_event.cancel()
            self._air_event = None

    def _enter(self, state: int) -> None:
        self._state = state
        if self._registers[m.TRANSCEIVE_CONTROL] >> m.STATE_TRIGGER_SHIFT >> state & 1:
            self._raise(m.IRQ_STATE_CHANGE)

    def _raise(self, irq: int) -> None:
        self._registers[m.IRQ_STATUS] |= irq

    def _fault(self, what: str) -> NoReturn:
        raise SimFault(f"{self.name} at {self._scheduler.now} ns: {what}")

    # Transmission.

    def _transmit(self) -> None:
        registers = self._registers
        registers[m.SYSTEM_CONFIG] &= ~m.START_SEND
        config = registers[m.TX_CONFIG]
        self._bit_cycles = _RX_BIT[self.rx_configuration or 0]
        self._deep = self.tx_configuration == m.TX_15693_DEEP
        frame = b""
        cycles = 0
        if config & m.DATA_ENABLE:
            frame = self.tx_data
            self.tx_data = b""
            last_bits = (config & m.TX_LAST_BITS) >> m.TX_LAST_BITS_SHIFT
            crc_config = registers[m.CRC_TX_CONFIG]
            if crc_config & m.CRC_ENABLE and frame:
                frame += self._crc(frame, crc_config).to_bytes(2, "little")
            cycles = REQUEST_BYTE_CYCLES * len(frame) - (REQUEST_BIT_CYCLES * (8 - last_bits) if last_bits else 0)
        self._tx_with_sof = bool(config & m.START_SYMBOL)
        if self._tx_with_sof:
            cycles += REQUEST_SOF_CYCLES
        with_eof = bool(config & m.STOP_SYMBOL)
        if with_eof:
            cycles += REQUEST_EOF_CYCLES
        # What a tag can decode: SOF, whole bytes and EOF, or nothing but an EOF.
        odd = config & (m.TX_FIRST_BITS | m.TX_LAST_BITS | m.TX_PARITY)
        odd |= registers[m.SYSTEM_CONFIG] & m.MFC_CRYPTO_ON
        self._tx_readable = with_eof and self._tx_with_sof == bool(frame) and not (frame and odd)
        self._tx_frame = frame
        now = self._scheduler.now
        self._tx_start = now
        self._enter(m.TRANSMITTING)
        self._timers.signal(t.START_TX_STARTED, t.STOP_TX_STARTED, now)
        self._air_event = self._scheduler.at(now + cycles_ns(cycles), self._transmitted)

    def _crc(self, data: bytes, config: int) -> int:
        if config & m.CRC_5_BITS or (config & m.TX_CRC_START_AT_BYTE_2):
            self._fault(f"CRC configuration {config:08X}: only 16 bits over the whole frame are modelled")
        preset = config >> m.CRC_PRESET_SHIFT & 7
        if preset == m.CRC_PRESET_ARBITRARY:
            start = config >> 16
        elif preset < len(m.CRC_PRESETS):
            start = m.CRC_PRESETS[preset]
        else:
            self._fault(f"CRC configuration {config:08X}: preset 6 is not defined")
        register = crc_register(data, start)
        return register ^ 0xFFFF if config & m.CRC_INVERTED else register

    def _transmitted(self) -> None:
        now = self._scheduler.now
        registers = self._registers
        self._air_event = None
        wait = registers[m.RX_WAIT_CONFIG]
        self._rx_open_at = now + cycles_ns((wait >> 8 & 0xFFFFF) * ((wait & 0xFF) + 1))
        registers[m.RX_STATUS] &= m.RX_ERRORS
        self._crc_ok = False
        self._raise(m.IRQ_TX)
        self._enter(m.WAIT_RECEIVE)
        if registers[m.TRANSCEIVE_CONTROL] >> m.STATE_TRIGGER_SHIFT >> m.WAIT_FOR_DATA & 1:
            self._scheduler.at(self._rx_open_at, self._receiver_opened)
        self._timers.signal(t.START_TX_ENDED, 0, now)
        antenna = self._antenna
        if antenna is None:
            return
        if not self._tx_readable:
            answers: list[Answer] = []
            if self._tx_with_sof:
                antenna.garble(self._tx_start)
        elif self._tx_with_sof:
            answers = antenna.request(AirFrame(self._tx_start, now, self._tx_frame), self._deep)
        else:
            answers = antenna.slot(self._tx_start, now, self._deep)
        self._noise = antenna.noise() if antenna.noise is not None else None
        if answers:
            reception = Reception(answers, self._bit_cycles)
            if reception.subcarrier_at >= self._rx_open_at:
                self._reception = reception
                self._air_event = self._scheduler.at(
                    reception.subcarrier_at + self._timing.subcarrier_pulses, self._subcarrier
                )
        elif self._noise is not None:
            self._air_event = self._scheduler.at(max(self._rx_open_at, now + cycles_ns(T1_CYCLES)), self._noise_begins)

    def _receiver_opened(self) -> None:
        if self._state == m.WAIT_RECEIVE and self._rx_open_at == self._scheduler.now:
            self._raise(m.IRQ_STATE_CHANGE)

    # Reception.

    def _subcarrier(self) -> None:
        reception = self._reception
        self._air_event = None
        if reception is None or (reception.locked and not reception.answers):
            self._reception = None  # every tag left before it spoke
            return
        self._raise(m.IRQ_SUBCARRIER)
        if reception.locked:
            self._air_event = self._scheduler.at(reception.sof_at, self._sof)
        else:
            self._reception = None

    def _sof(self) -> None:
        reception = self._reception
        self._air_event = None
        if reception is None or not reception.answers:
            self._reception = None
            return
        self._begin_reception()
        self._air_event = self._scheduler.at(reception.end, self._received)

    def _begin_reception(self) -> None:
        self._raise(m.IRQ_SOF)
        self._registers[m.RX_STATUS] = 0
        self._enter(m.RECEIVING)
        started = self._scheduler.now + cycles_ns(_RX_STARTED_BITS * self._bit_cycles)
        self._timers.signal(t.START_RX_STARTED, t.STOP_RX_STARTED, started)

    def _received(self) -> None:
        reception = self._reception
        self._reception = None
        if reception is None or not reception.answers:
            self._finish_reception(b"", 0, m.RX_PROTOCOL_ERROR)
            return
        registers = self._registers
        config = registers[m.CRC_RX_CONFIG]
        if config & (m.RX_BIT_ALIGN | m.RX_PARITY):
            self._fault(f"CRC_RX_CONFIG {config:08X}: bit alignment and parity are not modelled")
        value, bits, collided = superpose(reception.answers)
        errors = self._noise or 0
        if reception.disturbed or not any(a.complete and a.bits == bits for a in reception.answers):
            errors |= m.RX_PROTOCOL_ERROR
        if collided is not None and registers[m.SIGPRO_RM_CONFIG] & m.COLLISIONS_OFF != m.COLLISIONS_OFF:
            errors |= m.RX_COLLISION | (collided & 0x7F) << m.RX_COLLISION_POSITION_SHIFT
            if not config & m.RX_KEEP_AFTER_COLLISION:
                value &= (1 << collided) - 1
        frame = value.to_bytes((bits + 7) >> 3, "little")
        last_bits = bits & 7
        if config & m.CRC_ENABLE:
            good = not last_bits and len(frame) > 2
            if good:
                good = self._crc(frame[:-2], config).to_bytes(2, "little") == frame[-2:]
            if not good:
                errors |= m.RX_DATA_INTEGRITY_ERROR
            self._crc_ok = good
            if not last_bits:
                frame = frame[:-2]
        self._finish_reception(frame[: m.RX_BUFFER], last_bits, errors)

    def _finish_reception(self, frame: bytes, last_bits: int, errors: int) -> None:
        now = self._scheduler.now
        self._air_event = None
        if frame:
            self.received = frame
        self._registers[m.RX_STATUS] = len(frame) | last_bits << m.RX_LAST_BITS_SHIFT | errors
        self._raise(m.IRQ_RX)
        self._timers.signal(t.START_RX_ENDED, 0, now)
        wait = self._registers[m.TX_WAIT_CONFIG]
        self._tx_not_before = now + cycles_ns((wait >> 8 & 0xFFFFF) * ((wait & 0xFF) + 1))
        self._enter(m.WAIT_TRANSMIT)
        if self._registers[m.SYSTEM_CONFIG] & m.START_SEND:
            self.send()

    def _noise_begins(self) -> None:
        self._raise(m.IRQ_SUBCARRIER)
        self._begin_reception()
        self._air_event = self._scheduler.after(cycles_ns(8 * self._bit_cycles), self._noise_ends)

    def _noise_ends(self) -> None:
        self._finish_reception(b"", 0, self._noise or 0)

    # What the antenna tells.

    def tag_gone(self, tag: Tag) -> None:
        """A tag has left the field, perhaps in the middle of its answer."""
        reception = self._reception
        if reception is None:
            return
        for answer in reception.answers:
            if answer.tag is tag:
                self._cut(reception, answer)
                return

    def _cut(self, reception: Reception, answer: Answer) -> None:
        if not answer.complete:
            return
        reception.cut(answer, self._scheduler.now)
        if self._state == m.RECEIVING:
            self._cancel()
            self._air_event = self._scheduler.at(reception.end, self._received)


def _hex(number: int | None) -> str:
    return "none" if number is None else f"{number:02X}"
