"""How sessions begin, end and break, on the controller's side: a host said frame by frame."""

from __future__ import annotations

import struct

import pytest

from sabot.wire import messages as m
from sabot.wire.parts import Assembler
from sabot.wire.records import FORMAT
from sabot_host.link.core import decode, encode
from tests.link.board import CLOCK, KEYS, Controller
from tests.link.raw import RawHost, proof


@pytest.fixture
def host() -> RawHost:
    CLOCK.ms = 5000
    return RawHost(Controller([bytes([n]) * 300 for n in range(1, 6)]))


def test_the_controller_says_nothing_before_hello(host: RawHost) -> None:
    host.write(b"AT+CGMI\r\n" + bytes(range(256)) + b"\x03\x04\0" * 50)
    host.ask(m.C_STATUS)
    host.say(m.H_ALIVE)
    assert host.frames(2000) == []
    assert host.controller.app.statuses == 0
    assert host.begin().kind == m.D_HELLO


def test_hello_describes_the_controller(host: RawHost) -> None:
    body = host.begin().body
    assert body[:8] == b"nonce  1"
    assert body[8:15] == bytes([m.PROTOCOL, 5]) + b"0.1.0"
    fields = struct.unpack_from(m.HELLO, body, 15)
    assert fields == (FORMAT, 0, 12, 3, bytes.fromhex("e661640843212a2c"), 1, 6, 0)
    assert body[15 + struct.calcsize(m.HELLO) :] == b"\x0athree_card"


@pytest.mark.parametrize("cut", [1, 3, 6, 7, 8, 15])
def test_a_hello_that_is_cut_short_is_no_hello(host: RawHost, cut: int) -> None:
    payload = m.header(m.H_HELLO, 1, 0) + bytes([m.PROTOCOL]) + b"nonce  1" + m.NO_MARK
    host.write(encode(payload[:cut]))
    assert host.frames() == []
    assert not host.controller.link.up


def test_another_protocol_is_told_which_one_is_spoken(host: RawHost) -> None:
    host.begin()
    host.hello(b"nonce  2", protocol=m.PROTOCOL + 1)
    frame = host.one(m.D_HELLO)
    assert frame.number == 0
    assert frame.body == b"nonce  2" + bytes([m.PROTOCOL, 5]) + b"0.1.0"
    assert not host.controller.link.up
    host.ask(m.C_STATUS)
    assert host.frames(1000) == []
    host.hello(b"nonce  2", protocol=m.PROTOCOL + 1)
    assert host.one(m.D_HELLO).number == 0


def test_the_answer_to_hello_is_sent_again_and_the_same_hello_opens_nothing_new(host: RawHost) -> None:
    host.hello()
    first = host.frames(100)
    host.hello()
    again = host.frames(m.RESEND_MS)
    assert [frame.kind for frame in first + again] == [m.D_HELLO, m.D_HELLO]
    assert first[0].mark == again[0].mark


def test_two_hellos_in_a_row_leave_the_second(host: RawHost) -> None:
    host.hello(b"nonce  1")
    host.hello(b"nonce  2")
    found = host.frames(100)
    assert found[-1].body[:8] == b"nonce  2"
    host.acknowledge(found[-1])
    host.ask(m.C_STATUS)
    assert host.frames()[0].kind == m.D_REPLY


def test_the_hello_of_a_lost_session_does_not_open_it_again(host: RawHost) -> None:
    host.begin(b"nonce  1")
    host.frames(m.LOST_MS + 100)
    assert not host.controller.link.up
    host.hello(b"nonce  1")
    assert host.frames(1000) == []
    host.begin(b"nonce  2")


def test_a_host_that_is_silent_is_lost_and_one_that_says_alive_is_not(host: RawHost) -> None:
    host.begin()
    for _ in range(10):
        host.say(m.H_ALIVE)
        assert [frame.kind for frame in host.frames(1000)] == [m.D_ACK]
    assert host.controller.link.up
    host.frames(m.LOST_MS - 1000)
    assert host.controller.link.up
    host.frames(200)
    assert not host.controller.link.up


def test_bye_ends_the_session_at_once(host: RawHost) -> None:
    host.begin()
    assert host.prove("auditor") == m.OK
    host.say(m.H_BYE)
    host.frames(10)
    assert not host.controller.link.up
    assert host.controller.app.access.role == ""


def test_the_role_ends_with_the_session(host: RawHost) -> None:
    host.begin(b"nonce  1")
    assert host.prove("supervisor") == m.OK
    host.begin(b"nonce  2")
    host.ask(m.C_VOID, b"\1")
    assert host.reply() == (m.NOT_AUTHORISED, b"")
    assert host.controller.app.table.voids == 0


def test_a_proof_is_worth_nothing_the_second_time(host: RawHost) -> None:
    host.begin(b"nonce  1")
    host.ask(m.C_AUTH_BEGIN, b"\4")
    answer = proof("auditor", host.reply()[1], KEYS["auditor"])
    host.ask(m.C_AUTH, answer)
    assert host.reply()[0] == m.OK
    host.ask(m.C_AUTH, answer)
    assert host.reply()[0] == m.NOT_AUTHORISED
    assert host.controller.app.access.role == ""
    host.begin(b"nonce  2")
    host.ask(m.C_AUTH_BEGIN, b"\4")
    host.reply()
    host.ask(m.C_AUTH, answer)
    assert host.reply()[0] == m.NOT_AUTHORISED


@pytest.mark.parametrize("alter", ["role", "key", "id", "label"])
def test_a_proof_is_of_its_role_key_and_controller(host: RawHost, alter: str) -> None:
    host.begin()
    host.ask(m.C_AUTH_BEGIN, b"\4")
    nonce = host.reply()[1]
    good = proof("auditor", nonce, KEYS["auditor"])
    wrong = {
        "role": proof("technician", nonce, KEYS["auditor"]),
        "key": proof("auditor", nonce, KEYS["supervisor"]),
        "id": good[:-1] + bytes([good[-1] ^ 1]),
        "label": b"\4" + bytes(32),
    }
    host.ask(m.C_AUTH, wrong[alter])
    assert host.reply()[0] == m.NOT_AUTHORISED


def test_wrong_keys_are_locked_out_longer_each_time(host: RawHost) -> None:
    host.begin()
    assert [host.prove("auditor", b"x" * 32) for _ in range(3)] == [m.NOT_AUTHORISED] * 3
    for seconds in (2, 4, 8, 16, 32, 64, 128, 256, 256):
        assert host.prove("auditor") == m.LOCKED_OUT
        host.ask(m.C_AUTH_BEGIN, b"\4")
        status, left = host.reply()
        milliseconds = struct.unpack("<I", left)[0]
        assert status == m.LOCKED_OUT
        assert seconds * 1000 - 300 < milliseconds <= seconds * 1000
        host.say(m.H_BYE)
        host.cable.step(milliseconds - 200)
        host.begin(struct.pack("<Q", CLOCK.ms))  # another session does not end it
        assert host.prove("auditor") == m.LOCKED_OUT
        host.cable.step(200)
        assert host.prove("auditor", b"x" * 32) == m.NOT_AUTHORISED
    granted = [record["granted"] for record in host.controller.journal.named("access")]
    assert granted == [0] * 12


def test_the_right_key_forgets_the_wrong_ones(host: RawHost) -> None:
    host.begin()
    for _ in range(5):
        assert host.prove("auditor", b"x" * 32) == m.NOT_AUTHORISED
        assert host.prove("auditor", b"x" * 32) == m.NOT_AUTHORISED
        assert host.prove("auditor") == m.OK


def test_a_lock_out_ends_while_nobody_is_there(host: RawHost) -> None:
    """The counter of milliseconds wraps after twelve days; half of it later an old instant looks like a coming one."""
    host.begin()
    for _ in range(3):
        host.prove("auditor", b"x" * 32)
    host.cable.step(5000)
    CLOCK.ms += (1 << 29) + 1000
    host.begin(b"nonce  2")
    assert host.prove("auditor") == m.OK


def test_numbers_wrap_from_255_to_1(host: RawHost) -> None:
    host.hello(number=250)
    host.one(m.D_HELLO)
    for _ in range(20):
        host.ask(m.C_AUTH_BEGIN, b"\4")
        assert host.reply()[0] == m.OK
    assert host.number == 15
    assert host.taken == 21


def test_a_request_is_executed_once_however_often_it_comes(host: RawHost) -> None:
    host.begin()
    host.prove("supervisor")
    frame = host.ask(m.C_VOID, b"\1")
    for _ in range(5):
        host.write(frame)
        host.frames(100)
    assert host.controller.app.table.voids == 1


def test_a_request_of_an_earlier_session_is_not_executed(host: RawHost) -> None:
    host.begin(b"nonce  1")
    host.prove("supervisor")
    old = host.ask(m.C_VOID, b"\1")  # number 4
    assert host.reply()[0] == m.OK
    host.begin(b"nonce  2")
    host.prove("supervisor")
    host.write(old)  # number 4 is due now
    host.frames(100)
    assert host.controller.app.table.voids == 1


def test_a_request_out_of_its_order_is_not_executed(host: RawHost) -> None:
    host.begin()
    host.number += 1
    host.ask(m.C_STATUS)
    assert host.frames(500) == []
    assert host.controller.app.statuses == 0


def test_a_frame_that_is_sent_again_acknowledges_what_came_meanwhile(host: RawHost) -> None:
    host.begin()
    host.controller.link.prompt(1, 17, 500)
    host.frames(m.RESEND_MS - 30)
    host.ask(m.C_STATUS)
    again = host.frames(70)
    assert [(frame.kind, frame.acknowledged) for frame in again] == [(m.D_PROMPT, host.number)]


def test_no_second_request_while_a_reply_is_under_way(host: RawHost) -> None:
    host.begin()
    host.ask(m.C_STATUS)
    host.ask(m.C_STATUS)
    host.frames(1000)
    assert host.controller.app.statuses == 1


@pytest.mark.parametrize("lost_at", range(5))
def test_a_session_lost_inside_a_record_begins_it_again(lost_at: int) -> None:
    """Five parts; the session breaks before part ``lost_at`` is acknowledged."""
    record = bytes(range(256)) * 4
    host = RawHost(Controller([record]))
    host.begin(b"nonce  1")
    host.prove("auditor")
    host.ask(m.C_SUBSCRIBE, struct.pack("<I", 1))
    host.reply()
    for _ in range(lost_at):
        host.acknowledge(host.frames(20)[0])
    host.hello(b"nonce  2")
    host.acknowledge(host.frames(60)[-1])
    host.prove("auditor")
    host.ask(m.C_SUBSCRIBE, struct.pack("<I", 1))
    host.reply()
    assembler = Assembler(2000)
    whole = None
    for _ in range(5):
        frame = host.frames(20)[0]
        host.acknowledge(frame)
        whole = assembler.take(frame.body)
    assert whole == (1, record)


@pytest.mark.parametrize("first", [1, 2, 3, 4])
@pytest.mark.parametrize("part", [1, 2])
def test_another_subscription_in_the_middle_of_a_record(host: RawHost, first: int, part: int) -> None:
    """Two parts; the request overtakes the acknowledgement of the first, or of the last."""
    host.begin()
    host.prove("auditor")
    host.ask(m.C_SUBSCRIBE, struct.pack("<I", 2))
    host.reply()
    assembler = Assembler(2000)
    for number in range(part):
        frame = host.frames(20)[0]
        assembler.take(frame.body)
        if number + 1 == part:
            host.ask(m.C_SUBSCRIBE, struct.pack("<I", first))
        host.acknowledge(frame)
    host.reply()
    got: list[int] = []
    while len(got) < 2:
        frame = host.frames(20)[0]
        host.acknowledge(frame)
        whole = assembler.take(frame.body)
        got += [whole[0]] if whole else []
    assert got == [first, first + 1]


def test_a_half_written_frame_does_not_take_the_next_one_with_it(host: RawHost) -> None:
    """The host stops reading in the middle of a frame, another host comes: the rest is written before its answer."""
    port = host.controller.port
    host.begin()
    host.ask(m.C_STATUS)
    host.frames(20)
    port.fifo += b"x" * 200  # as if more had been written: the next copy does not fit
    host.cable.reads = False
    host.frames(400)
    host.cable.reads = True
    host.hello(b"nonce  2")
    host.cable.step(10)
    seen = bytearray()
    for _ in range(120):
        host.cable.step()
        seen += host.cable.take()
    good = [decode(part) for part in bytes(seen).split(b"\0") if part]
    assert [payload[0] for payload in good if payload] == [m.D_HELLO]


def test_prompts_are_told_in_order_and_the_oldest_give_way(host: RawHost) -> None:
    link = host.controller.link
    link.prompt(1, 17, 500)  # nobody listens
    host.begin()
    link.prompt(2, 17, 100)
    host.cable.step(10)  # under way
    for number in range(20):
        link.prompt(3, number, number)
    told = []
    for _ in range(17):
        frame = host.frames(15)[0]
        host.acknowledge(frame)
        told.append(struct.unpack(m.PROMPT, frame.body))
    assert told == [(2, 17, 100)] + [(3, n, n) for n in range(4, 20)]
    assert host.frames(300) == []
