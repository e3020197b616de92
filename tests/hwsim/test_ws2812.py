"""The LED chain's model: colour order, timing, latch, and what half an update leaves."""

import pytest

from hwsim.chips.ws2812 import Ws2812Chain
from hwsim.core import Scheduler, SimFault

US = 1_000


def test_order_of_colours_and_of_pixels() -> None:
    time = Scheduler()
    chain = Ws2812Chain(time, 2)
    chain.feed([0x112233, 0x000001])
    time.run_until(1_000 * US)
    assert chain.pixels == [(0x22, 0x11, 0x33), (0, 0, 1)]


def test_latch_comes_300_us_after_the_last_bit() -> None:
    time = Scheduler()
    chain = Ws2812Chain(time, 3)
    time.run_until(90 * US)
    chain.feed([1, 2, 3])
    time.run_until(390 * US - 1)
    assert chain.pixels == [(0, 0, 0)] * 3
    time.run_until(390 * US)
    assert chain.changed == [(390 * US, ((0, 0, 1), (0, 0, 2), (0, 0, 3)))]


def test_short_update_leaves_the_rest_and_long_update_runs_off_the_end() -> None:
    time = Scheduler()
    chain = Ws2812Chain(time, 2)
    chain.feed([1, 2, 3, 4])
    time.run_until(1_000 * US)
    assert chain.pixels == [(0, 0, 1), (0, 0, 2)]
    chain.feed([9])
    time.run_until(2_000 * US)
    assert chain.pixels == [(0, 0, 9), (0, 0, 2)]


@pytest.mark.parametrize("bits", [1, 8, 23])
def test_pixel_reached_by_part_of_its_bits_keeps_its_value(bits: int) -> None:
    time = Scheduler()
    chain = Ws2812Chain(time, 2)
    chain.feed([0x010101, 0x020202])
    time.run_until(1_000 * US)
    chain.feed([0xFFFFFF, 0xFFFFFF], last_bits=bits)
    time.run_until(2_000 * US)
    assert chain.pixels == [(255, 255, 255), (2, 2, 2)]


def test_words_fed_in_pieces_are_one_stream() -> None:
    time = Scheduler()
    chain = Ws2812Chain(time, 3)
    for word, at in ((1, 30), (2, 60), (3, 359)):
        time.run_until(at * US)
        chain.feed([word])
    time.run_until(5_000 * US)
    assert chain.pixels == [(0, 0, 1), (0, 0, 2), (0, 0, 3)]
    assert [change.when for change in chain.changed] == [659 * US]


def test_pause_longer_than_the_latch_starts_again_at_the_first_pixel() -> None:
    time = Scheduler()
    chain = Ws2812Chain(time, 2)
    chain.feed([1])
    time.run_until(330 * US)
    chain.feed([2])
    time.run_until(5_000 * US)
    assert chain.pixels == [(0, 0, 2), (0, 0, 0)]


def test_old_batches_latch_after_50_us() -> None:
    time = Scheduler()
    chain = Ws2812Chain(time, 1, latch_ns=50 * US)
    chain.feed([1])
    time.run_until(50 * US)
    assert chain.pixels == [(0, 0, 1)]


def test_same_colours_again_are_no_change() -> None:
    time = Scheduler()
    chain = Ws2812Chain(time, 1)
    for i in range(3):
        chain.feed([7])
        time.run_until((i + 1) * 1_000 * US)
    assert len(chain.changed) == 1


def test_power_cycle_forgets_what_was_under_way() -> None:
    time = Scheduler()
    chain = Ws2812Chain(time, 1)
    chain.feed([7])
    chain.power_cycle()
    time.run_until(1_000 * US)
    assert chain.pixels == [(0, 0, 0)]
    assert chain.changed == []


def test_word_of_more_than_24_bits() -> None:
    with pytest.raises(SimFault, match="1000000 is not 24 bits"):
        Ws2812Chain(Scheduler(), 1).feed([1 << 24])
