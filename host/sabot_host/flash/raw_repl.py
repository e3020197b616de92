"""MicroPython's raw REPL: running a piece of code on the board and taking what it prints.

Entry points: :class:`RawRepl` over a link transport, :class:`CodeFailed`, :func:`printed`. Whatever the board does when
it is met (prints, waits in paste mode, is in the raw REPL already, starts just now) :meth:`RawRepl.enter` ends in the
raw REPL or says that there is none. Code goes by raw-paste, which has flow control, or slowly where the board does not
know it.
"""

from __future__ import annotations

import ast
from typing import Any

from sabot_host.errors import DeviceError
from sabot_host.link.client import Transport

INTERRUPT, RAW, FRIENDLY, END = b"\x03", b"\x01", b"\x02", b"\x04"
BANNER = b"raw REPL; CTRL-B to exit\r\n>"
PASTE = b"\x05A\x01"
PASTE_YES, PASTE_NO = b"R\x01", b"R\x00"
PLAIN_BYTES, PLAIN_GAP_MS = 256, 10  # without flow control: what the board's ring of 512 bytes stands
ENTER_MS = 10_000
TRY_MS = 1000
EXEC_MS = 10_000
MOST_OUTPUT = 1 << 20


class CodeFailed(Exception):
    """The code raised: ``traceback`` is what the board said."""

    def __init__(self, traceback: str) -> None:
        lines = traceback.strip().splitlines()
        super().__init__(lines[-1] if lines else "unknown error")
        self.traceback = traceback


def printed(data: bytes) -> Any:
    """The value that a board has printed. ValueError for what is none, whatever it is."""
    try:
        return ast.literal_eval(data.decode().strip())
    except (SyntaxError, TypeError, RecursionError, MemoryError) as error:
        raise ValueError(f"{type(error).__name__}: {error}") from error


class RawRepl:
    """The raw REPL at the other end of ``transport``. Every wait has a bound."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._unread = b""
        self._paste: bool | None = None  # not asked yet
        self._words = 0

    def enter(self, timeout_ms: int = ENTER_MS) -> None:
        """Stop what runs and reach the raw REPL. DeviceError when there is none."""
        end = self._now() + timeout_ms
        while self._now() < end:
            self._unread = b""
            self._transport.write(b"\r" + INTERRUPT)
            self._quiet(self._now() + PLAIN_GAP_MS)  # a program that catches the first one gets a second
            self._transport.write(INTERRUPT)
            self._quiet(min(self._now() + TRY_MS // 4, end))
            self._transport.write(b"\r" + RAW)
            if self._seen(BANNER, min(self._now() + TRY_MS, end)) and self._echoes(min(self._now() + TRY_MS, end)):
                return
        raise DeviceError(
            "repl-none",
            "the board shows no MicroPython prompt",
            "unplug it, plug it in, try again; else hold BOOTSEL while plugging in, and run sabot flash",
        )

    def run(self, code: str, timeout_ms: int = EXEC_MS) -> bytes:
        """Run ``code``; returns what it printed.

        Raises:
            CodeFailed: it raised.
            DeviceError: the board does not answer in time, or not as a raw REPL does.
        """
        data = code.encode()
        if INTERRUPT in data or END in data:
            raise ValueError("control characters in code")
        self._send(data)
        end = self._now() + timeout_ms
        printed = self._until(END, end)
        failed = self._until(END, end)
        self._expect(b">", end)
        if failed:
            raise CodeFailed(failed.decode(errors="replace"))
        return printed

    def start(self, code: str) -> None:
        """Run code that does not return: a reset. No answer is awaited, and the port may go before it has taken all.

        Whether the board did it, the caller sees by what comes back.
        """
        try:
            self._send(code.encode())
        except DeviceError as error:
            if error.code != "port-gone":
                raise

    def leave(self) -> None:
        """Back to the prompt for people."""
        self._transport.write(b"\r" + FRIENDLY)

    # --- sending ------------------------------------------------------------------------------------------------------

    def _send(self, data: bytes) -> None:
        end = self._now() + EXEC_MS
        if self._paste is not False:
            self._transport.write(PASTE)
            answer = self._take(2, end)
            if answer == PASTE_YES:
                self._paste = True
                self._send_by_paste(data, end)
                return
            self._paste = False
            if answer != PASTE_NO:
                self._until(b">", end)  # it took the trigger for a new banner
        self._send_plainly(data, end)

    def _send_by_paste(self, data: bytes, end: int) -> None:
        window = int.from_bytes(self._take(2, end), "little")
        room = window
        at = 0
        while at < len(data):
            while room == 0 or self._unread:
                given = self._take(1, end)
                if given == END:  # it does not compile: the rest is not wanted
                    self._transport.write(END)
                    return
                if given != RAW:
                    raise _nonsense()
                room += window
            part = data[at : at + room]
            self._transport.write(part)
            at += len(part)
            room -= len(part)
            self._unread += self._transport.read(0)
        self._transport.write(END)
        while (given := self._take(1, end)) != END:
            if given != RAW:
                raise _nonsense()

    def _send_plainly(self, data: bytes, end: int) -> None:
        for at in range(0, len(data), PLAIN_BYTES):
            self._transport.write(data[at : at + PLAIN_BYTES])
            self._unread += self._transport.read(PLAIN_GAP_MS)
        self._transport.write(END)
        self._expect(b"OK", end)

    # --- receiving ----------------------------------------------------------------------------------------------------

    def _now(self) -> int:
        return self._transport.now_ms()

    def _more(self, end: int) -> None:
        left = end - self._now()
        if left <= 0:
            raise DeviceError(
                "repl-silent", "the board stopped answering", "unplug it, plug it in, run the command again"
            )
        self._unread += self._transport.read(min(left, TRY_MS))
        if len(self._unread) > MOST_OUTPUT:
            raise _nonsense()

    def _take(self, size: int, end: int) -> bytes:
        while len(self._unread) < size:
            self._more(end)
        taken, self._unread = self._unread[:size], self._unread[size:]
        return taken

    def _until(self, mark: bytes, end: int) -> bytes:
        while mark not in self._unread:
            self._more(end)
        taken, _, self._unread = self._unread.partition(mark)
        return taken

    def _expect(self, expected: bytes, end: int) -> None:
        if self._take(len(expected), end) != expected:
            raise _nonsense()

    def _quiet(self, end: int) -> None:
        """Take what comes until nothing more does, or until ``end``: a board that prints for ever is interrupted."""
        while (left := end - self._now()) > 0:
            data = self._transport.read(min(left, 5 * PLAIN_GAP_MS))
            if not data:
                return
            self._unread = (self._unread + data)[-MOST_OUTPUT:]

    def _echoes(self, end: int) -> bool:
        """Whether the board prints a word of this moment by ``end``, and nothing after it.

        A board that starts while we knock shows a banner of an earlier knock first. When it has come to a word that
        was sent after the last knock, it has read all of them, and no banner can come into an answer any more.
        """
        self._words += 1
        word = b"word %d" % self._words
        self._transport.write(b"print('%s', end='')" % word + END)
        return self._seen(word + END + END + b">", end) and self._unread == b""

    def _seen(self, mark: bytes, end: int) -> bool:
        """Whether ``mark`` comes by ``end``; what came before it is dropped."""
        while mark not in self._unread:
            left = end - self._now()
            if left <= 0:
                return False
            self._unread = (self._unread + self._transport.read(left))[-MOST_OUTPUT:]
        self._unread = self._unread[self._unread.rindex(mark) + len(mark) :]
        return True


def _nonsense() -> DeviceError:
    return DeviceError(
        "repl-nonsense", "the board does not answer as MicroPython does", "unplug it, plug it in, run the command again"
    )
