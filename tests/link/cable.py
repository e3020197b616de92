"""A virtual cable between the host's client and the firmware's link, with faults. Both ends run on one virtual clock.

Entry points: :class:`Cable` (a `Transport` of the host's client), :class:`Faults` (what happens to bytes on the way).
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from sabot_host.errors import DeviceError
from tests.link.board import CLOCK, FIFO_BYTES, Controller


@dataclass
class Faults:
    """Probabilities: of each byte to be lost or to have a bit flipped, of each burst to be harmed otherwise."""

    seed: int = 0
    lose: float = 0
    flip: float = 0
    garbage: float = 0
    cut: float = 0
    twice: float = 0
    late: float = 0
    rng: random.Random = field(init=False)

    def __post_init__(self) -> None:
        self.rng = random.Random(self.seed)

    def over(self, data: bytes) -> bytes:
        """What arrives of ``data``."""
        chance = self.rng.random
        if self.cut and chance() < self.cut:
            data = data[: self.rng.randrange(len(data) + 1)]
        if self.twice and chance() < self.twice:
            data += data
        out = bytearray()
        for byte in data:
            if self.lose and chance() < self.lose:
                continue
            out.append(byte ^ (1 << self.rng.randrange(8)) if self.flip and chance() < self.flip else byte)
        if self.garbage and chance() < self.garbage:
            at = self.rng.randrange(len(out) + 1)
            out[at:at] = self.rng.randbytes(self.rng.choice((1, 5, 60, 300)))
        return bytes(out)


class Cable:
    """The host's end. ``up`` and ``down`` are the faults towards the controller and from it.

    ``reads`` False is a host that holds the port open and takes nothing. ``frames`` counts what the host wrote.
    """

    def __init__(self, controller: Controller, up: Faults | None = None, down: Faults | None = None) -> None:
        self.controller = controller
        self.reads = True
        self.gone = False
        self.reopened = 0
        self.sent: list[bytes] = []
        self._up = up or Faults()
        self._down = down or Faults()
        self._late: list[tuple[int, bytes]] = []

    def now_ms(self) -> int:
        return CLOCK.ms

    def write(self, data: bytes) -> None:
        if self.gone:
            raise DeviceError("port-gone", "the cable is gone", "plug it in")
        self.sent.append(data)
        harmed = self._up.over(data)
        if self._up.late and self._up.rng.random() < self._up.late:
            # A frame of the past comes again: it may belong to a session that is long over.
            self._late.append((CLOCK.ms + self._up.rng.randrange(1, 8000), data))
        self.controller.port.send(harmed)

    def read(self, timeout_ms: int) -> bytes:
        end = CLOCK.ms + timeout_ms
        while CLOCK.ms < end:
            self.step()
            if self.gone:
                raise DeviceError("port-gone", "the cable is gone", "plug it in")
            data = self.take()
            if data:
                return data
        return b""

    def reopen(self, timeout_ms: int) -> None:
        end = CLOCK.ms + timeout_ms
        while self.gone:
            if CLOCK.ms >= end:
                raise DeviceError("port-gone", "the cable is gone", "plug it in")
            self.step()
        self.reopened += 1

    def close(self) -> None:
        self.controller.port.close()

    def step(self, ms: int = 1) -> None:
        """Let time pass."""
        for _ in range(ms):
            CLOCK.ms += 1
            for due, data in self._late:
                if due == CLOCK.ms:
                    self.controller.port.send(data)
            self.controller.run()

    def take(self, most: int = FIFO_BYTES) -> bytes:
        """What the host gets now."""
        data = self.controller.port.take(most) if self.reads else b""
        return self._down.over(data) if data else b""
