"""The controller's end of the USB serial port: bytes in, frames out, and never a wait.

Entry point: :class:`LinkPort`.

On rp2 a write that finds the 256-byte FIFO full waits 500 ms for a host that does not read, and the table with it. So
a byte is written only after ``poll`` said that there is room for one. The exception is a frame written when the FIFO is
known to be all but empty: :meth:`prove` is told so when the host has repeated the mark at the end of the last frame
written, which it cannot know without having read up to there, whatever kind of host it is. Six bytes may still wait
then (the mark's last one, which COBS may tell early, the CRC and the zero); a frame has 246 at most, and 6 + 246 fit.
"""

import select

from micropython import const

from sabot.wire.frame import MAX_ENCODED, encode_into

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_BYTES_A_TURN = const(32)  # one call of poll each: 256 us


class LinkPort:
    """``stdin`` and ``stdout`` are the port's binary streams.

    ``sent`` counts the frames written. Nothing here allocates but what :func:`encode_into` needs.
    """

    def __init__(self, stdin: "Any", stdout: "Any") -> None:
        self.sent = 0
        self._stdin = stdin
        self._stdout = stdout
        self._readable = select.poll()
        self._readable.register(stdin, select.POLLIN)
        self._writable = select.poll()
        self._writable.register(stdout, select.POLLOUT)
        self._byte = bytearray(1)
        self._frame = bytearray(MAX_ENCODED)
        self._at = 0
        self._end = 0
        self._empty = False

    @property
    def busy(self) -> bool:
        """Whether a frame is still being written byte by byte."""
        return self._at < self._end

    def read(self) -> int:
        """The next byte from the host, or -1 when none has come."""
        for _ in self._readable.ipoll(0):
            return self._byte[0] if self._stdin.readinto(self._byte) else -1
        return -1

    def send(self, data: bytearray, length: int) -> None:
        """Write the payload ``data[:length]`` as a frame; not while :attr:`busy`. ``data`` has room for a CRC."""
        self.sent = (self.sent + 1) & 0x3FFFFFFF
        self._end = encode_into(data, length, self._frame, 0)
        self._at = 0
        if self._empty:
            self._empty = False
            self._stdout.write(self._frame, 0, self._end)
            self._at = self._end
        else:
            self.drain()

    def drain(self) -> None:
        """Go on with the frame as far as there is room, at most 32 bytes a call."""
        for _ in range(_BYTES_A_TURN):
            if self._at >= self._end or not self._has_room():
                return
            self._stdout.write(self._frame, self._at, 1)
            self._at += 1

    def prove(self) -> None:
        """The host has read the mark of the last frame written."""
        self._empty = True

    def _has_room(self) -> bool:
        for _ in self._writable.ipoll(0):
            return True
        return False
