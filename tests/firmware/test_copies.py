"""The settings in two copies: whatever one bit, one cut or one lost file does, a whole one is in force."""

import json
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from sabot import integrity
from sabot.wire.signed import kept, second, split

OLD, NEW = {"dwell_ms": 500}, {"dwell_ms": 700, "words": ["é", "b"]}
NAME = "config.json"
COPY = second(NAME)


@pytest.fixture(autouse=True)
def board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def put(path: str, value: object, version: int = 0) -> bytes:
    text = json.dumps(value).encode()
    data = kept(version, text) if version else text
    Path(path).parent.mkdir(exist_ok=True)
    Path(path).write_bytes(data)
    return data


def mended() -> list[str]:
    told: list[str] = []
    integrity.settings(told.append)
    return told


def test_a_new_file_gets_its_line_and_its_copy_and_that_is_no_news() -> None:
    put(NAME, OLD)
    assert mended() == []
    assert Path(NAME).read_bytes() == Path(COPY).read_bytes() == kept(1, json.dumps(OLD).encode())
    assert mended() == []
    put(NAME, NEW)  # as a technician's tool puts it there
    assert integrity.read(NAME) == NEW
    assert mended() == []
    assert split(Path(COPY).read_bytes()) == (2, json.dumps(NEW).encode())


@pytest.mark.parametrize("path", [NAME, COPY])
def test_a_bit_anywhere_in_one_copy_changes_nothing_and_is_told(path: str) -> None:
    whole = put(NAME, NEW, 3)
    put(COPY, NEW, 3)
    for at in range(len(whole)):
        for bit in (0, 3, 7):
            data = bytearray(whole)
            data[at] ^= 1 << bit
            Path(path).write_bytes(data)
            assert integrity.read(NAME) == NEW, (at, bit)
            (told,) = mended()
            assert told.startswith(path + " was not whole")
            assert Path(NAME).read_bytes() == Path(COPY).read_bytes() == whole


@pytest.mark.parametrize("path", [NAME, COPY])
def test_half_a_file_changes_nothing(path: str) -> None:
    whole = put(NAME, NEW, 3)
    put(COPY, NEW, 3)
    for length in range(len(whole)):
        Path(path).write_bytes(whole[:length])
        assert integrity.read(NAME) == NEW, length
        mended()
        assert json.loads((split(Path(NAME).read_bytes()) or (0, b""))[1]) == NEW
    Path(path).unlink()
    assert integrity.read(NAME) == NEW
    assert len(mended()) == 1


def test_the_higher_version_is_in_force() -> None:
    put(NAME, OLD, 2)
    put(COPY, NEW, 3)
    assert integrity.read(NAME) == NEW
    assert len(mended()) == 1
    put(NAME, OLD, 4)
    assert integrity.read(NAME) == OLD
    assert len(mended()) == 1
    assert Path(COPY).read_bytes() == Path(NAME).read_bytes()


def test_two_damaged_copies_are_no_settings() -> None:
    for path in (NAME, COPY):
        data = bytearray(put(path, NEW, 3))
        data[2] ^= 1
        Path(path).write_bytes(data)
    with pytest.raises(ValueError):
        integrity.read(NAME)
    before = Path(NAME).read_bytes()
    assert mended() == []
    assert Path(NAME).read_bytes() == before  # nothing is put in the place of what nobody can vouch for
    Path(NAME).unlink()
    with pytest.raises(OSError):
        integrity.read(NAME)


def test_a_copy_without_its_line_is_none() -> None:
    put(COPY, OLD)
    with pytest.raises(OSError):
        integrity.read(NAME)


class PowerOff(Exception):
    """The power goes."""


@pytest.mark.parametrize("step", range(1, 3))
def test_the_power_may_go_at_any_step_of_a_new_file(step: int) -> None:
    put(NAME, OLD, 1)
    put(COPY, OLD, 1)
    put(NAME, NEW)
    steps = 0
    with pytest.MonkeyPatch.context() as patched:
        for name in ("rename",):  # each of two files takes its place

            def cut(real: Callable[..., object], *arguments: str) -> object:
                nonlocal steps
                steps += 1
                if steps == step:
                    raise PowerOff
                return real(*arguments)

            patched.setattr(os, name, partial(cut, getattr(os, name)))
        with pytest.raises(PowerOff):
            mended()
    assert integrity.read(NAME) == NEW
    assert mended() == []
    assert integrity.read(NAME) == NEW
    assert Path(NAME).read_bytes() == Path(COPY).read_bytes()
