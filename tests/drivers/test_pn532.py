"""The badge reader's driver, on I2C and UART: badges, and everything that a bus, a chip or a restart can do to it."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from pn532 import PN532, PN532Fault
from pn532.frames import command
from pn532.i2c import I2cLink
from pn532.uart import UartLink

from tests.drivers.adapter import Board, run
from tests.drivers.pn532_peer import CLASSIC, DESFIRE, NS_MS, NTAG, PHONE, SYNTAX, I2cPort, Peer, UartPort, normal

SECOND = 1_000 * NS_MS


class Rig:
    """A reader's driver, its bus and the chip behind it."""

    def __init__(self, bus: str) -> None:
        self.board = Board()
        self.peer = Peer(self.board)
        self.port: I2cPort | UartPort
        if bus == "i2c":
            self.port = I2cPort(self.peer)
            self.reader = PN532(I2cLink(self.port))
        else:
            self.port = UartPort(self.peer)
            self.reader = PN532(UartLink(self.port))

    def start(self) -> None:
        self.reader.begin_start()
        run(self.board, self.reader)

    def run(self) -> None:
        run(self.board, self.reader)

    def search(self) -> bool:
        self.reader.begin_list()
        self.run()
        return self.reader.found

    def fails(self, code: str, within_ms: int) -> None:
        """The act that was begun fails in this way, in bounded time."""
        begun = self.board.scheduler.now
        with pytest.raises(PN532Fault) as caught:
            self.run()
        assert caught.value.code == code
        assert self.board.scheduler.now - begun < within_ms * NS_MS
        assert self.reader.step() == -1


@pytest.fixture(params=["i2c", "uart"])
def rig(request: pytest.FixtureRequest) -> Rig:
    return Rig(request.param)


@pytest.fixture
def started(rig: Rig) -> Rig:
    rig.start()
    rig.peer.commands.clear()
    return rig


def test_start_wakes_identifies_and_configures(rig: Rig) -> None:
    rig.start()
    assert rig.reader.version == 0x0106
    assert [command.hex() for command in rig.peer.commands] == ["14010000", "02", "3205ff0102", "320100"]
    assert not rig.peer.endless and not rig.peer.field
    assert rig.board.scheduler.now < 40 * NS_MS


def test_start_may_wait_when_asked_to(rig: Rig) -> None:
    rig.reader.start()
    assert rig.reader.version == 0x0106


@pytest.mark.parametrize(
    ("target", "uid", "sak", "drawn"),
    [
        (CLASSIC, "deadbeef", 0x08, False),
        (NTAG, "04a1b2c3d4e580", 0x00, False),
        (DESFIRE, "04112233445566", 0x20, False),
        (PHONE, "08112233", 0x20, True),
        (bytes.fromhex("010044000708a1b2c3d4e580"), "08a1b2c3d4e580", 0x00, False),  # a maker's number, of 7 bytes
    ],
)
def test_badges(started: Rig, target: bytes, uid: str, sak: int, drawn: bool) -> None:
    reader = started.reader
    started.peer.target = target
    assert started.search()
    assert bytes(reader.uid[: reader.uid_length]).hex() == uid
    assert (reader.sak, reader.random) == (sak, drawn)
    assert reader.atqa == int.from_bytes(target[1:3], "big")
    started.peer.target = None
    assert not started.search()


def test_pages_of_an_ntag(started: Rig) -> None:
    started.peer.target = NTAG
    started.search()
    started.reader.begin_read(4)
    started.run()
    assert started.reader.ok and started.reader.status == 0
    assert started.reader.data == bytes(range(16, 32))
    started.reader.begin_read(44)
    started.run()
    assert started.reader.data == bytes((176, 177, 178, 179, *range(12)))


def test_a_badge_that_left_is_a_status_and_no_fault(started: Rig) -> None:
    started.peer.target = NTAG
    started.search()
    started.peer.target = None
    started.reader.begin_read(4)
    started.run()
    assert not started.reader.ok and started.reader.status == 0x01
    started.reader.begin_read(4)
    started.run()
    assert not started.reader.ok and started.reader.status == 0x27
    started.peer.target = NTAG
    assert started.search()


def test_release_and_field(started: Rig) -> None:
    started.peer.target = NTAG
    started.search()
    started.reader.begin_release()
    started.run()
    assert not started.peer.listed and started.peer.field
    started.reader.begin_field(False)
    started.run()
    assert not started.peer.field
    started.reader.begin_field(True)
    started.run()
    assert started.peer.field


def test_sleep_and_waking_by_the_next_command(started: Rig) -> None:
    started.reader.begin_power_down()
    started.run()
    assert started.peer.asleep
    assert started.peer.commands[-1] == (b"\x16\x80" if isinstance(started.port, I2cPort) else b"\x16\x10")
    started.board.scheduler.run_until(started.board.scheduler.now + SECOND)
    started.peer.target = CLASSIC
    assert started.search()


@pytest.mark.parametrize("lost", [1, 2])
def test_commands_that_are_lost_are_sent_again(started: Rig, lost: int) -> None:
    started.peer.target = CLASSIC
    started.peer.lose = lost
    assert started.search()
    assert len(started.peer.commands) == 1


def test_a_chip_that_stays_silent(started: Rig) -> None:
    started.peer.lose = 99
    started.reader.begin_list()
    started.fails("busy" if isinstance(started.port, I2cPort) else "absent", 100)


def test_nothing_on_the_bus(rig: Rig) -> None:
    rig.port.absent = True
    rig.reader.begin_start()
    rig.fails("absent", 100)
    rig.port.absent = False
    rig.start()
    assert rig.reader.version == 0x0106


def test_a_command_that_is_never_answered_is_aborted(started: Rig) -> None:
    started.peer.endless = True
    aborts = started.peer.aborts
    started.reader.begin_list()
    started.fails("timeout", 250)
    assert started.peer.aborts == aborts + 1
    started.peer.endless = False
    started.peer.target = CLASSIC
    assert started.search()


@pytest.mark.parametrize("lost", [0, 1])
@pytest.mark.parametrize("after_us", [0, 300, 700, 5_000, 12_400, 12_900, 15_000])
def test_an_aborted_command_followed_at_once_by_another(started: Rig, after_us: int, lost: int) -> None:
    started.peer.lose_after_abort = lost
    started.peer.target = CLASSIC
    reader = started.reader
    reader.begin_list()
    started.board.scheduler.run_until(started.board.scheduler.now + 2 * NS_MS)
    wait = reader.step()
    end = started.board.scheduler.now + after_us * 1_000
    while wait >= 0 and started.board.scheduler.now < end:
        started.board.scheduler.run_until(min(end, started.board.scheduler.now + wait * 1_000))
        wait = reader.step()
    reader.abort()
    assert reader.step() == -1
    started.peer.target = NTAG
    assert started.search()
    assert bytes(reader.uid[: reader.uid_length]).hex() == "04a1b2c3d4e580"


@pytest.mark.parametrize("seed", range(100))
def test_a_warm_restart_in_the_middle_of_an_answer(rig: Rig, seed: int) -> None:
    source = random.Random(seed)
    rig.start()
    rig.peer.target = source.choice((CLASSIC, NTAG))
    rig.reader.begin_list()
    end = rig.board.scheduler.now + source.randrange(20_000) * 1_000
    wait = rig.reader.step()
    while wait >= 0 and rig.board.scheduler.now < end:
        rig.board.scheduler.run_until(rig.board.scheduler.now + wait * 1_000)
        wait = rig.reader.step()
    again = PN532(I2cLink(rig.port)) if isinstance(rig.port, I2cPort) else PN532(UartLink(rig.port))
    rig.reader = again
    rig.start()
    assert again.version == 0x0106
    assert rig.search() and again.uid[: again.uid_length] == rig.peer.target[5:]


@pytest.mark.parametrize(
    "noise", ["", "00", "55aa", "0000ff", "00ff05fbd4", "ff" * 40, "0000ff00", "00ff03fd", "0000ff7f81"]
)
def test_bytes_before_a_frame_are_passed_over(noise: str) -> None:
    # On I2C a read holds one frame; on the serial line anything may come before it.
    rig = Rig("uart")
    rig.start()
    rig.peer.target = NTAG
    rig.peer.mangle = lambda frame: bytes.fromhex(noise) + frame
    assert rig.search()


def damage(after: int, times: int) -> Callable[[bytes], bytes]:
    """Flip a bit in so many frames, after so many good ones."""
    count = 0

    def mangled(frame: bytes) -> bytes:
        nonlocal count
        count += 1
        if after < count <= after + times:
            broken = bytearray(frame)
            broken[-3] ^= 0x10
            return bytes(broken)
        return frame

    return mangled


@pytest.mark.parametrize("times", [1, 2])
def test_a_damaged_answer_is_asked_for_again(started: Rig, times: int) -> None:
    started.peer.target = NTAG
    started.peer.mangle = damage(1, times)
    assert started.search()
    assert bytes(started.reader.uid[:7]) == NTAG[5:]
    assert started.peer.nacks == times


def test_an_answer_that_stays_damaged(started: Rig) -> None:
    started.peer.target = NTAG
    started.peer.mangle = damage(1, 99)
    started.reader.begin_list()
    started.fails("garbage", 100)
    assert not started.reader.found


def test_shifted_garbage_is_never_accepted(started: Rig) -> None:
    def shifted(frame: bytes) -> bytes:
        bits = int.from_bytes(frame, "big") >> 1
        return bits.to_bytes(len(frame), "big")

    started.peer.target = CLASSIC
    started.peer.mangle = shifted
    started.reader.begin_list()
    started.fails("garbage", 250)
    started.peer.mangle = lambda frame: frame
    started.start()
    assert started.search()


def test_a_status_byte_that_is_neither_is_no_frame() -> None:
    rig = Rig("i2c")
    rig.start()
    assert isinstance(rig.port, I2cPort)
    rig.port.status = 0xFF
    rig.reader.begin_list()
    rig.fails("garbage", 100)


def test_a_refused_command(started: Rig) -> None:
    def refuse(frame: bytes) -> bytes:
        return SYNTAX if frame[5:7] == b"\xd5\x4b" else frame

    started.peer.target = CLASSIC
    started.peer.mangle = refuse
    started.reader.begin_list()
    started.fails("refused", 50)


@pytest.mark.parametrize("firmware", ["32010407", "33010607", "32020607", "32010602", "07010607"])
def test_other_chips_are_refused(rig: Rig, firmware: str) -> None:
    rig.peer.firmware = bytes.fromhex(firmware)
    rig.reader.begin_start()
    rig.fails("version", 100)
    assert rig.reader.version == 0


@pytest.mark.parametrize(
    "answer",
    ["", "02" + NTAG.hex(), "01", "01020044000704a1b2c3d4e580", "01010044000704a1", "010100440005a1a2a3a4a5", "0000"],
)
def test_target_data_that_make_no_sense_are_no_badge(started: Rig, answer: str) -> None:
    def replaced(frame: bytes) -> bytes:
        return normal(b"\x4b" + bytes.fromhex(answer)) if frame[5:7] == b"\xd5\x4b" else frame

    started.peer.target = NTAG
    started.peer.mangle = replaced
    started.reader.begin_list()
    started.fails("garbage", 100)
    assert not started.reader.found


@pytest.mark.parametrize("answer", ["", "00", "00" * 16, "00" * 18])
def test_a_short_or_long_page_is_no_page(started: Rig, answer: str) -> None:
    started.peer.target = NTAG
    started.search()
    started.peer.mangle = lambda frame: normal(b"\x41" + bytes.fromhex(answer)) if frame[5:7] == b"\xd5\x41" else frame
    started.reader.begin_read(4)
    started.fails("garbage", 100)
    assert not started.reader.ok


@pytest.mark.parametrize("answer", ["41" + "00" * 17, "5300"], ids=["read", "release"])
def test_an_answer_to_another_command_is_passed_over(started: Rig, answer: str) -> None:
    """That of a release would, of a search, say that nobody is there."""
    started.peer.target = CLASSIC
    started.reader.begin_list()
    while not started.peer.commands:  # the driver leaves the chip alone for a moment first
        started.board.scheduler.run_until(started.peer.now + max(started.reader.step(), 1) * 1000)
    assert len(started.peer.out) == 2, "an acknowledge, and what was asked for"
    started.peer.out.insert(1, (started.peer.now, normal(bytes.fromhex(answer))))
    started.run()
    assert started.reader.found and bytes(started.reader.uid[:4]).hex() == "deadbeef"


def test_no_transaction_is_longer_than_the_bus_may_be_held() -> None:
    rig = Rig("i2c")
    rig.start()
    rig.peer.target = NTAG
    rig.search()
    assert isinstance(rig.port, I2cPort)
    assert (1 + rig.port.longest) * 22.5 < 3_000
    assert rig.port.longest == 65


def test_ticks_that_wrap_do_not_hold_a_command_back(started: Rig) -> None:
    started.peer.target = CLASSIC
    for pause in (500, 537, 600, 1_073):
        started.board.scheduler.run_until(started.board.scheduler.now + pause * SECOND)
        begun = started.board.scheduler.now
        assert started.search()
        assert started.board.scheduler.now - begun < 50 * NS_MS


def test_frames_of_the_sheet() -> None:
    frames = [bytes(command(bytes.fromhex(data))).hex() for data in ("02", "4a0100", "40013004")]
    assert frames == ["0000ff02fed4022a00", "0000ff04fcd44a0100e100", "0000ff05fbd440013004b700"]
