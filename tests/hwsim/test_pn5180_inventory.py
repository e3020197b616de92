"""Anticollision through the PN5180 model: slots, collisions, damaged and moving tags, noise; every frame as bytes."""

from __future__ import annotations

import random

import pytest

from hwsim.chips import pn5180_map as m
from hwsim.chips.icode_slix2 import IcodeSlix2
from hwsim.rf.air import T1_CYCLES, answer_cycles, cycles_ns, request_cycles
from tests.hwsim.pn5180_bench import MS, US, Bench, uid

A = "E0 04 01 08 00 00 12 3A"
B = "E0 04 01 08 00 00 45 0A"
C = "E0 04 01 08 00 00 77 07"
COLLISION = m.RX_COLLISION
CRC_ERROR = m.RX_DATA_INTEGRITY_ERROR
PROTOCOL_ERROR = m.RX_PROTOCOL_ERROR


def ready(*tags: str) -> tuple[Bench, list[IcodeSlix2]]:
    above = [IcodeSlix2(uid(tag)) for tag in tags]
    bench = Bench(above)
    bench.start()
    return bench, above


def answer_to(tag: str) -> bytes:
    return b"\0\0" + uid(tag)


def position(status: int) -> int:
    return status >> m.RX_COLLISION_POSITION_SHIFT & 0x7F


def tree(bench: Bench) -> set[bytes]:
    """The whole 16-slot anticollision tree, as the standard describes it."""
    found = set()
    stack = [(0, 0)]
    while stack:
        length, mask = stack.pop()
        for slot, (status, data) in enumerate(
            bench.sixteen_slots(0x06, 0x01, length, *mask.to_bytes((length + 7) // 8, "little"))
        ):
            if status & COLLISION:
                stack.append((length + 4, mask | slot << length))
            elif status:
                assert status == 10
                found.add(data[2:])
    return found


# The worked example of the fact sheet.


def test_worked_example() -> None:
    bench, _ = ready(A, B, C)
    first = bench.sixteen_slots(0x06, 0x01, 0x00)
    assert first[7] == (10, answer_to(C))
    assert first[10][0] & COLLISION
    assert position(first[10][0]) == 20
    assert [slot for slot, (status, _) in enumerate(first) if status] == [7, 10]
    second = bench.sixteen_slots(0x06, 0x01, 0x04, 0x0A)
    assert {slot: data for slot, (status, data) in enumerate(second) if status} == {0: answer_to(B), 3: answer_to(A)}


def test_trap_two_tags_in_a_one_slot_request() -> None:
    bench, _ = ready(A, C)
    status, data = bench.request(0x26, 0x01, 0x00)
    assert status & COLLISION
    assert position(status) == 16
    assert data == bytes(10)  # bits from the collision on are cleared


def test_bits_after_the_collision_can_be_kept() -> None:
    bench, _ = ready(A, B)
    bench.set_bits(m.CRC_RX_CONFIG, m.RX_KEEP_AFTER_COLLISION)
    status, data = bench.request(0x26, 0x01, 0x00)
    assert position(status) == 20
    assert data == bytes(x | y for x, y in zip(answer_to(A), answer_to(B), strict=True))


def test_collision_detection_off_leaves_a_crc_error() -> None:
    bench, _ = ready(A, B)
    bench.set_bits(m.SIGPRO_RM_CONFIG, m.COLLISIONS_OFF)
    status, _ = bench.request(0x26, 0x01, 0x00)
    assert status & (COLLISION | CRC_ERROR) == CRC_ERROR


def test_clones_with_equal_uid_are_heard_as_one() -> None:
    bench, _ = ready(A, A)
    assert bench.request(0x26, 0x01, 0x00) == (10, answer_to(A))


def test_clones_with_different_dsfid_collide_there() -> None:
    bench, tags = ready(A, A)
    tags[1].dsfid = 4
    status, _ = bench.request(0x26, 0x01, 0x00)
    assert position(status) == 10


@pytest.mark.parametrize("depth", range(0, 56, 4))
def test_collision_at_any_depth(depth: int) -> None:
    bench, tags = ready(A)
    other = IcodeSlix2((tags[0].uid_number ^ 1 << depth + 1).to_bytes(8, "little"))
    bench.antenna.enter(other)
    bench.run(1 * MS)
    status, _ = bench.request(0x26, 0x01, 0x00)
    assert position(status) == 16 + depth + 1
    assert tree(bench) == {tags[0].uid, other.uid}


def test_tags_whose_uids_end_in_zero_nibbles() -> None:
    uids = ["E0 04 01 08 00 00 00 00", "E0 04 01 08 00 00 10 00", "E0 04 01 08 10 00 00 00", "E0 04 01 08 00 00 00 10"]
    bench, tags = ready(*uids)
    assert tree(bench) == {tag.uid for tag in tags}


def test_hundred_tags() -> None:
    source = random.Random(7)
    bench, tags = ready(*(f"E0 04 01 {source.getrandbits(40).to_bytes(5, 'big').hex(' ')}" for _ in range(100)))
    assert tree(bench) == {tag.uid for tag in tags}


# Slots.


def test_trap_without_eof_the_slots_never_come() -> None:
    bench, _ = ready(C)
    assert bench.request(0x06, 0x01, 0x00) == (0, b"")
    bench.run(20 * MS)
    assert not bench.irq & 1


def test_trap_data_between_slots_instead_of_an_eof_ends_the_round() -> None:
    bench, _ = ready(C)
    bench.request(0x06, 0x01, 0x00)
    for _ in range(15):
        assert bench.request(0x00) == (0, b"")


def test_trap_tx_config_not_restored() -> None:
    bench, _ = ready(A)
    tx_config = bench.read(m.TX_CONFIG)
    bench.sixteen_slots(0x06, 0x01, 0x00)
    bench.keep_bits(m.TX_CONFIG, 0xFFFFFB3F)
    assert bench.request(0x26, 0x01, 0x00) == (0, b"")
    bench.write(m.TX_CONFIG, tx_config)
    assert bench.request(0x26, 0x01, 0x00) == (10, answer_to(A))


def test_loading_the_configuration_restores_tx_config() -> None:
    bench, _ = ready(A)
    bench.keep_bits(m.TX_CONFIG, 0xFFFFFB3F)
    bench.send(0x11, 0x0D, 0x8D)
    assert bench.request(0x26, 0x01, 0x00) == (10, answer_to(A))


def test_new_request_ends_the_round() -> None:
    bench, _ = ready(C)
    bench.request(0x06, 0x01, 0x00)
    bench.request(0x26, 0x01, 0x08, 0x55)
    bench.keep_bits(m.TX_CONFIG, 0xFFFFFB3F)
    for _ in range(15):
        bench.run(310 * US)
        assert bench.next_slot() == (0, b"")


def test_field_off_ends_the_round() -> None:
    bench, _ = ready(C)
    bench.request(0x06, 0x01, 0x00)
    bench.send(0x17, 0)
    bench.send(0x16, 0)
    bench.run(1 * MS)
    bench.keep_bits(m.TX_CONFIG, 0xFFFFFB3F)
    for _ in range(15):
        bench.run(310 * US)
        assert bench.next_slot() == (0, b"")


def eof_after(wait_ns: int, tx: int = 0x0D) -> tuple[int, bytes]:
    """Slot 0 empty, then an EOF that begins ``wait_ns`` after the request's end; the tag lies in slot 1."""
    bench = Bench([IcodeSlix2(uid("E0 04 01 08 00 00 00 01"))])
    bench.start(tx, 0x8D)
    bench.transceive()
    bench.send(0x09, 0x00, 0x06, 0x01, 0x00)
    eof = bench.scheduler.now + cycles_ns(request_cycles(3 + 2))
    bench.scheduler.run_until(eof)
    bench.keep_bits(m.TX_CONFIG, 0xFFFFFB3F)
    bench.transceive()
    frame = bytes((0x09, 0x00))
    busy = len(frame) * 1143 + 20 * US
    bench.scheduler.run_until(eof + wait_ns - busy)
    bench.clock(frame)
    bench.wait_idle()
    assert bench.scheduler.now == eof + wait_ns
    return bench.collect(8 * MS)


def test_eof_not_before_t3() -> None:
    assert eof_after(474_400)[0] == 10
    assert eof_after(474_200) == (0, b"")


def test_eof_within_t2_is_not_even_counted() -> None:
    assert eof_after(300_000) == (0, b"")


def test_shallow_modulation_needs_the_longer_slot() -> None:
    assert eof_after(600_000, tx=0x0E) == (0, b"")
    assert eof_after(4_560_000, tx=0x0E)[0] == 10


def test_eof_right_after_an_answer_is_early() -> None:
    bench, _ = ready("E0 04 01 08 00 00 00 00", "E0 04 01 08 00 00 00 01")
    assert bench.request(0x06, 0x01, 0x00)[0] == 10
    bench.keep_bits(m.TX_CONFIG, 0xFFFFFB3F)
    assert bench.next_slot() == (0, b"")


# Damage on the air.


def test_one_bit_of_an_answer() -> None:
    for bit in range(96):
        bench, _ = ready(A)

        def flip(tag: object, frame: bytes, bit: int = bit) -> bytes:
            damaged = bytearray(frame)
            damaged[bit >> 3] ^= 1 << (bit & 7)
            return bytes(damaged)

        bench.antenna.air_fault = flip
        status, _ = bench.request(0x26, 0x01, 0x00)
        assert status == 10 | CRC_ERROR


def test_lost_answer() -> None:
    bench, _ = ready(A)
    bench.antenna.air_fault = lambda tag, frame: None
    assert bench.request(0x26, 0x01, 0x00) == (0, b"")
    bench.antenna.air_fault = None
    # The tag is still sending, unheard: it is deaf until its answer and t2 are over.
    assert bench.request(0x26, 0x01, 0x00) == (0, b"")
    bench.run(3 * MS)
    assert bench.request(0x26, 0x01, 0x00) == (10, answer_to(A))


def test_damaged_and_lost_requests() -> None:
    bench, tags = ready(A, B)
    heard: list[bytes] = []

    def spoil(tag: object, frame: bytes) -> bytes | None:
        heard.append(frame)
        return bytes((frame[0] ^ 1, *frame[1:])) if tag is tags[0] else frame

    bench.antenna.request_fault = spoil
    assert bench.request(0x26, 0x01, 0x00) == (10, answer_to(B))
    assert heard == [bytes.fromhex("26 01 00 F6 0A")] * 2
    bench.antenna.request_fault = lambda tag, frame: None
    assert bench.request(0x26, 0x01, 0x00) == (0, b"")


def test_strong_tag_hides_a_weak_one() -> None:
    bench, _ = ready(A, B)
    bench.antenna.capture = lambda tags: tags[:1]
    assert bench.request(0x26, 0x01, 0x00) == (10, answer_to(A))


@pytest.mark.parametrize("errors", [0, PROTOCOL_ERROR, CRC_ERROR])
def test_noise_in_an_empty_slot(errors: int) -> None:
    bench, _ = ready()
    bench.antenna.noise = lambda: errors
    bench.transceive()
    bench.send(0x09, 0x00, 0x26, 0x01, 0x00)
    bench.run(5 * MS)
    assert bench.irq & 0xC001 == 0xC001
    assert bench.read(m.RX_STATUS) == errors


def test_noise_over_an_answer() -> None:
    bench, _ = ready(A)
    bench.antenna.noise = lambda: CRC_ERROR
    assert bench.request(0x26, 0x01, 0x00)[0] == 10 | CRC_ERROR


def test_errors_stay_until_the_next_reception_begins() -> None:
    bench, tags = ready(A, B)
    assert bench.request(0x26, 0x01, 0x00)[0] & COLLISION
    for tag in tags:
        bench.antenna.leave(tag)
    bench.run(1 * MS)
    assert bench.request(0x26, 0x01, 0x00) == (0, b"")
    assert bench.read(m.RX_STATUS) & (COLLISION | 0x1FF) == COLLISION
    bench.antenna.enter(tags[0])
    bench.run(1 * MS)
    assert bench.request(0x26, 0x01, 0x00) == (10, answer_to(A))


# Tags that come and go in the middle of an exchange.

REQUEST = cycles_ns(request_cycles(5))
T1 = cycles_ns(T1_CYCLES)
ANSWER = cycles_ns(answer_cycles(12))
BIT = cycles_ns(512)


def leaving(*tags: str, at: int) -> tuple[Bench, int]:
    """A 1-slot request during which the first tag leaves ``at`` ns after its beginning; returns bench and start."""
    bench, above = ready(*tags)
    bench.transceive()
    bench.send(0x09, 0x00, 0x26, 0x01, 0x00)
    start = bench.scheduler.now
    bench.scheduler.at(start + at, lambda: bench.antenna.leave(above[0]))
    bench.run(8 * MS)
    return bench, start


@pytest.mark.parametrize("at", [1, REQUEST - 1, REQUEST + 1, REQUEST + T1 - 1])
def test_tag_that_leaves_before_it_speaks(at: int) -> None:
    bench, _ = leaving(A, at=at)
    assert bench.irq == 0x0002


def test_tag_that_leaves_within_its_sof() -> None:
    bench, _ = leaving(A, at=REQUEST + T1 + 3 * BIT)
    assert bench.irq == 0x8002


@pytest.mark.parametrize("bits", [0, 1, 7, 8, 20, 79, 95])
def test_tag_that_leaves_within_its_answer(bits: int) -> None:
    bench, _ = leaving(A, at=REQUEST + T1 + (4 + bits) * BIT + BIT // 2)
    assert bench.irq & 0xC003 == 0xC003
    status = bench.read(m.RX_STATUS)
    assert status & PROTOCOL_ERROR
    if bits % 8:
        assert status & 0x1FF == bits // 8 + 1
        assert status >> 13 & 7 == bits % 8
    assert bool(status & CRC_ERROR) == (bits > 0)


def test_tag_that_leaves_within_its_eof() -> None:
    bench, _ = leaving(A, at=REQUEST + T1 + ANSWER - BIT)
    assert bench.read(m.RX_STATUS) == 10 | PROTOCOL_ERROR


def test_tag_that_leaves_right_after_its_answer() -> None:
    bench, _ = leaving(A, at=REQUEST + T1 + ANSWER + 1)
    assert bench.read(m.RX_STATUS) == 10


def test_one_of_two_leaves_before_they_differ() -> None:
    bench, _ = leaving(A, B, at=REQUEST + T1 + (4 + 18) * BIT)
    assert bench.read(m.RX_STATUS) == 10
    assert bench.ask(b"\x0a\x00", 10) == answer_to(B)


def test_one_of_two_leaves_after_they_differed() -> None:
    bench, _ = leaving(A, B, at=REQUEST + T1 + (4 + 40) * BIT)
    status = bench.read(m.RX_STATUS)
    assert status & COLLISION
    assert position(status) == 20


@pytest.mark.parametrize(("early", "count"), [(1_000_000, 10), (999_000, 0)])
def test_tag_that_arrives_needs_its_millisecond(early: int, count: int) -> None:
    bench, _ = ready()
    bench.transceive()
    frame = bytes.fromhex("09 00 26 01 00")
    starts = bench.scheduler.now + len(frame) * 1143 + 20 * US
    bench.scheduler.at(starts + 2 * MS - early, lambda: bench.antenna.enter(IcodeSlix2(uid(A))))
    bench.run(2 * MS)
    bench.clock(frame)
    bench.run(8 * MS)
    assert bench.read(m.RX_STATUS) & 0x1FF == count


def test_trap_tags_moved_in_and_out_during_anticollision_never_hang_the_chip() -> None:
    source = random.Random(3)
    bench, tags = ready(A, B, C)
    away: list[IcodeSlix2] = []

    def move() -> None:
        tag = source.choice(tags)
        if tag.antenna is not None:
            bench.antenna.leave(tag)
            away.append(tag)
        else:
            bench.antenna.enter(tag)
        bench.scheduler.after(source.randrange(100 * US, 5 * MS), move)

    bench.scheduler.after(0, move)
    for _ in range(60):
        bench.sixteen_slots(0x06, 0x01, 0x00)
    assert len(away) > 50
    bench.transceive()
    assert bench.read(m.RF_STATUS) >> 24 & 7 == m.WAIT_TRANSMIT


def test_field_that_goes_off_cuts_the_answer() -> None:
    bench, _ = ready(A)
    bench.transceive()
    bench.send(0x09, 0x00, 0x26, 0x01, 0x00)
    bench.run(REQUEST + T1 + 10 * BIT)
    bench.send(0x17, 0)
    bench.run(1 * MS)
    assert bench.irq & 1
    assert bench.read(m.RX_STATUS) & PROTOCOL_ERROR
