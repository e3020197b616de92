"""A table in real time for other programs: its USB port is a pseudo-terminal of this computer.

Entry points: :func:`serve`, :func:`bring_keys`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from hwsim.core import SimFault
from hwsim.process import ControllerDied
from hwsim.provisioning import DEVELOPMENT_KEYS
from hwsim.pseudo_port import PseudoPort
from hwsim.scenario.errors import ScenarioError
from hwsim.scenario.runner import Line
from sabot.rules import games
from sabot_host.errors import FileError, SabotError, UsageError
from sabot_host.provision.keys import KeyFolder
from sabot_host.sim.dealer import Dealer
from sabot_host.sim.floor import Floor, Stuck
from sabot_host.sim.play import Session, perform
from sabot_host.sim.players import Player

STARTS_MS = 1500
"""Within which a table that is switched on has looked at its parts."""


def bring_keys(folder: Path, table: int) -> None:
    """Write the keys of every simulated table as provisioning would. FileError when other keys lie there."""
    KeyFolder(folder).keep(table, DEVELOPMENT_KEYS)


def serve(
    say: Callable[[str], None],
    link: Path | None,
    config: dict[str, Any],
    seed: int,
    players: bool,
    lines: Sequence[str] = (),
) -> None:
    """Run a table until interrupted, or told to end; ``lines`` of a scenario happen at it first.

    FileError when ``link`` cannot be made; UsageError for a line that cannot be said, SabotError for one that cannot be
    or does not hold.
    """
    with Session(config, seed=seed, realtime=True) as session:
        session.table.start()
        if lines:
            session.table.run_for(STARTS_MS)
            _do(session, "\n".join(lines))
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


def _do(session: Session, text: str) -> None:
    stage = session.stage()
    stage.powered = True

    def told(line: Line) -> None:
        if not line.good:
            raise SabotError(
                "sim-line-impossible",
                f"--do: not so: {line.text}: {line.detail}",
                "leave the line out, or make it so first",
            )

    try:
        perform(text, stage, session, told)
    except ScenarioError as error:
        if error.code == "impossible":
            raise SabotError("sim-line-impossible", f"--do: {error.message}", error.hint) from error
        raise UsageError("sim-line", f"--do: {error.message}", error.hint) from error
    except (SimFault, ControllerDied) as error:
        raise SabotError("sim-firmware", f"--do: {error}", "this is a mistake of the firmware: report it") from error
    if not stage.powered:
        raise SabotError("sim-line-impossible", "--do: the power is off at the end", "end with: power on")
    if session.host.plugged:
        session.host.unplug()  # the port is for other programs


def _link(link: Path, name: str) -> None:
    if link.is_symlink():
        # A table that was killed leaves a link that leads nowhere, or to a port whose number is this table's now.
        if link.exists() and str(link.readlink()) != name:
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
