"""A rule sheet as plain text and as a page of HTML. Entry points: :func:`as_text`, :func:`as_html`, :func:`as_json`."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import asdict
from html import escape
from typing import Any

from sabot_host.sheet.content import Grid, Line, Section, Sheet
from sabot_host.sheet.words import Words

WIDTH = 78
_GAP = 2
_STYLE = """
body { font-family: Georgia, serif; max-width: 46em; margin: 2em auto; padding: 0 1em; line-height: 1.4; color: #111; }
h1 { margin-bottom: 0; } h2 { font-size: 1.1em; margin: 1.4em 0 0.3em; border-bottom: 1px solid #999; }
p { margin: 0.2em 0; } table { border-collapse: collapse; margin: 0.4em 0; }
th, td { text-align: left; padding: 0.15em 1.2em 0.15em 0; vertical-align: top; }
th { font-weight: normal; color: #555; }
.article { color: #555; white-space: nowrap; }
@media print { body { margin: 0; max-width: none; } h2 { break-after: avoid; } table { break-inside: avoid; } }
"""


def as_json(sheet: Sheet) -> dict[str, Any]:
    """The sheet as an object; sections have the same names in every language."""
    return asdict(sheet)


def as_text(sheet: Sheet) -> str:
    """The sheet for a terminal or a printer, 78 columns wide."""
    say = Words(sheet.language)
    head = say("colon", what=say("sheet"), which=sheet.title)
    lines = [head, "=" * len(head)]
    for section in sheet.sections:
        lines += ["", section.title, "-" * len(section.title)]
        for line in section.lines:
            lines += textwrap.wrap(_with_article(line, say), WIDTH, subsequent_indent="  ", break_on_hyphens=False)
        if section.grid is not None:
            lines += _table(section.grid)
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _with_article(line: Line, say: Words) -> str:
    return f"{line.text} ({say('article', article=line.article)})" if line.article else line.text


def _table(grid: Grid) -> Iterator[str]:
    """Rows under their headings; what does not fit the page is wrapped within its column."""
    rows = [grid.columns, *grid.rows]
    widths = [max(len(row[place]) for row in rows) for place in range(len(grid.columns))]
    while sum(widths) + _GAP * (len(widths) - 1) > WIDTH - _GAP:
        widths[widths.index(max(widths))] -= 1
    for row in rows:
        cells = [
            textwrap.wrap(text, width, break_on_hyphens=False) or [""] for text, width in zip(row, widths, strict=True)
        ]
        for number in range(max(map(len, cells))):
            parts = [
                (cell[number] if number < len(cell) else "").ljust(width)
                for cell, width in zip(cells, widths, strict=True)
            ]
            yield " " * _GAP + (" " * _GAP).join(parts)


def as_html(sheet: Sheet) -> str:
    """The sheet as one page that needs nothing beside it, for a browser or a printer."""
    say = Words(sheet.language)
    parts = [
        "<!DOCTYPE html>",
        f'<html lang="{sheet.language}">',
        f'<head><meta charset="utf-8"><title>{escape(sheet.title)}</title><style>{_STYLE}</style></head>',
        f"<body><h1>{escape(sheet.title)}</h1><p>{escape(say('sheet'))}</p>",
    ]
    for section in sheet.sections:
        parts += _html_section(section, say)
    return "\n".join([*parts, "</body></html>"]) + "\n"


def _html_section(section: Section, say: Words) -> Iterator[str]:
    yield f'<section id="{escape(section.name)}"><h2>{escape(section.title)}</h2>'
    for line in section.lines:
        article = ""
        if line.article:
            article = f' <span class="article">({escape(say("article", article=line.article))})</span>'
        yield f"<p>{escape(line.text)}{article}</p>"
    if section.grid is not None:
        yield "<table>"
        yield "<tr>" + "".join(f"<th>{escape(text)}</th>" for text in section.grid.columns) + "</tr>"
        for row in section.grid.rows:
            yield "<tr>" + "".join(f"<td>{escape(text)}</td>" for text in row) + "</tr>"
        yield "</table>"
    yield "</section>"
