"""Rounds of a journal, told for a dispute: who bet what, which cards, what was ruled, what was paid.

Entry points: `rounds` (out of parsed records), `Round`, `fetch` (the last rounds of a table that plays on).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from sabot.wire import codes
from sabot_host.journal.pull import Source, head_of
from sabot_host.journal.show import Parsed, Words, as_json, clock_text, parsed
from sabot_host.lang import CODED, Tongue

# The rest of a round (keys, commitments, notices) is there with `sabot journal show --round`.
_LEFT_OUT = ("key", "deal", "change", "link", "access", "clock_set", "signed", "table")
_ENDS = {"round_end": "ended", "void": "void", "unlock": "lock taken back"}
_RECORDS_A_ROUND = 48  # where reading begins, for each round wanted; further back when that was too few
_MOST_BACK = 16  # times as far, at the most


@dataclass
class Round:
    """One round, from its lock to the next one's."""

    number: int
    began: int
    """wall clock of the lock, seconds since 1970 UTC; 0 when the controller did not know it"""
    dealer: int
    ended: str = ""
    """record that ended it, empty while it runs"""
    records: list[Parsed] = field(default_factory=list)

    def lines(self, speaker: Words, tongue: Tongue = CODED) -> Iterator[str]:
        """The round in words, each record with the seconds since the lock (its own boot's, after a power cut)."""
        said = tongue.said
        when = clock_text(self.began) if self.began else said("clock not set")
        dealer = said(f"dealer {self.dealer}") if self.dealer else said("no dealer signed on")
        yield f"{said(f'round {self.number}')}, {when}, {dealer}, {said(_ENDS.get(self.ended, 'running'))}"
        lock = self.records[0]
        for record in self.records:
            since = record["monotonic"] - (lock["monotonic"] if record["boot"] == lock["boot"] else 0)
            yield f"  {since / 1_000_000:+10.3f} s  {speaker.told(record)}"

    def as_dict(self) -> dict[str, Any]:
        """The round for JSON."""
        return {
            "round": self.number,
            "began": self.began,
            "dealer": self.dealer,
            "ended": self.ended or None,
            "records": [as_json(record) for record in self.records],
        }

    def seats(self) -> set[int]:
        """Seats that had a bet at one of its locks."""
        spots = [row for record in self.records for row in record["fields"].get("spots", [])]
        return {codes.place_seat(row[0]) for row in spots}


def rounds(records: Iterable[Parsed]) -> list[Round]:
    """Rounds whose lock is among the records, in their order."""
    found: list[Round] = []
    for record in records:
        if record["name"] == "lock":
            found.append(Round(record["fields"]["round"], record["clock"], record["dealer"]))
        if found and record["name"] not in _LEFT_OUT:
            found[-1].records.append(record)
            if record["name"] in _ENDS and not found[-1].ended:
                found[-1].ended = record["name"]
    return found


def fetch(source: Source, nonce: bytes, count: int) -> list[Parsed]:
    """Records of the last ``count`` rounds, and of what came after, from a controller that may be playing.

    Reads back from the newest record as far as it must, and acknowledges nothing.
    """
    _, head = head_of(source, nonce)
    back = count * _RECORDS_A_ROUND
    farthest = back * _MOST_BACK
    records: list[Parsed] = []
    last = head.last
    while last:
        first = max(head.oldest, head.last - back + 1)
        records = [*parsed(source.read_records(first, last=last)), *records]
        last = first - 1
        if first <= head.oldest or len(rounds(records)) >= count or back >= farthest:
            break
        back *= 2
    return records
