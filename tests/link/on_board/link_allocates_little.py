"""A turn of the link without a frame allocates nothing, whatever bytes come; a frame allocates a bounded amount."""

import gc
import io

import micropython

from sabot.services.link import Link
from sabot.wire import messages as m
from sabot.wire.frame import Deframer, encode

POLL_REQUEST = 3
MARK = b"mark"
LIMIT = 700  # bytes for each part of a record, on the 64-bit interpreter: slices and views of the two frames


class Port(io.IOBase):
    """Input and output of the controller: a stream in the eyes of ``select.poll``."""

    def __init__(self) -> None:
        self.coming = bytearray(4096)
        self.first = 0
        self.last = 0
        self.written = bytearray(4096)
        self.count = 0
        self.room = True

    def put(self, data: bytes) -> None:
        self.coming[0 : len(data)] = data
        self.first = 0
        self.last = len(data)

    def ioctl(self, request: int, mask: int) -> int:
        """What ``poll`` asks; -1 says that there is no file descriptor."""
        if request != POLL_REQUEST:
            return -1
        return mask & ((1 if self.first < self.last else 0) | (4 if self.room else 0))

    def readinto(self, buffer: bytearray) -> int:
        buffer[0] = self.coming[self.first]
        self.first += 1
        return 1

    def write(self, data: bytearray, offset: int, count: int) -> int:
        for index in range(count):
            self.written[self.count] = data[offset + index]
            self.count += 1
        return count


class Commands:
    """One subscription to records without end."""

    def __init__(self) -> None:
        self.next = 1
        self.pushing = 0
        self.data = bytes(200)

    def version(self) -> bytes:
        return b"\0"

    def hello(self) -> bytes:
        return bytes(30)

    def mark(self) -> bytes:
        return MARK

    def opened(self) -> None:
        pass

    def gone(self) -> None:
        pass

    def tick(self, now: int) -> None:
        pass

    def subscribed(self) -> int:
        return self.next

    def record(self, sequence: int) -> bytes:
        self.pushing = sequence
        return self.data

    def pushed(self) -> None:
        self.next = self.pushing + 1


def main() -> None:
    port = Port()
    link = Link(port, port, Commands())
    now = 1000
    link.turn(now)  # poll makes its result at the first call and uses it again
    micropython.heap_lock()
    for _ in range(100):
        now += 5
        link.turn(now)
    micropython.heap_unlock()
    garbage = bytes([1 + index % 255 for index in range(2000)]) + b"\0\1\0\5\5\0"
    port.put(garbage)
    micropython.heap_lock()
    for _ in range(30):  # the bytes before the first zero: no frame ends among them
        now += 5
        link.turn(now)
    micropython.heap_unlock()
    for _ in range(100):
        now += 5
        link.turn(now)
    port.put(encode(m.header(m.H_HELLO, 1, 0) + bytes([m.PROTOCOL]) + b"12345678" + m.NO_MARK))
    for _ in range(20):
        now += 5
        link.turn(now)
    deframer = Deframer()
    spent = 0
    parts = 0
    for _ in range(200):
        number = 0
        for index in range(port.count):
            length = deframer.push(port.written[index])
            if length:
                number = deframer.buffer[1]
        port.count = 0
        reply = encode(m.header(m.H_ACK, 0, number) + MARK)
        port.put(reply)
        gc.collect()
        before = gc.mem_alloc()
        now += 5
        link.turn(now)
        spent += gc.mem_alloc() - before
        parts += 1
        port.room = False  # a host that does not read: the rest of the turn must do without the heap
        micropython.heap_lock()
        for _ in range(3):
            now += 5
            link.turn(now)
        micropython.heap_unlock()
        port.room = True
    if not link.up:
        raise RuntimeError("no session")
    each = spent // parts
    if not 0 < each < LIMIT:
        raise RuntimeError(f"{each} bytes a part")
    print("ok", each)


main()
