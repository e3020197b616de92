"""The screen of the monitor: everything that is told is drawn, on the smallest terminal."""

from dataclasses import replace

import pytest
from rich.console import Console

from hwsim.provisioning import configuration
from sabot.rules.games import GAMES
from sabot_host.monitor.picture import LAMPS, Issue, Picture, Seat, Spot
from sabot_host.monitor.screen import SIGNS, Title, render

TITLE = Title("Table 12: boston, version 0.1.0", "connected; seen 0.2 s ago", "green")


def full(game: str) -> Picture:
    """Seven seats with chips on every spot."""
    places = [spot for reader in configuration(game, 7)["readers"] for spot in reader if spot is not None]
    return Picture(
        ready=True,
        full=False,
        last=77,
        refused="",
        faults=(),
        lines=("RIEN NE VA PLUS", "P1 25 $     P2 10 $", "", "", "", "", "P3 DÉCIDE?", "ÀÉÈÊÇ|[]{}&%$#@!*+-=:"),
        state="locked",
        gate=True,
        round=41,
        bar="locked",
        seats=tuple(Seat(number, "in", number == 3) for number in range(1, 8)),
        spots=tuple(
            Spot(seat, bet, "locked", LAMPS[index % len(LAMPS)], 1 + index % 9, 1000 + 25 * index, 1000 + 25 * index)
            for index, (seat, bet) in enumerate(places)
        ),
    )


def drawn(picture: Picture | None, events: list[str], columns: int = 80, lines: int = 24) -> list[str]:
    console = Console(width=columns, height=lines, markup=False, highlight=False, force_terminal=False)
    with console.capture() as captured:
        console.print(render(picture, TITLE, events, lines))
    return captured.get().splitlines()


@pytest.mark.parametrize("game", GAMES)
def test_a_full_table_fits_eighty_columns_and_twenty_four_lines(game: str) -> None:
    picture = full(game)
    shown = drawn(picture, [f"event {number}" for number in range(50)])
    assert len(shown) <= 24 and all(len(line) <= 80 for line in shown)
    text = "\n".join(shown)
    for spot in picture.spots:
        amount = f"{SIGNS[spot.lamp][0]} {spot.seen // 100}.{spot.seen % 100:02d} ({spot.chips})"
        assert amount in text, spot
    for line in picture.lines:
        assert line in text
    assert "LOCKED" in text and "round 41" in text and "gate open" in text and "HELD" in text
    assert "event 49" in text and "event 30" not in text, "the last events, as many as there is room for"
    assert "event 30" in "\n".join(drawn(picture, [f"event {number}" for number in range(50)], lines=50))


def test_signs_alone_say_what_a_lamp_is() -> None:
    assert set(SIGNS) == set(LAMPS)
    assert len({sign for sign, _ in SIGNS.values()}) == len(SIGNS)


def test_what_is_wrong_stands_under_the_table() -> None:
    issues = tuple(Issue(number, "late", 2, number % 7 + 1, "ante") for number in range(1, 10))
    picture = replace(full("three_card"), issues=issues, faults=("reader 2: no_answer",), full=True)
    text = "\n".join(drawn(picture, ["an event"], lines=40))
    assert "1: late at seat 2 ante, severity 2" in text and "... and 6 more" in text
    text = "\n".join(drawn(replace(picture, issues=issues[:1]), ["an event"], lines=40))
    assert "reader 2: no_answer" in text and "the journal is full" in text and "an event" in text


def test_an_amount_that_is_not_the_locked_one_shows_both() -> None:
    picture = full("three_card")
    picture = replace(picture, spots=(replace(picture.spots[0], locked=700),))
    assert "locked 7.00" in "\n".join(drawn(picture, [], columns=120, lines=40))


def test_before_anything_is_known_and_when_it_does_not_play() -> None:
    assert any("connected; seen" in line for line in drawn(None, ["an event"]))
    picture = Picture(False, False, 0, "configuration", ("configuration 0: limits",), ())
    text = "\n".join(drawn(picture, []))
    assert "does not play: configuration" in text and "configuration 0: limits" in text
