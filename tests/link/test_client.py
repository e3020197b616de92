"""The host's client on the firmware's link: what it repeats and what it must not, and a cable that is pulled."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

from sabot.wire import messages as m
from sabot_host.errors import DeviceError, RefusedError, UsageError
from sabot_host.link.client import Client
from sabot_host.link.core import Prompt
from tests.link import board
from tests.link.board import CLOCK, KEYS, Controller
from tests.link.cable import Cable

THERE = [bytes([n]) * (50 + 37 * n % 900) for n in range(1, 60)]


@pytest.fixture
def cable() -> Cable:
    CLOCK.ms = 5000
    return Cable(Controller(list(THERE)))


def opened(cable: Cable, role: str = "auditor") -> Client:
    client = Client(cable)
    client.open()
    client.authenticate(role, KEYS[role])
    return client


def unplug(cable: Cable) -> None:
    cable.gone = True
    cable.controller.port.close()


def plug(cable: Cable) -> None:
    cable.gone = False
    cable.controller.port.open()


def test_status_head_and_acknowledge(cable: Cable) -> None:
    client = opened(cable)
    assert client.status()["ready"] is True
    assert client.head(b"n" * 16) == b"head" + b"n" * 16
    client.acknowledge(10)
    assert cable.controller.journal.acknowledged == 10


def test_records_and_progress(cable: Cable) -> None:
    told: list[tuple[int, int]] = []
    got = list(opened(cable).read_records(11, lambda sequence, last: told.append((sequence, last)), 20))
    assert got == THERE[10:20]
    assert told == [(sequence, 20) for sequence in range(11, 21)]


def test_records_to_the_last_one_there(cable: Cable) -> None:
    got = list(opened(cable).read_records(1))
    assert got[: len(THERE)] == THERE
    assert len(got) == cable.controller.journal.last


def test_one_reading_given_up_for_another(cable: Cable) -> None:
    client = opened(cable)
    for first in (5, 1, 40, 39, 41):
        some = client.read_records(first)
        assert [next(some), next(some), next(some)] == THERE[first - 1 : first + 2]
        client.status()  # more records come meanwhile


def test_staff_signs_on_with_its_own_key_or_the_supervisors(cable: Cable) -> None:
    client = opened(cable, "dealer")
    client.sign("dealer", 41, True)
    with pytest.raises(RefusedError) as caught:
        client.sign("supervisor", 7, True)
    assert caught.value.code == "link-not-authorised"
    client.authenticate("supervisor", KEYS["supervisor"])
    client.sign("supervisor", 7, True)
    client.sign("dealer", 41, False)
    assert cable.controller.app.table.signed == [(1, 41, True), (2, 7, True), (1, 41, False)]
    with pytest.raises(RefusedError) as caught:
        client.sign("dealer", 99, True)
    assert caught.value.code == "link-not-now"
    for arguments in (b"", b"\3\1\0\1", b"\1\0\0\1", b"\1\1\0\2"):
        with pytest.raises(RefusedError) as caught:
            client.call(m.C_SIGN, arguments)
        assert caught.value.code == "link-bad-arguments"


def test_the_supervisor_declares(cable: Cable) -> None:
    client = opened(cable, "supervisor")
    client.declare("keyed_bet", 0x10, 50000)
    assert cable.controller.app.table.declared == [("keyed_bet", 0x10, 50000, 2)]
    with pytest.raises(RefusedError) as caught:
        client.declare("dispute", 0x20)
    assert caught.value.code == "link-not-now"
    for arguments in (b"", bytes(6)):
        with pytest.raises(RefusedError) as caught:
            client.call(m.C_DECLARE, arguments)
        assert caught.value.code == "link-bad-arguments"


def test_a_role_is_needed_and_told(cable: Cable) -> None:
    client = Client(cable)
    client.open()
    for act in (lambda: client.head(b"n" * 16), lambda: client.acknowledge(1), lambda: client.void(1)):
        with pytest.raises(RefusedError) as caught:
            act()
        assert caught.value.code == "link-not-authorised"
    with pytest.raises(RefusedError) as caught:
        list(client.read_records(1))
    assert caught.value.code == "link-not-authorised"


@pytest.mark.parametrize("role", ["none", "owner", ""])
def test_a_role_that_is_none(cable: Cable, role: str) -> None:
    client = Client(cable)
    client.open()
    with pytest.raises(UsageError):
        client.authenticate(role, bytes(32))


def test_a_wrong_key_and_the_lock_out(cable: Cable) -> None:
    client = Client(cable)
    client.open()
    for _ in range(3):
        with pytest.raises(RefusedError) as caught:
            client.authenticate("auditor", b"wrong" * 6)
        assert caught.value.code == "link-wrong-key"
        assert "wrong" * 6 not in str(caught.value) + caught.value.hint
    with pytest.raises(RefusedError) as caught:
        client.authenticate("auditor", KEYS["auditor"])
    assert caught.value.code == "link-locked-out"
    assert "for another 2 s" in caught.value.message


def test_supervisor_and_technician(cable: Cable) -> None:
    client = opened(cable, "supervisor")
    client.resolve(7, 1, 500)
    with pytest.raises(RefusedError) as caught:
        client.resolve(8, 1)
    assert caught.value.code == "link-not-found"
    with pytest.raises(RefusedError) as caught:
        client.resolve(8, 200)
    assert caught.value.code == "link-bad-arguments"
    client.void(1)
    client.authenticate("technician", KEYS["technician"])
    client.set_time(1_700_000_000)
    assert cable.controller.app.table.resolved == [(7, 1, 500), (8, 1, 0)]
    assert cable.controller.app.clock.seconds == 1_700_000_000
    for absurd in (0, 1_500_000_000, (1 << 32) - 1):
        with pytest.raises(RefusedError) as caught:
            client.set_time(absurd)
        assert caught.value.code == "link-bad-arguments"
    assert cable.controller.app.clock.seconds == 1_700_000_000
    with pytest.raises(RefusedError) as caught:
        client.void(1)  # one role at a time
    assert caught.value.code == "link-not-authorised"


def test_a_controller_that_refused_to_start_answers_and_its_journal_is_read(cable: Cable) -> None:
    cable.controller.app.ready = False
    client = opened(cable)
    assert client.status()["ready"] is False
    assert next(client.read_records(1)) == THERE[0]
    client.authenticate("supervisor", KEYS["supervisor"])
    with pytest.raises(RefusedError) as caught:
        client.void(1)
    assert caught.value.code == "link-not-now"


def test_a_controller_without_a_journal_answers() -> None:
    cable = Cable(Controller())
    cable.controller.app.journal = None
    client = opened(cable)
    assert client.hello.last == 0
    assert client.status()["faults"] == {}
    for act in (lambda: client.head(b"n" * 16), lambda: client.acknowledge(1), lambda: list(client.read_records(1))):
        with pytest.raises(RefusedError) as caught:
            act()
        assert caught.value.code == "link-not-now"


def test_after_a_long_pause_the_session_is_opened_again_before_anything_is_asked(cable: Cable) -> None:
    client = opened(cable, "supervisor")
    cable.step(60_000)
    client.void(1)
    assert cable.controller.app.table.voids == 1


def test_a_void_whose_answer_is_lost_is_not_repeated(cable: Cable) -> None:
    client = opened(cable, "supervisor")
    cable.reads = False
    with pytest.raises(DeviceError) as caught:
        client.void(1)
    assert caught.value.code == "link-unsure"
    cable.reads = True
    cable.step(10_000)
    assert cable.controller.app.table.voids == 1
    client.void(1)
    assert cable.controller.app.table.voids == 2


def test_what_does_no_harm_is_repeated(cable: Cable) -> None:
    client = opened(cable)
    asked = len(cable.sent)
    read = cable.take

    def deaf(most: int = 256) -> bytes:
        data = read(most)
        return b"" if len(cable.sent) < asked + 12 else data

    cable.take = deaf  # type: ignore[method-assign]
    assert client.head(b"n" * 16) == b"head" + b"n" * 16
    cable.take = read  # type: ignore[method-assign]
    client.acknowledge(3)  # the role was proved again


@pytest.mark.parametrize("at", [0, 1, 7, 30, 58])
def test_a_pull_goes_on_after_the_cable_was_out(cable: Cable, at: int) -> None:
    client = opened(cable)
    got = []
    for record in client.read_records(1, last=len(THERE)):
        got.append(record)
        if len(got) == at + 1 and not cable.reopened:
            unplug(cable)
            back = CLOCK.ms + 4000
            step = cable.step

            def wait(ms: int = 1, step: Any = step, back: int = back) -> None:
                step(ms)
                if cable.gone and CLOCK.ms >= back:
                    plug(cable)

            cable.step = wait  # type: ignore[method-assign]
    assert got == THERE
    assert cable.reopened == (at < len(THERE) - 1)


def test_a_pull_goes_on_after_the_controller_started_again(cable: Cable) -> None:
    client = opened(cable)
    got = []
    for record in client.read_records(1, last=len(THERE)):
        got.append(record)
        if len(got) == 20:
            cable.controller.restart()
    assert got == THERE


def test_a_cable_that_stays_out_is_an_error(cable: Cable) -> None:
    client = opened(cable)
    records = client.read_records(1)
    next(records)
    unplug(cable)
    with pytest.raises(DeviceError) as caught:
        list(records)
    assert caught.value.code == "port-gone"


def test_records_that_another_pull_acknowledged_away_are_a_gap(cable: Cable) -> None:
    client = opened(cable)
    records = client.read_records(1)
    next(records)
    cable.controller.journal.first = 30
    with pytest.raises(DeviceError) as caught:
        list(records)
    assert caught.value.code == "link-gap"
    with pytest.raises(RefusedError) as refused:
        list(client.read_records(1))
    assert refused.value.code == "link-not-found"


@pytest.mark.parametrize("damaged", [1, 5])
def test_a_damaged_record_ends_a_pull(cable: Cable, damaged: int) -> None:
    client = opened(cable)
    cable.controller.journal.damaged = damaged
    got = []
    with pytest.raises(RefusedError) as caught:
        for record in client.read_records(1):
            got.append(record)
    assert caught.value.code == "link-failed"
    assert got == THERE[: damaged - 1]
    assert client.status()["ready"] is True


def test_what_is_not_there_is_told(cable: Cable) -> None:
    client = opened(cable)
    last = cable.controller.journal.last
    for act in (
        lambda: list(client.read_records(0)),
        lambda: list(client.read_records(last + 2)),
        lambda: client.acknowledge(last + 1),
    ):
        with pytest.raises(RefusedError) as caught:
            act()
        assert caught.value.code == "link-not-found"
    assert list(client.read_records(last + 1)) == []
    assert cable.controller.journal.acknowledged == 0


def test_a_reply_that_is_too_long_is_refused(cable: Cable) -> None:
    client = Client(cable)
    client.open()
    cable.controller.app.filler = "x" * 8100
    assert len(client.status()["filler"]) == 8100
    cable.controller.app.filler = "x" * m.MAX_REPLY
    with pytest.raises(RefusedError) as caught:
        client.status()
    assert caught.value.code == "link-failed"


def test_long_names_are_cut_in_the_hello(cable: Cable) -> None:
    cable.controller.app.version = "v" * 100
    cable.controller.app.game_id = "g" * 100
    hello = Client(cable).open()
    assert (hello.version, hello.game) == ("v" * m.MAX_TEXT, "g" * m.MAX_TEXT)


def test_prompts_reach_the_host_while_it_waits(cable: Cable) -> None:
    told: list[Prompt] = []
    client = Client(cable, told.append)
    client.open()
    cable.controller.link.prompt(2, 17, 500)
    client.status()
    assert told == [Prompt(2, 17, 500)]


def test_silence_and_garbage_are_two_errors(cable: Cable) -> None:
    turn = cable.controller.run
    cable.controller.run = lambda: None  # type: ignore[method-assign]
    with pytest.raises(DeviceError) as caught:
        Client(cable).open()
    assert caught.value.code == "link-silent"
    cable.controller.run = lambda: cable.controller.port.fifo.extend(b"\x7e\x81\0")  # type: ignore[method-assign]
    with pytest.raises(DeviceError) as caught:
        Client(cable).open()
    assert caught.value.code == "link-garbage"
    cable.controller.run = turn  # type: ignore[method-assign]
    cable.controller.port.fifo.clear()
    Client(cable).open()


def test_another_protocol_is_refused_in_one_sentence(cable: Cable, monkeypatch: pytest.MonkeyPatch) -> None:
    later = ModuleType("messages")
    later.__dict__.update(m.__dict__)
    later.__dict__["PROTOCOL"] = 2
    monkeypatch.setattr(board.link, "m", later)
    with pytest.raises(RefusedError) as caught:
        Client(cable).open()
    assert caught.value.code == "link-version"
    assert caught.value.message == "the controller (version 0.1.0) speaks protocol 2 of the link, this tool 1"


def test_other_records_are_refused_in_one_sentence(cable: Cable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sabot_host.link.client.FORMAT", 9)
    with pytest.raises(RefusedError) as caught:
        Client(cable).open()
    assert caught.value.code == "link-records"
    assert caught.value.message == "the controller (version 0.1.0) writes records of format 3, this tool reads 9"


def test_the_client_says_goodbye(cable: Cable) -> None:
    client = opened(cable)
    client.close()
    cable.step(20)
    assert not cable.controller.link.up
