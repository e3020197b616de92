"""What players and dealers do beside the rules in a demonstration, and what must come of it.

Entry points: :class:`Trick` and its kinds :class:`Late`, :class:`Capped`, :class:`Foreign`, :class:`Straightened` (the
last is no irregularity, and must only be noted).
"""

from __future__ import annotations

from hwsim.core import NS_PER_MS
from hwsim.scenario.claims import Entry
from hwsim.scenario.values import dollars
from hwsim.world.chips import Chip
from sabot_host.sim.dealer import Dealer
from sabot_host.sim.floor import Floor
from sabot_host.sim.players import Player

_HAND_AFTER_MS = 600  # behind the announcement's key
_STRAIGHTENS_MS = 900


class Trick:
    """One act at ``seat``. ``kind`` is what the journal must call it; ``during`` is ``betting`` or ``locked``."""

    kind = ""
    during = "locked"
    regular = False
    """Whether it is no irregularity: it is to be noted, and nobody asked."""

    def __init__(self, seat: int, bet: str) -> None:
        self.seat = seat
        self.bet = bet
        self._chips: list[Chip] = []

    def prepare(self, player: Player) -> None:
        """Before the bets are made."""
        player.insists = self.bet

    def do(self, floor: Floor, player: Player) -> str:
        """Do it; what people see."""
        raise NotImplementedError

    def told(self, entry: Entry) -> str:
        """What the controller says of it, for people."""
        fields = entry.fields
        width = (int(fields["latest"]) - int(fields["earliest"])) / 1e6
        amounts = f"{fields['after']} instead of {fields['before']}"
        return f"caught: {entry.name} at seat {fields['seat']} {fields['bet']}, {amounts}, known to {width:.0f} ms"

    def end(self, floor: Floor, dealer: Dealer, entry: Entry) -> str:
        """Put it right; what is done. By itself: the supervisor refuses it, chip by chip, and the chips go back."""
        for told in floor.records(self.kind, entry.sequence - 1):
            floor.session.host.rule(int(told.fields["id"]), "refused", 0)
            floor.ended(int(told.fields["id"]))
        floor.table.remove(self._chips)
        return "the supervisor refuses it, the chips go back"


class Late(Trick):
    """A bet that was held back comes down after the announcement."""

    kind = "late"

    def prepare(self, player: Player) -> None:
        """The bet stays in the hand."""
        player.holds_back = self.bet

    def do(self, floor: Floor, player: Player) -> str:
        """Put the smallest bet down too late."""
        cents = 500
        floor.wait(_HAND_AFTER_MS)
        self._chips = floor.table.place(self.seat, self.bet, cents)
        return f"a hand at seat {self.seat} puts {dollars(cents)} on {self.bet} too late"


class Capped(Trick):
    """Chips come on top of a bet that is locked."""

    kind = "capped"

    def do(self, floor: Floor, player: Player) -> str:
        """Put a chip on top."""
        cents = 1000
        floor.wait(_HAND_AFTER_MS)
        self._chips = floor.table.place(self.seat, self.bet, cents)
        return f"a hand at seat {self.seat} puts {dollars(cents)} on top of its {self.bet}"


class Foreign(Trick):
    """A chip of another casino lies beside a bet."""

    kind = "foreign"
    during = "betting"

    def do(self, floor: Floor, player: Player) -> str:
        """Put it there while bets are open."""
        cents = 2500
        self._chips = floor.stage.make([cents], floor.stage.strangers["foreign"])
        for chip in self._chips:
            floor.table.felt.place(chip, floor.table.spot(self.seat, self.bet), floor.table.now)
        floor.wait(_HAND_AFTER_MS)
        return f"seat {self.seat} puts a {dollars(cents)} chip of another casino on {self.bet}"

    def told(self, entry: Entry) -> str:
        """It counts for nothing."""
        return f"caught: foreign chip at seat {entry.fields['seat']} {entry.fields['bet']}, counted as nothing"

    def end(self, floor: Floor, dealer: Dealer, entry: Entry) -> str:
        """The dealer gives it back."""
        dealer.press("non")
        floor.ended(int(entry.fields["id"]))
        floor.table.remove(self._chips)
        return "the dealer gives it back"


class Straightened(Trick):
    """The dealer straightens a bet: its chips are gone for a moment."""

    kind = "handled"
    regular = True

    def do(self, floor: Floor, player: Player) -> str:
        """Lift and put back."""
        floor.wait(_HAND_AFTER_MS)
        chips = player.lying([self.bet])
        floor.table.remove(chips)
        for chip in chips:
            floor.table.felt.place(
                chip, floor.table.spot(self.seat, self.bet), floor.table.now + _STRAIGHTENS_MS * NS_PER_MS
            )
        return f"the dealer straightens the {self.bet} of seat {self.seat}"

    def told(self, entry: Entry) -> str:
        """Nobody is asked."""
        return f"noted, and nobody asked: handled at seat {entry.fields['seat']} {entry.fields['bet']}"

    def end(self, floor: Floor, dealer: Dealer, entry: Entry) -> str:
        """Nothing is to be done."""
        return ""
