"""What disturbs the air between tags and readers: bits turned over, answers lost, bursts of noise, hands over a coil.

Entry points: :class:`Air` (``flip``, ``change``, ``lose``, ``end`` for single chips; ``thin``, ``jam``, ``clear`` for
antennas; ``hand`` for a hand without chips), :data:`FOR_EVER`.

A hand over a coil detunes it: most answers arrive damaged, some not at all, and what answers nothing is heard as a
burst now and then. Limits: no distance and no angle; fields of neighbours do not reach each other.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence

from hwsim.chips.pn5180_map import RX_DATA_INTEGRITY_ERROR
from hwsim.core import NS_PER_S, Scheduler
from hwsim.rf.air import flipped, with_crc
from hwsim.rf.antenna import Antenna, Tag
from hwsim.world.chips import Chip
from hwsim.world.truth import WorldError

_CRC_BYTES = 2
_FLAGS_BYTES = 1
_INVENTORY_BYTES = 12  # flags, DSFID, UID, CRC: every other answer longer than a flag carries memory
FOR_EVER = -1
ALWAYS_NS = 1000 * 3600 * NS_PER_S  # longer than any run
_HAND_DAMAGES, _HAND_HIDES, _HAND_RUSTLES = 0.75, 0.1, 0.4  # shares of answers, and of silences (est.)

Fault = Callable[[bytes], bytes | None]


class _Place:
    """What goes on at one antenna."""

    def __init__(self) -> None:
        self.lost = 0.0  # share of answers
        self.lost_until = 0
        self.jammed_until = 0
        self.every = 0  # bursts come again after this time
        self.length = 0
        self.began = 0
        self.hands = 0

    def jammed(self, now: int) -> bool:
        """Whether a burst covers everything at this instant."""
        if now >= self.jammed_until:
            return False
        return not self.every or (now - self.began) % self.every < self.length


class Air:
    """The air above all ``antennas`` of a table; chance is drawn from ``seed``."""

    def __init__(self, scheduler: Scheduler, antennas: Iterable[Antenna], seed: int = 0) -> None:
        self.hits = 0
        """Answers that did not arrive as they were sent."""
        self._scheduler = scheduler
        self._random = random.Random(f"air/{seed}")
        self._faults: dict[int, tuple[Fault, int]] = {}
        self._places: dict[Antenna, _Place] = {}
        for antenna in antennas:
            self._places[antenna] = _Place()
            antenna.air_fault = self._passer(antenna)
            antenna.noise = self._noiser(antenna)

    # --- chips --------------------------------------------------------------------------------------------------------

    def flip(self, chips: Sequence[Chip], bit: int, times: int = FOR_EVER) -> None:
        """Turn over bit ``bit`` (0: first on the air) of answers that are long enough; their check is then wrong."""
        self._set(chips, lambda answer: flipped(answer, bit) if bit < 8 * len(answer) else answer, times)

    def change(self, chips: Sequence[Chip], bit: int) -> None:
        """Turn over bit ``bit`` of the memory that a chip tells, with a check that fits."""

        def fault(answer: bytes) -> bytes:
            data = answer[_FLAGS_BYTES:-_CRC_BYTES]
            if len(answer) == _INVENTORY_BYTES or bit >= 8 * len(data):
                return answer
            return with_crc(answer[:_FLAGS_BYTES] + flipped(data, bit))

        self._set(chips, fault, FOR_EVER)

    def lose(self, chips: Sequence[Chip], times: int = FOR_EVER) -> None:
        """Nothing arrives of their answers."""
        self._set(chips, lambda answer: None, times)

    def end(self, chips: Sequence[Chip]) -> None:
        """From now on their answers arrive as they are sent."""
        for chip in chips:
            self._faults.pop(id(chip.tag), None)

    # --- antennas -----------------------------------------------------------------------------------------------------

    def thin(self, antennas: Iterable[Antenna], share: float, duration: int = ALWAYS_NS) -> None:
        """From now on, for ``duration`` ns, an answer is lost with this probability."""
        if not 0 <= share <= 1:
            raise WorldError(f"a share of answers is from 0 to 1, not {share}")
        for antenna in antennas:
            place = self._places[antenna]
            place.lost, place.lost_until = share, self._scheduler.now + duration

    def jam(self, antennas: Iterable[Antenna], length: int, every: int = 0) -> None:
        """A burst of ``length`` ns: nothing arrives whole. With ``every`` it comes again so often, until ``clear``."""
        if length <= 0 or (every and every <= length):
            raise WorldError("a burst lasts longer than nothing, and not as long as from one to the next")
        now = self._scheduler.now
        for antenna in antennas:
            place = self._places[antenna]
            place.began, place.length, place.every = now, length, every
            place.jammed_until = now + (ALWAYS_NS if every else length)

    def clear(self, antennas: Iterable[Antenna]) -> None:
        """Neither losses nor bursts there from now on; hands stay where they are."""
        for antenna in antennas:
            place = self._places[antenna]
            place.lost_until = place.jammed_until = 0

    def hand(self, antenna: Antenna, duration: int) -> None:
        """A hand without chips comes over the antenna now and goes after ``duration`` ns."""
        place = self._places[antenna]
        place.hands += 1

        def gone() -> None:
            place.hands -= 1

        self._scheduler.after(duration, gone)

    # --- what arrives -------------------------------------------------------------------------------------------------

    def _set(self, chips: Sequence[Chip], fault: Fault, times: int) -> None:
        for chip in chips:
            self._faults[id(chip.tag)] = (fault, times)

    def _passer(self, antenna: Antenna) -> Callable[[Tag, bytes], bytes | None]:
        place = self._places[antenna]

        def passes(tag: Tag, answer: bytes) -> bytes | None:
            arrived = self._of_tag(tag, answer)
            if arrived is not None:
                arrived = self._through(place, arrived)
            if arrived != answer:
                self.hits += 1
            return arrived

        return passes

    def _of_tag(self, tag: Tag, answer: bytes) -> bytes | None:
        fault, times = self._faults.get(id(tag), (None, 0))
        if fault is None or times == 0:
            return answer
        arrived = fault(answer)
        if arrived != answer and times > 0:
            self._faults[id(tag)] = (fault, times - 1)
        return arrived

    def _through(self, place: _Place, answer: bytes) -> bytes | None:
        now = self._scheduler.now
        if place.jammed(now):
            return flipped(answer, self._random.randrange(8 * len(answer)))
        if now < place.lost_until and self._random.random() < place.lost:
            return None
        if place.hands:
            chance = self._random.random()
            if chance < _HAND_HIDES:
                return None
            if chance < _HAND_HIDES + _HAND_DAMAGES:
                return flipped(answer, self._random.randrange(8 * len(answer)))
        return answer

    def _noiser(self, antenna: Antenna) -> Callable[[], int | None]:
        place = self._places[antenna]

        def noise() -> int | None:
            if place.jammed(self._scheduler.now):
                return RX_DATA_INTEGRITY_ERROR
            if place.hands and self._random.random() < _HAND_RUSTLES:
                return RX_DATA_INTEGRITY_ERROR
            return None

        return noise
