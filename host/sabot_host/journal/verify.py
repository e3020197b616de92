"""Judge a pulled journal with the first key of its chain: is it all there, and is every record the controller's own?

Entry points: `verify`, `Report`, `KINDS`. docs/journal.md says what each kind proves and what no key can prove.
"""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from typing import Any

from sabot.wire import head as wire_head
from sabot.wire import meters
from sabot.wire.records import OVERHEAD, TAG_SIZE, RecordError, chain_tag, next_key, parse, whole
from sabot_host.errors import FileError
from sabot_host.journal.file import FRAME_MOST, HEAD, RECORD, Pulled, sequence_of

KINDS = {
    "altered": "the record's contents are not those that the controller sealed",
    "removed": "the record is not in the file, later ones are",
    "reordered": "the record does not stand where it belongs, or stands there twice",
    "truncated": "the file ends before the record",
    "forged": "the record or head was not made by the controller that holds the chain's key",
    "incomplete": "the file does not end with a head over the nonce: it may be old, or shortened",
    "meters": "the controller's meters are not the sum of the records",
}


@dataclass(frozen=True)
class Report:
    """What `verify` found. ``kind``: "" for a good journal, else one of `KINDS`; ``sequence``: the first bad record."""

    kind: str
    sequence: int
    detail: str
    first: int
    last: int
    """the last record that is proved good; ``first`` - 1 when none is"""
    boot: int
    meters: dict[str, Any] | None
    """the meters added up from the records, when the file begins at record 1"""

    @property
    def good(self) -> bool:
        """Whether nothing is wrong."""
        return not self.kind

    def as_dict(self) -> dict[str, Any]:
        """The report for JSON."""
        return {
            "good": self.good,
            "kind": self.kind,
            "sequence": self.sequence,
            "detail": self.detail,
            "first": self.first,
            "last": self.last,
            "boot": self.boot,
            "meters": self.meters,
        }


class _Bad(Exception):
    def __init__(self, kind: str, sequence: int, detail: str = "") -> None:
        super().__init__(kind)
        self.kind = kind
        self.sequence = sequence
        self.detail = detail or KINDS[kind]


def _last_of(head: bytes) -> int:
    """Which record a head names as the last; -1 when it makes no sense."""
    try:
        return int(wire_head.parse(head).last)
    except wire_head.HeadError:
        return -1


class _Chain:
    """Walks the frames; ``expected`` is the next sequence number, ``key`` and ``tag`` what its tag depends on."""

    def __init__(self, pulled: Pulled, key: bytes) -> None:
        self.frames = pulled.frames
        self.rest = pulled.rest
        self.expected = pulled.header.first
        self.tag = pulled.header.before
        self.key = key
        self.boot = 0
        self.sum = meters.new()

    def begin(self) -> None:
        """Step through the keys of the records before the file's first."""
        for _ in range(self.expected - 1):
            self.key = next_key(self.key)

    def record(self, index: int) -> None:
        """Judge the record in frame ``index`` and step behind it."""
        record = self.frames[index][1]
        if len(record) < OVERHEAD or not whole(record, len(record)):
            raise _Bad("altered", self.expected)
        sequence = sequence_of(record)
        if sequence != self.expected:
            again = (RECORD, record) in self.frames[:index]
            if again or self.expected in self._following(index):
                raise _Bad("reordered", self.expected, f"record {sequence} stands where {self.expected} belongs")
            # A foreign number between its right neighbours is a changed number, not a gap.
            if not self._goes_on_behind(index):
                raise _Bad("removed", self.expected, f"record {sequence} follows {self.expected - 1}")
        own = record[-TAG_SIZE:]
        if sequence != self.expected or not hmac.compare_digest(own, chain_tag(self.key, self.tag, record)):
            # The tag that the controller gave is still there when what follows was chained to it.
            raise _Bad("altered" if self._chained_to(index, own) else "forged", self.expected)
        try:
            parsed = parse(record)
        except RecordError as error:
            raise _Bad("forged", sequence, f"genuine, but this tool cannot read it: {error}") from error
        self.tag = own
        self.key = next_key(self.key)
        self.expected += 1
        self.boot = parsed["boot"]
        meters.apply(self.sum, parsed["code"], parsed["fields"])

    def _following(self, index: int) -> list[int]:
        """Sequence numbers of the records behind frame ``index``."""
        return [sequence_of(data) for kind, data in self.frames[index + 1 :] if kind == RECORD]

    def _goes_on_behind(self, index: int) -> bool:
        """Whether the frame after ``index`` is the one due after the record that is due there."""
        kind, data = self.frames[index + 1] if index + 1 < len(self.frames) else (0, b"")
        if kind == HEAD:
            return _last_of(data) == self.expected
        return kind == RECORD and sequence_of(data) == self.expected + 1

    def _chained_to(self, index: int, tag: bytes) -> bool:
        """Whether the frame after ``index`` is genuine, given ``tag`` as the tag of the record there."""
        if index + 1 >= len(self.frames):
            return False
        kind, data = self.frames[index + 1]
        following = next_key(self.key)
        if kind == RECORD:
            return data[-TAG_SIZE:] == chain_tag(following, tag, data)
        return wire_head.genuine(following, data) and wire_head.parse(data).tag == tag

    def head(self, index: int) -> wire_head.Head:
        """Judge the head in frame ``index``; it must be over the records before it."""
        data = self.frames[index][1]
        try:
            head = wire_head.parse(data)
        except wire_head.HeadError as error:
            raise _Bad("forged", self.expected - 1, f"a head that makes no sense: {error}") from error
        if head.last >= self.expected:
            raise _Bad(
                "reordered" if self._following(index) else "truncated",
                self.expected,
                f"the head is over {head.last} records",
            )
        # The key tells how many records came before, the tag which: a memory can be copied and set back.
        if head.last != self.expected - 1 or head.tag != self.tag or not wire_head.genuine(self.key, data):
            raise _Bad("forged", self.expected - 1, "the head was not made by this controller after this record")
        return head


def _beginning(pulled: Pulled, start: int) -> None:
    """Judge the first line, before the keys up to its record are made: it may claim any."""
    first = pulled.header.first
    if not pulled.canonical:
        raise _Bad("altered", first, "the first line says what it should, but not in the bytes that a pull writes")
    if first > start:
        raise _Bad("removed", start, f"the file begins with record {first}")


def _walk(chain: _Chain, pulled: Pulled, nonce: bytes | None) -> None:
    first = pulled.header.first
    final: wire_head.Head | None = None
    for index, (kind, _) in enumerate(chain.frames):
        if kind == HEAD:
            final = chain.head(index)
        else:
            final = None
            chain.record(index)
    if chain.rest:
        # A damaged frame in the middle, or the file stops inside one.
        raise _Bad(*_tail(pulled, chain.expected))
    if final is None:
        raise _Bad("incomplete", chain.expected, "the file does not end with a head")
    if nonce is not None and final.nonce != nonce:
        raise _Bad("incomplete", chain.expected, "the head is over another nonce: it is the answer to another pull")
    if final.table != pulled.header.table:
        raise _Bad("forged", first, "the first line names another table than the head")
    if first == 1 and final.meters != meters.digest(chain.sum):
        raise _Bad("meters", final.last)


def _tail(pulled: Pulled, expected: int) -> tuple[str, int, str]:
    """What stands behind the last good frame: a frame that is cut off, or a damaged one."""
    start = pulled.tail
    length = int.from_bytes(start[1:3], "little") if len(start) == 3 else 0
    if len(start) < 3 or (start[0] in (RECORD, HEAD) and pulled.rest < min(3 + length + 4, FRAME_MOST)):
        return "truncated", expected, "the file ends inside a frame"
    return "altered", expected, "a frame of the file is damaged"


def verify(pulled: Pulled, key: bytes, nonce: bytes | None = None, start: int = 1) -> Report:
    """Judge a file with the first key of its chain.

    Args:
        pulled: the file, as `sabot_host.journal.file.read` gives it.
        key: the 32 bytes with which the table was provisioned.
        nonce: the auditor's own, when someone else did the pull; None takes the one in the file.
        start: the record that the file may begin with at the latest, when those before it are in an earlier file.

    FileError ``journal-other-key`` when the file says that its chain began with another key.
    """
    if pulled.header.key != wire_head.key_id(key):
        raise FileError(
            "journal-other-key",
            f"{pulled.path} was not begun with this key",
            "give the key file that was written when this table was provisioned",
        )
    chain = _Chain(pulled, key)
    kind, sequence, detail = "", 0, ""
    try:
        _beginning(pulled, start)
        chain.begin()
        _walk(chain, pulled, nonce)
    except _Bad as bad:
        kind, sequence, detail = bad.kind, bad.sequence, bad.detail
    first = pulled.header.first
    totals = meters.as_dict(chain.sum) if first == 1 else None
    return Report(kind, sequence, detail, first, chain.expected - 1, chain.boot, totals)
