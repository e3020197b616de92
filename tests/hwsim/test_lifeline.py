"""A simulator that is killed leaves no interpreter behind, whatever the interpreter was doing."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

PATIENCE_MS = 5_000
BOARD = """
import serial
from hwsim.usb.bus import rig
from hwsim.usb.chips import RP2350
from hwsim.usb.firmware import synthetic
from hwsim.usb.micropython import MicroPython

bus = rig([RP2350], real=True)
board = bus.boards[0]
bus.application = MicroPython
board.unplug()
board.flash.data[:4096] = synthetic(RP2350, 4096)
board.plug()
bus.settle()
port = serial.Serial(board.application.port)
port.read_until(b">>> ")
port.write({typed!r})
port.read_until({seen!r})
print(board.application._process.pid, flush=True)
input()
"""
COMPUTING = b'exec("print(6 * 7)\\nwhile True: pass")\r\n'
TABLE = """
import sys
import threading
from pathlib import Path

from tests.hwsim.overlay_rig import Rig

with Rig(Path(sys.argv[1]), "while True: pass") as rig:
    threading.Thread(target=rig.finish, daemon=True).start()
    process = rig.controller._process
    while process.cpu_seconds < 1:  # a start takes a tenth of that: it is in its loop
        assert process.exit_status is None
    print(process._popen.pid, flush=True)
    input()
"""


@pytest.mark.parametrize(
    "program",
    [BOARD.format(typed=b"print(6 * 7)\r\n", seen=b"42\r\n"), BOARD.format(typed=COMPUTING, seen=b"42\r\n"), TABLE],
    ids=["board at its prompt", "busy board", "table"],
)
def test_nothing_outlives_a_simulator_that_is_killed(program: str, tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(
        [sys.executable, "-c", program, str(tmp_path)],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as simulator:
        assert simulator.stdout is not None
        line = simulator.stdout.readline()
        assert line, "it has not come that far"
        interpreter = os.pidfd_open(int(line))
        try:
            simulator.kill()
            ended = select.poll()
            ended.register(interpreter, select.POLLIN)
            assert ended.poll(PATIENCE_MS)
        finally:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(interpreter, signal.SIGKILL)
            os.close(interpreter)
