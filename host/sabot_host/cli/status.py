"""`sabot status`: what a controller says of itself and of its table. Entry point: `command`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import click
from rich.table import Table

from sabot.wire.codes import place_seat
from sabot_host.cli.meant import Meant, several
from sabot_host.cli.port import PORT, greeted
from sabot_host.cli.screen import screen
from sabot_host.errors import Exit
from sabot_host.lang import said, spoken
from sabot_host.link.client import Client
from sabot_host.link.serial_port import SerialTransport, find_port
from sabot_host.monitor.changes import of_part

EPILOG = """\b
Examples:
  sabot status
  sabot status --port /dev/ttyACM0 --json
  sabot status --all
"""


@click.command("status", epilog=EPILOG)
@PORT
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@several
def command(port: str | None, as_json: bool, meant: Meant) -> int:
    """Show what a controller says of itself: table, game, state, bets, journal, faults. Needs no key.

    Of several tables it shows a line each.
    """
    meant.one_way(port, "--port")
    if meant.several:
        from sabot_host.cli.tables import on_each  # what finds boards is not loaded for one port

        code, _ = on_each(lambda bus, device, reporter: _asked(device.port), meant, _line, as_json, lambda told: told)
        return code
    status = _asked(port)
    if as_json:
        click.echo(json.dumps(status, ensure_ascii=False))
        return Exit.OK
    table = status["table"]
    facts = Table(show_header=False, box=None, title=said(f"Table {table}"), title_justify="left")
    for name, value in _facts(status):
        facts.add_row(said(name), said(value))
    console = screen()
    console.print(facts)
    spots = _get(status, "round", "spots")
    if spots:
        console.print(_bets(spots))
    return Exit.OK


def _asked(port: str | None) -> dict[str, Any]:
    name = port or find_port()
    client = Client(SerialTransport(name))
    try:
        hello = greeted(client, name)
        status: dict[str, Any] = {
            "version": hello.version,
            "unique_id": hello.unique_id.hex(),
            "sealed": hello.sealed,
            "table": hello.table,
            "game": hello.game,
            "boot": hello.boot,
        }
        status.update(client.status())
        return status
    finally:
        client.close()


_IN_A_LINE = ("game", "ready", "refuses to play", "fault", "state")


def _line(status: dict[str, Any]) -> str:
    """The table in one line: game, what keeps it from playing, faults, state."""
    told = [f"{said(name)}: {said(value)}" for name, value in _facts(status) if name in _IN_A_LINE]
    return "; ".join(told)


def _get(status: dict[str, Any], *names: str) -> Any:
    """A value some levels down; None when the controller does not tell it."""
    value: Any = status
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


_SIGNERS = {"development": "the development key, which everybody has", "none": "nobody"}


def _facts(status: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Lines of the overview: what is known, in words; what this tool has no words for, as it came."""
    yield "controller", f"{status['unique_id']}, version {status['version']}, boot {status['boot']}"
    yield "sealed", "yes" if status["sealed"] else "no"
    yield "game", status["game"] or "none"
    yield "ready", "yes" if status.get("ready") else "no"
    refused = status.get("refused")
    if isinstance(refused, dict):
        yield "refuses to play", f"{said(str(refused.get('text')))} [{refused.get('code')}]"
    for part, fault in sorted((status.get("faults") or {}).items()):
        yield "fault", of_part(f"{part}: {fault}", spoken())
    journal = status.get("journal")
    if isinstance(journal, dict):
        waiting = journal["last"] - max(journal["acknowledged"], journal["first"] - 1)
        share = 100 * journal["used"] // max(journal["capacity"], 1)
        full = "; FULL: no round opens before a pull with --ack" if journal.get("full") else ""
        yield (
            "journal",
            f"records {journal['first']} to {journal['last']}, {waiting} not acknowledged, {share} % used{full}",
        )
    game = status.get("round")
    if isinstance(game, dict):
        state = spoken().word("table", str(game.get("state")))
        yield "state", f"{state}, round {game.get('round')}, gate {'open' if game.get('gate') else 'shut'}"
        for issue in game.get("issues") or ():
            kind = spoken().word("kind", str(issue["kind"]))
            seat = f", seat {place_seat(issue['place'])}" if issue["place"] else ""
            yield f"irregularity {issue['id']}", f"{kind}{seat}, severity {issue['severity']}"
    signer = status.get("signer")
    if signer:
        yield "signed by", _SIGNERS.get(str(signer), str(signer))
    known = {
        *("unique_id", "version", "boot", "sealed", "game", "table"),
        *("ready", "refused", "faults", "journal", "round", "signer"),
    }
    for name in sorted(set(status) - known):
        yield name, json.dumps(status[name], ensure_ascii=False)


def _bets(spots: list[dict[str, Any]]) -> Table:
    table = Table(*(said(name) for name in ("seat", "bet", "state", "seen", "locked")), box=None)
    for spot in spots:
        seen, locked = (_amount(spot[name]) for name in ("seen", "locked"))
        bet, state = spoken().word("bet", spot["bet"]), spoken().word("spot", str(spot["state"]))
        table.add_row(str(place_seat(spot["place"])), bet, state, seen, locked)
    return table


def _amount(cents: Any) -> str:
    """An amount in cents as units with two decimals; nothing for none."""
    if not isinstance(cents, int) or cents <= 0:
        return ""
    return spoken().money(cents)
