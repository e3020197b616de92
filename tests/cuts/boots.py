"""The whole firmware starts on what a cut left: :func:`boot`."""

from __future__ import annotations

from hwsim.fuzz.laws import law_of
from hwsim.torture.ledger import Ledger
from sabot.wire.records import TAG_SIZE, parse
from sabot_host.sim.lexicon import places_of
from sabot_host.sim.witness import named
from tests.cuts.life import Life, session

START_MS = 1500
_PLAYED = {"lock", "first_card"}
_OVER = {"round_end", "void", "unlock"}


def boot(life: Life, image: bytearray, writes: int) -> None:
    """The pulled journal verifies, keeps what was whole, and voids the round that was on, each cent given back once.

    AssertionError says what is wrong.
    """
    with session(life.name, image) as table:
        table.table.start()
        table.table.run_for(START_MS)
        verdict, pulled = table.judge()
        assert verdict.good, verdict.lines()
        assert table.table.controller.restarts == 0
        game = table.table.config["game"]
        records = [parse(record) for record in pulled.records]
        kept = [record[:-TAG_SIZE] == life.records.get(number) for number, record in enumerate(pulled.records, 1)]
        before = kept.index(False)
        assert life.durable[writes] <= before <= life.durable[writes] + 1, "a record that had been whole is lost"
        names = [str(record["name"]) for record in records]
        playing = False
        for name in names[:before]:
            playing = (playing or name in _PLAYED) and name not in _OVER
        after = names[before:]
        assert after[0] == "power_on"
        assert ("power_lost_in_play" in after) == playing
        assert ("void" in after) == playing
        ledger = Ledger(law_of(game))
        ledger.take(named(record, places_of(game), 0, 0) for record in records)
        assert ledger.wrong == []
