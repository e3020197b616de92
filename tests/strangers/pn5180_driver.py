"""A PN5180 driver that knows the data sheet and docs/chip-models.md's lines, and nothing of this project's code.

Entry points: :class:`Lines` (the chip behind its socket), :class:`Reader` (``start``, ``inventory``, ``read_block``).
"""

from __future__ import annotations

import socket

SYSTEM_CONFIG, IRQ_STATUS, IRQ_CLEAR, RX_STATUS, TX_CONFIG, RF_STATUS = 0x00, 0x02, 0x03, 0x13, 0x18, 0x1D
RX, TX, FIELD_ON, START_OF_FRAME, REFUSED = 1 << 0, 1 << 1, 1 << 9, 1 << 14, 1 << 17
COLLISION, BAD_FRAME = 1 << 18, 3 << 16


class ChipError(Exception):
    """The chip does not do what its data sheet says."""


class Lines:
    """One connection; `now` and `busy` are those of the last answer."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=30)
        self._file = self._socket.makefile("rw", encoding="ascii", newline="\n")
        self.now = self.busy = 0

    def __call__(self, line: str) -> bytes:
        self._file.write(line + "\n")
        self._file.flush()
        kind, *rest = self._file.readline().split()
        if kind in ("error", "fault"):
            raise ChipError(f"{kind} {' '.join(rest)}")
        self.now, self.busy = int(kind), int(rest[0])
        return bytes.fromhex(rest[1]) if len(rest) > 1 else b""

    def close(self) -> None:
        self._file.close()
        self._socket.close()


class Reader:
    """ISO 15693 by one PN5180, every wait with a bound."""

    def __init__(self, lines: Lines) -> None:
        self._do = lines

    def _frame(self, mosi: bytes) -> bytes:
        self._do("nss 0")
        miso = self._do("clock " + mosi.hex())
        self._do("busy 1 1000000")
        self._do("nss 1")
        self._do("busy 0 50000000")
        if self._do.busy:
            raise ChipError("BUSY stays high")
        return miso

    def _ask(self, mosi: bytes, count: int) -> bytes:
        self._frame(mosi)
        return self._frame(b"\xff" * count)

    def _read(self, register: int) -> int:
        return int.from_bytes(self._ask(bytes((0x04, register)), 4), "little")

    def _write(self, register: int, value: int, command: int = 0x00) -> None:
        self._frame(bytes((command, register)) + value.to_bytes(4, "little"))

    def start(self) -> tuple[int, int]:
        """Reset, ISO 15693, field on; returns major and minor version."""
        self._do("reset 0")
        self._do("wait 20000")
        self._do("reset 1")
        self._do("wait 3000000")
        minor, major = self._ask(b"\x07\x12\x02", 2)
        if minor == major and major in (0x00, 0xFF):
            raise ChipError("no chip answers")
        self._frame(b"\x11\x0d\x8d")
        self._write(IRQ_CLEAR, 0xFFFFF)
        self._frame(b"\x16\x00")
        for _ in range(100):
            if self._read(IRQ_STATUS) & FIELD_ON:
                break
        else:
            raise ChipError("no field")
        self._do("wait 1000000")
        return major, minor

    def _transceive(self, payload: bytes, answer_ns: int) -> tuple[int, bytes]:
        """Send; RX_STATUS and data, (0, b"") when nobody begins to answer in time."""
        self._write(IRQ_CLEAR, 0xFFFFF)
        self._write(SYSTEM_CONFIG, 0xFFFFFFF8, 0x02)
        self._write(SYSTEM_CONFIG, 0x00000003, 0x01)
        if self._read(RF_STATUS) >> 24 & 7 != 1:
            raise ChipError("not in WaitTransmit")
        self._frame(b"\x09\x00" + payload)
        sent = 0
        for _ in range(2000):
            irq = self._read(IRQ_STATUS)
            if irq & REFUSED:
                raise ChipError("GENERAL_ERROR")
            if irq & RX:
                status = self._read(RX_STATUS)
                length = status & 0x1FF
                return status, self._ask(b"\x0a\x00", length) if length else b""
            if irq & TX and not sent:
                sent = self._do.now
            if sent and not irq & START_OF_FRAME and self._do.now - sent > answer_ns:
                return 0, b""
        raise ChipError("an answer without an end")

    def inventory(self) -> list[str]:
        """Every UID there, by sixteen slots at any depth, in printed form."""
        found = []
        waiting = [(0, 0)]
        while waiting:
            length, mask = waiting.pop()
            payload = bytes((0x06, 0x01, length)) + mask.to_bytes((length + 7) // 8, "little")
            tx_config = self._read(TX_CONFIG)
            for slot in range(16):
                if slot == 1:
                    self._write(TX_CONFIG, 0xFFFFFB3F, 0x02)
                status, data = self._transceive(b"" if slot else payload, 600_000)
                if status & (COLLISION | BAD_FRAME):
                    if length + 4 > 60:
                        raise ChipError("a collision below the last bit")
                    waiting.append((length + 4, mask | slot << length))
                elif len(data) == 10:
                    found.append(data[:1:-1].hex().upper())
                self._do("wait 310000")
            self._write(TX_CONFIG, tx_config)
        return sorted(found)

    def read_block(self, uid: str, block: int) -> bytes:
        """Four bytes of the tag with this UID."""
        status, data = self._transceive(b"\x22\x20" + bytes.fromhex(uid)[::-1] + bytes((block,)), 600_000)
        self._do("wait 310000")
        if status & (COLLISION | BAD_FRAME) or len(data) != 5 or data[0]:
            raise ChipError(f"no block {block} of {uid}: {data.hex(' ')}")
        return data[1:]
