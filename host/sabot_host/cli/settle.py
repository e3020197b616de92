"""`sabot settle`: rounds as JSON Lines on standard input, one line of results each on standard output.

Entry point: `command`. The work is in `sabot_host.settle`; with `--on-device` the lines go to MicroPython instead
(`sabot_host.settle_device`) and the answers are the same bytes.
"""

import sys

import click

from sabot_host.cli.surroundings import mention
from sabot_host.errors import FileError
from sabot_host.settle import bounded_lines, settle_stream

EPILOG = """\b
Example:
  echo '{"game": "three_card", "decks": 1, "dealer": ["Qs","3c","2d"],
  "players": [{"cards": ["2c","3d","5h"], "decision": "play",
  "bets": {"ante": 1000, "play": 1000}}]}' | tr -d '\\n' | sabot settle

Amounts are cents. A line that cannot be settled is answered by an error that names the article of the by-law; the
next line is read all the same, and the exit status is then 1. Every game's fields: docs/settle.md.
"""


@click.command("settle", epilog=EPILOG)
@click.option("--on-device", is_flag=True, help="Settle on MicroPython, the controller's interpreter.")
def command(on_device: bool) -> int:
    """Settle rounds read from standard input, one JSON object a line, by the firmware's own rules."""
    if sys.stdin is None:
        raise FileError(
            "input-missing", "there is no standard input to read rounds from", "sabot settle < rounds.jsonl"
        )
    if sys.stdin.isatty():
        mention("Rounds, one JSON object a line; Ctrl-D ends:")
    lines = bounded_lines(sys.stdin.buffer)
    if not on_device:
        return settle_stream(lines, sys.stdout)
    from sabot_host.settle_device import DeviceSettler

    with DeviceSettler() as device:
        return settle_stream(lines, sys.stdout, device.answer)
