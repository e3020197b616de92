"""The raw REPL, against the real interpreter at a pseudo-terminal, and against scripted answers for other firmwares."""

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from sabot_host.errors import DeviceError
from sabot_host.flash.file_copy import BoardFiles, describe
from sabot_host.flash.raw_repl import CodeFailed, RawRepl
from sabot_host.link.serial_port import SerialTransport
from tests.flash.interpreter import at_prompt


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[str]:
    with at_prompt(tmp_path) as terminal:
        yield terminal


@pytest.fixture
def repl(terminal: str) -> Iterator[RawRepl]:
    transport = SerialTransport(terminal)
    repl = RawRepl(transport)
    repl.enter()
    yield repl
    transport.close()


def test_code_runs_and_its_output_comes_back(repl: RawRepl) -> None:
    assert repl.run("print(6 * 7)").strip() == b"42"
    assert repl.run("a = 1") == b""
    assert repl.run("print(a)").strip() == b"1"


@pytest.mark.parametrize("size", [1, 63, 64, 65, 127, 128, 129, 255, 256, 257, 4000])
def test_code_of_every_size_around_a_window_arrives(repl: RawRepl, size: int) -> None:
    text = "x" * size
    assert repl.run(f"print(len('{text}'))").strip() == str(size).encode()


def test_an_exception_is_told_by_its_last_line(repl: RawRepl) -> None:
    with pytest.raises(CodeFailed, match="ENOENT"):
        repl.run("open('nothing.txt')")
    assert repl.run("print(1)").strip() == b"1"


@pytest.mark.parametrize("length", [10, 5000])
def test_code_that_does_not_compile_is_told_and_nothing_is_left_over(repl: RawRepl, length: int) -> None:
    with pytest.raises(CodeFailed, match="SyntaxError"):
        repl.run("x = = 1\n" + "# " + "y" * length)
    assert repl.run("print(1)").strip() == b"1"


def test_code_that_never_ends_is_not_waited_for(repl: RawRepl) -> None:
    with pytest.raises(DeviceError) as silence:
        repl.run("while True: pass", timeout_ms=200)
    assert silence.value.code == "repl-silent"
    repl.enter()
    assert repl.run("print(1)").strip() == b"1"


@pytest.mark.parametrize(
    "before",
    [
        b"",
        b"\x01",
        b"\x05",
        b"\x05for i in range(3):\n",
        b"def f():\r",
        b"\x01print(1",
        b"\x01\x05A\x01print(1",
        b"while True: print('busy')\r\r",
        b"import time\rwhile True: time.sleep(1)\r\r",
        bytes(range(6, 32)) * 10,
    ],
    ids=[
        "prompt",
        "raw",
        "paste",
        "half-pasted",
        "continued",
        "half-raw",
        "half-raw-paste",
        "prints",
        "sleeps",
        "noise",
    ],
)
def test_the_raw_repl_is_reached_whatever_the_board_does(terminal: str, before: bytes) -> None:
    transport = SerialTransport(terminal)
    transport.write(before)
    transport.read(100)
    repl = RawRepl(transport)
    repl.enter()
    assert repl.run("print(42)").strip() == b"42"
    transport.close()


def test_a_board_that_says_nothing_is_given_up() -> None:
    far, near = os.openpty()
    transport = SerialTransport(os.ttyname(near))
    with pytest.raises(DeviceError) as silence:
        RawRepl(transport).enter(300)
    assert silence.value.code == "repl-none"
    transport.close()
    os.close(far)
    os.close(near)


def test_the_board_describes_itself(repl: RawRepl, tmp_path: Path) -> None:
    described = describe(repl)
    assert described.micropython.startswith("1.2")
    assert described.mpy & 0xFF == 6
    assert described.sabot == ""
    assert not described.provisioned
    (tmp_path / "config.json").write_text("{}")
    (tmp_path / "sabot").mkdir()
    (tmp_path / "sabot" / "__init__.py").write_text('__version__ = "9.8.7"\n')
    described = describe(repl)
    assert (described.sabot, described.provisioned) == ("9.8.7", True)


@pytest.mark.parametrize("size", [0, 1, 767, 768, 769, 20_000])
def test_a_file_arrives_whole(repl: RawRepl, tmp_path: Path, size: int) -> None:
    data = bytes(number * 7 % 256 for number in range(size))
    done: list[int] = []
    files = BoardFiles(repl)
    files.put("lib/some/file.mpy", data, done.append)
    assert (tmp_path / "lib" / "some" / "file.mpy").read_bytes() == data
    assert sum(done) == size
    assert files.paths() == ["lib/some/file.mpy"]
    assert files.hashes(["lib/some/file.mpy", "none"]) == {"lib/some/file.mpy": hashlib.sha256(data).hexdigest()}


def test_a_file_takes_the_old_ones_place_when_it_is_whole(repl: RawRepl, tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text("old")
    files = BoardFiles(repl)
    files.put("main.py", b"new")
    assert (tmp_path / "main.py").read_text() == "new"
    files.remove("main.py")
    files.remove("main.py")
    assert files.paths() == []


def test_a_file_that_cannot_be_stored_is_told(repl: RawRepl, tmp_path: Path) -> None:
    (tmp_path / "lib").write_text("a file where a folder is due")
    with pytest.raises(DeviceError) as failure:
        BoardFiles(repl).put("lib/x.mpy", b"data")
    assert failure.value.code == "copy-failed"


class Script:
    """A board that answers by a script: pairs of what it waits for and what it says then. Reading makes time go on."""

    def __init__(self, *steps: tuple[bytes, bytes]) -> None:
        self.steps = list(steps)
        self.sent = b""
        self.waiting = b""
        self.now = 0

    def now_ms(self) -> int:
        return self.now

    def write(self, data: bytes) -> None:
        self.sent += data
        while self.steps and self.steps[0][0] in self.sent:
            expected, answer = self.steps.pop(0)
            self.sent = self.sent.partition(expected)[2]
            self.waiting += answer

    def read(self, timeout_ms: int) -> bytes:
        data, self.waiting = self.waiting, b""
        self.now += 1 if data else max(timeout_ms, 1)
        return data

    def reopen(self, timeout_ms: int) -> None:
        raise AssertionError

    def close(self) -> None:
        pass


BANNER = b"raw REPL; CTRL-B to exit\r\n>"
ECHO = (b"word 1', end='')\x04", b"OKword 1\x04\x04>")


@pytest.mark.parametrize("answer", [b"R\x00", b"ra" + BANNER[2:]], ids=["without-raw-paste", "old-firmware"])
def test_a_board_without_raw_paste_gets_its_code_slowly(answer: bytes) -> None:
    code = "#" * 700
    script = Script(
        (b"\r\x01", BANNER),
        ECHO,
        (b"\x05A\x01", answer),
        (b"\x04", b"OK42\r\n\x04\x04>"),
        (b"\x04", b"OK43\r\n\x04\x04>"),
    )
    repl = RawRepl(script)
    repl.enter()
    begun = script.now
    assert repl.run(code) == b"42\r\n"
    assert script.now - begun >= 20  # 700 bytes: three times, 10 ms between
    assert repl.run("print(43)") == b"43\r\n"  # it is not asked again


def test_a_boot_banner_in_the_middle_does_not_count() -> None:
    echo = (ECHO[0].replace(b"1", b"2"), ECHO[1].replace(b"1", b"2"))
    script = Script((b"\r\x01", BANNER + b"\r\nMPY: soft reboot\r\n>>> "), (b"\r\x01", BANNER), echo)
    RawRepl(script).enter()
    assert script.steps == []


def test_a_banner_that_comes_late_is_not_taken_for_an_answer() -> None:
    script = Script(
        (b"\r\x01", b""),  # it starts just now, and reads nothing for a second
        (b"\r\x01", BANNER),
        (ECHO[0], BANNER + ECHO[1]),
        (b"\x05A\x01", b"R\x00"),
        (b"\x04", b"OK42\r\n\x04\x04>"),
    )
    repl = RawRepl(script)
    repl.enter()
    assert repl.run("print(42)") == b"42\r\n"


class Leaving(Script):
    """Its port goes at once with the end of the code."""

    gone = False

    def write(self, data: bytes) -> None:
        super().write(data)
        self.gone = self.gone or data == b"\x04"

    def read(self, timeout_ms: int) -> bytes:
        if self.gone:
            raise DeviceError("port-gone", "it is gone", "plug it in")
        return super().read(timeout_ms)


@pytest.mark.parametrize("answer", [b"R\x01\x80\x00\x01", b"R\x00"], ids=["raw-paste", "plainly"])
def test_a_board_may_go_before_it_has_taken_the_code_that_resets_it(answer: bytes) -> None:
    script = Leaving((b"\r\x01", BANNER), (b"\x05A\x01", answer))
    repl = RawRepl(script)
    script.waiting = BANNER
    repl.start("import machine; machine.reset()")
    assert script.gone


def test_an_answer_that_is_no_raw_repl_is_told() -> None:
    script = Script((b"\r\x01", BANNER), ECHO, (b"\x05A\x01", b"R\x01\x80\x00Q"))
    repl = RawRepl(script)
    repl.enter()
    with pytest.raises(DeviceError) as nonsense:
        repl.run("#" * 300)
    assert nonsense.value.code == "repl-nonsense"
