"""``select.poll`` over the simulator: standard input and output, and objects with a stream ``ioctl``.

Entry points: :class:`poll` and the POLL constants, as ``select`` of the rp2 port.
"""

import sys

import _sim
from micropython import const

POLLIN = 1
POLLOUT = 4
POLLERR = 8
POLLHUP = 16

_POLL_REQUEST = const(3)  # MP_STREAM_POLL
_STDIN = const(1)
_STDOUT = const(2)
_STDIO = (sys.stdin, sys.stdout, sys.stdin.buffer, sys.stdout.buffer)


class _Entry:
    def __init__(self, obj: object, mask: int) -> None:
        self._obj = obj
        self._mask = mask
        self._is_stdio = obj in _STDIO
        self._ready = 0
        self._pair = [obj, 0]


class poll:
    """``poll()`` and ``ipoll()`` wait in virtual time; timeouts are milliseconds, negative or None for ever."""

    def __init__(self) -> None:
        self._entries = []
        self._full = [[]]  # one list for each number of ready entries: nothing is allocated while polling

    def register(self, obj: object, eventmask: int = POLLIN | POLLOUT) -> None:
        """Watch ``obj``; OSError EINVAL when it is no stream."""
        if obj not in _STDIO and not hasattr(obj, "ioctl"):
            raise TypeError("stream operation not supported")
        entry = self._find(obj)
        if entry is not None:
            entry._mask = eventmask
            return
        self._entries.append(_Entry(obj, eventmask))
        if len(self._full) <= len(self._entries):
            self._full.append([None] * len(self._entries))

    def modify(self, obj: object, eventmask: int) -> None:
        """Watch ``obj`` for other events; OSError ENOENT when it is not watched."""
        entry = self._find(obj)
        if entry is None:
            raise OSError(2)
        entry._mask = eventmask

    def unregister(self, obj: object) -> None:
        """Watch ``obj`` no longer; nothing happens when it is not watched."""
        entry = self._find(obj)
        if entry is not None:
            self._entries.remove(entry)

    def poll(self, timeout: int | None = -1) -> list[tuple[object, int]]:
        """List of (object, events)."""
        return [tuple(pair) for pair in self.ipoll(timeout)]

    def ipoll(self, timeout: int | None = -1, flags: int = 0) -> list:
        """As ``poll``, but the result lives only until the next call; ``flags`` 1 drops an entry once reported."""
        _sim.call()
        count = self._wait(-1 if timeout is None or timeout < 0 else timeout * 1_000_000)
        result = self._full[count]
        index = 0
        for entry in self._entries:
            if entry._ready:
                entry._pair[1] = entry._ready
                result[index] = entry._pair
                index += 1
                if flags & 1:
                    entry._mask = 0
        return result

    def _wait(self, timeout_ns: int) -> int:
        until = _sim.now + timeout_ns
        interest = 0
        for entry in self._entries:
            if entry._is_stdio:
                if entry._mask & POLLIN:
                    interest |= _STDIN
                if entry._mask & POLLOUT:
                    interest |= _STDOUT
        while True:
            others = self._ask_others()
            if others:
                left = 0
            elif timeout_ns < 0:
                left = -1
            else:
                left = until - _sim.now if until > _sim.now else 0
            count = others + self._note_stdio(_sim.wait_io(interest, left))
            if count or left == 0:
                return count

    def _ask_others(self) -> int:
        count = 0
        for entry in self._entries:
            if not entry._is_stdio:
                entry._ready = entry._obj.ioctl(_POLL_REQUEST, entry._mask) if entry._mask else 0
                if entry._ready:
                    count += 1
        return count

    def _note_stdio(self, bits: int) -> int:
        count = 0
        for entry in self._entries:
            if entry._is_stdio:
                ready = 0
                if bits & _STDIN:
                    ready |= POLLIN
                if bits & _STDOUT:
                    ready |= POLLOUT
                entry._ready = ready & entry._mask
                if entry._ready:
                    count += 1
        return count

    def _find(self, obj: object) -> _Entry | None:
        for entry in self._entries:
            if entry._obj is obj:
                return entry
        return None
