"""Completion: what a shell is told, without a command being imported for it."""

import os
import subprocess
import sys

import pytest

from sabot_host.cli.main import COMMANDS, main
from sabot_host.errors import Exit

RUN = "import sys\nfrom sabot_host.cli.main import main\nstatus = main()\nprint(sorted(sys.modules), file=sys.stderr)"


def asked(words: str, number: int) -> tuple[list[str], str]:
    told = {"_SABOT_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(number)}
    done = subprocess.run([sys.executable, "-c", RUN], env={**os.environ, **told}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return [line.partition(",")[2] for line in done.stdout.splitlines()], done.stderr


def test_commands_are_completed_and_none_is_imported() -> None:
    found, modules = asked("sabot ", 1)
    assert found == sorted(COMMANDS)
    assert "sabot_host.cli.flash" not in modules
    assert asked("sabot fl", 1)[0] == ["flash"]


def test_options_of_a_command_are_completed() -> None:
    found, _ = asked("sabot flash --b", 2)
    assert found == ["--bundle"]
    found, _ = asked("sabot config ", 2)
    assert found == ["diff", "get", "set"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_of_each_shell(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == Exit.OK
    script = capsys.readouterr().out
    assert "_SABOT_COMPLETE" in script
    assert "sabot" in script
