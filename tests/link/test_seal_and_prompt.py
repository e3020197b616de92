"""A technician seals a controller, two people unseal it; a prompt shows only unsealed and out of play."""

from __future__ import annotations

import pytest

from sabot.wire import messages as m
from tests.link.board import CLOCK, Controller
from tests.link.raw import RawHost

ON, OFF = b"\1", b"\0"
PUT_ON = {"on": 1, "by": 3, "second": 0, "settings": b"settings"}
TAKEN_OFF = {"on": 0, "by": 3, "second": 2, "settings": b"settings"}


@pytest.fixture
def host() -> RawHost:
    CLOCK.ms = 5000
    host = RawHost(Controller())
    host.begin()
    return host


def asked(host: RawHost, command: int, arguments: bytes = b"") -> int:
    host.ask(command, arguments)
    return host.reply()[0]


def prove_both(host: RawHost) -> None:
    host.prove("supervisor")
    host.prove("technician")


def test_a_technician_seals_and_two_people_unseal(host: RawHost) -> None:
    host.prove("technician")
    assert asked(host, m.C_SEAL, ON) == m.OK
    assert host.controller.app.sealed
    assert asked(host, m.C_SEAL, ON) == m.OK  # it is on already
    assert asked(host, m.C_SEAL, OFF) == m.NOT_AUTHORISED
    prove_both(host)
    assert asked(host, m.C_SEAL, OFF) == m.OK
    assert not host.controller.app.sealed
    assert host.controller.journal.named("seal") == [PUT_ON, TAKEN_OFF]


@pytest.mark.parametrize("roles", [("supervisor",), ("technician", "supervisor"), ("dealer", "technician"), ()])
def test_nobody_else_unseals(host: RawHost, roles: tuple[str, ...]) -> None:
    host.controller.app.sealed = True
    for role in roles:
        host.prove(role)
    assert asked(host, m.C_SEAL, OFF) == m.NOT_AUTHORISED
    assert host.controller.app.sealed


def test_the_supervisor_s_proof_is_of_its_session_and_of_a_right_key_after_it(host: RawHost) -> None:
    host.controller.app.sealed = True
    host.prove("supervisor")
    host.say(m.H_BYE)
    host.begin(b"nonce  2")
    host.prove("technician")
    assert asked(host, m.C_SEAL, OFF) == m.NOT_AUTHORISED
    host.prove("supervisor")
    host.ask(m.C_AUTH_BEGIN, b"\3")
    host.reply()
    host.ask(m.C_AUTH, b"\3" + bytes(32))
    assert host.reply()[0] == m.NOT_AUTHORISED
    host.prove("technician")
    assert asked(host, m.C_SEAL, OFF) == m.NOT_AUTHORISED


@pytest.mark.parametrize("role", ["dealer", "supervisor", "auditor", ""])
@pytest.mark.parametrize(("command", "arguments"), [(m.C_SEAL, ON), (m.C_PROMPT, b"")])
def test_no_other_role_seals_or_reaches_the_prompt(host: RawHost, role: str, command: int, arguments: bytes) -> None:
    if role:
        host.prove(role)
    assert asked(host, command, arguments) == m.NOT_AUTHORISED


@pytest.mark.parametrize("state", ["opening", "betting", "last_bets", "locked", "dealing", "settling", "suspended"])
@pytest.mark.parametrize(("command", "arguments"), [(m.C_SEAL, ON), (m.C_PROMPT, b"")])
def test_not_in_play(host: RawHost, state: str, command: int, arguments: bytes) -> None:
    host.controller.app.table.state = state
    host.prove("technician")
    assert asked(host, command, arguments) == m.NOT_NOW
    assert host.controller.journal.named("seal") == host.controller.journal.named("prompt") == []


def test_published_keys_are_not_sealed(host: RawHost) -> None:
    host.controller.app.published = True
    host.prove("technician")
    assert asked(host, m.C_SEAL, ON) == m.PUBLISHED
    assert not host.controller.app.sealed


def test_nothing_is_done_without_its_record(host: RawHost) -> None:
    host.prove("technician")
    host.controller.journal.full = True
    assert asked(host, m.C_SEAL, ON) == asked(host, m.C_PROMPT) == m.NOT_NOW
    host.controller.app.journal = None
    assert asked(host, m.C_SEAL, ON) == asked(host, m.C_PROMPT) == m.NOT_NOW


def test_a_controller_that_refuses_to_play_is_not_sealed_but_is_unsealed(host: RawHost) -> None:
    app = host.controller.app
    app.ready = False
    app.table = None  # type: ignore[assignment]
    host.prove("technician")
    assert asked(host, m.C_SEAL, ON) == m.NOT_NOW
    app.sealed = True
    prove_both(host)
    assert asked(host, m.C_SEAL, OFF) == m.OK


@pytest.mark.parametrize("command", [m.C_PROMPT, m.C_BOOT_LOADER])
def test_a_sealed_controller_goes_nowhere(host: RawHost, command: int) -> None:
    app = host.controller.app
    app.sealed = True
    host.prove("technician")
    assert asked(host, command) == m.SEALED
    host.say(m.H_BYE)
    host.frames()
    assert (app.left, app.prompted) == (0, 0)


def test_the_prompt_shows_when_the_host_says_goodbye(host: RawHost) -> None:
    host.prove("technician")
    assert asked(host, m.C_PROMPT) == m.OK
    host.frames(500)
    assert host.controller.app.prompted == 0
    host.say(m.H_BYE)
    host.frames()
    assert (host.controller.app.prompted, host.controller.app.left) == (1, 0)
    assert host.controller.journal.named("prompt") == [{"by": 3}]


def test_sealed_between_request_and_goodbye_it_stays(host: RawHost) -> None:
    host.prove("technician")
    assert asked(host, m.C_PROMPT) == m.OK
    assert asked(host, m.C_SEAL, ON) == m.OK
    host.say(m.H_BYE)
    host.frames()
    assert host.controller.app.prompted == 0


@pytest.mark.parametrize("arguments", [b"", b"\2", b"\1\1"])
def test_arguments_are_refused(host: RawHost, arguments: bytes) -> None:
    host.prove("technician")
    assert asked(host, m.C_SEAL, arguments) == m.BAD_ARGUMENTS
    assert asked(host, m.C_PROMPT, b"\0") == m.BAD_ARGUMENTS
