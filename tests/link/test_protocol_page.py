"""docs/protocol.md says what the code does: its tables and figures are those of the modules."""

from __future__ import annotations

import re
import struct
from pathlib import Path

import pytest

from sabot.wire import frame, parts
from sabot.wire import messages as m
from sabot.wire.codes import ROLES
from tests.link.board import access, link
from tests.link.test_never_waits import TURN_CALLS

PAGE = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")


def table(first: str) -> list[dict[str, str]]:
    """The rows of the table whose first column is called ``first``."""
    lines = PAGE.splitlines()
    start = next(index for index, line in enumerate(lines) if line.startswith(f"| {first} |"))
    names = [cell.strip() for cell in lines[start].strip("|").split("|")]
    rows = []
    for line in lines[start + 2 :]:
        if not line.startswith("|"):
            break
        rows.append(dict(zip(names, (cell.strip() for cell in line.strip("|").split("|")), strict=True)))
    return rows


def test_types() -> None:
    told = {row["name"]: (int(row["type"], 16), row["from"]) for row in table("type")}
    sides = {"D_": "controller", "H_": "host"}
    known = {
        name: (value, sides[name[:2]])
        for name, value in vars(m).items()
        if name[:2] in sides and isinstance(value, int)
    }
    assert told == known


def test_commands_roles_and_what_may_be_repeated() -> None:
    told = [
        (
            int(row["code"], 16),
            row["name"],
            () if row["role"] == "–" else tuple(row["role"].split(", ")),
            row["again"] == "yes",
        )
        for row in table("code")
    ]
    assert told == list(m.COMMANDS)


def test_statuses() -> None:
    told = {row["name"]: int(row["status"]) for row in table("status")}
    assert told == {name: getattr(m, name) for name in told}
    assert sorted(told.values()) == list(range(m.NO_BADGE + 1))


def test_times() -> None:
    told = {row["name"]: int(row["ms"]) for row in table("name")}
    times = {**vars(m), **vars(parts)}
    assert told == {name: value for name, value in times.items() if name.endswith("_MS")}


def test_sizes() -> None:
    told = {row["bytes"]: int(row["most"]) for row in table("bytes")}
    assert told == {"payload": frame.MAX_PAYLOAD, "frame, zero included": frame.MAX_ENCODED}
    assert m.HEADER_SIZE + m.PART_SIZE + m.PART_BYTES + m.MARK_SIZE <= frame.MAX_PAYLOAD
    assert 6 + frame.MAX_ENCODED <= 256, "what may lie behind a mark and the longest frame fit the FIFO"
    assert struct.calcsize(m.PART) == m.PART_SIZE
    longest = m.HEADER_SIZE + 9 + 2 * (1 + m.MAX_TEXT) + struct.calcsize(m.HELLO) + m.MARK_SIZE
    assert longest <= frame.MAX_PAYLOAD, "every hello fits a frame"


@pytest.mark.parametrize(
    ("pattern", "value"),
    [
        (r"Protocol version: \*\*(\d+)\*\*", m.PROTOCOL),
        (r"at most\s+(\d+)\. Protocol version", m.MAX_TEXT),
        (r"parts of up to (\d+) bytes", m.PART_BYTES),
        (r"a reply has at most (\d+) bytes", m.MAX_REPLY),
        (r"locks every role out for (\d+) s", access.FIRST_DELAY_MS // 1000),
        (r"up to (\d+) s; a right one", (access.FIRST_DELAY_MS << access._DOUBLINGS) // 1000),
        (r"Every (\d+) ms the controller takes", link._IDLE_MS),
        (r"takes at most (\d+) bytes and one frame", link._BYTES_A_TURN),
        (r"at most (\d+) calls of `poll`", TURN_CALLS),
    ],
)
def test_figures(pattern: str, value: int) -> None:
    found = re.findall(pattern, PAGE.replace("At most", "at most"))
    assert found == [str(value)]


def test_role_numbers() -> None:
    line = re.search(r"Roles by number: (.*)\.", PAGE)
    assert line
    assert line.group(1) == ", ".join(f"{number} {name}" for number, name in enumerate(ROLES) if number)
