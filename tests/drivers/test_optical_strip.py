"""The optical strip: its codewords, what decides about a card, and the ring that keeps the edges."""

from __future__ import annotations

import re
import sys
from itertools import combinations, product
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from optical_strip import decoder
from optical_strip.decoder import NOTHING, OVERFLOW, Decoder
from optical_strip.encode import CARD_UM, MARGIN_UM, MODULE_UM, bars, gaps
from optical_strip.ring import EDGES_LOST, EMPTY, EdgeRing
from optical_strip.words import BARS, CARDS, CUT, GAPS, code_of, word_of

from sabot.rules.cards import RANKS, SUITS, card_from_name
from tests.strip.orders import READINGS
from tests.strip.pulls import LEVEL, A, B

PAGE = Path(__file__).parents[2] / "docs/optical-strip.md"


def widths(code: int) -> str:
    return "".join(map(str, gaps(code)))


def common(one: str, other: str) -> int:
    """Length of the longest common subsequence."""
    before = [0] * (len(other) + 1)
    for mine in one:
        row = [0]
        for place, theirs in enumerate(other):
            row.append(before[place] + 1 if mine == theirs else max(row[place], before[place + 1]))
        before = row
    return before[-1]


def test_the_words_are_those_of_the_page() -> None:
    page = PAGE.read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([2-9TJQKA]) \| `([12]+)` \| `([12]+)` \| `([12]+)` \| `([12]+)` \|$", page, re.M)
    printed = {
        card_from_name(rank + suit): word for rank, *words in rows for suit, word in zip(SUITS, words, strict=True)
    }
    assert len(printed) == len(RANKS) * len(SUITS)
    assert printed == {code: widths(code) for code in range(CUT)}
    assert f"Cut card: `{widths(CUT)}`." in page


def test_every_strip_has_the_same_length_and_as_many_bars() -> None:
    for code in range(CARDS):
        printed = bars(code)
        assert len(printed) == BARS and len(gaps(code)) == GAPS
        assert printed[0][0] == MARGIN_UM and printed[-1][1] == CARD_UM - MARGIN_UM == 65 * MODULE_UM
        assert {end - begin for begin, end in printed} == {MODULE_UM}
        assert gaps(code).count(2) == 13
        assert code_of(word_of(code)) == code


@pytest.mark.parametrize("code", [-1, CARDS, 64])
def test_no_other_code_has_a_word(code: int) -> None:
    with pytest.raises(ValueError, match="0 to 52"):
        bars(code)


def test_words_lie_far_apart() -> None:
    every = [widths(code) for code in range(CARDS)]
    for one, other in combinations(every, 2):
        assert sum(mine != theirs for mine, theirs in zip(one, other, strict=True)) >= 8
        assert common(one, other) <= 19
    for one, other in product(every, every):
        assert sum(mine != theirs for mine, theirs in zip(one, reversed(other), strict=True)) >= 6
    assert not [each for each in every if each.startswith("2222") or each.endswith("2222")]


def given(sensors: str, levels: int = 0) -> list[int]:
    """Ring entries of edges by sensor; the levels alternate."""
    entries = []
    now = {"A": levels & 1, "B": levels >> 1}
    for sensor in sensors:
        now[sensor] ^= LEVEL
        entries.append((A if sensor == "A" else B) | now[sensor])
    return entries


def test_the_decoder_takes_these_orders_and_no_other() -> None:
    """Of all orders: what begins otherwise is refused; after each bar two ways lead on, and one out; these are all."""

    def alive(sensors: str) -> bool:
        reader = Decoder()
        for entry in given(sensors):
            assert reader.edge(entry) == NOTHING
        return not reader.refused()

    beginnings = ["".join(each) for each in product("AB", repeat=5)]
    assert [each for each in beginnings if alive(each)] == ["ABAAB"]
    for bars_before in (1, 2, 23, 24, 30):
        begun = "ABAAB" + "BAABABAB" * ((bars_before - 1) // 2) + "BAAB" * ((bars_before - 1) % 2)
        assert alive(begun)
        ways = ["".join(each) for each in product("AB", repeat=4)]
        assert [each for each in ways if alive(begun + each)] == ["ABAB", "BAAB"]
        # The way out ends the card, and only a codeword of 24 bars is one.
        assert not alive(begun + "BAB")
    for seen, code in READINGS.items():
        entries = given(seen[::-1].decode().translate({ord("1"): "A", ord("2"): "B"}))
        reader = Decoder()
        assert [reader.edge(entry) for entry in entries] == [NOTHING] * 99 + [code]
        assert reader.clear() == NOTHING


def order_of(word: int) -> str:
    return "ABAAB" + "".join("BAAB" if word >> shift & 1 else "ABAB" for shift in range(GAPS - 1, -1, -1)) + "BAB"


def test_a_word_that_is_none_is_refused() -> None:
    for code in range(0, CARDS, 4):
        for shift in range(GAPS):
            reader = Decoder()
            assert {reader.edge(entry) for entry in given(order_of(word_of(code) ^ 1 << shift))} == {NOTHING}
            assert reader.clear() != NOTHING


WHOLE = order_of(word_of(9))
BACK = WHOLE[::-1]  # the same strip, going in from outside

CAUSES = {
    "dirt, a bar gone": (WHOLE[:5] + WHOLE[9:], decoder.DIRT),
    "a blank card": ("ABAB", decoder.DIRT),
    "back and forth over a bar": (WHOLE[:41] + WHOLE[39:41] + WHOLE[39:], decoder.PUSHED_BACK),
    "half pull": (WHOLE[:60] + WHOLE[59::-1], decoder.HALF_PULL),
    "pushed in": (BACK, decoder.PUSHED_IN),
    "a second card behind it": (WHOLE[:-2] + order_of(word_of(10))[-30:], decoder.TWO_CARDS),
    "a lamp on one sensor": ("A" * 80, decoder.STRAY_LIGHT),
    "a blind sensor": (WHOLE.replace("B", ""), decoder.STRAY_LIGHT),
    "light on B": ("BB", decoder.STRAY_LIGHT),
}


@pytest.mark.parametrize(("sensors", "cause"), CAUSES.values(), ids=CAUSES)
def test_a_refusal_has_a_cause(sensors: str, cause: int) -> None:
    reader = Decoder()
    assert {reader.edge(entry) for entry in given(sensors)} == {NOTHING}
    assert reader.busy()
    assert reader.clear() == cause
    assert not reader.busy() and reader.clear() == NOTHING
    assert [reader.edge(entry) for entry in given(WHOLE)][-1] == 9


def test_an_edge_to_the_level_that_was_is_a_lost_edge() -> None:
    reader = Decoder()
    entries = given(WHOLE)
    for entry in entries[:20] + entries[21:]:
        assert reader.edge(entry) == NOTHING
    assert reader.clear() == decoder.LOST_EDGE


class Line:
    """A sensor's pin."""

    def __init__(self) -> None:
        self.level = 0
        self.handler: Any = None

    def value(self) -> int:
        return self.level

    def irq(self, handler: Any, trigger: int, *, hard: bool) -> None:
        assert hard and trigger == 12
        self.handler = handler

    def change(self) -> None:
        self.level ^= 1
        self.handler(self)


@pytest.fixture
def lines() -> tuple[Line, Line]:
    return Line(), Line()


@pytest.fixture
def ring(lines: tuple[Line, Line]) -> EdgeRing:
    made = EdgeRing(*lines)
    made.start(12)
    return made


def test_a_full_ring_says_where_edges_are_missing(ring: EdgeRing, lines: tuple[Line, Line]) -> None:
    for _ in range(300):
        lines[0].change()
    taken = [ring.take() for _ in range(255)]
    assert taken[:254] == [1, 0] * 127 and taken[254] == EDGES_LOST
    assert ring.lost == 46 and ring.take() == EMPTY and ring.dark()
    lines[1].change()
    assert ring.take() == B | LEVEL and not ring.dark()
    reader = Decoder()
    assert reader.edge(EDGES_LOST) == NOTHING and reader.clear() == OVERFLOW


def test_an_interrupt_at_any_instruction_of_a_reading_loses_nothing(ring: EdgeRing, lines: tuple[Line, Line]) -> None:
    """The handler runs between any two bytecodes of `take`, with the ring empty, filling and full."""
    code = EdgeRing.take.__code__
    tried = 0
    for waiting in (0, 1, 252, 253, 254):
        while True:
            for _ in range(waiting):
                lines[0].change()
            first, lost = lines[0].level ^ (waiting & 1) ^ LEVEL, ring.lost
            taken, reached = _take_interrupted(ring, lines[0], code, tried)
            if not reached:
                break
            while (entry := ring.take()) != EMPTY:
                taken.append(entry)
            assert EDGES_LOST not in taken[:-1]
            missing = ring.lost - lost
            assert len(taken) - (EDGES_LOST in taken) + missing == waiting + 1
            whole = [first ^ (number & 1) for number in range(waiting + 1)]
            assert [entry for entry in taken if entry not in (EMPTY, EDGES_LOST)] == whole[: waiting + 1 - missing]
            tried += 1
        assert tried >= 8
        tried = 0
        while ring.take() != EMPTY:
            pass


def _take_interrupted(ring: EdgeRing, line: Line, code: Any, at: int) -> tuple[list[int], bool]:
    """One `take`, with an edge before its instruction number `at`; what it gave, and whether it got that far."""
    count = 0

    def trace(frame: FrameType, event: str, argument: object) -> Any:
        nonlocal count
        if frame.f_code is not code:
            return None
        frame.f_trace_opcodes = True
        if event == "opcode":
            if count == at:
                sys.settrace(None)
                line.change()
                sys.settrace(trace)
            count += 1
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        entry = ring.take()
    finally:
        sys.settrace(before)
    return ([] if entry == EMPTY else [entry]), count > at
