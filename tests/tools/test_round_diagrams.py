"""docs/round.md is as old as the tables it is drawn from, and a change of the tables shows."""

import pytest

from tools import round_diagrams


def test_the_page_is_up_to_date() -> None:
    page = (round_diagrams.ROOT / round_diagrams.PAGE).read_text(encoding="utf-8")
    assert round_diagrams.drawn(page) == page


def test_a_new_transition_makes_the_page_stale(monkeypatch: pytest.MonkeyPatch) -> None:
    page = (round_diagrams.ROOT / round_diagrams.PAGE).read_text(encoding="utf-8")
    table, names = round_diagrams.MACHINES["seat"]
    monkeypatch.setitem(round_diagrams.MACHINES, "seat", ((*table, ("leap", ("empty",), "done")), names))
    assert "empty --> done: leap" in round_diagrams.drawn(page)
    assert round_diagrams.drawn(page) != page


def test_a_missing_marker_is_told() -> None:
    with pytest.raises(ValueError, match="seat"):
        round_diagrams.drawn("<!-- table begin: written by make docs --><!-- table end -->")


def test_every_transition_is_drawn() -> None:
    for table, names in round_diagrams.MACHINES.values():
        text = round_diagrams.mermaid(table, names)
        for trigger, sources, _ in table:
            for source in sources:
                assert any(
                    line.startswith(f"    {source} --> ") and trigger in line.split(": ")[1].split(", ")
                    for line in text.splitlines()
                )
