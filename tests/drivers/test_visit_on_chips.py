"""Visits: what is known of each tag after them is true, whatever moves and whatever the air damages."""

from __future__ import annotations

import random

import pytest
from iso15693 import ReaderFault, UidTable, Visit
from iso15693.reader import SETTLE_US, SLOTS

from hwsim.chips.icode_slix2 import IcodeSlix2
from hwsim.chips.iso15693_tag import Iso15693Tag
from hwsim.chips.pn5180_map import Pn5180Timing
from hwsim.chips.pn5180_timers import RUNNING, Timers
from hwsim.rf.air import AirFrame
from hwsim.rf.antenna import Antenna, Reply
from tests.drivers.adapter import run
from tests.drivers.table import Rig, uid

NS_US = 1_000
NS_MS = 1_000_000
STEP_LIMIT_US = 600


def visited(*serials: int, antennas: int = 1) -> Rig:
    """Start a reader that knows these chips, which lie on its antenna."""
    rig = Rig(antennas)
    rig.put(*serials)
    rig.reader.start()
    for serial in serials:
        rig.known.add(uid(serial))
    return rig


def probes(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """Record the UID of each request that carries a full one."""
    asked: list[bytes] = []
    begin = rig.reader.begin

    def record(buf: bytearray, n: int, answer: int, how: int) -> int:
        if buf[0] & 0x20 and n == 11 and buf[2] == 64:
            asked.append(bytes(buf[3:11]))
        return begin(buf, n, answer, how)

    monkeypatch.setattr(rig.reader, "begin", record)
    return asked


def signs_of_life(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """Record the mask of each extended inventory read."""
    asked: list[bytes] = []
    begin = rig.reader.begin

    def record(buf: bytearray, n: int, answer: int, how: int) -> int:
        if buf[1] == 0xA0:
            assert buf[3] == 0x80 | 8 * (n - 5)
            asked.append(bytes(buf[5:n]))
        return begin(buf, n, answer, how)

    monkeypatch.setattr(rig.reader, "begin", record)
    return asked


def test_strangers_are_told_with_an_interval_that_holds_an_instant_of_their_presence() -> None:
    rig = visited()
    rig.put(0x11, 0x25, 0x35)
    rig.make_visit()
    assert sorted(one for one, _, _ in rig.heard.strangers) == [uid(0x11), uid(0x25), uid(0x35)]
    assert rig.heard.clean
    assert all(rig.heard.begun_at < lo < hi <= rig.board.ticks() for _, lo, hi in rig.heard.strangers)
    assert all(hi - lo < 8_000 for _, lo, hi in rig.heard.strangers)


def test_known_tags_answer_once_and_to_confirm_to_their_full_uid(monkeypatch: pytest.MonkeyPatch) -> None:
    rig = visited(0x11, 0x25, 0x35)
    asked = signs_of_life(rig, monkeypatch)
    tried = probes(rig, monkeypatch)
    rig.make_visit()
    assert sorted(index for index, _, _ in rig.heard.answers) == [0, 1, 2]
    assert asked == [uid(0x11)[:6], uid(0x25)[:6]], "the last one answers the inventory"
    asked.clear()
    rig.make_visit(confirm=True)
    assert asked == [uid(0x11), uid(0x25), uid(0x35)]
    assert sorted(index for index, _, _ in rig.heard.answers) == [0, 1, 2]
    assert rig.heard.clean and tried == []


def foreign(serial: int) -> Iso15693Tag:
    """A tag of another maker, which knows no command but those of ISO/IEC 15693."""
    return Iso15693Tag(serial.to_bytes(5, "little") + b"\x10\x02\xe0")


def test_tags_without_icode_commands_are_seen_new_known_and_gone() -> None:
    rig = visited(0x11, 0x25)
    tags = [foreign(0x31), foreign(0x46)]
    for tag in tags:
        rig.antenna.enter(tag)
    rig.make_visit()
    assert sorted(one for one, _, _ in rig.heard.strangers) == [tag.uid for tag in tags]
    for tag in tags:
        rig.known.add(tag.uid)
    for confirm in (False, True):
        rig.make_visit(confirm)
        assert {index for index, _, _ in rig.heard.answers} == {0, 1, 2, 3} and rig.heard.clean
        assert not rig.heard.strangers
    rig.antenna.leave(tags[0])
    rig.make_visit()
    assert set(rig.heard.absent) == {2} and {index for index, _, _ in rig.heard.answers} == {0, 1, 3}


def test_a_tag_that_only_looks_like_an_icode_is_seen_all_the_same() -> None:
    """Its UID says that it knows the extended inventory read; it answers nothing but ISO/IEC 15693."""
    rig = visited(0x11, 0x25)
    rig.antenna.enter(Iso15693Tag(uid(0x30)))
    rig.known.add(uid(0x30))
    for confirm in (False, True):
        rig.make_visit(confirm)
        assert {index for index, _, _ in rig.heard.answers} == {0, 1, 2} and rig.heard.clean


@pytest.mark.parametrize("bits", range(0, 40, 3))
@pytest.mark.parametrize("known", [1, 2, 5])
def test_a_stranger_beside_known_tags_is_seen_in_the_next_visit_whatever_bits_it_shares(bits: int, known: int) -> None:
    rig = visited(*(0x1000000000 + n for n in range(known)))
    rig.put((0x1000000000 + known - 1) ^ 1 << bits if bits > 2 else 0x2000000000 + bits)
    rig.make_visit()
    assert len(rig.heard.strangers) == 1 and rig.heard.clean
    assert {index for index, _, _ in rig.heard.answers} == set(range(known))


@pytest.mark.parametrize("confirm", [False, True])
@pytest.mark.parametrize("misses", range(1, 8))
def test_a_tag_gone_quiet_whose_answer_was_lost_is_still_there(misses: int, confirm: bool) -> None:
    rig = visited(0x11, 0x25, 0x36)
    lost = 0
    target = rig.antenna.tags[0]

    def fault(tag: object, answer: bytes) -> bytes | None:
        nonlocal lost
        if tag is target and lost < misses:
            lost += 1
            return None
        return answer

    rig.antenna.air_fault = fault
    rig.make_visit(confirm)
    assert lost == misses
    assert rig.heard.absent == {} and rig.heard.unknowns == []
    assert {index for index, _, _ in rig.heard.answers} == {0, 1, 2}


def test_a_tag_that_did_not_hear_the_request_is_found_by_the_inventory() -> None:
    rig = visited(0x11, 0x25, 0x36)
    target = rig.antenna.tags[0]
    deaf = True

    def fault(tag: object, request: bytes) -> bytes | None:
        nonlocal deaf
        if tag is target and deaf:
            deaf = False
            return None
        return request

    rig.antenna.request_fault = fault
    rig.make_visit()
    assert not deaf
    assert {index for index, _, _ in rig.heard.answers} == {0, 1, 2} and rig.heard.clean


def test_absent_is_eight_clean_non_answers_in_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    rig = visited(0x11, 0x25)
    gone = rig.antenna.tags[1]
    rig.antenna.leave(gone)
    asked = probes(rig, monkeypatch)
    rig.make_visit()
    index = rig.known.find(uid(0x25))
    assert asked == [uid(0x25)] * 8
    assert set(rig.heard.absent) == {index}
    first, count = rig.heard.absent[index]
    assert count == 8 and rig.heard.begun_at < first < rig.board.ticks()
    assert rig.heard.clean


@pytest.mark.parametrize("misses", range(1, 8))
def test_fewer_misses_than_that_are_no_absence(misses: int) -> None:
    rig = visited(0x11, 0x25)
    lost = 0
    target = rig.antenna.tags[1]

    def fault(tag: object, answer: bytes) -> bytes | None:
        nonlocal lost
        if tag is target and lost <= misses:  # the tree's, and then the probes'
            lost += 1
            return None
        return answer

    rig.antenna.air_fault = fault
    rig.make_visit()
    assert lost == misses + 1
    assert rig.heard.absent == {} and rig.heard.unknowns == []
    assert {index for index, _, _ in rig.heard.answers} == {0, 1}


def test_a_damaged_answer_is_never_an_absence(monkeypatch: pytest.MonkeyPatch) -> None:
    rig = visited(0x11, 0x25)
    asked = probes(rig, monkeypatch)
    target = rig.antenna.tags[1]

    def fault(tag: object, answer: bytes) -> bytes | None:
        # Seven misses, a damaged answer, seven misses, ...: never eight in a row.
        if tag is not target:
            return answer
        return answer[:4] + bytes([answer[4] ^ 1]) + answer[5:] if len(asked) % 8 == 0 else None

    rig.antenna.air_fault = fault
    rig.make_visit()
    assert rig.heard.absent == {}
    assert rig.heard.unknowns == [rig.known.find(uid(0x25))]
    assert not rig.heard.clean
    assert len(asked) == 24


def test_one_flipped_bit_of_a_lone_tag_changes_what_is_heard() -> None:
    rig = visited()
    rig.put(0x11)
    rig.antenna.air_fault = lambda tag, answer: answer[:5] + bytes([answer[5] ^ 0x80]) + answer[6:]
    rig.make_visit()
    assert rig.heard.strangers == [] and rig.heard.clean is False
    rig.antenna.air_fault = None
    rig.make_visit()
    assert [one for one, _, _ in rig.heard.strangers] == [uid(0x11)]


def test_lost_replies_never_make_a_tag_absent() -> None:
    dice = random.Random(3)
    serials = [0x1000 + n for n in range(6)]
    rig = visited(*serials)
    rig.antenna.air_fault = lambda tag, answer: None if dice.random() < 0.05 else answer
    for _ in range(400):  # some tags lose two answers running: one that took a lost answer for an absence would show
        rig.make_visit()
        assert rig.heard.absent == {}
        assert {index for index, _, _ in rig.heard.answers} == set(range(6))


@pytest.mark.parametrize("seed", range(20))
def test_arrival_and_departure_lie_in_the_intervals(seed: int) -> None:
    """One tag comes and goes at random instants among others that stay; visits follow one another."""
    dice = random.Random(seed)
    stay = dice.sample(range(1 << 40), dice.randrange(0, 4))
    rig = visited(*stay)
    scheduler = rig.board.scheduler
    mover = IcodeSlix2(uid(0x77))
    enters = scheduler.now + dice.randrange(5 * NS_MS, 100 * NS_MS)
    leaves = enters + dice.randrange(80 * NS_MS, 250 * NS_MS)
    scheduler.at(enters, lambda: rig.antenna.enter(mover))
    scheduler.at(leaves, lambda: rig.antenna.leave(mover))
    index = -1
    not_there = last_there = first_there = gone = -1
    for _ in range(60):
        rig.make_visit(confirm=dice.random() < 0.3)
        assert all(one == uid(0x77) for one, _, _ in rig.heard.strangers)
        if index < 0:
            if rig.heard.strangers:
                _, last_there, first_there = rig.heard.strangers[0]
                index = rig.known.add(uid(0x77))
            else:
                not_there = rig.heard.begun_at
            continue
        for known, lo, _ in rig.heard.answers:
            last_there = lo if known == index else last_there
        assert set(rig.heard.absent) <= {index}
        if index in rig.heard.absent:
            gone = rig.heard.absent[index][0]
            break
    assert not_there * 1000 <= enters <= first_there * 1000
    assert last_there * 1000 <= leaves <= gone * 1000 + 1000
    # The field's settling time, one visit before and the probes: no longer than that.
    assert gone - last_there < 200_000


def test_a_departure_is_recorded_within_a_visit_and_its_retries() -> None:
    rig = visited(0x11)
    rig.make_visit()
    rig.antenna.leave(rig.antenna.tags[0])
    took = rig.make_visit()
    assert rig.heard.absent
    assert took < 1_000 + 2_500 + 8 * (4_041 + 485 + 4_300) + 3_000


def test_the_field_is_off_between_visits_and_each_antenna_tells_its_own() -> None:
    rig = visited(antennas=8)
    for n in range(8):
        rig.put(0x100 + n, 0x200 + n, antenna=n)
    for n in (0, 3, 7, 1):
        rig.switch.select(n)
        rig.make_visit()
        assert sorted(one for one, _, _ in rig.heard.strangers) == [uid(0x100 + n), uid(0x200 + n)]
        assert not any(antenna.field_on for antenna in rig.antennas)


def test_the_field_can_be_kept_for_more_questions() -> None:
    rig = visited()
    rig.put(0x11)
    stranger = rig.heard.stranger

    def keep(buf: bytearray, lo: int, hi: int) -> None:
        stranger(buf, lo, hi)
        rig.visit.keep_field = True

    rig.heard.stranger = keep  # type: ignore[method-assign]
    rig.make_visit()
    assert rig.heard.clean and rig.antenna.field_on
    rig.known.add(uid(0x11))
    rig.reader.recover()
    rig.make_visit()
    assert rig.heard.clean and not rig.antenna.field_on


def test_a_reader_that_dies_in_a_visit_is_a_fault_and_recovers() -> None:
    rig = visited(0x11, 0x25)
    rig.board.scheduler.after(8 * NS_MS, lambda: rig.reset.drive(0))
    with pytest.raises(ReaderFault) as caught:
        rig.make_visit()
    assert caught.value.code == "absent"
    assert rig.heard.clean is None and rig.heard.absent == {}
    rig.reader.recover()
    assert rig.reader.recoveries == 1
    rig.make_visit()
    assert {index for index, _, _ in rig.heard.answers} == {0, 1} and rig.heard.clean


def test_a_field_that_never_comes_on_is_a_fault() -> None:
    rig = visited(0x11)
    rig.visit.start(rig.known, False)
    assert rig.visit.step() > 0  # rf_on() was sent
    rig.reset.drive(0)  # and the chip dies before it confirms
    rig.busy.drive(0)
    with pytest.raises(ReaderFault) as caught:
        run(rig.board, rig.visit)
    assert caught.value.code in ("field", "busy")


def test_a_step_does_a_bounded_piece_of_work() -> None:
    rig = visited(*(0x1000 + n for n in range(8)))
    rig.antenna.leave(rig.antenna.tags[3])
    rig.put(0x5555)
    for confirm in (False, True):
        rig.visit.start(rig.known, confirm)
        longest = wait = 0
        while wait >= 0:
            rig.board.scheduler.run_until(rig.board.scheduler.now + wait * 1000)
            began = rig.board.scheduler.now
            wait = rig.visit.step()
            longest = max(longest, rig.board.scheduler.now - began)
        assert longest <= STEP_LIMIT_US * 1000
        rig.heard.clear()


def test_more_known_tags_than_the_visit_holds_are_refused() -> None:
    rig = visited()
    known = UidTable(3)
    for serial in range(3):
        known.add(uid(serial))
    small = Visit(rig.reader, rig.inventory, UidTable(2), listener=rig.heard)
    with pytest.raises(ValueError, match="known"):
        small.start(known)


def test_uid_table_keeps_each_uid_once_and_moves_the_last_into_a_gap() -> None:
    table = UidTable(3)
    assert [table.add(uid(serial)) for serial in (1, 2, 3, 2, 4)] == [0, 1, 2, 1, -1]
    table.remove(0)
    assert [table.find(uid(serial)) for serial in (1, 2, 3)] == [-1, 1, 0]
    buf = bytearray(8)
    table.get_into(0, buf)
    assert buf == uid(3)
    for wrong in (-1, 2):
        with pytest.raises(IndexError):
            table.remove(wrong)
        with pytest.raises(IndexError):
            table.get_into(wrong, buf)
    # Eight bytes that straddle two entries are no entry.
    table.clear()
    table.add(bytes(range(8)))
    table.add(bytes(range(8, 16)))
    assert table.find(bytes(range(4, 12))) == -1


class Witness:
    """A tag that never answers, and notes when the field came on and when the first request began, in ns."""

    def __init__(self) -> None:
        self.antenna: Antenna | None = None
        self.deaf_until = 0
        self.on_at = -1
        self.asked_at = -1

    def power_up(self, now: int) -> None:
        self.on_at = now

    def power_down(self, now: int) -> None:
        pass

    def hear(self, request: AirFrame) -> Reply | None:
        if self.asked_at < 0:
            self.asked_at = request.start
        return None

    def hear_eof(self, start: int, end: int, early: bool) -> Reply | None:
        return None

    def hear_garbage(self, start: int) -> None:
        pass


@pytest.mark.parametrize("late_us", [0, 90, 250, 500, 2_000, 40_000, 90_000])
@pytest.mark.parametrize("rf_on_ns", [200_000, 500_000, 3_000_000])
def test_tags_get_their_millisecond_however_late_the_field_is_looked_at(rf_on_ns: int, late_us: int) -> None:
    """The chip's own timer tells for how long the field has been on: a late look delays nothing."""
    rig = Rig(timing=Pn5180Timing(rf_on=rf_on_ns))
    rig.reader.start()
    rig.make_visit()  # from here on it is known how long this chip takes
    witness = Witness()
    rig.antenna.enter(witness)
    rig.heard.clear()
    rig.visit.start(rig.known)
    scheduler = rig.board.scheduler
    wait = rig.visit.step()
    scheduler.run_until(scheduler.now + (wait + late_us) * NS_US)
    run(rig.board, rig.visit)
    settled_us = (witness.asked_at - witness.on_at) / NS_US
    assert settled_us >= SETTLE_US
    assert settled_us < max(SETTLE_US, late_us + 500) + (100 if late_us <= 250 else 1_500)


@pytest.mark.parametrize("left", [0, 5, 0x40000])
def test_a_timer_that_reads_nonsense_takes_no_tag_its_millisecond(monkeypatch: pytest.MonkeyPatch, left: int) -> None:
    """No field comes on before it is asked for, whatever the timer says."""
    status = Timers.status
    monkeypatch.setattr(Timers, "status", lambda self, number: RUNNING | left if number == 2 else status(self, number))
    rig = Rig()
    rig.reader.start()
    for _ in range(3):
        rig.make_visit()
        witness = Witness()
        rig.antenna.enter(witness)
        rig.make_visit()
        rig.antenna.leave(witness)
        assert SETTLE_US <= (witness.asked_at - witness.on_at) / NS_US < SETTLE_US + 1_000


def test_where_many_chips_are_laid_down_an_antenna_begins_with_sixteen_slots(monkeypatch: pytest.MonkeyPatch) -> None:
    rig = visited()
    firsts: list[bool] = []
    begin = rig.reader.begin

    def record(buf: bytearray, n: int, answer: int, how: int) -> int:
        firsts.append(how & SLOTS != 0)
        return begin(buf, n, answer, how)

    monkeypatch.setattr(rig.reader, "begin", record)

    def slots() -> bool:
        firsts.clear()
        rig.make_visit()
        return firsts[0]

    tags = rig.put(0x11, 0x25, 0x36, 0x48, 0x59, 0x6A)
    assert not slots(), "nobody was new before"
    assert slots() and len(rig.heard.strangers) == 6 and rig.heard.clean
    for tag in tags:
        rig.antenna.leave(tag)
    assert slots(), "the antenna before was full of new ones"
    assert not slots() and rig.heard.clean
