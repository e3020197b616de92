"""Anticollision, memory reads and start-up against the models of reader and tags."""

from __future__ import annotations

import random
from collections.abc import Callable

import iso15693
import pn5180
import pytest
from iso15693 import reader as status
from iso15693.inventory import STACK

from hwsim.chips.icode_slix2 import IcodeSlix2
from hwsim.chips.pn5180_map import REGISTERS
from hwsim.core import Line
from hwsim.rf.air import with_crc
from tests.drivers.adapter import Input, Output, run
from tests.drivers.faulty import HalvesUnderOneNss, MaskLengthFromValue, NoReadBack, SlotsWithoutEof
from tests.drivers.table import Rig, bound_us, uid

NS_MS = 1_000_000
STEP_LIMIT_US = 600


def started(*serials: int, **options: object) -> Rig:
    """Start a reader whose field is on, with these chips on its antenna."""
    rig = Rig(**options)  # type: ignore[arg-type]
    rig.put(*serials)
    rig.reader.start()
    rig.field_on()
    return rig


def found(rig: Rig) -> list[bytes]:
    return sorted(rig.heard.tags)


def expected(*serials: int) -> list[bytes]:
    return sorted(uid(serial) for serial in serials)


# --- start-up ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("version", [(3, 4), (3, 10), (4, 0), (4, 1)])
def test_known_firmware_versions_start(version: tuple[int, int]) -> None:
    rig = Rig(firmware=version)
    rig.reader.start()
    assert rig.reader.version == version[0] << 8 | version[1]


@pytest.mark.parametrize(
    ("version", "code"), [((3, 3), "version"), ((4, 2), "version"), ((255, 255), "absent"), ((0, 0), "stuck")]
)
def test_other_firmware_versions_are_refused(version: tuple[int, int], code: str) -> None:
    rig = Rig(firmware=version)
    with pytest.raises(pn5180.ReaderFault) as caught:
        rig.reader.start()
    assert caught.value.code == code


@pytest.mark.parametrize(("fill", "busy", "code"), [(0xFF, 0, "absent"), (0x00, 0, "stuck"), (0xFF, 1, "busy")])
def test_a_socket_without_a_chip_is_told_by_what_the_bus_reads(fill: int, busy: int, code: str) -> None:
    class Nothing:
        def select(self) -> None: ...
        def deselect(self) -> None: ...
        def transfer(self, mosi: bytes, byte_ns: int) -> bytes:
            return bytes([fill]) * len(mosi)

    rig = Rig()
    line = Line("BUSY", busy)
    reader = pn5180.PN5180(rig.spi, rig.spi.select(Nothing()), Input(rig.board, line), Output(rig.board, rig.reset))
    with pytest.raises(pn5180.ReaderFault) as caught:
        reader.start()
    assert caught.value.code == code
    assert rig.board.scheduler.now < 250 * NS_MS


def test_a_clone_that_forgets_a_register_is_refused() -> None:
    rig = Rig(unkept_registers=[0x0C])  # TIMER1_RELOAD
    with pytest.raises(pn5180.ReaderFault) as caught:
        rig.reader.start()
    assert caught.value.code == "config"


@pytest.mark.parametrize("register", [0x03, 0x04, 0x0B, 0x0C, 0x0D, 0x12, 0x18, 0x19])
def test_what_an_exchange_stands_on_is_read_back(register: int) -> None:
    """Cleared interrupts, timers, symbols, who speaks first, and the CRC both ways."""
    with pytest.raises(pn5180.ReaderFault) as caught:
        Rig(unkept_registers=[register]).reader.start()
    assert caught.value.code == "config"


@pytest.mark.parametrize("register", sorted(REGISTERS))
def test_no_register_that_a_clone_forgets_makes_an_antenna_empty(register: int) -> None:
    """Either it is told as a fault, or every tag is found all the same."""
    rig = Rig(unkept_registers=[register])
    rig.put(0x11, 0x1234, 0x5231)
    try:
        rig.reader.start()
        rig.field_on()
        rig.take_inventory()
    except pn5180.ReaderFault:
        return
    assert found(rig) == expected(0x11, 0x1234, 0x5231) and rig.inventory.clean


def test_a_reset_recovers_the_reader_and_is_counted() -> None:
    rig = started(0x123A)
    rig.reset.drive(0)
    rig.board.scheduler.run_until(rig.board.scheduler.now + NS_MS)
    rig.reset.drive(1)
    rig.board.scheduler.run_until(rig.board.scheduler.now + 5 * NS_MS)
    # The chip has lost its configuration and its field: it refuses, and says so within the exchange.
    with pytest.raises(pn5180.ReaderFault):
        rig.take_inventory()
    rig.reader.recover()
    assert rig.reader.recoveries == 1
    rig.field_on()
    rig.take_inventory()
    assert found(rig) == expected(0x123A)


# --- inventory --------------------------------------------------------------------------------------------------------


def test_an_empty_antenna_costs_one_request() -> None:
    rig = started()
    frames = rig.spi.frames
    took = rig.take_inventory()
    assert rig.inventory.clean and found(rig) == []
    assert rig.spi.frames - frames == 4  # arm, send, status (two)
    assert took < 2_450


def test_one_tag_is_read_by_the_first_request() -> None:
    rig = started(0x123A)
    frames = rig.spi.frames
    rig.take_inventory()
    assert rig.inventory.clean and found(rig) == expected(0x123A)
    assert rig.inventory.rounds == 1
    assert rig.spi.frames - frames == 8


@pytest.mark.parametrize("depth", range(10))
@pytest.mark.parametrize("nibble", [0x0, 0x5, 0xF])
def test_two_tags_that_share_their_low_nibbles_are_told_apart(depth: int, nibble: int) -> None:
    """The serial has 10 nibbles; the first ``depth`` are equal, zeros among them."""
    shared = int(f"{nibble:X}" * 10, 16) & ((1 << 4 * depth) - 1)
    first = shared | 0x1 << 4 * depth
    second = shared | 0xE << 4 * depth
    rig = started(first, second)
    rig.take_inventory()
    assert rig.inventory.clean
    assert found(rig) == expected(first, second)


@pytest.mark.parametrize("nibble", range(10, 14))
def test_tags_that_differ_in_type_or_manufacturer_only(nibble: int) -> None:
    """The highest nibbles that can differ, below the class byte E0: masks over byte boundaries up to 52 bits."""
    serial = 0xE004010800001234 & ~(0xF << 4 * nibble)
    uids = sorted((serial | top << 4 * nibble).to_bytes(8, "little") for top in (0x1, 0x7))
    rig = Rig()
    for one in uids:
        rig.antenna.enter(IcodeSlix2(one))
    rig.reader.start()
    rig.field_on()
    rig.take_inventory()
    assert rig.inventory.clean
    assert found(rig) == uids


def test_two_tags_with_one_uid_are_reported_as_not_clean() -> None:
    """A copy that differs in anything, here the DSFID, collides at every depth."""
    rig = started(0x0001)
    rig.put(0x123A, dsfid=0x11)
    rig.put(0x123A, dsfid=0x22)
    rig.board.scheduler.run_until(rig.board.scheduler.now + 2 * NS_MS)
    rig.take_inventory()
    assert found(rig) == expected(0x0001)
    assert rig.inventory.clones == 1 and not rig.inventory.clean


@pytest.mark.parametrize("count", [2, 16, 60, 100])
def test_every_tag_is_found_and_each_once(count: int) -> None:
    serials = random.Random(count).sample(range(1 << 40), count)
    rig = started(*serials)
    took = rig.take_inventory(single=False)
    assert rig.inventory.clean
    assert found(rig) == expected(*serials)
    assert took < 1.35 * bound_us(serials)


def test_consecutive_serials_as_a_casino_buys_them() -> None:
    serials = list(range(0x5A0000, 0x5A0000 + 64))
    rig = started(*serials)
    rig.take_inventory()
    assert rig.inventory.clean
    assert found(rig) == expected(*serials)


def test_more_branches_than_the_stack_holds_are_not_clean_and_not_fatal() -> None:
    """Pairs in every slot at every level: the depth-first stack would need more than its places."""
    serials = []
    prefix = 0
    for level in range(8):
        for slot in range(16):
            base = prefix | slot << 4 * level
            serials += [base | 1 << 36, base | 2 << 36]
        prefix |= 0xF << 4 * level
    serials = sorted(set(serials))
    rig = started(*serials)
    rig.take_inventory(single=False)
    assert set(rig.heard.tags) <= set(expected(*serials))
    assert not rig.inventory.clean
    assert len(rig.heard.tags) > STACK


def test_only_the_family_asked_for_answers() -> None:
    rig = started()
    rig.put(0x1, 0x2, afi=0x70)
    rig.put(0x3, afi=0x90)
    rig.board.scheduler.run_until(rig.board.scheduler.now + 2 * NS_MS)
    rig.take_inventory(afi=0x70)
    assert rig.inventory.clean and found(rig) == expected(0x1, 0x2)


def test_a_step_does_a_bounded_piece_of_work() -> None:
    rig = started(*random.Random(5).sample(range(1 << 40), 12))
    rig.inventory.start()
    longest = 0
    wait = 0
    while wait >= 0:
        rig.board.scheduler.run_until(rig.board.scheduler.now + wait * 1000)
        began = rig.board.scheduler.now
        wait = rig.inventory.step()
        longest = max(longest, rig.board.scheduler.now - began)
    assert longest <= STEP_LIMIT_US * 1000


def test_no_poll_is_in_vain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each poll either decides, or sees an answer go on: sub-carrier, SOF, end; an empty slot takes one."""
    rig = started(0x11, 0x25)
    polls = 0
    clock = rig.reader._transport.clock

    def count(frame: bytearray | memoryview) -> None:
        nonlocal polls
        polls += frame[0] == 0x05
        clock(frame)

    monkeypatch.setattr(rig.reader._transport, "clock", count)
    rig.take_inventory(single=False)
    assert found(rig) == expected(0x11, 0x25)
    assert polls == 14 * 1 + 2 * 3


@pytest.mark.parametrize("late_us", range(0, 240, 6))
def test_no_answer_is_lost_however_late_a_poll_comes(late_us: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another task has its turn before every poll, also between the subcarrier of an answer and its SOF."""
    rig = started(0x11, 0x25, 0x2B, 0x38)
    poll = rig.reader.poll

    def late() -> int:
        rig.board.scheduler.run_until(rig.board.scheduler.now + late_us * 1000)
        return poll()

    monkeypatch.setattr(rig.reader, "poll", late)
    rig.take_inventory(single=False)
    assert found(rig) == expected(0x11, 0x25, 0x2B, 0x38)
    assert rig.inventory.clean


# --- damage on the air ------------------------------------------------------------------------------------------------


def flip(answer: bytes) -> bytes:
    """Flip one bit of the serial number, so that the CRC no longer fits."""
    return answer[:3] + bytes([answer[3] ^ 0x10]) + answer[4:]


@pytest.mark.parametrize("single", [True, False])
def test_one_damaged_answer_is_asked_again(single: bool) -> None:
    rig = started(0x11, 0x25, 0x37) if not single else started(0x11)
    damaged: list[object] = []

    def fault(tag: object, answer: bytes) -> bytes | None:
        if tag is rig.antenna.tags[0] and not damaged:
            damaged.append(tag)
            return flip(answer)
        return answer

    rig.antenna.air_fault = fault
    rig.take_inventory(single=single)
    assert damaged
    assert rig.inventory.clean
    assert found(rig) == (expected(0x11) if single else expected(0x11, 0x25, 0x37))


def test_a_tag_whose_every_answer_is_damaged_is_never_reported_and_never_clean() -> None:
    rig = started(0x11, 0x25)
    rig.antenna.air_fault = lambda tag, answer: flip(answer) if tag is rig.antenna.tags[0] else answer
    rig.take_inventory()
    assert found(rig) == expected(0x25)
    assert not rig.inventory.clean


@pytest.mark.parametrize(("at", "value"), [(0, 0x01), (9, 0xE1)], ids=["an error flag", "no class of a UID"])
def test_an_answer_that_is_no_inventorys_is_never_a_tag(at: int, value: int) -> None:
    """Its CRC is right."""
    rig = started(0x11, 0x25)
    strange = rig.antenna.tags[0]

    def change(tag: object, answer: bytes) -> bytes:
        return with_crc(answer[:at] + bytes([value]) + answer[at + 1 : -2]) if tag is strange else answer

    rig.antenna.air_fault = change
    rig.take_inventory()
    assert found(rig) == expected(0x25) and not rig.inventory.clean


def test_a_tag_that_answers_in_anothers_slot_is_asked_again() -> None:
    """A whole answer, but of a UID that cannot be there: only what is asked for by its own bits is believed."""
    rig = started(0x11, 0x25, 0x37)
    strange = rig.antenna.tags[0]
    asked = 0

    def change(tag: object, answer: bytes) -> bytes:
        nonlocal asked
        asked += tag is strange
        return with_crc(answer[:2] + uid(0x99) + answer[10:-2]) if tag is strange and asked == 1 else answer

    rig.antenna.air_fault = change
    rig.take_inventory(single=False)
    assert asked == 2 and found(rig) == expected(0x11, 0x25, 0x37) and rig.inventory.clean


def test_a_collision_that_comes_to_less_than_two_tags_is_not_clean() -> None:
    rig = started(0x123A, 0x450A)
    asked = 0

    def fault(tag: object, answer: bytes) -> bytes | None:
        nonlocal asked
        if tag is rig.antenna.tags[0]:
            asked += 1
            return answer if asked == 1 else None
        return answer

    rig.antenna.air_fault = fault
    rig.take_inventory()
    assert set(rig.heard.tags) == {uid(0x450A)}
    assert not rig.inventory.clean


@pytest.mark.parametrize("seed", range(6))
def test_tags_that_come_and_go_never_hang_or_invent(seed: int) -> None:
    """Every wait has an end, whatever moves; nothing is reported that was not there."""
    dice = random.Random(seed)
    serials = dice.sample(range(1 << 40), 8)
    rig = Rig()
    tags = rig.put(*serials)
    rig.reader.start()
    rig.field_on()
    scheduler = rig.board.scheduler

    def move() -> None:
        tag = dice.choice(tags)
        if tag in rig.antenna.tags:
            rig.antenna.leave(tag)
        else:
            rig.antenna.enter(tag)
        scheduler.after(dice.randrange(200, 8_000) * 1000, move)

    scheduler.after(NS_MS, move)
    for _ in range(12):
        assert rig.take_inventory() < 2_000_000
    assert set(rig.heard.tags) <= set(expected(*serials))


# --- memory -----------------------------------------------------------------------------------------------------------


def test_blocks_are_read_from_the_tag_addressed() -> None:
    rig = started()
    rig.put(0x1, memory=bytes(range(64)))
    rig.put(0x2, memory=bytes(range(100, 164)))
    rig.board.scheduler.run_until(rig.board.scheduler.now + 2 * NS_MS)
    blocks = iso15693.BlockRead(rig.reader, 8)
    for serial, first, base in ((0x1, 0, 0), (0x2, 4, 100)):
        blocks.start(uid(serial), first, 8)
        run(rig.board, blocks)
        assert blocks.ok
        assert blocks.data == bytes(range(base + 4 * first, base + 4 * first + 32))
    blocks.start(uid(0x3), 0, 1)
    run(rig.board, blocks)
    assert not blocks.ok and not blocks.error
    for first, count in ((0, 9), (0, 0), (256, 1)):
        with pytest.raises(ValueError, match="range"):
            blocks.start(uid(0x1), first, count)


def test_a_damaged_memory_answer_is_asked_for_again() -> None:
    rig = started()
    rig.put(0x1, memory=bytes(range(16)))
    rig.board.scheduler.run_until(rig.board.scheduler.now + 2 * NS_MS)
    course: list[Callable[[bytes], bytes | None]] = [flip, lambda answer: None, lambda answer: answer]
    answers = iter(course)
    rig.antenna.air_fault = lambda tag, answer: next(answers)(answer)
    blocks = iso15693.BlockRead(rig.reader, 4)
    blocks.start(uid(0x1), 0, 4)
    run(rig.board, blocks)
    assert blocks.ok and blocks.data == bytes(range(16))


# --- seeded faults ----------------------------------------------------------------------------------------------------

TWO_SLOTS = (0x1231, 0x1238)


def test_the_sound_driver_reads_what_the_faulty_ones_cannot() -> None:
    rig = started(*TWO_SLOTS)
    rig.take_inventory()
    assert found(rig) == expected(*TWO_SLOTS) and rig.inventory.clean
    deep = started(0x5100, 0x7200, 0x9100)
    deep.take_inventory()
    assert found(deep) == expected(0x5100, 0x7200, 0x9100) and deep.inventory.clean


def test_a_read_under_one_nss_leaves_busy_high() -> None:
    rig = Rig(make=HalvesUnderOneNss)
    with pytest.raises(pn5180.ReaderFault) as caught:
        rig.reader.start()
    assert caught.value.code == "busy"


def test_slots_without_eof_never_come() -> None:
    rig = started(*TWO_SLOTS, make=SlotsWithoutEof)
    rig.take_inventory()
    assert found(rig) != expected(*TWO_SLOTS)
    assert not rig.inventory.clean


def test_a_mask_length_taken_from_the_value_misses_tags_that_share_a_zero() -> None:
    rig = started(0x5100, 0x7200, 0x9100)
    rig.take_inventory(inventory=MaskLengthFromValue(rig.reader))
    assert found(rig) != expected(0x5100, 0x7200, 0x9100)


def test_without_a_read_back_a_chip_that_forgets_is_taken_for_an_empty_antenna() -> None:
    """Its TX_CONFIG holds no symbols: no tag hears it, and nobody is told."""
    rig = Rig(make=NoReadBack, unkept_registers=[0x18])
    rig.put(0x11)
    rig.reader.start()
    rig.field_on()
    rig.take_inventory()
    assert found(rig) == [] and rig.inventory.clean


def test_statuses_are_those_of_the_reader_contract() -> None:
    results = [status.PENDING, status.EMPTY, status.ANSWER, status.COLLISION, status.CRC, status.PROTOCOL, status.FAULT]
    assert results == list(range(7))
    # Air times of the frames that ISO/IEC 15693's own figures give.
    assert (status.request_us(3), status.request_us(11), status.answer_us(10)) == (1624, 4041, 3927)
