"""Follows a table over any cable, however slow or flapping: asks for views, hears prompts, and records with a key.

Entry points: :class:`Watcher` (:meth:`Watcher.turn` is one bounded slice of its work), :class:`Note` (one thing that
has happened). A session that breaks is opened again, and so is a cable that went away; both are told, as notes and in
:attr:`Watcher.link`.
"""

from __future__ import annotations

import os
import struct
from collections import deque
from collections.abc import Callable, Sequence
from typing import NamedTuple

from sabot.rules import games
from sabot.wire import messages as m
from sabot.wire.records import FORMAT
from sabot_host.errors import DeviceError
from sabot_host.journal.show import Words
from sabot_host.lang import CODED, Tongue
from sabot_host.link.client import Transport
from sabot_host.link.core import Desync, Event, Hello, Mismatch, Prompt, Record
from sabot_host.link.desk import Desk
from sabot_host.link.refusals import mismatch
from sabot_host.monitor.changes import changes
from sabot_host.monitor.picture import Picture, Unreadable, read
from sabot_host.monitor.telling import asked, recorded

EVERY_MS = 500
SLICE_MS = 50
KEPT = 200
_RECORDS = 12  # of the past, told at the beginning
_RETURN_MS = 200  # how long one slice looks for a cable that went away
_NO_ANSWER_MS = 2000  # a controller that has not answered for so long is told

OPENING, UP, SILENT, GONE = "opening", "up", "silent", "gone"


class _CableGone(Exception):
    """The cable went away; its cause says how."""


class Note(NamedTuple):
    """One thing that has happened: when it was heard (ms of the cable's clock), and what, in one line."""

    when: int
    text: str


class Watcher:
    """One table over ``transport``, looked at every ``every_ms``. ``key``: an auditor's, for the records as they come.

    ``nonces`` gives 8 fresh bytes for each session; notes are written in ``tongue``.
    """

    def __init__(
        self,
        transport: Transport,
        key: bytes | None = None,
        every_ms: int = EVERY_MS,
        nonces: Callable[[], bytes] = lambda: os.urandom(m.HELLO_NONCE_SIZE),
        tongue: Tongue = CODED,
    ) -> None:
        self.link = OPENING
        """``opening``, ``up``, ``silent`` (the session broke, another one is being opened), ``gone`` (no port)."""
        self.since = transport.now_ms()
        """When ``link`` became what it is."""
        self.hello: Hello | None = None
        """The controller's description, of this session or of the last one."""
        self.picture: Picture | None = None
        """The newest view."""
        self.seen_at = 0
        """When it came."""
        self.notes: deque[Note] = deque(maxlen=KEPT)
        """What has happened, oldest first."""
        self.noted = 0
        """How many notes there have been."""
        self.sessions = 0
        self._transport = transport
        self._key = key
        self._every_ms = every_ms
        self._desk = Desk(nonces)
        self._bets: tuple[str, ...] = ()
        self._tongue = tongue
        self._words = Words((), tongue)
        self._asked_at = 0
        self._asks = False
        self._hurry = False
        self._next_record = 0
        self._why = ""
        self._told_silence = False
        self._desk.open(self.since)

    def turn(self, slice_ms: int = SLICE_MS) -> bool:
        """Work for a slice of time; whether there is anything new.

        RefusedError for a controller of another protocol, for one that knows no views, and for a wrong key; DeviceError
        for a view that cannot be read.
        """
        before = (self.noted, self.seen_at, self.link)
        if self.link == GONE:
            self._return()
        else:
            try:
                self._exchange(slice_ms)
            except _CableGone as gone:
                self._gone(gone.__cause__)
        return (self.noted, self.seen_at, self.link) != before

    def age_ms(self) -> int:
        """Milliseconds since the newest view; since the beginning when none has come."""
        return self._transport.now_ms() - (self.seen_at if self.picture is not None else self.since)

    def close(self) -> None:
        """End the session and let the cable go."""
        self._desk.bye()
        try:
            self._write()
        except _CableGone:
            pass  # the cable is gone already; silence ends the session too
        finally:
            self._transport.close()

    # --- the cable ----------------------------------------------------------------------------------------------------

    @property
    def _now(self) -> int:
        return self._transport.now_ms()

    def _write(self) -> None:
        data = self._desk.outgoing()
        if data:
            try:
                self._transport.write(data)
            except DeviceError as error:
                raise _CableGone from error

    def _read(self, slice_ms: int) -> bytes:
        try:
            return self._transport.read(slice_ms)
        except DeviceError as error:
            raise _CableGone from error

    def _exchange(self, slice_ms: int) -> None:
        self._happened(self._desk.poll(self._now))
        self._look()
        self._write()
        self._happened(self._desk.take(self._read(slice_ms), self._now))
        for error in self._desk.refused:
            raise error
        self._write()
        if self.link == OPENING and not self._told_silence and self._now - self.since >= _NO_ANSWER_MS:
            self._told_silence = True
            self._note("no answer yet: is it a controller's port? trying on")

    def _gone(self, error: BaseException | None) -> None:
        if self.link != GONE:
            self._become(GONE)
            self._desk.lost()
            self._asks = False
            self._why = ""
        if str(error) != self._why:
            self._why = str(error)
            self._note(f"{error}: looking for it again")

    def _return(self) -> None:
        """Look for the cable for a moment."""
        try:
            self._transport.reopen(_RETURN_MS)
        except DeviceError as error:
            self._gone(error)
            return
        self._note("the cable is back")
        self._become(SILENT)
        self._desk.open(self._now)

    def _become(self, link: str) -> None:
        self.link = link
        self.since = self._now

    # --- the session --------------------------------------------------------------------------------------------------

    def _look(self) -> None:
        """Ask for a view when it is time, or when something has just happened."""
        due = self._hurry or self._now - self._asked_at >= self._every_ms
        if self.link == UP and due and not self._asks:
            self._asks = True
            self._hurry = False
            self._asked_at = self._now
            self._desk.ask(m.C_VIEW, lambda: b"", self._now, self._viewed)

    def _happened(self, events: Sequence[Event]) -> None:
        for event in events:
            if isinstance(event, Mismatch):
                raise mismatch(event)
            if isinstance(event, Hello):
                self._greeted(event)
            elif isinstance(event, Desync):
                self._asks = False
                self._note(f"the session broke ({event.reason}): opening another")
                self._become(SILENT)
            elif isinstance(event, Record):
                self._recorded(event)
            elif isinstance(event, Prompt):
                self._tell(asked(event, self._bets, self._tongue))
                self._hurry = True

    def _greeted(self, hello: Hello) -> None:
        self.sessions += 1
        again = self.hello is not None
        if self.hello is not None and hello.boot != self.hello.boot:
            self._note(f"the controller has started again: boot {hello.boot}")
        self.hello = hello
        self._become(UP)
        self._asks = False
        self._hurry = True
        self._bets = tuple(bet.name for bet in games.load(hello.game).bets) if hello.game in games.GAMES else ()
        self._words = Words(self._bets, self._tongue)
        of = f"table {hello.table}, version {hello.version}"
        self._note(f"connected again: {of}" if again else f"connected: {of}")
        if self._key is not None:
            self._desk.prove("auditor", self._key, self._now)
            if hello.record_format == FORMAT and hello.last:
                first = max(self._next_record, hello.first, hello.last - _RECORDS + 1)
                self._desk.ask(m.C_SUBSCRIBE, lambda: struct.pack("<I", first), self._now)

    def _viewed(self, body: bytes) -> None:
        self._asks = False
        try:
            picture = read(body, self._bets)
        except Unreadable as error:
            raise DeviceError(
                "monitor-nonsense", f"the controller's view cannot be read: {error}", "update the host tool"
            ) from error
        for text in changes(self.picture, picture, self._key is None, self._tongue):
            self._tell(text)
        self.picture = picture
        self.seen_at = self._now

    def _recorded(self, event: Record) -> None:
        self._hurry = True
        self._next_record = event.sequence + 1
        self._tell(recorded(event, self._words, self._tongue))

    def _note(self, text: str) -> None:
        self._tell(self._tongue.said(text))

    def _tell(self, text: str) -> None:
        self.noted += 1
        self.notes.append(Note(self._now, text))
