"""A host computer at the simulated controller's USB port, alive beside everything else that happens.

Entry point: :class:`Station`. It opens sessions whenever there is a port, follows the journal from the record it has
last, proves the auditor's key, and the supervisor's when a supervisor acts. Everything it draws comes from a seed.
"""

from __future__ import annotations

import hashlib
import hmac
import struct
from collections import deque
from collections.abc import Callable, Sequence
from typing import NamedTuple

from hwsim.core import NS_PER_MS
from hwsim.provisioning import DEVELOPMENT_KEYS
from hwsim.scenario.script import Spot
from hwsim.scenario.stage import Heard
from hwsim.table import SimTable
from sabot.wire import codes
from sabot.wire import messages as m
from sabot_host.link.core import Event, Hello, LinkCore, Prompt, Record, Reply
from sabot_host.link.refusals import refusal

TURN_NS = 20 * NS_PER_MS
AUDITOR, SUPERVISOR = "auditor", "supervisor"


class _Ask(NamedTuple):
    """A request to come: its arguments are made when it is sent, its answer goes to ``then``."""

    command: int
    arguments: Callable[[], bytes]
    then: Callable[[bytes], None]


def _nothing(body: bytes) -> None:
    """Most answers need no more than to have come."""


class Station:
    """The host of ``table``; ``bets`` are those of its game."""

    def __init__(self, table: SimTable, bets: Sequence[str]) -> None:
        self.plugged = False
        self.prompts: list[Heard] = []
        self.records: list[Record] = []
        """Every record received, in the order in which they came."""
        self.sessions = 0
        self._table = table
        self._bets = tuple(bets)
        self._cdc = table.fabric.cdc
        self._core = LinkCore(self._nonce)
        self._draws = 0
        self._asks: deque[_Ask] = deque()
        self._under_way: _Ask | None = None
        self._refused: list[str] = []
        self._proof = b""
        self._turning = False

    # --- cable --------------------------------------------------------------------------------------------------------

    def plug(self) -> None:
        """Put the cable in and follow the journal from where it was."""
        self.plugged = True
        self._cdc.on_data = self._take
        self._cdc.on_attach = self._attached
        if self._cdc.attached:
            self._attached(True)
        if not self._turning:
            self._turning = True
            self._turn()

    def unplug(self) -> None:
        """Pull the cable."""
        self.plugged = False
        self._cdc.host_reads = True
        self._cdc.host_close()
        self._cdc.on_data = self._cdc.on_attach = None
        self._lost()

    def reads(self, willing: bool) -> None:
        """Take bytes, or hold the port open and take none."""
        self._cdc.host_reads = willing

    def send(self, data: bytes) -> None:
        """Send bytes that belong to no frame."""
        self._cdc.host_write(data)

    @property
    def up(self) -> bool:
        """Whether a session is open."""
        return self._core.hello is not None

    def _lost(self) -> None:
        self._core = LinkCore(self._nonce)
        self._asks.clear()
        self._under_way = None

    def _attached(self, there: bool) -> None:
        if there:
            self._cdc.host_open()
            self._core.open(self._now)
            self._flush()
        else:
            self._lost()

    # --- what people do with it ---------------------------------------------------------------------------------------

    def acknowledge(self) -> None:
        """Tell the controller that every record received so far is safe."""
        self._ask(m.C_ACKNOWLEDGE, lambda: struct.pack("<I", self._last))

    def void(self) -> None:
        """The supervisor voids the round."""
        self._as(SUPERVISOR, m.C_VOID, bytes([codes.VOID_REASONS.index("supervisor")]))

    def rule(self, number: int, ruling: str, cents: int) -> None:
        """The supervisor ends irregularity ``number``."""
        self._as(SUPERVISOR, m.C_RESOLVE, struct.pack("<HBI", number, codes.RESOLUTIONS.index(ruling), cents))

    def sign(self, role: str, number: int, on: bool = True) -> None:
        """A dealer or supervisor signs on or off by number, with the role's own key."""
        self._as(role, m.C_SIGN, struct.pack("<BHB", codes.ROLES.index(role), number, int(on)))

    def declare(self, kind: str, place: int, cents: int = 0) -> None:
        """The supervisor says what no antenna sees at a place."""
        self._as(SUPERVISOR, m.C_DECLARE, struct.pack("<BBI", codes.DECLARATIONS.index(kind), place, cents))

    def _as(self, role: str, command: int, arguments: bytes) -> None:
        self._prove(role)
        self._ask(command, lambda: arguments)
        self._prove(AUDITOR)

    def quiet(self) -> bool:
        """Whether no request is under way."""
        return self._under_way is None and not self._asks

    def refusals(self) -> list[str]:
        """What the controller refused since the last call."""
        refused, self._refused = self._refused, []
        return refused

    def sequences(self) -> list[int]:
        """Numbers of the records received, in the order in which they came."""
        return [record.sequence for record in self.records]

    # --- the session --------------------------------------------------------------------------------------------------

    @property
    def _now(self) -> int:
        return self._table.now // NS_PER_MS

    @property
    def _last(self) -> int:
        return self.records[-1].sequence if self.records else 0

    def _nonce(self) -> bytes:
        self._draws += 1
        return hashlib.sha256(f"station {self._table.seed} {self._draws}".encode()).digest()[:8]

    def _ask(self, command: int, arguments: Callable[[], bytes], then: Callable[[bytes], None] = _nothing) -> None:
        self._asks.append(_Ask(command, arguments, then))
        self._next()

    def _prove(self, role: str) -> None:
        number = codes.ROLES.index(role)

        def keep(nonce: bytes) -> None:
            hello = self._core.hello
            message = m.AUTH_LABEL + nonce + (hello.unique_id if hello else b"") + bytes([number])
            self._proof = bytes([number]) + hmac.new(DEVELOPMENT_KEYS[role], message, hashlib.sha256).digest()

        self._ask(m.C_AUTH_BEGIN, lambda: bytes([number]), keep)
        self._ask(m.C_AUTH, lambda: self._proof)

    def _turn(self) -> None:
        if not self.plugged:
            self._turning = False
            return
        if self._cdc.dtr:
            self._core.poll(self._now)
            self._next()
        self._table.scheduler.after(TURN_NS, self._turn)

    def _take(self, data: bytes) -> None:
        for event in self._core.receive(data, self._now):
            self._happened(event)
        self._next()

    def _happened(self, event: Event) -> None:
        if isinstance(event, Hello):
            self.sessions += 1
            self._asks.clear()
            self._under_way = None
            self._prove(AUDITOR)
            self._ask(m.C_SUBSCRIBE, lambda: struct.pack("<I", max(self._last + 1, event.first)))
        elif isinstance(event, Reply) and self._under_way is not None:
            asked, self._under_way = self._under_way, None
            if event.status == m.OK:
                asked.then(event.body)
            else:
                self._refused.append(refusal(event.status, event.body).message)
        elif isinstance(event, Record):
            self.records.append(event)
        elif isinstance(event, Prompt):
            seat, bet = codes.place_seat(event.place), codes.place_spot(event.place)
            spot = Spot(seat, self._bets[bet]) if seat and bet < len(self._bets) else None
            self.prompts.append(Heard(self._table.now, codes.PROMPTS[event.kind], spot))

    def _next(self) -> None:
        """Send the next request when the one before is answered, and everything that waits to be written."""
        if self._core.idle and self._under_way is None and self._asks:
            self._under_way = self._asks.popleft()
            self._core.request(self._under_way.command, self._under_way.arguments(), self._now)
        self._flush()

    def _flush(self) -> None:
        data = self._core.outgoing()
        if data and self._cdc.dtr:
            self._cdc.host_write(data)
