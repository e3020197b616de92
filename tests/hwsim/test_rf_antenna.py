"""Antennas and the antenna switch: who is in whose field, and when."""

from __future__ import annotations

import pytest

from hwsim.chips.icode_slix2 import IcodeSlix2
from hwsim.core import Line, Scheduler, SimFault
from hwsim.rf.antenna import Antenna
from hwsim.rf.switch import AntennaSwitch, FixedPort
from tests.hwsim.pn5180_bench import MS, US, Bench, uid

A = "E0 04 01 08 00 00 12 3A"
B = "E0 04 01 08 00 00 45 0A"


def switched() -> tuple[Bench, list[Line], list[Antenna], list[IcodeSlix2]]:
    """Three antennas on a 2-line switch, position 3 open; A on antenna 0, B on antenna 2."""
    scheduler = Scheduler()
    lines = [Line("S0"), Line("S1")]
    antennas = [Antenna(scheduler, f"antenna {n}") for n in range(3)]
    tags = [IcodeSlix2(uid(A)), IcodeSlix2(uid(B))]
    antennas[0].enter(tags[0])
    antennas[2].enter(tags[1])
    bench = Bench(port=AntennaSwitch(scheduler, lines, antennas), scheduler=scheduler)
    bench.start()
    return bench, lines, antennas, tags


def choose(lines: list[Line], position: int) -> None:
    for bit, line in enumerate(lines):
        line.drive(position >> bit & 1)


def test_switch_moves_the_field() -> None:
    bench, lines, antennas, _ = switched()
    assert bench.request(0x26, 1, 0)[1][2:] == uid(A)
    choose(lines, 2)
    bench.run(1 * MS)
    assert [antenna.field_on for antenna in antennas] == [False, False, True]
    assert bench.request(0x26, 1, 0)[1][2:] == uid(B)
    choose(lines, 1)
    bench.run(1 * MS)
    assert bench.request(0x26, 1, 0) == (0, b"")
    choose(lines, 3)
    bench.run(1 * MS)
    assert not any(antenna.field_on for antenna in antennas)
    assert bench.request(0x26, 1, 0) == (0, b"")


def test_tag_on_the_new_antenna_needs_its_millisecond() -> None:
    bench, lines, _, _ = switched()
    choose(lines, 2)
    assert bench.request(0x26, 1, 0) == (0, b"")
    assert bench.request(0x26, 1, 0)[1][2:] == uid(B)


def test_tag_loses_its_state_when_the_switch_moves_on() -> None:
    bench, lines, _, tags = switched()
    bench.request(0x22, 0x02, *uid(A), limit=8 * MS)
    assert bench.request(0x26, 1, 0) == (0, b"")
    choose(lines, 2)
    bench.run(1 * US)
    choose(lines, 0)
    bench.run(1 * MS)
    assert bench.request(0x26, 1, 0)[1][2:] == uid(A)
    assert tags[0].powered_at is not None


def test_lines_that_move_at_one_instant_are_one_change() -> None:
    bench, lines, antennas, tags = switched()
    seen: list[int] = []

    class Passed(IcodeSlix2):
        def power_up(self, now: int) -> None:
            seen.append(now)

    antennas[1].enter(Passed(uid("E0 04 01 08 00 00 00 01")))
    choose(lines, 1)
    choose(lines, 2)
    bench.run(1 * US)
    assert seen == []
    assert tags[1].powered_at == bench.scheduler.now - 1 * US


def test_switch_in_the_middle_of_an_answer_cuts_it() -> None:
    bench, lines, _, _ = switched()
    bench.transceive()
    bench.send(0x09, 0x00, 0x26, 0x01, 0x00)
    bench.run(4 * MS)
    choose(lines, 2)
    bench.run(1 * MS)
    assert bench.irq & 1
    assert bench.read(0x13) & 1 << 17


def test_switch_while_the_field_is_off_powers_nobody() -> None:
    bench, lines, antennas, _ = switched()
    bench.send(0x17, 0)
    choose(lines, 2)
    bench.run(1 * MS)
    assert not any(antenna.field_on for antenna in antennas)
    bench.send(0x16, 0)
    assert antennas[2].field_on


def test_more_antennas_than_positions() -> None:
    scheduler = Scheduler()
    with pytest.raises(ValueError, match="select lines"):
        AntennaSwitch(scheduler, [Line("S0")], [None, None, None])


def test_two_readers_on_one_antenna_fail_the_test() -> None:
    first = Bench()
    first.start()
    second = Bench(port=FixedPort(first.antenna), scheduler=first.scheduler)
    with pytest.raises(SimFault, match="both feed"):
        second.start()


def test_a_tag_lies_on_one_antenna_at_a_time() -> None:
    scheduler = Scheduler()
    here, there = Antenna(scheduler, "here"), Antenna(scheduler, "there")
    tag = IcodeSlix2(uid(A))
    here.enter(tag)
    with pytest.raises(ValueError, match="here already"):
        there.enter(tag)
    with pytest.raises(ValueError, match="not on there"):
        there.leave(tag)
    here.leave(tag)
    there.enter(tag)
    assert there.tags == (tag,)


def test_a_field_that_reaches_a_neighbours_tag_hears_it_until_it_is_let_go_or_taken_away() -> None:
    bench, lines, antennas, (a, b) = switched()
    with pytest.raises(ValueError, match="neighbour"):
        antennas[0].reach(b)
    antennas[0].couple(antennas[2])
    antennas[0].leave(a)
    choose(lines, 0)
    bench.run(2 * MS)
    assert bench.request(0x26, 1, 0) == (0, b"")
    antennas[0].reach(b)
    bench.run(2 * MS)
    assert bench.request(0x26, 1, 0)[1][2:] == uid(B), "it has had its millisecond of this field"
    assert antennas[0].tags == () and antennas[2].tags == (b,)
    antennas[0].release(b)
    assert bench.request(0x26, 1, 0) == (0, b"")
    antennas[0].reach(b)
    bench.run(2 * MS)
    antennas[2].leave(b)
    assert bench.request(0x26, 1, 0) == (0, b""), "who takes it away takes it out of both"


def test_two_coupled_fields_that_are_on_at_once_leave_both_readers_without_an_answer() -> None:
    first = Bench([IcodeSlix2(uid(A))])
    second = Bench([IcodeSlix2(uid(B))], scheduler=first.scheduler)
    first.start()
    second.start()
    assert first.request(0x26, 1, 0)[1][2:] == uid(A), "antennas that do not couple may be on together"
    first.antenna.couple(second.antenna)
    for bench in (first, second):
        assert bench.request(0x26, 1, 0) == (0, b"")
    assert not any(data for _, data in first.sixteen_slots(0x06, 1, 0))
    second.send(0x17, 0)
    assert first.request(0x26, 1, 0)[1][2:] == uid(A)
    assert not first.antenna.disturbed and second.antenna.disturbed


class Neighbour:
    """Another reader, which only feeds its antenna."""

    name = "another reader"

    def tag_gone(self, tag: object) -> None:
        """Nobody is asked anything."""


def test_a_coupled_field_that_comes_on_between_two_slots_silences_the_rest_of_the_round() -> None:
    """A tag answers in slot A, as its UID ends; with another field on it does not hear that its turn has come."""
    first = Bench([IcodeSlix2(uid(A))])
    first.start()
    near = Antenna(first.scheduler, "near")
    first.antenna.couple(near)
    assert [slot for slot, (_, data) in enumerate(first.sixteen_slots(0x06, 1, 0)) if data] == [10]
    first.scheduler.after(5 * MS, lambda: near.power_on(Neighbour()))
    assert not any(data for _, data in first.sixteen_slots(0x06, 1, 0))
    assert first.antenna.disturbed
