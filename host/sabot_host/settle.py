"""Settle rounds given as JSON Lines: the work of `sabot settle`, with the very rules module of the firmware.

Entry points: `settle_line` (one line, a pure function), `settle_stream` (a whole stream, gives the exit status) and
`bounded_lines` (a binary stream as lines none of which fills the memory). The form of a line and of its answer is
that of `sabot.rules.wireform`; the codes of its errors are listed in `sabot.rules.errors`.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import BinaryIO, TextIO

from sabot.rules import wireform

from .errors import Exit

Answerer = Callable[[bytes], tuple[str, bool]]
"""From one line to its answer (without end of line), and whether that is a settlement rather than an error."""


def settle_line(line: str | bytes) -> tuple[str, bool]:
    """The answer to one line that is not blank, and whether it is a settlement (False: an error). Raises nothing."""
    # Lone surrogates are what a text stream makes of bytes that are no text: they go back to being no JSON.
    return wireform.answer(line.encode("utf-8", "surrogatepass") if isinstance(line, str) else line)


def settle_stream(lines: Iterable[str | bytes], out: TextIO, answer: Answerer = settle_line) -> int:
    """Answer each line that is not blank with one line on `out`; the next line is read whatever the last one was.

    Args:
        lines: the rounds, one a line, with or without end of line.
        out: where the answers go; flushed after each, so that a program may ask and wait.
        answer: what answers a line, e.g. `settle_device.DeviceSettler.answer` for the controller's interpreter.

    Returns:
        Exit.OK, or Exit.FINDING when any line was answered by an error.
    """
    status = Exit.OK
    for line in lines:
        raw = line.encode("utf-8", "surrogatepass") if isinstance(line, str) else line
        raw = raw.rstrip(b"\r\n")
        if wireform.is_blank(raw):
            continue
        text, settled = answer(raw)
        if not settled:
            status = Exit.FINDING
        out.write(text + "\n")
        out.flush()
    return status


def bounded_lines(stream: BinaryIO) -> Iterator[bytes]:
    """The lines of a binary stream; of a line longer than the cap only as much as shows that it is too long."""
    cap = wireform.MAX_LINE + 2  # one byte too many, and a line end
    while line := stream.readline(cap):
        whole = line.endswith(b"\n") or len(line) < cap
        yield line
        while not whole:
            rest = stream.readline(cap)
            whole = rest.endswith(b"\n") or len(rest) < cap
