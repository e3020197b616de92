"""What a hall full of people does to the fields of a table: weak tags, stacks, strong over weak, noise, bleed.

Entry point: :class:`Weather`, over all antennas of a table, with all chance from a seed; :attr:`Weather.happened`
counts what it did. Shares and times are estimates, in one block below.

- *Weak*: each tag has a coupling of its own; one in twenty is weak. Answers are lost independently of each other.
- *Detuned*: every tag of a stack beyond the eighth takes some of the field, so that all of them are lost more often.
- *Capture*: of answers at once, now and then the receiver hears the strongest tag's alone.
- *Clicks*: a moment of noise in place of an answer, or on top of one.
- *Bursts*: up to 300 ms in which nothing arrives whole at one antenna.
- *Bleed*: for a while a field reaches a tag on a neighbour that couples with it, weakly.

Limits: a tag's coupling does not change while it lies; no height and no angle.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from hwsim.chips.pn5180_map import RX_DATA_INTEGRITY_ERROR
from hwsim.core import NS_PER_MS, Scheduler
from hwsim.rf.air import flipped
from hwsim.rf.antenna import Antenna, Tag

WEAK_ONE_IN = 20
LOST_STRONG, LOST_WEAK = 0.002, 0.05
STACK = 8  # tags that a field feeds without being detuned
LOST_PER_TAG = 0.002
CAPTURE = 0.1
CLICK = 0.001
BURST_MS = (20, 300)
BURST_EVERY_MS = 3_000  # over the whole table, on the average
BLEED_MS = (30, 250)
BLEED_EVERY_MS = 5_000
BLEED_LOST = 0.5


class Weather:
    """The weather over ``antennas``, from now on; ``seed`` says what it is like. It takes all their fault hooks."""

    def __init__(self, scheduler: Scheduler, antennas: Iterable[Antenna], seed: int = 0) -> None:
        self.happened: Counter[str] = Counter()
        """lost, captured, clicks, bursts, bleeds"""
        self._scheduler = scheduler
        self._antennas = list(antennas)
        self._random = random.Random(f"weather/{seed}")
        self._coupling: dict[Tag, float] = {}
        self._jammed_until: dict[Antenna, int] = dict.fromkeys(self._antennas, 0)
        for antenna in self._antennas:
            antenna.air_fault = self._passer(antenna)
            antenna.capture = self._captor()
            antenna.noise = self._noiser(antenna)
        self._again(BURST_EVERY_MS, self._burst)
        self._again(BLEED_EVERY_MS, self._bleed)

    def jammed(self, antenna: Antenna) -> bool:
        """Whether a burst covers the antenna now."""
        return self._scheduler.now < self._jammed_until[antenna]

    def _again(self, every_ms: int, act: Callable[[], None]) -> None:
        """Do ``act`` at random instants, so often on the average."""

        def come() -> None:
            act()
            self._again(every_ms, act)

        self._scheduler.after(round(self._random.expovariate(1 / every_ms) * NS_PER_MS) + 1, come)

    # --- events -------------------------------------------------------------------------------------------------------

    def _burst(self) -> None:
        self.happened["bursts"] += 1
        antenna = self._random.choice(self._antennas)
        self._jammed_until[antenna] = self._scheduler.now + self._random.randint(*BURST_MS) * NS_PER_MS

    def _bleed(self) -> None:
        """A tag is heard by a neighbour's antenna for a while; nothing when no tag lies beside one."""
        pairs = [(antenna, tag) for antenna in self._antennas for near in antenna.neighbours for tag in near.tags]
        if not pairs:
            return
        self.happened["bleeds"] += 1
        antenna, tag = self._random.choice(pairs)
        antenna.reach(tag)
        self._scheduler.after(self._random.randint(*BLEED_MS) * NS_PER_MS, lambda: antenna.release(tag))

    # --- what arrives -------------------------------------------------------------------------------------------------

    def coupling(self, tag: Tag) -> float:
        """How strong the tag is, 0 to 1; a weak one is below a half."""
        known = self._coupling.get(tag)
        if known is None:
            weak = self._random.randrange(WEAK_ONE_IN) == 0
            known = self._coupling[tag] = self._random.uniform(0.1, 0.5) if weak else self._random.uniform(0.5, 1)
        return known

    def _passer(self, antenna: Antenna) -> Callable[[Tag, bytes], bytes | None]:
        chance = self._random

        def passes(tag: Tag, answer: bytes) -> bytes | None:
            if self.jammed(antenna):
                return flipped(answer, chance.randrange(8 * len(answer)))
            lost = LOST_WEAK if self.coupling(tag) < 0.5 else LOST_STRONG
            lost += LOST_PER_TAG * max(0, len(antenna.tags) - STACK)
            if tag.antenna is not antenna:
                lost = BLEED_LOST
            if chance.random() < lost:
                self.happened["lost"] += 1
                return None
            return answer

        return passes

    def _captor(self) -> Callable[[Sequence[Tag]], Sequence[Tag]]:
        def heard(tags: Sequence[Tag]) -> Sequence[Tag]:
            if self._random.random() >= CAPTURE:
                return tags
            self.happened["captured"] += 1
            return [max(tags, key=self.coupling)]

        return heard

    def _noiser(self, antenna: Antenna) -> Callable[[], int | None]:
        def noise() -> int | None:
            if self.jammed(antenna):
                return RX_DATA_INTEGRITY_ERROR if self._random.random() < 0.5 else None
            if self._random.random() < CLICK:
                self.happened["clicks"] += 1
                return RX_DATA_INTEGRITY_ERROR
            return None

        return noise
