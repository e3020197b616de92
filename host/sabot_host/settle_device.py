"""Settle rounds on MicroPython, the controller's interpreter: the work of `sabot settle --on-device`.

Entry point: `DeviceSettler`, a context manager whose `answer` stands in for `settle.settle_line`. The interpreter is
the unix port of the `sim` extra; it runs the firmware's rules from source, one line at a time, each with a deadline.
"""

import os
import selectors
import shutil
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType

import sabot.rules

from .errors import DeviceError, MissingPartError, how_to_install

HEAP = "2M"
"""The interpreter's heap: enough for the longest line that is accepted."""
DEADLINE_S = 20.0
"""Longest wait for one answer. A round takes milliseconds; the longest line, a fraction of a second."""
_CHUNK = 4096
_MAX_ANSWER = 1 << 20


def find_interpreter() -> Path:
    """MicroPython beside the running Python, else on the PATH; MissingPartError when there is none."""
    beside = Path(sys.executable).with_name("micropython")
    if beside.is_file():
        return beside
    found = shutil.which("micropython")
    if found is None:
        raise MissingPartError(
            "micropython-missing",
            f"MicroPython is needed to settle on the device and is not installed beside {sys.executable}",
            how_to_install("sim"),
        )
    return Path(found)


class DeviceSettler:
    """A MicroPython process that settles lines. Use it as a context manager, from one thread.

    Args:
        interpreter: the MicroPython executable; None looks for it (MissingPartError when there is none).
        deadline_s: longest wait for one answer, in seconds.
    """

    def __init__(self, interpreter: Path | None = None, deadline_s: float = DEADLINE_S) -> None:
        self._interpreter = interpreter
        self._deadline_s = deadline_s
        self._process: subprocess.Popen[bytes] | None = None
        self._received = b""

    def __enter__(self) -> "DeviceSettler":
        interpreter = self._interpreter or find_interpreter()
        firmware = Path(sabot.rules.__file__).parents[2]
        script = Path(__file__).with_name("settle_pipe.py")
        try:
            self._process = subprocess.Popen(
                [str(interpreter), "-X", f"heapsize={HEAP}", str(script)],
                env={"MICROPYPATH": f"{firmware}:.frozen", "PATH": os.defpath},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                bufsize=0,
            )
        except OSError as reason:
            raise MissingPartError(
                "micropython-unusable",
                f"{interpreter} cannot be run: {reason.strerror}",
                how_to_install("sim"),
            ) from reason
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                os.set_blocking(pipe.fileno(), False)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        # It holds nothing that must be saved; ended, it cannot outlive the command whatever state it is in.
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()

    def answer(self, line: bytes) -> tuple[str, bool]:
        """The device's answer to one line without end of line, and whether it is a settlement.

        Raises:
            DeviceError: the interpreter ended, or gave no answer within the deadline.
        """
        if self._process is None or self._process.stdin is None or self._process.stdout is None:
            raise DeviceError("device-closed", "the device's interpreter is not running", "use it inside its context")
        sending = memoryview(line + b"\n")
        limit = time.monotonic() + self._deadline_s
        with selectors.DefaultSelector() as waiting:
            waiting.register(self._process.stdin, selectors.EVENT_WRITE)
            waiting.register(self._process.stdout, selectors.EVENT_READ)
            while b"\n" not in self._received:
                left = limit - time.monotonic()
                if left <= 0:
                    raise self._failed("gave no answer within the deadline")
                for key, _ in waiting.select(left):
                    if key.fileobj is self._process.stdout:
                        self._read(key.fd)
                    else:
                        sending = self._write(key.fd, sending)
                        if not sending:
                            waiting.unregister(key.fileobj)
        text, _, self._received = self._received.partition(b"\n")
        if not text.startswith(b"{"):
            raise self._failed("answered " + ascii(text[:80].decode("ascii", "replace")))
        return text.decode("ascii", "replace"), not text.startswith(b'{"error"')

    def _read(self, pipe: int) -> None:
        piece = os.read(pipe, _CHUNK)
        self._received += piece
        if not piece or len(self._received) > _MAX_ANSWER:
            raise self._failed("ended in the middle of a round")

    def _write(self, pipe: int, sending: memoryview) -> memoryview:
        try:
            return sending[os.write(pipe, sending[:_CHUNK]) :]
        except BrokenPipeError:
            raise self._failed("ended before it read the round") from None

    def _failed(self, what: str) -> DeviceError:
        return DeviceError(
            "device-settle-failed",
            f"the device's interpreter {what}",
            "settle without --on-device, and report this round",
        )
