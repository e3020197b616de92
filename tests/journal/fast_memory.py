"""The journal's memory for CPython: with slices, and a count of what each access costs on the board's bus."""

from tests.journal.on_board.journal_memory import Memory

CALL_US = 8
BYTE_US = 8 / 20  # 20 Mbit/s
ADDRESS_BYTES = 3
WRITE_CALLS = 7  # WREN: chip select low, opcode, high; WRITE: low, opcode and address, data, high
READ_CALLS = 4


class FastMemory(Memory):
    """The same memory with slices, which only MicroPython's locked heap forbids. ``us``: time spent on the bus."""

    us = 0.0

    def read_into(self, address: int, buf: bytearray) -> None:
        assert address >= 0
        assert address + len(buf) <= self.size
        buf[:] = self.image[address : address + len(buf)]
        self.reads += 1
        self.us += READ_CALLS * CALL_US + (1 + ADDRESS_BYTES + len(buf)) * BYTE_US

    def write(self, address: int, buf: bytes | bytearray) -> None:
        assert address >= 0
        assert address + len(buf) <= self.size
        if self.log is not None:
            self.log.append((address, bytes(buf)))
        self.image[address : address + len(buf)] = buf
        self.writes += 1
        self.us += WRITE_CALLS * CALL_US + (2 + ADDRESS_BYTES + len(buf)) * BYTE_US
