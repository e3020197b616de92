"""Every command that `sabot` has, found by walking, and words that are good enough for its parameters.

Entry points: `LEAVES` (commands by the words that call them), `Parameter`, `parameters` (all of one kind), `words_for`.
A new command is in all of it as soon as it stands in the table of commands.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import click

from sabot_host.cli.main import cli
from sabot_host.cli.values import GROWING_FILE, IN_FILE, OUT_FILE
from tests.host.journal_table import KEY

ALSO = {("sim", "screenshot"): ["--end"], ("flash",): ["--yes"], ("provision",): ["--table", "1", "--yes"]}
"""What a command wants beside its required parameters, before it looks at a file."""


def _leaves(command: click.Command, words: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    if not isinstance(command, click.Group):
        yield words, command
        return
    context = click.Context(command)
    for name in command.list_commands(context):
        found = command.get_command(context, name)
        assert found is not None
        yield from _leaves(found, (*words, name))


LEAVES = dict(_leaves(cli, ()))


class Parameter(NamedTuple):
    """One parameter of one command."""

    command: tuple[str, ...]
    name: str

    @property
    def id(self) -> str:
        """For the names of tests."""
        return "-".join((*self.command, self.name))


def parameters(wanted: Callable[[click.Parameter], bool]) -> list[Parameter]:
    """The parameters of all commands for which ``wanted`` holds."""
    return [
        Parameter(words, param.name or "")
        for words, command in LEAVES.items()
        for param in command.params
        if wanted(param)
    ]


def of_type(kind: object) -> list[Parameter]:
    """The parameters of all commands whose type is ``kind``."""
    return parameters(lambda param: param.type is kind)


WITH_KEY = tuple(Parameter(words, "port") for words in (("journal", "rounds"), ("staff", "on"), ("staff", "off")))
"""What takes a key's file with this parameter, though it could come in another way, and does nothing without one."""


def words_for(parameter: Parameter, value: str, folder: Path) -> list[str]:
    """A command line that gives the parameter this value, and every other one that it needs a good one."""
    given = list(ALSO.get(parameter.command, []))
    if parameter in WITH_KEY:
        given += ["--key-file", _key(folder)]
    arguments = []
    for param in LEAVES[parameter.command].params:
        if param.name == parameter.name:
            good = value
        elif param.required and param.opts[0] not in given:
            good = _good(param, folder)
        else:
            continue
        if isinstance(param, click.Argument):
            arguments.append(good)
        else:
            given += [param.opts[0], good]
    return [*parameter.command, *given, "--", *arguments]


def _key(folder: Path) -> str:
    key = folder / "good.key"
    key.write_text(KEY.hex())
    return str(key)


def _good(param: click.Parameter, folder: Path) -> str:
    kind = param.type
    if isinstance(kind, click.Choice):
        return str(kind.choices[0])
    if isinstance(kind, click.IntRange):
        return str(kind.min)
    if kind is IN_FILE and param.name == "file":
        journal = folder / "good.sabotlog"
        if not journal.exists():
            from sabot_host.journal.pull import pull
            from tests.host.journal_table import Table

            pull(Table(rounds=1), journal, bytes(16))
        return str(journal)
    if kind is IN_FILE and param.name == "bundle":
        release = folder / "good.sabot"
        if not release.exists():
            from sabot_host.release import bundle
            from tests.release.test_bundle import made

            release.write_bytes(bundle.write(made()))
        return str(release)
    if kind is IN_FILE:
        return _key(folder)
    if kind in (OUT_FILE, GROWING_FILE):
        return str(folder / "out")
    keys = folder / "keys"
    keys.mkdir(exist_ok=True)
    return str(keys)
