"""`sabot rules GAME`: the rule sheet of a game, in French or English. Entry point: `command`.

The work is in `sabot_host.sheet`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from sabot.rules.game import Game
from sabot.rules.games import GAMES, load
from sabot.rules.variants import configure, options
from sabot_host.cli.values import IN_FILE, OUT_FILE
from sabot_host.errors import FileError, UsageError
from sabot_host.files import SETTINGS_BYTES, json_of, read_bytes, write_whole
from sabot_host.sheet.content import build
from sabot_host.sheet.layout import as_html, as_json, as_text
from sabot_host.sheet.words import LANGUAGES

EPILOG = """\b
Examples:
  sabot rules boston --lang en
  sabot rules bataille --lang fr --option war_dealer_card=common --html bataille.html
  sabot rules three_card --lang fr --config config.json
"""


@click.command("rules", epilog=EPILOG)
@click.argument("game", type=click.Choice(GAMES))
@click.option("--lang", type=click.Choice(LANGUAGES), default="fr", show_default=True, help="Language of the sheet.")
@click.option("--decks", type=int, help="Packs in play; the fewest that the game allows, if not given.")
@click.option("--option", "chosen", multiple=True, metavar="NAME=WORD", help="A house's option; may be given again.")
@click.option("--config", type=IN_FILE, help="A table's configuration: its packs, options, limits.")
@click.option("--html", type=OUT_FILE, help="Write a page for browsers and printers into this file.")
@click.option("--json", "as_object", is_flag=True, help="Print one JSON object.")
def command(
    game: str,
    lang: str,
    decks: int | None,
    chosen: tuple[str, ...],
    config: Path | None,
    html: Path | None,
    as_object: bool,
) -> None:
    """Print the rule sheet of a game: hands in order, bets, locks, payouts, options in force, paytables and their hash.

    It is written from the data that a table plays by.
    """
    table = _configured(config, game) if config is not None else {}
    words = {**table.get("options", {}), **dict(_option(text) for text in chosen)}
    rules = _with_options(load(game), words)
    packs = decks if decks is not None else table.get("decks", rules.decks[0])
    if packs not in rules.decks:
        allowed = " or ".join(str(each) for each in rules.decks)
        raise UsageError("rules-decks", f"{game} is played with {allowed} packs", f"--decks {rules.decks[0]}")
    sheet = build(rules, packs, lang, table.get("limits"))
    if html is not None:
        write_whole(html, as_html(sheet))
    if as_object:
        click.echo(json.dumps(as_json(sheet), ensure_ascii=False))
    elif html is None:
        click.echo(as_text(sheet), nl=False)


def _option(text: str) -> tuple[str, str]:
    name, equals, word = text.partition("=")
    if not equals:
        raise UsageError("rules-option", f"--option takes NAME=WORD, not {text}", "--option fold_side_bets=forfeit")
    return name, word


def _with_options(game: Game, words: dict[str, Any]) -> Game:
    known = dict(options(game))
    for name, word in words.items():
        if name not in known:
            names = ", ".join(known) or "none"
            raise UsageError("rules-option", f"{game.id} has no option {name}", f"its options: {names}")
        if word not in known[name]:
            raise UsageError("rules-option", f"{name} cannot be {word}", f"choose from {', '.join(known[name])}")
    return configure(game, **words)


def _configured(path: Path, game: str) -> dict[str, Any]:
    """What a table's configuration says of its game."""
    hint = "name the config.json of a table that plays this game"
    try:
        table = json_of(read_bytes(path, SETTINGS_BYTES))
    except ValueError as error:
        raise FileError("rules-config", f"{path} is no configuration: {error}", hint) from error
    if not isinstance(table, dict) or table.get("game") != game:
        raise FileError("rules-config", f"{path} is no configuration of {game}", hint)
    limits, words, decks = table.get("limits", {}), table.get("options", {}), table.get("decks")
    sound = isinstance(limits, dict) and isinstance(words, dict) and isinstance(decks, int)
    if not sound or not all(_is_limit(limit) for limit in limits.values()):
        raise FileError("rules-config", f"{path}: decks, options or limits are not those of a configuration", hint)
    return {"decks": decks, "options": words, "limits": limits}


def _is_limit(limit: object) -> bool:
    return isinstance(limit, list) and len(limit) == 2 and all(isinstance(cents, int) for cents in limit)
