"""A PN532 as a host sees it, written from the fact sheet, for tests of the driver: honest unless told otherwise.

Entry points: `Peer` (the chip: commands in, frames out at their time, faults on request), `I2cPort` and `UartPort`
(`machine.I2C` and `machine.UART` in front of it), `normal` (builds a frame).
"""

from __future__ import annotations

from collections.abc import Callable

from tests.drivers.adapter import Board

NS_US = 1_000
NS_MS = 1_000_000
ACK = bytes.fromhex("0000ff00ff00")
NACK = bytes.fromhex("0000ffff0000")
SYNTAX = bytes.fromhex("0000ff01ff7f8100")
BYTE_NS = 86_806  # 115200 8N1

CLASSIC = bytes.fromhex("0100040804deadbeef")
NTAG = bytes.fromhex("010044000704a1b2c3d4e580")
DESFIRE = bytes.fromhex("010344200704112233445566067577810280")
PHONE = bytes.fromhex("010004200408112233")


def normal(data: bytes) -> bytes:
    """A frame from the chip."""
    body = b"\xd5" + data
    return bytes((0, 0, 0xFF, len(body), -len(body) & 0xFF)) + body + bytes((-sum(body) & 0xFF, 0))


class Peer:
    """The chip. ``target``: data of the card in the field, or None. ``pages``: memory of a Type 2 tag.

    Faults: ``mangle(frame)`` changes what is sent (b"" loses it); ``lose`` swallows so many commands; ``mute`` takes
    commands and answers none; ``lose_after_abort``.
    """

    def __init__(self, board: Board) -> None:
        self.board = board
        self.asleep = True
        self.normal_mode = False
        self.endless = True
        self.field = False
        self.target: bytes | None = None
        self.listed = False
        self.pages = bytes(range(180))
        self.firmware = bytes.fromhex("32010607")
        self.mangle: Callable[[bytes], bytes] = lambda frame: frame
        self.lose = 0
        self.lose_after_abort = 0
        self.mute = False
        self.commands: list[bytes] = []
        self.aborts = 0
        self.nacks = 0
        self.out: list[tuple[int, bytes]] = []
        self.last = b""

    @property
    def now(self) -> int:
        return self.board.scheduler.now

    def send(self, frame: bytes, after_us: int) -> None:
        sent = self.mangle(frame)
        if sent:
            earliest = self.out[-1][0] if self.out else 0
            self.out.append((max(self.now + after_us * NS_US, earliest), sent))

    def take(self, data: bytes) -> None:
        """What the host has written in one go."""
        if data == ACK:
            self.aborts += 1
            self.out.clear()
            self.lose += self.lose_after_abort
        elif data == NACK:
            self.nacks += 1
            self.send(self.last, 300)
        else:
            self._command(data)

    def _command(self, frame: bytes) -> None:
        assert frame[:3] == b"\x00\x00\xff" and (frame[3] + frame[4]) & 0xFF == 0 and len(frame) == frame[3] + 7
        assert sum(frame[5:-1]) & 0xFF == 0 and frame[5] == 0xD4 and frame[-1] == 0
        self.out.clear()
        if self.lose:
            self.lose -= 1
            return
        self.commands.append(frame[6:-2])
        self.send(ACK, 500)
        if not self.mute:
            answer, after_us = self._answer(frame[6], frame[7:-2])
            if answer:
                self.last = answer
                self.send(answer, after_us)

    def _answer(self, code: int, data: bytes) -> tuple[bytes, int]:
        reply = bytes((code + 1,))
        if code == 0x14:
            self.normal_mode = True
            return normal(reply), 1_000
        if code == 0x02:
            return normal(reply + self.firmware), 1_000
        if not self.normal_mode:
            return b"", 0
        if code == 0x32:
            if data[0] == 5:
                self.endless = data[3] == 0xFF
            else:
                self.field = bool(data[1] & 1)
            return normal(reply), 1_000
        if code == 0x4A:
            assert data == b"\x01\x00"
            self.field = True
            self.listed = self.target is not None
            if self.target is None:
                return (b"", 0) if self.endless else (normal(reply + b"\x00"), 30_000)
            return normal(reply + b"\x01" + self.target), 12_000
        if code == 0x40 and data[1] == 0x30:
            if not self.listed or self.target is None:
                status = 0x01 if self.listed else 0x27
                self.listed = False
                return normal(reply + bytes((status,))), 52_000
            wrapped = (self.pages * 2)[data[2] * 4 : data[2] * 4 + 16]
            return normal(reply + b"\x00" + wrapped), 4_000
        if code == 0x52:
            self.listed = False
            return normal(reply + b"\x00"), 1_000
        if code == 0x16:
            self.asleep = True
            return normal(reply + b"\x00"), 500
        return SYNTAX, 500


class I2cPort:
    """The bus: a status byte before each frame; what is not fetched of a frame is lost."""

    def __init__(self, peer: Peer) -> None:
        self.peer = peer
        self.absent = False
        self.status = 0x01
        self.longest = 0

    def _begin(self, address: int, count: int) -> None:
        self.peer.board.charge()
        scheduler = self.peer.board.scheduler
        scheduler.run_until(scheduler.now + (1 + count) * 22_500)
        self.longest = max(self.longest, count)
        assert address == 0x24
        if self.absent:
            raise OSError(5, "EIO")

    def writeto(self, address: int, buf: bytes | bytearray | memoryview) -> None:
        self._begin(address, len(buf))
        if self.peer.asleep:
            self.peer.asleep = False
            raise OSError(5, "EIO")
        self.peer.take(bytes(buf))

    def readfrom_into(self, address: int, buf: bytearray | memoryview) -> None:
        self._begin(address, len(buf))
        out = self.peer.out
        if not out or out[0][0] > self.peer.now:
            buf[:] = bytes(len(buf))
            return
        frame = out[0][1] if len(buf) == 1 else out.pop(0)[1]
        buf[:] = (bytes((self.status,)) + frame + b"\x80" * 80)[: len(buf)]


class UartPort:
    """The serial line: frames arrive byte by byte. A sleeping chip hears nothing before the preamble."""

    def __init__(self, peer: Peer) -> None:
        self.peer = peer
        self.absent = False
        self.wire: list[tuple[int, int]] = []
        self.preamble = False

    def _arrive(self) -> None:
        while self.peer.out:
            begun, frame = self.peer.out[0]
            if begun > self.peer.now:
                return
            self.peer.out.pop(0)
            if self.wire:
                begun = max(begun, self.wire[-1][0])
            self.wire += [(begun + (i + 1) * BYTE_NS, byte) for i, byte in enumerate(frame)]

    def any(self) -> int:
        self.peer.board.charge()
        self._arrive()
        return sum(when <= self.peer.now for when, _ in self.wire)

    def write(self, buf: bytes | bytearray | memoryview) -> None:
        self.peer.board.charge()
        data = bytes(buf)
        if self.absent:
            return
        if data[:2] == b"\x55\x55":
            assert len(data) >= 12 and not any(data[2:])
            self.preamble = True
            return
        woken, self.preamble = self.preamble, False
        if self.peer.asleep and not woken:
            return
        self.peer.asleep = False
        self.peer.take(data)

    def readinto(self, buf: bytearray | memoryview, nbytes: int) -> int | None:
        self.peer.board.charge()
        count = min(nbytes, len(buf), sum(when <= self.peer.now for when, _ in self.wire))
        for i in range(count):
            buf[i] = self.wire.pop(0)[1]
        return count or None
