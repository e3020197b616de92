"""What the controller's own self-test finds: every chip, every antenna's air, what leaves cards, keys that are down.

Entry points: :func:`run` (over a session that has proved the technician's role), :func:`checks`,
:func:`air_checks`, :class:`Found`, :class:`Air`. The layout is that of the command `self_test` in docs/protocol.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from sabot.wire import messages as m
from sabot.wire.codes import KEYS, place_seat, place_spot
from sabot_host.diag.bench import FAILED, PASSED, UNTESTED, Bench, Check
from sabot_host.errors import DeviceError, RefusedError
from sabot_host.files import json_of

TRIES = 30
GOOD = 0.9
"""Share of single requests that an antenna's chips must answer; play asks again, up to eight times."""
QUIET = 0.1
"""... and at most so often something may be heard where nobody answers."""
_LOOK_MS = 250
_LOOKS = 240
_EXPANDERS = ("expander 0", "expander 1")
_LINE = ("interrupt low", "interrupt lost")
"""Codes of an expander that answers: its interrupt line is what has failed."""
_CHIPS = ("memory", *_EXPANDERS, "clock", "display", "badge reader")
_MENDS = {
    "absent": "nothing answers: its connector, its supply; a reader's BUSY wire",
    "stuck": "the line reads 0 only: a short, or the part holds it",
    "stopped": "the clock has lost the time: its battery; then sabot time set",
    "busy": "its BUSY line does not fall: the line, the part",
    "version": "a firmware of the reader chip that is not known: another module",
    "field": "the antenna switch, the antenna's cable",
    "unsteady": "it fails and is back by turns: its supply, a loose connector",
    "interrupt low": "the keys' interrupt line is low, and no expander pulls it: a short",
    "interrupt lost": "the keys' interrupt line is high while the expander pulls it: its wire",
}


class Air(NamedTuple):
    """An antenna: ``heard`` of ``asked`` single requests to its ``tags``, ``damaged`` answers; ``apart`` from others.

    Without a tag ``damaged`` is how often something was heard all the same. ``seat`` 0: a spare antenna.
    """

    antenna: int
    seat: int
    bet: str
    tags: int
    asked: int
    heard: int
    damaged: int
    apart: bool

    @property
    def rate(self) -> float:
        """Share of the requests that were answered; of an antenna without a tag, that were followed by silence."""
        if not self.asked:
            return 0.0
        return (self.heard if self.tags else self.asked - self.damaged) / self.asked

    @property
    def good(self) -> bool:
        """Whether it may play."""
        return not self.apart and self.rate >= (GOOD if self.tags else 1 - QUIET)

    @property
    def name(self) -> str:
        """What its check is called."""
        return f"air seat {self.seat} {self.bet}" if self.seat else f"air spare {self.antenna}"


class Found(NamedTuple):
    """What came out; ``chips`` and ``readers`` by name: an empty text, a version, or a fault's code."""

    stopped: str
    chips: dict[str, str]
    held: list[str]
    lamps: int
    readers: dict[str, str]
    antennas: list[Air]
    shoe: list[Any]


def run(bench: Bench, tries: int = TRIES) -> Found:
    """Let the controller test itself: some seconds.

    RefusedError: the table is not closed. DeviceError ``self-test-slow``, ``self-test-strange``: it does not end, or
    what it says cannot be read.
    """
    bench.client.call(m.C_SELF_TEST, bytes((tries,)))
    for _ in range(_LOOKS):
        bench.clock.pause(_LOOK_MS)
        try:
            return _found(bench, bench.client.call(m.C_SELF_TEST, b"\0"))
        except RefusedError as error:
            if error.code != "link-not-now":
                raise
    raise DeviceError("self-test-slow", "the self-test does not end", "start the controller again; report it")


def _found(bench: Bench, body: bytes) -> Found:
    try:
        _, stopped, chips, held, lamps, readers, rows, apart, shoe = json_of(body)
        antennas = [
            Air(antenna, place_seat(place), bench.bet(place_spot(place)), tags, asked, heard, damaged, antenna in apart)
            for antenna, place, tags, asked, heard, damaged in (map(int, row) for row in rows)
        ]
        return Found(
            str(stopped),
            dict(zip(_CHIPS, map(str, chips), strict=False)),
            [KEYS[number] for number in held],
            int(lamps),
            {f"reader {number}": str(code) for number, code in enumerate(readers)},
            antennas,
            list(shoe),
        )
    except (ValueError, TypeError, IndexError, RecursionError) as error:
        raise DeviceError(
            "self-test-strange", f"the controller's self-test cannot be read: {error}", "update the controller"
        ) from error


def checks(found: Found) -> list[Check]:
    """One line for each part and for each antenna."""
    lines = [_chip(part, code) for part, code in found.chips.items()]
    parts = [name for name, code in found.chips.items() if name in _EXPANDERS and code and code not in _LINE]
    for part, code in found.readers.items():
        lines.append(_check(part, *_reader(code, parts)))
        if not _is_version(code):
            lines.append(Check(f"antennas of {part}", UNTESTED, "", "mend the reader, then run it again"))
    if found.stopped:
        lines.append(Check("self-test", FAILED, f"ended early: {found.stopped}", "run it again, with the table closed"))
    lines += air_checks(found.antennas)
    lines += _shoe(found.shoe, parts)
    names = ", ".join(name.upper() for name in found.held)
    if parts and not found.held:
        hint = "mend the expander, then run it again"
        lines.append(Check("keys at rest", UNTESTED, f"those of {', '.join(parts)} cannot be asked", hint))
    else:
        lines.append(_check("keys at rest", not found.held, f"down: {names}" if names else "all", "a stuck key"))
    lines.append(
        Check("lamps", UNTESTED, f"{found.lamps} in the chain, which cannot be read", "open the table and look")
    )
    return lines


def air_checks(antennas: Sequence[Air]) -> list[Check]:
    """One line for each antenna's air."""
    return [_air(one) for one in sorted(antennas)]


def _check(name: str, passed: bool, words: str, hint: str) -> Check:
    return Check(name, PASSED if passed else FAILED, words, "" if passed else hint)


def _chip(part: str, code: str) -> Check:
    hint = _MENDS.get(code, f"look after {part}: cable, connector, the part itself")
    return _check(f"chip {part}", not code, code or "answers", hint)


def _reader(code: str, parts: Sequence[str]) -> tuple[bool, str, str]:
    """Whether a reader is well, what it says and what to do; ``parts`` are expanders, which hold readers in reset."""
    hint = _MENDS.get(code, "the reader, its cable")
    if parts:
        hint = f"{', '.join(parts)} first: it holds readers in reset; then the reader"
    return _is_version(code), _told(code), hint


def _is_version(code: str) -> bool:
    return code[:1].isdigit()


def _told(code: str) -> str:
    return f"firmware {code}" if _is_version(code) else code


def _air(one: Air) -> Check:
    if one.tags:
        words = f"{one.heard} of {one.asked} answered ({100 * one.rate:.0f} %), {one.damaged} damaged"
    else:
        words = f"empty, and {one.damaged} times of {one.asked} something was heard"
    if one.apart:
        words += "; unlike its neighbours"
    return _check(one.name, one.good, words, "the antenna, its cable, its tuning; metal or another reader near it?")


def _shoe(shoe: Sequence[Any], parts: Sequence[str]) -> list[Check]:
    if not shoe:
        return []
    reader, tags, noise, blocked, lost, sensors = shoe
    lines = [
        _check("shoe beam", not blocked, "blocked" if blocked else "clear", "take out what lies in the mouth; the beam")
    ]
    if reader:
        lines.append(_check("shoe reader", *_reader(reader, parts)))
        heard = f"{tags} tags, {noise} times something else"
        if _is_version(reader):
            lines.append(_check("shoe air", not tags and not noise, heard, "no card may lie in the mouth; its antenna"))
        else:
            lines.append(Check("shoe air", UNTESTED, "", "mend the reader, then run it again"))
    if sensors:
        missed, light = sensors
        lines.append(
            _check("shoe sensors", not light, "light" if light else "dark at rest", "light on the lip, a card there")
        )
        lost += missed
    lines.append(_check("shoe edges", not lost, f"{lost} lost", "report it: the controller was busy for too long"))
    return lines
