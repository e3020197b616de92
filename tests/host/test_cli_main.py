"""The frame of the `sabot` command: two lines for every failure, documented statuses, quick start."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import click
import pytest

import sabot_host.cli
from sabot_host.cli import main as frame
from sabot_host.errors import DeviceError, Exit, FileError, MissingPartError, RefusedError, SabotError, UsageError

Plant = Callable[[Callable[[], object]], None]


@pytest.fixture
def plant(monkeypatch: pytest.MonkeyPatch) -> Plant:
    """Add a command `probe` to the table that calls the function given."""

    def add(function: Callable[[], object]) -> None:
        module = ModuleType("sabot_host.cli.probe")
        module.__dict__["command"] = click.Command("probe", callback=function)
        monkeypatch.setitem(sys.modules, "sabot_host.cli.probe", module)
        monkeypatch.setitem(frame.COMMANDS, "probe", frame.Entry("probe", "A command of this test."))

    return add


def _raise(error: BaseException) -> Callable[[], object]:
    def function() -> object:
        raise error

    return function


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (SabotError("some-code", "it broke", "mend it"), Exit.FINDING),
        (SabotError("some-code", "it broke", "mend it", Exit.REFUSED), Exit.REFUSED),
        (UsageError("some-code", "it broke", "mend it"), Exit.USAGE),
        (DeviceError("some-code", "it broke", "mend it"), Exit.DEVICE),
        (RefusedError("some-code", "it broke", "mend it"), Exit.REFUSED),
        (FileError("some-code", "it broke", "mend it"), Exit.FILE),
        (MissingPartError("some-code", "it broke", "mend it"), Exit.MISSING),
    ],
)
def test_a_known_error_is_two_lines(
    error: SabotError, status: Exit, plant: Plant, capsys: pytest.CaptureFixture[str]
) -> None:
    plant(_raise(error))
    assert frame.main(["probe"]) == status
    assert capsys.readouterr() == ("", "error: it broke [some-code]\nwhat to do: mend it\n")


def test_line_breaks_in_an_error_do_not_make_more_lines(plant: Plant, capsys: pytest.CaptureFixture[str]) -> None:
    plant(_raise(SabotError("some-code", "it\nbroke", "mend\nit")))
    frame.main(["probe"])
    assert capsys.readouterr().err == "error: it broke [some-code]\nwhat to do: mend it\n"


def test_a_mistake_shows_no_traceback(plant: Plant, capsys: pytest.CaptureFixture[str]) -> None:
    plant(_raise(KeyError("seat")))
    assert frame.main(["probe"]) == Exit.INTERNAL
    err = capsys.readouterr().err
    assert err.startswith("error: a mistake in sabot itself: KeyError: 'seat' [internal]\nwhat to do: ")
    assert err.count("\n") == 2


@pytest.mark.parametrize("by", ["option", "environment"])
def test_debug_shows_where_it_came_from(
    by: str, plant: Plant, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(_raise(KeyError("seat")))
    if by == "environment":
        monkeypatch.setenv("SABOT_DEBUG", "1")
    assert frame.main(["--debug", "probe"] if by == "option" else ["probe"]) == Exit.INTERNAL
    assert "Traceback (most recent call last)" in capsys.readouterr().err


def test_a_command_returns_its_own_status(plant: Plant) -> None:
    plant(lambda: Exit.FINDING)
    assert frame.main(["probe"]) == Exit.FINDING


def test_a_command_that_returns_nothing_succeeded(plant: Plant) -> None:
    plant(lambda: None)
    assert frame.main(["probe"]) == Exit.OK


def test_ctrl_c(plant: Plant, capsys: pytest.CaptureFixture[str]) -> None:
    plant(_raise(KeyboardInterrupt()))
    assert frame.main(["probe"]) == Exit.INTERRUPTED
    assert capsys.readouterr().err == "error: stopped by Ctrl-C [interrupted]\nwhat to do: run it again\n"


def test_a_missing_file_is_named(plant: Plant, capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    missing = tmp_path / "none.sabotlog"
    plant(missing.read_bytes)
    assert frame.main(["probe"]) == Exit.FILE
    assert capfd.readouterr().err == (
        f"error: {missing}: No such file or directory [file-access]\nwhat to do: check the name\n"
    )


def test_an_unknown_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert frame.main(["shuffle"]) == Exit.USAGE
    assert capsys.readouterr().err == "error: No such command 'shuffle'. [usage]\nwhat to do: sabot --help\n"


def test_an_unknown_option_points_to_the_commands_own_help(plant: Plant, capsys: pytest.CaptureFixture[str]) -> None:
    plant(lambda: None)
    assert frame.main(["probe", "--nope"]) == Exit.USAGE
    assert capsys.readouterr().err.endswith("what to do: sabot probe --help\n")


def test_a_library_that_is_not_installed_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "probe.py").write_text("import hwsim\n")
    monkeypatch.setattr(sabot_host.cli, "__path__", [str(tmp_path)])
    monkeypatch.setitem(frame.COMMANDS, "probe", frame.Entry("probe", "A command of this test."))
    monkeypatch.setitem(sys.modules, "hwsim", None)
    assert frame.main(["probe"]) == Exit.MISSING
    assert "'sabot probe' needs hwsim, which is not installed [part-missing]" in capsys.readouterr().err


def test_help_without_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert frame.main([]) == Exit.OK
    out = capsys.readouterr().out
    for name in frame.COMMANDS:
        assert name in out


@pytest.mark.parametrize("name", sorted(frame.COMMANDS))
def test_every_command_of_the_table_has_help(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert frame.main([name, "--help"]) == Exit.OK
    assert capsys.readouterr().out.startswith(f"Usage: sabot {name}")


def _sabot(script: str) -> subprocess.CompletedProcess[str]:
    """Run a script that calls `main` in a process of its own, where standard output is a real file."""
    command = [sys.executable, "-c", f"import os, sys; from sabot_host.cli.main import main; {script}"]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


def test_help_imports_no_command_and_nothing_heavy() -> None:
    done = _sabot("main(['--help']); print(sorted(m for m in sys.modules), file=sys.stderr)")
    loaded = set(done.stderr.split("'"))
    assert "sabot_host.cli.main" in loaded
    assert not loaded & {"rich", "serial", "transitions", "hwsim", "sabot", "sabot_host.cli.settle", "asyncio"}


def test_a_reader_that_leaves_ends_the_command_quietly() -> None:
    done = _sabot("read, write = os.pipe(); os.close(read); os.dup2(write, 1); sys.exit(main(['--help']))")
    assert (done.returncode, done.stderr) == (Exit.PIPE, "")


def test_a_full_disk_is_an_error_of_two_lines() -> None:
    done = _sabot("os.dup2(os.open('/dev/full', os.O_WRONLY), 1); sys.exit(main(['--help']))")
    assert done.returncode == Exit.FILE
    assert done.stderr == "error: No space left on device [file-access]\nwhat to do: free some space and run it again\n"


def test_no_standard_output_at_all() -> None:
    done = _sabot("sys.stdout = None; sys.exit(main(['--help']))")
    assert done.returncode == Exit.FILE
    assert done.stderr.startswith("error: there is no standard output to write to [output-missing]\n")
