"""Pulling: into a new file, on with an old one, across broken links, and against a controller that is not the same."""

import os
from pathlib import Path

import pytest

from sabot.wire.records import identity
from sabot_host.errors import DeviceError, FileError, SabotError
from sabot_host.journal.file import RECORD, frame, read
from sabot_host.journal.keyfile import read_key
from sabot_host.journal.pull import pull
from sabot_host.journal.verify import verify
from tests.host.journal_table import KEY, Broken, Table


def nonce(number: int) -> bytes:
    return number.to_bytes(16, "big")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "table.sabotlog"


def test_a_pull_and_what_it_says(path: Path) -> None:
    table = Table()
    seen: list[tuple[int, int]] = []
    result = pull(table, path, nonce(1), on_progress=lambda sequence, last: seen.append((sequence, last)))
    last = table.journal.last
    assert (result.added, result.first, result.last, result.acknowledged) == (last, 1, last, 0)
    assert seen == [(sequence, last) for sequence in range(1, last + 1)]
    assert table.journal.acknowledged == 0
    assert read(path).records == [data for _, data in table.journal.records_from(1)]
    assert verify(read(path), KEY, nonce(1)).good


def test_an_empty_journal(path: Path) -> None:
    table = Table(rounds=0)
    table.journal.format(KEY, b"otherone", replace=True)
    table.journal.open()
    assert pull(table, path, nonce(1), acknowledge=True).added == 0
    assert verify(read(path), KEY).good
    table.play(2)
    assert pull(table, path, nonce(2)).added == table.journal.last
    assert verify(read(path), KEY).good


def test_the_next_pull_goes_on_and_gets_each_record_once(path: Path) -> None:
    table = Table()
    for number in range(1, 5):
        before = read(path).last if path.exists() else 0
        result = pull(table, path, nonce(number), acknowledge=number % 2 == 0)
        assert result.added == table.journal.last - before
        assert verify(read(path), KEY, nonce(number)).good
        assert table.journal.acknowledged >= (table.journal.last if number % 2 == 0 else 0)
        table.play(3)
    assert [identity(record)[0] for record in read(path).records] == list(range(1, read(path).last + 1))


def test_a_table_that_plays_during_the_pull(path: Path) -> None:
    table = Table()
    end = table.journal.last
    table.during = lambda: table.play(1)
    result = pull(table, path, nonce(1), acknowledge=True)
    assert result.last == end < table.journal.last
    assert table.journal.acknowledged == end
    assert verify(read(path), KEY, nonce(1)).good


def test_a_link_that_breaks_again_and_again(path: Path) -> None:
    table = Table()
    tries = 0
    while True:
        table.break_after = 7
        tries += 1
        try:
            pull(table, path, nonce(tries), acknowledge=True)
            break
        except Broken:
            assert table.journal.acknowledged == 0, "acknowledged before it was safe"
            assert verify(read(path), KEY).kind == "incomplete"
    assert tries > 3
    assert verify(read(path), KEY, nonce(tries)).good
    assert table.journal.acknowledged == table.journal.last


def test_records_behind_the_last_head_are_not_complete(path: Path) -> None:
    table = Table()
    pull(table, path, nonce(1))
    ended = table.journal.last
    table.play(2)
    table.break_after = 5
    with pytest.raises(Broken):
        pull(table, path, nonce(2))
    report = verify(read(path), KEY)
    assert (report.kind, report.sequence, report.last) == ("incomplete", ended + 6, ended + 5)


def test_a_file_cut_anywhere_in_its_last_frames_is_gone_on_with(path: Path) -> None:
    table = Table()
    pull(table, path, nonce(1))
    whole = path.read_bytes()
    for length in range(len(whole) - 400, len(whole)):
        path.write_bytes(whole[:length])
        pull(table, path, nonce(2))
        assert verify(read(path), KEY, nonce(2)).good


def test_leavings_longer_than_what_comes_are_given_up(path: Path) -> None:
    table = Table()
    pull(table, path, nonce(1))
    path.write_bytes(path.read_bytes() + b"R\x00\x04" + bytes(1000))
    pull(table, path, nonce(2))
    assert read(path).rest == 0
    assert verify(read(path), KEY, nonce(2)).good


def test_nothing_is_acknowledged_before_it_is_on_the_disk(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[int] = []
    monkeypatch.setattr("os.fsync", lambda handle: synced.append(os.fstat(handle).st_size))

    class Careful(Table):
        def acknowledge(self, sequence: int) -> None:
            assert synced[-1] == path.stat().st_size
            super().acknowledge(sequence)

    table = Careful()
    pull(table, path, nonce(1), acknowledge=True)
    assert len(synced) == 2 and table.journal.acknowledged == table.journal.last


def test_a_file_damaged_in_the_middle_is_kept_for_the_inquiry(path: Path) -> None:
    table = Table()
    pull(table, path, nonce(1))
    data = bytearray(path.read_bytes())
    data[400] ^= 1
    path.write_bytes(data)
    with pytest.raises(FileError) as caught:
        pull(table, path, nonce(2))
    assert caught.value.code == "journal-file-damaged"
    assert path.read_bytes() == data


def test_records_gone_from_the_controller_are_not_silently_left_out(path: Path) -> None:
    table = Table(size=8192, rounds=4)
    pull(table, path, nonce(1), acknowledge=True)
    other = path.with_name("other")
    for number in range(8):
        table.play(3)
        other.unlink(missing_ok=True)
        pull(table, other, nonce(10 + number), acknowledge=True)
    with pytest.raises(SabotError) as caught:
        pull(table, path, nonce(2))
    assert caught.value.code == "journal-gap"
    late = read(other)
    assert late.header.first > 1
    assert verify(late, KEY).kind == "removed"
    assert verify(late, KEY, start=late.header.first).good


def test_another_table_and_a_table_set_back(path: Path) -> None:
    table = Table()
    pull(table, path, nonce(1))
    stranger = Table()
    stranger.journal.format(KEY, b"stranger", replace=True)
    stranger.journal.open()
    with pytest.raises(FileError) as other:
        pull(stranger, path, nonce(2))
    assert other.value.code == "journal-other-table"
    with pytest.raises(SabotError) as behind:
        pull(Table(rounds=2), path, nonce(2))
    assert behind.value.code == "journal-behind"


class Liar(Table):
    """A controller that answers nonsense."""

    lie = ""

    def head(self, nonce: bytes) -> bytes:
        honest = super().head(bytes(16) if self.lie == "stale" else nonce)
        return honest[:-1] if self.lie == "short" else honest

    def read_records(self, first, on_progress=None, last=None):  # type: ignore[no-untyped-def]
        for record in super().read_records(first, on_progress, last):
            if self.lie == "fewer" and identity(record)[0] == 9:
                return
            yield record[:20] if self.lie == "stump" else record
            if self.lie == "twice":
                yield record


@pytest.mark.parametrize(
    ("lie", "code"),
    [
        ("stale", "journal-head-stale"),
        ("short", "journal-head-bad"),
        ("stump", "journal-record-bad"),
        ("twice", "journal-record-bad"),
        ("fewer", "journal-record-missing"),
    ],
)
def test_a_controller_that_answers_nonsense(lie: str, code: str, path: Path) -> None:
    table = Liar()
    table.lie = lie
    with pytest.raises(DeviceError) as caught:
        pull(table, path, nonce(1), acknowledge=True)
    assert caught.value.code == code
    assert table.journal.acknowledged == 0
    table.lie = ""
    pull(table, path, nonce(2))
    assert verify(read(path), KEY, nonce(2)).good


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"\n",
        b"{}\n",
        b"[1]\n",
        b'"text"\n',
        b"\xff\xfe\n",
        b'{"format": "sabot-journal"}\n',
        b'{"format": "sabot-journal", "version": 1, "records": 1, "table": "", "key": "", "first": 0, "before": ""}\n',
    ],
)
def test_what_is_no_pulled_journal(line: bytes, path: Path) -> None:
    path.write_bytes(line)
    with pytest.raises(FileError) as caught:
        read(path)
    assert caught.value.code == "journal-not-one"


def test_a_file_of_a_later_version(path: Path) -> None:
    pull(Table(), path, nonce(1))
    path.write_bytes(path.read_bytes().replace(b'"version": 1', b'"version": 2', 1))
    with pytest.raises(FileError) as caught:
        read(path)
    assert caught.value.code == "journal-file-version"


def test_a_frame_of_a_foreign_kind_ends_what_makes_sense(path: Path) -> None:
    pull(Table(), path, nonce(1))
    before = read(path)
    path.write_bytes(path.read_bytes() + frame(ord("X"), bytes(40)) + frame(RECORD, before.records[0]))
    after = read(path)
    assert (after.good, after.frames) == (before.good, before.frames)
    assert verify(after, KEY).kind == "altered"


def test_key_files(tmp_path: Path) -> None:
    path = tmp_path / "key"
    path.write_bytes(KEY)
    assert read_key(path) == KEY
    path.write_text(KEY.hex() + "\n")
    assert read_key(path) == KEY
    for wrong in (b"", bytes(31), bytes(33), b"xyz", KEY.hex().encode()[:-2], b"\xff" * 70):
        path.write_bytes(wrong)
        with pytest.raises(FileError) as caught:
            read_key(path)
        assert caught.value.code == "key-file-bad"
        assert wrong.hex() not in str(caught.value) or not wrong
