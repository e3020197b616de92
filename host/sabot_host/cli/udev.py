"""`sabot udev`: the rule that lets people use boards without being root (Linux). Entry point: `command`."""

from __future__ import annotations

import click

from sabot_host.cli.surroundings import echo
from sabot_host.flash import udev

EPILOG = """\b
Examples:
  sabot udev --print
  sudo sabot udev --install
"""


@click.command("udev", epilog=EPILOG)
@click.option("--install", "install_it", is_flag=True, help="Write the rule and have it read (as root).")
@click.option("--print", "print_it", is_flag=True, help="Print the rule; the default.")
def command(install_it: bool, print_it: bool) -> None:
    """Show or install the rule that lets people use boards without being root."""
    if print_it or not install_it:
        click.echo(f"# {udev.PATH}")
        click.echo(udev.rules(), nl=False)
    if install_it:
        changed = udev.install()
        udev.reload()
        echo(f"{udev.PATH} {'written' if changed else 'is up to date'}: unplug the boards and plug them in again")
