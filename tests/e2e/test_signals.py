"""Lamps, their pulses, and the buzzer: what is public is seen and heard by all, what would warn a cheat by nobody."""

from collections.abc import Callable, Sequence
from itertools import pairwise

from hwsim.chips.ws2812 import Pixel
from hwsim.core import NS_PER_MS
from hwsim.table import BAR_LAMPS
from sabot_host.sim.pytest_plugin import TestTable

Maker = Callable[..., TestTable]

BETS = "seat 1 ante 25.00\nseat 1 pair_plus 5.00\nseat 2 ante 10.00\nwait 1.2\n"
DEUTAN = ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969))
PROTAN = ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052))
"""Machado, Oliveira and Fernandes (2009), severity 1: how light of three colours is seen without one kind of cone."""


def seen(pixel: Pixel, eye: Sequence[Sequence[float]]) -> tuple[float, ...]:
    return tuple(sum(weight * channel for weight, channel in zip(row, pixel, strict=True)) for row in eye)


def bar(table: TestTable, since: int) -> list[tuple[int, Pixel]]:
    """What the bar has shown since an instant (ns): when, and its colour."""
    changes = [change for change in table.table.hardware.lamps.changed if change.when >= since]
    shown: list[tuple[int, Pixel]] = []
    for change in changes:
        lamps = change.pixels[-BAR_LAMPS:]
        assert len(set(lamps)) == 1
        if not shown or shown[-1][1] != lamps[0]:
            shown.append((change.when, lamps[0]))
    return shown


def test_a_stopped_table_pulses_and_beeps_until_it_goes_on(table: TestTable) -> None:
    table.open()
    table.play(BETS + "press rnvp\nwait until gate open")
    buzzer = table.table.hardware.buzzer
    assert buzzer.log == []
    table.play("draw two together\nexpect two_cards")
    begun = table.table.now
    table.table.run_for(3000)
    shown = bar(table, begun)
    assert len(shown) >= 5
    assert {pixel for _, pixel in shown} == {(64, 0, 0), (16, 0, 0)}
    gaps = [after[0] - before[0] for before, after in pairwise(shown)][1:]
    assert all(400 * NS_PER_MS < gap < 700 * NS_PER_MS for gap in gaps)
    assert [tone.hertz > 0 for tone in buzzer.log] == [True, False, True, False]
    table.play("supervisor voids the round\nexpect void\nwait 0.2\nexpect bar green")
    table.table.run_for(2000)
    assert not bar(table, table.table.now - 2000 * NS_PER_MS)
    assert len(buzzer.log) == 4


def test_cheating_is_neither_seen_nor_heard(table: TestTable) -> None:
    table.open()
    table.play(BETS + "press rnvp\n+0.4 seat 2 pair_plus 5.00\nexpect late seat 2 pair_plus\nwait 1.0")
    assert table.table.hardware.buzzer.log == []
    table.play("expect bar red\nexpect lamp seat 2 pair_plus red")
    assert {pixel for _, pixel in bar(table, 0)} <= {(0, 28, 32), (64, 0, 0)}


def test_what_the_house_makes_public_is_shown_and_heard(make_table: Maker) -> None:
    table = make_table(config={"visibility": {"late": "public"}})
    table.open()
    table.play(
        BETS
        + "press rnvp\n+0.4 seat 2 pair_plus 5.00\nexpect late seat 2 pair_plus\nexpect lamp seat 2 pair_plus amber"
    )
    table.table.run_for(1500)
    assert len(table.table.hardware.buzzer.log) == 4


def test_open_and_locked_differ_for_every_eye() -> None:
    """To an eye without red, or without green, cones both the brightness and the blue tell them apart."""
    opened, locked = (0, 28, 32), (64, 0, 0)
    for eye in (DEUTAN, PROTAN):
        blue = seen(opened, eye)[2] - seen(locked, eye)[2]
        assert blue > 25
