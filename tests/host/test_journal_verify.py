"""Every way to falsify a pulled journal is found, named, and laid at the first bad record."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from sabot.wire import head as wire_head
from sabot.wire.crc import crc16
from sabot.wire.records import OVERHEAD, TAG_SIZE, chain_tag, code_of, next_key
from sabot_host.errors import FileError
from sabot_host.journal.file import HEAD, RECORD, Header, Pulled, frame, of_bytes, read
from sabot_host.journal.pull import pull
from sabot_host.journal.verify import KINDS, Report, verify
from tests.host.journal_table import KEY, TABLE, Table

NONCE = bytes(range(16))
Frames = list[tuple[int, bytes]]


@pytest.fixture(scope="module")
def genuine(tmp_path_factory: pytest.TempPathFactory) -> Pulled:
    path = tmp_path_factory.mktemp("journal") / "table.sabotlog"
    pull(Table(), path, NONCE)
    return read(path)


@pytest.fixture
def check(genuine: Pulled, tmp_path: Path) -> Callable[[Frames], Report]:
    def judged(frames: Frames) -> Report:
        path = tmp_path / "changed.sabotlog"
        path.write_bytes(genuine.header.line() + b"".join(frame(kind, data) for kind, data in frames))
        return verify(read(path), KEY)

    return judged


def sealed(record: bytes, key: bytes, previous: bytes) -> bytes:
    """A record with a good check and the tag that ``key`` gives."""
    changed = bytearray(record)
    end = len(changed) - TAG_SIZE - 2
    changed[end : end + 2] = crc16(changed, end).to_bytes(2, "little")
    changed[-TAG_SIZE:] = chain_tag(key, previous, changed)
    return bytes(changed)


def with_check(record: bytes) -> bytes:
    changed = sealed(record, bytes(32), bytes(8))
    return changed[:-TAG_SIZE] + record[-TAG_SIZE:]


def test_a_genuine_journal_is_good(genuine: Pulled) -> None:
    report = verify(genuine, KEY)
    assert report.good
    assert (report.kind, report.first, report.last) == ("", 1, len(genuine.records))
    assert report.meters is not None
    assert report.meters["rounds"] > 0
    assert verify(genuine, KEY, NONCE).good


def test_another_key_is_told_as_such(genuine: Pulled) -> None:
    with pytest.raises(FileError) as caught:
        verify(genuine, bytes(32))
    assert caught.value.code == "journal-other-key"


def test_every_bit_of_every_record_altered(genuine: Pulled, check: Callable[[Frames], Report]) -> None:
    chance = random.Random(4)
    for index, data in enumerate(genuine.records):
        for _ in range(6):
            changed = bytearray(data)
            changed[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
            frames = list(genuine.frames)
            frames[index] = (RECORD, bytes(changed))
            report = check(frames)
            assert (report.kind in ("altered", "forged"), report.sequence) == (True, index + 1), report
            assert report.last == index
            if changed[-TAG_SIZE:] == data[-TAG_SIZE:]:
                assert report.kind == "altered"


def test_altered_with_a_good_check(genuine: Pulled, check: Callable[[Frames], Report]) -> None:
    for index, data in enumerate(genuine.records):
        for offset in (2, 3, 7, 8, 11, 15, 19, OVERHEAD - 10):
            changed = bytearray(data)
            changed[offset] ^= 0x20
            frames = list(genuine.frames)
            frames[index] = (RECORD, with_check(bytes(changed)))
            report = check(frames)
            assert (report.kind, report.sequence) == ("altered", index + 1), (offset, report)


def test_each_record_removed(genuine: Pulled, check: Callable[[Frames], Report]) -> None:
    count = len(genuine.records)
    for index in range(count):
        report = check(genuine.frames[:index] + genuine.frames[index + 1 :])
        assert (report.kind, report.sequence) == ("truncated" if index == count - 1 else "removed", index + 1)


def test_removed_and_the_rest_renumbered(genuine: Pulled, check: Callable[[Frames], Report]) -> None:
    frames = []
    for index, (kind, data) in enumerate(genuine.frames):
        if index == 5:
            continue
        changed = bytearray(data)
        if kind == RECORD and index > 5:
            changed[3:7] = index.to_bytes(4, "little")
            changed = bytearray(with_check(bytes(changed)))
        frames.append((kind, bytes(changed)))
    report = check(frames)
    assert (report.kind, report.sequence) == ("forged", 6)


def test_two_records_exchanged(genuine: Pulled, check: Callable[[Frames], Report]) -> None:
    chance = random.Random(9)
    for _ in range(60):
        one, other = sorted(chance.sample(range(len(genuine.records)), 2))
        frames = list(genuine.frames)
        frames[one], frames[other] = frames[other], frames[one]
        report = check(frames)
        assert (report.kind, report.sequence) == ("reordered", one + 1)


def test_a_record_twice(genuine: Pulled, check: Callable[[Frames], Report]) -> None:
    for index in range(len(genuine.records)):
        report = check(genuine.frames[: index + 1] + genuine.frames[index:])
        assert (report.kind, report.sequence) == ("reordered", index + 2)


def test_truncated_before_the_head(genuine: Pulled, check: Callable[[Frames], Report]) -> None:
    for count in range(len(genuine.records)):
        report = check([*genuine.frames[:count], genuine.frames[-1]])
        assert (report.kind, report.sequence) == ("truncated", count + 1)


def test_no_head(genuine: Pulled, check: Callable[[Frames], Report]) -> None:
    for count in range(len(genuine.records) + 1):
        report = check(genuine.frames[:count])
        assert (report.kind, report.sequence, report.last) == ("incomplete", count + 1, count)


def test_the_file_cut_at_every_byte(genuine: Pulled) -> None:
    whole = genuine.path.read_bytes()
    for length in range(len(genuine.header.line()), len(whole)):
        report = verify(of_bytes(genuine.path, whole[:length]), KEY)
        assert report.kind in ("truncated", "incomplete")
        assert report.sequence == report.last + 1


def test_every_byte_of_the_file_damaged(genuine: Pulled) -> None:
    whole = genuine.path.read_bytes()
    start = len(genuine.header.line())
    for offset in range(start, len(whole), 3):
        changed = bytearray(whole)
        changed[offset] ^= 0x11
        report = verify(of_bytes(genuine.path, bytes(changed)), KEY)
        assert report.kind in ("altered", "truncated"), (offset, report)
        assert report.sequence <= len(genuine.records) + 1


def test_a_head_over_another_nonce(genuine: Pulled) -> None:
    report = verify(genuine, KEY, bytes(16))
    assert (report.kind, report.sequence) == ("incomplete", len(genuine.records) + 1)


def test_the_nonce_of_the_head_rewritten(genuine: Pulled, check: Callable[[Frames], Report]) -> None:
    data = bytearray(genuine.frames[-1][1])
    data[-40] ^= 1
    report = check([*genuine.frames[:-1], (HEAD, bytes(data))])
    assert report.kind == "forged"


def test_a_stolen_controller_cannot_rewrite_its_past(check: Callable[[Frames], Report]) -> None:
    """The thief reads the whole memory: he has the key of the next record, and every record, and all our programs."""
    table = Table()
    records = [data for _, data in table.journal.records_from(1)]
    stolen = table.journal._head.key
    assert stolen in table.memory.image
    for target in range(len(records)):
        frames: Frames = []
        previous = bytes(TAG_SIZE)
        key = stolen
        for index, data in enumerate(records):
            if index >= target:
                changed = bytearray(data)
                changed[OVERHEAD - 10] ^= 1  # the first field
                data = sealed(bytes(changed), key, previous)
                key = next_key(key)
            frames.append((RECORD, data))
            previous = data[-TAG_SIZE:]
        said = wire_head.parse(table.head(NONCE))
        head = wire_head.build(
            key,
            TABLE,
            said.key,
            said.boot,
            said.oldest,
            said.last,
            said.acknowledged,
            previous,
            said.before,
            said.meters,
            NONCE,
        )
        report = check([*frames, (HEAD, head)])
        assert (report.kind, report.sequence) == ("forged", target + 1)


def test_a_stolen_controller_cannot_go_back_to_an_earlier_end(check: Callable[[Frames], Report]) -> None:
    table = Table()
    frames = [(RECORD, data) for _, data in table.journal.records_from(1)]
    said = wire_head.parse(table.head(NONCE))
    shorter = len(frames) - 3
    head = wire_head.build(
        table.journal._head.key,
        TABLE,
        said.key,
        said.boot,
        1,
        shorter,
        0,
        frames[shorter - 1][1][-TAG_SIZE:],
        said.before,
        said.meters,
        NONCE,
    )
    report = check([*frames[:shorter], (HEAD, head)])
    assert (report.kind, report.sequence) == ("forged", shorter)


def test_meters_that_are_not_the_sum(tmp_path: Path) -> None:
    table = Table()
    table.journal.meters[24] += 1
    path = tmp_path / "meters"
    pull(table, path, NONCE)
    report = verify(read(path), KEY)
    assert (report.kind, report.sequence) == ("meters", table.journal.last)


def test_a_genuine_head_over_other_records_of_the_same_key(tmp_path: Path) -> None:
    """A memory that was copied and set back: as many records, the same meters, the same keys, another history."""
    told, put_in = Table(), Table()
    for table, detail in ((told, "a"), (put_in, "b")):
        table.journal.append(code_of("fault"), {"part": 1, "index": 0, "detail": detail})
    path, other = tmp_path / "told", tmp_path / "put in"
    pull(told, path, NONCE)
    pull(put_in, other, NONCE)
    frames = [*read(other).frames[:-1], read(path).frames[-1]]
    path.write_bytes(read(path).header.line() + b"".join(frame(kind, data) for kind, data in frames))
    report = verify(read(path), KEY, NONCE)
    assert (report.kind, report.sequence) == ("forged", told.journal.last)


def test_the_beginning_cut_off_and_the_first_line_rewritten(genuine: Pulled, tmp_path: Path) -> None:
    path = tmp_path / "late"
    kept = genuine.frames[4:]
    header = Header(genuine.header.table, genuine.header.key, 5, genuine.records[3][-TAG_SIZE:])
    path.write_bytes(header.line() + b"".join(frame(kind, data) for kind, data in kept))
    report = verify(read(path), KEY)
    assert (report.kind, report.sequence) == ("removed", 1)
    report = verify(read(path), KEY, start=5)
    assert report.good and report.first == 5 and report.meters is None
    assert verify(read(path), KEY, start=4).sequence == 4


def test_the_first_line_names_another_table(genuine: Pulled, tmp_path: Path) -> None:
    path = tmp_path / "other"
    header = Header(b"otherone", genuine.header.key, 1, genuine.header.before)
    path.write_bytes(header.line() + b"".join(frame(kind, data) for kind, data in genuine.frames))
    assert verify(read(path), KEY).kind == "forged"


def test_every_kind_is_explained() -> None:
    assert set(KINDS) == {"altered", "removed", "reordered", "truncated", "forged", "incomplete", "meters"}
