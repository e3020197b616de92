"""The simulated controller's USB port as a pseudo-terminal of this computer, for programs outside the simulation.

Entry point: :class:`PseudoPort`.
"""

from __future__ import annotations

import os
import pty
import termios
import tty

from hwsim.table import SimTable

_READ_BYTES = 4096


class PseudoPort:
    """Bytes both ways between a table in real time and whoever opens :attr:`name`."""

    def __init__(self, table: SimTable) -> None:
        self._cdc = table.fabric.cdc
        self._clock = table.controller.realtime
        self._far, self._near = pty.openpty()
        tty.setraw(self._near, termios.TCSANOW)
        os.set_blocking(self._far, False)
        self.name = os.ttyname(self._near)
        self._cdc.on_data = self._to_program
        self._cdc.on_attach = self._attached
        self._clock.watch(self._far, self._from_program)
        self._attached(self._cdc.attached)

    def _attached(self, there: bool) -> None:
        if there:
            self._cdc.host_open()

    def _to_program(self, data: bytes) -> None:
        try:
            os.write(self._far, data)
        except BlockingIOError:
            return  # nobody reads: the terminal's buffer is full, as a port's would be

    def _from_program(self) -> None:
        try:
            data = os.read(self._far, _READ_BYTES)
        except BlockingIOError:
            return
        self._cdc.host_write(data)

    def close(self) -> None:
        """Take the port away."""
        self._clock.unwatch(self._far)
        self._cdc.on_data = self._cdc.on_attach = None
        os.close(self._far)
        os.close(self._near)
