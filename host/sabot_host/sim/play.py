"""Plays a scenario on the whole firmware and judges the journal that came of it.

Entry points: :func:`read` (a file to a script), :func:`play` (a script to an :class:`Outcome`), :func:`look` (a script
up to an instant), :func:`perform` (lines at a table that is there), :class:`Session` (a table with host and witness,
also for tests), :class:`Verdict`.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from hwsim.core import SimFault
from hwsim.process import ControllerDied
from hwsim.provisioning import DEVELOPMENT_KEYS, DISCARD, SEATS, configuration, full_table
from hwsim.scenario.errors import ScenarioError
from hwsim.scenario.parser import parse
from hwsim.scenario.runner import Line, Runner
from hwsim.scenario.script import Script, Setting
from hwsim.scenario.stage import Stage
from hwsim.table import SimTable, VirtualCable
from sabot.wire.head import NONCE_SIZE
from sabot.wire.records import TAG_SIZE, RecordError
from sabot.wire.records import parse as parse_record
from sabot_host.errors import FileError, RefusedError, SabotError
from sabot_host.files import SCENARIO_BYTES, read_bytes
from sabot_host.journal import file as journal_file
from sabot_host.journal.pull import pull
from sabot_host.journal.verify import verify
from sabot_host.link.client import Client
from sabot_host.model.replay import Misfit, replay
from sabot_host.sim import glass
from sabot_host.sim.acceptance import with_acceptance
from sabot_host.sim.lexicon import bets_of, lexicon, places_of
from sabot_host.sim.station import AUDITOR, Station
from sabot_host.sim.witness import Witness

START_MS = 5000  # within which a controller answers its host


def _has_readers(value: Any, game: str) -> bool:
    """Whether this is a list of 1 to 4 readers with at most 8 antennas each, each for a spot, the discard, or none."""
    if not isinstance(value, list) or not 1 <= len(value) <= 4:
        return False
    antennas = [entry for reader in value if isinstance(reader, list) for entry in reader]
    if any(not isinstance(reader, list) or len(reader) > 8 for reader in value):
        return False
    return all(
        entry in (None, DISCARD) or (isinstance(entry, list) and [type(part) for part in entry] == [int, str])
        for entry in antennas
    )


# Fields of the configuration that the simulated hardware is built from, what it can be built from, and that in words.
_BUILT_FROM: dict[str, tuple[Callable[[Any, str], bool], str]] = {
    "game": (lambda value, game: value == game, "the game of the table itself"),
    "decks": (lambda value, game: type(value) is int and 1 <= value <= 8, "a whole number from 1 to 8"),
    "casino": (lambda value, game: type(value) is int and 0 <= value < 65535, "a whole number from 0 to 65534"),
    "readers": (
        _has_readers,
        f'a list of 1 to 4 readers, each a list of at most 8 antennas: [1, "ante"] (seat, bet), "{DISCARD}" or null',
    ),
}


@dataclass(frozen=True)
class Verdict:
    """What the pulled journal is worth. Each text is empty when nothing is wrong."""

    records: int
    chain: str
    """what verification found"""
    model: str
    """the first record that the reference model does not allow"""
    store: str
    """what differs between the records pulled and those stored"""
    meters: dict[str, Any] | None = None
    """added up from the records by verification, which holds them against the controller's head"""

    @property
    def good(self) -> bool:
        """Whether nothing is wrong."""
        return not (self.chain or self.model or self.store)

    def lines(self) -> list[str]:
        """One line for each judgement."""
        return [
            f"journal: {self.records} records pulled; " + (self.chain or "verified"),
            "reference model: " + (self.model or "agrees with every record"),
            *(["journal memory: " + self.store] if self.store else []),
        ]


@dataclass(frozen=True)
class Outcome:
    """What came of a scenario."""

    good: bool
    lines: list[Line]
    verdict: Verdict
    journal: bytes
    """the pulled file"""
    seconds: float
    """of the simulated world"""
    impossible: SabotError | None = None
    """why the last of ``lines`` could not happen at its moment"""


class Session:
    """A table with its host and the witness of its journal, in a folder of its own.

    Use it as a context manager: at its end the power is cut and the folder gone.
    """

    def __init__(self, config: dict[str, Any] | None = None, *, seed: int = 0, **options: Any) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="sabot-table-")
        self.folder = Path(self._folder.name)
        self.table = SimTable(self.folder / "board", config=config and with_acceptance(config), seed=seed, **options)
        self.bets = bets_of(self.table.config["game"])
        self.witness = Witness(self.table, places_of(self.table.config["game"]))
        self.host = Station(self.table, self.bets)
        self._glass_seen: object = None
        self._glass_lines: list[str] = []

    def __enter__(self) -> Session:
        """The table as it is: nothing is switched on yet."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Cut the power and clean up."""
        self.close()

    def close(self) -> None:
        """Cut the power and clean up."""
        self.table.stop()
        self._folder.cleanup()

    @property
    def seats(self) -> int:
        """How many seats the table has."""
        return max(seat for seat, _ in self.table.spots)

    def stage(self, say: Callable[[str], None] = lambda text: None) -> Stage:
        """A stage for scenarios on this table."""
        return Stage(self.table, self.host, self.witness, self.bets, self.display_lines, say)

    def display_lines(self) -> list[str]:
        """What the dealer's display shows now: eight lines, empty while it is dark."""
        display = self.table.hardware.display
        seen = (display.lit, display.updates[-1] if display.updates else None)
        if seen != self._glass_seen:  # whoever waits for a line asks again and again
            self._glass_seen = seen
            self._glass_lines = glass.lines(display.pixels())
        return list(self._glass_lines)

    def pull(self) -> journal_file.Pulled:
        """Pull the whole journal through the link, into a file of the folder; the host lets go of the cable for it."""
        path = self.folder / "journal.sabotlog"
        path.unlink(missing_ok=True)
        client = self._client()
        try:
            try:
                client.authenticate(AUDITOR, DEVELOPMENT_KEYS[AUDITOR])
            except RefusedError as error:
                raise (_unwilling(client) or error) from error
            nonce = hashlib.sha256(f"pull {self.table.seed}".encode()).digest()[:NONCE_SIZE]
            pull(client, path, nonce)
        finally:
            client.close()
        return journal_file.read(path)

    def _client(self) -> Client:
        """An open session of its own; the host lets go of the cable for it."""
        if self.host.plugged:
            self.host.unplug()
        client = Client(VirtualCable(self.table))
        try:
            client.open()
        except SabotError:
            client.close()
            raise
        return client

    def unwilling(self) -> SabotError | None:
        """Why the controller, which is on, refuses to play; None when it does not, or does not even say so."""
        try:
            client = self._client()
        except SabotError:
            return None
        try:
            return _unwilling(client)
        finally:
            client.close()

    def finish(self, stage: Stage) -> tuple[Verdict, journal_file.Pulled]:
        """Judge the journal at the end, with the power on again if it was off."""
        if not stage.powered:
            self.table.start()
            self.table.run_while(lambda: not self.table.fabric.cdc.attached, START_MS)
        return self.judge()

    def judge(self) -> tuple[Verdict, journal_file.Pulled]:
        """Pull the journal and judge it: its chain, its course, and that it is what was stored."""
        pulled = self.pull()
        report = verify(pulled, DEVELOPMENT_KEYS["journal"])
        self.witness.look()
        chain = "" if report.good else f"{report.kind} at record {report.sequence}: {report.detail}"
        model = ""
        try:
            replay(parse_record(record) for record in pulled.records)
        except (Misfit, RecordError) as misfit:
            model = str(misfit)
        got = {journal_file.sequence_of(record): record[:-TAG_SIZE] for record in pulled.records}
        wrong = [number for number, stored in self.witness.raw.items() if number in got and got[number] != stored]
        lost = [number for number in self.witness.raw if number not in got and number <= pulled.last]
        store = f"records {wrong or lost} are not those that were stored" if wrong or lost else ""
        return Verdict(len(pulled.records), chain, model, store, report.meters), pulled


def perform(text: str, stage: Stage, session: Session, on_line: Callable[[Line], None]) -> None:
    """Play lines of a scenario at a table that is there already. ScenarioError for what cannot be said, or be."""
    before = Setting(session.table.config["game"], session.seats, tuple(stage.marks), stage.names)
    script = parse(text, "scenario", lexicon(), before)
    if script.headed:
        raise ScenarioError("heading-late", "a heading for a table that is there already", "make the table so")
    Runner(script, stage, on_line).run()


def _unwilling(client: Client) -> SabotError | None:
    refused = client.status().get("refused")
    if refused is None:
        return None
    return SabotError(
        "sim-refused",
        f"the controller refuses to play: {refused['text']} ({refused['code']})",
        "give the table a configuration that holds together",
    )


def read(path: Path) -> Script:
    """The scenario in a file. FileError, with line and advice, when it is none."""
    try:
        text = read_bytes(path, SCENARIO_BYTES).decode("utf-8")
    except UnicodeDecodeError as error:
        raise FileError("scenario-no-text", f"{path} is not UTF-8 text", "name a scenario file") from error
    try:
        return parse(text, str(path), lexicon())
    except ScenarioError as error:
        raise FileError("scenario-" + error.code, error.located, error.hint) from error


def settings(
    game: str, seats: int, changes: Mapping[str, Any], limits: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """The configuration of a simulated table: ``changes`` replace whole fields, ``limits`` those of single bets.

    FileError when no hardware can be built for it. Everything else that is wrong with it is for the controller to say.
    """
    if game not in lexicon().games:
        raise FileError("scenario-table", f"there is no game {game}", "one of: " + " ".join(lexicon().games))
    if not 1 <= seats <= SEATS:
        raise FileError("scenario-table", f"a table of {seats} seats", f"1 to {SEATS} seats")
    config = full_table(game) if seats == SEATS else configuration(game, seats)
    for name, (buildable, allowed) in _BUILT_FROM.items():
        if name in changes and not buildable(changes[name], game):
            told = json.dumps(changes[name], default=repr)
            raise FileError(
                "scenario-table",
                f"config {name} is {told}; no table can be built so; allowed: {allowed}",
                "leave it out, or give what is allowed (docs/configuration.md)",
            )
    config.update(changes)
    if limits:
        config["limits"] = {**config["limits"], **limits}
    return config


@contextmanager
def _playing(script: Script, seed: int | None, language: str | None, options: dict[str, Any]) -> Iterator[Session]:
    """A session for a scenario; what goes wrong in it is told in the words of the command line."""
    config = settings(script.game, script.seats, script.config, script.limits)
    if language is not None:
        config["language"] = language
    with Session(config, seed=script.seed if seed is None else seed, **options) as session:
        try:
            yield session
        except ScenarioError as error:
            raise _impossible(error) from error
        except (SimFault, ControllerDied) as error:
            notes = "; ".join(getattr(error, "__notes__", []))
            raise SabotError(
                "sim-firmware", f"{notes or script.file}: {error}", "this is a mistake of the firmware: report it"
            ) from error


def _impossible(error: ScenarioError) -> SabotError:
    """The text was understood; what it asks for cannot happen at that moment."""
    return SabotError("scenario-impossible", error.located, error.hint)


def _run(runner: Runner, session: Session) -> bool:
    """Whether every line went well. SabotError, not ScenarioError, for a table that refuses to play at all."""
    try:
        return runner.run()
    except ScenarioError as error:
        refused = session.unwilling() if session.table.controller.calls else None
        raise (refused or error) from error


def play(
    script: Script,
    *,
    seed: int | None = None,
    language: str | None = None,
    on_line: Callable[[Line], None] = lambda line: None,
    **options: Any,
) -> Outcome:
    """Play a scenario, pull its journal and judge it.

    ``seed`` and ``language`` (of the display) replace the scenario's own; ``options`` go to
    :class:`~hwsim.table.SimTable`. An act that cannot happen ends the scenario and is told in the outcome. SabotError
    for a controller that refuses to play, for what no real part forgives, and for a firmware that ends.
    """
    with _playing(script, seed, language, options) as session:
        stage = session.stage()
        runner = Runner(script, stage, on_line)
        impossible = None
        try:
            good = _run(runner, session)
        except ScenarioError as error:
            good, impossible = False, _impossible(error)
            on_line(runner.lines[-1])
        seconds = session.table.now / 1e9
        verdict, pulled = session.finish(stage)
        return Outcome(good and verdict.good, runner.lines, verdict, pulled.path.read_bytes(), seconds, impossible)


def look(
    script: Script, take: Callable[[Stage], None], *, at: int | None, seed: int | None, language: str | None
) -> SabotError | None:
    """Play a scenario up to the instant ``at`` (ns), or to its end when None, and call ``take`` there.

    Expectations that are not met do not matter here. An act that cannot happen ends the scenario: ``take`` is called
    there, and what was impossible is returned. SabotError as in :func:`play`.
    """
    taken: list[int] = []

    def take_once() -> None:
        if not taken:
            taken.append(table.now)
            take(stage)

    with _playing(script, seed, language, {}) as session:
        stage = session.stage()
        table = session.table
        if at is not None:
            table.scheduler.at(at, take_once)
        try:
            _run(Runner(script, stage, lambda line: None, lambda: at is not None and table.now >= at), session)
        except ScenarioError as error:
            take_once()
            return _impossible(error)
        if at is not None:
            table.controller.run_until(max(at, table.now))
        take_once()
    return None
