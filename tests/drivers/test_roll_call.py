"""A stack that is taken away: those that went are absent at once, and nobody who is there is told to be."""

from __future__ import annotations

import random

import pytest

from tests.drivers.table import Rig, uid

STACK = tuple(range(0x1000, 0x1028))  # forty chips
ASKED_US = 6_000  # a sign of life that does not come
CALLED_US = 60_000  # the field off and on, an inventory, eight calls


def stack(*stay: int) -> Rig:
    """A stack of forty known chips, taken away but for these."""
    rig = Rig()
    tags = rig.put(*STACK)
    rig.reader.start()
    for serial in STACK:
        rig.known.add(uid(serial))
    rig.make_visit()
    assert len(rig.heard.answers) == len(STACK)
    for serial, tag in zip(STACK, tags, strict=True):
        if serial not in stay:
            rig.antenna.leave(tag)
    return rig


@pytest.mark.parametrize("stay", [(), STACK[:1], STACK[3:8], STACK[-9:]])
def test_whoever_was_taken_away_is_told_in_the_next_visit(stay: tuple[int, ...]) -> None:
    rig = stack(*stay)
    left = rig.board.ticks()
    took = rig.make_visit()
    gone = {index for index, serial in enumerate(STACK) if serial not in stay}
    assert set(rig.heard.absent) == gone
    assert {index for index, _, _ in rig.heard.answers} == set(range(len(STACK))) - gone
    assert rig.heard.clean and rig.heard.unknowns == []
    assert took <= (len(STACK) + len(stay)) * ASKED_US + CALLED_US  # to ask each alone takes 1.9 s
    firsts = {first for first, _ in rig.heard.absent.values()}
    assert len(firsts) == 1 and left < firsts.pop() <= rig.board.ticks()
    assert {count for _, count in rig.heard.absent.values()} == {8}
    assert not rig.antenna.field_on


@pytest.mark.parametrize("answers", range(7))
def test_one_that_is_heard_in_the_roll_call_is_there_and_the_others_are_asked_alone(answers: int) -> None:
    """It missed the first requests, and so many calls."""
    rig = stack(STACK[5])
    target = rig.antenna.tags[0]
    heard = 0

    def fault(tag: object, request: bytes) -> bytes | None:
        nonlocal heard
        if tag is target and heard < 2 + answers:
            heard += 1
            return None
        return request

    rig.antenna.request_fault = fault
    rig.make_visit()
    assert heard == 2 + answers
    assert 5 not in rig.heard.absent
    assert [index for index, _, _ in rig.heard.answers] == [5]
    assert set(rig.heard.absent) == set(range(len(STACK))) - {5}


def test_a_damaged_answer_to_the_call_proves_nothing() -> None:
    rig = stack(STACK[5])
    rig.antenna.air_fault = lambda tag, answer: answer[:-1] + bytes([answer[-1] ^ 1])
    rig.make_visit()
    assert 5 not in rig.heard.absent
    assert rig.heard.unknowns == [5] and not rig.heard.clean


def test_to_confirm_each_is_asked_by_itself() -> None:
    rig = stack(*STACK[4:])
    rig.make_visit(confirm=True)
    assert set(rig.heard.absent) == {0, 1, 2, 3}
    assert len({first for first, _ in rig.heard.absent.values()}) == 4


def test_a_stranger_where_a_stack_was_changes_nothing() -> None:
    rig = stack()
    rig.put(0x5555)
    rig.make_visit()
    assert set(rig.heard.absent) == set(range(len(STACK)))
    assert [one for one, _, _ in rig.heard.strangers] == [uid(0x5555)]


def test_lost_replies_make_nobody_absent_who_is_there() -> None:
    dice = random.Random(9)
    for _ in range(40):
        stay = dice.sample(STACK, dice.randrange(12))
        rig = stack(*stay)
        rig.antenna.air_fault = lambda tag, answer: None if dice.random() < 0.2 else answer
        rig.make_visit()
        told = {uid(STACK[index]) for index in rig.heard.absent}
        assert told.isdisjoint({uid(serial) for serial in stay})
