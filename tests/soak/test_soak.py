"""The field soak at a small table, its judge, and the record of the long run."""

from __future__ import annotations

from typing import Any

import pytest

from hwsim.core import NS_PER_MS, NS_PER_S
from hwsim.provisioning import configuration
from hwsim.world.truth import PLACED, REMOVED, Fact
from sabot_host.monitor.picture import Picture, Spot
from tests.records import read_record, shown, stale
from tests.soak.__main__ import COVERED, RESULT, main, rows
from tests.soak.field import GAME, good, heap_of, soak
from tests.soak.judge import PATIENCE_NS, Judge, cents_of

SEATS = 4
SHORT_S, TEN_MINUTES_S = 20, 600
ANTE, PLAY = (1, "ante"), (1, "play")
NAMES = {"P1 ante": ANTE, "P1 play": PLAY}


def two_readers() -> dict[str, Any]:
    """Four seats on two readers, neighbours coupled, paid in order."""
    pairs = [[seat, seat + 1] for seat in range(1, SEATS)]
    return configuration("three_card", SEATS, couples_with=pairs, payment_order="right_to_left")


def judge_of(*facts: tuple[int, str, str, str]) -> Judge:
    """A judge who knows these facts: instant in ms, act, label, place."""
    judge = Judge(NAMES)
    judge.happen([Fact(when * NS_PER_MS, act, label, label.encode(), place) for when, act, label, place in facts])
    return judge


def picture(**seen: tuple[int, int]) -> Picture:
    """A view in which so many chips, and cents, lie on the spots of seat 1."""
    spots = tuple(Spot(1, bet, "open", "open", chips, cents, 0) for bet, (chips, cents) in seen.items())
    return Picture(ready=True, full=False, last=1, refused="", faults=(), lines=(), spots=spots)


LAIN = ((0, PLACED, "25.00#1", "P1 ante"), (100, PLACED, "As", "P1 ante"), (200, PLACED, "5.00#2", "P1 ante"))
LATER = PATIENCE_NS + 300 * NS_PER_MS


def test_what_lies_there_for_long_must_be_told_and_nothing_else() -> None:
    assert [cents_of(label) for label in ("25.00#1", "0.50#22", "As")] == [2500, 50, 0]
    for seen, missed, misattributed in (
        ({"ante": (2, 3000)}, 0, 0),
        ({"ante": (1, 2500)}, 1, 0),
        ({"ante": (2, 2900)}, 1, 0),
        ({"ante": (3, 3500)}, 0, 1),
        ({"ante": (2, 3000), "play": (1, 500)}, 0, 1),
    ):
        judge = judge_of(*LAIN)
        judge.look(picture(**seen), LATER)
        assert (len(judge.missed), len(judge.misattributed)) == (missed, misattributed), seen


def test_what_has_just_come_or_gone_may_be_told_or_not() -> None:
    judge = judge_of(*LAIN, (4000, REMOVED, "5.00#2", "P1 ante"), (4000, PLACED, "5.00#2", "P1 play"))
    now = 4000 * NS_PER_MS + PATIENCE_NS - 1
    for ante in ((1, 2500), (2, 3000)):
        for play in ((0, 0), (1, 500)):
            judge.look(picture(ante=ante, play=play), now)
    assert judge.missed == judge.misattributed == []
    judge.look(picture(ante=(2, 3000), play=(0, 0)), now + 2)
    assert (len(judge.missed), len(judge.misattributed)) == (1, 1)


def test_a_lock_is_judged_at_its_instant() -> None:
    judge = judge_of(*LAIN, (9000, REMOVED, "5.00#2", "P1 ante"))
    judge.bet(ANTE, 8 * NS_PER_S, 3000)
    assert judge.missed == judge.misattributed == []
    judge.bet(ANTE, 8 * NS_PER_S, 2500)
    judge.bet(PLAY, 8 * NS_PER_S, 500)
    assert (len(judge.missed), len(judge.misattributed)) == (1, 1)


def test_a_heap_that_grows_is_no_flat_one() -> None:
    assert heap_of([5]) == {"early": 5, "late": 5, "most": 5, "measures": 1}
    assert heap_of([5, 9, 7]) == {"early": 5, "late": 7, "most": 9, "measures": 3}
    assert heap_of([1, 2, 8, 8, 8, 9, 9, 9]) == {"early": 8, "late": 9, "most": 9, "measures": 8}
    table = {"missed": 0, "misattributed": 0, "restarts": 0}
    flat, grown = heap_of([300_000] * 12), heap_of([300_000 + 400 * each for each in range(12)])
    assert good({**table, "heap_used_bytes": flat}) and not good({**table, "heap_used_bytes": grown})


def judged(seed: int, seconds: int) -> None:
    figures = soak("three_card", seed, seconds, config=two_readers())
    assert good(figures), figures
    assert figures["looks"] > 8 * seconds and figures["bets_judged"] > 0
    assert min(figures["weather"][kind] for kind in ("bleeds", "bursts", "clicks", "lost")) > 0


@pytest.mark.campaign
def test_a_short_soak() -> None:
    judged(1, SHORT_S)


@pytest.mark.campaign
@pytest.mark.timeout(1500)
def test_ten_minutes() -> None:
    judged(2, TEN_MINUTES_S)


def test_the_record_is_of_this_weather_and_judge() -> None:
    """If this fails: make soak HOURS=2."""
    assert stale(RESULT, COVERED) == []


def test_the_page_shows_what_was_recorded() -> None:
    assert shown("figures.md", "soak") == rows(read_record(RESULT))


def test_the_recorded_soak_found_nothing() -> None:
    tables = read_record(RESULT)["tables"]
    assert tables and GAME == "crazy_four"
    for table in tables:
        assert good(table) and table["looks"] > 8 * table["virtual_s"] > 0, table
    assert len({table["seed"] for table in tables}) == len(tables)


@pytest.mark.parametrize("words", [[], ["x"], ["0"], ["-1"], ["nan"], ["1e9"]])
def test_what_is_no_number_of_hours_is_refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 2 and "hours" in capsys.readouterr().err.lower()
