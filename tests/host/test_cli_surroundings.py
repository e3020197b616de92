"""A command in poor surroundings: signals, streams that are closed, full or lack letters, no rights, no home, `-O`."""

import contextlib
import io
import json
import os
import pty
import signal
import subprocess
import sys
import threading
import tty
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sabot_host import files
from sabot_host.cli.main import main
from sabot_host.cli.surroundings import streams_ready
from sabot_host.errors import Exit, FileError
from tests.host.commands import Parameter, parameters, words_for
from tests.host.test_cli_bad_files import told

SCRIPT = "import sys; from sabot_host.cli.main import main; sys.exit(main())"
SHEET = ["rules", "bataille"]  # with accents, longer than a pipe


def sabot(
    words: list[str], redirected: str = "", *, env: dict[str, str] | None = None, flags: str = ""
) -> "subprocess.CompletedProcess[bytes]":
    """One command in a process of its own, by a shell that redirects its streams."""
    line = f'exec "$0" {flags} -c "$CODE" "$@" {redirected}'
    given = {**os.environ, "CODE": SCRIPT, **(env or {})}
    command = ["bash", "-c", line, sys.executable, *words]
    return subprocess.run(command, capture_output=True, env=given, check=False, timeout=60, stdin=subprocess.DEVNULL)


# --- streams ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("redirected", "status", "code"),
    [
        (">/dev/full", Exit.FILE, "file-access"),
        (">&-", Exit.FILE, "output-missing"),
        ("> >(true)", Exit.PIPE, ""),
        ("2>&-", Exit.OK, ""),
        ("2>/dev/full", Exit.OK, ""),
        ("<&-", Exit.OK, ""),
        (">&- 2>&- <&-", Exit.FILE, ""),
    ],
)
def test_streams_that_are_closed_or_full(redirected: str, status: int, code: str) -> None:
    done = sabot(
        ["rules", "bataille", "--json"] if redirected != "> >(true)" else ["provision", "--template", "200"], redirected
    )
    assert done.returncode == status, done.stderr
    if code:
        assert told(done.stderr.decode(), status) == code
    else:
        assert done.stderr == b""


@pytest.mark.parametrize("redirected", ["2>/dev/full", "2>&-"])
def test_an_error_that_nobody_can_be_told_has_its_status(redirected: str) -> None:
    done = sabot(["journal", "show", "nothing"], redirected)
    assert (done.returncode, done.stdout, done.stderr) == (Exit.FILE, b"", b"")


def test_a_closed_stream_is_not_mistaken_for_the_next_file(tmp_path: Path) -> None:
    """Without care the first file that is opened becomes standard error, and errors are written into it."""
    out = tmp_path / "sheet.html"
    done = sabot([*SHEET, "--html", str(out)], "2>&- <&-")
    assert done.returncode == Exit.OK
    assert out.read_text().endswith("</html>\n")


@pytest.mark.parametrize(
    ("env", "encoding"),
    [
        ({"PYTHONIOENCODING": "ascii"}, "utf-8"),  # click takes it for a mistake, and rightly so
        ({"PYTHONIOENCODING": "latin-1"}, "latin-1"),
        ({"PYTHONIOENCODING": "cp437"}, "cp437"),
        ({"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}, "utf-8"),
    ],
    ids=["ascii", "latin", "ibm", "C"],
)
def test_letters_that_the_output_lacks_are_escaped_as_json_does(env: dict[str, str], encoding: str) -> None:
    plain = json.loads(sabot([*SHEET, "--json"]).stdout)
    done = sabot([*SHEET, "--json"], env=env)
    assert (done.returncode, done.stderr) == (Exit.OK, b"")
    assert json.loads(done.stdout.decode(encoding)) == plain
    done = sabot(SHEET, env=env)
    assert (done.returncode, done.stderr) == (Exit.OK, b"")


@pytest.mark.parametrize("errors", ["strict", "surrogateescape"])
def test_how_a_letter_is_escaped(errors: str, monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, "ascii", errors))
    streams_ready()
    print("é \N{PLAYING CARD ACE OF SPADES} \udcff")
    sys.stdout.flush()
    assert raw.getvalue() == b"\\u00e9 \\ud83c\\udca1 \\udcff\n"


@pytest.mark.parametrize(
    "words", [["rules", "bataille", "--json"], ["devices"], ["--help"], ["status", "--port", "nothing"]], ids=" ".join
)
def test_a_screen_of_one_column_without_colours(words: list[str]) -> None:
    shown, under = pty.openpty()
    env = {**os.environ, "COLUMNS": "1", "LINES": "1", "NO_COLOR": "1", "TERM": "dumb"}
    with subprocess.Popen(
        [sys.executable, "-c", SCRIPT, *words], stdin=under, stdout=under, stderr=subprocess.PIPE, env=env
    ) as running:
        os.close(under)

        def look() -> None:
            with contextlib.suppress(OSError):  # how the end of a terminal is told
                while os.read(shown, 1 << 16):
                    pass

        reader = threading.Thread(target=look)
        reader.start()
        assert running.stderr is not None
        err = running.stderr.read().decode()
        reader.join(60)
    os.close(shown)
    assert running.returncode in set(Exit), err
    assert "[internal]" not in err and "Traceback" not in err


# --- rights and folders -----------------------------------------------------------------------------------------------


def test_no_home_and_a_folder_that_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    for name in ("HOME", "USER", "LOGNAME", "XDG_RUNTIME_DIR", "TMPDIR"):
        monkeypatch.delenv(name, raising=False)
    assert sabot([*SHEET]).returncode == Exit.OK
    done = sabot(["journal", "show", "x"])
    assert told(done.stderr.decode(), done.returncode) == "file-access"


def test_optimised_python_behaves_the_same() -> None:
    """`-O` leaves assertions out: nothing may depend on one."""
    for words in (SHEET, ["journal", "show", "nothing"], ["rules", "bataille", "--decks", "99"]):
        plain, optimised = sabot(words), sabot(words, flags="-O")
        assert (optimised.returncode, optimised.stdout, optimised.stderr) == (
            plain.returncode,
            plain.stdout,
            plain.stderr,
        )


# --- whole or not at all ----------------------------------------------------------------------------------------------


def test_a_disk_that_is_full_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "out"
    target.write_text("old")
    target.chmod(0o640)

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match=r"No space.*out"):
        files.write_whole(target, "new")
    with pytest.raises(OSError, match=r"No space.*other"):
        files.write_new(tmp_path / "other", "new")
    assert (target.read_text(), list(tmp_path.iterdir())) == ("old", [target])
    monkeypatch.undo()
    files.write_whole(target, "new")
    assert (target.read_text(), target.stat().st_mode & 0o777, list(tmp_path.iterdir())) == ("new", 0o640, [target])


@pytest.mark.parametrize("stop", [KeyboardInterrupt, MemoryError])
def test_an_interrupt_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stop: type) -> None:
    def interrupted(one: object, other: object) -> None:
        raise stop

    monkeypatch.setattr("os.replace", interrupted)
    (tmp_path / "out").write_text("old")
    with pytest.raises(stop):
        files.write_whole(tmp_path / "out", "new")
    assert [path.read_text() for path in tmp_path.iterdir()] == ["old"]


def test_what_is_written_through_a_link_and_into_a_pipe(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "real")
    files.write_whole(tmp_path / "link", b"data")
    assert (tmp_path / "real").read_bytes() == b"data" and (tmp_path / "link").is_symlink()
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="pipe"):
        files.write_whole(tmp_path / "pipe", b"nobody reads")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    files.write_whole(tmp_path / "pipe", b"somebody")
    assert os.read(reader, 100) == b"somebody"
    os.close(reader)
    for name in ("a\0b", "\0"):
        with pytest.raises(FileError) as refused:
            files.write_whole(Path(name), b"")
        assert refused.value.code == "file-name"
        with pytest.raises(FileError) as refused:
            files.read_bytes(Path(name), 10)
        assert refused.value.code == "file-name"


# --- signals ----------------------------------------------------------------------------------------------------------


class Mute:
    """A port at whose other end nobody answers, and a hand that sends a signal as soon as something was asked."""

    def __init__(self) -> None:
        self._far, near = pty.openpty()
        tty.setraw(near)
        self.name = os.ttyname(near)
        self._near = near

    def when_asked(self, act: Callable[[], None]) -> None:
        """Do it from another thread when the first byte arrives."""

        def wait() -> None:
            os.read(self._far, 1)
            act()

        threading.Thread(target=wait, daemon=True).start()

    def close(self) -> None:
        os.close(self._near)
        os.close(self._far)


@pytest.fixture
def mute() -> Iterator[Mute]:
    port = Mute()
    yield port
    port.close()


ENDS_WELL = {("console",), ("monitor",)}  # Ctrl-C is how they end
SPEAKING = parameters(lambda param: param.name == "port")


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 143)])
@pytest.mark.parametrize("parameter", SPEAKING, ids=lambda each: each.id)
def test_a_command_that_waits_for_a_controller_is_ended(
    parameter: Parameter,
    number: signal.Signals,
    status: int,
    mute: Mute,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    before = signal.getsignal(number)
    mute.when_asked(lambda: os.kill(os.getpid(), number))
    found = main(words_for(parameter, mute.name, tmp_path))
    assert found == (0 if parameter.command in ENDS_WELL else status)
    err = capfd.readouterr().err
    if found:
        assert told(err, status) in ("interrupted", "ended")
    assert signal.getsignal(number) == before
    assert {path.name for path in tmp_path.iterdir()} <= {"good.key", "good.sabot", "good.sabotlog", "keys"}


def test_a_signal_that_is_ignored_stays_so(mute: Mute, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """`nohup sabot …` goes on when the terminal is closed."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        mute.when_asked(lambda: os.kill(os.getpid(), signal.SIGHUP))
        found = main(["status", "--port", mute.name])
    finally:
        signal.signal(signal.SIGHUP, before)
    assert told(capfd.readouterr().err, found) == "link-silent"
