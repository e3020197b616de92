"""Text of others, made fit to be shown. Entry point: :func:`printable`."""

from __future__ import annotations


def printable(text: str) -> str:
    """The text without what a terminal would obey: control characters stand as they are written, ``\\x1b``."""
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)
