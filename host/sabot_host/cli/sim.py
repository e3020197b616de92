"""``sabot sim``: a simulated table that runs the firmware itself."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import click

from hwsim.core import NS_PER_S
from hwsim.provisioning import configuration
from hwsim.scenario.runner import Line
from hwsim.scenario.values import LONGEST_NS, clock
from sabot.rules.games import GAMES
from sabot_host.cli.sim_torture import torture_command
from sabot_host.cli.surroundings import can_ask, echo
from sabot_host.cli.values import GROWING_FILE, IN_FILE, OUT_FILE, OUT_FOLDER, FiniteRange
from sabot_host.errors import Exit, SabotError, UsageError
from sabot_host.files import write_whole
from sabot_host.sim import demo as shown
from sabot_host.sim import fuzz as fuzzing
from sabot_host.sim import parts
from sabot_host.sim.live import live
from sabot_host.sim.play import Outcome, look, play, read
from sabot_host.sim.serve import bring_keys, serve
from sabot_host.sim.tables import Plan, play_all
from sabot_host.sim.view import watch

LANGUAGES = ("fr", "en")


@click.group()
def command() -> None:
    """Run a simulated table: the real firmware on simulated chips, cards and keys."""
    parts.check()


@command.command("run", short_help="Play a scenario and judge its journal.")
@click.argument("scenario", type=IN_FILE)
@click.option("--seed", type=click.IntRange(0), help="Use this seed instead of the scenario's own.")
@click.option("--language", type=click.Choice(LANGUAGES), help="Of the display, instead of the scenario's own.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--journal", type=OUT_FILE, help="Write the pulled journal here.")
def run_command(scenario: Path, seed: int | None, language: str | None, as_json: bool, journal: Path | None) -> Exit:
    """Play a scenario (docs/scenarios.md) in virtual time and judge its journal."""
    script = read(scenario)
    if not as_json:
        click.echo(f"{script.title or scenario.name} ({scenario}, seed {script.seed if seed is None else seed})")
    on_line = (lambda line: None) if as_json else _print_line
    outcome = play(script, seed=seed, language=language, on_line=on_line)
    if journal is not None:
        write_whole(journal, outcome.journal)
    if as_json:
        click.echo(json.dumps(_as_dict(outcome)))
    else:
        for text in outcome.verdict.lines():
            click.echo(text)
        expected = [line.good for line in outcome.lines if line.kind != "act"]
        met = f"{sum(expected)} of {len(expected)} expectations met"
        click.echo(f"{met} in {outcome.seconds:.3f} s of the table's time")
    if outcome.impossible is not None:
        raise outcome.impossible
    return Exit.OK if outcome.good else Exit.FINDING


@command.command("screenshot", short_help="Draw what the dealer sees at an instant.")
@click.argument("scenario", type=IN_FILE)
@click.option("--at", "seconds", type=FiniteRange(0, LONGEST_NS / NS_PER_S), help="Seconds since it began.")
@click.option("--end", is_flag=True, help="When its last line is over.")
@click.option("-o", "--output", required=True, type=OUT_FILE, help="A PNG file.")
@click.option("--seed", type=click.IntRange(0), help="Use this seed instead of the scenario's own.")
@click.option("--language", type=click.Choice(LANGUAGES), help="Of the display, instead of the scenario's own.")
def screenshot_command(
    scenario: Path, seconds: float | None, end: bool, output: Path, seed: int | None, language: str | None
) -> None:
    """Play a scenario and draw what the dealer sees at an instant: the display, and the lamps of the layout."""
    if (seconds is not None) == end:
        raise UsageError("sim-when", "the instant of the picture is missing, or there are two", "give --at or --end")
    parts.check_pillow()
    from sabot_host.sim.picture import Sight, draw  # not installed everywhere

    script = read(scenario)
    seen: list[Sight] = []
    at = None if seconds is None else round(seconds * NS_PER_S)
    impossible = look(
        script, lambda stage: seen.append(Sight.of(stage.table, stage.spots)), at=at, seed=seed, language=language
    )
    picture = io.BytesIO()
    draw(seen[0]).save(picture, "PNG")
    write_whole(output, picture.getvalue())
    click.echo(f"{output}: the table at {clock(seen[0].when)} s")
    if impossible is not None:
        raise impossible


def _print_line(line: Line) -> None:
    mark = {"act": "     ", "expect": "  ok ", "wait": "  .. "}[line.kind] if line.good else "FAIL "
    click.echo(f"{clock(line.when):>9} {mark}{line.text}")
    if line.detail and (line.kind == "expect" or not line.good):
        click.echo(f"{'':15}{line.detail}")


def _as_error(error: SabotError) -> dict[str, str]:
    return {"code": error.code, "message": error.message, "what to do": error.hint}


def _as_dict(outcome: Outcome) -> dict[str, object]:
    lines = [
        {
            "line": line.number,
            "at": line.when / 1e9,
            "kind": line.kind,
            "text": line.text,
            "good": line.good,
            "detail": line.detail,
        }
        for line in outcome.lines
    ]
    verdict = outcome.verdict
    return {
        "good": outcome.good,
        "impossible": None if outcome.impossible is None else _as_error(outcome.impossible),
        "seconds": outcome.seconds,
        "lines": lines,
        "journal": {
            "records": verdict.records,
            "chain": verdict.chain,
            "model": verdict.model,
            "store": verdict.store,
        },
    }


@command.command("demo", short_help="Show full tables that play by themselves.")
@click.option(
    "--game", "chosen", multiple=True, type=click.Choice(GAMES), help="Which game; may be given again for a table more."
)
@click.option("--seats", type=click.IntRange(1, 7), default=shown.SEATS, show_default=True, help="Of each table.")
@click.option("--rounds", type=click.IntRange(1, 1000), default=shown.ROUNDS, show_default=True, help="At each table.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Another seed plays other rounds.")
@click.option("--plain/--live", default=None, help="Print lines, or show the table; the terminal decides otherwise.")
@click.option("--speed", type=FiniteRange(0.1, 20), default=1.0, show_default=True, help="Of the live view.")
def demo_command(chosen: tuple[str, ...], seats: int, rounds: int, seed: int, plain: bool | None, speed: float) -> Exit:
    """Show full tables that play by themselves: Three Card Poker and Bataille, acts beside the rules among them."""
    if plain is False and not sys.stdout.isatty():
        raise UsageError("sim-no-terminal", "--live needs a terminal", "leave it out, or use --plain")
    if plain is None:
        plain = not sys.stdout.isatty()
    plans = [Plan(game, rounds, seats, seed) for game in chosen or shown.GAMES]
    reports = play_all(plans, click.echo) if plain else watch(plans, speed)
    for line in shown.summary(reports):
        click.echo(line)
    return Exit.OK if all(report.good for report in reports) else Exit.FINDING


@command.command("fuzz", short_help="Let random people play and cheat; judge it.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Of everything that is drawn.")
@click.option("--rounds", type=click.IntRange(1, 100_000), default=4, show_default=True, help="How many to play.")
@click.option("--game", type=click.Choice(fuzzing.GAMES), default="three_card", show_default=True, help="The game.")
@click.option("--seats", type=click.IntRange(2, 7), default=7, show_default=True, help="Seats of the table.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def fuzz_command(seed: int, rounds: int, game: str, seats: int, as_json: bool) -> Exit:
    """Let random people play, blunder and cheat, and judge every record (docs/fuzz.md)."""
    result = fuzzing.fuzz(game, seed, rounds, seats=seats)
    if as_json:
        click.echo(json.dumps(fuzzing.as_dict(result)))
    else:
        for line in fuzzing.lines(result, rounds):
            click.echo(line)
    return Exit.OK if result.good else Exit.FINDING


command.add_command(torture_command)


@command.command("play", short_help="Be dealer and players, at the keyboard.")
@click.option("--game", type=click.Choice(GAMES), default=GAMES[0], show_default=True, help="What is played.")
@click.option("--seats", type=click.IntRange(1, 7), default=3, show_default=True, help="Of the table.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Of chips and cards.")
def play_command(game: str, seats: int, seed: int) -> Exit:
    """Be the dealer and the players of a table, at the keyboard, in real time; its journal is judged at the end.

    F opens the table. Capital letters and digits press the keys of the dealer's panel, the space bar draws a card;
    chips and everything else are typed as lines of a scenario (docs/scenarios.md): seat 1 ante 25.00. The screen says
    what can be done next; ? explains a round.
    """
    if not (can_ask() and sys.stdout.isatty()):
        raise UsageError("sim-no-terminal", "playing needs a terminal", "to play what is in a file: sabot sim run")
    verdict = live(game, seats, seed)
    for text in verdict.lines():
        click.echo(text)
    return Exit.OK if verdict.good else Exit.FINDING


@command.command("serve", short_help="Run a table in real time, with a serial port.")
@click.option("--link", type=GROWING_FILE, help="Name of a symbolic link to the table's serial port.")
@click.option("--game", type=click.Choice(GAMES), default=GAMES[0], show_default=True, help="What is played.")
@click.option("--seats", type=click.IntRange(1, 7), default=2, show_default=True, help="Of the table.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Of chips, cards and players.")
@click.option("--idle", is_flag=True, help="Nobody plays.")
@click.option("--do", "lines", multiple=True, metavar="LINE", help="A line of a scenario that happens first.")
@click.option("--keys", type=OUT_FOLDER, help="Write the table's keys into this folder, for commands that take one.")
def serve_command(
    link: Path | None, game: str, seats: int, seed: int, idle: bool, lines: tuple[str, ...], keys: Path | None
) -> None:
    """Run a table in real time with its USB port as a pseudo-terminal, until Ctrl-C.

    From another terminal: sabot status --port NAME

    With a reader that fails, and with the keys of the technician and the others: sabot sim serve --idle --do "break
    reader 0" --keys keys. What may happen there is in docs/scenarios.md.
    """
    config = configuration(game, seats)
    if keys is not None:
        bring_keys(keys, config["table"])
    serve(echo, link, config, seed, not idle, lines)
