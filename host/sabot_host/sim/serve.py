"""A table in real time for other programs: its USB port is a pseudo-terminal of this computer.

Entry point: :func:`serve`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from hwsim.pseudo_port import PseudoPort
from sabot.rules import games
from sabot_host.errors import FileError
from sabot_host.sim.dealer import Dealer
from sabot_host.sim.floor import Floor, Stuck
from sabot_host.sim.play import Session
from sabot_host.sim.players import Player


def serve(say: Callable[[str], None], link: Path | None, config: dict[str, Any], seed: int, players: bool) -> None:
    """Run a table until interrupted, or told to end. FileError when ``link`` cannot be made."""
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
                try:
                    _play(session, seed)
                except Stuck as error:
                    say(f"the players wait: {error}; the table stays as it is")
            while True:
                session.table.run_for(1000)
        except KeyboardInterrupt:
            say("the table is switched off")
        finally:
            port.close()
            if link is not None and linked and link.is_symlink() and str(link.readlink()) == port.name:
                link.unlink(missing_ok=True)


def _link(link: Path, name: str) -> None:
    if link.is_symlink():
        if link.exists():  # a table that was killed leaves a link that leads nowhere; this one may be another table's
            hint = "end the table that is served there, or name another; or remove it"
            raise FileError("sim-link-there", f"{link} leads to a port already", hint)
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
