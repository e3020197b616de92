"""The settings in two copies: whichever is whole, and of the highest version, is in force, and mends the other.

Entry points: :func:`read` (what is in force), :func:`mend` (both alike again). Needed at the start only. A file is
written beside its place and then takes it, and one copy is whole at every instant (``docs/integrity.md``).
"""

import json
import os

from sabot.wire.kept import COPY, kept, split

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_FILES = ("config.json", "keys.json", "deck.json")
_BESIDE = "settings.new"


def read(path: str) -> "Any":
    """The value in force of a settings file, whichever copy it is from.

    Raises:
        OSError: there is neither the file nor a whole copy of it.
        ValueError: the file is no JSON or not whole, and there is no whole copy.
    """
    first, second = _both(path)
    if first and (not second or not first[0] or first[0] >= second[0]):
        return json.loads(first[1])
    if second:
        return json.loads(second[1])
    with open(path):  # OSError where there is none
        raise ValueError("not whole")


def mend(told: "Callable[[str], None]") -> None:
    """Make both copies of every file alike; ``told`` what was not whole, which a new file is no case of."""
    for path in _FILES:
        first, second = _both(path)
        if not first and not second:
            continue  # nothing to read, of which the start has its own opinion
        try:
            if first and not first[0]:
                # New. The copy is first: until the file has its line, it stays the newest, whatever the copy says.
                data = kept(second[0] + 1 if second else 1, first[1])
                _write(COPY + path, data)
                _write(path, data)
            elif first and (not second or second[0] < first[0]):
                _write(COPY + path, kept(first[0], first[1]))
                told(COPY + path + " was not whole: written again from " + path)
            elif second and (not first or first[0] < second[0]):
                _write(path, kept(second[0], second[1]))
                told(path + " was not whole: written again from its copy")
        except OSError:
            told(path + " cannot be written in two copies")


def _both(path: str) -> "tuple[tuple[int, bytes] | None, tuple[int, bytes] | None]":
    """Version and text of file and copy; None for what is missing or not whole. A copy is never new."""
    first = _whole(path)
    if first and not first[0]:
        try:
            json.loads(first[1])
        except ValueError:
            first = None
    second = _whole(COPY + path)
    return first, second if second and second[0] else None


def _whole(path: str) -> "tuple[int, bytes] | None":
    try:
        with open(path, "rb") as file:
            return split(file.read())
    except OSError:
        return None


def _write(path: str, data: bytes) -> None:
    if COPY[:-1] not in os.listdir():
        os.mkdir(COPY[:-1])
    with open(_BESIDE, "wb") as file:
        file.write(data)
    os.rename(_BESIDE, path)
