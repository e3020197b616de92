"""Who works at the table: the dealer and the supervisor who have signed on. Entry point: `Staff`.

They sign on with a badge, or through the host with a role key. A dealer's number is in the header of every
record from then on. No relief within a round. Where dealers must sign on (`sign_on`), a table whose dealer has left
waits in `dealer_change`, without open bets, and is not opened before somebody is there.
"""

from sabot.wire.codes import ROLES

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from sabot.table.core import Core
    from sabot.table.issues import Issues

_DEALER = ROLES.index("dealer")
_SUPERVISOR = ROLES.index("supervisor")
_MOST = 0xFFFF


class Staff:
    """The people of one table, by their numbers; 0: nobody."""

    def __init__(self, core: "Core", issues: "Issues") -> None:
        self._core = core
        self._issues = issues
        self._required: bool = core.config.sign_on == "required"
        self.supervisor = 0

    @property
    def dealer(self) -> int:
        """Number of the dealer who has signed on."""
        number: int = self._core.ports.journal.dealer
        return number

    @property
    def missing(self) -> bool:
        """Whether a dealer must sign on before the table plays."""
        return self._required and not self.dealer

    def sign(self, role: int, number: int, on: bool) -> bool:
        """Sign on or off (`codes.ROLES`); False when the number does not fit, or a round is running."""
        if not 0 < number <= _MOST:
            return False
        if role == _SUPERVISOR:
            return self._supervisor(number, on)
        if role != _DEALER or self._core.in_round or self._core.machine.name in ("last_bets", "suspended"):
            return False
        if on:
            self._relieve(number)
        elif number != self.dealer or not number:
            return False
        else:
            self._leave(number)
        return True

    def _supervisor(self, number: int, on: bool) -> bool:
        if not on and number != self.supervisor:
            return False
        self._record(_SUPERVISOR, number, on)
        self.supervisor = number if on else 0
        return True

    def _record(self, role: int, number: int, on: bool) -> None:
        self._core.append("signed", {"role": role, "id": number, "on": int(on)})

    def _leave(self, number: int) -> None:
        if self._required:
            self._change("change_dealer")
        self._record(_DEALER, number, False)
        self._core.ports.journal.dealer = 0
        if self._required and self._core.machine.name == "dealer_change":
            self._core.prompt("sign_on")

    def _relieve(self, number: int) -> None:
        before = self.dealer
        if before == number:
            return
        self._change("change_dealer")
        if before:
            self._record(_DEALER, before, False)
        self._core.ports.journal.dealer = number
        self._record(_DEALER, number, True)
        self._change("dealer_changed")

    def _change(self, trigger: str) -> None:
        core = self._core
        if core.machine.can(trigger):
            core.append("table", {"trigger": trigger, "by": _DEALER})
            core.machine.fire(trigger)

    def acted_alone(self, ticks: int) -> None:
        """Something of a round was done at the raw instant `ticks` with nobody signed on: the table stops, once."""
        if self._issues.stops():
            return
        self._issues.raise_card("nobody", ticks, 0)
        self._core.machine.attempt("suspend")
        self._core.prompt("sign_on")
