"""What disturbs the air: shares of answers lost, bursts, hands over a coil, and faults of single chips."""

import pytest

from hwsim.chips.icode_slix2 import IcodeSlix2
from hwsim.core import NS_PER_MS, NS_PER_S, Scheduler
from hwsim.rf.air import crc_good, with_crc
from hwsim.rf.antenna import Antenna, Tag
from hwsim.world.air import Air
from hwsim.world.chips import Mint
from hwsim.world.truth import WorldError
from hwsim.world.uids import UidSource

ANSWERS = 2000
FRAME = with_crc(bytes(10))


def make_tag(uid: bytes, afi: int, memory: bytes) -> Tag:
    return IcodeSlix2(uid, afi=afi, memory=memory)


class Bench:
    """Two antennas under one air, and a chip."""

    def __init__(self, seed: int = 1) -> None:
        self.time = Scheduler()
        self.one, self.other = Antenna(self.time, "one"), Antenna(self.time, "other")
        self.air = Air(self.time, (self.one, self.other), seed)
        self.chip = Mint(make_tag, UidSource(1), casino=7, key=b"key").chip(500)

    def arrives(self, antenna: Antenna) -> bytes | None:
        assert antenna.air_fault is not None
        return antenna.air_fault(self.chip.tag, FRAME)

    def shares(self, antenna: Antenna) -> tuple[float, float, float]:
        """Of many answers: the shares that arrive whole, damaged, and not at all."""
        got = [self.arrives(antenna) for _ in range(ANSWERS)]
        whole, lost = got.count(FRAME), got.count(None)
        assert all(frame is None or frame == FRAME or not crc_good(frame) for frame in got)
        return whole / ANSWERS, (ANSWERS - whole - lost) / ANSWERS, lost / ANSWERS

    def noisy(self, antenna: Antenna) -> float:
        """Share of silences in which something is heard."""
        assert antenna.noise is not None
        return sum(antenna.noise() is not None for _ in range(ANSWERS)) / ANSWERS

    def later(self, ns: int) -> None:
        self.time.run_until(self.time.now + ns)


def test_clear_air_changes_nothing() -> None:
    bench = Bench()
    assert bench.shares(bench.one) == (1, 0, 0)
    assert bench.noisy(bench.one) == 0
    assert bench.air.hits == 0


def test_a_share_of_answers_is_lost_for_a_time_at_one_antenna() -> None:
    bench = Bench()
    bench.air.thin((bench.one,), 0.05, NS_PER_S)
    whole, damaged, lost = bench.shares(bench.one)
    assert 0.03 < lost < 0.07
    assert (damaged, whole + lost) == (0, 1)
    assert bench.shares(bench.other) == (1, 0, 0)
    assert bench.air.hits == round(lost * ANSWERS)
    bench.later(NS_PER_S)
    assert bench.shares(bench.one) == (1, 0, 0)


def test_bursts_come_again_until_it_is_quiet() -> None:
    bench = Bench()
    bench.air.jam((bench.one,), 10 * NS_PER_MS, 100 * NS_PER_MS)
    heard = []
    for _ in range(3):
        heard.append(bench.arrives(bench.one) == FRAME)
        assert bench.noisy(bench.one) == (0 if heard[-1] else 1)
        bench.later(10 * NS_PER_MS)
        heard.append(bench.arrives(bench.one) == FRAME)
        bench.later(90 * NS_PER_MS)
    assert heard == [False, True] * 3
    bench.air.clear((bench.one,))
    assert bench.shares(bench.one) == (1, 0, 0)


def test_one_burst_ends_by_itself() -> None:
    bench = Bench()
    bench.air.jam((bench.one, bench.other), 10 * NS_PER_MS)
    assert bench.shares(bench.other) == (0, 1, 0)
    bench.later(10 * NS_PER_MS)
    assert bench.shares(bench.other) == (1, 0, 0)


def test_under_a_hand_little_is_heard_and_never_what_was_not_said() -> None:
    bench = Bench()
    bench.air.hand(bench.one, NS_PER_S)
    bench.air.hand(bench.one, 2 * NS_PER_S)
    whole, damaged, lost = bench.shares(bench.one)
    assert 0.05 < whole < 0.3
    assert damaged > lost > 0
    assert 0.2 < bench.noisy(bench.one) < 0.6
    bench.later(NS_PER_S)
    assert bench.shares(bench.one)[0] < 0.3  # the other hand is still there
    bench.later(NS_PER_S)
    assert bench.shares(bench.one) == (1, 0, 0)


def test_the_same_seed_disturbs_alike() -> None:
    def run(seed: int) -> list[bytes | None]:
        bench = Bench(seed)
        bench.air.hand(bench.one, NS_PER_S)
        return [bench.arrives(bench.one) for _ in range(50)]

    assert run(3) == run(3)
    assert run(3) != run(4)


def test_faults_of_one_chip() -> None:
    bench = Bench()
    bench.air.lose([bench.chip], 2)
    assert [bench.arrives(bench.other) for _ in range(3)] == [None, None, FRAME]
    bench.air.flip([bench.chip], 0)
    assert bench.arrives(bench.one) == bytes([FRAME[0] ^ 1]) + FRAME[1:]
    bench.air.end([bench.chip])
    assert bench.arrives(bench.one) == FRAME


@pytest.mark.parametrize(("length", "every"), [(0, 0), (10, 10), (10, 5)])
def test_a_burst_without_a_pause_is_none(length: int, every: int) -> None:
    bench = Bench()
    with pytest.raises(WorldError):
        bench.air.jam((bench.one,), length, every)


def test_a_share_is_a_share() -> None:
    bench = Bench()
    with pytest.raises(WorldError):
        bench.air.thin((bench.one,), 1.5)
