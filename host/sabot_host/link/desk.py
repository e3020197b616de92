"""Requests over a session, one after another, and proofs of roles: no input or output of its own, like ``core``.

Entry point: :class:`Desk`, for a host that is alive beside everything else and may not wait: it asks, goes on, and is
told the answer later. :class:`~sabot_host.link.client.Client` is for those who wait.
"""

from __future__ import annotations

import hashlib
import hmac
from collections import deque
from collections.abc import Callable
from typing import NamedTuple

from sabot.wire import messages as m
from sabot.wire.codes import ROLES
from sabot_host.errors import RefusedError
from sabot_host.link.core import Desync, Event, Hello, LinkCore, Reply
from sabot_host.link.refusals import refusal, wrong_key

MAX_WAITING = 64


class _Ask(NamedTuple):
    """A request to come: its arguments are made when it is sent, its answer goes to ``then``."""

    command: int
    arguments: Callable[[], bytes]
    then: Callable[[bytes], None]
    role: str
    """that this proves, or nothing"""


def _nothing(body: bytes) -> None:
    """Most answers need no more than to have come."""


class Desk:
    """One session after another over the same cable. ``nonces`` gives 8 fresh bytes for each hello.

    Feed it with :meth:`take` and :meth:`poll`, which return the events; write what :meth:`outgoing` returns. What was
    asked in a session that is lost is forgotten, and so is the role: whoever gets the :class:`Hello` asks anew.
    """

    def __init__(self, nonces: Callable[[], bytes]) -> None:
        self.refused: list[RefusedError] = []
        """What the controller refused; whoever looks takes them out."""
        self._nonces = nonces
        self._core = LinkCore(nonces)
        self._asks: deque[_Ask] = deque()
        self._under_way: _Ask | None = None
        self._proof = b""

    @property
    def hello(self) -> Hello | None:
        """The controller's description, while a session is open."""
        return self._core.hello

    @property
    def quiet(self) -> bool:
        """Whether no request is under way, and none waits."""
        return self._under_way is None and not self._asks

    @property
    def dropped(self) -> int:
        """Frames thrown away since :meth:`lost`: damaged, too long, or no frames at all."""
        return self._core.dropped

    def open(self, now: int) -> None:
        """Begin a session."""
        self._core.open(now)

    def bye(self) -> None:
        """End the session."""
        self._core.bye()

    def lost(self) -> None:
        """The cable is gone, and with it the session and everything that was asked."""
        self._core = LinkCore(self._nonces)
        self._forget()

    def take(self, data: bytes, now: int) -> list[Event]:
        """Take bytes from the controller; what they meant, in order. Answers have been given to those who asked."""
        return self._happened(self._core.receive(data, now), now)

    def poll(self, now: int) -> list[Event]:
        """Let time pass."""
        return self._happened(self._core.poll(now), now)

    def outgoing(self) -> bytes:
        """Bytes to write now; each is returned once."""
        return self._core.outgoing()

    def ask(
        self,
        command: int,
        arguments: Callable[[], bytes],
        now: int,
        then: Callable[[bytes], None] = _nothing,
    ) -> None:
        """Send a request when those before it are answered. RuntimeError when too many wait."""
        self._queue(_Ask(command, arguments, then, ""), now)

    def prove(self, role: str, key: bytes, now: int) -> None:
        """Prove a role with its key."""
        number = ROLES.index(role)

        def keep(nonce: bytes) -> None:
            hello = self._core.hello
            message = m.AUTH_LABEL + nonce + (hello.unique_id if hello else b"") + bytes([number])
            self._proof = bytes([number]) + hmac.new(key, message, hashlib.sha256).digest()

        self._queue(_Ask(m.C_AUTH_BEGIN, lambda: bytes([number]), keep, ""), now)
        self._queue(_Ask(m.C_AUTH, lambda: self._proof, _nothing, role), now)

    def _queue(self, asked: _Ask, now: int) -> None:
        if len(self._asks) >= MAX_WAITING:
            raise RuntimeError("too many requests wait")
        self._asks.append(asked)
        self._next(now)

    def _forget(self) -> None:
        self._asks.clear()
        self._under_way = None

    def _happened(self, events: list[Event], now: int) -> list[Event]:
        for event in events:
            if isinstance(event, (Hello, Desync)):
                self._forget()
            elif isinstance(event, Reply) and self._under_way is not None:
                asked, self._under_way = self._under_way, None
                if event.status == m.OK:
                    asked.then(event.body)
                elif event.status == m.NOT_AUTHORISED and asked.role:
                    self.refused.append(wrong_key(asked.role))
                else:
                    self.refused.append(refusal(event.status, event.body))
        self._next(now)
        return events

    def _next(self, now: int) -> None:
        """Send the next request when the one before is answered."""
        if self._core.idle and self._under_way is None and self._asks:
            self._under_way = self._asks.popleft()
            self._core.request(self._under_way.command, self._under_way.arguments(), now)
