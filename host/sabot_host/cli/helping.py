"""Help in the language in use: click lays it out, the texts are said sentence by sentence.

Entry points: :class:`SaidFormatter` (what click's contexts format with), :class:`Group` (a group that lists the first
sentence of each command whole), :func:`sentences` (of a help text, as the catalogue has them).

Words in capitals (`FILE`), names of options and examples are what is typed: the same in every language.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator

import click

from sabot_host.lang import language, said

_AS_IT_STANDS = "\b"  # click: the paragraph that begins so keeps its lines
_SENTENCES = re.compile(r"(?<=[.?]) +(?=[A-Z`])")
_EXTRA = re.compile(r"(.*?)(?: {2})?(?:\[([^\[\]]*)\])?", re.DOTALL)  # what click adds to an option's help
_DEFAULT = "default:"
_PARAGRAPHS = re.compile(r"\n[ \t]*\n")


def sentences(text: str) -> list[str]:
    """The sentences of a paragraph, wherever its lines are broken."""
    return _SENTENCES.split(" ".join(text.split()))


def _paragraph(text: str) -> str:
    if text.startswith(_AS_IT_STANDS):
        return "\n".join(said(line) for line in text.split("\n"))
    return " ".join(said(sentence) for sentence in sentences(text))


def _option(text: str) -> str:
    found = _EXTRA.fullmatch(text)
    if found is None or not found[2]:
        return _paragraph(text)
    extra = "; ".join(_note(each) for each in found[2].split("; "))
    return f"{_paragraph(found[1])}  [{extra}]" if found[1] else f"[{extra}]"


def _note(text: str) -> str:
    """What click says of an option; the value that holds without it is typed as it stands."""
    if text.startswith(_DEFAULT):
        return f"{said(_DEFAULT)} {text.removeprefix(_DEFAULT).strip()}"
    return said(text)


class SaidFormatter(click.HelpFormatter):
    """Says what click writes. English goes through untouched."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """The line of usage."""
        if language() != "en":
            prefix = said("Usage:") + " "
            args = args.replace("COMMAND [ARGS]...", said("COMMAND [ARGS]..."))
        super().write_usage(prog, args, prefix)

    def write_heading(self, heading: str) -> None:
        """A section's heading."""
        super().write_heading(said(heading))

    def write_text(self, text: str) -> None:
        """Help and epilog, paragraph by paragraph."""
        if language() != "en":
            text = "\n\n".join(_paragraph(each) for each in _PARAGRAPHS.split(text))
        super().write_text(text)

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        """Options and commands, each with its help."""
        if language() != "en":
            rows = [(first, _option(second)) for first, second in rows]
        super().write_dl(rows, col_max, col_spacing)


class Group(click.Group):
    """A group of commands."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands, each with the whole first sentence of its help."""
        with formatter.section("Commands"):
            formatter.write_dl(list(self.summaries(ctx)))

    def summaries(self, ctx: click.Context) -> Iterator[tuple[str, str]]:
        """Each command and the first sentence of its help."""
        for name in self.list_commands(ctx):
            command = self.get_command(ctx, name)
            if command is not None:
                yield name, sentences(inspect.cleandoc(command.help or ""))[0]
