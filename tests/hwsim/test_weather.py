"""The weather over a table's fields: each of its phenomena by itself, and that it is gone when it is taken out."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest

from hwsim.chips.icode_slix2 import IcodeSlix2
from hwsim.core import Scheduler
from hwsim.rf import weather
from hwsim.rf.air import with_crc
from hwsim.rf.antenna import Antenna
from hwsim.rf.weather import Weather
from hwsim.world.uids import UidSource
from tests.hwsim.pn5180_bench import MS

CALM = {"LOST_STRONG": 0.0, "LOST_WEAK": 0.0, "LOST_PER_TAG": 0.0, "CAPTURE": 0.0, "CLICK": 0.0}
NEVER_MS = 1 << 40
ANSWER = with_crc(b"\0\0" + bytes(range(8)))
TRIES = 4000


class Hall:
    """Two antennas that couple, and the weather over them; `tags` lie on the first."""

    def __init__(self, tags: int = 0, seed: int = 1) -> None:
        self.scheduler = Scheduler()
        self.here, self.there = self.antennas = [Antenna(self.scheduler, f"antenna {n}") for n in range(2)]
        self.here.couple(self.there)
        uids = UidSource(seed)
        self.tags = [IcodeSlix2(uids.next()) for _ in range(tags)]
        for tag in self.tags:
            self.here.enter(tag)
        self.weather = Weather(self.scheduler, self.antennas, seed)

    def lost(self, tag: IcodeSlix2, antenna: Antenna | None = None) -> list[bool]:
        """Which of so many answers of a tag do not arrive."""
        passes = (antenna or self.here).air_fault
        assert passes is not None
        return [passes(tag, ANSWER) is None for _ in range(TRIES)]

    def tag(self, weak: bool) -> IcodeSlix2:
        return next(tag for tag in self.tags if (self.weather.coupling(tag) < 0.5) == weak)


@pytest.fixture
def only(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Take out all of the weather but what is named."""

    def isolate(*kept: str) -> None:
        for name, calm in CALM.items():
            if name not in kept:
                monkeypatch.setattr(weather, name, calm)
        for name in ("BURST_EVERY_MS", "BLEED_EVERY_MS"):
            if name not in kept:
                monkeypatch.setattr(weather, name, NEVER_MS)

    return isolate


Only = Callable[..., None]


def test_in_calm_air_everything_arrives_as_it_was_sent(only: Only) -> None:
    only()
    hall = Hall(40)
    for _ in range(100):
        hall.scheduler.run_until(hall.scheduler.now + 1000 * MS)
        assert hall.here.air_fault and hall.here.capture and hall.here.noise
        assert hall.here.noise() is None and hall.here.air_fault(hall.tags[0], ANSWER) == ANSWER
        assert hall.here.capture(hall.tags) == hall.tags
    assert not hall.weather.happened


def test_one_tag_in_twenty_is_weak_and_misses_are_independent_of_each_other(only: Only) -> None:
    only("LOST_STRONG", "LOST_WEAK")
    hall = Hall(400)
    weak = [tag for tag in hall.tags if hall.weather.coupling(tag) < 0.5]
    assert 8 <= len(weak) <= 36
    missed = hall.lost(weak[0])
    share = sum(missed) / TRIES
    assert 0.03 < share < 0.07
    after_a_miss = [now for before, now in pairwise(missed) if before]
    assert sum(after_a_miss) / len(after_a_miss) < 3 * share, "a miss says nothing about the next answer"
    assert sum(hall.lost(hall.tag(weak=False))) / TRIES < 0.006


@pytest.mark.parametrize(("tags", "low", "high"), [(8, 0.0, 0.0), (18, 0.012, 0.03), (58, 0.08, 0.12)])
def test_a_stack_detunes_its_own_field(only: Only, tags: int, low: float, high: float) -> None:
    only("LOST_PER_TAG")
    hall = Hall(tags)
    assert low <= sum(hall.lost(hall.tags[0])) / TRIES <= high


def test_a_strong_tag_now_and_then_hides_the_weak_one(only: Only) -> None:
    only("CAPTURE")
    hall = Hall(60)
    pair = [hall.tag(weak=True), hall.tag(weak=False)]
    assert hall.here.capture is not None
    heard = [list(hall.here.capture(pair)) for _ in range(TRIES)]
    assert 0.07 < sum(len(tags) == 1 for tags in heard) / TRIES < 0.13
    assert all(tags in (pair, pair[1:]) for tags in heard)


def test_a_click_is_a_bad_frame_where_nobody_answered(only: Only) -> None:
    only("CLICK")
    hall = Hall()
    assert hall.here.noise is not None
    heard = [hall.here.noise() for _ in range(10 * TRIES)]
    clicks = [status for status in heard if status is not None]
    assert 10 < len(clicks) < 90 and set(clicks) == {1 << 16}


def test_a_burst_is_over_one_antenna_for_300_ms_at_most_and_lets_nothing_through_whole(only: Only) -> None:
    only("BURST_EVERY_MS")
    hall = Hall(1)
    lengths: dict[Antenna, int] = dict.fromkeys(hall.antennas, 0)
    bursts = []
    for _ in range(120_000):
        hall.scheduler.run_until(hall.scheduler.now + 1 * MS)
        for antenna in hall.antennas:
            assert antenna.air_fault and antenna.noise
            if hall.weather.jammed(antenna):
                lengths[antenna] += 1
                arrived = antenna.air_fault(hall.tags[0], ANSWER)
                assert arrived is not None and arrived != ANSWER
                assert antenna.noise() in (None, 1 << 16)
            elif lengths[antenna]:
                bursts.append(lengths[antenna])
                lengths[antenna] = 0
            else:
                assert antenna.air_fault(hall.tags[0], ANSWER) == ANSWER or antenna is hall.there
    assert 15 < hall.weather.happened["bursts"] < 80 and len(bursts) > 10
    assert min(bursts) >= 19 and 200 < max(bursts) <= 300


def test_a_neighbour_hears_a_tag_weakly_for_a_quarter_of_a_second_at_most(
    only: Only, monkeypatch: pytest.MonkeyPatch
) -> None:
    only("BLEED_EVERY_MS")
    hall = Hall(1)
    began: list[tuple[Antenna, int]] = []
    lasted: list[int] = []
    reach, release = Antenna.reach, Antenna.release

    def reaches(antenna: Antenna, tag: IcodeSlix2) -> None:
        began.append((antenna, hall.scheduler.now))
        reach(antenna, tag)

    def releases(antenna: Antenna, tag: IcodeSlix2) -> None:
        lasted.append((hall.scheduler.now - began[len(lasted)][1]) // MS)
        release(antenna, tag)

    monkeypatch.setattr(Antenna, "reach", reaches)
    monkeypatch.setattr(Antenna, "release", releases)
    hall.scheduler.run_until(200_000 * MS)
    assert len(lasted) > 15 and {antenna for antenna, _ in began} == {hall.there}
    assert min(lasted) >= 30 and max(lasted) <= 250
    assert 0.45 < sum(hall.lost(hall.tags[0], hall.there)) / TRIES < 0.55
    assert not any(hall.lost(hall.tags[0]))


def test_the_weather_is_that_of_its_seed() -> None:
    def happened(seed: int) -> dict[str, int]:
        hall = Hall(1, seed)
        hall.scheduler.run_until(60_000 * MS)
        return dict(hall.weather.happened)

    assert happened(1) == happened(1) != happened(2)
    assert min(happened(1).values()) > 0 and {"bursts", "bleeds"} <= set(happened(1))
