"""PN5180: the register file with its read-only, self-clearing and acting bits.

Entry points: :class:`Registers`: ``read``, ``write``, ``modify`` (what host commands do), ``refuse`` (a host
exception), ``reset``; ``values`` is the plain list that timers and transceiver share.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NoReturn

from hwsim.chips import pn5180_map as m
from hwsim.chips.pn5180_timers import Timers
from hwsim.chips.pn5180_transceiver import Transceiver
from hwsim.core import Scheduler, SimFault
from hwsim.rf.switch import RfPort

# Actions of a register write, as WRITE_REGISTER_MULTIPLE numbers them.
WRITE = 1
OR_MASK = 2
AND_MASK = 3


class Registers:
    """Registers of one chip. ``soft_reset`` is called for that bit; ``unkept`` registers forget what is written."""

    __slots__ = (
        "_auto_clear",
        "_name",
        "_readers",
        "_scheduler",
        "_soft_reset",
        "_writers",
        "timers",
        "transceiver",
        "values",
    )

    def __init__(
        self,
        scheduler: Scheduler,
        name: str,
        port: RfPort,
        timing: m.Pn5180Timing,
        *,
        absent: Iterable[int],
        unkept: Iterable[int],
        soft_reset: Callable[[], None],
        auto_clear: Callable[[], bool],
    ) -> None:
        self._scheduler = scheduler
        self._name = name
        self._soft_reset = soft_reset
        self._auto_clear = auto_clear
        self.values = [m.REGISTERS.get(address, 0) for address in range(m.REGISTER_SPACE)]
        self.timers = Timers(scheduler, name, self._timer_expired)
        self.transceiver = Transceiver(scheduler, name, self.values, self.timers, port, timing)
        known = set(m.REGISTERS).difference(absent)
        self._readers: dict[int, Callable[[int], int]] = dict.fromkeys(known, self.values.__getitem__)
        self._writers: dict[int, Callable[[int, int], None]] = dict.fromkeys(known, self.values.__setitem__)
        self._readers[m.IRQ_STATUS] = self._read_irq_status
        self._readers[m.RF_STATUS] = self._read_rf_status
        self._readers[m.AGC_REF_CONFIG] = self._read_agc_reference
        self._writers[m.SYSTEM_CONFIG] = self._write_system_config
        self._writers[m.IRQ_ENABLE] = self._write_irq_enable
        self._writers[m.IRQ_CLEAR] = self._write_irq_clear
        for number in range(3):
            self._readers[m.TIMER0_STATUS + number] = self._read_timer
            self._writers[m.TIMER0_RELOAD + number] = self._write_timer_reload
            self._writers[m.TIMER0_CONFIG + number] = self._write_timer_config
        for address in (*m.READ_ONLY, *unkept):
            self._writers[address] = self._ignore

    def reset(self, kept: Iterable[int] = ()) -> None:
        """Reset values everywhere but in ``kept``; timers stop, the field is off."""
        survivors = {address: self.values[address] for address in kept}
        for address in range(m.REGISTER_SPACE):
            self.values[address] = m.REGISTERS.get(address, 0)
        self.timers.reset()
        self.transceiver.reset()
        for address, value in survivors.items():
            self.values[address] = value

    def exists(self, address: int) -> bool:
        """Whether the data sheet lists the register for this chip."""
        return address in self._writers

    def read(self, address: int) -> int:
        """Value of a register as the host sees it. Raises SimFault for one that does not exist."""
        reader = self._readers.get(address)
        if reader is None:
            self._fault(f"read of register {address:02X}, which does not exist")
        return reader(address)

    def write(self, address: int, value: int) -> None:
        """Host write with all its effects. Raises SimFault for a register that does not exist."""
        writer = self._writers.get(address)
        if writer is None:
            self._fault(f"write of {value:08X} to register {address:02X}, which does not exist")
        writer(address, value)

    def modify(self, address: int, action: int, value: int) -> None:
        """WRITE, OR_MASK or AND_MASK; the masks work on the stored value and never trigger clearing by reading."""
        if action == OR_MASK and address < m.REGISTER_SPACE:
            value |= self.values[address]
        elif action == AND_MASK and address < m.REGISTER_SPACE:
            value &= self.values[address]
        self.write(address, value)

    def refuse(self, cause: int) -> None:
        """Exception towards the host; the causes add up until GENERAL_ERROR is cleared."""
        self.values[m.IRQ_STATUS] |= m.IRQ_GENERAL_ERROR
        self.values[m.SYSTEM_STATUS] |= cause

    def _fault(self, what: str) -> NoReturn:
        raise SimFault(f"{self._name} at {self._scheduler.now} ns: {what}")

    def _ignore(self, address: int, value: int) -> None:
        """A register, or a chip, that does not keep what is written."""

    def _read_irq_status(self, address: int) -> int:
        value = self.values[m.IRQ_STATUS]
        if self._auto_clear():
            self._write_irq_clear(m.IRQ_CLEAR, value)
        return value

    def _read_rf_status(self, address: int) -> int:
        return self.values[m.RF_STATUS] | self.transceiver.status()

    def _read_timer(self, address: int) -> int:
        return self.timers.status(address - m.TIMER0_STATUS)

    def _read_agc_reference(self, address: int) -> int:
        self._fault("reading AGC_REF_CONFIG (26) runs an LPCD calibration, which is not modelled")

    def _write_system_config(self, address: int, value: int) -> None:
        if value & m.SOFT_RESET:
            self._soft_reset()
            return
        values = self.values
        read_only = values[m.SYSTEM_CONFIG] & m.SYSTEM_CONFIG_READ_ONLY
        values[m.SYSTEM_CONFIG] = value & ~m.SYSTEM_CONFIG_READ_ONLY | read_only
        self.transceiver.command(value & m.COMMAND_MASK)
        # Leaving transceive has dropped a START_SEND; one set before it waits for WaitTransmit.
        if values[m.SYSTEM_CONFIG] & m.START_SEND and self.transceiver.state == m.WAIT_TRANSMIT:
            self.transceiver.send()

    def _write_irq_enable(self, address: int, value: int) -> None:
        self.values[m.IRQ_ENABLE] = value & m.IRQ_ALL | m.IRQ_ENABLE_FIXED

    def _write_irq_clear(self, address: int, value: int) -> None:
        self.values[m.IRQ_STATUS] &= ~value
        if value & m.IRQ_GENERAL_ERROR:
            self.values[m.SYSTEM_STATUS] &= ~m.HOST_ERRORS

    def _write_timer_reload(self, address: int, value: int) -> None:
        self.values[address] = value & m.TIMER_RELOAD_MASK
        self.timers.reload(address - m.TIMER0_RELOAD, value & m.TIMER_RELOAD_MASK)

    def _write_timer_config(self, address: int, value: int) -> None:
        self.values[address] = value
        self.timers.configure(address - m.TIMER0_CONFIG, value)

    def _timer_expired(self, number: int) -> None:
        self.values[m.IRQ_STATUS] |= m.IRQ_TIMER0 << number
