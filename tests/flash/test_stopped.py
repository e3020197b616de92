"""Ctrl-C at a board that is written or commissioned: the same command, typed again, makes it whole."""

from itertools import product
from typing import Any

import pytest

from sabot_host.errors import Exit
from sabot_host.flash.boards import board_named
from sabot_host.flash.devices import State
from sabot_host.flash.file_copy import BoardFiles
from sabot_host.flash.install import install_bundle, install_uf2
from tests.flash import synthetic
from tests.flash.conftest import Desk, Plug, Recorder
from tests.flash.house import COMMISSIONED, on_board
from tests.flash.test_flashing import VERSION, on_flash, only, release
from tests.sampled import sampled

PICO2 = board_named("pico2")


class Stopping(Recorder):
    """Somebody presses Ctrl-C when so much of a phase is done."""

    def __init__(self, phase: str, share: float) -> None:
        super().__init__()
        self._when = (phase, share)

    def progress(self, phase: str, done: int, total: int) -> None:
        if (phase, done >= self._when[1] * total) == (self._when[0], True):
            raise KeyboardInterrupt
        super().progress(phase, done, total)


@pytest.mark.parametrize(
    ("share", "phase"), sampled(product([0, 0.5, 1], ["write", "verify"]), [(0.5, "write"), (1, "verify")])
)
def test_a_blank_board(plug: Plug, phase: str, share: float) -> None:
    bus = plug("RP2350")
    with pytest.raises(KeyboardInterrupt):
        install_bundle(bus, only(bus), release(PICO2), "r.sabot", Stopping(phase, share), keep=True)
    assert only(bus).in_boot_loader
    back = install_bundle(bus, only(bus), release(PICO2), "r.sabot", Recorder(), keep=True)
    assert (back.state, back.versions["sabot"]) == (State.FRESH, VERSION)
    assert on_flash(bus) == release(PICO2).on_board


@pytest.mark.parametrize("share", sampled([0, 0.5, 1], [0.5]))
def test_a_board_with_micropython(plug: Plug, share: float) -> None:
    bus = plug("RP2350")
    install_uf2(bus, only(bus), synthetic.micropython(PICO2), "stock.uf2", Recorder())
    stopping = Stopping("copy", share)
    with pytest.raises(KeyboardInterrupt):
        install_bundle(bus, only(bus), release(PICO2, with_uf2=False), "r.sabot", stopping, keep=True)
    install_bundle(bus, only(bus), release(PICO2, with_uf2=False), "r.sabot", Recorder(), keep=True)
    assert on_flash(bus) == release(PICO2, with_uf2=False).on_board


@pytest.mark.parametrize(("call", "nth"), sampled([("put", 2), ("move", 6)], [("move", 6)]))
def test_a_board_that_is_commissioned(
    fresh: Desk, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, call: str, nth: int
) -> None:
    plain = getattr(BoardFiles, call)
    calls = 0

    def step(self: BoardFiles, *words: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == nth:
            raise KeyboardInterrupt
        return plain(self, *words)

    monkeypatch.setattr(BoardFiles, call, step)
    assert fresh.run("provision", "house.toml", "--yes") == Exit.INTERRUPTED
    assert "[interrupted]" in capsys.readouterr().err
    assert fresh.run("provision", "house.toml", "--yes") == Exit.OK
    assert on_board(fresh.bus.boards[0]) == COMMISSIONED
