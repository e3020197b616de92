"""Every word of the dealer's display, in French and English.

Entry points: `say`, ``SEAT``, ``FRENCH``, ``ENGLISH``, ``LANGUAGES``. One line an entry: key, text. The groups are
searched as they stand: a table of objects would take four times the memory. Each language is a module, loaded when
something is said in it; of the latest the words are kept that are often said. For the others it is loaded again, so
that whoever has it said can let it go (`SELDOM`).

Placeholders: ``{p}`` seat 1 to 7, ``{b}`` code of a bet spot (at most 4 characters), ``{m}`` money (at most 7; see
`pages.fit` for more), ``{k}`` one digit, ``{n}`` at most 6 digits, ``{id}`` at most 8 characters. No text is wider than
21 characters then. The names of bets and hands, and of what is announced, are the by-law's own (67.22 to 67.88).
What players may read names no cheating; "RIEN NE VA PLUS" is never shortened.
"""

try:
    from micropython import const
except ImportError:

    def const(value: int) -> int:
        """Stand in for MicroPython's compile-time constant."""
        return value


try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FRENCH = const(0)
ENGLISH = const(1)
LANGUAGES = const(2)

SEAT = "PS"  # before a seat's number, by language

SELDOM = ("words_fr", "words_en", "menu_page")
"""Modules of this package that need not stay in the heap once what they are for has been shown."""

_KEPT: "dict[int, dict[str, str]]" = {}  # the groups of one language, without what is seldom said


def _module(language: int) -> "Any":
    if language == FRENCH:
        from sabot.display import words_fr

        return words_fr
    from sabot.display import words_en

    return words_en


def _groups(language: int) -> "dict[str, str]":
    if language not in _KEPT:
        _KEPT.clear()
        _KEPT[language] = _module(language).GROUPS
    return _KEPT[language]


def say(key: str, language: int, **values: object) -> str:
    """Text of an entry, named GROUP_NAME as in ``ph_lock``, its placeholders filled.

    Raises:
        KeyError: there is no such entry, or a placeholder's value is missing.
    """
    group, name = key.split("_", 1)
    table = _groups(language).get(group, "")
    at = table.find("\n" + name + "|")
    if at < 0:
        table = _module(language).MORE.get(group, "")
        at = table.find("\n" + name + "|")
    if at < 0:
        raise KeyError(key)
    at += len(name) + 2
    text = table[at : table.find("\n", at)]
    return text.format(**values) if "{" in text else text
