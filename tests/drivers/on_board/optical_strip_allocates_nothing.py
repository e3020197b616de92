"""The optical shoe's ring and decoder under a locked heap: every card, a fault of each cause, an overflow."""

import micropython
from optical_strip import decoder, encode, ring, words

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Sensor:
    """One sensor's pin, with its interrupt handler."""

    def __init__(self) -> None:
        self.level = 0
        self.handler: Any = None

    def value(self) -> int:
        return self.level

    def irq(self, handler: "Any", trigger: int, hard: bool) -> None:
        self.handler = handler


SENSORS = (Sensor(), Sensor())
EDGES = ring.EdgeRing(*SENSORS)
READER = decoder.Decoder()


def sensors_of_card(code: int) -> bytes:
    """Which sensor changes, edge by edge."""
    places = [0]
    for bar in encode.bars(code):
        places.extend(bar)
    places.append(encode.CARD_UM)
    found = [(place, 0) for place in places] + [(place + 1350, 1) for place in places]
    found.sort()
    return bytes([sensor for _, sensor in found])


def change(sensor: int) -> None:
    pin = SENSORS[sensor]
    pin.level ^= 1
    pin.handler(pin)


def read() -> int:
    """Take what is in the ring; the last card."""
    card = decoder.NOTHING
    while True:
        entry = EDGES.take()
        if entry == ring.EMPTY:
            return card
        found = READER.edge(entry)
        if found != decoder.NOTHING:
            card = found


def pulled(sensors: bytes) -> int:
    for index in range(len(sensors)):
        change(sensors[index])
    return read()


def settle() -> int:
    for sensor in range(2):
        if SENSORS[sensor].level:
            change(sensor)
    read()
    return READER.clear()


def main() -> None:
    cards = [sensors_of_card(code) for code in range(words.CARDS)]
    half = cards[7][:41] + bytes(reversed(cards[7][:41]))
    flicker = bytes([1] * 30)
    EDGES.start(12)
    micropython.heap_lock()
    for code in range(words.CARDS):
        if pulled(cards[code]) != code or not EDGES.dark() or READER.busy():
            raise AssertionError("misread")
    if pulled(half) != decoder.NOTHING or settle() != decoder.HALF_PULL:
        raise AssertionError("half pull")
    if pulled(flicker) != decoder.NOTHING or settle() != decoder.STRAY_LIGHT:
        raise AssertionError("stray light")
    for index in range(300):
        change(index & 1)
    if EDGES.lost != 300 - 254 or read() != decoder.NOTHING or settle() != decoder.OVERFLOW:
        raise AssertionError("overflow")
    if pulled(cards[52]) != 52:
        raise AssertionError("not read after an overflow")
    micropython.heap_unlock()
    print("ok")


main()
