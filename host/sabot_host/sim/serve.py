"""A table in real time for other programs: its USB port is a pseudo-terminal of this computer.

Entry points: :func:`serve`, :class:`PseudoPort` (the pseudo-terminal, wired to the simulated port).
"""

from __future__ import annotations

import os
import pty
import signal
import termios
import tty
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

from hwsim.table import SimTable
from sabot.rules import games
from sabot_host.errors import FileError
from sabot_host.sim.dealer import Dealer
from sabot_host.sim.floor import Floor
from sabot_host.sim.play import Session
from sabot_host.sim.players import Player

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


def _end(number: int, frame: object) -> NoReturn:
    raise KeyboardInterrupt


def serve(say: Callable[[str], None], link: Path | None, config: dict[str, Any], seed: int, players: bool) -> None:
    """Run a table until interrupted, or told to end. FileError when ``link`` cannot be made."""
    before = signal.signal(signal.SIGTERM, _end)
    with Session(config, seed=seed, realtime=True) as session:
        session.table.start()
        port = PseudoPort(session.table)
        linked = False
        try:
            if link is not None:
                _link(link, port.name)
                linked = True
            name = link or port.name
            say(f"a table is at {name}: sabot status --port {name}   (Ctrl-C ends it)")
            if players:
                _play(session, seed)
            while True:
                session.table.run_for(1000)
        except KeyboardInterrupt:
            say("the table is switched off")
        finally:
            port.close()
            if link is not None and linked:
                link.unlink(missing_ok=True)
            signal.signal(signal.SIGTERM, before)


def _link(link: Path, name: str) -> None:
    if link.is_symlink():
        link.unlink()
    try:
        link.symlink_to(name)
    except FileExistsError as error:
        raise FileError("sim-link-there", f"{link} is there already", "name another, or remove it") from error


def _play(session: Session, seed: int) -> None:
    """Rounds without an end; nobody bets late, since no supervisor is there."""
    floor = Floor(session)
    game = games.load(session.table.config["game"])
    dealer = Dealer(floor, game)
    players = {seat: Player(floor, game, seat, seed) for seat in floor.seats}
    floor.wait(1000)
    dealer.open_bets()
    while True:
        dealer.round(players)
