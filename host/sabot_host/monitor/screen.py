"""A picture of a table, drawn for a terminal of 80 columns and 24 lines, or more.

Entry points: :func:`render`, :class:`Title`.

A lamp is a sign and a colour, so that neither alone says what it means.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from sabot_host.lang import CODED, Tongue
from sabot_host.monitor.changes import named, of_part
from sabot_host.monitor.picture import Picture, Spot

SIGNS = {
    "off": ("·", "grey50"),
    "open": ("○", "green"),
    "locked": ("■", "red"),
    "attention": ("▲", "yellow"),
    "settled": ("□", "white"),
    "fault": ("✖", "magenta"),
}
"""Sign and colour of each state of a lamp."""
DISPLAY_COLUMNS = 21
DISPLAY_LINES = 8
_ISSUES = 6
_FRAME = 2  # lines of a panel's border
_HEAD = 2 + _FRAME
_PANE = DISPLAY_LINES + _FRAME
_BAR = 8
_STATES = {"deciding": "bold", "held": "yellow", "out": "grey50", "folded": "grey50", "empty": "grey50"}


class Title(NamedTuple):
    """What stands above the picture: the table and its game, and how the link is, in words and a colour."""

    table: str
    link: str
    style: str


def render(
    picture: Picture | None,
    title: Title,
    events: Sequence[str],
    lines: int = 0,
    below: Sequence[Text] = (),
    tongue: Tongue = CODED,
) -> RenderableType:
    """The whole screen: head, seats, ``below``, then the dealer's display beside what is open and the last events.

    It fits a terminal of so many ``lines`` (0: no limit), with as many events as there is room for.
    """
    seats = 0 if picture is None else 1 + len(picture.seats)
    room = max(lines - _HEAD - seats - len(below), _PANE)
    parts: list[RenderableType] = [_head(picture, title, tongue)]
    if picture is not None and picture.seats:
        parts.append(_seats(picture, tongue))
    parts += below
    happened = _happened(picture, events, room, tongue)
    parts.append(happened if picture is None else _beside(_display(picture, tongue), happened))
    return Group(*parts)


def _head(picture: Picture | None, title: Title, tongue: Tongue) -> Panel:
    words = Text()
    said = tongue.said
    if picture is not None and picture.state:
        sign, style = SIGNS[picture.bar]
        words.append(sign * _BAR, style)
        words.append(f"  {tongue.word('table', picture.state).upper().replace('_', ' ')}", "bold")
        words.append("  " + said(f"round {picture.round}"))
        words.append("  " + said("gate open" if picture.gate else "gate shut"))
        seat, page, pages = picture.paying
        if seat:
            words.append("  " + said(f"paying seat {seat} ({page}/{pages})"))
    elif picture is not None:
        words.append(said(f"does not play: {picture.refused or 'not ready'}"), "bold red")
    words.append("\n" if words else "")
    words.append(title.link, title.style)
    return Panel(words, title=title.table, title_align="left")


def _seats(picture: Picture, tongue: Tongue) -> RenderableType:
    bets = list(dict.fromkeys(spot.bet for spot in picture.spots))
    table = Table(box=None, expand=True, padding=(0, 1))
    table.add_column(tongue.said("seat"), width=5)
    table.add_column(tongue.said("state"), width=8)
    for bet in bets:
        table.add_column(tongue.word("bet", bet))
    for seat in picture.seats:
        style = "bold yellow" if seat.held else _STATES.get(seat.state, "")
        state = Text(tongue.said("HELD") if seat.held else tongue.word("seat", seat.state), style)
        cells = {spot.bet: _spot(spot, tongue) for spot in picture.of_seat(seat.number)}
        table.add_row(str(seat.number), state, *(cells.get(bet, Text()) for bet in bets))
    return table


def _spot(spot: Spot, tongue: Tongue) -> Text:
    """Lamp, amount that lies there in how many chips, and the amount locked where it is another one."""
    sign, style = SIGNS[spot.lamp]
    cell = Text.assemble((sign, style))
    if spot.chips or spot.seen:
        cell.append(f" {tongue.money(spot.seen)} ({spot.chips})")
    if spot.locked and spot.locked != spot.seen:
        style = "bold yellow" if spot.state == "locked" else "grey50"
        cell.append(" " + tongue.said(f"locked {tongue.money(spot.locked)}"), style)
    return cell


def _display(picture: Picture, tongue: Tongue) -> RenderableType:
    """The dealer's display, letter by letter as it is there."""
    lines = [line.ljust(DISPLAY_COLUMNS)[:DISPLAY_COLUMNS] for line in picture.lines]
    if not lines:
        lines = ["", tongue.said("(no display)").center(DISPLAY_COLUMNS)]
    lines += [" " * DISPLAY_COLUMNS] * (DISPLAY_LINES - len(lines))
    return Panel(
        Text("\n".join(lines), "bright_cyan"), title=tongue.said("display"), width=DISPLAY_COLUMNS + 4, height=_PANE
    )


def _wrong(picture: Picture, tongue: Tongue) -> list[Text]:
    """Irregularities and faults, a line each."""
    lines = [Text(f"{issue.number}: {named(issue, tongue)}", "bold yellow") for issue in picture.issues]
    lines += [Text(of_part(fault, tongue), "bold red") for fault in picture.faults]
    if picture.full:
        lines.append(Text(tongue.said("the journal is full: pull and acknowledge it"), "bold red"))
    if len(lines) > _ISSUES:
        more = len(lines) - _ISSUES + 1
        lines = [*lines[: _ISSUES - 1], Text(tongue.said(f"... and {more} more"))]
    return lines


def _happened(picture: Picture | None, events: Sequence[str], height: int, tongue: Tongue) -> Panel:
    """What is open, and below it the last events, in a panel of so many lines."""
    shown = _wrong(picture, tongue) if picture is not None else []
    room = height - _FRAME - len(shown)
    shown += [Text(event) for event in events[-room:]] if room > 0 else []
    body = Text("\n", no_wrap=True, overflow="ellipsis").join(shown)
    return Panel(body, title=tongue.said("irregularities, faults, events"), height=height)


def _beside(left: RenderableType, right: RenderableType) -> Table:
    """Two parts side by side: the left one as wide as it is, the other with the rest."""
    grid = Table.grid(expand=True)
    grid.add_column(width=DISPLAY_COLUMNS + 4)
    grid.add_column(ratio=1)
    grid.add_row(left, right)
    return grid
