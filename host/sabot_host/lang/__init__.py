"""What the tools say, in the language of whoever uses them: English as it stands in the code, French by a catalogue.

Entry points: :func:`use` (for this process), :func:`said` (a text as it is said), :func:`language`, :data:`LANGUAGES`,
:class:`Catalogue`; :class:`Tongue`, which has words for the names of codes too: :data:`CODED` and :func:`spoken`.

The code says everything in English, with what it is about put in: ``table 12 is commissioned: /dev/ttyACM0``. The
catalogue (`fr.po`, gettext's format) has templates: ``table {number} is commissioned: {port}``. So a text is found by
its template, on its way out, and whatever raises an error need not know who will read it. JSON is never translated.
`tools/messages.py` collects the templates from the code; a test holds the catalogue against them. The names that
journal and view share with the firmware (`late`, `betting`) are no texts: each is a word of a table of codes, and has
its entry in `fr_words.po` under that table's name, gettext's context.
"""

from __future__ import annotations

import operator
import re
from importlib.resources import files

from sabot_host.errors import UsageError

LANGUAGES = ("en", "fr")
COLON = " : "
"""French writes a space before it."""
CONTEXT = "\x04"
"""What gettext puts between a context and its text."""
_PART = re.compile(r"\{(\w+)\}")  # braces of the text itself do not occur
_DEEPEST = 3  # a text in a text in a text
_LETTERS = 6  # that a template has to have of its own, to be looked for inside another one's part
_MOST_PIECES = 100
_TABLES = ("bet", "part", "resolution", "role")
"""Tables of codes whose words may stand at a part of a text that has their name."""


class Template:
    """A text with parts, ``table {number} is {state}``, and how one that was made by it is taken apart again."""

    def __init__(self, text: str, other: str) -> None:
        pieces = _PART.split(text)  # text, name, text, name, …, text
        self.other = other
        self.own, self.names = pieces[::2], pieces[1::2]
        self.letters = sum(letter.isalpha() for piece in self.own for letter in piece)
        self._codes = [name for name in self.names if name in (*_TABLES, "seat", "place")]  # one each, not several
        self._counts = self.names == ["x"] and not self.own[0] and len(self.own[1].split()) == 1

    def parts(self, text: str) -> dict[str, str] | None:
        """What stands at its parts, by name; None for another text. Each part is as short as can be.

        One pass, however long the text is. ``{x} lines`` counts something: its part is a number.
        """
        if not (text.startswith(self.own[0]) and text.endswith(self.own[-1])):
            return None
        end = len(text) - len(self.own[-1])
        at = len(self.own[0])
        found = {}
        for name, piece in zip(self.names[:-1], self.own[1:-1], strict=True):
            to = text.find(piece, at, end)
            if to < 0:
                return None
            found[name] = text[at:to]
            at = to + len(piece)
        if at > end:
            return None
        found[self.names[-1]] = text[at:end]
        if self._counts and not text[at:end].isdigit():
            return None
        return None if any(", " in found[name] for name in self._codes) else found


class Catalogue:
    """The texts of one ``language``. ``entries`` are English templates and theirs, ``words`` those of codes."""

    def __init__(self, language: str, entries: dict[str, str], words: dict[str, str] | None = None) -> None:
        self.language = language
        self.words = words or {}
        self._whole = {text: other for text, other in entries.items() if not _PART.search(text)}
        parted = [(text, other) for text, other in entries.items() if _PART.search(text)]
        # The one with most of its own words first: it says most.
        parted.sort(key=lambda each: -len(_PART.sub("", each[0])))
        self._parted = [Template(text, other) for text, other in parted]

    def said(self, text: str, depth: int = 0) -> str:
        """A line in this language; as it is when no template is its own."""
        if text in self._whole:
            return self._whole[text]
        for template in self._parted if depth < _DEEPEST else ():
            if depth and template.letters < _LETTERS:
                continue
            found = template.parts(text)
            if found is not None:
                return template.other.format(**{name: self._put(name, part, depth + 1) for name, part in found.items()})
        return self._of_something(text, depth) if depth < _DEEPEST else text

    def _put(self, name: str, part: str, depth: int) -> str:
        """What stands at a part: a text, or, where the part has the name of a table of codes, a word of it.

        A number may stand behind the word, ``reader 0``; of ``{bets}`` there may be several: ``ante, play``.
        """
        table = name.rstrip("0123456789s")
        words = [self._word(table, each) for each in part.split(", ")] if table in _TABLES else [""]
        return ", ".join(words) if all(words) else self.said(part, depth)

    def _word(self, table: str, text: str) -> str:
        code, space, number = text.partition(" ")
        word = self.words.get(table + CONTEXT + code, "")
        return word and word + space + number

    def _of_something(self, text: str, depth: int) -> str:
        """What is told of a file, a field or a part, ``tables.toml: a text is expected``: the name stays as it is.

        Or texts side by side, ``seat 1 ante, seat 2 play``, when there is a word for each.
        """
        name, _, what = text.partition(": ")
        if what:
            known = self.said(what, depth + 1)
            return text if known == what else name + COLON + known
        pieces = text.split(", ")
        if not 1 < len(pieces) <= _MOST_PIECES:
            return text
        known_pieces = [self.said(each, depth) for each in pieces]
        return text if any(map(operator.eq, pieces, known_pieces)) else ", ".join(known_pieces)


def read(text: str) -> dict[str, str]:
    """The entries of a catalogue in gettext's format: ``msgid`` and ``msgstr``, each on a line of its own.

    Where a ``msgctxt`` stands before it, the entry is named `context` + :data:`CONTEXT` + `msgid`.
    """
    from sabot_host.files import json_of  # no English start waits for it

    entries: dict[str, str] = {}
    context = key = ""
    for line in text.splitlines():
        word, _, value = line.partition(" ")
        if word == "msgctxt":
            context = json_of(value) + CONTEXT
        elif word == "msgid":
            key, context = context + json_of(value), ""
        elif word == "msgstr" and key:
            entries[key] = json_of(value)
    return entries


def catalogue(language: str) -> Catalogue:
    """The catalogue of a language other than English."""
    texts, words = (
        read((files(__name__) / f"{language}{part}.po").read_text(encoding="utf-8")) for part in ("", "_words")
    )
    return Catalogue(language, texts, words)


_used: list[Catalogue] = []


def use(language: str) -> None:
    """Say everything in this language from now on. UsageError when it is none of `LANGUAGES`."""
    if language not in LANGUAGES:
        raise UsageError("language-unknown", f"there is no language {language}", "one of " + " ".join(LANGUAGES))
    _used[:] = [] if language == "en" else [catalogue(language)]


def language() -> str:
    """The language in use."""
    return _used[0].language if _used else LANGUAGES[0]


def said(text: str) -> str:
    """The text as it is said, line by line."""
    if not _used:
        return text
    return "\n".join(_used[0].said(line) for line in text.split("\n"))


class Tongue:
    """English, with the names of codes as they are: what programs read."""

    colon = ": "

    def said(self, text: str) -> str:
        """A text."""
        return text

    def word(self, table: str, name: str) -> str:
        """The word for a name of a table of codes."""
        return name

    def money(self, cents: int) -> str:
        """An amount, whole and two decimals."""
        return f"{cents // 100}.{cents % 100:02}"


class _Foreign(Tongue):
    """The language in use, where it is another one."""

    colon = COLON

    def said(self, text: str) -> str:
        return said(text)

    def word(self, table: str, name: str) -> str:
        return _used[0].words.get(table + CONTEXT + name, name)

    def money(self, cents: int) -> str:
        return super().money(cents).replace(".", ",")


CODED = Tongue()


def spoken() -> Tongue:
    """How people are spoken to."""
    return _Foreign() if _used else CODED
