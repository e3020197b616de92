"""A scripted boot loader for tests of the protocol's bytes: it answers by its script and keeps what it was sent.

Entry point: :class:`ScriptedPipe`. It judges nothing; the emulated boot loaders of ``hwsim.usb`` do.
"""

from collections import deque


class ScriptedPipe:
    """``reads`` are the answers of the IN endpoint in order: bytes, or an exception to raise; likewise ``writes``."""

    def __init__(self, status: bytes = bytes(16)) -> None:
        self.sent: list[tuple[object, ...]] = []
        self.reads: deque[bytes | Exception] = deque()
        self.writes: deque[Exception | None] = deque()
        self.status = status

    def write(self, data: bytes, timeout_ms: int) -> None:
        self.sent.append(("out", bytes(data)))
        failure = self.writes.popleft() if self.writes else None
        if failure is not None:
            raise failure

    def read(self, size: int, timeout_ms: int) -> bytes:
        self.sent.append(("in", size))
        answer = self.reads.popleft() if self.reads else b""
        if isinstance(answer, Exception):
            raise answer
        return answer

    def control_read(self, request: tuple[int, int], size: int) -> bytes:
        self.sent.append(("control", request, size))
        return self.status

    def control_write(self, request: tuple[int, int]) -> None:
        self.sent.append(("control", request))

    def clear_halts(self) -> None:
        self.sent.append(("clear",))
