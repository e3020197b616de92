"""The reference table: seven seats, up to four spots each, on four readers; neighbouring seats couple."""

from collections.abc import Callable
from itertools import combinations
from typing import Any

import pytest

from hwsim.rf.antenna import Antenna
from hwsim.table import SimTable
from sabot.rules import games
from sabot_host.sim.pytest_plugin import TestTable
from tests.sampled import sampled

Maker = Callable[..., TestTable]

SEATS = range(1, 8)


class Fields:
    """Notes how long antennas are on, and whether two that couple ever are together."""

    def __init__(self, table: SimTable) -> None:
        self.together: list[tuple[str, str]] = []
        self.visits = 0
        self._couples = {
            frozenset((one.name, other.name))
            for one, other in combinations(table.spots.values(), 2)
            if abs(int(one.name[1]) - int(other.name[1])) == 1
        }
        self._on: set[str] = set()
        for antenna in table.spots.values():
            antenna.enter(_Probe(self, antenna))

    def on(self, name: str) -> None:
        self.visits += 1
        self.together += [(name, other) for other in self._on if frozenset((name, other)) in self._couples]
        self._on.add(name)

    def off(self, name: str) -> None:
        self._on.discard(name)


class _Probe:
    """A tag that never answers and tells of its field."""

    def __init__(self, fields: Fields, where: Antenna) -> None:
        self.antenna: Antenna | None = None
        self.deaf_until = 0
        self._fields, self._name = fields, where.name

    def power_up(self, now: int) -> None:
        self._fields.on(self._name)

    def power_down(self, now: int) -> None:
        self._fields.off(self._name)

    def hear(self, request: Any) -> None:
        return None

    def hear_eof(self, start: int, end: int, early: bool) -> None:
        return None

    def hear_garbage(self, start: int) -> None:
        return None


def full(make_table: Maker, game: str) -> TestTable:
    """The full table of a game, off."""
    return make_table(game=game, seats=7)


def lay_everywhere(table: TestTable, bets: tuple[str, ...], cents: int = 2500) -> None:
    for seat in SEATS:
        for bet in bets:
            table.table.place(seat, bet, cents)


@pytest.mark.parametrize("game", sampled(games.GAMES, ["bataille", "boston"]))
def test_every_game_opens_at_a_full_table(make_table: Maker, game: str) -> None:
    table = full(make_table, game)
    assert len(table.table.hardware.readers) == 4
    table.open()
    first, second = table.bets[:2]
    lay_everywhere(table, (first, second))
    told = "confirmed_part" if game == "bataille" else "confirmed"
    table.play(f"wait 2.0\npress rnvp\nexpect {told} seat 1 {second} 25.00, seat 7 {second} 25.00")
    assert table.table.controller.restarts == 0


def test_antennas_that_couple_are_never_on_together(make_table: Maker) -> None:
    table = full(make_table, "crazy_four")
    fields = Fields(table.table)
    table.open()
    lay_everywhere(table, ("ante", "super_bonus"))
    table.play("wait 3.0")
    assert fields.visits > 28 * 5
    table.play("press rnvp\nexpect confirmed seat 1 ante 25.00, seat 7 super_bonus 25.00\nwait 1.0")
    assert fields.together == []


def test_a_stack_of_forty_is_locked_whole_and_told_as_withdrawn_when_it_is_taken(make_table: Maker) -> None:
    table = full(make_table, "three_card")
    table.open()
    stack = [chip for _ in range(40) for chip in table.table.place(4, "ante", 500)]
    assert len(stack) == 40
    table.play("wait 4.0\npress rnvp\nexpect confirmed seat 4 ante 200.00 within 0.4\nwait 1.0\nmark hand")
    table.table.remove(stack)
    table.play("expect withdrawn seat 4 ante before 200.00 after 0.00 covers hand within 6")
    assert len([entry for entry in table.records() if entry.family == "irregularity"]) == 1


def test_a_stack_of_forty_that_the_announcement_divides_is_one_question(make_table: Maker) -> None:
    """Part of it was heard before the lock: no addition to a standing bet; the dealer is asked, and all counts."""
    table = full(make_table, "three_card")
    table.open()
    table.play("seat 2 ante 10.00\nwait 1.0")
    for _ in range(40):
        table.table.place(1, "ante", 500)
    table.play("+0.35 press rnvp\nexpect ambiguous seat 1 ante after 200.00 severity 1 within 3\nwait 0.5\npress oui")
    table.play("wait 1\nwait until gate open")
    asked = [entry.name for entry in table.records() if entry.family == "irregularity"]
    assert asked == ["ambiguous"] and table.records("resolved")[-1].fields["amount"] == 20000
