"""Keys and contacts with their bounce, the exit beam and the gate."""

import pytest

from hwsim.chips.beam import ExitBeam
from hwsim.chips.gate import Gate
from hwsim.chips.switches import Contact, Key
from hwsim.core import Line, Scheduler, SimFault
from hwsim.nets import SharedLine

MS = 1_000_000


def watch(time: Scheduler, line: Line) -> list[tuple[int, int]]:
    edges: list[tuple[int, int]] = []
    line.listen(lambda _line, level: edges.append((time.now, level)))
    return edges


def test_press_and_release_with_a_given_bounce() -> None:
    time, line = Scheduler(), Line("RNVP")
    key = Key(time, line)
    assert line.level == 1
    edges = watch(time, line)
    assert key.press(10 * MS, [300_000, 700_000]) == (10 * MS, 10_700_000)
    assert key.release(60 * MS, []) == (60 * MS, 60 * MS)
    time.run_until(100 * MS)
    assert edges == [(10 * MS, 0), (10_300_000, 1), (10_700_000, 0), (60 * MS, 1)]


def test_seeded_bounce_ends_between_1_and_5_ms_at_the_right_level() -> None:
    patterns = set()
    for seed in range(200):
        time, line = Scheduler(), Line("P1")
        key = Key(time, line, seed=seed)
        edges = watch(time, line)
        stroke = key.press(MS)
        time.run_until(100 * MS)
        assert line.level == 0
        assert edges[0] == (stroke.first_edge, 0)
        assert edges[-1] == (stroke.settled, 0)
        assert MS <= stroke.settled - stroke.first_edge <= 5 * MS
        assert len(edges) % 2 == 1
        patterns.add(tuple(edges))
    assert len(patterns) > 190


def test_each_stroke_has_its_own_pattern_and_the_seed_repeats_all() -> None:
    def run() -> list[tuple[int, int]]:
        time, line = Scheduler(), Line("P1")
        key = Key(time, line, seed=4)
        edges = watch(time, line)
        for i in range(3):
            key.tap(200 * MS * (i + 1))
        time.run_until(2_000 * MS)
        return edges

    edges = run()
    assert edges == run()
    first, second = ([t - start for t, _ in edges if start <= t < start + 100 * MS] for start in (200 * MS, 400 * MS))
    assert first != second


def test_release_ends_the_bounce_of_the_press() -> None:
    time, line = Scheduler(), Line("P1")
    key = Key(time, line, bounce_ns=[1 * MS, 4 * MS])
    edges = watch(time, line)
    key.press(0)
    key.release(2 * MS, [])
    time.run_until(50 * MS)
    assert edges == [(0, 0), (1 * MS, 1)]
    assert not key.pressed


def test_glitch_shorter_than_a_press() -> None:
    time, line = Scheduler(), Line("RNVP")
    edges = watch(time, line)
    key = Key(time, line)
    edges.clear()
    assert key.glitch(5 * MS, 2_900_000) == (5 * MS, 7_900_000)
    time.run_until(50 * MS)
    assert edges == [(5 * MS, 0), (7_900_000, 1)]


def test_stuck_key_follows_the_finger_again_later() -> None:
    time, line = Scheduler(), Line("P1")
    key = Key(time, line, bounce_ns=[])
    key.stick(1 * MS, pressed=True)
    key.press(2 * MS)
    key.release(3 * MS)
    time.run_until(4 * MS)
    assert line.level == 0
    assert not key.pressed
    key.unstick(5 * MS)
    time.run_until(5 * MS)
    assert line.level == 1
    key.stick(6 * MS, pressed=False)
    key.press(7 * MS)
    time.run_until(8 * MS)
    assert line.level == 1
    key.unstick(9 * MS)
    time.run_until(9 * MS)
    assert line.level == 0


@pytest.mark.parametrize("bounce", [[1], [0, 1], [5, 5], [7, 3]])
def test_impossible_bounce(bounce: list[int]) -> None:
    with pytest.raises(ValueError, match="bounce"):
        Key(Scheduler(), Line("P1")).press(0, bounce)


def test_no_stroke_in_the_past() -> None:
    time = Scheduler()
    key = Key(time, Line("P1"))
    time.run_until(10)
    with pytest.raises(ValueError, match="past"):
        key.press(9)


def test_key_on_a_tap_of_a_shared_net() -> None:
    time = Scheduler()
    net = SharedLine(time, "KEY", pull=1)
    key = Key(time, net.tap("P1"), bounce_ns=[])
    key.press(1)
    time.run_until(1)
    assert net.level == 0


def test_contact() -> None:
    time, line = Scheduler(), Line("LID")
    lid = Contact(time, line, closed=False, closed_level=1, seed=1)
    assert line.level == 0
    stroke = lid.close(10 * MS)
    time.run_until(9 * MS)
    assert not lid.closed
    time.run_until(100 * MS)
    assert (lid.closed, line.level) == (True, 1)
    assert 5 * MS <= stroke.settled - stroke.first_edge <= 30 * MS
    lid.open(200 * MS, [])
    time.run_until(200 * MS)
    assert (lid.closed, line.level) == (False, 0)


def test_beam_is_blocked_until_the_last_card_has_left() -> None:
    time, line = Scheduler(), Line("BEAM")
    beam = ExitBeam(time, line)
    assert line.level == 1
    edges = watch(time, line)
    beam.block(10)
    beam.block(20)
    beam.clear(30)
    beam.clear(40)
    time.run_until(25)
    assert beam.blocked
    time.run_until(100)
    assert edges == [(10, 0), (40, 1)]
    assert beam.log == [(10, True), (40, False)]


def test_beam_of_the_other_polarity() -> None:
    time, line = Scheduler(), Line("BEAM", 1)
    beam = ExitBeam(time, line, blocked_level=1)
    assert line.level == 0
    beam.block(10)
    time.run_until(10)
    assert line.level == 1


def test_beam_cleared_of_nothing() -> None:
    time = Scheduler()
    beam = ExitBeam(time, Line("BEAM"))
    beam.clear(5)
    with pytest.raises(SimFault, match="BEAM: cleared at 5 ns"):
        time.run_until(5)


def test_gate_follows_its_line() -> None:
    time, line = Scheduler(), Line("GATE")
    gate = Gate(time, line)
    time.at(5, lambda: line.drive(1))
    time.at(9, lambda: line.drive(0))
    time.run_until(7)
    assert gate.open
    time.run_until(20)
    assert gate.log == [(5, True), (9, False)]


def test_gate_with_a_plunger_misses_a_short_pulse() -> None:
    time, line = Scheduler(), Line("GATE")
    gate = Gate(time, line, travel_ns=15 * MS)
    time.at(0, lambda: line.drive(1))
    time.at(10 * MS, lambda: line.drive(0))
    time.at(50 * MS, lambda: line.drive(1))
    time.run_until(100 * MS)
    assert gate.log == [(65 * MS, True)]
