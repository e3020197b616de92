"""Faults on the air, chip by chip: bits turned over, answers lost. Entry point: :class:`AirFaults`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from hwsim.rf.air import with_crc
from hwsim.rf.antenna import Antenna, Tag
from hwsim.world.chips import Chip

_CRC_BYTES = 2
_FLAGS_BYTES = 1
_INVENTORY_BYTES = 12  # flags, DSFID, UID, CRC: every other answer longer than a flag carries memory
FOR_EVER = -1

Fault = Callable[[bytes], bytes | None]


class AirFaults:
    """What happens to answers on their way, for each tag; switched in at all ``antennas``."""

    def __init__(self, antennas: Iterable[Antenna]) -> None:
        self.hits = 0
        """Answers that did not arrive as they were sent."""
        self._faults: dict[int, tuple[Fault, int]] = {}
        for antenna in antennas:
            antenna.air_fault = self._pass

    def flip(self, chips: Sequence[Chip], bit: int, times: int = FOR_EVER) -> None:
        """Turn over bit ``bit`` (0: first on the air) of answers that are long enough; their check is then wrong."""
        self._set(chips, lambda answer: _flipped(answer, bit) if bit < 8 * len(answer) else answer, times)

    def change(self, chips: Sequence[Chip], bit: int) -> None:
        """Turn over bit ``bit`` of the memory that a chip tells, with a check that fits."""

        def fault(answer: bytes) -> bytes:
            data = answer[_FLAGS_BYTES:-_CRC_BYTES]
            if len(answer) == _INVENTORY_BYTES or bit >= 8 * len(data):
                return answer
            return with_crc(answer[:_FLAGS_BYTES] + _flipped(data, bit))

        self._set(chips, fault, FOR_EVER)

    def lose(self, chips: Sequence[Chip], times: int = FOR_EVER) -> None:
        """Nothing arrives of their answers."""
        self._set(chips, lambda answer: None, times)

    def end(self, chips: Sequence[Chip]) -> None:
        """From now on their answers arrive as they are sent."""
        for chip in chips:
            self._faults.pop(id(chip.tag), None)

    def _set(self, chips: Sequence[Chip], fault: Fault, times: int) -> None:
        for chip in chips:
            self._faults[id(chip.tag)] = (fault, times)

    def _pass(self, tag: Tag, answer: bytes) -> bytes | None:
        fault, times = self._faults.get(id(tag), (None, 0))
        if fault is None or times == 0:
            return answer
        arrived = fault(answer)
        if arrived != answer:
            self.hits += 1
            if times > 0:
                self._faults[id(tag)] = (fault, times - 1)
        return arrived


def _flipped(data: bytes, bit: int) -> bytes:
    turned = bytearray(data)
    turned[bit // 8] ^= 1 << bit % 8
    return bytes(turned)
