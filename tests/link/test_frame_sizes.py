"""Frames of every length around a USB packet's 64 bytes, and two of them, come through whole, in packets and singly."""

from __future__ import annotations

import pytest

from sabot.wire import messages as m
from sabot_host.link.client import Client
from tests.link.board import CLOCK, Controller
from tests.link.cable import Cable

PACKET = 64
LENGTHS = {63, 64, 65, 127, 128, 129}


class Packets(Cable):
    """What the controller sends arrives in pieces of at most ``size`` bytes; ``frames``: lengths of its frames."""

    def __init__(self, controller: Controller, size: int) -> None:
        super().__init__(controller)
        self.size = size
        self.frames: list[int] = []
        self._whole = b""
        self._waiting = b""

    def read(self, timeout_ms: int) -> bytes:
        came = b"" if self._waiting else super().read(timeout_ms)
        self._whole += came
        while b"\0" in self._whole:
            frame, _, self._whole = self._whole.partition(b"\0")
            if frame:
                self.frames.append(len(frame) + 1)
        self._waiting += came
        piece, self._waiting = self._waiting[: self.size], self._waiting[self.size :]
        return piece


@pytest.mark.parametrize("size", [1, PACKET - 1, PACKET])
def test_a_frame_of_any_length_comes_through(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    CLOCK.ms = 5000
    controller = Controller()
    cable = Packets(controller, size)
    client = Client(cable)
    client.open()
    for length in range(120):
        monkeypatch.setattr(controller.app, "status", lambda told="x" * length: told)
        assert client.call(m.C_STATUS) == b'"' + b"x" * length + b'"'
    assert set(cable.frames) >= LENGTHS
