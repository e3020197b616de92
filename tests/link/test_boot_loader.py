"""A technician sends the controller to its boot loader: never out of a round, and when the session is over."""

from __future__ import annotations

import pytest

from sabot.wire import messages as m
from tests.link.board import CLOCK, Controller
from tests.link.raw import RawHost

RECORD = [{"by": 3}]


@pytest.fixture
def host() -> RawHost:
    CLOCK.ms = 5000
    host = RawHost(Controller())
    host.begin()
    return host


def asked(host: RawHost) -> int:
    host.ask(m.C_BOOT_LOADER)
    return host.reply()[0]


@pytest.mark.parametrize("state", ["closed", "idle"])
def test_it_leaves_when_the_host_says_goodbye(host: RawHost, state: str) -> None:
    host.controller.app.table.state = state
    host.prove("technician")
    assert asked(host) == m.OK
    host.frames(500)
    assert host.controller.app.left == 0  # the answer is still to be read
    host.say(m.H_BYE)
    host.frames()
    assert host.controller.app.left == 1
    assert host.controller.journal.named("boot_loader") == RECORD


def test_it_leaves_when_the_host_is_silent(host: RawHost) -> None:
    host.prove("technician")
    assert asked(host) == m.OK
    host.frames(m.LOST_MS + 100)
    assert host.controller.app.left == 1


@pytest.mark.parametrize("role", ["dealer", "supervisor", "auditor", ""])
def test_no_other_role_sends_it_away(host: RawHost, role: str) -> None:
    if role:
        host.prove(role)
    assert asked(host) == m.NOT_AUTHORISED
    host.say(m.H_BYE)
    host.frames()
    assert host.controller.app.left == 0


@pytest.mark.parametrize("state", ["opening", "betting", "last_bets", "locked", "dealing", "settling", "suspended"])
def test_a_table_in_play_does_not_leave(host: RawHost, state: str) -> None:
    host.controller.app.table.state = state
    host.prove("technician")
    assert asked(host) == m.NOT_NOW
    assert host.controller.journal.named("boot_loader") == []
    host.say(m.H_BYE)
    host.frames()
    assert host.controller.app.left == 0


def test_a_bet_that_comes_before_the_goodbye_keeps_it_for_good(host: RawHost) -> None:
    table = host.controller.app.table
    host.prove("technician")
    assert asked(host) == m.OK
    table.state = "betting"
    host.say(m.H_BYE)
    host.frames()
    table.state = "idle"
    host.begin(b"nonce  2")
    host.say(m.H_BYE)
    host.frames()
    assert host.controller.app.left == 0


def test_nothing_leaves_without_its_record(host: RawHost) -> None:
    host.prove("technician")
    host.controller.journal.full = True
    assert asked(host) == m.NOT_NOW


def test_a_controller_that_refused_to_start_may_be_sent_away(host: RawHost) -> None:
    app = host.controller.app
    app.table, app.journal = None, None  # type: ignore[assignment]
    host.prove("technician")
    assert asked(host) == m.OK
    host.say(m.H_BYE)
    host.frames()
    assert app.left == 1


def test_arguments_are_refused(host: RawHost) -> None:
    host.prove("technician")
    host.ask(m.C_BOOT_LOADER, b"\0")
    assert host.reply()[0] == m.BAD_ARGUMENTS
