"""The configuration of one table, read from ``config.json`` and ``keys.json`` and checked as a whole.

Entry points: :func:`load` (files to a :class:`Config`), :class:`Config`, :class:`ConfigError` (field, value, what is
allowed, article). A configuration that does not hold together is refused; nothing is corrected silently.
"""

import json
from binascii import hexlify, unhexlify
from hashlib import sha256

from sabot.rules import games
from sabot.rules.game import Game, fingerprint
from sabot.rules.variants import configure, options
from sabot.wire.codes import place

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

VERSION = 1
MAX_SEATS = 7
ANTENNAS_A_READER = 8
MAX_READERS = 4
MAX_CENTS = (1 << 30) - 1  # hot paths keep integers below 2**30: 10,737,418.23 dollars a bet
KEY_SIZE = 32
_KEYED = ("supervisor", "technician", "auditor")  # roles that prove themselves over the link
_MOST_DUE = 0xFFFFFFFF  # cents that a record of the settlement holds

# Every field there is; another one is a mistake in writing, which would leave a default in force.
FIELDS = (
    "version", "table", "casino", "game", "decks", "options", "gate_after", "close_by", "retries", "dwell_ms",
    "restore_ms", "large_cents", "sealed", "afi_chip", "afi_card", "readers", "limits", "accepted",
)  # fmt: skip


class ConfigError(Exception):
    """A field that is missing or wrong: ``field``, ``value``, ``allowed`` (text) and ``article`` or ``None``."""

    def __init__(self, field: str, value: "Any", allowed: str, article: "str | None" = None) -> None:
        text = "%s is %r; allowed: %s" % (field, value, allowed)
        super().__init__(text + (" (article %s)" % article if article else ""))
        self.field = field
        self.value = value
        self.allowed = allowed
        self.article = article


def _is_whole(value: "Any", low: int, high: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def _whole(data: "dict[str, Any]", field: str, low: int, high: int, default: "int | None" = None) -> int:
    value: int = data.get(field, default)
    if not _is_whole(value, low, high):
        raise ConfigError(field, value, "a whole number from %d to %d" % (low, high))
    return value


def _choice(data: "dict[str, Any]", field: str, allowed: "tuple[str, ...]", default: str) -> str:
    value = data.get(field, default)
    if value not in allowed:
        raise ConfigError(field, value, " or ".join(allowed))
    return value  # type: ignore[no-any-return]


def key_of(data: "Any", field: str) -> bytes:
    """A key of 32 bytes from hexadecimal text in an object; ConfigError, which never shows the value."""
    value = data.get(field) if isinstance(data, dict) else None
    try:
        key = unhexlify(value) if isinstance(value, str) else b""
    except ValueError:
        key = b""
    if len(key) != KEY_SIZE:
        raise ConfigError(field, "(hidden)", "%d bytes as hexadecimal text" % KEY_SIZE)
    return key


def _dictionary(data: "dict[str, Any]", field: str) -> "dict[str, Any]":
    value = data.get(field, {})
    if not isinstance(value, dict):
        raise ConfigError(field, value, "an object")
    return value


def _most_times(game: Game, name: str) -> int:
    """The most times that the stake of a bet can come back in one amount: by its own pay, or by a multiple's."""
    most = 1
    for bet in game.bets:
        if bet.name != name and not (bet.relation and bet.relation.base == name):
            continue
        pays = [0] + [outcome.pays // outcome.per for outcome in bet.outcomes]
        for table in (bet.table, game.extra.table if game.extra and game.extra.on == bet.name else None):
            if table:
                pays += [row.pays // row.per for row in table.rows]
        times = 1 if bet.name == name else bet.relation.high
        most = max(most, times * (max(pays) + 1))
    return most


def _house_version(game: Game, given: "dict[str, Any]") -> Game:
    """The game with the house's options; its hash, which every round record carries, tells which they are."""
    known = options(game)
    chosen = {}
    for name, allowed in known:
        chosen[name] = _choice(given, name, allowed, allowed[0])
    for name in sorted(given):
        if name not in chosen:
            names = " ".join([known_name for known_name, _allowed in known])
            raise ConfigError("options." + name, given[name], "an option of this game: " + names)
    return configure(game, **chosen)


class Config:
    """One table's configuration; attributes only, all checked. Money in cents, times in milliseconds."""

    def __init__(self, data: "dict[str, Any]", keys: "dict[str, Any]") -> None:
        if not isinstance(data, dict):
            raise ConfigError("config.json", data, "an object")
        if not isinstance(keys, dict):
            raise ConfigError("keys.json", "(hidden)", "an object")
        try:
            text = canonical(data)
        except (TypeError, RuntimeError):  # the board's JSON reader takes names that are no texts, and any nesting
            raise ConfigError("config.json", "(hidden)", "texts as names, and no deep nesting") from None
        for name in sorted(data):
            if name not in FIELDS:
                raise ConfigError(name, data[name], "a field of the configuration: " + " ".join(FIELDS))
        _whole(data, "version", VERSION, VERSION)
        self.table_number = _whole(data, "table", 1, 65535)
        self.casino = _whole(data, "casino", 1, 65535)
        self.game_id = _choice(data, "game", games.GAMES, "")
        game = games.load(self.game_id)
        self.decks = _whole(data, "decks", 1, 8, 1)
        if self.decks not in game.decks:
            raise ConfigError("decks", self.decks, " or ".join([str(n) for n in game.decks]), game.decks_article)
        self.game = _house_version(game, _dictionary(data, "options"))
        self.game_hash = fingerprint(self.game)
        self.gate_after = _choice(data, "gate_after", ("confirm", "key"), "confirm")
        self.close_by = _choice(data, "close_by", ("reveal", "key"), "reveal")
        self.retries = _whole(data, "retries", 1, 32, 8)
        self.dwell_ms = _whole(data, "dwell_ms", 0, 5000, 500)
        self.restore_ms = _whole(data, "restore_ms", 500, 60000, 5000)
        self.large_cents = _whole(data, "large_cents", 1, MAX_CENTS, 10000)
        self.sealed = data.get("sealed", False)
        if not isinstance(self.sealed, bool):
            raise ConfigError("sealed", self.sealed, "true or false")
        # Family 0 would ask every tag there is.
        self.afi_chip = _whole(data, "afi_chip", 1, 255, 0x71)
        self.afi_card = _whole(data, "afi_card", 1, 255, 0x72)
        if self.afi_chip == self.afi_card:
            raise ConfigError("afi_card", self.afi_card, "another family than the chips', afi_chip")
        self._place_spots(data)
        self.limits = self._bet_limits(data)
        self.device_key = key_of(keys, "device")
        self.casino_key = key_of(keys, "casino")
        roles = keys.get("roles", {})
        if not isinstance(roles, dict) or [role for role in roles if role not in _KEYED]:
            raise ConfigError("roles", "(hidden)", "an object with keys of " + " ".join(_KEYED))
        self.role_keys: dict[str, bytes] = {}
        for role in sorted(roles):
            self.role_keys[role] = key_of(roles, role)
        accepted = _dictionary(data, "accepted")
        self.accepted: dict[str, bytes] = {}
        for role in sorted(accepted):
            if role not in _KEYED:
                raise ConfigError("accepted." + role, accepted[role], "an acceptance by " + " or ".join(_KEYED))
            self.accepted[role] = key_of(accepted, role)
        self.hash = sha256(text).digest()[:8]

    def _place_spots(self, data: "dict[str, Any]") -> None:
        """Fill ``seats`` and ``antennas``: reader by reader, eight place bytes each, 0 where nothing is wired."""
        readers = data.get("readers")
        if not isinstance(readers, list) or not 1 <= len(readers) <= MAX_READERS:
            raise ConfigError("readers", readers, "a list of 1 to %d readers" % MAX_READERS)
        names = [bet.name for bet in self.game.bets]
        antennas = []
        seats: list[int] = []
        for reader in readers:
            if not isinstance(reader, list) or len(reader) > ANTENNAS_A_READER:
                raise ConfigError("readers", reader, "at most %d antennas a reader" % ANTENNAS_A_READER)
            if not [entry for entry in reader if entry is not None]:
                raise ConfigError("readers", reader, "one antenna at least at each reader")
            for index in range(ANTENNAS_A_READER):
                entry = reader[index] if index < len(reader) else None
                if entry is None:
                    antennas.append(0)
                    continue
                if not isinstance(entry, list) or len(entry) != 2 or entry[1] not in names:
                    raise ConfigError("readers", entry, "[seat, bet] with a bet of " + " ".join(names))
                seat = entry[0]
                if not _is_whole(seat, 1, MAX_SEATS):
                    raise ConfigError("readers", entry, "seats 1 to %d" % MAX_SEATS)
                value = place(seat, names.index(entry[1]))
                if value in antennas:
                    raise ConfigError("readers", entry, "each spot on one antenna")
                antennas.append(value)
                if seat not in seats:
                    seats.append(seat)
        self.readers = len(readers)
        self.antennas = tuple(antennas)
        self.seats = tuple(sorted(seats))
        for seat in self.seats:
            for index in range(len(names)):
                if place(seat, index) not in antennas:
                    raise ConfigError(
                        "readers", seat, "every bet of the game at each seat; %s is missing" % names[index]
                    )
        if not self.seats:
            raise ConfigError("readers", readers, "one seat at least", self.game.bets_article)

    def _bet_limits(self, data: "dict[str, Any]") -> "dict[str, tuple[int, int]]":
        given = _dictionary(data, "limits")
        names = [bet.name for bet in self.game.bets]
        limits = {name: (1, min(MAX_CENTS, _MOST_DUE // _most_times(self.game, name))) for name in names}
        for bet in sorted(given):
            pair = given[bet]
            if bet not in names:
                raise ConfigError("limits." + bet, pair, "a bet of " + " ".join(names), self.game.bets_article)
            if not isinstance(pair, list) or len(pair) != 2:
                raise ConfigError("limits." + bet, pair, "[lowest, highest] in cents")
            low, high = pair
            most = limits[bet][1]
            if not _is_whole(high, 1, most) or not _is_whole(low, 1, high):
                raise ConfigError("limits." + bet, pair, "1 <= lowest <= highest <= %d cents" % most)
            limits[bet] = (low, high)
        return limits


def canonical(value: "Any") -> bytes:
    """One fixed text for a JSON value, whatever the order of its keys: what the configuration's hash is taken over."""
    if isinstance(value, dict):
        parts = []
        for key in sorted(value):
            if not isinstance(key, str):
                raise TypeError("a name that is no text")
            parts.append(json.dumps(key).encode() + b":" + canonical(value[key]))
        return b"{" + b",".join(parts) + b"}"
    if isinstance(value, list):
        return b"[" + b",".join([canonical(item) for item in value]) + b"]"
    return json.dumps(value).encode()


def read_json(path: str) -> "Any":
    """A JSON file of the board; ConfigError when it is missing or is no JSON."""
    try:
        with open(path) as file:
            return json.load(file)
    except OSError:
        raise ConfigError(path, "missing", "the file that provisioning writes") from None
    except ValueError:
        raise ConfigError(path, "unreadable", "JSON text") from None


def load(folder: str = "") -> Config:
    """Read and check ``config.json`` and ``keys.json`` of the board's root, or of ``folder`` (with its ``/``)."""
    return Config(read_json(folder + "config.json"), read_json(folder + "keys.json"))


def hexadecimal(data: bytes) -> str:
    """Bytes as lower-case hexadecimal text."""
    return hexlify(data).decode()
