"""The watcher on the firmware's link, over cables that lose, flip, cut, repeat, slow down, vanish and come back."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from sabot.wire.records import build, code_of, pack_fields
from sabot_host.errors import RefusedError
from sabot_host.monitor.watcher import GONE, OPENING, SILENT, UP, Watcher
from tests.link.board import CLOCK, KEYS, Controller
from tests.link.cable import Cable, Faults
from tests.link.test_lossy_cable import KINDS

LONGEST_TURN_MS = 60


@pytest.fixture(autouse=True)
def _from_zero() -> None:
    CLOCK.ms = 0


def nonces(seed: int) -> Callable[[], bytes]:
    rng = random.Random(seed)
    return lambda: rng.randbytes(8)


def watcher(cable: Cable, key: bytes | None = None) -> Watcher:
    return Watcher(cable, key, nonces=nonces(1))


def run(watching: Watcher, ms: int) -> None:
    """Turn for that long; no turn may take longer than its slice, or than one look for a cable that is gone."""
    end = CLOCK.ms + ms
    while CLOCK.ms < end:
        before = CLOCK.ms
        watching.turn()
        assert CLOCK.ms - before <= (LONGEST_TURN_MS if watching.link != GONE else 260)


def texts(watching: Watcher) -> list[str]:
    return [note.text for note in watching.notes]


def test_views_come_twice_a_second_with_everything_in_them() -> None:
    controller = Controller()
    watching = watcher(Cable(controller))
    assert watching.link == OPENING and watching.picture is None
    run(watching, 10_000)
    picture = watching.picture
    assert watching.link == UP and picture is not None and watching.sessions == 1
    assert 18 <= controller.app.table.views <= 22
    assert picture.round == controller.app.table.views
    assert (picture.state, picture.gate, picture.lines) == ("betting", True, ("FAITES VOS JEUX", "P1 25 $"))
    assert [(spot.seat, spot.bet, spot.chips, spot.seen) for spot in picture.spots] == [
        (1, "ante", 2, 100 * picture.round)
    ]
    assert watching.age_ms() <= 600
    assert texts(watching)[:2] == ["connected: table 12, version 0.1.0", "table betting, round 1"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(4))
def test_no_harm_to_the_cable_ends_it(kind: str, seed: int) -> None:
    controller = Controller(seed=seed)
    cable = Cable(controller, Faults(seed, **KINDS[kind]), Faults(seed + 1, **KINDS[kind]))
    watching = watcher(cable, KEYS["auditor"])
    seen = 0
    for _ in range(12):
        run(watching, 10_000)
        assert watching.link in (OPENING, UP, SILENT)
        assert watching.picture is not None, "within ten seconds something has come through"
        assert watching.picture.round > seen, "and again in each ten seconds"
        seen = watching.picture.round


def test_a_slow_cable_only_makes_it_slower() -> None:
    """600 bytes a second: a quarter of what one view a slice would need."""

    class Slow(Cable):
        credit = 0.0

        def take(self, most: int = 0) -> bytes:
            self.credit = min(self.credit + 0.6, 64)
            count = int(self.credit)
            self.credit -= count
            return super().take(count) if count else b""

    controller = Controller()
    watching = watcher(Slow(controller))
    run(watching, 30_000)
    assert watching.link == UP and watching.sessions == 1
    assert controller.app.table.views >= 30


def test_a_cable_that_is_pulled_and_comes_back() -> None:
    controller = Controller()
    cable = Cable(controller)
    watching = watcher(cable)
    run(watching, 2_000)
    assert watching.picture is not None
    seen = watching.picture.round
    cable.gone = True
    run(watching, 8_000)
    assert watching.link == GONE
    assert watching.picture.round == seen and watching.age_ms() > 7_000, "what was seen last stays, with its age"
    assert texts(watching).count("the cable is gone: looking for it again") == 1, "told once"
    controller.restart()
    controller.journal.boot += 1
    cable.gone = False
    run(watching, 2_000)
    assert watching.link == UP and watching.picture.round > seen
    assert [text for text in texts(watching) if "betting" not in text][-3:] == [
        "the cable is back",
        "the controller has started again: boot 4",
        "connected again: table 12, version 0.1.0",
    ]


def test_a_controller_that_hangs_and_wakes_up_again() -> None:
    controller = Controller()
    cable = Cable(controller)
    watching = watcher(cable)
    run(watching, 2_000)
    turn, controller.run = controller.run, lambda: None  # type: ignore[method-assign]
    run(watching, 6_000)
    assert watching.link == SILENT
    assert any(text.startswith("the session broke (the controller fell silent)") for text in texts(watching))
    controller.run = turn  # type: ignore[method-assign]
    run(watching, 3_000)
    assert watching.link == UP and watching.age_ms() <= 600


def test_nobody_answers() -> None:
    controller = Controller()
    controller.run = lambda: None  # type: ignore[method-assign]
    watching = watcher(Cable(controller))
    run(watching, 30_000)
    assert watching.link == OPENING and watching.picture is None
    assert texts(watching) == ["no answer yet: is it a controller's port? trying on"]
    assert watching.age_ms() >= 30_000


def test_records_are_told_with_a_key_each_once_from_the_last_dozen_on() -> None:
    code = code_of("round_end")
    there = [
        bytes(build(code, number, 3, 0, 0, 0, 0, pack_fields(code, {"round": number, "rounds": number})))
        for number in range(1, 31)
    ]
    controller = Controller(there)
    cable = Cable(controller)
    watching = watcher(cable, KEYS["auditor"])
    run(watching, 3_000)
    cable.gone = True
    run(watching, 500)
    cable.gone = False
    run(watching, 3_000)
    told = [text for text in texts(watching) if "round_end" in text]
    assert told == [f"{number} round_end: round {number}, rounds {number}" for number in range(20, 31)]
    assert not any("table betting" in text for text in texts(watching)), "the records tell the course of the round"


def test_prompts_are_told_and_looked_at_at_once() -> None:
    controller = Controller()
    watching = watcher(Cable(controller))
    run(watching, 1_250)
    views = controller.app.table.views
    controller.link.prompt(9, 0x10, 2500)
    run(watching, 100)
    assert "the dealer is asked: pay seat 1 ante 25.00" in texts(watching)
    assert controller.app.table.views == views + 1


def test_faults_and_refusals_are_told_once_and_their_end() -> None:
    controller = Controller()
    watching = watcher(Cable(controller))
    run(watching, 1_000)
    controller.app.faults["reader 2"] = "no_answer"
    controller.app.fault = ("configuration", "limits are wrong")
    controller.journal.full = True
    run(watching, 2_000)
    del controller.app.faults["reader 2"]
    run(watching, 1_000)
    assert [text for text in texts(watching) if "table" not in text] == [
        "fault: reader 2: no_answer",
        "the controller refuses to play: configuration",
        "the journal is full: pull and acknowledge it",
        "fault is over: reader 2: no_answer",
    ]


def test_a_wrong_key_is_an_error() -> None:
    watching = watcher(Cable(Controller()), bytes(range(1, 33)))
    with pytest.raises(RefusedError) as refused:
        run(watching, 3_000)
    assert refused.value.code == "link-wrong-key"


def test_closing_ends_the_session_at_once() -> None:
    controller = Controller()
    cable = Cable(controller)
    watching = watcher(cable)
    run(watching, 1_000)
    assert controller.link.up
    watching.close()
    cable.step(50)
    assert not controller.link.up
    cable.gone = True
    watching.close()  # a cable that is gone is no matter any more
