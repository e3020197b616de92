"""`sabot settle` as a shell sees it: streams, exit status, and the same bytes from the controller's interpreter."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from sabot_host.errors import Exit

SABOT = Path(sys.executable).with_name("sabot")
GOOD = (
    b'{"game": "three_card", "decks": 1, "dealer": ["Qs","3c","2d"], "players": [{"cards": ["2c","3d","5h"], '
    b'"bets": {"ante": 1000, "play": 1000, "pair_plus": 500}, "decision": "play"}]}\n'
)
TWICE_THE_SAME_CARD = GOOD.replace(b'"2d"', b'"2c"')


def _settle(rounds: bytes, *options: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([SABOT, "settle", *options], input=rounds, capture_output=True, check=False, timeout=60)


def test_a_round_is_settled() -> None:
    done = _settle(GOOD)
    assert (done.returncode, done.stderr) == (Exit.OK, b"")
    (player,) = json.loads(done.stdout)["players"]
    assert (player["staked"], player["received"], player["net"]) == (2500, 0, -2500)


def test_after_an_invalid_line_the_next_is_read() -> None:
    done = _settle(TWICE_THE_SAME_CARD + GOOD)
    assert (done.returncode, done.stderr) == (Exit.FINDING, b"")
    refused, settled = map(json.loads, done.stdout.splitlines())
    assert refused["error"]["article"] == "6"
    assert "players" in settled


def test_the_rounds_of_the_documentation_are_settled() -> None:
    page = Path(__file__).parents[2] / "docs" / "settle.md"
    rounds = [line for line in page.read_text(encoding="utf-8").splitlines() if line.startswith('    {"game"')]
    done = _settle("\n".join(rounds).encode())
    assert (done.returncode, done.stderr, len(rounds)) == (Exit.OK, b"", 6)


def test_an_error_names_player_and_card() -> None:
    for changed, words in (
        (GOOD.replace(b'"5h"', b'"10h"'), "not one of a 52-card pack: card 3 of player 1; a card is"),
        (TWICE_THE_SAME_CARD, "hold it: 2c of player 1"),
    ):
        assert words in json.loads(_settle(changed).stdout)["error"]["message"]


def test_nothing_in_nothing_out() -> None:
    done = _settle(b"")
    assert (done.returncode, done.stdout, done.stderr) == (Exit.OK, b"", b"")


@pytest.mark.parametrize("rounds", [GOOD, TWICE_THE_SAME_CARD, b"\xff\xfe\n", b"[" * 5000 + b"\n", b"\n\n", GOOD * 50])
def test_the_controllers_interpreter_prints_the_same_bytes(rounds: bytes) -> None:
    here, there = _settle(rounds), _settle(rounds, "--on-device")
    assert (there.returncode, there.stdout, there.stderr) == (here.returncode, here.stdout, b"")


@pytest.mark.parametrize("options", [[], ["--on-device"]])
def test_each_answer_comes_before_the_next_question(options: list[str]) -> None:
    with subprocess.Popen([SABOT, "settle", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as asked:
        if asked.stdin is None or asked.stdout is None:
            raise RuntimeError("both streams are pipes")
        for _ in range(3):
            asked.stdin.write(GOOD)
            asked.stdin.flush()
            assert b'"players"' in asked.stdout.readline()
        asked.stdin.close()
        assert asked.wait(timeout=60) == Exit.OK


@pytest.mark.parametrize("options", [[], ["--on-device"]])
def test_ctrl_c_while_waiting_for_a_round(options: list[str]) -> None:
    command: list[str | Path] = [SABOT, "settle", *options]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as asked:
        if asked.stdin is None or asked.stdout is None or asked.stderr is None:
            raise RuntimeError("all streams are pipes")
        asked.stdin.write(GOOD)
        asked.stdin.flush()
        asked.stdout.readline()
        asked.send_signal(signal.SIGINT)
        assert asked.wait(timeout=60) == Exit.INTERRUPTED
        assert asked.stderr.read() == b"error: stopped by Ctrl-C [interrupted]\nwhat to do: run it again\n"


def test_a_reader_that_leaves_ends_it_quietly() -> None:
    with subprocess.Popen(
        [SABOT, "settle"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as asked:
        if asked.stdin is None or asked.stdout is None or asked.stderr is None:
            raise RuntimeError("all streams are pipes")
        asked.stdout.close()
        asked.stdin.write(GOOD)
        asked.stdin.close()
        assert asked.wait(timeout=60) == Exit.PIPE
        assert asked.stderr.read() == b""


def test_no_standard_input() -> None:
    done = subprocess.run(
        ["sh", "-c", 'exec "$0" settle <&-', SABOT], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == Exit.FILE
    what, what_to_do = done.stderr.splitlines()
    assert what == "error: there is no standard input to read rounds from [input-missing]"
    assert what_to_do == "what to do: sabot settle < rounds.jsonl"
