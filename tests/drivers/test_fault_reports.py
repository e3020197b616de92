"""What people have reported of such readers in public, tried on these drivers (docs/chip-models.md has the list)."""

from __future__ import annotations

import random
from itertools import count
from typing import Any

import pytest
from iso15693 import ReaderFault

from hwsim.chips.pn5180_failures import FAILURES
from tests.drivers.table import Rig, uid

NS_US, NS_MS = 1_000, 1_000_000
READ_DATA, SEND_DATA, READ_REGISTERS = 0x0A, 0x09, 0x05
SCAN_US = 25_000  # of one antenna with three chips
READERS = 4


def visited(*serials: int) -> Rig:
    """A reader that knows these chips, which lie on its antenna."""
    rig = Rig()
    rig.put(*serials)
    rig.reader.start()
    for serial in serials:
        rig.known.add(uid(serial))
    rig.make_visit()
    return rig


@pytest.mark.parametrize("seed", range(5))
def test_a_tag_that_leaves_within_an_exchange_costs_no_more_than_that_visit(seed: int) -> None:
    """1,000 times in all, at any instant from SEND_DATA to READ_DATA: nothing made up, and well in the next scan."""
    dice = random.Random(seed)
    rig = visited(0x11, 0x25, 0x35)
    scheduler = rig.board.scheduler
    tags = list(rig.antenna.tags)
    for _ in range(200):
        tag = dice.choice(tags)
        sends = dice.randrange(1, 4)
        clock = rig.reader._transport.clock

        commands: list[int] = []
        left_behind: list[int] = []

        def go(tag: Any = tag, commands: list[int] = commands, left_behind: list[int] = left_behind) -> None:
            left_behind.append(commands[-1])
            rig.antenna.leave(tag)

        def leaves(
            frame: bytearray | memoryview, clock: Any = clock, commands: list[int] = commands, go: Any = go
        ) -> None:
            nonlocal sends
            clock(frame)
            commands.append(frame[0])
            if frame[0] == SEND_DATA:
                sends -= 1
                if not sends:
                    scheduler.after(dice.randrange(5_500) * NS_US, go)

        rig.reader._transport.clock = leaves  # type: ignore[method-assign]
        rig.make_visit()
        rig.reader._transport.clock = clock  # type: ignore[method-assign]
        assert rig.heard.strangers == []
        assert {index for index, _, _ in rig.heard.answers} >= {n for n in range(3) if tags[n] is not tag}
        assert set(rig.heard.absent) <= {tags.index(tag)}
        scheduler.run_until(scheduler.now + 10 * NS_MS)
        assert tag not in rig.antenna.tags and left_behind[0] in (SEND_DATA, READ_REGISTERS)
        rig.antenna.enter(tag)
        assert rig.make_visit() < SCAN_US
        assert {index for index, _, _ in rig.heard.answers} == {0, 1, 2} and rig.heard.clean


@pytest.mark.parametrize("seed", range(4))
def test_nothing_is_fetched_where_nothing_was_received(seed: int) -> None:
    """READ_DATA would give the last answer there was, however old. Noise, losses and empty slots lead to none."""
    dice = random.Random(seed)
    rig = visited(0x11)
    rig.antenna.leave(rig.antenna.tags[0])
    rig.antenna.noise = lambda: dice.choice((None, 0, 0x10000, 0x20000, 0x30000))
    sent: list[int] = []
    clock = rig.reader._transport.clock

    def note(frame: bytearray | memoryview) -> None:
        sent.append(frame[0])
        clock(frame)

    rig.reader._transport.clock = note  # type: ignore[method-assign]
    for _ in range(20):
        rig.make_visit()
        assert rig.heard.answers == [] and rig.heard.strangers == []
    assert SEND_DATA in sent and READ_DATA not in sent


@pytest.mark.parametrize("seed", range(6))
def test_four_readers_on_one_bus_report_their_own_tags_only(seed: int) -> None:
    """A step of one, then a step of another, in any order; some of the tags' answers are lost."""
    dice = random.Random(seed)
    first = Rig()
    rigs = [first] + [Rig(beside=first) for _ in range(READERS - 1)]
    lying = [dice.sample(range(n << 20, (n + 1) << 20), 5) for n in range(READERS)]
    for rig, serials in zip(rigs, lying, strict=True):
        rig.put(*serials)
        rig.reader.start()
        rig.antenna.air_fault = lambda tag, answer: None if dice.random() < 0.05 else answer
    for _ in range(6):
        for rig in rigs:
            rig.heard.clear()
            rig.visit.start(rig.known, False)
        due = dict.fromkeys(range(READERS), 0)
        scheduler = first.board.scheduler
        while due:
            number = dice.choice(sorted(due))
            scheduler.run_until(max(scheduler.now, due[number]))
            wait = rigs[number].visit.step()
            if wait < 0:
                del due[number]
            else:
                due[number] = scheduler.now + wait * NS_US
        for rig, serials in zip(rigs, lying, strict=True):
            own = {uid(serial) for serial in serials}
            heard = {one for one, _, _ in rig.heard.strangers}
            assert heard <= own
            for one in sorted(heard):
                rig.known.add(one)
    assert [rig.known.count for rig in rigs] == [5] * READERS


@pytest.mark.parametrize("how", FAILURES)
def test_one_of_four_readers_that_fails_disturbs_no_other(how: str) -> None:
    """On the same bus, a step of one, then a step of another: the sound ones hear what they heard before."""
    first = Rig()
    rigs = [first] + [Rig(beside=first) for _ in range(READERS - 1)]
    for number, rig in enumerate(rigs):
        rig.put(number << 20 | 5, number << 20 | 21)
        rig.reader.start()
        rig.known.add(uid(number << 20 | 5))
        rig.known.add(uid(number << 20 | 21))
        rig.make_visit()
    rigs[1].chip.fail(how)
    scheduler = first.board.scheduler
    for _ in range(3):
        waits = dict.fromkeys(range(READERS), 0)
        for rig in rigs:
            rig.heard.clear()
            rig.visit.start(rig.known, False)
        while waits:
            for number in sorted(waits):
                try:
                    wait = rigs[number].visit.step()
                except ReaderFault:
                    assert number == 1
                    wait = -1
                if wait < 0:
                    del waits[number]
            scheduler.run_until(scheduler.now + 100 * NS_US)
        for number in (0, 2, 3):
            heard = rigs[number].heard
            assert {index for index, _, _ in heard.answers} == {0, 1} and heard.clean and not heard.absent
        assert not rigs[1].heard.answers and not rigs[1].heard.strangers


def test_a_loop_that_stands_still_for_three_seconds_loses_no_chip() -> None:
    """Before any step of a visit: what stayed put is there, in this visit or the next, and never absent."""
    for stop in count():
        rig = visited(0x11, 0x25)
        rig.heard.clear()
        rig.visit.start(rig.known, False)
        scheduler = rig.board.scheduler
        steps = 0
        wait = 0
        while wait >= 0:
            if steps == stop:
                scheduler.run_until(scheduler.now + 3_000 * NS_MS)
            wait = rig.visit.step()
            steps += 1
            scheduler.run_until(scheduler.now + max(wait, 0) * NS_US)
        assert rig.heard.absent == {} and rig.heard.strangers == []
        rig.make_visit()
        assert {index for index, _, _ in rig.heard.answers} == {0, 1} and rig.heard.clean
        if stop >= steps:
            break
    assert stop >= 8


@pytest.mark.parametrize(("level", "code"), [("low", "stuck"), ("high", "absent")])
def test_a_bus_that_reads_one_level_only_says_which(level: str, code: str) -> None:
    rig = visited(0x11)
    rig.chip.fail(level)
    with pytest.raises(ReaderFault):
        for _ in range(3):
            rig.make_visit()
    with pytest.raises(ReaderFault) as caught:
        rig.reader.recover()
    assert caught.value.code == code
    rig.chip.fail("")
    rig.reader.recover()
    rig.make_visit()
    assert [index for index, _, _ in rig.heard.answers] == [0]


def test_a_wrong_crc_is_never_an_absence() -> None:
    """Every answer damaged, for fifty visits: the chip is in doubt, and there as soon as the air clears."""
    rig = visited(0x11)
    rig.antenna.air_fault = lambda tag, answer: bytes([answer[0] ^ 0x10]) + answer[1:]
    for _ in range(50):
        rig.make_visit()
        assert rig.heard.absent == {} and rig.heard.clean is False
    rig.antenna.air_fault = None
    rig.make_visit()
    assert rig.heard.clean
