"""`sabot completion`: what a shell needs to complete the command's words. Entry point: `command`."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from sabot_host.cli.main import COMPLETE
from sabot_host.errors import MissingPartError

SHELLS = ("bash", "zsh", "fish")
EPILOG = """\b
Examples:
  sabot completion bash > ~/.local/share/bash-completion/completions/sabot
  sabot completion zsh > ~/.zfunc/_sabot
  sabot completion fish > ~/.config/fish/completions/sabot.fish
"""


@click.command("completion", epilog=EPILOG)
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def command(ctx: click.Context, shell: str) -> None:
    """Print the script that lets SHELL complete commands, options and files. Put it where SHELL looks for such."""
    found = get_completion_class(shell)
    if found is None:
        raise MissingPartError(
            "completion-none", f"this click knows no {shell}", "update click, or choose another shell"
        )
    root = ctx.find_root().command
    click.echo(found(root, {}, "sabot", COMPLETE).source())
