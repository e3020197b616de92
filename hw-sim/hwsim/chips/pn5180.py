"""NXP PN5180 NFC front end: host side (SPI frames, BUSY, RESET_N), registers, EEPROM.

Entry points: :class:`Pn5180`: ``select``, ``transfer``, ``deselect`` (an ``hwsim.core.SpiDevice``), the BUSY line it
drives, the RESET_N line it listens to; world side: ``set_external_field``, ``eeprom``, ``eeprom_fails``, ``dead``,
``fail``, ``power_cycle``.

Purpose: a reader firmware meets here what the silicon does with its frames, good and bad; see
``pn5180_transceiver`` for the contactless side and ``docs/chip-models.md`` for the whole.
Limits: no IRQ pin, no test bus, no LPCD, card mode or download mode, no MIFARE and no 18000-3M3 commands; those raise
SimFault, as do registers that the data sheet does not list. BUSY rises with the first byte of a frame, and a command
takes effect when BUSY falls again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import ClassVar, NamedTuple, NoReturn

from hwsim.chips import pn5180_map as m
from hwsim.chips.pn5180_failures import LOOSE, Failure
from hwsim.chips.pn5180_registers import AND_MASK, WRITE, Registers
from hwsim.chips.pn5180_rf_config import RfConfigurations
from hwsim.core import Event, Line, Scheduler, SimFault
from hwsim.rf.switch import RfPort

# Levels and fillers the data sheet leaves open (unverified).
_FILLER = b"\xff"  # MISO during a command, past an answer, in reset
_BUSY_IN_RESET = 0
_BUSY_WHILE_BOOTING = 1

# Power modes.
_HELD, _BOOTING, _STANDBY, _RUNNING, _STUCK = range(5)

_SWITCH_MODE_STANDBY = 0
_WRITE_REGISTER_MULTIPLE = 0x03
_READ_REGISTER_MULTIPLE = 0x05
_RF_ON = 0x16


class _Command(NamedTuple):
    """``run(chip, frame)`` at the end of BUSY; ``busy`` is the name of its duration in Pn5180Timing.

    ``read_length`` is the length of the frame of a read command whose length is fixed, else 0.
    """

    run: Callable[[Pn5180, bytes], None]
    busy: str
    read_length: int = 0


class Pn5180:
    """One PN5180. ``busy`` is driven, ``reset_n`` listened to (high = running), ``port`` leads to the antenna.

    ``eeprom`` (255 bytes) replaces the factory content, whose version is ``firmware``; ``unkept_registers`` are
    registers that forget what is written to them (a clone).
    """

    __slots__ = (
        "_answer",
        "_answer_at",
        "_booted",
        "_busy_ns",
        "_clocked",
        "_deaf",
        "_executing",
        "_failure",
        "_frame",
        "_job",
        "_name",
        "_pin",
        "_power",
        "_registers",
        "_reset_at",
        "_reset_n",
        "_rf_configurations",
        "_scheduler",
        "_standby_end",
        "_timing",
        "_transceiver",
        "_wakes_by_field",
        "busy",
        "eeprom",
        "eeprom_fails",
    )

    COMMANDS: ClassVar[dict[int, _Command]]

    def __init__(
        self,
        scheduler: Scheduler,
        busy: Line,
        reset_n: Line,
        port: RfPort,
        *,
        name: str = "PN5180",
        firmware: tuple[int, int] = (4, 0),
        eeprom: bytes | None = None,
        timing: m.Pn5180Timing | None = None,
        unkept_registers: Iterable[int] = (),
    ) -> None:
        self._scheduler = scheduler
        self._name = name
        self._timing = timing or m.Pn5180Timing()
        self.busy = self._pin = busy  # apart when the wire between them is loose
        self.eeprom = bytearray(m.factory_eeprom(firmware) if eeprom is None else eeprom)
        if len(self.eeprom) != m.EEPROM_SIZE:
            raise ValueError(f"the EEPROM has {m.EEPROM_SIZE} bytes, not {len(self.eeprom)}")
        self.eeprom_fails = False
        self._registers = Registers(
            scheduler,
            name,
            port,
            self._timing,
            absent=() if firmware >= (4, 1) else (m.FELICA_EMD_CONTROL,),
            unkept=unkept_registers,
            soft_reset=partial(self._boot, m.BOOT_SOFT_RESET),
            auto_clear=self._clears_on_read,
        )
        self._transceiver = self._registers.transceiver
        self._rf_configurations = RfConfigurations(self._registers, name, self._programs, self._refuse)
        self._busy_ns = {code: getattr(self._timing, command.busy) for code, command in self.COMMANDS.items()}
        self._power = _HELD
        self._failure: Failure | None = None
        self._reset_n = reset_n
        self._job: Event | None = None
        self._standby_end: Event | None = None
        self._reset_at: int | None = None
        self._booted = m.BOOT_POR
        self._clocked = self._deaf = False
        self._frame: bytes | None = None
        self._executing = b""
        self._answer: bytes | None = None
        self._answer_at: int | None = None
        busy.drive(_BUSY_IN_RESET)
        reset_n.listen(self._reset_moved)
        if reset_n.level:
            self._boot(m.BOOT_POR)

    @property
    def name(self) -> str:
        """The chip's name in messages."""
        return self._name

    # Power and boot.

    @property
    def dead(self) -> bool:
        """Whether the chip has failed: MISO stays low, BUSY too, the field is off. Set to False it is there as new."""
        return self._failure is not None

    @dead.setter
    def dead(self, failed: bool) -> None:
        self.fail("low" if failed else "")

    def fail(self, how: str) -> None:
        """Fail as one of :data:`~hwsim.chips.pn5180_failures.FAILURES`, or with an empty string be there as new."""
        if how == LOOSE:
            self._pin = Line(f"BUSY of {self._name}", self._pin.level)
            self.busy.drive(0)
            return
        self._pin = self.busy
        self._power_down(_HELD)
        self._pin.drive(0)
        self._failure = Failure(how, self._name, self.busy) if how else None
        if not how and self._reset_n.level:
            self._boot(m.BOOT_POR)

    def power_cycle(self) -> None:
        """Its own supply drops for an instant: it boots, and registers, field and what was in progress are lost."""
        if not self._failure and self._reset_n.level:
            self._boot(m.BOOT_POR)
            self._answer = b""  # a host that had asked, and does not know, clocks nothing but filler out

    def _reset_moved(self, line: Line, level: int) -> None:
        if self._failure:
            return
        if not level:
            self._reset_at = self._scheduler.now
            self._power_down(_HELD)
            self._pin.drive(_BUSY_IN_RESET)
            return
        if self._reset_at is not None and self._scheduler.now - self._reset_at < self._timing.reset_low:
            self._fault(f"RESET_N was low for {self._scheduler.now - self._reset_at} ns only")
        self._boot(m.BOOT_POR)

    def _power_down(self, power: int, kept: Iterable[int] = ()) -> None:
        """Registers and buffers are lost, the field is off, nothing is in progress."""
        for event in (self._job, self._standby_end):
            if event is not None:
                event.cancel()
        self._job = self._standby_end = None
        self._power = power
        self._frame = None
        self._answer = None
        self._clocked = False
        self._registers.reset(kept)

    def _clears_on_read(self) -> bool:
        return bool(self.eeprom[m.EEPROM_IRQ_PIN] & m.IRQ_PIN_AUTO_CLEAR)

    def _boot(self, cause: int, kept: Iterable[int] = ()) -> None:
        self._power_down(_BOOTING, kept)
        self._booted = cause
        self._pin.drive(_BUSY_WHILE_BOOTING)
        self._job = self._scheduler.after(self._timing.boot, self._boot_finished)

    def _boot_finished(self) -> None:
        self._job = None
        self._power = _RUNNING
        self._registers.values[m.SYSTEM_STATUS] = self._booted
        if self.eeprom[m.EEPROM_IDLE_IRQ_AFTER_BOOT]:
            self._registers.values[m.IRQ_STATUS] |= m.IRQ_IDLE
        self._pin.drive(0)

    # SPI frames.

    def select(self) -> None:
        """NSS low: a frame begins."""
        self._clocked = False
        self._frame = None
        self._answer_at = None

    def transfer(self, mosi: bytes, byte_ns: int) -> bytes:
        """Clock bytes; returns MISO. Raises SimFault for a frame sent while BUSY is high."""
        if not mosi:
            return b""
        if self._failure:
            return self._failure.transfer(len(mosi))
        if self._power != _RUNNING:
            if self._power == _STANDBY:
                self._boot(0, m.KEPT_IN_STANDBY)
            return _FILLER * len(mosi)
        if not self._clocked:
            if self._pin.level or self._deaf:
                if self._pin is self.busy:
                    self._fault("a frame was clocked while BUSY was high")
                self._deaf = True  # to the end of the frame
                return _FILLER * len(mosi)
            self._clocked = True
            self._pin.drive(1)
            first = mosi[0]
            if self._answer is not None and (first == 0xFF or (first == 0 and not any(mosi))):
                self._answer_at = 0
            else:
                self._answer = None
                self._frame = bytes(mosi)
                self._watch_length()
                return _FILLER * len(mosi)
        elif self._frame is not None:
            second_half = self._frame[0] == _READ_REGISTER_MULTIPLE and mosi.count(0xFF) == len(mosi)
            self._frame += mosi
            if second_half:
                self._hang()
            else:
                self._watch_length()
            return _FILLER * len(mosi)
        start = self._answer_at or 0
        end = start + len(mosi)
        self._answer_at = end
        return (self._answer or b"")[start:end].ljust(len(mosi), _FILLER)

    def deselect(self) -> None:
        """NSS high: the frame is over and is executed."""
        self._deaf = False
        if self._power != _RUNNING or not self._clocked:
            return
        self._clocked = False
        if self._frame is None:
            self._answer = None
            self._job = self._scheduler.after(self._timing.answer, self._answered)
            return
        code = self._frame[0]
        busy = self._busy_ns.get(code)
        if busy is None:
            if self._pin is not self.busy:  # filler that was to clock out an answer
                self._pin.drive(0)
                self._refuse(m.SYNTAX_ERROR)
                return
            self._fault(f"command {code:02X} is not modelled or does not exist ({self._frame[:8].hex(' ')})")
        if code == _WRITE_REGISTER_MULTIPLE:
            busy += self._timing.per_entry * (len(self._frame) // 6)
        elif code == _READ_REGISTER_MULTIPLE:
            busy += self._timing.per_entry * len(self._frame)
        elif code == _RF_ON and len(self._frame) > 1 and self._frame[1] & 1:
            busy = self._timing.rf_on_unchecked
        self._executing = self._frame
        self._job = self._scheduler.after(busy, self._execute)

    def _watch_length(self) -> None:
        """A read command that goes on past its end: the host clocks the answer without raising NSS."""
        frame = self._frame or b""
        command = self.COMMANDS.get(frame[0])
        if command is not None and 0 < command.read_length < len(frame):
            self._hang()

    def _hang(self) -> None:
        """BUSY stays high until RESET_N."""
        self._power = _STUCK
        self._frame = None

    def _answered(self) -> None:
        self._job = None
        self._pin.drive(0)

    def _execute(self) -> None:
        self._job = None
        frame = self._executing
        if len(frame) < 2:
            self._refuse(m.SYNTAX_ERROR)
        else:
            self.COMMANDS[frame[0]].run(self, frame)
        if self._power == _RUNNING:
            self._pin.drive(0)

    def _refuse(self, cause: int) -> None:
        """A command is refused; should it be a read command, its answer is meaningless: filler."""
        self._registers.refuse(cause)
        self._answer = b""

    def _fault(self, what: str) -> NoReturn:
        raise SimFault(f"{self._name} at {self._scheduler.now} ns: {what}")

    # Commands; ``frame`` is the whole frame, at least two bytes.

    def _write_register(self, frame: bytes) -> None:
        if len(frame) != 6:
            self._refuse(m.SYNTAX_ERROR)
            return
        self._registers.modify(frame[1], frame[0] + WRITE, int.from_bytes(frame[2:6], "little"))

    def _write_register_multiple(self, frame: bytes) -> None:
        count, rest = divmod(len(frame) - 1, 6)
        if rest or not 1 <= count <= 42:
            self._refuse(m.SYNTAX_ERROR if rest else m.PARAMETER_ERROR)
            return
        for at in range(1, len(frame), 6):
            action = frame[at + 1]
            if not WRITE <= action <= AND_MASK:
                self._refuse(m.PARAMETER_ERROR)
                return
            self._registers.modify(frame[at], action, int.from_bytes(frame[at + 2 : at + 6], "little"))
            if self._power != _RUNNING:
                return

    def _read_register(self, frame: bytes) -> None:
        self._answer = self._registers.read(frame[1]).to_bytes(4, "little")

    def _read_register_multiple(self, frame: bytes) -> None:
        if len(frame) > 19:
            self._refuse(m.PARAMETER_ERROR)
            return
        self._answer = b"".join([self._registers.read(address).to_bytes(4, "little") for address in frame[1:]])

    def _write_eeprom(self, frame: bytes) -> None:
        address, data = frame[1], frame[2:]
        if not data or address + len(data) > m.EEPROM_SIZE:
            self._refuse(m.PARAMETER_ERROR)
            return
        for cell in range(address, address + len(data)):
            if cell in m.EEPROM_IDENTITY or cell in m.EEPROM_DO_NOT_TOUCH:
                self._fault(f"write to EEPROM cell {cell:02X}, which must not be touched")
        if self._programs():
            self.eeprom[address : address + len(data)] = data

    def _programs(self) -> bool:
        """Whether the EEPROM takes what is written; the host is told when it does not."""
        if self.eeprom_fails:
            self._registers.values[m.IRQ_STATUS] |= m.IRQ_HV_ERROR
            self._refuse(m.SEMANTIC_ERROR)
        return not self.eeprom_fails

    def _read_eeprom(self, frame: bytes) -> None:
        if len(frame) != 3 or not frame[2] or frame[1] + frame[2] > m.EEPROM_SIZE:
            self._refuse(m.PARAMETER_ERROR)
            return
        self._answer = bytes(self.eeprom[frame[1] : frame[1] + frame[2]])

    def _write_tx_data(self, frame: bytes) -> None:
        if len(frame) - 1 > m.TX_BUFFER:
            self._refuse(m.PARAMETER_ERROR)
        elif self._transceiver.state == m.TRANSMITTING:
            self._refuse(m.SEMANTIC_ERROR)
        else:
            self._transceiver.tx_data = frame[1:]

    def _send_data(self, frame: bytes) -> None:
        transceiver = self._transceiver
        registers = self._registers.values
        if frame[1] > 7 or len(frame) - 2 > m.TX_BUFFER:
            self._refuse(m.PARAMETER_ERROR)
        elif transceiver.state != m.WAIT_TRANSMIT or (registers[m.TX_CONFIG] & m.DATA_ENABLE and len(frame) == 2):
            self._refuse(m.SEMANTIC_ERROR)
        else:
            if len(frame) > 2:
                transceiver.tx_data = frame[2:]
            registers[m.TX_CONFIG] = registers[m.TX_CONFIG] & ~m.TX_LAST_BITS | frame[1] << m.TX_LAST_BITS_SHIFT
            registers[m.SYSTEM_CONFIG] |= m.START_SEND
            transceiver.send()

    def _read_data(self, frame: bytes) -> None:
        self._answer = self._transceiver.received

    def _switch_mode(self, frame: bytes) -> None:
        mode = frame[1]
        if mode > 2:
            self._refuse(m.PARAMETER_ERROR)
            return
        if mode != _SWITCH_MODE_STANDBY:
            self._fault(f"SWITCH_MODE {mode}: LPCD and card mode are not modelled")
        counter = int.from_bytes(frame[3:5], "little")
        if len(frame) != 5 or frame[2] & ~0x03 or not 1 <= counter <= 2690:
            self._refuse(m.PARAMETER_ERROR)
            return
        self._wakes_by_field = bool(frame[2] & 2)
        if self._wakes_by_field and self._transceiver.external_field:
            self._registers.values[m.SYSTEM_STATUS] |= m.STANDBY_PREVENTED
            return
        self._power_down(_STANDBY, m.KEPT_IN_STANDBY)
        self._pin.drive(0)
        if frame[2] & 1:
            wake = partial(self._boot, m.BOOT_WAKE_COUNTER, m.KEPT_IN_STANDBY)
            self._standby_end = self._scheduler.after(counter * 1_000_000, wake)

    def _load_rf_config(self, frame: bytes) -> None:
        self._rf_configurations.load(frame)

    def _update_rf_config(self, frame: bytes) -> None:
        self._rf_configurations.update(frame)

    def _rf_config_size(self, frame: bytes) -> None:
        self._answer = self._rf_configurations.size(frame)

    def _rf_config(self, frame: bytes) -> None:
        self._answer = self._rf_configurations.content(frame)

    def _rf_on(self, frame: bytes) -> None:
        if len(frame) != 2 or frame[1] & ~0x03:
            self._refuse(m.PARAMETER_ERROR)
        elif frame[1] & 0x02:
            self._fault("RF_ON for active communication is not modelled")
        elif self._transceiver.external_field and not frame[1] & 0x01:
            self._registers.values[m.RF_STATUS] = 1 << m.RF_ACTIVE_CAUSE_SHIFT  # external field in TIDT
            self._registers.values[m.IRQ_STATUS] |= m.IRQ_RF_ACTIVE_ERROR
        else:
            self._registers.values[m.RF_STATUS] = 0
            self._transceiver.field_on()

    def _rf_off(self, frame: bytes) -> None:
        self._transceiver.field_off()

    def set_external_field(self, present: bool) -> None:
        """World side: another reader's field is at the antenna, or gone."""
        self._transceiver.set_external_field(present)
        if present and self._power == _STANDBY and self._wakes_by_field:
            self._boot(m.BOOT_EXTERNAL_FIELD, m.KEPT_IN_STANDBY)


Pn5180.COMMANDS = {
    0x00: _Command(Pn5180._write_register, "register"),
    0x01: _Command(Pn5180._write_register, "register"),
    0x02: _Command(Pn5180._write_register, "register"),
    0x03: _Command(Pn5180._write_register_multiple, "register"),
    0x04: _Command(Pn5180._read_register, "register", 2),
    0x05: _Command(Pn5180._read_register_multiple, "register"),
    0x06: _Command(Pn5180._write_eeprom, "eeprom_write"),
    0x07: _Command(Pn5180._read_eeprom, "eeprom_read", 3),
    0x08: _Command(Pn5180._write_tx_data, "data"),
    0x09: _Command(Pn5180._send_data, "data"),
    0x0A: _Command(Pn5180._read_data, "data", 2),
    0x0B: _Command(Pn5180._switch_mode, "switch_mode"),
    0x11: _Command(Pn5180._load_rf_config, "load_rf_config"),
    0x12: _Command(Pn5180._update_rf_config, "eeprom_write"),
    0x13: _Command(Pn5180._rf_config_size, "register", 2),
    0x14: _Command(Pn5180._rf_config, "register", 2),
    0x16: _Command(Pn5180._rf_on, "rf_on"),
    0x17: _Command(Pn5180._rf_off, "rf_off"),
}
