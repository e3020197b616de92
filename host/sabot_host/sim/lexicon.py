"""The names that records and tables have, for scenarios.

Entry points: :func:`lexicon`, :func:`bets_of`, :func:`places_of`.
"""

from __future__ import annotations

from functools import cache

from hwsim.scenario.script import Lexicon
from sabot.rules import games
from sabot.wire import codes, meters, records, states

IRREGULARITIES = ("irregularity", "card_fault")
DISPUTED = "disputed"
DEALER = "dealer"


def bets_of(game: str) -> tuple[str, ...]:
    """Names of a game's bets, in its order."""
    return tuple(bet.name for bet in games.load(game).bets)


def places_of(game: str) -> tuple[str, ...]:
    """What the numbers of places name in records: the bets, then the line that has no spot of its own."""
    extra = games.load(game).extra
    return bets_of(game) + ((extra.name,) if extra is not None else ())


def _fields(record: str) -> frozenset[str]:
    names: set[str] = set()
    for name, kind in records.layout(records.code_of(record))[2]:
        columns = [column for column, _ in kind] if isinstance(kind, tuple) else [name]
        for column in columns:
            names.update(("seat", "bet") if column == "place" else (column,))
    return frozenset(names)


@cache
def lexicon() -> Lexicon:
    """Everything that `sabot.wire` and `sabot.rules` name."""
    named = {name: _fields(name) for name in records.names()}
    irregular = frozenset().union(*(named[name] for name in IRREGULARITIES))
    named.update(dict.fromkeys(codes.kinds()[1:], irregular))
    words = {DISPUTED, DEALER}
    for names in (
        codes.RESULTS,
        codes.DECISIONS,
        codes.ROLES,
        codes.KEYS,
        codes.KEY_NOTES,
        codes.RESOLUTIONS,
        codes.VOID_REASONS,
        codes.FAULTS,
        codes.DECLARATIONS,
        codes.PAYMENTS,
        codes.CLOCK_QUALITY,
        states.TABLE_STATES,
    ):
        words.update(names)
    for table in (states.TABLE, states.SEAT, states.SPOT):
        words.update(trigger for trigger, _, _ in states.rules(table))
    words.update(codes.kinds(), codes.badges())
    for game in games.GAMES:
        words.update(places_of(game))
    return Lexicon(
        records=named,
        words=frozenset(words),
        games={game: bets_of(game) for game in games.GAMES},
        states=tuple(states.TABLE_STATES),
        prompts=codes.PROMPTS[1:],
        rulings=codes.RESOLUTIONS[1:],
        declarations=codes.DECLARATIONS[1:],
        meters=meters.COUNTERS,
        roles=codes.ROLES[1:],
    )
