"""Frames: the same bytes as the cobs library, on both interpreters; nothing damaged passes, nothing is lost with it."""

from __future__ import annotations

import binascii
import os
import random
import shutil
import struct
import subprocess
import sys
from pathlib import Path

import pytest
from cobs import cobs

from sabot.wire import messages as m
from sabot.wire.frame import MAX_ENCODED, MAX_PAYLOAD, Deframer, encode
from sabot.wire.parts import Assembler
from sabot_host.link import core

ON_BOARD = Path(__file__).parent / "on_board"
FIRMWARE = Path(__file__).parents[2] / "firmware"


def payloads() -> list[bytes]:
    rng = random.Random(1)
    edges = [bytes(n) for n in (1, 2, 239, 240)] + [b"\xff" * n for n in (1, 240)] + [b"\0\1\0", b"\1\0\0", b"\0" * 7]
    some = [rng.randbytes(rng.randrange(1, MAX_PAYLOAD + 1)) for _ in range(150)]
    sparse = [bytes(rng.choice((0, 0, 1, 255)) for _ in range(rng.randrange(1, MAX_PAYLOAD + 1))) for _ in range(150)]
    return edges + some + sparse


def reference(payload: bytes) -> bytes:
    return bytes(cobs.encode(payload + struct.pack("<I", binascii.crc32(payload)))) + b"\0"


def decode(data: bytes) -> tuple[list[bytes], int]:
    deframer = Deframer()
    found = []
    for byte in data:
        length = deframer.push(byte)
        if length:
            found.append(bytes(deframer.buffer[:length]))
    return found, deframer.dropped


def on_micropython(program: str, text: str = "") -> str:
    micropython = shutil.which("micropython", path=str(Path(sys.executable).parent)) or shutil.which("micropython")
    assert micropython, "the MicroPython interpreter is not installed"
    result = subprocess.run(
        [micropython, "-X", "heapsize=448k", program],
        cwd=ON_BOARD,
        env={**os.environ, "MICROPYPATH": f"{FIRMWARE}:.frozen"},
        input=text,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


def test_encode_is_cobs_over_payload_and_crc() -> None:
    for payload in payloads():
        frame = encode(payload)
        assert frame == reference(payload) == core.encode(payload)
        assert frame.count(0) == 1
        assert len(frame) <= MAX_ENCODED


def test_deframer_and_host_undo_it() -> None:
    for payload in payloads():
        assert decode(encode(payload)) == ([payload], 0)
        assert core.decode(encode(payload)[:-1]) == payload


@pytest.mark.parametrize("size", [0, MAX_PAYLOAD + 1])
def test_a_payload_has_its_bounds(size: int) -> None:
    with pytest.raises(ValueError, match="1 to 240 bytes"):
        encode(bytes(size))


def streams() -> list[bytes]:
    """Good frames among cut, altered, oversized and empty ones."""
    rng = random.Random(2)
    found = []
    for _ in range(60):
        stream = bytearray()
        for _ in range(rng.randrange(1, 6)):
            frame = bytearray(encode(rng.randbytes(rng.randrange(1, MAX_PAYLOAD + 1))))
            harm = rng.randrange(7)
            if harm == 0:
                frame[rng.randrange(len(frame))] ^= 1 << rng.randrange(8)
            elif harm == 1:
                del frame[rng.randrange(len(frame))]
            elif harm == 2:
                frame = bytearray(rng.randbytes(600) + b"\0")
            elif harm == 3:
                frame += b"\0\0"
            elif harm == 4:
                frame = bytearray(b"\x05\x05\0")
            stream += frame
        found.append(bytes(stream))
    return found


def test_both_ends_agree_on_what_is_damaged() -> None:
    good = 0
    for stream in streams():
        host = [core.decode(part) for part in stream.split(b"\0") if 0 < len(part) < MAX_ENCODED]
        assert decode(stream)[0] == [payload for payload in host if payload is not None]
        good += len(decode(stream)[0])
    assert good > 60


def test_after_an_oversized_frame_the_next_one_is_taken() -> None:
    assert decode(b"\1" * MAX_ENCODED + b"\0" + encode(b"next")) == ([b"next"], 1)
    longest = encode(bytes(range(1, 240)) + b"\1")
    assert decode(longest[:-1] + b"\7\0" + encode(b"next")) == ([b"next"], 1)
    assert decode(longest + encode(b"next")) == ([bytes(range(1, 240)) + b"\1", b"next"], 0)


def test_no_single_altered_bit_or_byte_passes() -> None:
    frame = encode(bytes(range(40)))
    for at in range(len(frame) - 1):
        for bit in range(8):
            altered = bytearray(frame)
            altered[at] ^= 1 << bit
            assert bytes(range(40)) not in decode(bytes(altered) + b"\0")[0]
            assert all(len(payload) != 40 for payload in decode(bytes(altered) + b"\0")[0])


def test_micropython_gives_the_same_bytes() -> None:
    some, wire = payloads(), streams()
    text = "".join(f"e {payload.hex()}\n" for payload in some) + "".join(f"d {stream.hex()}\n" for stream in wire)
    expected = [encode(payload).hex() for payload in some]
    for stream in wire:
        found, dropped = decode(stream)
        expected.append(f"{','.join(payload.hex() for payload in found)} {dropped}")
    assert on_micropython("frames_both_ways.py", text).splitlines() == expected


def test_the_links_turn_allocates_nothing_but_for_frames() -> None:
    assert on_micropython("link_allocates_little.py").startswith("ok")


def pack(key: int, body: bytes) -> list[bytes]:
    parts = []
    for offset in range(0, max(len(body), 1), m.PART_BYTES):
        buffer = bytearray(MAX_PAYLOAD)
        end = m.pack_part(key, body, offset, buffer, m.HEADER_SIZE)
        assert end + m.MARK_SIZE <= MAX_PAYLOAD
        parts.append(bytes(buffer[m.HEADER_SIZE : end]))
    return parts


@pytest.mark.parametrize("size", [0, 1, 223, 224, 225, 448, 1024, m.MAX_REPLY])
def test_parts_make_the_body_again(size: int) -> None:
    body = random.Random(size).randbytes(size)
    assembler = Assembler(m.MAX_REPLY)
    wholes = [assembler.take(part) for part in pack(7, body)]
    assert wholes == [None] * (len(wholes) - 1) + [(7, body)]


def test_parts_that_do_not_fit_are_refused() -> None:
    one, two, three = pack(7, bytes(600))
    other, short = pack(8, bytes(600))[1], pack(1, bytes(99))[0]
    for parts in ([two], [one, three], [one, two, two], [one, other], [one[:7]], [short + b"x"]):
        assembler = Assembler(m.MAX_REPLY)
        with pytest.raises(ValueError, match=r"part|bytes"):
            for part in parts:
                assembler.take(part)
    with pytest.raises(ValueError, match="the most is 500"):
        Assembler(500).take(one)


def test_the_first_part_begins_anew() -> None:
    assembler = Assembler(m.MAX_REPLY)
    one, two, three = pack(7, bytes(600))
    for part in (one, two, one, two):
        assert assembler.take(part) is None
    assert assembler.take(three) == (7, bytes(600))


def test_numbers_go_from_255_to_1() -> None:
    assert [m.next_number(number) for number in (0, 1, 254, 255)] == [1, 2, 255, 1]
