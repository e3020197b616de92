"""Drivers with the mistakes that public drivers are known for; the chip models must not forgive them.

Entry points: `HalvesUnderOneNss`, `SlotsWithoutEof` and `NoReadBack` (readers), `MaskLengthFromValue` (inventory),
`UnaddressedTag`.
"""

from __future__ import annotations

from typing import Any

from iso15693 import Inventory
from iso15693 import reader as status
from iso15693.tag import Tag
from pn5180 import PN5180
from pn5180.bringup import BringUp
from pn5180.transport import Transport

READS = (0x04, 0x05, 0x07, 0x0A)


class _OneNss(Transport):
    """Leaves NSS low between a read command and its answer."""

    def clock(self, frame: bytearray | memoryview) -> None:
        if frame[0] not in READS:
            super().clock(frame)
            return
        self._nss.value(0)
        self._spi.write(frame)
        reads = 100
        while reads and self._busy.value():
            reads -= 1

    def fetch(self, into: bytearray | memoryview) -> None:
        self._spi.readinto(into, 0xFF)
        self._end_frame()


class HalvesUnderOneNss(PN5180):
    """Clocks the command and the answer of a read under one NSS low period."""

    def __init__(self, spi: Any, nss: Any, busy: Any, reset: Any, name: str = "") -> None:
        super().__init__(spi, nss, busy, reset, name)
        self._transport = _OneNss(spi, nss, busy)
        self._bring_up._transport = self._transport


class SlotsWithoutEof(PN5180):
    """Listens sixteen times, but never tells the tags that the next slot begins."""

    _unsent = False

    def begin(self, buf: bytearray | memoryview, n: int, answer: int = 10, how: int = 0) -> int:
        self._unsent = False
        return super().begin(buf, n, answer, how)

    def begin_slot(self) -> int:
        self._transport.post(self._shared.arm_slots)
        self._unsent = True
        return 600

    def poll(self) -> int:
        result = super().poll()
        return status.EMPTY if self._unsent and result in (status.PENDING, status.FAULT) else result


class MaskLengthFromValue(Inventory):
    """Takes the length of a mask from its value: leading zeros are lost."""

    def _push(self, kind: int, length: int, above: int) -> None:
        value = int.from_bytes(self._mask, "little")
        super()._push(kind, (value.bit_length() + 3) // 4 * 4, above)


class _Trusting(BringUp):
    """Takes it that the registers hold what was written."""

    def _read_back(self) -> None:
        self._transport.post(self._frames.get_set_up)
        self._transport.fetch(self._frames.words)
        words = self._frames.words
        self.tx_config = int.from_bytes(words[16:20], "little")


class NoReadBack(PN5180):
    """Does not look whether its configuration is there."""

    def __init__(self, spi: Any, nss: Any, busy: Any, reset: Any, name: str = "") -> None:
        super().__init__(spi, nss, busy, reset, name)
        self._bring_up = _Trusting(self._transport, reset, self._shared)


class UnaddressedTag(Tag):
    """Writes without saying to which tag."""

    def write(self, first: int, data: bytes | bytearray | memoryview) -> None:
        self._request[0:3] = bytes((0x02, 0x21, first))
        self._request[3:7] = data
        self._ask(7, 0, True)
