"""The file that says what a house's tables are: TOML, one file for one table or for forty.

Entry points: :func:`read` (a file to a :class:`House`), :class:`TablePlan`. The fields of a table are those of
docs/configuration.md; ``[defaults]`` holds for every table, ``[[table]]`` says what differs. Whether the fields hold
together is judged by the controller itself, before it takes them (:mod:`sabot_host.provision.board`).
"""

from __future__ import annotations

import math
import tomllib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sabot.rules import games
from sabot_host.errors import FileError, UsageError
from sabot_host.files import SETTINGS_BYTES, read_bytes

VERSION = 1
ANTENNAS_A_READER = 8
MOST_SEATS = 7
_LONGEST_LINE = 4096
_HOUSE_FIELDS = ("house", "casino", "keys", "defaults", "table")
# What a table has besides its configuration.
_OWN_FIELDS = ("seats", "deck", "serial", "accept_paytable")


@dataclass(frozen=True)
class TablePlan:
    """One table: ``config`` is its config.json; ``decks`` the files of its cards: one, two that take turns, or none.

    ``serial`` is the board's serial number, or empty where any board will do; ``accept_paytable`` names the roles that
    accept a paytable which favours the player.
    """

    number: int
    config: Mapping[str, Any]
    decks: tuple[Path, ...]
    serial: str
    accept_paytable: tuple[str, ...]


@dataclass(frozen=True)
class House:
    """All tables of a file, and the folder of their keys."""

    name: str
    keys: Path
    tables: tuple[TablePlan, ...]

    def table(self, number: int | None) -> TablePlan:
        """The table of that number; without one, the only table. UsageError when there is none, or more than one."""
        numbers = ", ".join(str(table.number) for table in self.tables)
        if number is None:
            if len(self.tables) == 1:
                return self.tables[0]
            raise UsageError("table-several", f"the file has several tables: {numbers}", "choose one with --table")
        for table in self.tables:
            if table.number == number:
                return table
        raise UsageError("table-unknown", f"the file has no table {number}", f"its tables are {numbers}")


def read(path: Path) -> House:
    """Read a house's file. FileError names the field that is wrong."""
    values = _toml(path)
    for name in values:
        if name not in _HOUSE_FIELDS:
            raise _wrong(path, name, "no field of the house; fields of a table belong under [defaults] or [[table]]")
    defaults, tables = values.get("defaults", {}), values.get("table", [])
    if not isinstance(defaults, dict):
        raise _wrong(path, "defaults", "a table of fields is expected")
    if not isinstance(tables, list) or not tables or not all(isinstance(table, dict) for table in tables):
        raise _wrong(path, "table", "one [[table]] at least is expected")
    plans = tuple(_plan(path, values, {**defaults, **table}) for table in tables)
    for number, count in Counter(plan.number for plan in plans).items():
        if count > 1:
            raise _wrong(path, "table", f"the number {number} is there twice")
    return House(str(values.get("house", "")), path.parent / str(values.get("keys", "keys")), plans)


def _toml(path: Path) -> dict[str, Any]:
    data = read_bytes(path, SETTINGS_BYTES)
    try:
        # A name of ten thousand parts takes a parser minutes.
        if any(len(line) > _LONGEST_LINE for line in data.splitlines()):
            raise ValueError(f"a line is longer than {_LONGEST_LINE} bytes")
        return tomllib.loads(data.decode())
    except (ValueError, RecursionError) as error:
        what = "nested too deep" if isinstance(error, RecursionError) else error
        raise FileError(
            "house-no-toml", f"{path.name} is no TOML: {what}", "mend it, or begin with --template"
        ) from error


def _wrong(path: Path, field: str, what: str) -> FileError:
    return FileError(
        "house-field", f"{path.name}: {field}: {what}", "mend the file: docs/configuration.md lists the fields"
    )


def _plan(path: Path, house: Mapping[str, Any], fields: Mapping[str, Any]) -> TablePlan:
    number = fields.get("table")
    if not isinstance(number, int) or isinstance(number, bool):
        raise _wrong(path, "table", "each [[table]] has its number, as table = 12")
    config: dict[str, Any] = {"version": VERSION, "casino": house.get("casino")}
    config.update((name, value) for name, value in fields.items() if name not in _OWN_FIELDS)
    for name, value in config.items():
        if not _is_plain(value):
            raise _wrong(path, name, "a text, a number, yes or no, or a list or table of them is expected")
    if "readers" not in config:
        config["readers"] = _readers(path, config, fields.get("seats"))
    decks = fields.get("deck", [])
    decks = [decks] if isinstance(decks, str) else decks
    serial = fields.get("serial", "")
    accept = fields.get("accept_paytable", [])
    if not isinstance(decks, list) or not all(isinstance(deck, str) for deck in decks):
        raise _wrong(path, "deck", "the name of a file is expected, or a list of them")
    if not isinstance(serial, str):
        raise _wrong(path, "serial", "a text is expected")
    if not isinstance(accept, list) or not all(isinstance(role, str) for role in accept):
        raise _wrong(path, "accept_paytable", "a list of roles is expected")
    return TablePlan(number, config, tuple(path.parent / deck for deck in decks), serial, tuple(accept))


def _is_plain(value: Any) -> bool:
    """Whether the board's configuration, which is JSON, can hold it: dates, ``nan`` and ``inf`` are TOML's alone."""
    if isinstance(value, dict):
        return all(map(_is_plain, value.values()))
    if isinstance(value, list):
        return all(map(_is_plain, value))
    return isinstance(value, str | int | None) or (isinstance(value, float) and math.isfinite(value))


def _readers(path: Path, config: Mapping[str, Any], seats: Any) -> list[list[list[Any]]]:
    """The spots on consecutive antennas, seat by seat, bet by bet: the wiring of the reference table."""
    if isinstance(seats, int) and not isinstance(seats, bool):
        seats = list(range(1, min(seats, MOST_SEATS + 1) + 1))
    if not isinstance(seats, list) or not seats or not all(isinstance(seat, int) for seat in seats):
        raise _wrong(path, "seats", "a number of seats, or a list of them, is expected (or readers)")
    if len(seats) > MOST_SEATS:
        raise _wrong(path, "seats", f"at most {MOST_SEATS}")
    game = config.get("game")
    if game not in games.GAMES:
        raise _wrong(path, "game", "one of " + " ".join(games.GAMES))
    spots = [[seat, bet.name] for seat in seats for bet in games.load(game).bets]
    return [spots[first : first + ANTENNAS_A_READER] for first in range(0, len(spots), ANTENNAS_A_READER)]
