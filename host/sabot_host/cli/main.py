"""The frame of the `sabot` command: finds the command asked for, runs it, and words every failure in two lines.

Entry points: `main()`, which the installed `sabot` script calls, and `COMMANDS`, the table of commands.

To add a command, write a module beside this one and a line in `COMMANDS`:

* the module holds a click command or group named `command`;
* its function returns an `Exit` status, or None for success, and prints results on standard output only;
* what goes wrong is raised as a `SabotError` family of `sabot_host.errors`; nothing else prints errors.

The module is imported only when its command runs, so that `sabot --help` and every other command stay quick:
heavy imports (the simulator, pyserial, transitions) belong at the top of the command's module, not here.
"""

from __future__ import annotations

import contextlib
import errno
import importlib
import os
import sys
import traceback
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import click

from sabot_host.cli.helping import Group, SaidFormatter
from sabot_host.cli.surroundings import Ended, discard, endable, flush, in_two_lines, mention, streams_ready
from sabot_host.errors import Exit, FileError, MissingPartError, SabotError, how_to_install
from sabot_host.lang import LANGUAGES, said, use

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


class Entry(NamedTuple):
    """One line of the table of commands: the module beside this one, and what `sabot --help` says of it."""

    module: str
    summary: str


COMMANDS: dict[str, Entry] = {
    "attest": Entry("attest", "Have a board prove, over a challenge, that it holds a release and no other byte."),
    "badge": Entry("badge", "Enrol, revoke and list the staff's badges at a table."),
    "build": Entry("build", "Make a release from the sources: for boards with MicroPython, or for blank ones."),
    "completion": Entry("completion", "Print what a shell needs to complete the words of this command."),
    "config": Entry("config", "Read a table's settings, compare them with the house's file, change one."),
    "console": Entry("console", "Show the frames between this computer and a controller, decoded."),
    "devices": Entry("devices", "List controllers and blank boards, and what each is doing."),
    "diag": Entry("diag", "Test a table: its parts, each antenna, each key; with a technician at it, or alone."),
    "flash": Entry("flash", "Write a release or a UF2 file onto a board, and read its version back."),
    "journal": Entry("journal", "Pull, verify and show a table's audit journal."),
    "monitor": Entry("monitor", "Show a table live: seats, bets, lamps, display, irregularities, faults."),
    "odds": Entry("odds", "Count the odds of a game's bets exactly, with the best decisions."),
    "provision": Entry("provision", "Commission a table: settings, keys and deck onto a board."),
    "repl": Entry("repl", "Reach the MicroPython prompt of a table that is not sealed; its journal says so."),
    "rules": Entry("rules", "Print the rule sheet of a game, in French or English."),
    "seal": Entry(
        "seal", "Seal tables: no prompt, no flashing, no other settings or keys until two people unseal them."
    ),
    "settle": Entry("settle", "Settle rounds: JSON Lines in, one line of results each."),
    "staff": Entry("staff", "Sign dealers and supervisors on and off; rule on what is open."),
    "sim": Entry("sim", "Run a simulated table: scenarios and the demonstration."),
    "status": Entry("status", "Show what a controller says of itself."),
    "time": Entry("time", "Set the controller's clock."),
    "unseal": Entry("unseal", "Take the seal off tables, with the technician's and the supervisor's keys."),
    "udev": Entry("udev", "Show or install the rule that lets people use boards without being root (Linux)."),
}


COMPLETE = "_SABOT_COMPLETE"
"""Environment variable by which a shell asks for completions."""


LANGUAGE = "SABOT_LANG"
"""Environment variable with the language of what is said to people."""


class Settings:
    """What the options before the command's name say; the frame makes one for each run."""

    def __init__(self) -> None:
        self.debug = os.environ.get("SABOT_DEBUG", "") not in ("", "0")


class CommandTable(Group):
    """A click group whose commands are looked up in `COMMANDS` and imported when they run."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names in the order that help shows them."""
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command's module. Raises MissingPartError when a library that it needs is not installed."""
        entry = COMMANDS.get(cmd_name)
        if entry is None:
            return None
        try:
            module = importlib.import_module(f"sabot_host.cli.{entry.module}")
        except ModuleNotFoundError as missing:
            if (missing.name or "").split(".")[0] in ("sabot_host", "sabot"):
                raise
            raise MissingPartError(
                "part-missing",
                f"'sabot {cmd_name}' needs {missing.name}, which is not installed",
                how_to_install("sim") + "   (the simulator: x86-64 Linux)",
            ) from missing
        command = module.command
        if not isinstance(command, click.Command):
            raise TypeError(f"{module.__name__}.command is no click command")
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Commands from the table alone, and options: completion imports no command before its name is whole."""
        from click.shell_completion import CompletionItem

        names = [name for name in self.list_commands(ctx) if name.startswith(incomplete)]
        found = [CompletionItem(name, help=said(COMMANDS[name].summary)) for name in names]
        return found + click.Command.shell_complete(self, ctx, incomplete)

    def summaries(self, ctx: click.Context) -> Iterator[tuple[str, str]]:
        """Names and summaries from the table alone: help imports no command."""
        yield from ((name, COMMANDS[name].summary) for name in self.list_commands(ctx))


def _print_version(ctx: click.Context, _param: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        from importlib.metadata import version

        click.echo(f"sabot {version('sabot')}")
        ctx.exit()


def _use(ctx: click.Context, _param: click.Parameter, value: str | None) -> None:
    if value is not None and not ctx.resilient_parsing:
        use(value)


@click.group(cls=CommandTable, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--debug", is_flag=True, help="On an error, show where in the program it came from.")
@click.option(
    "--lang",
    type=click.Choice(LANGUAGES),
    is_eager=True,
    expose_value=False,
    callback=_use,
    help="Language of what is said, help too (also SABOT_LANG); JSON and codes stay as they are.",
)
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_print_version, help="Show the version."
)
@click.pass_context
def cli(ctx: click.Context, debug: bool) -> None:
    """Sabot: the controller of a casino card table, and the tools around it."""
    settings = ctx.ensure_object(Settings)
    settings.debug = settings.debug or debug
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit status (`sabot_host.errors.Exit`).

    Args:
        arguments: the words after `sabot`; None takes them from the process.
    """
    settings = Settings()
    words = list(sys.argv[1:] if arguments is None else arguments)
    streams_ready()
    click.Context.formatter_class = SaidFormatter
    with endable():
        try:
            use(os.environ.get(LANGUAGE) or "en")
            return _judged(words, settings)
        except SabotError as known:
            return _fail(known, settings)
        except KeyboardInterrupt as stop:
            return _fail(_stopped(stop), settings)


def _judged(words: list[str], settings: Settings) -> int:
    """Run one command line; its status, or a SabotError (KeyboardInterrupt) for whatever went wrong."""
    try:
        if sys.stdout is None:
            raise FileError(
                "output-missing", "there is no standard output to write to", "do not close it: use >/dev/null"
            )
        status = _complete() if os.environ.get(COMPLETE) else _run(words, settings)
        flush(sys.stdout)
    except click.exceptions.NoArgsIsHelpError as help_wanted:
        mention(help_wanted.format_message())
        return Exit.USAGE
    except click.ClickException as misuse:
        path = misuse.ctx.command_path if isinstance(misuse, click.UsageError) and misuse.ctx else "sabot"
        raise SabotError("usage", misuse.format_message(), f"{path} --help", Exit.USAGE) from misuse
    except click.Abort as stop:
        if isinstance(stop.__context__, EOFError):
            raise FileError("input-ended", "the input ended before the last answer", "answer to the end") from stop
        raise KeyboardInterrupt from stop
    except BrokenPipeError:
        discard(sys.stdout)
        return Exit.PIPE
    except OSError as failure:
        raise _worded(failure) from failure
    except SabotError:
        raise
    except Exception as mistake:
        what = f"a mistake in sabot itself: {type(mistake).__name__}: {mistake}"
        raise SabotError("internal", what, "run it with --debug, report what it prints", Exit.INTERNAL) from mistake
    return status


def _complete() -> int:
    """Answer a shell that asks for the words that may come next (`sabot completion`)."""
    from click.shell_completion import shell_complete

    return shell_complete(cli, {}, "sabot", COMPLETE, os.environ[COMPLETE])


def _run(words: list[str], settings: Settings) -> int:
    """Run click without its own handling of errors, Ctrl-C and closed pipes, which differs from ours."""
    try:
        with cli.make_context("sabot", words, obj=settings) as ctx:
            result = cli.invoke(ctx)
    except click.exceptions.Exit as wanted:
        return wanted.exit_code
    return Exit.OK if result is None else int(result)


def _stopped(stop: KeyboardInterrupt) -> SabotError:
    if isinstance(stop, Ended):
        return SabotError("ended", f"stopped by {stop}", "run it again", Exit.ENDED)
    return SabotError("interrupted", "stopped by Ctrl-C", "run it again", Exit.INTERRUPTED)


def _fail(error: SabotError, settings: Settings) -> int:
    """Print one error as two lines, what and what to do, and return its exit status."""
    with contextlib.suppress(OSError):  # what was printed before has its place before the error, where it still has one
        flush(sys.stdout)
    try:
        if settings.debug:
            traceback.print_exception(error)
        print(in_two_lines(error), file=sys.stderr)
        flush(sys.stderr)
    except OSError:
        discard(sys.stderr)  # nobody can be told; the exit status says it
    return error.exit_status


def _worded(failure: OSError) -> SabotError:
    """Word an operating system's error that no command worded itself."""
    what = failure.strerror or str(failure)
    file = failure.filename2 or failure.filename  # of two names, the second is the one to be made
    where = f"{file}: " if file else ""
    hints = {
        errno.ENOENT: "check the name",
        errno.EACCES: "check who may read and write it",
        errno.EISDIR: "name a file in it",
        errno.ENOSPC: "free some space and run it again",
    }
    hint = hints.get(failure.errno or 0, "check that the file or device is there and may be used")
    return FileError("file-access", f"{where}{what}", hint)
