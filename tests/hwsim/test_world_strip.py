"""The strip on a card's face: as docs/optical-strip.md defines it, and with dirt on it."""

import re
from itertools import pairwise
from pathlib import Path

import pytest

from hwsim.world.cards import CODES, CUT_CARD
from hwsim.world.strip import CARD, MODULE, QUARTER, RANKS, Strip, blank, printed

PAGE = (Path(__file__).parents[2] / "docs" / "optical-strip.md").read_text(encoding="utf-8")
KNOWN = (*CODES, CUT_CARD)
TABLE = {
    rank + suit: word
    for rank, words in re.findall(r"^\| ([2-9TJQKA]) ((?:\| `[12]{23}` ){4})\|$", PAGE, re.M)
    for suit, word in zip("cdhs", re.findall("[12]{23}", words), strict=True)
} | {CUT_CARD: re.findall(r"Cut card: `([12]{23})`", PAGE)[0]}


def test_the_page_has_every_card() -> None:
    assert sorted(TABLE) == sorted(KNOWN)
    assert len(set(TABLE.values())) == 53


@pytest.mark.parametrize("code", KNOWN)
def test_bars_and_gaps_are_those_of_the_page(code: str) -> None:
    for strip in printed(code).strips:
        assert all(last - first == MODULE for first, last in strip.bars)
        gaps = [(after[0] - before[1]) // MODULE for before, after in pairwise(strip.bars)]
        assert "".join(map(str, gaps)) == TABLE[code]
        assert (strip.bars[0][0], strip.bars[-1][1]) == (5 * MODULE, 65 * MODULE)
        assert CARD == 70 * MODULE


def test_no_other_card_has_a_strip() -> None:
    for code in ("", "A", "1s", "Ax", "Asd", "alien"):
        with pytest.raises(ValueError, match="no strip"):
            printed(code)
    assert blank().below.changes("A") == (0, CARD)


def test_levels_change_at_each_border_and_nowhere_else() -> None:
    strip = printed("2c").below
    borders = [0, *(at for bar in strip.bars for at in bar), CARD]
    assert list(strip.changes("A")) == list(strip.changes("B")) == borders
    assert len(borders) == 50
    assert RANKS[0] == "2"


def test_dirt_may_differ_for_the_sensors_and_is_wiped_off() -> None:
    strip = Strip(((4 * MODULE, 5 * MODULE), (6 * MODULE, 7 * MODULE)))
    strip.spoil(4 * MODULE - QUARTER, 6 * MODULE + QUARTER, white=False, sensors="A")
    strip.spoil(6 * MODULE, 7 * MODULE, white=True, sensors="B")
    assert strip.changes("A") == (0, 4 * MODULE - QUARTER, 7 * MODULE, CARD)
    assert strip.changes("B") == (0, 4 * MODULE, 5 * MODULE, CARD)
    strip.wipe()
    assert strip.changes("A") == strip.changes("B") == (0, 3600, 4500, 5400, 6300, CARD)


def test_a_sliver_is_seen_or_not() -> None:
    strip = Strip(((4 * MODULE, 5 * MODULE),))
    strip.spoil(4 * MODULE + QUARTER, 5 * MODULE, white=True)  # a quarter of the bar is left
    assert strip.changes("A", smallest=0) == (0, 3600, 3825, CARD)
    assert strip.changes("A", smallest=250) == (0, CARD)
    strip.wipe()
    strip.spoil(0, 4 * MODULE - QUARTER)  # and here a quarter of the margin, from which the card seems to begin
    assert strip.changes("A", smallest=0) == (3375, 3600, 4500, CARD)
    assert strip.changes("A", smallest=250) == (4500, CARD)


@pytest.mark.parametrize(("first", "last", "sensors"), [(-1, 5, "A"), (5, 5, "A"), (0, CARD + 1, "A"), (0, 5, "C")])
def test_dirt_beside_the_card_is_refused(first: int, last: int, sensors: str) -> None:
    with pytest.raises(ValueError, match="no dirt"):
        Strip().spoil(first, last, sensors=sensors)


def test_a_card_that_is_turned_shows_its_other_strip_and_one_face_up_none() -> None:
    face = printed("As")
    clean = face.below.changes("A")
    face.below.spoil(20_000, 24_000)
    assert face.below.changes("A") != clean
    face.turned = True
    assert face.below.changes("A") == clean
    face.up = True
    assert face.below.changes("A") == (0, CARD)
