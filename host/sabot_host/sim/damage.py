"""One bit of a journal that was good turns over: nobody may be deceived by it. Entry point: :func:`damaged`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hwsim.provisioning import DEVELOPMENT_KEYS
from hwsim.torture.memory import turn_bit
from hwsim.torture.stored import number_of
from sabot_host.errors import SabotError
from sabot_host.journal.verify import verify
from sabot_host.sim.play import Session

_START_MS = 2_000


def damaged(session: Session, chosen: int, records: Sequence[bytes], counts: dict[str, int]) -> Iterator[str]:
    """Turn a bit over in the dark, start, and pull: what is wrong with what comes of it, in words.

    ``records`` are those that were there before. The controller refuses to play and says why, or verification names the
    record that is another now, or nothing is lost; which of these is counted in ``counts``.
    """
    table = session.table
    session.host.unplug()
    table.stop()
    where = turn_bit(table.hardware.fram.image, table.hardware.flash.image, chosen)
    table.start()
    table.run_for(_START_MS)
    if session.unwilling() is not None:
        counts["damage refused"] = 1
        return
    try:
        pulled = session.pull()
    except SabotError as error:
        yield f"{where} turned over: the table plays and its journal cannot be pulled: {error.message}"
        return
    report = verify(pulled, DEVELOPMENT_KEYS["journal"])
    there = {number_of(record): record for record in pulled.records}
    others = [number_of(record) for record in records if there.get(number_of(record)) != record]
    if report.good and not others:
        counts["damage mended"] = 1
    elif not report.good and others and report.sequence == others[0]:
        counts["damage named"] = 1
    else:
        said = f"{report.kind} at {report.sequence}" if report.kind else "good"
        yield f"{where} turned over: records {others} are others now, and verification says {said}"
