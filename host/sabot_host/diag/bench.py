"""The table under test, as a technician and a program see it together.

Entry points: :class:`Bench`, :class:`Check` (one thing that was looked at).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

from sabot.rules import games
from sabot.wire import messages as m
from sabot.wire.records import RecordError, parse
from sabot_host.errors import DeviceError
from sabot_host.link.client import Client
from sabot_host.monitor.picture import Picture, Unreadable, read

LOOK_MS = 100
PASSED, FAILED, UNTESTED = "passed", "failed", "not tested"


class Check(NamedTuple):
    """One thing looked at: ``result`` is PASSED, FAILED or UNTESTED, ``found`` what was seen, ``hint`` what to do."""

    name: str
    result: str
    found: str
    hint: str = ""


class Clock(Protocol):
    """Time at the table."""

    def now_ms(self) -> int:
        """Milliseconds of a clock that only goes forward."""

    def pause(self, duration: int) -> None:
        """Let so many milliseconds pass."""


class Bench:
    """One table over an open session. ``tell`` speaks to the technician; a step is waited for ``wait_ms``."""

    def __init__(self, client: Client, clock: Clock, tell: Callable[[str], None], wait_ms: int) -> None:
        self.client = client
        self.clock = clock
        self.tell = tell
        self._wait_ms = wait_ms
        try:
            self._bets = tuple(bet.name for bet in games.load(client.hello.game).bets) if client.hello.game else ()
        except KeyError:
            self._bets = ()

    def bet(self, number: int) -> str:
        """Name of the game's bet of that number."""
        return self._bets[number] if number < len(self._bets) else f"bet {number}"

    def picture(self) -> Picture:
        """What the table shows now. DeviceError when its view cannot be read."""
        try:
            return read(self.client.call(m.C_VIEW), self._bets)
        except Unreadable as error:
            raise DeviceError(
                "view-strange", f"the controller's view cannot be read: {error}", "update the controller"
            ) from error

    def until(self, reached: Callable[[Picture], bool]) -> Picture | None:
        """Look until ``reached``; the picture that did, or None when the step has taken too long."""
        end = self.clock.now_ms() + self._wait_ms
        while self.clock.now_ms() < end:
            picture = self.picture()
            if reached(picture):
                return picture
            self.clock.pause(LOOK_MS)
        return None

    def records(self, first: int, last: int) -> list[dict[str, Any]]:
        """The journal's records from ``first`` to ``last``; the session has proved the auditor's role."""
        found = []
        for data in self.client.read_records(first, last=last):
            try:
                found.append(parse(data))
            except RecordError as error:
                raise DeviceError("record-bad", f"a record cannot be read: {error}", "pull the journal") from error
        return found
