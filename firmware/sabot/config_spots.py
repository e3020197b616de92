"""Which spot lies on which antenna, and what may be bet there.

Entry points: :func:`place_spots`, :func:`couple`, :func:`bet_limits`.
"""

from sabot.config_parts import ConfigError, dictionary, is_whole
from sabot.rules.game import Game
from sabot.settings import ANTENNAS_A_READER, Settings
from sabot.wire.codes import place

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MAX_SEATS = 7
DISCARD = "discard"  # in place of a spot: the antenna under the discard
MAX_READERS = 4
MAX_CENTS = (1 << 30) - 1  # hot paths keep integers below 2**30: 10,737,418.23 dollars a bet
_MOST_DUE = 0xFFFFFFFF  # cents that a record of the settlement holds


def place_spots(found: Settings, data: "dict[str, Any]") -> None:
    """Fill ``seats`` and ``antennas``: reader by reader, eight place bytes each, 0 where no spot is wired.

    ``discard`` is the number of the antenna under the discard, -1 where there is none.
    """
    readers = data.get("readers")
    if not isinstance(readers, list) or not 1 <= len(readers) <= MAX_READERS:
        raise ConfigError("readers", readers, "a list of 1 to %d readers" % MAX_READERS)
    names = [bet.name for bet in found.game.bets]
    antennas: list[int] = []
    found.discard = -1
    for reader in readers:
        if not isinstance(reader, list) or len(reader) > ANTENNAS_A_READER:
            raise ConfigError("readers", reader, "at most %d antennas a reader" % ANTENNAS_A_READER)
        if not [entry for entry in reader if entry is not None]:
            raise ConfigError("readers", reader, "one antenna at least at each reader")
        for index in range(ANTENNAS_A_READER):
            entry = reader[index] if index < len(reader) else None
            if entry == DISCARD:
                if found.discard >= 0:
                    raise ConfigError("readers", entry, "the discard on one antenna")
                if found.deal == "none":
                    raise ConfigError("readers", entry, "no discard where no reader sees the cards")
                if found.decks > 1:
                    raise ConfigError(
                        "readers", entry, "no discard where a shoe holds more cards than an antenna reads"
                    )
                found.discard = len(antennas)
            antennas.append(0 if entry in (None, DISCARD) else _spot(entry, names, antennas))
    found.readers = len(readers)
    found.antennas = tuple(antennas)
    seats = {value >> 4 for value in antennas if value}
    found.seats = tuple(sorted(seats))
    if not seats:
        raise ConfigError("readers", readers, "the spots of one seat at least")
    _complete(found, names)


def _spot(entry: "Any", names: "list[str]", antennas: "list[int]") -> int:
    """Place byte of one antenna's entry."""
    if not isinstance(entry, list) or len(entry) != 2 or entry[1] not in names:
        raise ConfigError("readers", entry, "discard, or [seat, bet] with a bet of " + " ".join(names))
    if not is_whole(entry[0], 1, MAX_SEATS):
        raise ConfigError("readers", entry, "seats 1 to %d" % MAX_SEATS)
    value = place(entry[0], names.index(entry[1]))
    if value in antennas:
        raise ConfigError("readers", entry, "each spot on one antenna")
    return value


def couple(found: Settings, data: "dict[str, Any]") -> None:
    """Fill ``couples``: for each antenna, those that must be off while it is on; empty for none.

    ``couples_with`` is a list of pairs; each side is a seat (all its antennas), or one antenna as in ``readers``.
    """
    pairs = data.get("couples_with", [])
    if not isinstance(pairs, list):
        raise ConfigError("couples_with", pairs, "a list of pairs")
    others: list[list[int]] = [[] for _ in found.antennas]
    for pair in pairs:
        if not isinstance(pair, list) or len(pair) != 2:
            raise ConfigError("couples_with", pair, "a pair: two seats, or two antennas as in readers")
        sides = [_side(found, side) for side in pair]
        for one in sides[0]:
            for other in sides[1]:
                if one == other or other in others[one]:
                    raise ConfigError("couples_with", pair, "each two antennas once, and none with itself")
                others[one].append(other)
                others[other].append(one)
    made: dict[bytes, bytes] = {}  # antennas of one seat share what they couple with
    found.couples = ()
    if pairs:
        found.couples = tuple([made.setdefault(row, row) for row in [bytes(row) for row in others]])


def _side(found: Settings, side: "Any") -> "list[int]":
    """Antennas, by number, that one side of a pair names."""
    names = [bet.name for bet in found.game.bets]
    wanted = []
    if is_whole(side, 1, MAX_SEATS):
        wanted = [value for value in found.antennas if value >> 4 == side]
    elif isinstance(side, list) and len(side) == 2 and side[1] in names and is_whole(side[0], 1, MAX_SEATS):
        wanted = [place(side[0], names.index(side[1]))]
    numbers = [number for number in range(len(found.antennas)) if found.antennas[number] in wanted]
    if not numbers:
        raise ConfigError("couples_with", side, "a seat of the table, or [seat, bet] as in readers")
    return numbers


def _complete(found: Settings, names: "list[str]") -> None:
    """Every bet has an antenna at every seat; the war bet may do without, at all seats, beside the initial bet."""
    game = found.game
    shared = game.decision.bet if game.contest is not None and game.contest.war else None
    own = 0
    for seat in found.seats:
        for index in range(len(names)):
            there = place(seat, index) in found.antennas
            if names[index] == shared:
                own += there
            elif not there:
                allowed = "every bet of the game at each seat; %s is missing" % names[index]
                raise ConfigError("readers", seat, allowed, game.bets_article)
    if own not in (0, len(found.seats)) and shared is not None:
        raise ConfigError("readers", own, "an antenna for %s at every seat or at none" % shared, game.bets_article)


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


def bet_limits(game: Game, data: "dict[str, Any]") -> "dict[str, tuple[int, int]]":
    """Lowest and highest amount of each bet, in cents."""
    given = dictionary(data, "limits")
    names = [bet.name for bet in game.bets]
    limits = {name: (1, min(MAX_CENTS, _MOST_DUE // _most_times(game, name))) for name in names}
    for bet in sorted(given):
        pair = given[bet]
        if bet not in names:
            raise ConfigError("limits." + bet, pair, "a bet of " + " ".join(names), game.bets_article)
        if not isinstance(pair, list) or len(pair) != 2:
            raise ConfigError("limits." + bet, pair, "[lowest, highest] in cents")
        low, high = pair
        most = limits[bet][1]
        if not is_whole(high, 1, most) or not is_whole(low, 1, high):
            raise ConfigError("limits." + bet, pair, "1 <= lowest <= highest <= %d cents" % most)
        limits[bet] = (low, high)
    return limits
