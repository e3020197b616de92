"""The self-test of a closed table: each part asked who it is, each antenna how well it reads, and what is sick told."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from hwsim.chips.pn5180_failures import FAILURES
from hwsim.core import NS_PER_MS
from hwsim.provisioning import DEVELOPMENT_KEYS
from hwsim.table import VirtualCable
from sabot.wire import messages as m
from sabot.wire.codes import KEYS
from sabot_host.errors import RefusedError
from sabot_host.link.client import Client
from sabot_host.sim.pytest_plugin import TestTable
from tests.sampled import sampled

Make = Callable[..., TestTable]
TRIES = 20
SECONDS = 60
STUCK = (("high", "absent"), ("low", "stuck"))


def asked(table: TestTable, role: str = "technician", tries: int = TRIES) -> list[Any]:
    client = Client(VirtualCable(table.table))
    client.open()
    try:
        client.authenticate(role, DEVELOPMENT_KEYS[role])
        client.call(m.C_SELF_TEST, bytes((tries,)))
        for _ in range(SECONDS):
            table.table.run_for(1000)
            try:
                return list(json.loads(client.call(m.C_SELF_TEST, b"\0")))
            except RefusedError as error:
                assert error.code == "link-not-now", error
        raise AssertionError("the self-test does not end")
    finally:
        client.close()


BETS = "power on\nwait 2.0\nseat 1 ante 25.00\nseat 2 ante 25.00\nwait 1.0\n"
FINDS = ("tries", "stopped", "chips", "held", "lamps", "readers", "antennas", "outliers", "shoe")
PLACES = [0x10, 0x11, 0x12, 0x20, 0x21, 0x22]


def named(found: list[Any]) -> dict[str, Any]:
    return dict(zip(FINDS, found, strict=True))


def test_a_sound_table_says_so_and_plays_on(table: TestTable) -> None:
    table.play(BETS)
    found = named(asked(table))
    assert found == {
        "tries": TRIES,
        "stopped": "",
        "chips": [""] * 5,
        "held": [],
        "lamps": len(PLACES) + 1,
        "readers": ["4.0"],
        "antennas": [
            [number, place, int(place & 15 == 0), TRIES, TRIES * (place & 15 == 0), 0]
            for number, place in enumerate(PLACES)
        ],
        "outliers": [],
        "shoe": ["4.0", 0, 0, 0, 0, []],
    }
    record = table.records("tested")[0]
    assert (record.fields["faults"], [tuple(row.values()) for row in record.rows]) == (
        0,
        [(number, int(place & 15 == 0), 100 * (place & 15 == 0)) for number, place in enumerate(PLACES)],
    )
    table.play("open the table\nwait 1.0\npress rnvp\nexpect lock seat 1 ante amount 25.00, seat 2 ante amount 25.00")
    assert table.table.controller.restarts == 0
    assert not table.records("irregularity")


def test_a_weak_antenna_and_a_noisy_one_stand_out(table: TestTable) -> None:
    table.play(
        BETS + "seat 1 pair_plus 5.00\nwait 1.0\nlose 40 % of answers at seat 1 ante\nnoise at seat 2 play for 60"
    )
    found = named(asked(table))
    rates = {row[1]: (row[4], row[5]) for row in found["antennas"] if row[2]}
    assert rates[0x20] == rates[0x11] == (TRIES, 0)
    assert TRIES // 4 < rates[0x10][0] < TRIES * 9 // 10
    noisy = next(row for row in found["antennas"] if row[1] == 0x22)
    assert noisy[2] == 0 and noisy[5] > TRIES // 2
    assert found["outliers"] == [0, 5]


@pytest.mark.parametrize("how", sampled(FAILURES, ["high", "low"]))
def test_a_sick_reader_is_named_and_nothing_hangs(make_table: Make, how: str) -> None:
    """Its lines stuck high (nobody drives the bus) and low are told apart; the other reader is tested all the same."""
    readers = [[[seat, bet] for bet in ("ante", "play", "pair_plus")] for seat in (1, 2)]
    table = make_table(config={"readers": readers})
    table.play(BETS)
    table.table.hardware.readers[0].fail(how)
    table.play("wait 3.0")
    found = named(asked(table))
    sick, sound = found["readers"]
    assert sound == "4.0" and sick != "4.0"
    assert (how, sick) in STUCK or how not in dict(STUCK)
    assert [row[1] >> 4 for row in found["antennas"] if row[1]] == [2, 2, 2]
    table.table.hardware.readers[0].fail("")
    table.play("expect fault_cleared part reader\nwait 2.0")
    assert named(asked(table))["readers"] == ["4.0", "4.0"]
    assert table.table.controller.restarts == 0


@pytest.mark.parametrize(("how", "code"), sampled(STUCK, [("low", "stuck")]))
def test_a_reader_that_fails_as_the_test_begins_is_named_as_what_it_has(
    make_table: Make, monkeypatch: pytest.MonkeyPatch, how: str, code: str
) -> None:
    """In a visit that does not end: the table finds out while the test waits for the next."""
    readers = [[[seat, bet] for bet in ("ante", "play", "pair_plus")] for seat in (1, 2)]
    table = make_table(config={"readers": readers, "couples_with": [[1, 2]]})
    table.play(BETS)
    call = Client.call
    antenna = table.table.spot(1, "play")

    def failing(client: Client, command: int, arguments: bytes = b"") -> bytes:
        if arguments == bytes((TRIES,)):
            assert table.table.run_while(lambda: not antenna.field_on, 1000)
            table.table.hardware.readers[0].fail(how)
        return call(client, command, arguments)

    monkeypatch.setattr(Client, "call", failing)
    assert named(asked(table))["readers"] == [code, "4.0"]
    assert [entry.fields["detail"] for entry in table.records("fault")] == [code]


@pytest.mark.parametrize(("how", "code"), sampled(STUCK, [("low", "stuck")]))
def test_a_reader_that_fails_under_test_is_named_as_what_its_start_finds(make_table: Make, how: str, code: str) -> None:
    """Not as what it had first: a field that does not come, an answer that is none."""
    readers = [[[seat, bet] for bet in ("ante", "play", "pair_plus")] for seat in (1, 2)]
    table = make_table(config={"readers": readers, "couples_with": [[1, 2]]})
    table.play(BETS)
    reader = table.table.hardware.readers[0]
    begun: list[int] = []

    def field(on: bool) -> None:
        begun.append(table.table.now)
        if begun[-1] - begun[0] > 100 * NS_PER_MS:  # no visit takes so long
            antenna.on_field = None
            table.table.scheduler.after(1, lambda: reader.fail(how))
        elif not on:
            begun.clear()

    antenna = table.table.spot(1, "play")
    antenna.on_field = field
    found = named(asked(table))
    assert antenna.on_field is None
    assert found["readers"] == [code, "4.0"]


def test_sick_chips_and_a_key_that_is_down_are_named(table: TestTable) -> None:
    table.play(BETS + "clock stops\nclock goes again\nbreak display\nhold p3")
    found = named(asked(table))
    assert found["chips"] == ["", "", "", "stopped", "absent"]
    assert found["held"] == [KEYS.index("p3")]
    assert table.records("tested")[0].fields["faults"] == 2


def test_the_expanders_line_is_pulled_by_each_and_what_does_not_follow_is_named(table: TestTable) -> None:
    """Before anybody has pressed a key; and a table whose line is sound hears its keys as before."""
    table.play(BETS)
    hardware = table.table.hardware
    hardware.interrupt_taps[1].broken = True
    assert named(asked(table))["chips"] == ["", "", "interrupt lost", "", ""]
    hardware.interrupt_taps[1].broken = False
    assert named(asked(table))["chips"] == [""] * 5
    short = hardware.interrupt.tap("short")
    short.drive(0)
    assert named(asked(table))["chips"] == ["", "interrupt low", "interrupt low", "", ""]
    short.drive(1)
    assert [record.fields["faults"] for record in table.records("tested")] == [1, 0, 2]
    table.play("wait 1\nopen the table\nwait 1.0\npress rnvp\nexpect lock seat 1 ante amount 25.00")
    assert table.table.controller.restarts == 0 and not table.records("irregularity")


@pytest.mark.parametrize(("dead", "said"), [(False, ""), (True, "absent")])
def test_the_badge_reader_is_asked_where_one_is_fitted(make_table: Make, dead: bool, said: str) -> None:
    table = make_table(config={"badge_reader": True})
    table.play(
        "power on\nwait 2.0\n" + ("break badge reader\nexpect fault part badge_reader within 20\n" if dead else "")
    )
    assert named(asked(table))["chips"] == [""] * 5 + [said]


def test_it_is_refused_to_others_and_in_play(table: TestTable) -> None:
    table.play(BETS)
    for role in ("dealer", "supervisor", "auditor"):
        with pytest.raises(RefusedError, match="role"):
            asked(table, role)
    with pytest.raises(RefusedError, match="arguments"):
        asked(table, tries=101)
    table.table.press("fin")
    table.table.run_for(1000)
    with pytest.raises(RefusedError, match="present state"):
        asked(table)


def test_a_table_that_is_opened_meanwhile_is_left_alone(table: TestTable) -> None:
    table.play(BETS)
    client = Client(VirtualCable(table.table))
    client.open()
    client.authenticate("technician", DEVELOPMENT_KEYS["technician"])
    client.call(m.C_SELF_TEST, bytes((100,)))
    table.table.run_for(200)
    table.table.press("fin")
    table.table.run_for(2000)
    found = named(json.loads(client.call(m.C_SELF_TEST, b"\0")))
    client.close()
    assert found["stopped"] == "opened" and len(found["antennas"]) < len(PLACES)
    table.play("press rnvp\nexpect lock seat 1 ante amount 25.00")


def test_a_table_that_is_opened_while_its_shoe_is_measured_has_the_shoe(table: TestTable) -> None:
    table.play(BETS)
    client = Client(VirtualCable(table.table))
    client.open()
    client.authenticate("technician", DEVELOPMENT_KEYS["technician"])
    on: list[bool] = []
    table.table.shoe.antenna.on_field = on.append
    client.call(m.C_SELF_TEST, bytes((100,)))
    table.table.run_while(lambda: not on, 30_000)
    table.play("press fin\nwait 0.25\npress rnvp\nwait until gate open\ndraw 2 every 0.4\nwait 0.5")
    assert not table.records("fault") and not table.records("card_fault")
    found = named(json.loads(client.call(m.C_SELF_TEST, b"\0")))
    client.close()
    assert found["stopped"] == "opened" and len(found["antennas"]) == len(PLACES)


def test_what_is_sick_when_the_controller_starts_is_told_and_the_rest_plays(make_table: Make) -> None:
    """The short form, at every start: each chip is identified, and the seats of one that is not are out of play."""
    readers = [[[seat, bet] for bet in ("ante", "play", "pair_plus")] for seat in (1, 2)]
    table = make_table(config={"readers": readers})
    table.play("break display\nbreak clock\nbreak reader 1\npower on\nwait 4.0")
    told = {(entry.fields["part"], entry.fields["index"]): entry.fields["detail"] for entry in table.records("fault")}
    assert told == {("display", 0): "absent", ("clock", 0): "absent", ("reader", 1): told["reader", 1]}
    table.play("seat 1 ante 25.00\nopen the table\nwait 1.0\npress rnvp\nexpect lock seat 1 ante amount 25.00")
    assert table.table.controller.restarts == 0


def test_silicon_that_nobody_knows_is_refused_and_its_seats_are_out(make_table: Make) -> None:
    """A reader, and the shoe's, of a firmware that the driver does not know; the other seat plays."""
    table = make_table(config={"readers": [[[seat, bet] for bet in ("ante", "play", "pair_plus")] for seat in (1, 2)]})
    hardware = table.table.hardware
    assert hardware.shoe_reader is not None
    for chip in (hardware.readers[0], hardware.shoe_reader):
        chip.eeprom[0x12:0x14] = b"\x06\x02"
    table.play("power on\nwait 4.0")
    told = {(entry.fields["part"], entry.fields["index"]): entry.fields["detail"] for entry in table.records("fault")}
    assert told == {("reader", 0): "version", ("shoe", 0): "version"}
    assert {"LECTEUR 0 EN PANNE", "SABOT BLOQUÉ"} <= set(table.display_lines())
    found = named(asked(table))
    assert found["readers"] == ["version", "4.0"] and found["shoe"][0] == "version"
    table.play("seat 1 ante 25.00\nseat 2 ante 25.00\nopen the table\nwait 1.0\npress rnvp")
    table.play("expect lock seat 2 ante amount 25.00")
    row = next(row for row in table.records("lock")[0].rows if row["seat"] == 1)
    assert row["amount"] == 0 and table.table.controller.restarts == 0


def test_the_sensors_of_an_optical_shoe_are_looked_at(make_table: Make) -> None:
    table = make_table(config={"shoe": "both"})
    table.play(BETS)
    assert named(asked(table))["shoe"] == ["4.0", 0, 0, 0, 0, [0, 0]]
    table.play("shine a light on sensor B for 30")
    assert named(asked(table))["shoe"][5] == [0, 1]


def test_the_badge_reader_where_one_is_fitted(make_table: Make) -> None:
    table = make_table(config={"badge_reader": True})
    table.play(BETS)
    assert named(asked(table))["chips"] == [""] * 6
    chip = table.table.hardware.badge_reader
    assert chip is not None
    chip.dead = True
    table.play("expect fault part badge_reader within 20")
    found = named(asked(table))["chips"]
    assert found[:5] == [""] * 5 and found[5] in ("absent", "silent", "stuck")


def test_a_badge_reader_that_works_by_turns_is_named(make_table: Make) -> None:
    table = make_table(config={"badge_reader": True})
    table.play(BETS)
    chip = table.table.hardware.badge_reader
    assert chip is not None
    for _ in range(3):
        chip.brown_out()
        table.play("wait 1.7")
    assert named(asked(table))["chips"][5] == "unsteady"
