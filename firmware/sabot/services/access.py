"""Who may do what over the link: role keys, challenge and response, and a lock-out that grows.

Entry point: :class:`Access`. A role is proved with HMAC-SHA-256 over a nonce that is used once, so an answer that was
overheard is worth nothing; the key itself never crosses the link.
"""

import struct
import time

from micropython import const

from sabot.services.keyed import hmac_sha256, same
from sabot.wire.codes import ROLES
from sabot.wire.messages import AUTH_LABEL, LOCKED_OUT, NONCE_SIZE, NOT_AUTHORISED, OK

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

FREE_TRIES = const(3)  # wrong keys before the first delay
FIRST_DELAY_MS = const(2000)
_DOUBLINGS = const(7)  # the longest delay is 256 s


class Access:
    """The role of the host that is connected. ``random(n)`` gives n bytes; ``role_keys`` are 32 bytes a name."""

    def __init__(self, role_keys: "dict[str, bytes]", unique_id: bytes, random: "Callable[[int], bytes]") -> None:
        self.role = ""
        self.before = ""  # the role proved before this one in the same session: two people
        self.random = random
        self._keys = role_keys
        self._unique_id = unique_id
        self._nonce = b""
        self._wrong = 0
        self._blocked_at = 0
        self._delay_ms = 0

    def forget(self) -> None:
        """The host is gone, or another one speaks: no role, no nonce. Wrong tries stay counted."""
        self.role = self.before = ""
        self._nonce = b""

    def tick(self, now: int) -> None:
        """End the lock-out when its time is over; asked each turn of the link, or the counter's overflow is missed."""
        if self._delay_ms and time.ticks_diff(now, self._blocked_at) >= self._delay_ms:
            self._delay_ms = 0

    def blocked_ms(self) -> int:
        """Milliseconds that the lock-out still lasts, 0 when there is none."""
        if not self._delay_ms:
            return 0
        return max(self._delay_ms - time.ticks_diff(time.ticks_ms(), self._blocked_at), 0)

    def begin(self) -> "tuple[int, bytes]":
        """``(status, nonce)`` for one proof; ``(LOCKED_OUT, milliseconds left u32)`` during a lock-out."""
        left = self.blocked_ms()
        if left:
            return LOCKED_OUT, struct.pack("<I", left)
        self._nonce = self.random(NONCE_SIZE)
        return OK, self._nonce

    def prove(self, role: int, answer: bytes) -> int:
        """Status of a proof for ``role`` (number in ``codes.ROLES``, not 0); on ``OK`` it is in force, else none is."""
        before = self.role
        self.role = self.before = ""
        if self.blocked_ms():
            return LOCKED_OUT
        nonce = self._nonce
        self._nonce = b""
        name = ROLES[role]
        key = self._keys.get(name)
        if key and nonce:
            message = AUTH_LABEL + nonce + self._unique_id + bytes((role,))
            if same(hmac_sha256(key, message), answer):
                self.role = name
                self.before = before
                self._wrong = 0
                return OK
        self.resume(self._wrong + 1)
        return NOT_AUTHORISED

    def resume(self, wrong: int) -> None:
        """So many proofs in a row have been wrong, some maybe before a restart: the delay for that begins now."""
        self._wrong = wrong
        if self._wrong >= FREE_TRIES:
            self._delay_ms = FIRST_DELAY_MS << min(self._wrong - FREE_TRIES, _DOUBLINGS)
            self._blocked_at = time.ticks_ms()
