"""Standard output as the firmware sees it: a write meets the simulated port before it returns.

Entry points: :class:`Output`. Nothing is charged for a write but the time for which the port makes it wait.
"""

import io

import _sim


def _with_carriage_returns(data: bytes | bytearray | memoryview) -> bytes:
    """The board's text stream sends CR LF for each LF; binary frames written to it would be torn."""
    data = data.encode() if isinstance(data, str) else bytes(data)
    return data.replace(b"\n", b"\r\n")


class Output(io.IOBase):
    """Stands for ``sys.stdout``, or for its ``buffer``, which passes line ends as they are."""

    def __init__(self, stream: object, buffer: "Output | None" = None) -> None:
        self._stream = stream
        if buffer is not None:
            self.buffer = buffer

    def write(
        self, data: bytes | bytearray | memoryview, offset: int | None = None, count: int | None = None
    ) -> int | None:
        """Write ``data``, or ``count`` bytes of it, from ``offset`` on when both are given; returns the bytes taken."""
        if offset is None and hasattr(self, "buffer"):
            data = _with_carriage_returns(data)
        if not _sim.in_handler:
            _sim.flush()
        if offset is None:
            written = self._stream.write(data)
        elif count is None:
            written = self._stream.write(data, offset)
        else:
            written = self._stream.write(data, offset, count)
        if not _sim.in_handler:
            _sim.sync()
        return written

    def flush(self) -> None:
        """Nothing waits here."""

    def ioctl(self, request: int, argument: int) -> int:
        """Nothing is known; ``select`` asks the simulator about standard output."""
        return -1
