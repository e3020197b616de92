"""When an antenna was visited, as the bookkeeper sees it from the fields."""

from __future__ import annotations

from hwsim.core import Scheduler
from hwsim.fuzz.bookkeeper.visits import FOREVER, Visits
from hwsim.rf.antenna import Antenna

SPOT = (1, "ante")
MS = 1_000_000


def visited(*switched_ms: float) -> Visits:
    """The field goes on at the first instant, off at the second, and so on."""
    scheduler = Scheduler()
    antenna = Antenna(scheduler, "spot")
    visits = Visits(scheduler, {SPOT: antenna})
    for number, instant in enumerate(switched_ms):
        scheduler.run_until(int(instant * MS))
        assert antenna.on_field is not None
        antenna.on_field(number % 2 == 0)
    return visits


def test_a_change_lies_between_the_visit_before_and_the_one_after() -> None:
    assert visited(10, 20, 30, 40).window(SPOT, 25 * MS) == (10 * MS, 40 * MS)


def test_a_field_that_comes_on_again_at_once_is_the_same_visit() -> None:
    visits = visited(10, 20, 30, 40, 40.7, 50, 60, 70)
    assert visits.window(SPOT, 25 * MS) == (10 * MS, 50 * MS)
    assert visits.window(SPOT, 55 * MS) == (30 * MS, 70 * MS)
    assert visits.whole_between(SPOT, 0, 100 * MS) == 3


def test_a_visit_under_way_has_no_end_yet() -> None:
    assert visited(10, 20, 30, 40, 40.7).window(SPOT, 25 * MS) == (10 * MS, FOREVER)
