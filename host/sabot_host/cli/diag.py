"""`sabot diag`: the acceptance test of a table. Entry points: `command`, `held_against`."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path

import click
from rich.table import Table

from sabot_host.cli.meant import AT_ONCE, numbers
from sabot_host.cli.port import PORT, greeted
from sabot_host.cli.progress import shown
from sabot_host.cli.screen import screen
from sabot_host.cli.several import side_by_side, tell
from sabot_host.cli.surroundings import echo, mention
from sabot_host.cli.values import FOLDER, OUT_FOLDER
from sabot_host.diag import antennas, panel, report, self_test, unattended
from sabot_host.diag.bench import FAILED, UNTESTED, Bench, Check
from sabot_host.errors import DeviceError, Exit, RefusedError, UsageError
from sabot_host.files import write_whole
from sabot_host.flash.bus import SharedBus
from sabot_host.flash.devices import numbered, present
from sabot_host.flash.flasher import Reporter
from sabot_host.lang import said, spoken
from sabot_host.link.client import Client, Transport
from sabot_host.link.serial_port import SerialTransport, find_port
from sabot_host.provision.keys import KeyFolder

EPILOG = """\b
Examples:
  sabot diag --keys keys
  sabot diag --unattended
  sabot diag --unattended --keys keys
  sabot diag --unattended --all
  sabot diag --keys keys --reference
"""


@click.command("diag", epilog=EPILOG)
@PORT
@click.option("--unattended", "alone", is_flag=True, help="Only what needs nobody at the table.")
@click.option("--all", "all_tables", is_flag=True, help="With --unattended: every table that runs, side by side.")
@click.option(
    "--table",
    "tables",
    callback=numbers,
    metavar="NUMBERS",
    help="With --unattended: the tables that run with these numbers, as 3,7 or 1-40.",
)
@click.option(
    "--keys",
    type=FOLDER,
    help="The folder of the house's keys: the self-test needs the technician's, the panel the auditor's.",
)
@click.option(
    "--folder",
    type=OUT_FOLDER,
    default=".",
    help="Where reports and the reference lie; the working folder without it.",
)
@click.option(
    "--reference",
    "renew",
    is_flag=True,
    help="Make this test, when it passes, the reference that later ones are held against.",
)
@click.option("--wait", type=click.IntRange(1, 3600), default=60, show_default=True, help="Seconds for each step.")
@AT_ONCE
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(
    port: str | None,
    alone: bool,
    all_tables: bool,
    tables: tuple[int, ...] | None,
    keys: Path | None,
    folder: Path,
    renew: bool,
    wait: int,
    at_once: int,
    as_json: bool,
) -> int:
    """Test a table with a technician at it: its parts, each antenna, each key; and what it says by itself.

    The table must be closed for the guided part. Chips of the house are needed, one for each spot of a seat. A report,
    `table-N-diag.html` (`table-N-unattended.html`), and the same as JSON are written. The first guided test that passes
    is the reference that later ones are held against. Status 1: something failed.

    Of several tables each has a line in the table of results, and a report.
    """
    if all_tables or tables is not None:
        if not alone or renew or port or (all_tables and tables is not None):
            what = "several tables are tested with nobody at them: --unattended, and --all or --table alone"
            raise UsageError("diag-which", what, "sabot diag --help")
        return _several(tables, folder, at_once, as_json, keys)

    def test(client: Client) -> report.Report:
        found = _test(Bench(client, _Clock(), _tell, wait * 1000), alone, keys)
        return held_against(found, _reference(folder, found), renew)

    name = port or find_port()
    found = _over(SerialTransport(name), name, test)
    page = _kept(found, folder)
    if as_json:
        click.echo(json.dumps(found.as_dict(), ensure_ascii=False))
    else:
        _print(found)
        echo(f"table {found.table}: {'passed' if found.passed else 'NOT passed'}; report: {page}")
    return Exit.OK if found.passed else Exit.FINDING


def _over(transport: Transport, name: str, test: Callable[[Client], report.Report]) -> report.Report:
    """The test over a session of its own."""
    client = Client(transport)
    try:
        greeted(client, name)
        return test(client)
    finally:
        client.close()


def _reference(folder: Path, found: report.Report) -> Path:
    return folder / f"table-{found.table}-reference.json"


def _kept(found: report.Report, folder: Path) -> Path:
    """Write the report; its page."""
    base = folder / f"table-{found.table}-{'diag' if found.technician else 'unattended'}"
    write_whole(base.with_suffix(".json"), json.dumps(found.as_dict(), indent=1) + "\n")
    write_whole(base.with_suffix(".html"), report.page(found))
    return base.with_suffix(".html")


def _several(tables: tuple[int, ...] | None, folder: Path, at_once: int, as_json: bool, keys: Path | None) -> int:
    """What needs nobody, at every table that runs or at those with these numbers."""
    bus = SharedBus()
    devices = present(bus)
    if tables is None:
        tables = tuple(sorted(device.table for device in devices if device.is_table))
    if not tables:
        raise DeviceError("table-none", "no table is attached and running", "plug one in, look with: sabot devices")

    def test(number: int, reporter: Reporter) -> report.Report:
        def alone(client: Client) -> report.Report:
            found = _test(Bench(client, _Clock(), reporter.say, 0), alone=True, keys=keys)
            return held_against(found, _reference(folder, found), renew=False)

        name = numbered(devices, number).port
        found = _over(bus.open_port(name), name, alone)
        _kept(found, folder)
        return found

    with shown() as reporter:
        outcomes = side_by_side({f"table {number}": partial(test, number) for number in tables}, at_once, reporter)
    status = tell(outcomes, _worded, as_json, report.Report.as_dict)
    passed = all(outcome.result.passed for outcome in outcomes if outcome.error is None)
    return status or (Exit.OK if passed else Exit.FINDING)


def _worded(found: report.Report) -> str:
    failed = ", ".join(said(check.name) for check in found.checks if check.result == FAILED)
    return said(f"NOT passed: {failed}" if failed else "passed")


def _tell(words: str) -> None:
    mention(words)


class _Clock:
    """This computer's time."""

    def now_ms(self) -> int:
        """Milliseconds since some moment."""
        return time.monotonic_ns() // 1_000_000

    def pause(self, duration: int) -> None:
        """Wait."""
        time.sleep(duration / 1000)


def _test(bench: Bench, alone: bool, keys: Path | None) -> report.Report:
    hello = bench.client.hello
    checks = unattended.checks(bench)
    measured: list[antennas.Antenna] = []
    air: list[self_test.Air] = []
    if not alone:
        _may_be_guided(bench)
    if keys is not None:
        bench.client.authenticate("technician", KeyFolder(keys).held(hello.table, "technician"))
    own, tested = _self_test(bench, keys is not None)
    air += tested
    if not alone:

        def laid(seat: int) -> None:
            _, here = _self_test(bench, keys is not None)
            air[:] = [one for one in air if one.seat != seat] + [one for one in here if one.seat == seat]

        measured = antennas.measure(bench, laid)
        own = [check for check in own if not check.name.startswith("air ")] + self_test.air_checks(air)
        checks += antennas.checks(measured, unattended.blind(unattended.faults_of(bench.client.status())))
        if keys is not None:
            bench.client.authenticate("auditor", KeyFolder(keys).held(hello.table, "auditor"))
        own += panel.checks(bench, may_read=keys is not None)
    checks += own
    now = datetime.now().astimezone().isoformat(sep=" ", timespec="minutes")
    return report.Report(
        hello.table, hello.unique_id.hex(), hello.version, hello.game, now, not alone, checks, measured, air
    )


def _self_test(bench: Bench, may_test: bool) -> tuple[list[Check], list[self_test.Air]]:
    """What the controller finds itself; not tested without the technician's key, and at a table in play."""
    if not may_test:
        return [Check("self-test", UNTESTED, "", "give --keys: the technician's key is needed")], []
    if bench.picture().state != "closed":
        return [Check("self-test", UNTESTED, "the table is not closed", "close the table: PLUS, PLUS, P4, OUI")], []
    found = self_test.run(bench)
    return self_test.checks(found), found.antennas


def _may_be_guided(bench: Bench) -> None:
    picture = bench.picture()
    if picture.state != "closed":
        state = spoken().word("table", picture.state) if picture.state else said("not ready to play")
        raise RefusedError(
            "diag-in-play",
            f"the table is not closed ({state}): chips and keys would act in the game",
            "close the table first (PLUS, PLUS, P4, OUI); or test what needs nobody: --unattended",
        )


def held_against(found: report.Report, reference: Path, renew: bool) -> report.Report:
    """The same with what differs from the reference; the first guided test that passes becomes it.

    A reference of a test that failed is none: what it saw at 0 % could never get worse.
    """
    if reference.exists() and not renew:
        before = report.read(reference)
        if before["passed"]:
            return found._replace(checks=found.checks + report.differences(found, before))
        mention(f"{reference} is of a test that failed: nothing is held against it")
    if found.technician and found.passed:
        write_whole(reference, json.dumps(found.as_dict(), indent=1) + "\n")
    elif found.technician:
        mention("this test failed: later ones are not held against it; the first that passes is the reference")
    return found


def _print(found: report.Report) -> None:
    console = screen()
    table = Table(box=None)
    for heading in ("what", "result", "found", "what to do"):
        table.add_column(said(heading), overflow="fold")
    for check in found.checks:
        table.add_row(said(check.name), said(_loud(check)), said(check.found), said(check.hint))
    console.print(table)
    air = [one for one in found.air if one.tags and one.seat]  # antennas without a chip are among the checks
    for title, measured in ((said("read rates"), found.antennas), (said("single requests answered"), air)):
        if measured:
            console.print(title)
            console.print(_rates(measured))


def _loud(check: Check) -> str:
    return check.result.upper() if check.result == FAILED else check.result


def _rates(measured: Sequence[antennas.Antenna | self_test.Air]) -> Table:
    """The layout: a line a seat, a column a bet."""
    bets = list(dict.fromkeys(one.bet for one in measured))
    table = Table(said("seat"), *(spoken().word("bet", bet) for bet in bets), box=None)
    for seat in sorted({one.seat for one in measured}):
        rates = {one.bet: f"{100 * one.rate:.0f} %" for one in measured if one.seat == seat}
        table.add_row(str(seat), *(rates.get(bet, "") for bet in bets))
    return table
