"""Standard output as the firmware sees it: a write meets the simulated port before it returns.

Entry points: :class:`Output`. Nothing is charged for a write but the time for which the port makes it wait.
"""

import io

import _sim


class Output(io.IOBase):
    """Stands for ``sys.stdout``, and for its ``buffer`` too: the board's takes bytes and text alike."""

    def __init__(self, stream):
        self._stream = stream
        self.buffer = self

    def write(self, data, offset=None, count=None):
        """Write ``data``, or ``count`` bytes of it, from ``offset`` on when both are given; returns the bytes taken."""
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

    def flush(self):
        """Nothing waits here."""

    def ioctl(self, request, argument):
        """Nothing is known; ``select`` asks the simulator about standard output."""
        return -1
