"""RF configurations of a PN5180: what LOAD_RF_CONFIG puts into registers, and how a host changes and reads it.

Entry point: :class:`RfConfigurations`: ``load``, ``update``, ``size``, ``content``, each with the frame of its command.
Purpose: a driver meets here what the chip's non-volatile memory makes of the host interface's commands for it.
Limits: the contents are the model's own (``pn5180_map``); the commands of a configuration without one raise SimFault.
"""

from __future__ import annotations

from collections.abc import Callable

from hwsim.chips import pn5180_map as m
from hwsim.chips.pn5180_registers import Registers
from hwsim.core import SimFault


class RfConfigurations:
    """The memory of one chip; ``programs()``: whether it takes what is written; ``refuse(cause)``: a command fails."""

    def __init__(
        self, registers: Registers, name: str, programs: Callable[[], bool], refuse: Callable[[int], None]
    ) -> None:
        self._registers = registers
        self._name = name
        self._programs = programs
        self._refuse = refuse
        self._memory = {number: dict(content) for number, content in m.RF_CONFIGURATIONS.items()}

    def load(self, frame: bytes) -> None:
        """Put two configurations, of transmitter and receiver, into the registers."""
        if len(frame) != 3:
            self._refuse(m.SYNTAX_ERROR)
            return
        tx, rx = frame[1], frame[2]
        keep = m.KEEP_CONFIGURATION
        if (tx != keep and tx not in m.TX_CONFIGURATIONS) or (rx != keep and rx not in m.RX_CONFIGURATIONS):
            self._refuse(m.PARAMETER_ERROR)
            return
        if tx != keep:
            self._registers.transceiver.tx_configuration = tx
        if rx != keep:
            self._registers.transceiver.rx_configuration = rx
        for number in (tx, rx):
            for address, value in self._memory.get(number, {}).items():
                self._registers.write(address, value)

    def update(self, frame: bytes) -> None:
        """Program entries of (configuration, register, value), up to 42."""
        count, rest = divmod(len(frame) - 1, 6)
        if rest or not 1 <= count <= 42:
            self._refuse(m.SYNTAX_ERROR if rest else m.PARAMETER_ERROR)
            return
        for at in range(1, len(frame), 6):
            number, register = frame[at], frame[at + 1]
            content = self._known(number)
            if content is None or not self._programs():
                return
            if not self._registers.exists(register):
                raise SimFault(
                    f"{self._name}: RF configuration {number:02X} with register {register:02X}, which does not exist"
                )
            content[register] = int.from_bytes(frame[at + 2 : at + 6], "little")

    def size(self, frame: bytes) -> bytes:
        """How many registers a configuration has; nothing when there is none of this number."""
        content = self._known(frame[1])
        return b"" if content is None else bytes((len(content),))

    def content(self, frame: bytes) -> bytes:
        """Address and value of each of its registers; nothing when there is none of this number."""
        content = self._known(frame[1]) or {}
        return b"".join(bytes((address,)) + value.to_bytes(4, "little") for address, value in content.items())

    def _known(self, number: int) -> dict[int, int] | None:
        if number not in m.TX_CONFIGURATIONS and number not in m.RX_CONFIGURATIONS:
            self._refuse(m.PARAMETER_ERROR)
            return None
        if number not in self._memory:
            raise SimFault(f"{self._name}: content of RF configuration {number:02X} is not modelled")
        return self._memory[number]
