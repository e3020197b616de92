"""A record in words, one line each, for people.

Entry points: `Words`, `parsed`, `selected`, `as_json`, `uid_text`, `badge_text`, `clock_text`. Numbers become names by
the tables of `sabot.wire.codes`; the bets of a place get the names of the game that the last lock or `configured`
record before them set.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any

from sabot.rules.cards import card_name
from sabot.rules.games import load
from sabot.wire import codes
from sabot.wire.records import RecordError, code_of, identity, layout, parse
from sabot.wire.states import SEAT_STATES, TABLE_STATES
from sabot_host.lang import CODED, Tongue
from sabot_host.model.hands import LATER, SEAT
from sabot_host.model.versions import version

Parsed = dict[str, Any]

UNREADABLE = "unreadable"
"""Name that `parsed` gives a record that makes no sense."""

TABLES: dict[str, tuple[str, ...]] = {
    "badge": tuple(codes.badges()),
    "decision": codes.DECISIONS,
    "declaration": codes.DECLARATIONS,
    "key": codes.KEYS,
    "kind": tuple(codes.kinds()),
    "note": codes.KEY_NOTES,
    "part": codes.FAULTS,
    "payment": codes.PAYMENTS,
    "reason": codes.VOID_REASONS,
    "resolution": codes.RESOLUTIONS,
    "result": codes.RESULTS,
    "role": codes.ROLES,
    "seat": SEAT_STATES,
    "table": TABLE_STATES,
}
"""Tables of codes: what a number stands for, and in which table a name has its word."""

# The table by which the number in a field becomes a name, where it is not of the field's own name.
OF_FIELD = {
    **{name: name for name in ("decision", "key", "note", "part", "reason", "resolution", "result", "role")},
    "by": "role",
    "did": "badge",
    "outcome": "payment",
    "said": "declaration",
    "second": "role",
    "table_state": "table",
}
_YES_OR_NO = ("granted", "up", "on")
_MONEY = ("amount", "before", "after", "stake", "paid", "returned")
_CLOCK = 20  # letters of a wall clock
_TIMES = ("edge", "begun", "ended", "at", "earliest", "latest")


def _seconds(microseconds: int) -> str:
    return f"{microseconds / 1_000_000:.6f}"


def clock_text(seconds: int) -> str:
    """A wall clock, seconds since 1970 UTC, as it is printed."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M:%SZ")


def uid_text(uid: bytes) -> str:
    """A UID as it is printed on tags and told by readers: most significant byte first (ISO 15693, 4.1)."""
    return uid[::-1].hex().upper()


def badge_text(uid: bytes) -> str:
    """A badge's UID as readers tell it: in the order of the air (ISO/IEC 14443-3); one that has none is ``-``."""
    return uid.hex().upper() or "-"


class Words:
    """Puts records into words of ``tongue``; ``bets`` are those of the game, until a record sets another one."""

    def __init__(self, bets: tuple[str, ...] = (), tongue: Tongue = CODED) -> None:
        self._bets = bets
        self._tongue = tongue

    def learn(self, record: Parsed) -> None:
        """Take the game from the rules of a lock, or from a `configured` record."""
        if record["name"] == "lock":
            game = version(record["fields"]["game_hash"])
            if game is not None:
                self._bets = tuple(bet.name for bet in game.bets)
        elif record["name"] == "configured":
            try:
                self._bets = tuple(bet.name for bet in load(record["fields"]["game"]).bets)
            except (KeyError, ImportError):
                self._bets = ()

    def _place(self, value: int) -> str:
        seat, spot = codes.place_seat(value), codes.place_spot(value)
        said = self._tongue.said
        if not value:
            return said("table")
        bet = self._tongue.word("bet", self._bets[spot]) if spot < len(self._bets) else said(f"spot {spot}")
        return said(f"seat {seat}") + " " + bet

    def _hand(self, number: int) -> str:
        """A seat, or the number of a hand."""
        seat, part = number & SEAT, number // LATER
        said = self._tongue.said
        whose = said(f"seat {seat}") if seat else self._tongue.word("role", "dealer")
        if part == 1:
            return said(f"{whose} later")
        if part > 1:
            return said(f"dealer against seat {seat}") if part == 2 else said(f"hand {number}")
        return whose

    def _named(self, table: str, number: int) -> str:
        names = TABLES[table]
        return self._tongue.word(table, names[number]) if number < len(names) else str(number)

    def value(self, record: str, name: str, value: Any) -> str:
        """A value of a field or a column ``name`` of a record."""
        if name == "place":
            return self._place(value)
        if name == "kind":
            return self._tongue.word("kind", codes.kind_name(value))
        if name == "uid":
            return uid_text(value)
        if name == "badge":
            return badge_text(value)
        if name in _MONEY and record != "clock_set":
            return self._tongue.money(value) + " $"
        if name in _TIMES:
            return f"+{_seconds(value)}"
        if name == "cards" and isinstance(value, bytes):
            return " ".join(card_name(card) if card < 52 else "?" for card in value)
        if record == "decisions" and name == "by":  # the key that closed them
            return self._named("key", value)
        if record == "clock_set" and name in ("before", "after"):
            return clock_text(value) if value else self._tongue.said("not set")
        if name in _YES_OR_NO:
            return self._tongue.said("yes" if value else "no")
        if name in OF_FIELD and isinstance(value, int):
            return self._named(OF_FIELD[name], value)
        if isinstance(value, str):
            # Text of the file must not reach the terminal as control codes.
            return value if value.isprintable() else ascii(value)
        return value.hex() if isinstance(value, bytes) else str(value)

    def _row(self, record: str, listed: str, row: tuple[Any, ...]) -> str:
        kinds = dict(layout(code_of(record))[2])
        words = []
        for (column, _kind), value in zip(kinds[listed], row, strict=True):
            if column == "decides":
                words += [self._tongue.word("field", column)] if value else []
            elif column == "flags":
                words += [self._tongue.said("disputed")] if value & 1 else []
            elif column == "seat":
                words.append(self._hand(value))
            elif column in ("paid", "returned", "cards") and record != "reveal":
                words.append(f"{self._tongue.word('field', column)} {self.value(record, column, value)}")
            else:
                words.append(self.value(record, column, value))
        return " ".join(words)

    def fields(self, record: Parsed) -> str:
        """The fields of a record in words."""
        parts = []
        for name, value in record["fields"].items():
            word = self._tongue.word("field", name)
            if isinstance(value, list):
                rows = "; ".join(self._row(record["name"], name, row) for row in value)
                parts.append(f"{word} [{rows}]")
            else:
                parts.append(f"{word} {self.value(record['name'], name, value)}")
        return ", ".join(parts)

    def told(self, record: Parsed) -> str:
        """Name and fields of a record."""
        return self._tongue.word("record", record["name"]) + self._tongue.colon + self.fields(record)

    def line(self, record: Parsed) -> str:
        """A record as one line: sequence, boot, time since boot, wall clock, dealer, name, fields."""
        clock = self._tongue.said("clock not set").ljust(_CLOCK)
        if record["clock"]:
            clock = clock_text(record["clock"])
            if codes.CLOCK_QUALITY[record["quality"]] == "coasting":
                clock = clock.replace("Z", "?")
        dealer = f" {self._tongue.word('role', 'dealer')} {record['dealer']}" if record["dealer"] else ""
        return (
            f"{record['sequence']:>7}  {record['boot']:>3}+{_seconds(record['monotonic']):<14} {clock}{dealer}  "
            + self.told(record)
        )


def parsed(records: Iterable[bytes]) -> Iterator[Parsed]:
    """Parse records in order; one that cannot be read becomes name :data:`UNREADABLE` with the reason as its field."""
    for data in records:
        try:
            yield parse(data)
        except RecordError as error:
            sequence, boot, monotonic = identity(data)
            yield {
                "name": UNREADABLE,
                "sequence": sequence,
                "boot": boot,
                "monotonic": monotonic,
                "clock": 0,
                "quality": 0,
                "dealer": 0,
                "fields": {"why": str(error)},
            }


def selected(records: Iterable[Parsed], code: str | None, number: int | None) -> Iterator[Parsed]:
    """Leave only records named ``code`` and those of round ``number``: from its lock to its end or void."""
    current: int | None = None
    for record in records:
        name = record["name"]
        own = record["fields"].get("round")
        if name == "lock":
            current = own
        if (number is None or number in (current, own)) and (code is None or code == name):
            yield record
        if name in ("round_end", "void", "unlock"):
            current = None


def as_json(record: Parsed) -> dict[str, Any]:
    """A record for JSON: bytes as hexadecimal digits, UIDs as printed, lists of lists; numbers stay numbers."""

    def plain(value: Any) -> Any:
        if isinstance(value, bytes):
            return value.hex()
        if isinstance(value, (list, tuple)):
            return [plain(each) for each in value]
        return value

    values = {name: plain(value) for name, value in record.items() if name not in ("fields", "length", "tag")}
    values["fields"] = {name: plain(value) for name, value in record["fields"].items()}
    if "uids" in record["fields"]:
        values["fields"]["uids"] = [[uid_text(uid)] for (uid,) in record["fields"]["uids"]]
    return values
