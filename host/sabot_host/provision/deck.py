"""The list of a table's cards: which tag is which card, as a file of the house, and as the controller keeps it.

Entry points: :func:`read` (a file), :func:`masked` (for the board). The file has a line a card, ``UID,card``: sixteen
hexadecimal digits as the tag sends them (least significant byte first), and the card as ``As`` or ``Td``.
"""

from __future__ import annotations

import csv
import hashlib
import hmac
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from sabot_host.errors import FileError
from sabot_host.files import SETTINGS_BYTES, read_bytes

RANKS, SUITS = "23456789TJQKA", "cdhs"
_UID_BYTES = 8
_MOST_LINES = 1000


class TaggedCard(NamedTuple):
    """A card's tag and its number, rank × 4 + suit."""

    uid: bytes
    number: int


def read(path: Path) -> list[TaggedCard]:
    """Read a deck's file. FileError names the line that is wrong; blank lines and those that begin with # are not."""
    cards = []
    data = read_bytes(path, SETTINGS_BYTES)
    try:
        lines = data.decode("utf-8").splitlines()
        for row in csv.reader(line for line in lines if line.strip() and not line.startswith("#")):
            cards.append(_card(row))
            if len(cards) > _MOST_LINES:
                raise ValueError("too many lines")
    except (ValueError, csv.Error) as error:
        raise FileError(
            "deck-line",
            f"{path.name}: card {len(cards) + 1}: {error}",
            "a line is UID,card as e00401500a1b2c3d,As",
        ) from error
    return cards


def _card(row: list[str]) -> TaggedCard:
    if len(row) != 2:
        raise ValueError("UID and card are expected")
    uid, card = (word.strip() for word in row)
    if len(uid) != 2 * _UID_BYTES:
        raise ValueError("a UID has sixteen hexadecimal digits")
    if len(card) != 2 or card[0] not in RANKS or card[1] not in SUITS:
        raise ValueError(f"{card!r} is no card")
    return TaggedCard(bytes.fromhex(uid), RANKS.index(card[0]) * 4 + SUITS.index(card[1]))


def masked(decks: Sequence[Iterable[TaggedCard]], device_key: bytes) -> list[list[str | int]]:
    """The list for the board: by UID, so that its order gives nothing away, each card hidden under the device's key.

    Of two decks that take turns each card carries its deck's number.
    """
    entries: list[list[str | int]] = []
    for number, cards in enumerate(decks):
        for card in cards:
            hidden = card.number ^ hmac.new(device_key, b"card" + card.uid, hashlib.sha256).digest()[0]
            entries.append([card.uid.hex(), hidden, number] if len(decks) > 1 else [card.uid.hex(), hidden])
    return sorted(entries, key=lambda entry: str(entry[0]))
