"""``sabot sim torture``: random play while everything fails."""

from __future__ import annotations

import json
from collections.abc import Collection

import click

from sabot_host.errors import Exit, UsageError
from sabot_host.sim import torture as torturing
from sabot_host.sim.fuzz import GAMES


@click.command("torture", short_help="Cut the power, rot bits, pull cables; judge it.")
@click.option("--seed", type=click.IntRange(0), help="Of everything that is drawn; 0 unless told.")
@click.option("--seeds", help="More than one: from the first to the last, as in 1-20.")
@click.option("--rounds", type=click.IntRange(1, 1000), default=torturing.ATTEMPTS, show_default=True, help="To try.")
@click.option("--game", type=click.Choice(GAMES), default="three_card", show_default=True, help="The game.")
@click.option(
    "--seats", type=click.IntRange(2, 7), default=torturing.SEATS, show_default=True, help="Seats of the table."
)
@click.option("--faults", help="Only these of the seed's faults, by their numbers: 2,5; or none.")
@click.option("--calm", is_flag=True, help="People do nothing beside playing.")
@click.option(
    "--shorten/--whole", default=True, show_default=True, help="Leave out what a violation does not need, or nothing."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a seed.")
def torture_command(
    seed: int | None,
    seeds: str | None,
    rounds: int,
    game: str,
    seats: int,
    faults: str | None,
    calm: bool,
    shorten: bool,
    as_json: bool,
) -> Exit:
    """Let random people play while power, memory, readers, clock, cable and host fail (docs/torture.md)."""
    keep = None if faults is None else _numbers(faults)
    if seed is not None and seeds is not None:
        raise UsageError("sim-seeds", "--seed and --seeds exclude each other", "give one of them")
    numbers = range(seed or 0, (seed or 0) + 1) if seeds is None else _range(seeds)
    if keep:
        for number in numbers:
            _among(keep, number, rounds)
    good = True
    for number in numbers:
        result = torturing.torture(game, number, seats=seats, attempts=rounds, keep=keep, calm=calm)
        good = good and result.good
        if as_json:
            click.echo(json.dumps(torturing.as_dict(result)))
        else:
            click.echo(torturing.line(result))
        if not result.good and not as_json:
            for text in torturing.lines(torturing.shortened(result) if shorten else result):
                click.echo(text)
    return Exit.OK if good else Exit.FINDING


def _among(keep: Collection[int], seed: int, rounds: int) -> None:
    """UsageError where that seed's life has no fault of such a number: it would be another life than was meant."""
    most = len(torturing.plan(seed, rounds).faults)
    if not all(1 <= number <= most for number in keep):
        raise UsageError("sim-faults", f"seed {seed} has the faults 1 to {most}", "give numbers as in 2,5, or none")


def _range(text: str) -> range:
    """The numbers that ``A-B`` names."""
    first, dash, last = text.partition("-")
    if not (dash and first.isdecimal() and last.isdecimal() and int(first) <= int(last)):
        raise UsageError("sim-seeds", f"{text} names no seeds", "give the first and the last, as in 1-20")
    return range(int(first), int(last) + 1)


def _numbers(text: str) -> list[int]:
    if text == "none":
        return []
    try:
        return [int(word) for word in text.split(",")]
    except ValueError:
        raise UsageError("sim-faults", f"{text} is no list of numbers", "give numbers as in 2,5, or none") from None
