"""What the records of one round must agree on beside the states. Entry points: `Consistency`, `Inconsistent`.

Round numbers, numbers of irregularities, hands and their commitments. Each is kept from record to record; nothing here
knows how the firmware works, only what the records say.
"""

from typing import Any

from sabot.wire import codes, meters
from sabot.wire.commitment import opens
from sabot_host.model.hands import DEALER, LATER, SEAT, WAR


class Inconsistent(Exception):
    """A record that contradicts an earlier one."""


_QUESTION = 1  # severity of what the dealer may end
_AUTHORITIES = ("supervisor", "technician")
_BACK = ("none", "reader_fault")  # the reader is heard again, which needs nobody's word
_OVER_WITH_THE_BETS = ("void", "expired")  # words by which an irregularity ends with what it is about


class Consistency:
    """Feed it each record in its order."""

    def __init__(self) -> None:
        self._round: int | None = None
        self._open: dict[int, tuple[str, int]] = {}  # number: kind, severity
        self._agreed: set[int] = set()  # numbers whose ruling the dealer has seconded
        self._hands: dict[int, tuple[int, bytes]] = {}  # by number, as in `sabot.wire.records`
        self._shown: set[int] = set()
        self._config: bytes | None = None  # its hash, as the last `configured` record told
        self._installed: bytes | None = None  # what that record stands for
        self._untold = False  # this start's configuration is another one, and no record has told of it yet

    def check(self, name: str, fields: dict[str, Any]) -> None:
        """Take one record; Inconsistent says what it contradicts."""
        if self._untold and name not in ("configured", "fault", "power_on"):
            raise Inconsistent(
                "the configuration is another one than at the last start, and no record tells of the change"
            )
        if name == "lock":
            self._lock(fields)
        elif "round" in fields and fields["round"] != self._round:
            raise Inconsistent(f"it is about round {fields['round']}, while round {self._round} is running")
        method = getattr(self, "_" + name, None)
        if method is not None and name != "lock":
            method(fields)

    def _power_on(self, fields: dict[str, Any]) -> None:
        self._open, self._agreed = {}, set()
        self._untold = self._config is not None and self._config != fields["config_hash"]

    def _configured(self, fields: dict[str, Any]) -> None:
        if self._installed is not None and fields["was"] != self._installed:
            raise Inconsistent("what was installed before is not what the last such record says")
        self._config = fields["config_hash"]
        self._installed = meters.together(fields["settings"], fields["program"], fields["deck"])
        self._untold = False

    def _lock(self, fields: dict[str, Any]) -> None:
        if self._round is not None and fields["round"] != self._round + 1:
            raise Inconsistent(f"round {fields['round']} follows round {self._round}")
        self._round = fields["round"]
        self._hands, self._shown = {}, set()

    def _deal(self, fields: dict[str, Any]) -> None:
        for hand, cards, _decides, committed in fields["hands"]:
            if hand in self._hands:
                raise Inconsistent(f"hand {hand} is dealt twice")
            if hand >= LATER and hand < WAR and hand & SEAT not in self._hands:
                raise Inconsistent(f"hand {hand} is dealt to who has no cards")
            self._hands[hand] = cards, committed
        if DEALER not in self._hands:
            raise Inconsistent("the dealer has no hand")

    def _redealt(self, fields: dict[str, Any]) -> None:
        for hand, cards, committed in fields["hands"]:
            if hand not in self._hands or hand in self._shown:
                raise Inconsistent(f"hand {hand} is exchanged and was not dealt, or has been shown")
            self._hands[hand] = cards, committed

    def _reveal(self, fields: dict[str, Any]) -> None:
        for hand, nonce, cards in fields["hands"]:
            if hand not in self._hands:
                raise Inconsistent(f"hand {hand} is shown and was not dealt")
            if hand in self._shown:
                raise Inconsistent(f"hand {hand} is shown twice")
            count, committed = self._hands[hand]
            if len(cards) != count or not opens(committed, nonce, cards):
                raise Inconsistent(f"hand {hand} is not the one that was committed to")
            self._shown.add(hand)

    def _settlement(self, fields: dict[str, Any]) -> None:
        for place, result, *_amounts in fields["bets"]:
            # What a refused decision forfeits rests on no card.
            if codes.place_seat(place) not in self._shown and codes.RESULTS[result] != "forfeit":
                raise Inconsistent(f"seat {codes.place_seat(place)} is settled and has not shown its hand")

    def _irregularity(self, fields: dict[str, Any]) -> None:
        self._raised(fields["id"], fields["severity"], fields["kind"])

    def _card_fault(self, fields: dict[str, Any]) -> None:
        self._raised(fields["id"], 3, fields["kind"])

    def _raised(self, number: int, severity: int, kind: int) -> None:
        if number in self._open and number:
            raise Inconsistent(f"irregularity {number} is open already")
        if severity and number:  # number 0: one more card fault of a table that is stopped anyway
            self._open[number] = codes.kind_name(kind), severity

    def _seconded(self, fields: dict[str, Any]) -> None:
        if fields["by"]:
            self._agreed.add(fields["id"])

    def _resolved(self, fields: dict[str, Any]) -> None:
        number = fields["id"]
        if number not in self._open:
            raise Inconsistent(f"irregularity {number} is not open")
        kind, severity = self._open.pop(number)
        word, by = codes.RESOLUTIONS[fields["resolution"]], codes.ROLES[fields["by"]]
        if severity <= _QUESTION or word in _OVER_WITH_THE_BETS:
            return
        if by not in _AUTHORITIES and (by, kind) != _BACK:
            raise Inconsistent(f"irregularity {number} ({kind}) is not for {by} to end")
        if codes.clears(kind) == "S2" and number not in self._agreed:
            raise Inconsistent(f"irregularity {number} ({kind}) is ended by one person alone")

    def _round_end(self, fields: dict[str, Any]) -> None:
        self._ended()

    def _void(self, fields: dict[str, Any]) -> None:
        if codes.VOID_REASONS[fields["reason"]] != "power_cut":
            self._ended()

    def _ended(self) -> None:
        if self._open:
            raise Inconsistent(f"the round ends with irregularities open: {sorted(self._open)}")
