"""`sabot sim play` in a terminal of its own: a person deals a round by hand, in real time; content is judged."""

import pytest

from tests.e2e.live import Running, Terminal


@pytest.mark.campaign
def test_a_round_by_hand() -> None:
    with Terminal("sim", "play", "--seats", 2, "--seed", 3, columns=110, lines=36) as person:
        person.until("CLOSED")
        person.until("now: the table is closed: F opens it")
        person.type("O")
        person.until("key oui")
        person.until("oui does nothing here; the table is closed: F opens it")
        person.type(" ")
        person.until("stays in the shoe: the gate is shut; the table is closed: F")
        person.type("F")
        person.until("key fin")
        person.until("table idle")
        person.type("cards As Ad 7c Qs 3c 2c\r")
        person.until("cards As Ad 7c Qs 3c 2c")
        person.type("seat 1 ante 25.00\r")
        person.until("25.00 (1)")
        person.until("BETTING")
        person.type("wait 1\r")
        person.until("wait 1")
        person.type("R")
        person.until("gate open")
        person.type("  draw 4\r")  # the space bar draws two
        person.until("seat 1 As Ad")
        person.until("seat 1 As Ad 7c   dealer ?? ?? ??")
        person.until("DECIDING")
        person.type("seat 1 play 25.00\r")
        person.until("play 25.00")
        person.type("expect bar red\r")
        person.until("expect bar red: the bar is red")
        person.type("wait 1.5\rD")
        person.until("dealer Qs 3c 2c")
        person.until("settlement: round 1, bets [seat 1 ante win 25.00 $")
        person.until("SETTLING")
        person.type("take all from seat 2 ante\r")
        person.until("no: take all from seat 2 ante: chips cannot be taken")
        person.type("seat 9 ante 5.00\r")
        person.until("no: ")
        person.type("take all from seat 1 ante\rtake all from seat 1 play\rF")
        person.until("IDLE")
        person.type("?")
        person.until("F opens the table; bets: seat 1 ante 25.00")
        person.type("?")
        person.until("docs/scenarios.md has all")
        person.type("\x03")
        status, rest = person.wait()
        assert status == 0, rest
        assert "records pulled; verified" in rest and "agrees with every record" in rest
        assert "Traceback" not in rest


def test_the_end_in_the_middle_of_something_cuts_the_power() -> None:
    with Terminal("sim", "play", "--seats", 1) as person:
        person.until("CLOSED")
        person.type("F")
        person.until("IDLE")
        person.type("wait until bar red\r")
        person.type("\x03")
        status, rest = person.wait()
        assert status == 0, rest
        assert "records pulled; verified" in rest


@pytest.mark.parametrize("words", [("sim", "play"), ("sim", "demo", "--live")])
def test_it_needs_a_terminal(words: tuple[str, ...]) -> None:
    with Running(*words) as command:
        rest, errors = command.process.communicate(timeout=60)
        assert (command.process.returncode, rest) == (2, b"")
        assert b"[sim-no-terminal]" in errors


@pytest.mark.campaign
def test_the_live_demonstration() -> None:
    with Terminal("sim", "demo", "--game", "bataille", "--rounds", 1, "--speed", 20, columns=110, lines=36) as shown:
        for words in ("bataille with 7 seats", "BETTING", "DEALING", "DECIDING", "SETTLING"):
            shown.until(words)
        status, rest = shown.wait()
        assert status == 0, rest
        assert "bataille: 1 rounds at 7 seats" in rest
