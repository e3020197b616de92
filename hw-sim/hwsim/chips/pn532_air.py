"""What a PN532 meets in its field: ISO 14443A cards, and the order in which anticollision finds them.

Entry points: :class:`Card` and :class:`CardField` (what the world side provides), :data:`ACK`, :data:`NAK` and
:data:`Reply` (what a card answers), :func:`discovery_order`, :func:`initiator_uid`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, Protocol

ACK: Final = "ack"
NAK: Final = "nak"
Reply = bytes | Literal["ack", "nak"] | None
"""Bytes without CRC, the four-bit answers of Type 2 tags, or None: nothing came."""

CASCADE_TAG: Final = 0x88
ISO_DEP: Final = 0x20  # SEL_RES bit 5: ISO 14443-4


class Card(Protocol):
    """One ISO 14443A card."""

    sens_res: bytes
    """Two bytes, high first."""
    sel_res: int
    ats: bytes
    """Answer to select, its length byte included; empty for cards without ISO 14443-4."""

    @property
    def uid(self) -> bytes:
        """4 or 7 bytes, first byte first. A random one changes each time the field comes."""

    def select(self) -> None:
        """REQA or WUPA and anticollision were meant for this card: it is active."""

    def halt(self) -> None:
        """HLTA or DESELECT."""

    def exchange(self, frame: bytes) -> Reply:
        """A frame without CRC. Cards that are not active do not answer."""


class CardField(Protocol):
    """The antenna's field and who is in it."""

    def set_field(self, on: bool) -> None:
        """The reader's carrier."""

    def cards(self) -> Sequence[Card]:
        """Cards with power at this instant."""

    def on_air(self, card: Card, frame: bytes, reply: Reply) -> Reply:
        """What the reader hears of ``reply``; ``frame`` is empty for a selection. None: lost."""


def _search_key(card: Card) -> list[int]:
    """Bits of the cascade levels in the order on the air; a reader follows the 1 first."""
    uid = card.uid if len(card.uid) == 4 else bytes([CASCADE_TAG]) + card.uid
    return [1 - (byte >> bit & 1) for byte in uid for bit in range(8)]


def discovery_order(cards: Sequence[Card]) -> list[Card]:
    """Cards in the order in which anticollision finds them."""
    return sorted(cards, key=_search_key)


def initiator_uid(data: bytes) -> bytes | None:
    """The UID that initiator data ask for: 4 bytes, or 8 with the cascade tag; None when they are neither."""
    if len(data) == 4:
        return data
    if len(data) == 8 and data[0] == CASCADE_TAG:
        return data[1:]
    return None
