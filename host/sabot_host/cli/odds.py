"""`sabot odds GAME`: exact probabilities, house edge and element of risk of each bet, and the best decisions.

Entry point: `command`. The work is in `sabot_host.odds`, which needs the extra `odds`.
"""

import json
import sys
from pathlib import Path

import click

from sabot.rules.games import GAMES, load
from sabot_host.cli.surroundings import mention
from sabot_host.cli.values import OUT_FILE
from sabot_host.errors import MissingPartError, UsageError, how_to_install

EPILOG = """\b
Example:
  sabot odds three_card --decks 1 --bet ante

All deals of the packs are counted, none is sampled; decisions are the best ones. The edge of a main bet is a share of
one ante, whatever else must or may be staked with it; the element of risk is a share of everything staked.
"""


@click.command("odds", epilog=EPILOG)
@click.argument("game", type=click.Choice(GAMES))
@click.option("--decks", type=int, help="Packs in play; the fewest that the game allows, if not given.")
@click.option("--bet", "only", metavar="BET", help="Only this bet.")
@click.option("--plot", type=OUT_FILE, help="Also draw the results into this PNG.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(game: str, decks: int | None, only: str | None, plot: Path | None, as_json: bool) -> None:
    """Count the odds of a game's bets exactly, from the rules that the firmware settles by."""
    try:
        from sabot_host.odds import analysis, report

        if plot is not None:
            from sabot_host.odds.plot import draw
    except ModuleNotFoundError as missing:
        raise MissingPartError(
            "odds-part-missing",
            f"'sabot odds' needs {missing.name}, which is not installed",
            how_to_install("odds"),
        ) from missing
    rules = load(game)
    packs = rules.decks[0] if decks is None else decks
    if packs not in rules.decks:
        allowed = " or ".join(str(each) for each in rules.decks)
        raise UsageError("odds-decks", f"{game} is played with {allowed} packs", f"--decks {rules.decks[0]}")
    names = analysis.names(rules)
    if only is not None and only not in names:
        raise UsageError(
            "odds-bet", f"{only} is no bet of {game} with odds of its own", f"choose from {', '.join(names)}"
        )
    if sys.stderr.isatty():
        mention("counting all deals: seconds to a minute with one pack, some minutes with two")
    odds = analysis.analyse(rules, packs, only)
    if plot is not None:
        draw(odds, plot)
    if not as_json:
        click.echo(report.as_text(odds))
        return
    click.echo(json.dumps(report.as_json(odds)))
    for warning in report.warnings(odds):
        mention(f"warning: {warning}")
