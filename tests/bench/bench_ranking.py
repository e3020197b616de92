"""Hand ranking and settlement: rankings a second beside other evaluators, and on the controller's interpreter.

The others are given their own prepared cards, made outside the measured time; the best of several passes counts, all of
them in this run. On MicroPython (heap pinned) the ranking is also measured as native code, made from the same text with
MicroPython's decorator, to see what it would gain; its ranks must be the same. Settlement is of seven seats in which
every line is due; a board is estimated at 60 times the unix port's time.
"""

import os
import random
import re
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import phevaluator
import pokerkit
import treys

from sabot.rules.cards import card_name
from sabot.rules.games import GAMES
from sabot.rules.ranking import rank_hand
from sabot_host.settle_device import find_interpreter
from tools import build_mpy

ROOT = Path(__file__).parents[2]
PROBE = Path(__file__).parent / "on_board" / "ranking_speed.py"
HEAP = "448k"
BOARD_FACTOR = 60
PASSES = 5


def _a_second(hands: list[Any], evaluate: Callable[[Any], object]) -> float:
    """Evaluations a second, of the best pass."""
    best = float("inf")
    for _ in range(PASSES):
        started = time.process_time()
        for hand in hands:
            evaluate(hand)
        best = min(best, time.process_time() - started)
    return len(hands) / best


def on_cpython() -> dict[str, Any]:
    """Rankings a second of five and seven cards, by each evaluator, and ours as a multiple of treys."""
    dealt = random.Random(5)
    judge = treys.Evaluator()
    ours: dict[int, Callable[[Any], object]] = {
        5: lambda hand: rank_hand(hand, 5, 5),
        7: lambda hand: rank_hand(hand, 7, 5),
    }
    found: dict[str, Any] = {}
    for count, number in ((5, 20_000), (7, 4_000)):
        hands = [dealt.sample(range(52), count) for _ in range(number)]
        named = [[card_name(card) for card in hand] for hand in hands]
        of_treys = [[treys.Card.new(name) for name in hand] for hand in named]
        of_pokerkit = [list(pokerkit.Card.parse("".join(hand))) for hand in named[: number // 40]]
        speeds = {
            "sabot": _a_second(hands, ours[count]),
            "treys": _a_second(of_treys, lambda hand: judge.evaluate(hand[:2], hand[2:])),
            "treys_inner": _a_second(of_treys, judge.hand_size_map[count]),
            "pokerkit": _a_second(of_pokerkit, pokerkit.StandardHighHand.from_game),
            "phevaluator": _a_second(hands, lambda hand: phevaluator.evaluate_cards(*hand)),
        }
        found[f"{count}_cards_a_second"] = {name: round(speed) for name, speed in speeds.items()}
        found[f"{count}_cards_times_treys"] = round(speeds["sabot"] / speeds["treys"], 2)
        found[f"{count}_cards_times_treys_inner"] = round(speeds["sabot"] / speeds["treys_inner"], 2)
    return found


def _probe(path: list[Path], names: list[str]) -> list[list[str]]:
    done = subprocess.run(
        [str(find_interpreter()), "-X", f"heapsize={HEAP}", str(PROBE)],
        env={"MICROPYPATH": ":".join([*map(str, path), ".frozen"]), "PATH": os.defpath},
        input="\n".join(names),
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    return [line.split() for line in done.stdout.splitlines()]


def on_micropython() -> dict[str, Any]:
    """Time of a ranking, plain and as native code; time, allocation and calls of settling seven seats.

    From the sources: the files of a board have short names for what they call among themselves.
    """
    firmware = ROOT / "firmware"
    lines = _probe([firmware], ["sabot.rules.ranking", *GAMES])
    with TemporaryDirectory() as folder:
        text = (firmware / "sabot/rules/ranking.py").read_text(encoding="utf-8")
        native = Path(folder) / "ranking_native.py"
        native.write_text(re.sub(r"(?m)^def ", "@micropython.native\ndef ", text), encoding="utf-8")
        native_lines = _probe([Path(folder), firmware], ["ranking_native"])
    ranked = {f"{line[2]}_of_{line[1]}": line[3:] for line in lines if line[0] == "rank"}
    as_native = {f"{line[2]}_of_{line[1]}": line[3:] for line in native_lines}
    if [each[1] for each in ranked.values()] != [each[1] for each in as_native.values()]:
        raise RuntimeError("native code ranks differently")
    settled = {}
    for _, game, micros, allocated, calls in [line for line in lines if line[0] == "settle"]:
        settled[game] = {
            "real_us": int(micros),
            "estimated_board_ms": round(int(micros) * BOARD_FACTOR / 1000, 1),
            "allocated_bytes": int(allocated),
            "ranking_calls": int(calls),
        }
    return {
        "heap": HEAP,
        "ranking_real_ns": {shape: int(each[0]) for shape, each in ranked.items()},
        "ranking_native_real_ns": {shape: int(each[0]) for shape, each in as_native.items()},
        "settle_seven_seats": settled,
    }


def of_each_game(board: Path) -> dict[str, Any]:
    """Bytes of each game's compiled module, and heap that a table with this game takes for all the rules it loads."""
    found = {}
    for game in GAMES:
        program = (
            "import gc\ngc.collect()\nbefore = gc.mem_alloc()\nfrom sabot.rules import settle\n"
            f"from sabot.rules.games import load\ngame = load('{game}')\ngc.collect()\n"
            "print(gc.mem_alloc() - before)\n"
        )
        done = subprocess.run(
            [str(find_interpreter()), "-X", f"heapsize={HEAP}", "-c", program],
            env={"MICROPYPATH": f"{board}:.frozen", "PATH": os.defpath},
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        )
        size = (board / f"sabot/rules/games/{game}.mpy").stat().st_size
        found[game] = {"mpy_bytes": size, "rules_heap_bytes_64_bit": int(done.stdout)}
    return found


def measure() -> dict[str, Any]:
    """Measure all of it."""
    with TemporaryDirectory() as folder:
        out = Path(folder) / "mpy"
        build_mpy.build(build_mpy.ROOT, out, ("armv7emsp",), join=False)
        board = out / "armv7emsp"
        return {"cpython": on_cpython(), "micropython": on_micropython(), "games": of_each_game(board)}
