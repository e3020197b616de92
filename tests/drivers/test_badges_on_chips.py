"""The badge reader's driver against the chip model, on both interfaces."""

from __future__ import annotations

import random
from typing import Any

import pytest
from pn532 import PN532, PN532Fault
from pn532.i2c import I2cLink
from pn532.uart import UartLink

from hwsim.chips.pn532 import Pn532
from hwsim.chips.pn532_commands import Timing
from hwsim.chips.pn532_frames import ACK_FRAME, shifted
from hwsim.chips.pn532_i2c import Pn532I2c
from hwsim.chips.pn532_uart import Pn532Uart
from hwsim.core import Line
from hwsim.uart import UartPort
from hwsim.world.badges import Badge, BadgePad, NtagBadge
from tests.drivers.adapter import Board, I2c, run

NS_MS = 1_000_000


class Uart:
    """`machine.UART` in front of the simulator's port."""

    def __init__(self, board: Board, port: UartPort) -> None:
        self._board = board
        self._port = port

    def any(self) -> int:
        self._board.charge()
        return self._port.any()

    def write(self, buf: bytes | bytearray | memoryview) -> None:
        self._board.charge()
        self._port.write(bytes(buf))

    def readinto(self, buf: bytearray | memoryview, nbytes: int) -> int | None:
        self._board.charge()
        count = min(nbytes, len(buf), self._port.any())
        buf[:count] = self._port.read(count)
        return count or None


class Rig:
    """`options` are the chip's; what only one interface has is in `stretches` (I2C)."""

    def __init__(self, interface: str, stretches: bool = False, **options: Any) -> None:
        self.board = Board()
        scheduler = self.board.scheduler
        self.pad = BadgePad(scheduler)
        irq, reset_n = Line("IRQ", 1), Line("RSTPDN", 1)
        self.link: I2cLink | UartLink
        if interface == "i2c":
            chip = Pn532I2c(scheduler, self.pad, irq=irq, reset_n=reset_n, stretches=stretches, **options)
            self.chip: Pn532 = chip
            self.link = I2cLink(I2c(self.board, {0x24: chip}))
        else:
            port = UartPort(scheduler)
            self.chip = Pn532Uart(scheduler, self.pad, port, irq=irq, reset_n=reset_n, **options)
            self.link = UartLink(Uart(self.board, port))
        self.reader = PN532(self.link)
        self.wait(5)

    def wait(self, ms: float) -> None:
        self.board.scheduler.run_until(self.board.scheduler.now + round(ms * NS_MS))

    def start(self) -> None:
        self.reader.begin_start()
        run(self.board, self.reader)
        assert self.reader.version == 0x0106

    def search(self) -> str:
        self.reader.begin_list()
        run(self.board, self.reader)
        return bytes(self.reader.uid[: self.reader.uid_length]).hex() if self.reader.found else ""


@pytest.fixture(params=["i2c", "uart"])
def rig(request: pytest.FixtureRequest) -> Rig:
    return Rig(request.param)


def test_badges_come_and_go(rig: Rig) -> None:
    rig.start()
    assert rig.search() == ""
    for badge in (
        Badge(bytes.fromhex("deadbeef")),
        NtagBadge(bytes.fromhex("04a1b2c3d4e580"), user=b"sabot badge 1234"),
    ):
        rig.pad.enter(badge)
        assert rig.search() == badge.uid.hex()
        rig.pad.leave(badge)
        assert rig.search() == ""


def test_pages_of_a_badge_and_its_leaving_between_two_reads(rig: Rig) -> None:
    rig.start()
    badge = NtagBadge(bytes.fromhex("04a1b2c3d4e580"), user=b"sabot badge 1234")
    rig.pad.enter(badge)
    rig.search()
    rig.reader.begin_read(4)
    run(rig.board, rig.reader)
    assert rig.reader.ok and rig.reader.data == b"sabot badge 1234"
    rig.pad.leave(badge)
    rig.reader.begin_read(4)
    run(rig.board, rig.reader)
    assert not rig.reader.ok and rig.reader.status


def test_sleep_and_waking(rig: Rig) -> None:
    rig.start()
    rig.pad.enter(Badge(bytes.fromhex("deadbeef")))
    for _ in range(3):
        rig.reader.begin_power_down()
        run(rig.board, rig.reader)
        rig.wait(100)
        begun = rig.board.scheduler.now
        assert rig.search() == "deadbeef"
        assert rig.board.scheduler.now - begun < 35 * NS_MS, "the first frame wakes it"


@pytest.mark.parametrize("seed", range(100))
def test_a_warm_restart_in_the_middle_of_an_answer(rig: Rig, seed: int) -> None:
    source = random.Random(seed)
    rig.start()
    rig.pad.enter(NtagBadge(bytes.fromhex("04a1b2c3d4e580")))
    rig.reader.begin_list()
    end = rig.board.scheduler.now + source.randrange(25 * NS_MS)
    wait = rig.reader.step()
    while wait >= 0 and rig.board.scheduler.now < end:
        rig.board.scheduler.run_until(rig.board.scheduler.now + wait * 1_000)
        wait = rig.reader.step()
    rig.reader = PN532(rig.link)
    rig.start()
    assert rig.search() == "04a1b2c3d4e580"


def test_a_warm_restart_behind_each_byte_of_an_answer(rig: Rig) -> None:
    """A hundred times: the host has had so many bytes of the frame, and is new; the rest is no badge of its own."""
    rig.start()
    rig.pad.enter(NtagBadge(bytes.fromhex("04a1b2c3d4e580")))
    begun: list[bytes] = []

    def listen(frame: bytes) -> bytes:
        if frame != ACK_FRAME:
            begun.append(frame)
        return frame

    rig.chip.line_fault = listen
    cut = 0
    for _ in range(100):
        begun.clear()
        rig.reader.begin_list()
        wait = rig.reader.step()
        while not begun:
            now = rig.board.scheduler.now
            rig.board.scheduler.run_until(now + min(wait, 50) * 1_000)
            wait -= 50
            if wait <= 0 and not begun:
                wait = rig.reader.step()
        (answer,) = begun
        had = cut % len(answer)
        cut += 1
        if isinstance(rig.chip, Pn532I2c):
            assert rig.chip.read(1) == b"\x01" and rig.chip.read(1 + had)[1:] == answer[:had]
        else:
            assert isinstance(rig.chip, Pn532Uart)
            rig.wait(had * rig.chip.port.byte_ns / NS_MS)
            assert rig.chip.port.read(rig.chip.port.any())[-had or 99 :] == answer[:had]
        rig.reader = PN532(rig.link)
        rig.start()
        assert rig.search() == "04a1b2c3d4e580"
    assert cut > 3 * len(answer)


@pytest.mark.parametrize("after_ms", [0, 0.4, 1, 3, 8, 12, 16, 25])
def test_an_aborted_command_followed_at_once_by_another(rig: Rig, after_ms: float) -> None:
    rig.start()
    rig.pad.enter(Badge(bytes.fromhex("deadbeef")))
    for _ in range(5):
        rig.reader.begin_list()
        rig.wait(2)
        rig.reader.step()
        rig.wait(after_ms)
        rig.reader.abort()
        assert rig.search() == "deadbeef"


@pytest.mark.parametrize("oscillator_us", [0, 500, 1_000, 1_500, 2_000])
@pytest.mark.parametrize(("interface", "stretches"), [("i2c", False), ("i2c", True), ("uart", False)])
def test_waking_whatever_the_chip_does_meanwhile(interface: str, stretches: bool, oscillator_us: int) -> None:
    """Its oscillator takes up to 2 ms; on I2C it holds the clock so long, or does not acknowledge its address."""
    rig = Rig(interface, stretches, timing=Timing(oscillator=oscillator_us * 1_000))
    rig.start()
    rig.pad.enter(Badge(bytes.fromhex("deadbeef")))
    rig.reader.begin_power_down()
    run(rig.board, rig.reader)
    rig.wait(100)
    assert rig.chip.asleep
    assert rig.search() == "deadbeef"


@pytest.mark.parametrize("hold_us", [50, 1_000, 2_900])
def test_a_chip_that_holds_the_clock_in_every_transaction(hold_us: int) -> None:
    rig = Rig("i2c")
    assert isinstance(rig.chip, Pn532I2c)
    rig.chip.hold_clock_ns = hold_us * 1_000
    rig.start()
    rig.pad.enter(NtagBadge(bytes.fromhex("04a1b2c3d4e580"), user=b"sabot badge 1234"))
    assert rig.search() == "04a1b2c3d4e580"
    rig.reader.begin_read(4)
    run(rig.board, rig.reader)
    assert rig.reader.ok and rig.reader.data == b"sabot badge 1234"


@pytest.mark.parametrize("bits", range(1, 8))
@pytest.mark.parametrize("what", ["acknowledge", "answer", "both"])
def test_garbage_of_a_receiver_some_bits_late_is_never_a_badge(rig: Rig, what: str, bits: int) -> None:
    rig.start()
    rig.pad.enter(Badge(bytes.fromhex("deadbeef")))

    def late(frame: bytes) -> bytes:
        hit = what == "both" or (frame == ACK_FRAME) == (what == "acknowledge")
        return shifted(frame, bits) if hit else frame

    rig.chip.line_fault = late
    with pytest.raises(PN532Fault) as caught:
        rig.search()
    assert caught.value.code in ("garbage", "timeout", "absent") and not rig.reader.found
    rig.chip.line_fault = None
    rig.start()
    assert rig.search() == "deadbeef"


@pytest.mark.parametrize("hits", [1, 2])
def test_a_damaged_answer_is_asked_for_again_with_a_nack(rig: Rig, hits: int) -> None:
    rig.start()
    rig.pad.enter(Badge(bytes.fromhex("deadbeef")))
    left = hits

    def damaged(frame: bytes) -> bytes:
        nonlocal left
        if frame == ACK_FRAME or not left:
            return frame
        left -= 1
        return frame[:-3] + bytes((frame[-3] ^ 0x10,)) + frame[-2:]

    rig.chip.line_fault = damaged
    assert rig.search() == "deadbeef" and not left
    assert len(rig.chip.received) == 5, "the four commands of the start and one search, which was not sent again"


@pytest.mark.parametrize("at_ms", [0.2, 0.7, 3, 9, 14])
def test_a_chip_that_is_gone_in_the_middle_of_a_search_and_comes_back(rig: Rig, at_ms: float) -> None:
    rig.start()
    rig.pad.enter(Badge(bytes.fromhex("deadbeef")))
    rig.board.scheduler.after(round(at_ms * NS_MS), lambda: setattr(rig.chip, "dead", True))
    begun = rig.board.scheduler.now
    with pytest.raises(PN532Fault):
        for _ in range(3):
            rig.search()
    assert rig.board.scheduler.now - begun < 500 * NS_MS
    rig.chip.dead = False
    rig.chip.power_cycle()
    rig.wait(5)
    rig.start()
    assert rig.search() == "deadbeef"
