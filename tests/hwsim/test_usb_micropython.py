"""A board that runs MicroPython, through the real pyserial: prompt, raw REPL, raw paste, resets, files in its flash."""

import re
import select
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

import pytest
import serial
from littlefs import LittleFS

from hwsim.usb import filesystem, firmware, terminal
from hwsim.usb.board import Board
from hwsim.usb.bus import Bus
from hwsim.usb.chips import RP2040, RP2350, Chip
from hwsim.usb.micropython import MicroPython
from tests.hwsim.conftest import Plug

PATIENCE_S = 20.0
RAW = b"raw REPL; CTRL-B to exit\r\n>"
BANNER = re.compile(rb'MicroPython [^\r\n]*\r\nType "help\(\)" for more information\.\r\n>>> \Z')


class Line(NamedTuple):
    """A running board and its open port."""

    bus: Bus
    board: Board
    port: serial.Serial

    def until(self, end: bytes | re.Pattern[bytes]) -> bytes:
        """What comes until ``end`` does."""
        pattern = re.compile(re.escape(end) + rb"\Z") if isinstance(end, bytes) else end
        got = b""
        limit = time.monotonic() + PATIENCE_S
        while not pattern.search(got):
            assert time.monotonic() < limit, got
            got += self.port.read(1)
        return got

    def send(self, data: bytes, end: bytes | re.Pattern[bytes]) -> bytes:
        """Send, and wait for the answer's end."""
        self.port.write(data)
        return self.until(end)

    def raw(self) -> None:
        """Into raw REPL."""
        self.send(b"\r\x03\r\x01", RAW)

    def run(self, code: str) -> tuple[bytes, bytes]:
        """Run code in raw REPL: what it printed, and its traceback."""
        answer = self.send(code.encode() + b"\x04", re.compile(rb"\x04[^\x04]*\x04>\Z"))
        assert answer.startswith(b"OK")
        printed, wrong, _ = answer[2:].split(b"\x04")
        return printed, wrong


Start = Callable[..., Line]


@pytest.fixture
def start(plug: Plug) -> Iterator[Start]:
    """Boards with stock MicroPython, their ports open at the prompt."""
    ports: list[serial.Serial] = []

    def started(
        chip: Chip = RP2350, files: dict[str, str] | None = None, *, blocks: int = 768, banner: bool = True
    ) -> Line:
        bus, board = plug(chip)
        board.unplug()
        program = firmware.synthetic(chip)
        board.flash.data[: len(program)] = program
        if files:
            put(board, files, blocks)
        board.plug()
        bus.settle()
        assert board.application is not None
        ports.append(serial.Serial(board.application.port, timeout=0.1, exclusive=True))
        line = Line(bus, board, ports[-1])
        if banner:
            line.until(BANNER)
        return line

    yield started
    for port in ports:
        port.close()


def put(board: Board, files: dict[str, str], blocks: int) -> None:
    """Write files into a file system at the end of the flash of a board that is off."""
    content = LittleFS(block_size=4096, block_count=blocks, prog_size=256)
    for name, text in files.items():
        with content.open(name, "w") as file:
            file.write(text)
    storage = filesystem.FileSystem(board.flash, board.flash.size - blocks * 4096, blocks)
    storage.image = bytes(content.context.buffer)


def test_the_prompt(start: Start) -> None:
    line = start()
    assert line.send(b"1+1\r", b">>> ") == b"1+1\r\n2\r\n>>> "


def test_raw_repl_byte_for_byte(start: Start) -> None:
    line = start()
    assert line.send(b"\x01", RAW) == b"\r\n" + RAW
    assert line.send(b"print(1)\x04", b"\x04>") == b"OK1\r\n\x04\x04>"
    printed, wrong = line.run("1/0")
    assert printed == b""
    assert wrong.endswith(b"ZeroDivisionError: divide by zero\r\n")
    assert b"SyntaxError" in line.run("1 +")[1]
    BANNER.search(line.send(b"\x02", BANNER))


def test_raw_paste_byte_for_byte(start: Start) -> None:
    line = start()
    line.raw()
    assert line.send(b"\x05A\x01", b"\x01\x80\x00\x01") == b"R\x01\x80\x00\x01"
    assert line.send(b"print(123)\x04", b"\x04>") == b"\x04123\r\n\x04\x04>"


def test_raw_paste_opens_its_window_again(start: Start) -> None:
    line = start()
    line.raw()
    line.send(b"\x05A\x01", b"\x01\x80\x00\x01")
    assert line.send(b"#" * 128, b"\x01") == b"\x01"
    assert line.send(b"#" * 127 + b"\n", b"\x01") == b"\x01"
    assert line.send(b"print(5)\x04", b"\x04>") == b"\x045\r\n\x04\x04>"


def test_raw_paste_aborts_what_does_not_compile(start: Start) -> None:
    line = start()
    line.raw()
    line.send(b"\x05A\x01", b"\x01\x80\x00\x01")
    assert b"SyntaxError" in line.send(b"1 +\nprint(2)\n\x04", b"\x04>")


def test_ctrl_c_breaks_what_runs(start: Start) -> None:
    line = start()
    line.raw()
    line.port.write(b"print('on')\nwhile True: pass\x04")
    line.until(b"OKon\r\n")
    assert line.send(b"xyz\x03", b"\x04>").endswith(b"KeyboardInterrupt: \r\n\x04>")
    assert line.run("print('well')") == (b"well\r\n", b"")


def test_ctrl_c_does_not_break_what_has_refused_it(start: Start) -> None:
    line = start()
    line.raw()
    line.port.write(
        b"import micropython, sys\nmicropython.kbd_intr(-1)\nprint('on')\nprint(sys.stdin.read(3).encode())\x04"
    )
    line.until(b"OKon\r\n")
    assert line.send(b"a\x03b", b"\x04>") == b"b'a\\x03b'\r\n\x04\x04>"


@pytest.mark.parametrize("main", ["", "import micropython\nmicropython.kbd_intr(-1)"])
@pytest.mark.parametrize("code", ["while True: pass", "import time\nwhile True: time.sleep(0.05)"])
def test_ctrl_c_breaks_what_came_by_raw_paste_whatever_main_py_has_said(start: Start, main: str, code: str) -> None:
    """As Sabot's says -1, and ends at the prompt where the board holds no settings."""
    line = start(files={"main.py": main})
    line.raw()
    assert line.run("print(1)") == (b"1\r\n", b"")
    line.send(b"\x05A\x01", b"\x01\x80\x00\x01")
    line.send(f"print('on')\n{code}\x04".encode(), b"\x04on\r\n")
    assert line.send(b"\r\x03", b"\x04>").endswith(b"KeyboardInterrupt: \r\n\x04>")
    assert line.run("print(2)") == (b"2\r\n", b"")


@pytest.mark.parametrize(
    ("chip", "machine", "mpy", "build"),
    [
        (RP2350, "Raspberry Pi Pico 2 with RP2350", 7 << 10 | 0x306, "RPI_PICO2"),
        (RP2040, "Raspberry Pi Pico with RP2040", 4 << 10 | 0x306, "RPI_PICO"),
    ],
)
def test_it_says_that_it_is_a_pico(start: Start, chip: Chip, machine: str, mpy: int, build: str) -> None:
    line = start(chip)
    line.raw()
    printed, _ = line.run(
        "import sys, os, machine\n"
        "i = sys.implementation\n"
        "print(sys.platform, i._machine, i._mpy, i._build, os.uname().machine, machine.unique_id().hex(), sep='|')"
    )
    assert printed.decode().strip() == f"rp2|{machine}|{mpy}|{build}|{machine}|{line.board.uid.hex()}"


def test_files_are_in_the_flash(start: Start) -> None:
    line = start()
    line.raw()
    line.run("import os\nos.mkdir('lib')\nf = open('/lib/a.py', 'w')\nf.write('x = 7')\nf.close()\nos.sync()")
    assert line.run("import a\nprint(a.x, os.listdir('/'))") == (b"7 ['lib']\r\n", b"")
    assert line.run("print(os.statvfs('/')[:3])") == (b"(4096, 4096, 768)\r\n", b"")
    assert b"ENOENT" in line.run("open('/etc/passwd')")[1]
    line.board.unplug()
    found = filesystem.find(line.board.flash)
    assert found is not None
    assert found.files() == {"lib/a.py": b"x = 7"}
    assert (found.offset, found.blocks) == (1024 * 1024, 768)


def test_a_full_file_system_says_so(start: Start) -> None:
    line = start(files={"main.py": ""}, blocks=32)
    line.raw()
    wrong = line.run("f = open('big', 'wb')\nwhile True: f.write(bytes(4096))")[1]
    assert b"OSError: 28" in wrong or b"ENOSPC" in wrong


def test_text_gets_carriage_returns_and_binary_does_not(start: Start) -> None:
    line = start()
    line.raw()
    assert line.run(r"print('a\nb\r\nc')")[0] == b"a\r\nb\r\nc\r\n"
    assert line.run(r"import sys; sys.stdout.buffer.write(b'a\nb\r\n\n')")[0] == b"a\nb\r\n\n"


def test_soft_resets(start: Start) -> None:
    line = start(files={"boot.py": "print('booted')", "main.py": "print('main')"}, banner=False)
    assert line.until(BANNER).startswith(b"booted\r\nmain\r\n")
    assert line.send(b"\x04", BANNER).startswith(b"\r\nMPY: soft reboot\r\nbooted\r\nmain\r\nMicroPython")
    line.raw()
    assert line.send(b"\x04", RAW) == b"OK\r\nMPY: soft reboot\r\nbooted\r\n" + RAW
    line.port.write(b"raise SystemExit\x04")
    assert line.until(RAW).endswith(b"MPY: soft reboot\r\nbooted\r\n" + RAW)
    assert line.run("print(2)") == (b"2\r\n", b"")


def test_a_program_that_prints_without_end_can_be_stopped(start: Start) -> None:
    line = start(files={"main.py": "while True: print('still here')"}, banner=False)
    line.until(b"still here\r\n")
    line.port.write(b"\x03")
    line.until(BANNER)


def test_a_host_that_reads_nothing_does_not_hold_the_program_up(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminal, "BLOCK_MS", 5)
    line = start()
    line.raw()
    line.port.write(b"import machine\nfor n in range(4000): print('%04d' % n)\nmachine.bootloader()\x04")
    hangup = select.poll()
    hangup.register(line.port.fileno(), 0)
    assert hangup.poll(PATIENCE_S * 1000)  # it has come to its end, and the port has gone
    assert line.board.state == "starting"


def test_resets_take_the_port_away_and_bring_it_back_under_another_name(start: Start) -> None:
    line = start()
    line.raw()
    old = line.port.name
    line.port.write(b"import machine; machine.reset()\x04")
    with pytest.raises(serial.SerialException):
        line.until(b"never")
    line.bus.settle()
    assert line.board.application is not None
    assert line.board.state == "running"
    with serial.Serial(line.board.application.port, timeout=0.1) as port:
        Line(line.bus, line.board, port).until(BANNER)
    assert old != line.board.application.port or line.board.boots > 2


def test_into_the_boot_loader(start: Start) -> None:
    line = start()
    line.port.write(b"import machine\rmachine.bootloader()\r")
    with pytest.raises(serial.SerialException):
        line.until(b"never")
    line.bus.settle()
    assert line.board.state == "bootsel"
    assert line.bus.session().ports() == []


def test_bytes_from_elsewhere_in_the_middle(start: Start) -> None:
    line = start()
    assert isinstance(line.board.application, MicroPython)
    line.raw()
    line.board.application.inject(b"MicroPython v1.29.0; booting\r\n")
    assert line.send(b"print(1)\x04", b"\x04>") == b"MicroPython v1.29.0; booting\r\nOK1\r\n\x04\x04>"


def test_a_mute_board(plug: Plug) -> None:
    bus, board = plug(RP2350)
    board.faults.mute = True
    program = firmware.synthetic(RP2350)
    board.unplug()
    board.flash.data[: len(program)] = program
    board.plug()
    bus.settle()
    (port,) = bus.session().ports()
    assert (port.vendor, port.product, port.serial) == (0x2E8A, 0x0005, board.uid.hex())
    with serial.Serial(port.device, timeout=0) as line:
        line.write(b"\r\x03\x01")
        assert line.read(100) == b""


def test_two_programs_on_one_port(start: Start) -> None:
    line = start()
    with pytest.raises(serial.SerialException, match="lock"):
        serial.Serial(line.port.name, exclusive=True)
