"""Staff badges over the whole firmware, on real bytes: signing on and off, strangers, enrolment, faults."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import product

import pytest

from hwsim.chips.pn532_air import discovery_order
from hwsim.core import NS_PER_MS
from hwsim.world.badges import NtagBadge
from sabot.wire.records import parse
from sabot.wire.signed import split
from sabot_host.journal.file import read
from sabot_host.sim.pytest_plugin import TestTable
from tests.sampled import sampled

FITTED = {"badge_reader": True, "sign_on": "required"}
HOST = "power on\nplug host\nwait until host up\nwait 1.0\n"
ANNA = "badge anna\nenrol anna as dealer 41\n"
AGAIN = "power on\nwait until host up\nwait 1.0\n"
AWAY = "wait 2.0\n"  # held for a second, then gone for another
BET = "seat 1 ante 25.00\nwait 1.0\n"
DEAL = "press rnvp\nwait until gate open\ndraw 6 every 0.3\n"


@pytest.fixture
def fitted(make_table: Callable[..., TestTable]) -> TestTable:
    """A table with a badge reader, switched on, with a host."""
    table = make_table(config=FITTED)
    table.play(HOST)
    return table


def test_a_dealer_signs_on_and_off(fitted: TestTable) -> None:
    fitted.play(ANNA + "show anna\nexpect badge shown dealer id 41\nexpect signed dealer id 41 on 1\n")
    fitted.play('wait until display "EN POSTE: 41"\n' + AWAY + 'wait 3.0\nexpect no display "EN POSTE"\n')
    fitted.play("press fin\nwait until bar green\n")
    fitted.play('show anna\nexpect signed dealer id 41 on 0\nwait until display "FIN POSTE: 41"\nexpect bar dark')
    assert fitted.table.hardware.badge_reader is not None
    _verdict, pulled = fitted.judge()
    dealers = [parse(record)["dealer"] for record in read(pulled.path).records]
    assert set(dealers) == {0, 41}


@pytest.mark.campaign
def test_no_relief_within_a_round(fitted: TestTable) -> None:
    fitted.play(ANNA + "badge otto of 4 bytes\nenrol otto as dealer 42\n")
    fitted.play(
        "show anna\nexpect signed dealer id 41 on 1\n" + AWAY + "press fin\nwait until bar green\n" + BET + DEAL
    )
    fitted.play("show otto\nexpect badge shown id 42\nexpect next badge refused id 42\n")
    fitted.play('wait until display "NON AUTORISÉ"\n')
    fitted.play("seat 1 play 25.00\nwait 1.0\npress devoiler\nexpect settlement\nwait 0.5\npress fin\nexpect round_end")
    fitted.play("take all from seat 1 ante\ntake all from seat 1 play\nwait 2.0\nshow otto")
    fitted.play("expect signed id 41 on 0\nexpect signed id 42 on 1")


def test_strangers_and_phones_are_told_and_recorded(fitted: TestTable) -> None:
    fitted.play("badge nobody\nphone telephone\nshow nobody\nexpect badge unknown role none id 0\n")
    fitted.play('expect prompt badge_unknown\nwait until display "BADGE INCONNU"\n' + AWAY)
    fitted.play("show telephone for 3\nexpect badge random badge -\nexpect prompt badge_random\n")
    fitted.play('wait until display "BADGE SANS IDENTITÉ"\nwait 3\n')
    assert len(fitted.records("badge")) == 2, "held for three seconds, a telephone is told of once"
    uid = fitted.running.badges["nobody"].uid.hex().upper()
    assert [entry.fields["badge"] for entry in fitted.records("badge")] == [uid, "-"]


def test_two_badges_held_at_once_count_once_each(fitted: TestTable) -> None:
    """In a field that reaches now the one and now the other, they would take turns at signing each other off."""
    fitted.play(ANNA + "badge otto\nenrol otto as dealer 42\n")
    pad = fitted.table.hardware.pad
    held = [fitted.running.badges[name] for name in ("anna", "otto")]
    first, second = sorted(held, key=discovery_order(held).index)
    pad.enter(second)  # it stays, and is found whenever the one that anticollision finds first is not there

    def come_and_go() -> None:
        pad.leave(first) if first in pad.badges else pad.enter(first)
        fitted.table.scheduler.after(700 * NS_PER_MS, come_and_go)

    come_and_go()
    fitted.play("wait 6.0")
    assert sorted(int(entry.fields["id"]) for entry in fitted.records("badge") if "shown" in str(entry)) == [41, 42]
    assert len(fitted.records("signed")) == 3, "one signs on, and the other relieves him"


@pytest.mark.campaign
def test_a_badge_waved_without_end_does_not_fill_the_journal(fitted: TestTable) -> None:
    fitted.play("badge nobody\n" + "show nobody for 0.5\nwait 1.5\n" * 14)
    assert len(fitted.records("badge")) == 10
    fitted.play("wait 60\nshow nobody\nexpect badge unknown")


def test_the_supervisors_badge_opens_the_desk(fitted: TestTable) -> None:
    fitted.play(ANNA + "badge susan\nenrol susan as supervisor 7\nshow anna\nexpect signed dealer\n" + AWAY)
    fitted.play("press fin\nwait until bar green\n" + BET + DEAL + "wait 0.5\n")
    fitted.play("press plus\nwait 0.3\npress p6\nwait 0.3\npress p1\nexpect dispute\nwait 0.3\n")
    fitted.play("press superviseur\nexpect key note called\n")
    fitted.play('show susan\nexpect signed supervisor id 7 on 1\nwait until display "SUPERV.: 7"\n' + AWAY)
    fitted.play("press superviseur\nwait 0.3\npress fin\nexpect resolved resolution cleared by supervisor\n")
    fitted.play("show susan\nexpect signed supervisor id 7 on 0\n" + AWAY)
    fitted.play("press superviseur\nexpect key note called\n")


def test_the_technicians_badge_clears_his_half_of_an_opened_case(fitted: TestTable) -> None:
    fitted.play(ANNA + "badge theo\nenrol theo as technician 3\nbadge alma\nenrol alma as auditor 9\n")
    fitted.play("open case\nexpect case\nwait 0.5\nclose case\nwait 0.5\n")
    fitted.play("supervisor rules case cleared\nshow theo\nexpect badge shown technician id 3\n")
    fitted.play("expect resolved resolution cleared by technician\n" + AWAY)
    fitted.play("show theo\nexpect badge refused technician\n" + AWAY + "show alma\nexpect badge refused auditor id 9")


def test_a_revoked_badge_opens_nothing_and_its_owner_is_signed_off(fitted: TestTable) -> None:
    fitted.play(ANNA + "show anna\nexpect signed id 41 on 1\n" + AWAY)
    fitted.play("revoke anna\nexpect badge revoked dealer id 41\nexpect signed id 41 on 0\n")
    fitted.play("show anna\nexpect badge unknown")


@pytest.mark.campaign
def test_badges_outlive_a_power_cut(fitted: TestTable) -> None:
    fitted.play(ANNA + "badge otto of 4 bytes\nenrol otto as dealer 42\nrevoke anna\n")
    fitted.play("power off\nwait 1.0\npower on\nwait 2.0\nshow otto\nexpect signed id 42 on 1\n" + AWAY)
    fitted.play("show anna\nexpect badge unknown")


def test_what_enrolment_refuses(fitted: TestTable) -> None:
    host = fitted.host

    def refused() -> list[str]:
        fitted.table.run_while(lambda: not host.quiet(), 3000)
        return host.refusals()

    uid = bytes.fromhex("04A1B2C3D4E580")
    host.enrol("supervisor", 7, b"")
    assert refused(), "no badge is held to the reader"
    for given in (b"\x08\x11\x22\x33", b"\x01\x02\x03\x04\x05"):
        host.enrol("supervisor", 7, given)
        assert refused(), given
    host.enrol("supervisor", 7, uid)
    assert not refused()
    host.enrol("supervisor", 8, uid)
    assert refused(), "it is somebody's already"
    host.revoke("technician", uid)
    assert refused(), "a technician's key revokes no supervisor"
    assert [entry.fields["id"] for entry in fitted.records("badge")] == [7]
    fitted.play(ANNA + "show anna\nexpect signed id 41 on 1\npress fin\nwait until bar green\n")
    host.revoke("supervisor", uid)
    assert refused(), "flash is written only while no bet can be made"


def test_the_list_is_capped(make_table: Callable[..., TestTable]) -> None:
    table = make_table(config=FITTED)
    many = [[f"04{number:012X}", "dealer", number] for number in range(1, 250)]
    table.folder.joinpath("board", "badges.json").write_text(json.dumps(many))
    table.play(HOST + ANNA + "badge otto\n")
    table.host.enrol("supervisor", 42, table.running.badges["otto"].uid)
    table.table.run_while(lambda: not table.host.quiet(), 3000)
    assert "full" in table.host.refusals()[0]
    board = table.folder / "board"
    assert board.joinpath("badges.json").read_bytes() == board.joinpath("badges.copy").read_bytes()
    _version, text = split(board.joinpath("badges.json").read_bytes())  # type: ignore[misc]
    written = json.loads(text)
    assert len(written) == 250
    assert written[:-1] == [[str(uid).lower(), role, number] for uid, role, number in many]


@pytest.mark.parametrize(
    "text", ["{}", "[1]", '[["04", "dealer", 1]]', '[["04A1B2C3D4E580", "cook", 1]]', "[", "[[[]]]"]
)
def test_a_list_that_makes_no_sense_is_refused(make_table: Callable[..., TestTable], text: str) -> None:
    table = make_table(config=FITTED)
    table.folder.joinpath("board", "badges.json").write_text(text)
    table.play("power on\nplug host\nwait until host up\nwait 1.0\n")
    refusal = table.unwilling()
    assert refusal is not None
    assert "badges.json" in str(refusal)
    table.refused = refusal


def damaged(table: TestTable, *names: str) -> None:
    """A bit turned over in each of these files while it is dark."""
    table.play("power off\nwait 2.0\n")
    for name in names:
        path = table.folder / "board" / name
        data = bytearray(path.read_bytes())
        data[5] ^= 1
        path.write_bytes(data)


@pytest.mark.parametrize("name", ["badges.json", "badges.copy"])
def test_a_damaged_list_is_mended_from_its_copy_and_told(fitted: TestTable, name: str) -> None:
    fitted.play(ANNA)
    whole = (fitted.folder / "board" / name).read_bytes()
    damaged(fitted, name)
    fitted.play(AGAIN + "show anna\nexpect signed id 41 on 1\n")
    assert (fitted.folder / "board" / name).read_bytes() == whole
    assert f"{name} was not whole" in str(fitted.records("fault")[-1].fields["detail"])


def test_a_revoked_badge_does_not_come_back_with_an_older_copy(fitted: TestTable) -> None:
    fitted.play(ANNA)
    fitted.host.revoke("supervisor", fitted.running.badges["anna"].uid)
    fitted.table.run_while(lambda: not fitted.host.quiet(), 3000)
    assert not fitted.host.refusals()
    damaged(fitted, "badges.json")
    fitted.play(AGAIN + "show anna\nexpect badge did unknown\n")


def test_two_damaged_lists_refuse_the_start_and_are_recorded(fitted: TestTable) -> None:
    fitted.play(ANNA)
    damaged(fitted, "badges.json", "badges.copy")
    fitted.play(AGAIN)
    fitted.refused = fitted.unwilling()
    assert "badges.json" in str(fitted.refused)
    assert "badges.json" in str(fitted.records("fault")[-1].fields["detail"])


def test_an_ntag_counts_by_its_uid(fitted: TestTable) -> None:
    fitted.running.badges["anna"] = NtagBadge(bytes.fromhex("04A1B2C3D4E580"), user=b"anybody's data")
    fitted.play("enrol anna as dealer 41\nshow anna\nexpect signed id 41 on 1")


@pytest.mark.campaign
@pytest.mark.parametrize("fault", ["dead", "stretched", "garbage"])
def test_a_reader_that_fails_is_told_and_comes_back(fitted: TestTable, fault: str) -> None:
    chip = fitted.table.hardware.badge_reader
    assert chip is not None
    fitted.play(ANNA + "show anna\nexpect signed id 41 on 1\n" + AWAY + "press fin\nwait until bar green\n")

    def fail(on: bool) -> None:
        if fault == "dead":
            chip.dead = on
        elif fault == "stretched":
            chip.hold_clock_ns = 10_000_000 if on else 0
        else:
            chip.line_fault = (lambda frame: b"\xff" * len(frame)) if on else None

    fail(True)
    fitted.play("expect fault part badge_reader within 20\n")
    fitted.play('wait until display "PANNE LECTEUR BADGE"')
    fitted.play(BET + DEAL)  # the table plays on
    fail(False)
    fitted.play("expect fault_cleared part badge_reader within 20\n")


def test_a_reader_unplugged_in_the_middle_of_a_sign_on_signs_nobody_twice(fitted: TestTable) -> None:
    """At any instant from the badge's coming on; plugged in again the reader is new, and a badge counts once."""
    chip = fitted.table.hardware.badge_reader
    assert chip is not None
    fitted.play(ANNA)
    for ms in (3, 40, 120, 260, 400):
        signed = len(fitted.records("signed"))
        fitted.play("show anna")
        fitted.table.run_for(ms)
        chip.dead = True
        fitted.play("wait 1.2")
        chip.dead = False
        chip.power_cycle()
        fitted.play("wait 5.0")
        assert len(fitted.records("signed")) - signed <= 1
        assert fitted.table.controller.restarts == 0
    assert fitted.records("signed"), "one of them was seen in time"
    fitted.play("wait 10\nshow anna\nwait 2")
    turns = [entry.fields["on"] for entry in fitted.records("signed")]
    assert turns == [number % 2 ^ 1 for number in range(len(turns))], "on and off in turns"
    uid = fitted.running.badges["anna"].uid.hex().upper()
    assert {entry.fields["badge"] for entry in fitted.records("badge")} == {uid}, "and no other badge was made up"


@pytest.mark.parametrize("dead_ms", [0, 300, 1200])
def test_a_reader_that_fails_for_a_moment_while_a_badge_is_held_signs_nobody_off(
    fitted: TestTable, dead_ms: int
) -> None:
    chip = fitted.table.hardware.badge_reader
    assert chip is not None
    fitted.play(ANNA + "show anna for 5\nexpect signed id 41 on 1\n")
    if dead_ms:
        chip.dead = True
        fitted.table.run_for(dead_ms)
        chip.dead = False
    chip.brown_out()
    fitted.play("wait 9")
    assert [entry.fields["on"] for entry in fitted.records("signed")] == [1]
    fitted.play("show anna\nexpect signed id 41 on 0")


def test_a_warm_restart_in_the_middle_of_an_answer(fitted: TestTable) -> None:
    """The board is reset while the reader answers; what is left of that answer harms nobody."""
    chip = fitted.table.hardware.badge_reader
    assert chip is not None
    fitted.play(ANNA + "show anna for 600\n")
    for _ in range(3):
        taken = len(chip.received)
        fitted.table.run_while(lambda: len(chip.received) == taken or chip.received[-1][:1] != b"\x4a", 3000)  # noqa: B023
        fitted.play("press the reset button\nexpect power_on\nexpect badge shown id 41")
    assert not fitted.records("fault")


@pytest.mark.parametrize(
    ("every_ms", "hears"), sampled(product([150, 400, 900], [False, True]), [(400, False), (900, True)])
)
def test_a_reader_that_resets_again_and_again_is_told_of(fitted: TestTable, every_ms: int, hears: bool) -> None:
    """It is back each time: nobody would know but those whose badges are not heard."""
    chip = fitted.table.hardware.badge_reader
    assert chip is not None
    fitted.play(ANNA)
    said = ("LECT. BADGE INSTABLE", "PANNE LECTEUR BADGE")
    told = []
    for _ in range(2):
        for _ in range(20_000 // every_ms):
            chip.brown_out(hears=hears)
            fitted.table.run_for(every_ms)
        assert set(said) & set(fitted.display_lines())
        told.append(len(fitted.records("fault")))
    assert 1 <= told[0] == told[1] <= 4, "and the journal does not fill"
    fitted.play("wait 25")
    assert [entry.name for entry in fitted.records() if entry.name.startswith("fault")][-1] == "fault_cleared"
    fitted.play("show anna\nexpect signed id 41 on 1")
    assert not set(said) & set(fitted.display_lines())
    assert fitted.table.controller.restarts == 0


def test_a_reader_whose_supply_drops_once_is_back_and_nobody_is_told(fitted: TestTable) -> None:
    chip = fitted.table.hardware.badge_reader
    assert chip is not None
    fitted.play(ANNA)
    for number, hears in enumerate((False, True)):
        chip.brown_out(hears=hears)
        fitted.play(f"wait 9\nshow anna\nexpect signed id 41 on {1 - number}\n" + AWAY)
    assert not fitted.records("fault")
