"""What a table is given before it plays: configuration, keys, deck list, first journal key, as files of the board.

Entry points: :func:`small_table`, :func:`full_table` and :func:`configuration` (a configuration), :func:`provision`
(writes the files), :data:`DEVELOPMENT_KEYS`: published, for simulated tables only. The controller refuses any other
format (`firmware/sabot/config.py`, `firmware/sabot/services/deck.py`).
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from hwsim.world.cards import CUT_CARD, Card

SEATS = 7
DISCARD = "discard"
ANTENNAS_A_READER = 8
RANKS = "23456789TJQKA"
SUITS = "cdhs"


def _development_key(name: str) -> bytes:
    return hashlib.sha256(f"sabot development key: {name}".encode()).digest()


DEVELOPMENT_KEYS = {
    name: _development_key(name)
    for name in ("device", "casino", "journal", "dealer", "supervisor", "technician", "auditor")
}
CASINO = 514

_BETS = {
    "three_card": ("ante", "pair_plus", "play"),
    "bataille": ("initial", "tie", "additional"),
    "poker_357": ("three", "five", "seven"),
    "boston": ("ante", "first", "second", "bonus"),
    "four_card": ("ante", "aces_up", "play"),
    "crazy_four": ("ante", "super_bonus", "queens_up", "play"),
}
_MAIN, _SIDE = [500, 50000], [100, 10000]
_LIMITS = {
    "three_card": {"ante": _MAIN, "pair_plus": _SIDE},
    "bataille": {"initial": _MAIN, "tie": _SIDE},
    "poker_357": {"three": _MAIN, "five": _MAIN, "seven": _MAIN},
    "boston": {"ante": _MAIN, "bonus": _SIDE},
    "four_card": {"ante": _MAIN, "aces_up": _SIDE},
    "crazy_four": {"ante": _MAIN, "queens_up": _SIDE},
}
_DECKS = {"bataille": 6}  # 67.33; the poker games are played with one pack


def configuration(game: str, seats: int, **changes: Any) -> dict[str, Any]:
    """A table of ``seats`` seats for ``game``; ``changes`` replace whole fields.

    Its spots lie seat by seat on one reader, two or four, as many on each as can be.
    """
    spots: list[list[Any]] = [[seat, bet] for seat in range(1, seats + 1) for bet in _BETS[game]]
    config: dict[str, Any] = {
        "version": 1,
        "table": 1,
        "casino": CASINO,
        "game": game,
        "decks": _DECKS.get(game, 1),
        "readers": _shared_out(spots, next(count for count in (1, 2, 4) if len(spots) <= count * ANTENNAS_A_READER)),
        "limits": _LIMITS[game],
        "payment_order": "none",
        "sign_on": "off",
    }
    config.update(changes)
    return config


def _shared_out(spots: list[list[Any]], readers: int) -> list[list[list[Any]]]:
    """Spots in their order on so many readers, their numbers differing by one at most."""
    ends = [len(spots) * reader // readers for reader in range(readers + 1)]
    return [spots[first:last] for first, last in pairwise(ends)]


def full_table(game: str, **changes: Any) -> dict[str, Any]:
    """The reference table: seven seats on four readers, payment in its order; neighbouring seats couple."""
    neighbours = [[seat, seat + 1] for seat in range(1, SEATS)]
    return configuration(game, SEATS, couples_with=neighbours, payment_order="right_to_left", **changes)


def with_discard(config: dict[str, Any]) -> dict[str, Any]:
    """The same table with an antenna under its discard, the last one of its last reader."""
    *others, last = config["readers"]
    return {**config, "readers": [*others, [*last, DISCARD]]}


def small_table(**changes: Any) -> dict[str, Any]:
    """Two seats of Three Card Poker, three spots each, on one reader."""
    return configuration("three_card", 2, **changes)


def shoe_of(config: dict[str, Any]) -> str:
    """What reads the cards that leave the shoe: ``rfid``, ``optical`` or ``both``; packets are read by their tags."""
    return str(config.get("shoe", "rfid")) if config.get("deal", "cards") == "cards" else "rfid"


def card_number(code: str) -> int:
    """``As`` as the number that a deck list holds: rank * 4 + suit, 0 to 51; 52 for the cut card."""
    if code == CUT_CARD:
        return 52
    return RANKS.index(code[0]) * 4 + SUITS.index(code[1])


def deck_entries(packs: Sequence[Iterable[Card]], device_key: bytes) -> list[list[Any]]:
    """The deck list: UID (LSB first, hexadecimal) and the card's number under its mask.

    The mask is the first byte of HMAC-SHA-256(device key, "card" + UID). By UID: the order of the pack would give the
    cards away.
    """
    entries = []
    for deck, cards in enumerate(packs):
        for card in cards:
            masked = card_number(card.code) ^ hmac.new(device_key, b"card" + card.uid, hashlib.sha256).digest()[0]
            entries.append([card.uid.hex(), masked] + ([deck] if len(packs) > 1 else []))
    return sorted(entries)


def provision(
    root: Path,
    config: dict[str, Any],
    packs: Sequence[Iterable[Card]],
    *,
    new: bool = True,
    own_keys: Mapping[str, bytes] = DEVELOPMENT_KEYS,
    release: str = "",
) -> None:
    """Write the files of a commissioned table into ``root``; ``new`` adds the key for a blank journal memory.

    ``release`` is the fingerprint of the key that has to sign its program; any may, or none, without it.
    """
    root.mkdir(parents=True, exist_ok=True)
    keys = {name: key.hex() for name, key in own_keys.items()}
    roles = {name: keys[name] for name in ("dealer", "supervisor", "technician", "auditor")}
    _write(root / "config.json", config)
    held = {"device": keys["device"], "casino": keys["casino"], "roles": roles}
    _write(root / "keys.json", {**held, "release": release} if release else held)
    _write(root / "deck.json", deck_entries(packs, own_keys["device"]))
    if new:
        _write(root / "provision.json", {"journal": keys["journal"]})


def _write(path: Path, value: Any) -> None:
    path.write_text(json.dumps(value))
