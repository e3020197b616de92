"""Matches the words of a line against the patterns of :mod:`hwsim.scenario.phrases`.

Entry points: :func:`match` (the phrase that fits and its values), :class:`NoMatch` (none does, and how far the best one
came), :func:`shown` (a pattern as people read it).

Kinds of slots: MONEY AMOUNTS SECONDS NUMBER PERCENT NAME TEXT QUOTED SPOT PLACE WHERE BET PIECES KEY KEYS ENTRY CARD
CARDS COLOUR PART MM SENSORS, and those that a lexicon fills: GAME KIND STATE PROMPT RULING DECLARATION ROLE METER
CLAIM.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from hwsim.scenario import claims
from hwsim.scenario.phrases import Phrase
from hwsim.scenario.script import COLOURS, Lexicon, Pieces, Spot
from hwsim.scenario.values import Misread, money, seconds
from hwsim.table import ALIEN
from hwsim.wiring import KEY_BITS
from hwsim.wiring import READERS as MOST_READERS
from hwsim.world.cards import CODES, CUT_CARD, RANKS, SUITS

KEYS = ("rnvp", *KEY_BITS)
MOST = 10_000_000  # of any plain number
ACE = 14  # keyed in as 1
PARTS = {
    "display": 0,
    "clock": 0,
    "gate": 0,
    "shoe reader": 0,
    "optical sensor": 2,
    "reader": MOST_READERS,
    "expander": 2,
    "badge reader": 0,
}
"""Parts that can fail, and how many there are where they are numbered."""
_ACCENTS = str.maketrans("éèÉÈ", "eeee")
_PERCENT = re.compile(r"(\d{1,3}(?:\.\d{1,2})?)(%?)")
_MM = re.compile(r"(\d{1,3})(?:\.(\d{1,3}))?")
_SENSORS = {("the", "lip"): (0, 1), ("sensor", "a"): (0,), ("sensor", "b"): (1,)}
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.]*")
_TOKEN = re.compile(r"\{(?:(\w+):)?([A-Z]+)\}|\[|\]|[^\s\[\]{}]+")

Values = dict[str, Any]
Reader = Callable[[Sequence[str], int, "Context"], tuple[Any, int]]


class NoMatch(Exception):
    """No pattern fits. ``position``: the first word that fits none; ``expected``: what could stand there.

    ``names``: words that could stand there, to be compared with the wrong one; ``phrase``: what comes closest.
    """

    def __init__(self, position: int, expected: list[str], names: list[str], phrase: Phrase | None) -> None:
        super().__init__(position)
        self.position = position
        self.expected = expected
        self.names = names
        self.phrase = phrase


class Context:
    """What the words of one table mean: its lexicon, its seats and the bets of its game."""

    def __init__(self, lexicon: Lexicon, game: str, seats: int) -> None:
        self.lexicon = lexicon
        self.seats = seats
        self.bets = lexicon.games.get(game, ())


def shown(pattern: str) -> str:
    """A pattern without the names of its slots: ``move PIECES from SPOT to SPOT [in SECONDS]``."""
    return re.sub(r"\{(?:\w+:)?([A-Z]+)\}", r"\1", pattern)


def match(phrases: Sequence[Phrase], words: Sequence[str], context: Context) -> tuple[Phrase, Values]:
    """The first phrase that takes all words; NoMatch."""
    attempt = _Attempt(words, context)
    for phrase in phrases:
        attempt.phrase = phrase
        parts = _parts(phrase.pattern)
        for values, end in attempt.follow(parts, 0, 0, {}):
            if end == len(words):
                return phrase, values
            attempt.failed(end, "the end of the line")
    raise NoMatch(attempt.furthest, attempt.expected, attempt.names, attempt.best)


def _parts(pattern: str) -> list[Any]:
    """Words as strings, slots as (name, kind), optional groups as lists."""
    stack: list[list[Any]] = [[]]
    for token in _TOKEN.finditer(pattern):
        text = token[0]
        if text == "[":
            stack.append([])
        elif text == "]":
            group = stack.pop()
            stack[-1].append(group)
        elif token[2]:
            stack[-1].append((token[1] or token[2].lower(), token[2]))
        else:
            stack[-1].append(text)
    return stack[0]


class _Attempt:
    """One line against all patterns; remembers how far the best one came."""

    def __init__(self, words: Sequence[str], context: Context) -> None:
        self.furthest = 0
        self.expected: list[str] = []
        self.names: list[str] = []
        self.best: Phrase | None = None
        self.phrase: Phrase | None = None
        self._words = words
        self._context = context

    def failed(self, at: int, expected: str, names: Sequence[str] = ()) -> None:
        if at > self.furthest:
            self.furthest, self.expected, self.names, self.best = at, [], [], None
        if at == self.furthest:
            if at and self.best is None:
                self.best = self.phrase
            if expected not in self.expected:
                self.expected.append(expected)
            self.names.extend(names)

    def follow(self, parts: Sequence[Any], index: int, at: int, values: Values) -> Iterator[tuple[Values, int]]:
        """Every way to match ``parts`` from ``index`` on with the words from ``at`` on."""
        if index == len(parts):
            yield values, at
            return
        part = parts[index]
        if isinstance(part, list):
            for more, end in self.follow(part, 0, at, values):
                yield from self.follow(parts, index + 1, end, more)
            yield from self.follow(parts, index + 1, at, values)
            return
        if isinstance(part, str):
            if at < len(self._words) and self._words[at].lower() == part:
                yield from self.follow(parts, index + 1, at + 1, {part: True, **values})
            else:
                self.failed(at, f"'{part}'", (part,))
            return
        name, kind = part
        if at >= len(self._words):
            self.failed(at, kind)
            return
        try:
            value, end = READERS[kind](self._words, at, self._context)
        except Misread as error:
            self.failed(at + error.offset, str(error), error.names)
            return
        yield from self.follow(parts, index + 1, end, {**values, name: value})


# --- slots ------------------------------------------------------------------------------------------------------------


def _money(words: Sequence[str], at: int, context: Context) -> tuple[Any, int]:
    return money(words[at]), at + 1


def _amounts(words: Sequence[str], at: int, context: Context) -> tuple[Any, int]:
    found = [money(words[at])]
    while at + len(found) < len(words):
        try:
            found.append(money(words[at + len(found)]))
        except Misread as error:
            raise Misread(str(error), offset=len(found)) from None
    return tuple(found), len(words)


def _seconds(words: Sequence[str], at: int, context: Context) -> tuple[Any, int]:
    return seconds(words[at]), at + 1


def _number(words: Sequence[str], at: int, context: Context) -> tuple[Any, int]:
    if not words[at].isascii() or not words[at].isdigit() or int(words[at]) > MOST:
        raise Misread("a whole number")
    return int(words[at]), at + 1


def _percent(words: Sequence[str], at: int, context: Context) -> tuple[Any, int]:
    """``5 %`` or ``5%``: a share."""
    found = _PERCENT.fullmatch(words[at])
    if found is None or float(found[1]) > 100:
        raise Misread("a share such as 5 %")
    end = at + 1
    if not found[2]:
        if words[end : end + 1] != ["%"]:
            raise Misread("'%'", offset=1)
        end += 1
    return float(found[1]) / 100, end


def _name(words: Sequence[str], at: int, context: Context) -> tuple[Any, int]:
    if _NAME.fullmatch(words[at]) is None:
        raise Misread("a name (a letter first, then letters, digits, _)")
    return words[at], at + 1


def _text(words: Sequence[str], at: int, context: Context) -> tuple[Any, int]:
    return " ".join(words[at:]), len(words)


def _quoted(words: Sequence[str], at: int, context: Context) -> tuple[Any, int]:
    word = words[at]
    if len(word) < 3 or word[0] != '"' or word[-1] != '"':
        raise Misread('a text in quotation marks, such as "FAITES VOS MISES"')
    return word[1:-1], at + 1


def _bet(words: Sequence[str], at: int, context: Context) -> tuple[Any, int]:
    return _one_of(words[at], context.bets, "a bet of this game")


def _seat(words: Sequence[str], at: int, context: Context) -> int:
    if words[at] != "seat":
        raise Misread("a spot such as 'seat 1 ante'", names=("seat",))
    number = words[at + 1] if at + 1 < len(words) else ""
    if not number.isascii() or not number.isdigit() or not 1 <= int(number) <= context.seats:
        raise Misread(f"a seat from 1 to {context.seats}", offset=1)
    return int(number)


def _spot(words: Sequence[str], at: int, context: Context) -> tuple[Any, int]:
    number = _seat(words, at, context)
    if at + 2 >= len(words) or words[at + 2] not in context.bets:
        raise Misread("a bet of this game: " + " ".join(context.bets), offset=2, names=context.bets)
    return Spot(number, words[at + 2]), at + 3


def _place(words: Sequence[str], at: int, context: Context) -> tuple[Any, int]:
    """A spot, or a seat alone: any of its spots."""
    number = _seat(words, at, context)
    bet = words[at + 2] if at + 2 < len(words) else ""
    return (Spot(number, bet), at + 3) if bet in context.bets else (Spot(number, ""), at + 2)


def _where(words: Sequence[str], at: int, context: Context) -> tuple[Any, int]:
    """``at SPOT``, or ``everywhere``: None."""
    if words[at] == "everywhere":
        return None, at + 1
    if words[at] != "at" or at + 1 == len(words):
        raise Misread("'at' and a spot, or 'everywhere'", names=("at", "everywhere"))
    try:
        return _spot(words, at + 1, context)
    except Misread as error:
        raise Misread(str(error), offset=error.offset + 1, names=error.names) from None


def _pieces(words: Sequence[str], at: int, context: Context) -> tuple[Any, int]:
    word = words[at]
    if word == "all":
        return Pieces(everything=True), at + 1
    if word[0].isdigit():
        return Pieces(cents=money(word)), at + 1
    if _NAME.fullmatch(word) is None:
        raise Misread("an amount, a name of chips, or 'all'")
    return Pieces(name=word), at + 1


def _key(words: Sequence[str], at: int, context: Context) -> tuple[Any, int]:
    key = words[at].translate(_ACCENTS).lower()
    if key not in KEYS:
        raise Misread("a key: " + " ".join(KEYS), names=KEYS)
    return key, at + 1


def _keys(words: Sequence[str], at: int, context: Context) -> tuple[Any, int]:
    """As many words as are keys, one at least."""
    found = [_key(words, at, context)[0]]
    while at + len(found) < len(words) and words[at + len(found)] != "for":
        try:
            found.append(_key(words, at + len(found), context)[0])
        except Misread as error:
            raise Misread(f"'for', the end of the line, or {error}", offset=len(found), names=error.names) from None
    return tuple(found), at + len(found)


def _entry(words: Sequence[str], at: int, context: Context) -> tuple[Any, int]:
    """What is keyed in: cents as digits, or rank and suit of each card."""
    digits = ""
    while at < len(words) and words[at] in CODES:
        rank, suit = RANKS.index(words[at][0]) + 2, SUITS.index(words[at][1]) + 1
        digits += f"{1 if rank == ACE else rank:02d}{suit}"
        at += 1
    if digits:
        return digits, at
    try:
        return str(money(words[at])), at + 1
    except Misread:
        raise Misread("an amount such as 25.00, or cards such as As Kd") from None


def _part(words: Sequence[str], at: int, context: Context) -> tuple[Any, int]:
    """A part by its name and, where there are several, its number."""
    for name, count in PARTS.items():
        spoken = name.split()
        end = at + len(spoken)
        if list(words[at:end]) != spoken:
            continue
        if not count:
            return (name, 0), end
        number = words[end] if end < len(words) else ""
        if not number.isascii() or not number.isdigit() or int(number) >= count:
            raise Misread(f"a number from 0 to {count - 1}", offset=len(spoken))
        return (name, int(number)), end + 1
    raise Misread("a part: " + " ".join(PARTS), names=PARTS)


def _millimetres(words: Sequence[str], at: int, context: Context) -> tuple[Any, int]:
    """Micrometres of ``20`` or ``4.5``."""
    found = _MM.fullmatch(words[at])
    if found is None:
        raise Misread("millimetres such as 4.5")
    return int(found[1]) * 1000 + int((found[2] or "").ljust(3, "0")), at + 1


def _sensors(words: Sequence[str], at: int, context: Context) -> tuple[Any, int]:
    """Numbers of the sensors meant by ``the lip``, ``sensor A`` or ``sensor B``."""
    spoken = tuple(word.lower() for word in words[at : at + 2])
    if spoken not in _SENSORS:
        raise Misread("'the lip', 'sensor A' or 'sensor B'")
    return _SENSORS[spoken], at + 2


def _card(words: Sequence[str], at: int, context: Context) -> tuple[Any, int]:
    if words[at] not in CODES and words[at] not in (ALIEN, CUT_CARD):
        raise Misread("a card such as As or Td (rank 23456789TJQKA, suit cdhs), 'alien' or 'cut'", names=CODES)
    return words[at], at + 1


def _cards(words: Sequence[str], at: int, context: Context) -> tuple[Any, int]:
    for offset in range(len(words) - at):
        try:
            _card(words, at + offset, context)
        except Misread as error:
            raise Misread(str(error), offset=offset) from None
    return tuple(words[at:]), len(words)


def _colour(words: Sequence[str], at: int, context: Context) -> tuple[Any, int]:
    return _one_of(words[at], COLOURS, "a colour")[0], at + 1


def _one_of(word: str, allowed: Sequence[str], what: str) -> tuple[str, int]:
    if word not in allowed:
        raise Misread(f"{what}: " + " ".join(allowed), names=allowed)
    return word, 1


def _listed(what: str, names: Callable[[Lexicon], Sequence[str]]) -> Reader:
    def read(words: Sequence[str], at: int, context: Context) -> tuple[Any, int]:
        return _one_of(words[at], names(context.lexicon), what)[0], at + 1

    return read


def _claim(words: Sequence[str], at: int, context: Context) -> tuple[Any, int]:
    try:
        return claims.read(words[at:], context.lexicon, context.bets), len(words)
    except claims.Unreadable as error:
        raise Misread(str(error), offset=error.position, names=error.names) from None


READERS: dict[str, Reader] = {
    "MONEY": _money,
    "AMOUNTS": _amounts,
    "SECONDS": _seconds,
    "NUMBER": _number,
    "PERCENT": _percent,
    "NAME": _name,
    "TEXT": _text,
    "QUOTED": _quoted,
    "BET": lambda words, at, context: (_bet(words, at, context)[0], at + 1),
    "SPOT": _spot,
    "PLACE": _place,
    "WHERE": _where,
    "PIECES": _pieces,
    "KEY": _key,
    "KEYS": _keys,
    "ENTRY": _entry,
    "PART": _part,
    "MM": _millimetres,
    "SENSORS": _sensors,
    "CARD": _card,
    "CARDS": _cards,
    "COLOUR": _colour,
    "GAME": _listed("a game", lambda lexicon: tuple(lexicon.games)),
    "KIND": _listed("an irregularity", lambda lexicon: tuple(lexicon.records)),
    "STATE": _listed("a state", lambda lexicon: lexicon.states),
    "PROMPT": _listed("a prompt", lambda lexicon: lexicon.prompts),
    "RULING": _listed("a ruling", lambda lexicon: lexicon.rulings),
    "DECLARATION": _listed("a declaration", lambda lexicon: lexicon.declarations),
    "ROLE": _listed("a role", lambda lexicon: lexicon.roles),
    "METER": _listed("a meter", lambda lexicon: lexicon.meters),
    "CLAIM": _claim,
}
