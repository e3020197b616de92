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


class Catalogue:
    """The texts of one ``language``. ``entries`` are English templates and theirs, ``words`` those of codes."""

    def __init__(self, language: str, entries: dict[str, str], words: dict[str, str] | None = None) -> None:
        self.language = language
        self.words = words or {}
        self._whole = {text: other for text, other in entries.items() if not _PART.search(text)}
        parted = [text for text in entries if _PART.search(text)]
        # The one with most of its own words first: it says most.
        self._parted = [(text, entries[text]) for text in sorted(parted, key=lambda each: -len(_PART.sub("", each)))]
        self._patterns: dict[str, re.Pattern[str]] = {}

    def said(self, text: str, depth: int = 0) -> str:
        """A line in this language; as it is when no template is its own."""
        if text in self._whole:
            return self._whole[text]
        for template, other in self._parted if depth < _DEEPEST else ():
            start = _PART.search(template)
            if start is None or not text.startswith(template[: start.start()]):
                continue
            if depth and sum(letter.isalpha() for letter in _PART.sub("", template)) < _LETTERS:
                continue
            found = self._pattern(template).fullmatch(text)
            if found is not None:
                parts = {name: self.said(part, depth + 1) for name, part in found.groupdict().items()}
                return other.format(**parts)
        return self._of_something(text, depth) if depth < _DEEPEST else text

    def _of_something(self, text: str, depth: int) -> str:
        """What is told of a file, a field or a part, ``tables.toml: a text is expected``: the name stays as it is."""
        name, _, what = text.partition(": ")
        known = self.said(what, depth + 1) if what else what
        return text if known == what else name + COLON + known

    def _pattern(self, template: str) -> re.Pattern[str]:
        if template not in self._patterns:
            pieces = _PART.split(template)  # text, name, text, name, …, text
            made = "".join(f"(?P<{piece}>.*?)" if at % 2 else re.escape(piece) for at, piece in enumerate(pieces))
            self._patterns[template] = re.compile(made, re.DOTALL)
        return self._patterns[template]


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
