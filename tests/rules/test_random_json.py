"""Random JSON in place of rounds: each input is settled, or refused with a code and the article it breaks."""

import json
import re
import subprocess
import sys
from random import Random
from typing import Any

import pytest

from sabot.rules import errors
from sabot.rules.games import GAMES, load
from sabot_host.errors import Exit
from sabot_host.settle import settle_line
from sabot_host.settle_device import DeviceSettler
from tests.rules.rounds import PACK, line, random_round
from tests.sampled import sampled

CODES = {value for name, value in vars(errors).items() if name.isupper() and isinstance(value, str)}
NO_ROUND = {
    errors.NOT_JSON,
    errors.LINE_TOO_LONG,
    errors.TOO_DEEP,
    errors.DUPLICATE_KEY,
    errors.BAD_FORM,
    errors.NO_GAME,
    errors.UNKNOWN_GAME,
    errors.NO_PLAYERS,
}
"""Not a round at all: no article is broken."""
OF_TABLES = {errors.ODD_STAKE, errors.UNDER_LIMIT, errors.OVER_LIMIT}
"""What only a table's own options and limits forbid; `sabot settle` has none."""
OF_TEXT = {errors.NOT_JSON, errors.LINE_TOO_LONG, errors.TOO_DEEP, errors.DUPLICATE_KEY}
"""Faults of the text, which values cannot have."""
BETS = sorted({bet.name for game in GAMES for bet in load(game).bets})
CHOICES = sorted({choice for game in GAMES for choice in (load(game).decision.taken, load(game).decision.refused)})
KEYS = ["game", "decks", "dealer", "players", "cards", "bets", "decision", "war_player", "war_dealer", "", "é", *BETS]
# The last article of each game: those that follow are the next game's, or the poker room's.
LAST = {
    "three_card": "67.32",
    "bataille": "67.40",
    "poker_357": "67.50",
    "boston": "67.63",
    "four_card": "67.74",
    "crazy_four": "67.87",
}


def value(random: Random, depth: int = 0) -> Any:
    """Any JSON value; often one that has a meaning somewhere in a round."""
    kind = random.randrange(12 if depth < 3 else 9)
    if kind == 0:
        return random.choice([None, True, False])
    if kind <= 2:
        return random.choice([0, 1, 2, 3, 6, 8, -1, 500, 1000, 999_999, 10**15, 10**15 + 1, 2**63, -(10**20)])
    if kind == 3:
        return random.choice([0.5, 1.0, 1e300, -0.0, 1000.0])
    if kind <= 5:
        return random.choice(PACK)
    if kind == 6:
        return random.choice(["", "Zz", "as", "10h", "As ", "é\u20ac", "\x00", "x" * 300, "constructor"])
    if kind == 7:
        return random.choice([*GAMES, *CHOICES])
    if kind == 8:
        return random.choice(BETS)
    if kind <= 10:
        return [value(random, depth + 1) for _ in range(random.randrange(5))]
    return {random.choice(KEYS): value(random, depth + 1) for _ in range(random.randrange(5))}


def places(tree: Any) -> list[tuple[Any, Any]]:
    """Every place in a value: (container, key or index)."""
    found: list[tuple[Any, Any]] = []
    inner = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for key, below in inner:
        found.append((tree, key))
        found += places(below)
    return found


def spoiled(random: Random) -> str:
    """A lawful round with something in it replaced, removed, added or doubled; one time in eight any value at all."""
    if random.randrange(8) == 0:
        return json.dumps(value(random))
    game = random.choice(GAMES)
    played = json.loads(line(game, random_round(game, random)))
    for _ in range(random.randrange(1, 3)):
        container, key = random.choice(places(played) or [(played, "game")])
        change = random.randrange(5)
        if change == 0 and isinstance(container, dict):
            container.pop(key, None)
        elif change == 1 and isinstance(container, list):
            container.insert(key, value(random))
        elif change == 2 and isinstance(container, dict):
            container[random.choice(KEYS)] = value(random)
        elif change == 3 and isinstance(container, list):
            container[key] = random.choice(container)
        else:
            container[key] = value(random)
    return json.dumps(played)


def number(article: str) -> int:
    return int(article.partition(".")[2])


def judge(text: str) -> str:
    """The code of the answer, or nothing for a settlement; AssertionError when the answer is not one of the two."""
    answer, settled = settle_line(text)
    parsed = json.loads(answer)
    if settled:
        assert list(parsed) == ["players"]
        return ""
    assert list(parsed) == ["error"] and list(parsed["error"]) == ["code", "article", "message"]
    code, article, message = parsed["error"].values()
    assert code in CODES and message and "\n" not in message, answer
    assert (article is None) == (code in NO_ROUND), answer
    if article is not None:
        assert re.fullmatch(r"6|67\.\d+", article), answer
        game = json.loads(text)["game"]
        if article != "6":
            assert number(load(game).article) <= number(article) <= number(LAST[game]), answer
    return str(code)


@pytest.mark.parametrize("seed", sampled(range(8), [0, 1]))
def test_random_json_is_settled_or_refused_with_code_and_article(seed: int) -> None:
    random = Random(seed)
    seen = [judge(spoiled(random)) for _ in range(2500)]
    assert 50 < seen.count("") < 1000


def test_every_code_is_met() -> None:
    random = Random(99)
    seen: set[str] = set()
    for _ in range(60_000):
        seen.add(judge(spoiled(random)))
        if seen >= CODES - OF_TABLES - OF_TEXT:
            break
    assert CODES - seen == OF_TABLES | OF_TEXT


def test_micropython_answers_with_the_same_bytes() -> None:
    random = Random(7)
    with DeviceSettler() as device:
        for _ in range(400):
            text = spoiled(random).encode()
            assert device.answer(text) == settle_line(text), text[:300]


def test_the_command_answers_every_line_and_says_nothing_else() -> None:
    random = Random(8)
    lines = [spoiled(random) for _ in range(600)]
    command = "from sabot_host.cli.main import main; import sys; sys.exit(main())"
    run = subprocess.run(
        [sys.executable, "-c", command, "settle"],
        input="\n".join(lines) + "\n",
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (run.returncode, run.stderr) == (Exit.FINDING, "")
    assert run.stdout.splitlines() == [settle_line(text)[0] for text in lines]
