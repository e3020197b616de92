"""The PN5180 model behind its socket: a driver that was written from docs/chip-models.md alone, and its faults."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from hwsim.pn5180_socket import Bench
from tests.strangers.pn5180_driver import ChipError, Lines, Reader

PAGE = Path(__file__).parents[2] / "docs" / "chip-models.md"
# The worked example of ISO 15693's anticollision, and a pair that ends in equal nibbles, zeros at that.
TAGS = (
    "E00401080000123A",
    "E00401080000450A",
    "E004010800007707",
    "E004010800000000",
    "E004010800000100",
)


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    served = subprocess.Popen(
        [sys.executable, "-m", "hwsim.pn5180_socket", "--port", "0", *TAGS], stdout=subprocess.PIPE, text=True
    )
    assert served.stdout is not None
    said = re.search(r"port (\d+)", served.stdout.readline())
    assert said
    yield int(said[1])
    served.terminate()
    assert served.wait(10) == 0
    served.stdout.close()


@pytest.fixture
def lines(port: int) -> Iterator[Lines]:
    made = Lines(port)
    yield made
    made.close()


def test_a_foreign_driver_finds_every_tag(lines: Lines) -> None:
    reader = Reader(lines)
    assert reader.start() == (4, 0)
    assert reader.inventory() == sorted(TAGS)
    lines("leave E004010800007707")
    lines("enter E004010000000000")  # differs from another in its type only, ten nibbles deep
    lines("enter E004010800007708 71 00 01020304aabbccdd")
    lines("wait 1000000")  # a tag needs the field for 1 ms before it hears
    assert reader.inventory() == sorted({*TAGS, "E004010800007708", "E004010000000000"} - {"E004010800007707"})
    assert reader.read_block("E004010800007708", 1) == bytes.fromhex("aabbccdd")


def test_time_stands_still_between_lines_and_the_same_lines_give_the_same_answers(port: int) -> None:
    runs = []
    for _ in range(2):
        lines = Lines(port)
        reader = Reader(lines)
        reader.start()
        runs.append((reader.inventory(), lines.now))
        lines.close()
    assert runs[0] == runs[1]


class OneNss(Reader):
    """Clocks a read's answer without raising NSS."""

    def _ask(self, mosi: bytes, count: int) -> bytes:
        self._do("nss 0")
        self._do("clock " + mosi.hex())
        answer = self._do("clock " + "ff" * count)
        self._do("nss 1")
        self._do("busy 0 50000000")
        if self._do.busy:
            raise ChipError("BUSY stays high")
        return answer


class NoEof(Reader):
    """Listens to sixteen slots and sends no EOF between them."""

    def _transceive(self, payload: bytes, answer_ns: int) -> tuple[int, bytes]:
        if payload:
            return super()._transceive(payload, answer_ns)
        self._do(f"wait {answer_ns}")
        return 0, b""


def test_a_foreign_driver_with_a_fault_fails(lines: Lines) -> None:
    with pytest.raises(ChipError, match="BUSY stays high"):
        OneNss(lines).start()
    deaf = NoEof(lines)
    deaf.start()  # RESET_N frees the chip that hung
    assert len(deaf.inventory()) < len(TAGS)


@pytest.mark.parametrize("how", ["low", "high", "busy"])
def test_a_chip_fails_and_comes_back(lines: Lines, how: str) -> None:
    reader = Reader(lines)
    lines(f"fail {how}")
    with pytest.raises(ChipError, match="BUSY stays high" if how == "busy" else "no chip answers"):
        reader.start()
    lines("fail not")
    assert reader.start() == (4, 0) and reader.inventory() == sorted(TAGS)


def test_a_tag_leaves_in_the_middle_of_its_answer(lines: Lines) -> None:
    reader = Reader(lines)
    reader.start()
    lines("after 6500000 leave E004010800000000")  # within a read's answer
    with pytest.raises(ChipError, match="no block"):
        for _ in range(3):
            reader.read_block("E004010800000000", 0)
    assert reader.inventory() == sorted(set(TAGS) - {"E004010800000000"})


def test_what_no_chip_forgives_is_told_and_ends_the_connection(port: int) -> None:
    for prepared, fatal, why in (
        ((), "clock 7f00", "command 7F"),
        ((), "clock 0406", "register 06"),
        (("clock 0402", "nss 1", "nss 0"), "clock ffffffff", "BUSY was high"),
        (("reset 0",), "reset 1", "RESET_N was low"),
        ((), "after 0 leave E004010800009999", "no such tag"),
    ):
        lines = Lines(port)
        for line in ("reset 1", "wait 3000000", "nss 0", *prepared):
            lines(line)
        with pytest.raises(ChipError, match=f"fault .*{why}"):
            for line in (fatal, "nss 1", "wait 1000000"):
                lines(line)
        lines.close()


@pytest.mark.parametrize(
    "line",
    [
        "", "hello", "nss", "nss 2", "clock", "clock 0", "clock zz", "clock 00 0", "wait -1", "wait 1e9", "wait ²",
        "wait 99999999999999999999", "busy 0", "busy 2 5", "look here", "enter E0", "enter 0000000000000000",
        "enter E00401080000123A", "enter E004010800001111 1234", "leave E004010800009999", "fail", "fail slowly",
        "after 5", "after 5 nss 0", "after 5 fail slowly", "after 5 fail", "after 5 enter E0", "after 5 leave",
        "reset high", "nss 0\x00",
    ],
)  # fmt: skip
def test_a_line_that_is_not_understood_changes_nothing(line: str) -> None:
    bench = Bench(TAGS)
    told = bench.answer(line)
    assert told.startswith("error ")
    assert "fromhex" not in told
    assert bench.answer("look") == "8000 0"


def test_a_line_without_end_is_refused(port: int) -> None:
    lines = Lines(port)
    with pytest.raises(ChipError, match="at most 2048"):
        lines("clock " + "00" * 2000)
    lines.close()
    another = Lines(port)
    assert Reader(another).start() == (4, 0)
    another.close()


def test_the_page_tells_each_line(lines: Lines) -> None:
    """The page's own dialogue, line by line; `>` is sent, `<` comes back."""
    text = PAGE.read_text(encoding="utf-8")
    dialogue = re.findall(r"^([<>]) (.*)$", text, re.MULTILINE)
    assert len(dialogue) > 10
    bench = Bench(("E004010800001234",))
    for (_, sent), (_, answer) in zip(dialogue[::2], dialogue[1::2], strict=True):
        assert bench.answer(sent) == answer, sent
    told = set(re.findall(r"^\| `(\w+)", text[text.index("### From another process") :], re.MULTILINE))
    assert set(bench._acts) <= told
