"""A host computer at the simulated controller's USB port, alive beside everything else that happens.

Entry point: :class:`Station`. It opens sessions whenever there is a port, follows the journal from the record it has
last, proves the auditor's key, and the supervisor's when a supervisor acts. Everything it draws comes from a seed.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Callable, Sequence

from hwsim.core import NS_PER_MS
from hwsim.provisioning import DEVELOPMENT_KEYS
from hwsim.scenario.script import Spot
from hwsim.scenario.stage import Heard
from hwsim.table import SimTable
from sabot.wire import codes
from sabot.wire import messages as m
from sabot_host.link.core import Event, Hello, Prompt, Record
from sabot_host.link.desk import Desk
from sabot_host.monitor.picture import Picture, read

TURN_NS = 20 * NS_PER_MS
AUDITOR, SUPERVISOR = "auditor", "supervisor"


def _giver(role: str) -> str:
    """Whose key enrols and revokes badges of ``role``."""
    return SUPERVISOR if role == "dealer" else role


class Station:
    """The host of ``table``; ``bets`` are those of its game."""

    def __init__(self, table: SimTable, bets: Sequence[str]) -> None:
        self.plugged = False
        self.prompts: list[Heard] = []
        self.records: list[Record] = []
        """Every record received, in the order in which they came."""
        self.picture: Picture | None = None
        """The newest view, once :meth:`look` has asked for one."""
        self.on_event: Callable[[Event], None] = lambda event: None
        """Told of everything that the controller says."""
        self.sessions = 0
        self._state = -TURN_NS - 1, ""  # when the last view came, and the state in it
        self._table = table
        self._bets = tuple(bets)
        self._cdc = table.fabric.cdc
        self._draws = 0
        self._desk = Desk(self._nonce)
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
        self._desk.lost()

    def reads(self, willing: bool) -> None:
        """Take bytes, or hold the port open and take none."""
        self._cdc.host_reads = willing

    def send(self, data: bytes) -> None:
        """Send bytes that belong to no frame."""
        self._cdc.host_write(data)

    @property
    def up(self) -> bool:
        """Whether a session is open."""
        return self._desk.hello is not None

    def _attached(self, there: bool) -> None:
        if there:
            self._cdc.host_open()
            self._desk.open(self._now)
            self._flush()
        else:
            self._desk.lost()

    # --- what people do with it ---------------------------------------------------------------------------------------

    def acknowledge(self) -> None:
        """Tell the controller that every record received so far is safe."""
        self._ask(m.C_ACKNOWLEDGE, lambda: struct.pack("<I", self._last))

    def void(self) -> None:
        """The supervisor voids the round."""
        self._as(SUPERVISOR, m.C_VOID, bytes([codes.VOID_REASONS.index("supervisor")]))

    def rule(self, number: int, ruling: str, cents: int, role: str = SUPERVISOR) -> None:
        """The supervisor, or another role, ends irregularity ``number``."""
        self._as(role, m.C_RESOLVE, struct.pack("<HBI", number, codes.RESOLUTIONS.index(ruling), cents))

    def sign(self, role: str, number: int, on: bool = True) -> None:
        """A dealer or supervisor signs on or off by number, with the role's own key."""
        self._as(role, m.C_SIGN, struct.pack("<BHB", codes.ROLES.index(role), number, int(on)))

    def enrol(self, role: str, number: int, uid: bytes) -> None:
        """A badge is enrolled with the key of its role, a dealer's with the supervisor's."""
        self._as(_giver(role), m.C_BADGE, struct.pack("<BBH", m.BADGE_ENROL, codes.ROLES.index(role), number) + uid)

    def revoke(self, role: str, uid: bytes) -> None:
        """A badge of that role is revoked, with the same key."""
        self._as(_giver(role), m.C_BADGE, bytes([m.BADGE_REVOKE]) + uid)

    def declare(self, kind: str, spot: Spot, cents: int = 0) -> None:
        """The supervisor says what no antenna sees at a spot."""
        place = codes.place(spot.seat, self._bets.index(spot.bet))
        self._as(SUPERVISOR, m.C_DECLARE, struct.pack("<BBI", codes.DECLARATIONS.index(kind), place, cents))

    def look(self) -> None:
        """Ask for a view, unless something else is being asked."""
        if self.up and self.quiet():
            self._desk.ask(m.C_VIEW, lambda: b"", self._now, self._viewed)
            self._flush()

    def _viewed(self, body: bytes) -> None:
        self.picture = read(body, self._bets)

    def state(self) -> str:
        """The table's state by a view that has just come; else empty, and a view is asked for."""
        when, state = self._state
        if self._table.now - when <= TURN_NS:
            return state
        if self.up and self.quiet():
            self._desk.ask(m.C_VIEW, lambda: b"", self._now, self._stated)
            self._flush()
        return ""

    def _stated(self, body: bytes) -> None:
        self._state = self._table.now, read(body, self._bets).state

    def _as(self, role: str, command: int, arguments: bytes) -> None:
        self._prove(role)
        self._ask(command, lambda: arguments)
        self._prove(AUDITOR)

    def quiet(self) -> bool:
        """Whether no request is under way."""
        return self._desk.quiet

    def refusals(self) -> list[str]:
        """What the controller refused since the last call."""
        refused, self._desk.refused = self._desk.refused, []
        return [error.message for error in refused]

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

    def _ask(self, command: int, arguments: Callable[[], bytes]) -> None:
        self._desk.ask(command, arguments, self._now)
        self._flush()

    def _prove(self, role: str) -> None:
        self._desk.prove(role, DEVELOPMENT_KEYS[role], self._now)
        self._flush()

    def _turn(self) -> None:
        if not self.plugged:
            self._turning = False
            return
        if self._cdc.dtr:
            self._desk.poll(self._now)
            self._flush()
        self._table.scheduler.after(TURN_NS, self._turn)

    def _take(self, data: bytes) -> None:
        for event in self._desk.take(data, self._now):
            self._happened(event)
        self._flush()

    def _happened(self, event: Event) -> None:
        if isinstance(event, Hello):
            self.sessions += 1
            self._prove(AUDITOR)
            self._ask(m.C_SUBSCRIBE, lambda: struct.pack("<I", max(self._last + 1, event.first)))
        elif isinstance(event, Record):
            self.records.append(event)
        elif isinstance(event, Prompt):
            seat, bet = codes.place_seat(event.place), codes.place_spot(event.place)
            spot = Spot(seat, self._bets[bet]) if seat and bet < len(self._bets) else None
            self.prompts.append(Heard(self._table.now, codes.PROMPTS[event.kind], spot))
        self.on_event(event)

    def _flush(self) -> None:
        data = self._desk.outgoing()
        if data and self._cdc.dtr:
            self._cdc.host_write(data)
