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

from sabot_host.monitor.changes import named
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
    picture: Picture | None, title: Title, events: Sequence[str], lines: int = 0, below: Sequence[Text] = ()
) -> RenderableType:
    """The whole screen: head, seats, ``below``, then the dealer's display beside what is open and the last events.

    It fits a terminal of so many ``lines`` (0: no limit), with as many events as there is room for.
    """
    seats = 0 if picture is None else 1 + len(picture.seats)
    room = max(lines - _HEAD - seats - len(below), _PANE)
    parts: list[RenderableType] = [_head(picture, title)]
    if picture is not None and picture.seats:
        parts.append(_seats(picture))
    parts += below
    happened = _happened(picture, events, room)
    parts.append(happened if picture is None else _beside(_display(picture), happened))
    return Group(*parts)


def _head(picture: Picture | None, title: Title) -> Panel:
    words = Text()
    if picture is not None and picture.state:
        sign, style = SIGNS[picture.bar]
        words.append(sign * _BAR, style)
        words.append(f"  {picture.state.upper().replace('_', ' ')}", "bold")
        words.append(f"  round {picture.round}  gate {'open' if picture.gate else 'shut'}")
        seat, page, pages = picture.paying
        if seat:
            words.append(f"  paying seat {seat} ({page}/{pages})")
    elif picture is not None:
        words.append(f"does not play: {picture.refused or 'not ready'}", "bold red")
    words.append("\n" if words else "")
    words.append(title.link, title.style)
    return Panel(words, title=title.table, title_align="left")


def _seats(picture: Picture) -> RenderableType:
    bets = list(dict.fromkeys(spot.bet for spot in picture.spots))
    table = Table(box=None, expand=True, padding=(0, 1))
    table.add_column("seat", width=4)
    table.add_column("state", width=8)
    for bet in bets:
        table.add_column(bet)
    for seat in picture.seats:
        state = Text("HELD" if seat.held else seat.state, "bold yellow" if seat.held else _STATES.get(seat.state, ""))
        cells = {spot.bet: _spot(spot) for spot in picture.of_seat(seat.number)}
        table.add_row(str(seat.number), state, *(cells.get(bet, Text()) for bet in bets))
    return table


def _spot(spot: Spot) -> Text:
    """Lamp, amount that lies there in how many chips, and the amount locked where it is another one."""
    sign, style = SIGNS[spot.lamp]
    cell = Text.assemble((sign, style))
    if spot.chips or spot.seen:
        cell.append(f" {money(spot.seen)} ({spot.chips})")
    if spot.locked and spot.locked != spot.seen:
        cell.append(f" locked {money(spot.locked)}", "bold yellow" if spot.state == "locked" else "grey50")
    return cell


def _display(picture: Picture) -> RenderableType:
    """The dealer's display, letter by letter as it is there."""
    lines = [line.ljust(DISPLAY_COLUMNS)[:DISPLAY_COLUMNS] for line in picture.lines]
    if not lines:
        lines = ["", "(no display)".center(DISPLAY_COLUMNS)]
    lines += [" " * DISPLAY_COLUMNS] * (DISPLAY_LINES - len(lines))
    return Panel(Text("\n".join(lines), "bright_cyan"), title="display", width=DISPLAY_COLUMNS + 4, height=_PANE)


def _wrong(picture: Picture) -> list[Text]:
    """Irregularities and faults, a line each."""
    lines = [Text(f"{issue.number}: {named(issue)}", "bold yellow") for issue in picture.issues]
    lines += [Text(fault, "bold red") for fault in picture.faults]
    if picture.full:
        lines.append(Text("the journal is full: pull and acknowledge it", "bold red"))
    if len(lines) > _ISSUES:
        lines = [*lines[: _ISSUES - 1], Text(f"... and {len(lines) - _ISSUES + 1} more")]
    return lines


def _happened(picture: Picture | None, events: Sequence[str], height: int) -> Panel:
    """What is open, and below it the last events, in a panel of so many lines."""
    shown = _wrong(picture) if picture is not None else []
    room = height - _FRAME - len(shown)
    shown += [Text(event) for event in events[-room:]] if room > 0 else []
    body = Text("\n", no_wrap=True, overflow="ellipsis").join(shown)
    return Panel(body, title="irregularities, faults, events", height=height)


def _beside(left: RenderableType, right: RenderableType) -> Table:
    """Two parts side by side: the left one as wide as it is, the other with the rest."""
    grid = Table.grid(expand=True)
    grid.add_column(width=DISPLAY_COLUMNS + 4)
    grid.add_column(ratio=1)
    grid.add_row(left, right)
    return grid


def money(cents: int) -> str:
    """An amount in words."""
    return f"{cents // 100}.{cents % 100:02d}"
