"""What an acceptance test found: judged against an earlier one, kept as JSON, shown as a page with a picture.

Entry points: :class:`Report`, :func:`read` (an earlier one), :func:`differences`, :func:`page`, :func:`picture`.
"""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from sabot_host.diag.antennas import GOOD, POOR, Antenna
from sabot_host.diag.bench import FAILED, Check
from sabot_host.diag.self_test import Air
from sabot_host.errors import FileError
from sabot_host.files import SETTINGS_BYTES, json_of, read_bytes
from sabot_host.lang import language, said, spoken

FORMAT = 1
WORSE = 0.05
"""A rate that fell by more than this since the reference is told."""
_CELL, _MARGIN, _RADIUS = 90, 60, 34
_COLOURS = ("#2e8b57", "#e0a800", "#c0392b")
_STYLE = """
body { font: 11pt sans-serif; margin: 2cm; } table { border-collapse: collapse; }
td, th { border: 1px solid #888; padding: 2px 8px; text-align: left; } .failed { background: #f6c7c1; }
"""


class Report(NamedTuple):
    """One test of one table; ``tested`` is the time as text, ``technician`` whether somebody was there."""

    table: int
    unique_id: str
    version: str
    game: str
    tested: str
    technician: bool
    checks: list[Check]
    antennas: list[Antenna]
    air: list[Air]

    @property
    def passed(self) -> bool:
        """Whether nothing failed."""
        return all(check.result != FAILED for check in self.checks)

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        values = {**self._asdict(), "format": FORMAT, "passed": self.passed}
        values["checks"] = [check._asdict() for check in self.checks]
        values["antennas"] = [{**one._asdict(), "rate": one.rate} for one in self.antennas]
        values["air"] = [{**one._asdict(), "rate": one.rate} for one in self.air]
        return values


def read(path: Path) -> dict[str, Any]:
    """An earlier report's values. FileError when the file holds none."""
    try:
        values = json_of(read_bytes(path, SETTINGS_BYTES))
        if values["format"] != FORMAT:
            raise ValueError
        for one in values["antennas"]:
            float(one["rate"]), int(one["seat"]), str(one["bet"])
        for one in values.setdefault("air", []):  # a report of an earlier version has none
            float(one["rate"]), int(one["antenna"]), int(one["tags"])
        str(values["version"]), str(values["unique_id"]), str(values["tested"])
        if not isinstance(values["passed"], bool):
            raise ValueError
    except (ValueError, KeyError, TypeError, OverflowError) as error:
        raise FileError(
            "diag-reference", f"{path} is no report of sabot diag", "name another folder, or make it anew: --reference"
        ) from error
    return dict(values)


def differences(report: Report, before: Mapping[str, Any]) -> list[Check]:
    """What differs from the reference: only antennas that read worse have failed."""
    found = []
    tested = before["tested"]
    for name, value in (("version", report.version), ("unique_id", report.unique_id), ("game", report.game)):
        if before.get(name) != value:
            found.append(Check(f"{name} since {tested}", "changed", f"{before.get(name)} was {name}, now {value}"))
    rates = {(one["seat"], one["bet"]): float(one["rate"]) for one in before["antennas"]}
    for one in report.antennas:
        old = rates.get((one.seat, one.bet))
        if old is not None and one.rate < old - WORSE:
            words = f"{100 * one.rate:.0f} % where it was {100 * old:.0f} %"
            found.append(
                Check(f"antenna seat {one.seat} {one.bet} since {tested}", FAILED, words, "what changed there?")
            )
    airs = {(one["antenna"], bool(one["tags"])): float(one["rate"]) for one in before["air"]}
    for air in report.air:
        old = airs.get((air.antenna, bool(air.tags)))
        if old is not None and air.rate < old - WORSE:
            words = f"{100 * air.rate:.0f} % where it was {100 * old:.0f} %"
            found.append(Check(f"{air.name} since {tested}", FAILED, words, "what changed there?"))
    return found


def picture(antennas: Sequence[Antenna | Air]) -> str:
    """The layout as SVG: a column a seat, a row a bet, each antenna in the colour of its rate."""
    seats = sorted({one.seat for one in antennas})
    bets = list(dict.fromkeys(one.bet for one in antennas))
    width, height = _MARGIN + len(seats) * _CELL, _MARGIN + len(bets) * _CELL
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width + _CELL}" height="{height}" font-size="12">']
    for column, seat in enumerate(seats):
        parts.append(_text(_x(column), 30, said(f"seat {seat}")))
    for row, bet in enumerate(bets):
        parts.append(_text(_MARGIN // 2 + 10, _y(row), spoken().word("bet", bet)))
    for one in antennas:
        x, y = _x(seats.index(one.seat)), _y(bets.index(one.bet))
        colour = _COLOURS[0] if one.good else _COLOURS[1] if one.rate >= POOR else _COLOURS[2]
        parts.append(f'<circle cx="{x}" cy="{y}" r="{_RADIUS}" fill="{colour}"/>')
        parts.append(_text(x, y + 4, f"{100 * one.rate:.0f} %", "white"))
    return "".join(parts) + "</svg>"


def _x(column: int) -> int:
    return _MARGIN + _CELL + column * _CELL - _CELL // 2 + 20


def _y(row: int) -> int:
    return _MARGIN + row * _CELL + _CELL // 2 - 10


def _text(x: int, y: int, words: str, colour: str = "black") -> str:
    return f'<text x="{x}" y="{y}" text-anchor="middle" fill="{colour}">{html.escape(words)}</text>'


def _drawn(title: str, antennas: Sequence[Antenna | Air], below: str = "") -> str:
    """A picture with its title; nothing where nothing was measured."""
    return f"<h2>{title}</h2>{picture(antennas)}<p>{below}</p>" if antennas else ""


def page(report: Report) -> str:
    """The report as a page to be printed."""
    title = html.escape(said(f"Table {report.table}: acceptance test, {report.tested}"))
    verdict = said("passed" if report.passed else "NOT passed")
    lines = [
        f"<tr class='{html.escape(check.result)}'>"
        + "".join(f"<td>{html.escape(said(word))}</td>" for word in (check.name, check.result, check.found, check.hint))
        + "</tr>"
        for check in report.checks
    ]
    drawn = _drawn(said("read rates"), report.antennas, said(f"Good from {100 * GOOD:.0f} %."))
    air = [one for one in report.air if one.tags and one.seat]
    drawn += _drawn(said("single requests answered"), air)
    head = "".join(f"<th>{said(each)}</th>" for each in ("what", "result", "found", "what to do"))
    board = html.escape(said(f"Board {report.unique_id}, firmware {report.version}, game {report.game}"))
    return (
        f'<!doctype html>\n<html lang="{language()}"><head><meta charset="utf-8"><title>{title}</title>'
        f"<style>{_STYLE}</style></head><body><h1>{title}</h1><p>{board}{spoken().colon}<b>{verdict}</b></p>{drawn}"
        f"<h2>{said('Checks')}</h2><table><tr>{head}</tr>{''.join(lines)}"
        "</table></body></html>\n"
    )
