"""`sabot udev`: the rule that lets people use boards without being root (Linux). Entry point: `command`."""

from __future__ import annotations

import json

import click

from sabot_host.cli.surroundings import echo
from sabot_host.flash import udev

EPILOG = """\b
Examples:
  sabot udev --print
  sabot udev --json
  sudo sabot udev --install
"""


@click.command("udev", epilog=EPILOG)
@click.option("--install", "install_it", is_flag=True, help="Write the rule and have it read (as root).")
@click.option("--print", "print_it", is_flag=True, help="Print the rule; the default.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(install_it: bool, print_it: bool, as_json: bool) -> None:
    """Show or install the rule that lets people use boards without being root."""
    if as_json:
        written = _installed() if install_it else None
        click.echo(json.dumps({"path": str(udev.PATH), "rules": udev.rules(), "written": written}))
        return
    if print_it or not install_it:
        click.echo(f"# {udev.PATH}")
        click.echo(udev.rules(), nl=False)
    if install_it:
        echo(f"{udev.PATH} {'written' if _installed() else 'is up to date'}: unplug the boards and plug them in again")


def _installed() -> bool:
    changed = udev.install()
    udev.reload()
    return changed
