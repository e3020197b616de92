"""An event that raises PowerFailure stops the board at its instant, wherever the firmware is."""

from __future__ import annotations

import pytest

from hwsim.core import NS_PER_MS, PowerFailure
from sabot_host.sim.play import Session


def test_the_board_stops_at_the_instant_and_starts_again() -> None:
    def fails() -> None:
        raise PowerFailure("the plug is pulled")

    with Session(seed=4) as session:
        table = session.table
        table.start()
        table.scheduler.at(700 * NS_PER_MS + 1234, fails)
        with pytest.raises(PowerFailure):
            table.run_for(1000)
        assert table.now == 700 * NS_PER_MS + 1234
        assert table.controller.calls == 0, "nothing runs on the board"
        table.stop()
        table.run_for(100)
        table.start()
        table.run_for(1000)
        verdict, pulled = session.judge()
        assert verdict.good, verdict.lines()
        boots = [record for record in pulled.records if record[2] == 1]
        assert len(boots) == 2
