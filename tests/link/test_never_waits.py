"""No host makes the controller wait, work more than its share, or fill the journal: a FIFO that counts says so."""

from __future__ import annotations

import random
import struct
from itertools import pairwise

import pytest

from sabot.wire import messages as m
from sabot_host.link.core import encode
from tests.link.board import CLOCK, FIFO_BYTES, KEYS, Controller, WouldBlock
from tests.link.raw import Frame, RawHost

TURN_CALLS = 58  # of poll in one turn: at most 25 for 24 bytes in, 33 for 32 out
RECORDS = [bytes([n]) * 1000 for n in range(1, 200)]


@pytest.fixture
def host() -> RawHost:
    CLOCK.ms = 5000
    return RawHost(Controller(list(RECORDS)))


def subscribed(host: RawHost, nonce: bytes = b"nonce  1") -> None:
    host.begin(nonce)
    assert host.prove("auditor") == m.OK
    host.ask(m.C_SUBSCRIBE, struct.pack("<I", 1))
    assert host.reply()[0] == m.OK


def test_the_model_of_the_fifo_notices_a_write_that_waits(host: RawHost) -> None:
    host.controller.port.accept(bytes(200))
    with pytest.raises(WouldBlock):
        host.controller.port.accept(bytes(57))


def test_in_step_a_frame_is_one_write(host: RawHost) -> None:
    subscribed(host)
    for _ in range(20):
        host.acknowledge(host.frames(10)[0])
    assert host.controller.port.most_at_once > 230


@pytest.mark.parametrize("after", range(0, 40, 3))
def test_a_host_that_stops_reading_for_a_minute(host: RawHost, after: int) -> None:
    """Whenever it stops, and whether it goes on talking or not."""
    subscribed(host)
    for _ in range(after):
        found = host.frames(1)
        if found:
            host.acknowledge(found[0])
    host.cable.reads = False
    for second in range(60):
        if after % 2:
            host.say(m.H_ALIVE)
        host.cable.step(1000)
        assert len(host.controller.port.fifo) <= FIFO_BYTES, second
    host.cable.reads = True
    host.frames(100)
    host.begin(b"nonce  2")


def test_a_host_that_acknowledges_the_first_copy_and_leaves_the_second_in_the_fifo(host: RawHost) -> None:
    """The frame was written twice: to have read it once says nothing of what lies in the FIFO."""
    subscribed(host)
    first = host.frames(10)[0]
    host.cable.step(m.RESEND_MS + 120)
    assert host.controller.port.fifo
    host.acknowledge(first)
    for _ in range(200):
        host.cable.step()
    assert host.controller.port.most_at_once < FIFO_BYTES


@pytest.mark.parametrize("ask", [False, True])
def test_a_host_that_leaves_an_acknowledgement_of_ours_in_the_fifo(host: RawHost, ask: bool) -> None:
    """A short frame was written behind the one whose mark it has."""
    subscribed(host)
    part = host.frames(10)[0]
    if ask:
        host.ask(m.C_STATUS)
    else:
        host.say(m.H_ALIVE)
    host.cable.step(80)
    assert 0 < len(host.controller.port.fifo) < 20
    host.acknowledge(part)
    host.cable.step(10)
    assert host.controller.port.most_at_once < FIFO_BYTES


@pytest.mark.parametrize("seed", range(20))
def test_a_host_that_acknowledges_what_it_has_not_read(host: RawHost, seed: int) -> None:
    """It reads some bytes, guesses the mark, and acknowledges: only the true one would be believed."""
    rng = random.Random(f"host {seed}")
    subscribed(host)
    host.cable.step(10)
    for _ in range(25):
        number = host.controller.link._number
        port = host.controller.port
        seen = port.take(rng.randrange(1 + max(len(port.fifo) - 10, 0)))  # never the mark at the end
        mark = seen[-m.MARK_SIZE :].ljust(m.MARK_SIZE, b"\1")
        for guess in (host.mark, m.NO_MARK, mark, rng.randbytes(4)):
            host.write(encode(m.header(m.H_ACK, 0, number) + guess))
        host.cable.step(rng.randrange(1, 9))  # in all less than RESEND_MS: there is one copy of the frame
        assert host.controller.link._number == number


@pytest.mark.parametrize("left", range(8))
def test_a_host_that_acknowledges_as_soon_as_it_has_the_mark(host: RawHost, left: int) -> None:
    """The earliest moment at which the mark can be known, with up to six bytes of the frame unread."""
    subscribed(host)
    port = host.controller.port
    for _ in range(30):
        while not port.fifo:
            host.cable.step()
        host.cable.step()
        link = host.controller.link
        if len(port.fifo) < 200:
            port.take()
            continue
        port.take(len(port.fifo) - min(left, 6))
        host.write(encode(m.header(m.H_ACK, 0, link._number) + link._mark))
        host.cable.step(7)


def test_one_frame_a_turn(host: RawHost) -> None:
    host.begin()
    port, link = host.controller.port, host.controller.link
    frames = host.say(m.H_ALIVE) + host.say(m.H_BYE)
    port.to_device.clear()
    port.ring.clear()
    port.ring += frames[:-14]
    link.turn(CLOCK.ms)
    port.ring += frames[-14:]
    assert len(port.ring) <= 24
    link.turn(CLOCK.ms)
    assert link.up
    link.turn(CLOCK.ms)
    assert not link.up


def test_a_flood_of_requests_is_served_at_the_controllers_pace(host: RawHost) -> None:
    host.begin()
    before = CLOCK.ms
    flood = bytearray()
    for number in range(2, 2000):
        flood += encode(m.header(m.H_REQUEST, m.next_number(number % 255), 0) + bytes([1, m.C_STATUS]) + host.mark)
    for _ in range(50):
        host.write(bytes(flood))
        host.cable.step(100)
        for frame in host.frames(1):
            host.acknowledge(frame)
    controller = host.controller
    spent = CLOCK.ms - before
    assert controller.most_calls <= TURN_CALLS
    assert controller.turns <= spent // 5
    assert controller.app.statuses <= spent // m.REQUEST_GAP_MS + 1
    assert controller.port.bytes_read <= 24 * controller.turns


def test_requests_one_after_the_other_are_twenty_milliseconds_apart_and_all_answered(host: RawHost) -> None:
    host.begin()
    host.controller.app.filler = ""
    at = []
    for count in range(1, 11):
        host.ask(m.C_STATUS)
        while host.controller.app.statuses < count:
            host.cable.step()
        at.append(CLOCK.ms)
        while host.controller.link._reply_at >= 0 or host.controller.link._length:
            for frame in host.frames(1):
                host.acknowledge(frame)
    gaps = [later - sooner for sooner, later in pairwise(at)]
    assert min(gaps) >= m.REQUEST_GAP_MS
    assert max(gaps) < m.REQUEST_GAP_MS + 20


@pytest.mark.parametrize("seed", range(10))
def test_garbage_without_end_costs_its_share_and_no_more(host: RawHost, seed: int) -> None:
    rng = random.Random(f"host {seed}")
    if seed % 2:
        host.begin()
    for _ in range(200):
        host.write(rng.choice((rng.randbytes(300), bytes(300), b"\1" * 1000, encode(rng.randbytes(100))[:-1])))
        host.cable.step(10)
    controller = host.controller
    assert controller.most_calls <= TURN_CALLS
    assert controller.port.bytes_read <= 24 * controller.turns
    controller.port.to_device.clear()
    controller.port.ring.clear()
    host.frames(3000)
    host.write(b"\0")
    assert host.begin(b"nonce  2").kind == m.D_HELLO


def test_the_port_drops_and_comes_back_with_bytes_in_the_fifo(host: RawHost) -> None:
    """DTR off discards what waits and lets writes through unread; DTR on finds the last 256 of them."""
    rng = random.Random(3)
    port = host.controller.port
    for round_ in range(40):
        subscribed(host, struct.pack("<Q", round_))
        for _ in range(rng.randrange(6)):
            host.acknowledge(host.frames(15)[0])
        host.cable.step(rng.randrange(20))
        port.close()
        host.cable.step(rng.randrange(1, 700))
        port.open()
        host.cable.reads = bool(rng.randrange(2))
        host.cable.step(rng.randrange(700))
        host.cable.reads = True
        host.say(m.H_BYE)
        host.frames(300)
        host.write(b"\0")
        if host.controller.link.up:
            host.frames(m.LOST_MS + 10)


@pytest.mark.parametrize("seed", range(30))
def test_any_host_at_all(seed: int) -> None:
    """Random acts of a host that knows the protocol well and keeps to none of it."""
    rng = random.Random(f"host {seed}")
    CLOCK.ms = 5000
    host = RawHost(Controller(list(RECORDS), seed))
    subscribed(host)
    seen: list[Frame] = []
    for _ in range(400):
        act = rng.randrange(12)
        if act == 0:
            host.hello(rng.choice((b"nonce  1", b"nonce  2", rng.randbytes(8))), number=rng.randrange(256))
        elif act == 1:
            host.write(rng.randbytes(rng.randrange(1, 400)))
        elif act == 2:
            host.ask(rng.choice((m.C_STATUS, m.C_AUTH_BEGIN, m.C_HEAD, m.C_SUBSCRIBE, 77)), rng.randbytes(4))
        elif act == 3:
            host.say(rng.choice((m.H_ALIVE, m.H_BYE, m.H_ACK, 0x55)), mark=rng.choice((host.mark, b"\1\2\3\4")))
        elif act == 4:
            host.cable.reads = not host.cable.reads
        elif act == 5:
            port = host.controller.port
            (port.close if port.dtr else port.open)()
        elif act == 6 and seen:
            host.acknowledge(rng.choice(seen))
        elif act == 7:
            host.number = rng.randrange(256)
            host.taken = host.controller.link._number
        else:
            seen += host.frames(rng.randrange(1, 400))
            if seen and rng.randrange(3):
                host.acknowledge(seen[-1])
        host.cable.step(rng.randrange(8))
    assert host.controller.most_calls <= TURN_CALLS
    host.controller.port.open()
    host.cable.reads = True
    host.frames(2000)
    host.write(b"\0")
    host.begin(b"the last")
    assert host.prove("auditor", KEYS["auditor"]) in (m.OK, m.LOCKED_OUT)


# --- the journal's notes of the link ----------------------------------------------------------------------------------


def link_notes(host: RawHost) -> list[int]:
    return [record["up"] for record in host.controller.journal.named("link")]


def test_a_session_is_noted_when_it_begins_and_when_it_is_lost(host: RawHost) -> None:
    host.begin()
    assert link_notes(host) == [1]
    host.cable.step(m.LOST_MS + 100)
    assert link_notes(host) == [1, 0]


def test_a_link_that_flaps_is_noted_once_a_minute(host: RawHost) -> None:
    for number in range(100):
        host.begin(struct.pack("<Q", number))
        host.cable.step(1000)
        host.say(m.H_BYE)
        host.cable.step(1000)
    spent_minutes = (100 * 2100) // 60_000
    notes = link_notes(host)
    assert notes == [1, 0] * (len(notes) // 2)
    assert 2 * spent_minutes <= len(notes) <= 2 * (spent_minutes + 2)


def test_a_session_that_lasts_is_noted_when_its_minute_comes(host: RawHost) -> None:
    host.begin(b"nonce  1")
    host.say(m.H_BYE)
    host.cable.step(100)
    host.begin(b"nonce  2")
    assert link_notes(host) == [1, 0]
    for _ in range(61):
        host.say(m.H_ALIVE)
        host.frames(1000)
    assert link_notes(host) == [1, 0, 1]


def test_notes_wait_while_the_journal_is_full(host: RawHost) -> None:
    """Its last room belongs to the running round; and a full journal must still be pulled."""
    journal = host.controller.journal
    journal.full = True
    host.begin()
    assert host.prove("auditor") == m.OK
    assert journal.appended == []
    journal.full = False
    host.ask(m.C_ACKNOWLEDGE, struct.pack("<I", 10))
    assert host.reply()[0] == m.OK
    assert (len(journal.named("link")), journal.named("access")) == (1, [{"role": 4, "granted": 1}])


def test_few_notes_wait(host: RawHost) -> None:
    journal = host.controller.journal
    journal.full = True
    host.begin()
    for _ in range(20):
        host.prove("auditor")
    journal.full = False
    host.ask(m.C_ACKNOWLEDGE, struct.pack("<I", 10))
    host.reply()
    assert len(journal.appended) == 8


def test_the_clock_is_not_set_without_a_record(host: RawHost) -> None:
    host.begin()
    host.prove("technician")
    host.controller.journal.full = True
    host.ask(m.C_SET_TIME, struct.pack("<I", 1_700_000_000))
    assert host.reply()[0] == m.NOT_NOW
    host.controller.journal.full = False
    host.ask(m.C_SET_TIME, struct.pack("<I", 1_700_000_000))
    assert host.reply()[0] == m.OK
    assert host.controller.journal.named("clock_set") == [{"before": 0, "after": 1_700_000_000, "by": 3}]
