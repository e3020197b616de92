"""Whatever is named where a command reads or writes a file: two lines, a documented code and status, and no wait.

Parametrised over all commands there are (`tests.host.commands`).
"""

import ast
import os
import re
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import NoReturn

import click
import pytest

from sabot_host.cli.main import main
from sabot_host.cli.values import FOLDER, GROWING_FILE, IN_FILE, OUT_FILE, OUT_FOLDER, FiniteRange
from sabot_host.errors import Exit
from sabot_host.files import json_of
from tests.host.commands import LEAVES, Parameter, of_type, parameters, words_for

ROOT = Path(__file__).parents[2]
HOST = ROOT / "host" / "sabot_host"
PATIENCE_S = 30
HUGE = 3_000_000_000


@pytest.fixture(autouse=True)
def bounded() -> Iterator[None]:
    """A command that waits fails its test at once."""

    def late(number: int, frame: FrameType | None) -> NoReturn:
        pytest.fail(f"still at work after {PATIENCE_S} s")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(PATIENCE_S)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def documented() -> dict[str, int]:
    """The codes of docs/errors.md and their statuses."""
    page = (ROOT / "docs" / "errors.md").read_text()
    return {code: int(status) for code, status in re.findall(r"^\| `([a-z0-9*-]+)` \| (\d+) \|", page, re.MULTILINE)}


CODES = documented()


def told(err: str, status: int) -> str:
    """The code of an error that is told as errors are told."""
    lines = err.splitlines()
    found = re.fullmatch(r"error: .+ \[([a-z0-9-]+)\]", lines[-2]) if len(lines) > 1 else None
    assert found is not None and lines[-1].startswith("what to do: "), err
    code = found[1]
    assert code != "internal", err
    assert CODES.get(code, CODES.get(code.partition("-")[0] + "-*")) == status, err
    return code


# --- what is read -----------------------------------------------------------------------------------------------------


def _fifo(path: Path) -> None:
    os.mkfifo(path)


def _huge(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(HUGE)


def _holding(data: bytes) -> Callable[[Path], object]:
    return lambda path: path.write_bytes(data)


DEEP = b"[" * 100_000
MAKERS: dict[str, Callable[[Path], object]] = {
    "fifo": _fifo,
    "folder": Path.mkdir,
    "huge": _huge,
    "missing": lambda path: None,
    "loop": lambda path: path.symlink_to(path),
    "empty": _holding(b""),
    "noise": _holding(bytes(range(256)) * 20),
    "json": _holding(b'{"first": 1e999, "a": [1, 2, {"b": NaN}]}\n'),
    "list": _holding(b"[1, 2]\n"),
    "number": _holding(b'{"first": 1' + b"0" * 6000 + b"}\n"),
    "deep-json": _holding(DEEP + b"\n"),
    "deep-toml": _holding(b"a = " + b"[\n" * 50_000),
    "long-toml": _holding(b".".join([b"a"] * 100_000) + b" = 1\n"),
    "toml-date": _holding(b"casino = 1\n[[table]]\ntable = 1\ngame = 2026-11-28\n"),
    "toml-nan": _holding(b"casino = 1\n[[table]]\ntable = 1\nlong_pause = nan\n"),
    "toml-number": _holding(b"casino = 1\n[[table]]\ntable = 1" + b"0" * 6000 + b"\n"),
    "deep-scenario": _holding(b"config float " + DEEP + b"\nidle 1\n"),
    "one-word": _holding(b"x" * 1_000_000),
}


@pytest.mark.parametrize("bad", MAKERS)
@pytest.mark.parametrize("parameter", of_type(IN_FILE), ids=lambda each: each.id)
def test_bad_input(parameter: Parameter, bad: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / bad
    MAKERS[bad](path)
    status = main(words_for(parameter, str(path), tmp_path))
    assert told(capfd.readouterr().err, status)
    assert status in (Exit.FILE, Exit.USAGE)


@pytest.mark.parametrize(
    "name", ["/dev/zero", "/dev/full", "/dev/null", "/proc/self/mem", "", "\udcff", "line\nbreak", "\x1b[2J", "n" * 300]
)
@pytest.mark.parametrize("parameter", of_type(IN_FILE), ids=lambda each: each.id)
def test_bad_name(parameter: Parameter, name: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    status = main(words_for(parameter, name, tmp_path))
    err = capfd.readouterr().err
    assert told(err, status)
    assert status == Exit.FILE
    assert "\x1b" not in err
    if name.startswith("/dev/z"):
        assert "[file-kind]" in err


def test_a_pipe_of_the_shell_is_read_to_its_bound(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """`<(pass show key)` is such a pipe."""
    read, write = os.pipe()
    os.write(write, b"ab" * 32)
    os.close(write)
    journal = words_for(Parameter(("journal", "verify"), "key_file"), f"/dev/fd/{read}", tmp_path)
    status = main(journal)
    os.close(read)
    assert told(capfd.readouterr().err, status) == "journal-other-key"


def test_a_pipe_that_says_nothing(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sabot_host.files.PATIENCE_S", 0)
    read, write = os.pipe()
    status = main(words_for(Parameter(("journal", "show"), "file"), f"/dev/fd/{read}", tmp_path))
    os.close(read)
    os.close(write)
    assert told(capfd.readouterr().err, status) == "file-silent"


# --- what is written --------------------------------------------------------------------------------------------------


WRITTEN = (OUT_FILE, GROWING_FILE)


def both(command: click.Command) -> bool:
    kinds = [param.type for param in command.params]
    return IN_FILE in kinds and any(kind in kinds for kind in WRITTEN)


@pytest.mark.parametrize("words", [words for words, command in LEAVES.items() if both(command)], ids="-".join)
def test_a_result_never_goes_onto_what_was_read(
    words: tuple[str, ...], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    same = tmp_path / "same"
    same.write_text("ab" * 32)
    link = tmp_path / "link"
    link.symlink_to(same)
    command = LEAVES[words]
    read = next(param for param in command.params if param.type is IN_FILE)
    written = next(param for param in command.params if param.type in WRITTEN)
    line = words_for(Parameter(words, read.name or ""), str(same), tmp_path)
    if isinstance(written, click.Argument):
        line[line.index("--") + 1 :] = [str(link)]
    else:
        at = line.index("--")
        line[at:at] = [written.opts[0], str(link)]
    status = main(line)
    assert told(capfd.readouterr().err, status) == "output-is-input"
    assert same.read_text() == "ab" * 32


@pytest.mark.parametrize("parameter", of_type(OUT_FILE), ids=lambda each: each.id)
@pytest.mark.parametrize("name", [".", "nowhere/out", "good.key/out", "line\n/out", "n" * 300])
def test_an_output_that_cannot_be_is_told_before_the_work(
    parameter: Parameter, name: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "good.key").write_text("ab" * 32)
    status = main(words_for(parameter, str(tmp_path / name), tmp_path))
    out, err = capfd.readouterr()
    assert told(err, status) == "file-access"
    assert out == ""


@pytest.mark.parametrize("parameter", of_type(OUT_FOLDER), ids=lambda each: each.id)
def test_an_output_folder_that_cannot_be(
    parameter: Parameter, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "good.key").write_text("ab" * 32)
    status = main(words_for(parameter, str(tmp_path / "good.key"), tmp_path))
    assert told(capfd.readouterr().err, status) == "file-access"


# --- what every command keeps to --------------------------------------------------------------------------------------


def test_every_path_is_of_a_kind_that_is_tested() -> None:
    kinds = (IN_FILE, OUT_FILE, GROWING_FILE, FOLDER, OUT_FOLDER)
    strange = parameters(lambda param: isinstance(param.type, click.Path | click.File) and param.type not in kinds)
    assert strange == []


def test_every_fraction_is_finite() -> None:
    kinds = (click.types.FloatParamType, click.FloatRange)
    assert parameters(lambda param: isinstance(param.type, kinds) and not isinstance(param.type, FiniteRange)) == []


@pytest.mark.parametrize("number", ["nan", "inf", "-inf", "1e999", "-nan"])
@pytest.mark.parametrize("parameter", parameters(lambda p: isinstance(p.type, FiniteRange)), ids=lambda each: each.id)
def test_a_number_that_is_none(
    parameter: Parameter, number: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    status = main(words_for(parameter, number, tmp_path))
    assert told(capfd.readouterr().err, status) == "usage"


# What opens files by itself: the reader and writer of files; the journal, which is added to; the lock of a board;
# /dev/null; the files in a board's image; click's `write_text`, which writes help and no file.
OPENERS = {
    "cli/helping.py": 1,
    "files.py": 3,
    "journal/file.py": 1,
    "flash/lock.py": 1,
    "cli/surroundings.py": 3,
    "release/image.py": 2,
    "provision/change.py": 1,
}
# The program's own sources, and what it has just written itself.
OWN_FILES = {"lang/__init__.py": 1, "release/make.py": 2, "sim/play.py": 1, "sim/fuzz.py": 1, "sim/torture.py": 1}
FILE_CALLS = {"read_text", "read_bytes", "write_text", "write_bytes"}


def test_files_are_read_and_written_in_one_place() -> None:
    """So that a new command cannot wait for /dev/zero, nor leave half a file."""
    found: dict[str, int] = {}
    for path in sorted(HOST.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and _opens(node):
                name = path.relative_to(HOST).as_posix()
                found[name] = found.get(name, 0) + 1
    assert found == {**OPENERS, **OWN_FILES}


def _opens(call: ast.Call) -> bool:
    function = call.func
    if isinstance(function, ast.Name):
        return function.id == "open"
    if not isinstance(function, ast.Attribute):
        return False
    if function.attr == "open":  # sessions and ports open too, without a mode
        return ast.unparse(function.value) == "os" or any(isinstance(word, ast.Constant) for word in call.args)
    return function.attr in FILE_CALLS


@pytest.mark.parametrize("text", ["1e999", "[-1e999]", "NaN", "Infinity", "[" * 100_000])
def test_json_of_others_holds_no_number_that_json_cannot_write(text: str) -> None:
    with pytest.raises(ValueError, match=r"number of JSON|nested too deep"):
        json_of(text)


def test_a_house_of_endless_seats_is_refused_before_they_are_counted(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    house = tmp_path / "tables.toml"
    house.write_text(f'casino = 514\n[[table]]\ntable = 12\ngame = "three_card"\nseats = {10**15}\n')
    status = main(("provision", str(house), "--yes"))
    assert told(capfd.readouterr().err, status) == "house-field"


def test_json_of_others_is_read_in_one_place() -> None:
    calls = [
        path.relative_to(HOST).as_posix()
        for path in sorted(HOST.rglob("*.py"))
        if "json.loads(" in path.read_text() or "json.load(" in path.read_text()
    ]
    assert calls == ["files.py", "sim/demo.py"]
