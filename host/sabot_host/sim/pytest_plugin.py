"""A simulated table for pytest: ``pytest_plugins = ["sabot_host.sim.pytest_plugin"]`` in the top conftest.py.

Entry points: the fixtures :func:`table` and :func:`make_table`, and the class :class:`TestTable` that they give.

    def test_my_system_hears_of_a_late_bet(table):
        table.open()
        table.play('''
            seat 1 ante 25.00
            wait 1.5
            press rnvp
            +0.4 seat 1 pair_plus 5.00
            expect late seat 1 pair_plus after 5.00
        ''')
        assert table.records("late")[0].fields["severity"] == 2

When a test has passed, the journal is pulled, verified and replayed; a journal that does not hold fails the test. A
controller that refuses its configuration keeps none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from hwsim.scenario.claims import Entry
from hwsim.scenario.errors import ScenarioError
from hwsim.scenario.runner import Line
from hwsim.scenario.script import Spot
from sabot_host.errors import SabotError
from sabot_host.sim.play import Session, perform, settings

CLOSED = "closed"


class TestTable(Session):
    """A table on the real firmware; everything of :class:`~sabot_host.sim.play.Session`, and words to act with.

    ``game``, ``seats`` and fields of the configuration by name; ``seed``, and other options of the simulated table.
    """

    __test__ = False

    def __init__(
        self,
        game: str = "three_card",
        seats: int = 2,
        *,
        seed: int = 0,
        config: dict[str, Any] | None = None,
        **options: Any,
    ) -> None:
        super().__init__(settings(game, seats, config or {}), seed=seed, **options)
        self.refused: SabotError | None = None
        """Why the controller refuses to play, once it has been asked to and did not."""
        self.lines: list[Line] = []
        """Every line played so far."""
        self.running = self.stage()

    def open(self) -> None:
        """Switch on, plug a host in, open the table."""
        self.play("open the table")

    def play(self, text: str) -> None:
        """Play lines of a scenario; AssertionError names the first that was not as expected, and what was there.

        ScenarioError, with what to do in its text, for what cannot be said or be; SabotError when the controller
        refuses to play at all.
        """
        try:
            perform(text, self.running, self, self._played)
        except ScenarioError as error:
            opened = self.witness.state != CLOSED
            self.refused = self.unwilling() if self.running.powered and not opened else None
            raise (self.refused or error) from error

    def _played(self, line: Line) -> None:
        self.lines.append(line)
        if not line.good:
            raise AssertionError(f"line {line.number}: {line.text}\n{line.detail}")

    @property
    def display(self) -> list[str]:
        """The eight lines of the dealer's display."""
        return self.display_lines()

    @property
    def bar(self) -> str:
        """Colour of the "Rien ne va plus" bar."""
        return self.running.bar()

    def lamp(self, seat: int, bet: str) -> str:
        """Colour of a spot's lamp."""
        return self.running.lamp(Spot(seat, bet))

    def records(self, name: str = "") -> list[Entry]:
        """The records stored so far, those of that name (or kind of irregularity) only when one is given."""
        self.witness.look()
        return [entry for entry in self.witness.entries if name in ("", entry.name, entry.family)]

    def check_journal(self) -> None:
        """Pull the journal and judge it; AssertionError says what is wrong with it."""
        if not self.running.powered:
            self.play("power on\nwait 2.0")
        verdict, _ = self.judge()
        assert verdict.good, "\n".join(verdict.lines())


@pytest.fixture
def make_table(request: pytest.FixtureRequest) -> Iterator[Callable[..., TestTable]]:
    """Make tables with settings of one's own: ``make_table(seats=3, seed=7, config={"gate_after": "key"})``."""
    made: list[TestTable] = []

    def make(**settings: Any) -> TestTable:
        made.append(TestTable(**settings))
        return made[-1]

    try:
        yield make
        for table in made:
            if table.table.controller.calls and not table.refused:
                table.check_journal()
    finally:
        for table in made:
            table.close()


@pytest.fixture
def table(make_table: Callable[..., TestTable]) -> TestTable:
    """Two seats of Three Card Poker, switched off."""
    return make_table()
