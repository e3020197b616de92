"""The acceptance test of a table: what is well passes, what is broken is named, and what got worse is told."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from hwsim.core import NS_PER_MS
from hwsim.provisioning import DEVELOPMENT_KEYS
from hwsim.table import SimTable, VirtualCable
from sabot.wire.codes import KEYS
from sabot_host.cli import diag
from sabot_host.diag import antennas, panel, report, self_test, unattended
from sabot_host.diag.bench import FAILED, PASSED, UNTESTED, Bench, Check
from sabot_host.errors import DeviceError, FileError, RefusedError
from sabot_host.lang import said, use
from sabot_host.link.client import Client
from tests.flash.technician import act


class VirtualClock:
    """The table's own time."""

    def __init__(self, table: SimTable) -> None:
        self._table = table

    def now_ms(self) -> int:
        return self._table.now // NS_PER_MS

    def pause(self, duration: int) -> None:
        self._table.run_for(duration)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[SimTable]:
    table = SimTable(tmp_path, seed=1)
    table.start()
    table.run_for(1500)
    yield table
    table.stop()


def bench(table: SimTable, but: str = "", wait_ms: int = 3000) -> Bench:
    """A technician who does everything but what begins with ``but``."""
    client = Client(VirtualCable(table))
    client.open()

    def tell(words: str) -> None:
        if not but or not words.startswith(but):
            act(table, words)

    return Bench(client, VirtualClock(table), tell, wait_ms)


def results(checks: list[Check]) -> dict[str, str]:
    return {check.name: check.result for check in checks}


def test_a_table_that_is_well_says_so(table: SimTable) -> None:
    found = unattended.checks(bench(table))
    assert set(results(found).values()) == {PASSED}
    assert [check.name for check in found] == ["ready", "journal", "display", "antennas", "empty", "link"]


def test_what_is_broken_is_named(table: SimTable) -> None:
    table.place(1, "ante", 2500)
    table.hardware.display.dead = True
    table.press("plus")  # the display is written when what it shows changes
    table.run_for(3000)
    found = unattended.checks(bench(table))
    assert [check.name for check in found if check.result == FAILED] == ["part display 0", "empty"]
    assert next(check.found for check in found if check.name == "empty") == "seat 1 ante"


def test_each_antenna_is_measured_with_a_chip(table: SimTable) -> None:
    found = antennas.measure(bench(table))
    assert [(one.seat, one.bet) for one in found] == list(table.spots)
    assert {(one.looks, one.right, one.ghosts, one.cents) for one in found} == {(30, 30, 0, 2500)}
    assert set(results(antennas.checks(found)).values()) == {PASSED}


@pytest.mark.campaign
def test_an_antenna_without_its_chip_and_one_with_a_stranger_s_fail(table: SimTable) -> None:
    at = bench(table, but="seat 2: lay")
    table.place(2, "play", 500)
    table.run_for(1000)
    found = {(one.seat, one.bet): one for one in antennas.measure(at)}
    assert [one.rate for one in found.values()] == [1, 1, 1, 0, 0, 1]
    assert found[2, "play"].ghosts == 30
    failed = [check.name for check in antennas.checks(list(found.values())) if check.result == FAILED]
    assert failed == ["antenna seat 2 ante", "antenna seat 2 pair_plus", "antenna seat 2 play"]


def test_each_key_is_pressed_once(table: SimTable) -> None:
    at = bench(table)
    at.client.authenticate("auditor", DEVELOPMENT_KEYS["auditor"])
    found = panel.checks(at, may_read=True)
    assert set(results(found).values()) == {PASSED}
    assert len(found) == len(KEYS) - 1


def test_a_dead_key_is_named_and_the_others_go_on(table: SimTable) -> None:
    at = bench(table, but="press OUI")
    at.client.authenticate("auditor", DEVELOPMENT_KEYS["auditor"])
    found = results(panel.checks(at, may_read=True))
    assert [name for name, result in found.items() if result == FAILED] == ["key OUI"]


@pytest.mark.campaign
def test_where_nobody_presses_no_key_passes(table: SimTable) -> None:
    at = bench(table, but="press")
    at.client.authenticate("auditor", DEVELOPMENT_KEYS["auditor"])
    found = panel.checks(at, may_read=True)
    assert set(results(found).values()) == {FAILED}
    assert len(found) == len(KEYS) - 1


@pytest.mark.campaign
@pytest.mark.parametrize("dead", ["NON", "PLUS"])
def test_a_dead_key_of_the_menu_is_named_and_no_other(table: SimTable, dead: str) -> None:
    at = bench(table, but=f"press {dead}", wait_ms=35_000)  # longer than the menu stays
    at.client.authenticate("auditor", DEVELOPMENT_KEYS["auditor"])
    found = results(panel.checks(at, may_read=True))
    assert [name for name, result in found.items() if result == FAILED] == [f"key {dead}"]


def test_without_the_auditor_s_key_the_panel_is_not_tested(table: SimTable) -> None:
    found = panel.checks(bench(table), may_read=False)
    assert set(results(found).values()) == {UNTESTED}
    assert len(found) == len(KEYS) - 1


def technician(table: SimTable) -> Bench:
    at = bench(table)
    at.client.authenticate("technician", DEVELOPMENT_KEYS["technician"])
    return at


def test_the_controller_tests_itself(table: SimTable) -> None:
    table.place(1, "ante", 2500)
    table.run_for(1000)
    found = self_test.run(technician(table))
    lines = self_test.checks(found)
    assert {result for name, result in results(lines).items() if name != "lamps"} == {PASSED}
    assert [line.name for line in lines if line.name.startswith("air ")] == [
        f"air seat {seat} {bet}" for seat, bet in table.spots
    ]
    assert next(line.found for line in lines if line.name == "air seat 1 ante").startswith("30 of 30 answered (100 %)")
    assert results(lines)["chip memory"] == results(lines)["reader 0"] == results(lines)["shoe reader"] == PASSED


def test_what_the_self_test_finds_sick_is_named_with_what_to_do(table: SimTable) -> None:
    table.hardware.display.dead = True
    table.hardware.readers[0].fail("high")
    table.press("p3", hold=60_000 * NS_PER_MS)
    table.run_for(4000)
    lines = {line.name: line for line in self_test.checks(self_test.run(technician(table)))}
    assert [name for name, line in lines.items() if line.result == FAILED] == [
        "chip display",
        "reader 0",
        "keys at rest",
    ]
    assert lines["reader 0"].found == "absent" and "connector" in lines["reader 0"].hint
    assert lines["keys at rest"].found == "down: P3"


def test_what_a_dead_reader_does_not_see_has_not_passed(table: SimTable) -> None:
    table.hardware.readers[0].fail("high")
    shoe = table.hardware.shoe_reader
    assert shoe is not None
    shoe.fail("low")
    table.run_for(4000)
    at = technician(table)
    told = results(unattended.checks(at))
    assert told["part reader 0"] == FAILED and told["empty"] == UNTESTED
    found = results(self_test.checks(self_test.run(at)))
    assert found["reader 0"] == found["shoe reader"] == FAILED
    assert found["antennas of reader 0"] == found["shoe air"] == UNTESTED
    table.hardware.readers[0].fail("")
    shoe.fail("")
    table.run_for(12_000)
    assert results(unattended.checks(at))["empty"] == PASSED
    found = results(self_test.checks(self_test.run(at)))
    assert "antennas of reader 0" not in found and found["shoe air"] == PASSED


def test_what_a_dead_display_shows_and_a_dead_reader_s_spots_have_not_passed(table: SimTable) -> None:
    table.hardware.display.dead = True
    table.hardware.readers[0].fail("high")
    table.press("plus")  # the display is written when what it shows changes
    table.run_for(4000)
    at = bench(table)
    found = {check.name: check for check in unattended.checks(at)}
    assert found["part display 0"].result == found["part reader 0"].result == FAILED
    assert found["display"].result == found["antennas"].result == found["empty"].result == UNTESTED
    blind = unattended.blind(unattended.faults_of(at.client.status()))
    hints = [check.hint for check in antennas.checks([antennas.Antenna(1, "ante", 30, 0, 0, 0)], blind)]
    assert hints == ["reader 0 first; then the antenna, where it still sees nothing"]


@pytest.mark.parametrize("step", ["seat 1: lay", "seat 1: hands off", "press P3"])
def test_a_controller_that_goes_in_the_midst_of_a_test_ends_it(table: SimTable, step: str) -> None:
    """No step waits for what cannot come any more, and nothing that was not looked at is judged."""
    at = bench(table)
    at.client.authenticate("auditor", DEVELOPMENT_KEYS["auditor"])
    plain = at.tell

    def tell(words: str) -> None:
        plain(words)
        if words.startswith(step):
            table.stop()

    at.tell = tell
    with pytest.raises(DeviceError) as wrong:
        antennas.measure(at)
        panel.checks(at, may_read=True)
    assert wrong.value.code in ("link-silent", "port-gone", "link-lost")


SAME_IN_FRENCH = {"", "journal", "absent", "TABLE FERMÉE"}
"""Words that are both, codes of faults, and what the dealer's display says."""


def test_each_part_is_named_in_french(table: SimTable, request: pytest.FixtureRequest) -> None:
    """Name, result, finding and advice of each line; and in JSON they stay as they are."""
    table.place(1, "ante", 2500)
    table.hardware.display.dead = True
    table.hardware.readers[0].fail("high")
    table.hardware.clock.dead = True
    table.press("plus")
    table.run_for(4000)
    at = technician(table)
    lines = unattended.checks(at) + self_test.checks(self_test.run(at))
    lines += antennas.checks([antennas.Antenna(1, "pair_plus", 30, 30, 2, 2550)], ["reader 0", "reader 1"])
    lines += antennas.checks([antennas.Antenna(1, "play", 30, 0, 0, 0)], ["reader 0", "reader 1"])
    lines += self_test.air_checks([air(48), air(0, 0)._replace(seat=0, antenna=7)])
    lines += panel.checks(at, may_read=False)
    lines += report.differences(made(94, "1.1"), made(100).as_dict())
    names = {check.name for check in lines}
    assert {"part display 0", "chip clock", "chip memory", "chip expander 1", "antennas of reader 0"} <= names
    use("fr")
    request.addfinalizer(lambda: use("en"))
    english = {word for check in lines for word in check if said(word) == word}
    assert english <= SAME_IN_FRENCH, english
    french = [said(word) for check in lines for word in check]
    assert {"puce horloge", "partie afficheur 0", "air, antenne libre 7", "antenne place 1 paire ou plus"} <= set(
        french
    )
    assert [word for word in french if re.search(r"\b(expander|memory|clock|display|reader|seat|spare)\b", word)] == []
    assert "25,50 $" in next(word for word in french if "regards" in word)
    page = report.page(made(100)._replace(checks=lines))
    assert "puce horloge" in page and ">initiale</text>" in page and " : <b>" in page


@pytest.mark.parametrize(("number", "reader"), [(0, "reader 0"), (1, "shoe reader")])
def test_a_dead_expander_is_to_be_mended_before_what_it_holds_in_reset(
    table: SimTable, number: int, reader: str
) -> None:
    table.hardware.expanders[number].dead = True
    table.run_for(6000)
    at = technician(table)
    hints = [check.hint for check in unattended.checks(at) if check.name == "part task panel"]
    assert hints and "start the controller again" in hints[0]
    lines = {line.name: line for line in self_test.checks(self_test.run(at))}
    assert lines[f"chip expander {number}"].result == lines[reader].result == FAILED
    assert lines[reader].hint.startswith(f"expander {number} first")
    assert lines["keys at rest"].result == UNTESTED and f"expander {number}" in lines["keys at rest"].found


def test_a_table_in_play_does_not_test_itself(table: SimTable) -> None:
    at = technician(table)
    table.press("fin")
    table.run_for(500)
    with pytest.raises(RefusedError) as wrong:
        self_test.run(at)
    assert wrong.value.code == "link-not-now"


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"{}", b"[1, 2, 3, 4, 5, 6, 7, 8, 9]", b'[1, "", [], [99], 0, [], [], [], []]']
)
def test_a_self_test_that_cannot_be_read_is_told(table: SimTable, monkeypatch: pytest.MonkeyPatch, body: bytes) -> None:
    at = technician(table)
    monkeypatch.setattr(at.client, "call", lambda *_: body)
    with pytest.raises(DeviceError) as wrong:
        self_test.run(at)
    assert wrong.value.code == "self-test-strange"


def air(heard: int, tags: int = 1) -> self_test.Air:
    return self_test.Air(0, 1, "ante", tags, 50, heard, 0, apart=False)


def test_an_antenna_whose_air_got_worse_since_the_reference_is_told(tmp_path: Path) -> None:
    path = tmp_path / "reference.json"
    path.write_text(json.dumps(made(100)._replace(air=[air(50)]).as_dict()))
    before = report.read(path)
    assert report.differences(made(100)._replace(air=[air(48)]), before) == []
    found = report.differences(made(100)._replace(air=[air(46)]), before)
    assert [(check.name, check.result) for check in found] == [("air seat 1 ante since then", FAILED)]
    assert report.page(made(100)._replace(air=[air(46)])).count("<circle") == 3


def test_a_reference_without_the_air_is_still_one(tmp_path: Path) -> None:
    path = tmp_path / "reference.json"
    values = made(100).as_dict()
    del values["air"]
    path.write_text(json.dumps(values))
    assert report.differences(made(100)._replace(air=[air(46)]), report.read(path)) == []


def made(rate: int, version: str = "1.0") -> report.Report:
    measured = [antennas.Antenna(1, "ante", 100, rate, 0, 500), antennas.Antenna(2, "<b>", 100, 100, 0, 500)]
    return report.Report(7, "ab", version, "three_card", "then", True, antennas.checks(measured), measured, [])


def test_what_got_worse_since_the_reference_is_told(tmp_path: Path) -> None:
    path = tmp_path / "reference.json"
    path.write_text(json.dumps(made(100).as_dict()))
    before = report.read(path)
    assert report.differences(made(96), before) == []
    found = report.differences(made(94, "1.1"), before)
    assert [(check.name, check.result) for check in found] == [
        ("version since then", "changed"),
        ("antenna seat 1 ante since then", FAILED),
    ]
    assert found[1].found == "94 % where it was 100 %"


def test_a_table_of_rates_is_shown_only_where_a_chip_lay(capsys: pytest.CaptureFixture[str]) -> None:
    shown = []
    for tags in (1, 0):
        diag._print(made(100)._replace(air=[air(48, tags)]))
        shown.append("\nsingle requests answered\n" in capsys.readouterr().out)
    assert shown == [True, False]


def test_only_a_test_that_passes_becomes_the_reference(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "reference.json"
    assert not diag.held_against(made(0), path, renew=False).passed
    assert not diag.held_against(made(0), path, renew=True).passed
    assert not path.exists()
    assert capsys.readouterr().err.count("this test failed") == 2
    assert diag.held_against(made(100), path, renew=False).passed
    kept = path.read_text()
    assert not diag.held_against(made(50), path, renew=True).passed
    assert path.read_text() == kept


def test_what_failed_once_is_no_reference(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "reference.json"
    path.write_text(json.dumps(made(0).as_dict()))
    found = diag.held_against(made(100)._replace(technician=False), path, renew=False)
    assert found.checks == made(100).checks
    assert "nothing is held against it" in capsys.readouterr().err
    assert report.read(path)["passed"] is False
    assert diag.held_against(made(100), path, renew=False).passed
    assert report.read(path)["passed"] is True


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": 2, "antennas": []}', '{"format": 1, "antennas": [{}]}'])
def test_what_is_no_reference_is_told(tmp_path: Path, text: str) -> None:
    path = tmp_path / "reference.json"
    path.write_text(text)
    with pytest.raises(FileError) as wrong:
        report.read(path)
    assert wrong.value.code == "diag-reference"


def test_the_picture_shows_each_antenna_in_the_colour_of_its_rate() -> None:
    page = report.page(made(91))
    assert page.count("<circle") == 2
    assert page.index("#e0a800") < page.index("#2e8b57")
    assert "91 %" in page
    assert "&lt;b&gt;" in page
    assert "<b>NOT passed</b>" in page
