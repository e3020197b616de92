"""Reads the journal as it is stored, on the memory's own bus: no link, no host, no word of the firmware.

Entry points: :class:`Witness` (``look``, ``entries``, ``state``, ``counter``, ``settled``), :func:`named` (a parsed
record as names and values).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hwsim.scenario.claims import Entry, Instant, Money, Value
from hwsim.table import SimTable
from sabot.rules.cards import card_name
from sabot.wire import codes, meters
from sabot.wire.records import TAG_SIZE, layout, parse, whole
from sabot_host.journal.show import OF_FIELD, TABLES, badge_text, uid_text
from sabot_host.model.replay import Misfit, Model
from sabot_host.sim.lexicon import DEALER, DISPUTED, IRREGULARITIES

_SEALED = frozenset(("commitment", "nonce"))  # says nothing to people


class Witness:
    """Follows the journal of ``table``, whose game has the bets ``bets``. It must be made before the power comes."""

    def __init__(self, table: SimTable, bets: Sequence[str]) -> None:
        self.raw: dict[int, bytes] = {}
        """The records as they were stored, by number, without the tag, which comes later."""
        self.misfit: Misfit | None = None
        """The first record that the reference model does not allow."""
        self.entries: list[Entry] = []
        self._table = table
        self._bets = tuple(bets)
        self._model = Model()
        self._sum = meters.new()
        self._writes = table.hardware.fram.journal = []
        self._seen = 0

    def look(self) -> None:
        """Take in what was stored since the last look."""
        while self._seen < len(self._writes):
            write = self._writes[self._seen]
            self._seen += 1
            if whole(write.data, len(write.data)) == len(write.data) > 0:
                self._take(write.when, write.data)

    def _take(self, when: int, data: bytes) -> None:
        record = parse(data)
        self.raw[record["sequence"]] = data[:-TAG_SIZE]
        self.entries.append(named(record, self._bets, when, self._table.controller.ticks_zero))
        meters.apply(self._sum, record["code"], record["fields"])
        if self.misfit is None:
            try:
                self._model.apply(record)
            except Misfit as misfit:
                self.misfit = misfit

    @property
    def state(self) -> str:
        """State of the table, by the records."""
        return self._model.table()

    @property
    def model(self) -> Model:
        """The reference model, driven by the records."""
        return self._model

    def counter(self, name: str) -> int:
        """A meter, summed over the records."""
        return int(meters.as_dict(self._sum)[name])

    def settled(self, seat: int, bet: str) -> tuple[int, int, int]:
        """Cents staked, paid and returned at a spot, summed over the records."""
        for row in meters.as_dict(self._sum)["places"]:
            if (row["seat"], row["spot"]) == (seat, self._bets.index(bet)):
                return row["staked"], row["paid"], row["returned"]
        return 0, 0, 0


def named(record: dict[str, Any], bets: Sequence[str], when: int, ticks_zero: int) -> Entry:
    """A parsed record as names and values.

    ``when`` is the instant at which it was stored, ``ticks_zero`` that of the controller's counter at 0, both in ns of
    the simulated world.
    """
    fields: dict[str, Value] = {}
    rows: list[dict[str, Value]] = []
    for name, kind in layout(record["code"])[2]:
        value = record["fields"][name]
        if isinstance(kind, tuple):
            for entry in value:
                row: dict[str, Value] = {}
                for (column, type_), cell in zip(kind, entry, strict=True):
                    _add(row, column, type_, cell, bets, ticks_zero)
                rows.append(row)
        else:
            _add(fields, name, kind, value, bets, ticks_zero)
    name = record["name"]
    if name in IRREGULARITIES:
        name = str(fields["kind"])
        fields.setdefault("severity", codes.severity(name))  # a card's fault does not store it
    return Entry(record["sequence"], name, record["name"], when, fields, tuple(rows))


def _add(row: dict[str, Value], name: str, kind: str, value: Any, bets: Sequence[str], ticks_zero: int) -> None:
    """Put one field into a row, under the names that people use."""
    if name in _SEALED:
        return
    if name == "place":
        seat, spot = codes.place_seat(value), codes.place_spot(value)
        if seat:
            row["seat"] = seat
            row["bet"] = bets[spot] if spot < len(bets) else f"spot_{spot}"
    elif name == "seat":
        row["seat"] = value if value else DEALER
    elif name == "kind":
        row["kind"] = codes.kind_name(value)
    elif name == "flags":
        if value & 1:
            row["flags"] = DISPUTED
    elif name in OF_FIELD:
        names = TABLES[OF_FIELD[name]]
        row[name] = names[value] if value < len(names) else str(value)
    elif kind == "M" or name == "amount":
        row[name] = Money(value)
    elif kind == "T":
        row[name] = Instant(ticks_zero + value * 1000)
    elif name == "badge":
        row[name] = badge_text(value)
    elif kind == "X":
        row[name] = " ".join(card_name(card) for card in value)
    elif kind == "U":
        row[name] = uid_text(value)
    elif kind == "K":
        row[name] = value.hex()
    else:
        row[name] = value
