"""The host's end of the link without any input or output: what it says, and what it makes of what it hears."""

from __future__ import annotations

import itertools
import struct

import pytest

from sabot.wire import messages as m
from sabot.wire.parts import KEEP_ALIVE_MS
from sabot_host.link.core import (
    MAX_ARGUMENTS,
    Desync,
    Event,
    Hello,
    LinkCore,
    Mismatch,
    Prompt,
    Record,
    Reply,
    decode,
    encode,
)

HELLO = struct.pack(m.HELLO, 1, 1, 12, 3, b"12345678", 5, 90, 40)
GREETING = bytes([m.PROTOCOL]) + b"\x050.1.0" + HELLO + b"\x0athree_card"


class Peer:
    """The controller's end by hand."""

    def __init__(self) -> None:
        count = itertools.count(1)
        self.core = LinkCore(lambda: struct.pack("<Q", next(count)))
        self.now = 0
        self.number = 0

    def sent(self) -> list[bytes]:
        """Payloads that the core has written since the last call."""
        frames = self.core.outgoing().split(b"\0")
        return [payload for payload in (decode(frame) for frame in frames if frame) if payload is not None]

    def says(self, kind: int, body: bytes, number: int | None = None, mark: bytes = b"mark") -> list[Event]:
        if number is None:
            number = self.number = m.next_number(self.number)
        return self.core.receive(encode(m.header(kind, number, self.core._number) + body + mark), self.now)

    def opened(self) -> Peer:
        """With a session open."""
        self.core.open(self.now)
        nonce = self.sent()[-1][4:12]
        assert len(self.says(m.D_HELLO, nonce + GREETING)) == 1
        self.sent()
        return self

    def part(self, kind: int, key: int, body: bytes, offset: int = 0) -> list[Event]:
        piece = body[offset : offset + m.PART_BYTES]
        return self.says(kind, struct.pack(m.PART, key, offset, len(body)) + piece)


def test_open_says_hello_behind_a_zero() -> None:
    core = LinkCore(lambda: b"nonce  1")
    core.open(0)
    data = core.outgoing()
    assert data[0] == 0
    assert decode(data[1:-1]) == m.header(m.H_HELLO, 0x20, 0x20) + bytes([m.PROTOCOL]) + b"nonce  1" + b"    "
    assert core.outgoing() == b""


def test_hello_is_parsed_and_acknowledged_with_its_mark() -> None:
    peer = Peer()
    peer.core.open(0)
    nonce = peer.sent()[0][4:12]
    events = peer.says(m.D_HELLO, nonce + GREETING, mark=b"abcd")
    assert events == [Hello(1, True, 12, 3, b"12345678", 5, 90, 40, "0.1.0", "three_card")]
    assert peer.sent() == [m.header(m.H_ACK, 0, 1) + b"abcd"]
    assert peer.core.idle


def test_the_answer_to_an_earlier_hello_is_none() -> None:
    peer = Peer()
    peer.core.open(0)
    stale = peer.sent()[0][4:12]
    peer.core.open(10)
    assert peer.says(m.D_HELLO, stale + GREETING) == []
    assert peer.core.hello is None


def test_another_protocol_is_a_mismatch_told_once() -> None:
    peer = Peer()
    peer.core.open(0)
    nonce = peer.sent()[0][4:12]
    answer = nonce + bytes([m.PROTOCOL + 1]) + b"\x053.0.0"
    assert peer.says(m.D_HELLO, answer, 0) == [Mismatch(m.PROTOCOL + 1, "3.0.0")]
    assert peer.says(m.D_HELLO, answer, 0) == []
    peer.core.poll(10_000)
    assert peer.sent() == []


@pytest.mark.parametrize("cut", range(1, len(GREETING)))
def test_a_hello_that_is_cut_short_opens_nothing(cut: int) -> None:
    peer = Peer()
    peer.core.open(0)
    nonce = peer.sent()[0][4:12]
    events = peer.says(m.D_HELLO, nonce + GREETING[:-cut])
    assert all(isinstance(event, Mismatch) for event in events)
    assert peer.core.hello is None


def test_hello_is_said_again_and_then_with_another_nonce() -> None:
    peer = Peer()
    peer.core.open(0)
    nonces = [payload[4:12] for payload in peer.sent()]
    for now in range(0, 2100, 50):
        peer.core.poll(now)
        nonces += [payload[4:12] for payload in peer.sent()]
    assert len(nonces) == 9
    assert [nonces.index(nonce) for nonce in nonces] == [0, 0, 0, 0, 4, 4, 4, 4, 8]


def test_a_request_is_repeated_until_it_is_acknowledged() -> None:
    peer = Peer().opened()
    number = peer.core.request(m.C_STATUS, b"xy", 0)
    expected = m.header(m.H_REQUEST, 0x21, 1) + bytes([number, m.C_STATUS]) + b"xymark"
    assert peer.sent() == [expected]
    peer.core.poll(m.RESEND_MS - 1)
    assert peer.sent() == []
    peer.core.poll(m.RESEND_MS)
    assert peer.sent() == [expected]
    peer.says(m.D_ACK, b"", 0)
    peer.core.poll(2 * m.RESEND_MS)
    assert peer.sent() == []
    assert not peer.core.idle
    assert peer.part(m.D_REPLY, number | m.NOT_NOW << 8, b"why") == [Reply(number, m.NOT_NOW, b"why")]
    assert peer.core.idle


def test_one_request_at_a_time_and_none_without_a_session() -> None:
    core = LinkCore(lambda: b"nonce  1")
    with pytest.raises(RuntimeError):
        core.request(m.C_STATUS, b"", 0)
    peer = Peer().opened()
    peer.core.request(m.C_STATUS, b"", 0)
    with pytest.raises(RuntimeError):
        peer.core.request(m.C_STATUS, b"", 0)


def test_arguments_have_a_limit() -> None:
    peer = Peer().opened()
    with pytest.raises(ValueError, match="the most is"):
        peer.core.request(m.C_STATUS, bytes(MAX_ARGUMENTS + 1), 0)
    peer.core.request(m.C_STATUS, bytes(MAX_ARGUMENTS), 0)
    assert len(peer.sent()) == 1


def test_the_reply_to_another_request_is_dropped() -> None:
    peer = Peer().opened()
    number = peer.core.request(m.C_STATUS, b"", 0)
    assert peer.part(m.D_REPLY, number + 1, b"other") == []
    assert peer.part(m.D_REPLY, number, b"") == [Reply(number, m.OK, b"")]
    assert peer.part(m.D_REPLY, number, b"") == []


def test_a_frame_that_comes_twice_counts_once_and_is_acknowledged_twice() -> None:
    peer = Peer().opened()
    body = struct.pack(m.PART, 7, 0, 2) + b"ab"
    assert peer.says(m.D_RECORD, body, 2) == [Record(7, b"ab")]
    assert peer.says(m.D_RECORD, body, 2) == []
    assert peer.sent() == [m.header(m.H_ACK, 0, 2) + b"mark"] * 2


def test_record_reply_and_prompt_interleave() -> None:
    peer = Peer().opened()
    number = peer.core.request(m.C_STATUS, b"", 0)
    record, reply = bytes(300), b"r" * 300
    events = peer.part(m.D_RECORD, 4, record)
    events += peer.part(m.D_REPLY, number, reply)
    events += peer.says(m.D_PROMPT, struct.pack(m.PROMPT, 3, 17, 500))
    events += peer.part(m.D_RECORD, 4, record, m.PART_BYTES)
    events += peer.part(m.D_REPLY, number, reply, m.PART_BYTES)
    assert events == [Prompt(3, 17, 500), Record(4, record), Reply(number, m.OK, reply)]


@pytest.mark.parametrize(
    ("number", "body", "mark"),
    [
        (3, struct.pack(m.PART, 7, 0, 2) + b"ab", b"mark"),
        (2, struct.pack(m.PART, 7, 5, 9) + b"abcd", b"mark"),
        (2, struct.pack(m.PART, 7, 0, 5000), b"mark"),
        (2, b"short", b"mark"),
        (1, b"another frame 1", b"else"),
    ],
    ids=["a number left out", "a part left out", "too long", "no part", "a number used again"],
)
def test_what_does_not_follow_starts_a_new_session(number: int, body: bytes, mark: bytes) -> None:
    peer = Peer().opened()
    events = peer.says(m.D_RECORD, body, number, mark)
    assert len(events) == 1
    assert isinstance(events[0], Desync)
    assert [payload[0] for payload in peer.sent()] == [m.H_HELLO]


def test_alive_is_said_and_silence_noticed() -> None:
    peer = Peer().opened()
    assert peer.core.poll(KEEP_ALIVE_MS - 1) == []
    assert peer.sent() == []
    peer.core.poll(KEEP_ALIVE_MS)
    assert peer.sent() == [m.header(m.H_ALIVE, 0, 1) + b"mark"]
    peer.now = 2500
    peer.says(m.D_ACK, b"", 0)
    assert peer.core.poll(2500 + m.LOST_MS) == []
    assert [type(event) for event in peer.core.poll(2501 + m.LOST_MS)] == [Desync]
    assert peer.core.hello is None


def test_a_request_is_forgotten_with_its_session() -> None:
    peer = Peer().opened()
    peer.core.request(m.C_VOID, b"\1", 0)
    peer.sent()
    peer.now = m.LOST_MS + 1
    peer.core.poll(peer.now)
    nonce = peer.sent()[-1][4:12]
    peer.number = 0
    peer.says(m.D_HELLO, nonce + GREETING)
    for now in range(peer.now, peer.now + 2000, 50):
        peer.core.poll(now)
    assert m.H_REQUEST not in [payload[0] for payload in peer.sent()]
    assert peer.core.idle


def test_bye_is_said_in_a_session_only() -> None:
    peer = Peer().opened()
    peer.core.bye()
    peer.core.bye()
    peer.core.poll(10_000)
    assert peer.sent() == [m.header(m.H_BYE, 0, 1) + b"mark"]


def test_damaged_frames_are_counted_and_harmless() -> None:
    peer = Peer().opened()
    for data in (b"\1\2\3\0", bytes([9]) * 1000 + b"\0", encode(b"12")):
        assert peer.core.receive(data, 0) == []
    assert peer.core.dropped == 3
    assert peer.says(m.D_PROMPT, struct.pack(m.PROMPT, 1, 2, 3)) == [Prompt(1, 2, 3)]
