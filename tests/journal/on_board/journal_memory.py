"""What the journal's tests stand on: a memory with a log of its writes, a clock, and ready records.

Entry points: `Memory`, `FakeClock`, `KEY`, `TABLE`.
Runs on MicroPython too, where `Memory.write` must not allocate.
"""

KEY = bytes(range(32))
TABLE = b"\x01\x02\x03\x04\x05\x06\x07\x08"


class Memory:
    """Ferroelectric memory as bytes. `log` holds (address, bytes) of each write when it is a list."""

    def __init__(self, size: int = 16384, image: "bytes | bytearray | None" = None) -> None:
        self.image = bytearray(size) if image is None else bytearray(image)
        self.size = len(self.image)
        self.log: list[tuple[int, bytes]] | None = None
        self.reads = 0
        self.bytes_read = 0
        self.writes = 0
        self.bytes_written = 0

    def read_into(self, address: int, buf: bytearray) -> None:
        """Fill ``buf`` from ``address``."""
        image = self.image
        for index in range(len(buf)):
            buf[index] = image[address + index]
        self.reads += 1
        self.bytes_read += len(buf)

    def write(self, address: int, buf: "bytes | bytearray") -> None:
        """Write ``buf`` at ``address``; IndexError beyond the end."""
        image = self.image
        if self.log is not None:
            self.log.append((address, bytes(buf)))
        for index in range(len(buf)):
            image[address + index] = buf[index]
        self.writes += 1
        self.bytes_written += len(buf)


class FakeClock:
    """Time that the test moves: ``now`` in microseconds since boot, ``seconds`` of the wall clock (0: not set)."""

    def __init__(self, now: int = 1000, seconds: int = 0) -> None:
        self.now = now
        self.seconds = seconds

    def ticks(self) -> int:
        """Raw microseconds."""
        return self.now & 0x3FFFFFFF

    def monotonic(self, ticks: int) -> int:
        """Microseconds since boot of a raw instant at most one overflow old."""
        return self.now - ((self.now - ticks) & 0x3FFFFFFF)

    def stamp(self, buffer: bytearray, offset: int, ticks: int) -> None:
        """Six bytes of `monotonic`."""
        value = self.monotonic(ticks)
        for index in range(6):
            buffer[offset + index] = (value >> (8 * index)) & 0xFF

    def wall(self) -> "tuple[int, int]":
        """Seconds since 1970 and quality."""
        if not self.seconds:
            return 0, 0
        return self.seconds + self.now // 1000000, 2
