"""How many bytes of journal a clean round takes; docs/journal.md tells the same figures."""

from __future__ import annotations

import re
from pathlib import Path

from tests.table.on_board.rig import Rig

PAGE = (Path(__file__).parents[2] / "docs" / "journal.md").read_text(encoding="utf-8")
FITS = 580
CARDS = "2c 3d 5h 7c 7d 2h 8c 9d Jh 4s 5s 6s Ah Kd 9c Qs 3c 2d"


def sizes() -> dict[str, int]:
    """Bytes of each record of a round of five seats, each with ante and play, by its name."""
    rig = Rig(seats=(1, 2, 3, 4, 5))
    before = len(rig.records)
    for seat in rig.config.seats:
        rig.put(seat, "ante", 2500)
    rig.run(2500)
    rig.rnvp()
    rig.run(800)
    rig.deal(CARDS)
    for seat in rig.config.seats:
        rig.put(seat, "play", 2500)
    rig.run(2500)
    rig.key("devoiler")
    rig.run(800)
    rig.key("fin")
    assert rig.state() == "betting" and not rig.kinds()
    return {record["name"]: record["length"] for record in rig.records[before:]}


def test_a_clean_round_of_five_players_fits() -> None:
    found = sizes()
    key = found.pop("key")  # the close's own, decision CLOSE-RECORD
    assert sum(found.values()) <= FITS
    told = re.search(r"takes (\d+) bytes:", PAGE)
    assert told is not None and int(told[1]) == sum(found.values())
    words = {"round end": "round_end"}
    for name, size in re.findall(r"(lock|confirmed|deal|decisions|reveal|settlement|round end) (\d+)", PAGE)[:7]:
        assert found[words.get(name, name)] == int(size), name
    assert f"{key} to 49 more" in PAGE
