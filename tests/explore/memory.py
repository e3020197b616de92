"""The state of a graph of objects: kept, put back in place, and summed up. Entry point: `Memory`.

Putting a state back changes the same objects, so that whatever refers to them goes on working. The digest of a state
is the same for two states that behave alike: instants count by their age, numbers that only go on are left out, and
what nobody looks at any more is blank.
"""

import marshal
from array import array
from collections.abc import Callable
from hashlib import blake2b
from operator import is_
from typing import Any

OLDEST_MS = 17_000
"""Ages above this are one age: nothing in the table waits longer, but for `LEFT_OUT` and `tokens_of_ledger`."""
_INSTANT = 1 << 24
"""Clocks here begin above this; amounts, counters and codes are far below it."""
_LEAF = (int, str, bytes, float, type(None), range, type, type(len), type(Callable))

LEFT_OUT = {
    ("Core", "round"),  # numbers that go on from round to round
    ("Core", "rounds"),
    ("Core", "now"),  # what time it is; every input says it first
    ("Issues", "_next"),
    ("Issue", "id"),
    ("Keys", "_notes"),  # how many keys that did nothing have been recorded in this minute
    ("Keys", "_minute_at"),
    ("Deal", "_nonces"),  # random; that a hand was committed to, its cards say
    ("OpenRound", "number"),
    ("OpenRound", "_asked"),  # by the numbers of irregularities, which the table has
    ("Account", "places"),
    ("Account", "kinds"),
    ("Account", "staked"),  # sums over all rounds
    ("Account", "paid"),
    ("Account", "returned"),
    ("Account", "void"),
    ("Account", "rounds"),
    ("Ports", "_nonce"),
}

Snapshot = list[tuple[Any, Any]]


def _content(thing: Any) -> Any:
    """A copy of what a container holds, None for what holds nothing that changes."""
    kind = type(thing)
    if kind is list or kind is dict or kind is set:
        return thing.copy()
    if kind is bytearray:
        return bytes(thing)
    if kind is array:
        return thing[:]
    if hasattr(thing, "__dict__") and not callable(thing):
        return thing.__dict__.copy()
    return None


def _shared(base: Any, content: Any) -> Any:
    """`base` where it is the very same content, so that it is kept once."""
    if type(base) is not type(content) or len(base) != len(content):
        return content
    if type(content) is dict:
        same = base.keys() == content.keys() and all(map(is_, base.values(), content.values()))
    else:
        same = all(map(is_, base, content)) if type(content) is list else base == content
    return base if same else content


def _children(thing: Any, content: Any) -> Any:
    kind = type(thing)
    if kind is list or kind is tuple:
        return thing
    if content is not None and kind not in (bytearray, array, set):
        return content.values()
    return ()


class Memory:
    """The objects that can be reached from `root`, but for those in `frozen`, which never change."""

    def __init__(self, root: Any, frozen: list[Any], special: dict[str, Callable[[Any, int], Any]]) -> None:
        self._root = root
        self._frozen = frozen
        self._skip = {id(each) for each in (self, *frozen)}
        self._special = special
        self._base = dict[int, Any]()
        self._base = {id(thing): content for thing, content in self.take()}

    def take(self) -> Snapshot:
        """The present state."""
        found: Snapshot = []
        seen = set(self._skip)
        stack = [self._root]
        base = self._base
        while stack:
            thing = stack.pop()
            if isinstance(thing, _LEAF) or id(thing) in seen:
                continue
            seen.add(id(thing))
            content = _content(thing)
            if content is not None:
                found.append((thing, _shared(base.get(id(thing)), content)))
            stack.extend(_children(thing, content))
        return found

    @staticmethod
    def put(snapshot: Snapshot) -> None:
        """Go back to a state."""
        for thing, content in snapshot:
            kind = type(thing)
            if kind is list or kind is bytearray or kind is array:
                thing[:] = content
            elif kind is dict or kind is set:
                thing.clear()
                thing.update(content)
            else:
                thing.__dict__.clear()
                thing.__dict__.update(content)

    def digest(self, now: int, *more: Any) -> bytes:
        """What the present state is, at the raw instant `now`; `more` is added to it."""
        tokens: list[Any] = []
        numbers: dict[int, int] = {}
        for root in (self._root, *more):
            self._add(root, now, tokens, numbers)
        return blake2b(marshal.dumps(tokens), digest_size=12).digest()

    def _add(self, thing: Any, now: int, tokens: list[Any], numbers: dict[int, int]) -> None:
        kind = type(thing)
        if kind is int:
            tokens.append(thing if thing < _INSTANT else age(thing, now))
        elif kind is bool or kind is str or kind is bytes or thing is None:
            tokens.append(thing)
        elif id(thing) in numbers:
            tokens.append(-1000 - numbers[id(thing)])
        elif id(thing) not in self._skip:
            numbers[id(thing)] = len(numbers)
            if kind is bytearray:
                tokens.append(bytes(thing))
            elif kind is array and (not thing or max(thing) < _INSTANT):
                tokens.append(thing.tobytes())
            elif kind is tuple or kind is list or kind is array:
                tokens.append(len(thing))
                for each in thing:
                    self._add(each, now, tokens, numbers)
            elif kind is dict:
                for key in sorted(thing):
                    tokens.append(key)
                    self._add(thing[key], now, tokens, numbers)
            elif kind is set:
                tokens.append(sorted(thing))
            elif kind.__name__ in self._special:
                tokens.append(self._special[kind.__name__](thing, now))
            elif hasattr(thing, "__dict__") and not callable(thing):
                name = kind.__name__
                for key, value in thing.__dict__.items():
                    if (name, key) not in LEFT_OUT:
                        self._add(value, now, tokens, numbers)


def age(instant: int, now: int) -> str:
    """How long ago a raw instant was, in milliseconds up to `OLDEST_MS`."""
    return f"-{min(((now - instant) & 0x3FFFFFFF) // 1000, OLDEST_MS)}"


def tokens_of_ledger(ledger: Any, now: int) -> Any:
    """The items that are used. An instant that is not `fresh` is looked at by nobody (`sabot.table.ledger`)."""
    found: list[Any] = [bytes(ledger.missed), bytes(ledger.twins[: ledger.twin_count])]
    found += [age(begun, now) if begun >= _INSTANT else begun for begun in ledger.begun]
    for item in range(ledger.top):
        if not ledger.where[item]:
            found.append(0)
            continue
        for name in ("chip", "spot", "where", "mark", "dwelt", "unsure", "sure", "before"):
            found.append(getattr(ledger, name)[item])
        found.append(min(ledger.visits[item], 8))
        for interval in ("in", "first", "out"):
            fresh = getattr(ledger, interval + "_fresh")[item]
            found.append(fresh)
            if fresh:
                for end in ("_lo", "_hi"):
                    instant = getattr(ledger, interval + end)[item]
                    found.append(age(instant, now) if instant >= _INSTANT else instant)
        found.append(age(ledger.last[item], now) if ledger.unsure[item] else 0)
    return found


def tokens_of_presence(presence: Any, now: int) -> Any:
    """Who is believed to lie where, and since which clean visit nobody else does."""
    found: list[Any] = [age(begun, now) if begun >= 0 else begun for begun in presence._clean_begun]
    for entry in range(len(presence._chips)):
        antenna = presence._antennas[entry]
        if antenna < len(presence._count):
            answered = presence._heard[entry]
            found += [presence._chips[entry], antenna, answered, age(presence._last_answer[entry], now)]
    return found
