"""No byte of a pulled journal can be altered, added or taken away, the first line's included, without being noticed.

Frames are altered with and without a good check of their own, since whoever alters a file writes the check anew too.
"""

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest

from sabot.wire.crc import crc16
from sabot.wire.records import TAG_SIZE
from sabot_host.errors import FileError
from sabot_host.journal.file import RECORD, Pulled, frame, of_bytes, read
from sabot_host.journal.pull import pull
from sabot_host.journal.verify import verify
from tests.host.journal_table import KEY, Table

NONCE = bytes(range(16))


@pytest.fixture(scope="module")
def short(tmp_path_factory: pytest.TempPathFactory) -> Pulled:
    """One round and what comes before and after it, in two pulls: a head stands in the middle."""
    path = tmp_path_factory.mktemp("journal") / "short.sabotlog"
    table = Table(rounds=0)
    pull(table, path, bytes(16))
    table.play(1)
    pull(table, path, NONCE)
    pulled = read(path)
    assert verify(pulled, KEY, NONCE).good
    return pulled


def seen(data: bytes) -> bool:
    """Whether a file of these bytes is refused, or found to be bad."""
    try:
        return not verify(of_bytes(Path("altered.sabotlog"), data), KEY, NONCE).good
    except FileError:
        return True


def flips(data: bytes) -> Iterator[bytes]:
    """The data with each single bit turned."""
    for offset in range(len(data)):
        for bit in range(8):
            yield data[:offset] + bytes([data[offset] ^ (1 << bit)]) + data[offset + 1 :]


def of(pulled: Pulled, frames: list[tuple[int, bytes]]) -> bytes:
    """A file of these frames, each with a good check."""
    return pulled.header.line() + b"".join(frame(kind, data) for kind, data in frames)


def test_each_bit_of_the_first_line(short: Pulled) -> None:
    line = short.header.line()
    rest = short.path.read_bytes()[len(line) :]
    assert [changed for changed in flips(line) if not seen(changed + rest)] == []


def test_the_first_line_in_other_words(short: Pulled) -> None:
    """The same values written otherwise: no less true, but not the file that was pulled."""
    line = short.header.line()
    rest = short.path.read_bytes()[len(line) :]
    for old, new in (
        (b"{", b"{ "),
        (b'"first": 1', b'"first": 1.0'),
        (b'"first": 1', b'"first": true'),
        (b'"version": 1', b'"version": "1"'),
        (b'"first": 1', b'"first": 7, "first": 1'),
        (b"}", b', "note": "kept"}'),
        (b"\n", b"\r\n"),
    ):
        assert seen(line.replace(old, new, 1) + rest), new
    assert seen(line.upper() + rest)


def test_each_bit_of_each_frame(short: Pulled) -> None:
    """With the frame's check written anew; without, the check would tell."""
    for index, (kind, data) in enumerate(short.frames):
        for changed in flips(data):
            assert seen(of(short, [*short.frames[:index], (kind, changed), *short.frames[index + 1 :]])), (
                index,
                changed,
            )


def test_each_byte_of_each_record_with_its_own_check(short: Pulled) -> None:
    for index, (kind, data) in enumerate(short.frames):
        end = len(data) - TAG_SIZE - 2
        for offset in range(end if kind == RECORD else 0):
            for mask in (0x01, 0x20, 0xFF):
                changed = bytearray(data)
                changed[offset] ^= mask
                changed[end : end + 2] = crc16(changed, end).to_bytes(2, "little")
                frames = [*short.frames[:index], (kind, bytes(changed)), *short.frames[index + 1 :]]
                assert seen(of(short, frames)), (index, offset, mask)


def test_each_byte_of_the_file_left_out_doubled_or_turned(short: Pulled) -> None:
    whole = short.path.read_bytes()
    for offset in range(len(whole)):
        assert seen(whole[:offset] + whole[offset + 1 :]), offset
        assert seen(whole[:offset] + whole[offset : offset + 1] + whole[offset:]), offset
        assert seen(whole[:offset] + bytes([whole[offset] ^ 0xFF]) + whole[offset + 1 :]), offset
        assert seen(whole[:offset]), offset
    assert seen(whole + b"\0")


def test_each_record_left_out_doubled_or_exchanged(short: Pulled) -> None:
    frames = short.frames
    records = [index for index, (kind, _) in enumerate(frames) if kind == RECORD]
    for index in records:
        assert seen(of(short, frames[:index] + frames[index + 1 :])), index
        assert seen(of(short, frames[: index + 1] + frames[index:])), index
    for one, other in combinations(range(len(frames)), 2):
        exchanged = list(frames)
        exchanged[one], exchanged[other] = exchanged[other], exchanged[one]
        assert seen(of(short, exchanged)), (one, other)


def test_what_an_earlier_head_says_is_said_again_by_the_last(short: Pulled) -> None:
    """The stated limit (docs/journal.md): heads are not counted, so one of an earlier pull may be left out."""
    (middle,) = (index for index, (kind, _) in enumerate(short.frames[:-1]) if kind != RECORD)
    assert not seen(of(short, short.frames[:middle] + short.frames[middle + 1 :]))


@pytest.mark.parametrize("first", ["1e400", "-1", "0", "99999999999999999999", "[" * 5000, "NaN"])
def test_a_first_line_with_a_wild_number_is_refused_at_once(first: str, short: Pulled) -> None:
    line = short.header.line().replace(b'"first": 1', b'"first": ' + first.encode())
    assert seen(line + short.path.read_bytes()[len(short.header.line()) :])


def test_a_file_that_claims_to_begin_late_does_not_cost_its_keys(short: Pulled) -> None:
    """Four thousand million steps of the chain would be half an hour, and the auditor allowed no late beginning."""
    line = short.header.line().replace(b'"first": 1', b'"first": 4294967295')
    assert seen(line + short.path.read_bytes()[len(short.header.line()) :])
