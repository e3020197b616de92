"""Drivers with the mistakes that public drivers are known for; the chip models must not forgive them.

Entry points: `HalvesUnderOneNss` and `SlotsWithoutEof` (readers), `MaskLengthFromValue` (inventory).
"""

from __future__ import annotations

from typing import Any

from tests.drivers.adapter import driver

iso15693 = driver("iso15693")
pn5180 = driver("pn5180")
transport = driver("pn5180.transport")
status = driver("iso15693.reader")

READS = (0x04, 0x05, 0x07, 0x0A)


class _OneNss(transport.Transport):  # type: ignore[misc]
    """Leaves NSS low between a read command and its answer."""

    def send(self, frame: bytearray | memoryview) -> None:
        if frame[0] not in READS:
            super().send(frame)
            return
        self._nss.value(0)
        self._spi.write(frame)
        reads = 100
        while reads and self._busy.value():
            reads -= 1

    def fetch(self, into: bytearray | memoryview) -> None:
        self._spi.readinto(into, 0xFF)
        self._end_frame()
        self.await_ready()


class HalvesUnderOneNss(pn5180.PN5180):  # type: ignore[misc]
    """Clocks the command and the answer of a read under one NSS low period."""

    def __init__(self, spi: Any, nss: Any, busy: Any, reset: Any, name: str = "") -> None:
        super().__init__(spi, nss, busy, reset, name)
        self._transport = _OneNss(spi, nss, busy)
        self._bring_up._transport = self._transport


class SlotsWithoutEof(pn5180.PN5180):  # type: ignore[misc]
    """Listens sixteen times, but never tells the tags that the next slot begins."""

    _unsent = False

    def begin(self, buf: bytearray, n: int, answer: int = 10) -> int:
        self._unsent = False
        return int(super().begin(buf, n, answer))

    def begin_slot(self) -> int:
        self._transport.send(self._arm)
        self._unsent = True
        return 600

    def poll(self) -> int:
        result = super().poll()
        return int(status.EMPTY if self._unsent and result in (status.PENDING, status.FAULT) else result)


class MaskLengthFromValue(iso15693.Inventory):  # type: ignore[misc]
    """Takes the length of a mask from its value: leading zeros are lost."""

    def _push(self, kind: int, length: int) -> None:
        value = int.from_bytes(self._mask, "little")
        super()._push(kind, (value.bit_length() + 3) // 4 * 4)
