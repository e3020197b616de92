"""The commissioning sheet: one page of HTML that names board, versions, settings and keys of a table, to be signed.

Entry point: :func:`sheet`. It holds no secret: of a key it shows a fingerprint.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from sabot_host.lang import language, said
from sabot_host.provision.board import Commissioned
from sabot_host.provision.house import House, TablePlan
from sabot_host.provision.keys import fingerprint

_STYLE = """
body { font: 11pt sans-serif; margin: 2cm; } h1 { font-size: 16pt; } h2 { font-size: 12pt; margin-top: 1.2em; }
table { border-collapse: collapse; } td, th { border: 1px solid #888; padding: 2px 8px; text-align: left; }
td.fixed { font-family: monospace; } .sign td { height: 1.2cm; width: 8cm; } @page { size: A4; margin: 1.5cm; }
"""


def sheet(
    house: House, plan: TablePlan, found: Commissioned, keys: Mapping[str, bytes], casino_key: bytes, now: datetime
) -> str:
    """The page, for a table that has come back and said that it is ready."""
    config = plan.config
    board = [
        ("Board", found.device.board or "-"),
        ("Serial number", str(found.status["unique_id"])),
        ("USB port", f"{found.device.port} ({found.device.location})"),
        ("Firmware", str(found.status["version"])),
        ("Sealed", said("yes") if found.status["sealed"] else said("no")),
        ("Commissioned", now.isoformat(sep=" ", timespec="minutes")),
    ]
    game = [
        ("Game", str(config.get("game"))),
        ("Packs", str(config.get("decks", 1))),
        ("Deal", str(config.get("deal", "cards"))),
        ("Language", str(config.get("language", "fr"))),
        ("Hash of the configuration", found.config_hash),
        ("Hash of the game", found.game_hash),
    ]
    limits = [(bet, said(f"{_money(low)} to {_money(high)}")) for bet, (low, high) in config.get("limits", {}).items()]
    prints = [("casino", fingerprint(casino_key))] + [(name, fingerprint(key)) for name, key in keys.items()]
    title = said(f"Table {plan.number}") + (f", {house.name}" if house.name else "")
    head = (
        f'<!doctype html>\n<html lang="{language()}"><head><meta charset="utf-8"><title>{html.escape(title)}</title>'
        f"<style>{_STYLE}</style></head><body>\n"
        f"<h1>{html.escape(said('Commissioning sheet'))}: {html.escape(title)}</h1>\n"
    )
    signatures = (
        f"<h2>{said('Signatures')}</h2><table class='sign'>"
        f"<tr><th>{said('Technician')}</th><th>{said('Supervisor')}</th></tr>"
        "<tr><td></td><td></td></tr></table>\n</body></html>\n"
    )
    return "".join(
        [
            head,
            _section("Board", board),
            _section("Game", game),
            _section("Limits", limits),
            _wiring(config.get("readers", [])),
            _section("Keys (fingerprints)", prints),
            signatures,
        ]
    )


def _section(title: str, rows: Iterable[tuple[str, str]]) -> str:
    lines = "".join(
        f"<tr><th>{html.escape(said(name))}</th><td class='fixed'>{html.escape(value)}</td></tr>"
        for name, value in rows
    )
    return f"<h2>{html.escape(said(title))}</h2><table>{lines}</table>\n"


def _wiring(readers: list[list[Any]]) -> str:
    """Which spot lies on which antenna, a line a reader."""
    most = max((len(reader) for reader in readers), default=0)
    head = "".join(f"<th>{said(f'antenna {number}')}</th>" for number in range(most))
    lines = []
    for number, reader in enumerate(readers):
        spots = [_spot(spot) for spot in reader] + ["-"] * (most - len(reader))
        lines.append(
            f"<tr><th>{said(f'reader {number}')}</th>"
            + "".join(f"<td>{html.escape(spot)}</td>" for spot in spots)
            + "</tr>"
        )
    return f"<h2>{said('Seats and readers')}</h2><table><tr><th></th>{head}</tr>{''.join(lines)}</table>\n"


def _spot(spot: Any) -> str:
    """What lies on an antenna: a spot, the discard, or nothing."""
    if not isinstance(spot, list):
        return said(str(spot or "-"))
    seat, bet = spot
    return said(f"seat {seat} {bet}")


def _money(cents: int) -> str:
    return f"{cents // 100}.{cents % 100:02} $"
