"""Random people at a whole table, judged round by round. Entry points: :func:`fuzz`, :class:`Result`, :class:`Told`.

The people and the bookkeeper are ``hwsim.fuzz``; here they get a table with a host, and the journal is pulled and
verified at the end. The same seed plays the same rounds and gives the same journal, byte for byte.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hwsim.core import SimFault
from hwsim.fuzz.air import lossy
from hwsim.fuzz.bookkeeper.books import Bookkeeper
from hwsim.fuzz.bookkeeper.findings import FALSE, MISSED, Finding
from hwsim.fuzz.crew import Stuck
from hwsim.fuzz.game import Play
from hwsim.fuzz.laws import GAMES
from hwsim.fuzz.tables import SEATS, table
from hwsim.fuzz.tally import Tally
from hwsim.process import ControllerDied
from sabot_host.sim.play import Session

__all__ = ["GAMES", "Result", "Told", "as_dict", "command", "fuzz", "lines"]

LOST = 0.01  # share of answers that are lost on the air
_ACKNOWLEDGED = 20  # rounds after which the host says that the records are safe


@dataclass(frozen=True)
class Told:
    """A finding, with what people did around it."""

    round: int
    finding: Finding
    around: tuple[str, ...]


@dataclass
class Result:
    """What came of one seed."""

    game: str
    seed: int
    seats: int
    tally: Tally = field(default_factory=Tally)
    told: list[Told] = field(default_factory=list)
    broken: str = ""
    """why the play ended before its last round, or what the journal is not worth"""
    journal: bytes = b""

    @property
    def good(self) -> bool:
        """Whether nothing is wrong; false alarms may be within tolerance all the same over more seeds."""
        return self.tally.good and not self.broken


def fuzz(
    game: str,
    seed: int,
    rounds: int,
    *,
    seats: int = SEATS,
    code: Sequence[Path] | None = None,
    stop: bool = False,
    acts: Sequence[str] = (),
    lost: float = LOST,
    on_round: Callable[[int, list[Finding]], None] = lambda number, findings: None,
) -> Result:
    """Play ``rounds`` rounds from ``seed`` and judge them; ``stop`` after the first round with a finding.

    ``code``: folders with another firmware and its drivers; ``acts``: the only ones that people do, by their names;
    ``lost``: the share of answers, 0 to 1, that are lost on the air.
    """
    result = Result(game, seed, seats)
    with Session(table(game, seats), seed=seed, code=code) as session:
        play = Play(session.stage(), seed, acts)
        lossy(play.floor, lost, seed)
        books = Bookkeeper(play.floor)
        try:
            play.open()
            for number in range(1, rounds + 1):
                findings = _round(session, play, books, number, result)
                on_round(number, findings)
                if findings and stop:
                    return result
            verdict, pulled = session.judge()
            result.journal = pulled.path.read_bytes()
            result.broken = "; ".join(text for text in (verdict.chain, verdict.model, verdict.store) if text)
        except Stuck as stuck:
            result.broken = str(stuck)
            result.told.append(_told(play, play.rounds, Finding(MISSED, play.floor.now, str(stuck))))
        except (SimFault, ControllerDied) as error:
            result.broken = f"the firmware ended: {error}"
            result.told.append(_told(play, play.rounds, Finding(FALSE, play.floor.now, result.broken, 3)))
    return result


def as_dict(result: Result) -> dict[str, Any]:
    """For JSON."""
    return {
        "good": result.good,
        "game": result.game,
        "seed": result.seed,
        "seats": result.seats,
        **result.tally.as_dict(),
        "broken": result.broken,
        "findings": [
            {"round": one.round, "sort": one.finding.sort, "at": one.finding.when / 1e9, "text": one.finding.text}
            for one in result.told
        ],
        "journal_sha256": hashlib.sha256(result.journal).hexdigest(),
    }


def lines(result: Result, rounds: int) -> Iterator[str]:
    """For people: findings with what was done around them, how to see them again, the tally."""
    for one in result.told:
        yield f"round {one.round}, {one.finding}"
        yield from (f"    {note}" for note in one.around)
    if result.broken:
        yield f"broken: {result.broken}"
    if result.told or result.broken:
        yield f"again: {command(result, rounds)}"
    yield from result.tally.lines()


def command(result: Result, rounds: int) -> str:
    """The command that plays the same again."""
    return f"sabot sim fuzz --game {result.game} --seats {result.seats} --seed {result.seed} --rounds {rounds}"


def _round(session: Session, play: Play, books: Bookkeeper, number: int, result: Result) -> list[Finding]:
    floor, tally = play.floor, result.tally
    begin = floor.now
    acts = dict(floor.diary.acts)
    presses = len(floor.diary.presses)
    play.round()
    findings = books.round(number, begin)
    if number % _ACKNOWLEDGED == 0:
        session.host.acknowledge()
    misfit = session.witness.misfit
    if misfit is not None:
        result.broken = str(misfit)
    keys = len(floor.diary.presses) - presses
    tally.add(
        Tally(
            1,
            (floor.now - begin) / 1e9,
            keys,
            int(books.asked == 0),
            keys if books.asked == 0 else 0,
            books.prompts,
            books.holds,
            acts={name: count - acts.get(name, 0) for name, count in floor.diary.acts.items()},
        )
    )
    for finding in findings:
        tally.find(finding)
        result.told.append(_told(play, number, finding))
    return findings


def _told(play: Play, number: int, finding: Finding) -> Told:
    return Told(number, finding, tuple(str(note) for note in play.floor.diary.around(finding.when)))
