"""The text of a house's file: to be filled in, or filled in by the dialogue.

Entry points: :func:`template` (to be filled in), :func:`house_text`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

_HEAD = """\
# The tables of a house, for: sabot provision FILE [--table NUMBER]
# Fields of a table are those of docs/configuration.md. [defaults] holds for every table; a [[table]] says what differs.
# Money in cents. Keys are made where they are missing, in the folder `keys`; guard that folder.

"""
_TABLE_HEAD = """\
# deck: a file with a line a card, UID,card (e00401500a1b2c3d,As); for two decks that take turns a list of two.
# serial: the board's number, if it must be a certain one.
"""
EXAMPLE: Mapping[str, Any] = {
    "game": "three_card",
    "seats": 5,
    "language": "fr",
    "limits": {"ante": [500, 50000], "pair_plus": [100, 10000]},
}


def house_text(name: str, casino: int, defaults: Mapping[str, Any], tables: list[Mapping[str, Any]]) -> str:
    """The file of a house with these defaults and tables."""
    parts = [_HEAD, _fields({"house": name, "casino": casino, "keys": "keys"}), "\n[defaults]\n", _fields(defaults)]
    parts.append("\n" + _TABLE_HEAD)
    parts += ["[[table]]\n" + _fields(table) + "\n" for table in tables]
    return "".join(parts).rstrip("\n") + "\n"


def template(tables: int) -> str:
    """A file for so many tables, to be filled in."""
    numbers = range(1, tables + 1)
    return house_text("", 514, EXAMPLE, [{"table": number, "deck": f"decks/table-{number}.csv"} for number in numbers])


def _fields(fields: Mapping[str, Any]) -> str:
    return "".join(f"{name} = {_value(value)}\n" for name, value in fields.items())


def _value(value: Any) -> str:
    """A TOML value; texts, numbers and lists are written as in JSON, objects inline."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{name} = {_value(inner)}" for name, inner in value.items()) + "}"
    return json.dumps(value, ensure_ascii=False)
