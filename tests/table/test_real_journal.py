"""The table over the journal that ships: the same records, sealed, chained and metered."""

from typing import Any

import pytest

from sabot.journal.journal import Journal
from sabot.wire import meters
from sabot.wire.records import parse
from sabot_host.model.replay import replay
from tests.journal.on_board.journal_memory import KEY, TABLE, FakeClock, Memory
from tests.table.bookkeeper import audit
from tests.table.on_board import fakes
from tests.table.on_board.changes import late_bet
from tests.table.on_board.choices import play_too_low_completed
from tests.table.on_board.clean_rounds import clean_round, several_rounds
from tests.table.on_board.ends import void_everywhere


class Real(Journal):
    """The journal over a memory, with the list of records that the rig looks at."""

    def __init__(self, clock: Any, log: list[Any]) -> None:
        super().__init__(Memory(65536), FakeClock())
        self._clock = clock
        self._stamp._clock = clock
        self.format(KEY, TABLE)
        self.open()

    @property
    def records(self) -> list[dict[str, Any]]:
        return [parse(record) for _sequence, record in self.records_from(1)]


@pytest.mark.parametrize("scenario", [clean_round, several_rounds, late_bet, play_too_low_completed, void_everywhere])
def test_the_same_records(scenario: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = [(record["name"], record["fields"], record["monotonic"]) for record in scenario().records]
    monkeypatch.setattr(fakes.Clock, "wall", lambda clock: (0, 0), raising=False)
    monkeypatch.setattr(fakes, "MemoryJournal", Real)
    played = scenario()
    records = played.records
    assert [(record["name"], record["fields"], record["monotonic"]) for record in records] == expected
    replay(records)
    account = audit(records)
    counted = meters.as_dict(played.ports.journal.meters)
    assert counted["rounds"] == account.rounds
    assert sum(place["staked"] for place in counted["places"]) == account.staked
    assert sum(place["paid"] for place in counted["places"]) == account.paid
    assert sum(place["returned"] for place in counted["places"]) == account.returned
    assert counted["void_returned"] == account.void
