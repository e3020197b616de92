"""The table as people see it, and their hands on it. Entry points: :class:`Floor`, :class:`Open` (what the host shows).

People see lamps, gate, cards and the host's screen. Their hands move chips and press keys; every motion takes its time.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import NamedTuple

from hwsim.core import NS_PER_MS
from hwsim.fuzz.chips import Tray
from hwsim.fuzz.crew import Crew, Script, Until
from hwsim.fuzz.diary import Diary
from hwsim.fuzz.laws.law import Law
from hwsim.scenario.claims import Entry
from hwsim.scenario.script import Spot
from hwsim.scenario.stage import Stage
from hwsim.scenario.values import dollars
from hwsim.world.chips import Chip

_JITTER_NS = 12 * NS_PER_MS  # a stack is lowered into the field: its chips enter within this time
_HOLD_NS = 90 * NS_PER_MS
IRREGULAR = "irregularity"


class Open(NamedTuple):
    """An irregularity that the host's screen shows as open."""

    number: int
    kind: str
    severity: int
    seat: int
    bet: str
    when: int
    uids: tuple[str, ...]


class Floor:
    """One table, everybody's view of it, and everybody's hands. ``rng`` is for what belongs to nobody."""

    def __init__(self, stage: Stage, law: Law, rng: random.Random) -> None:
        self.stage = stage
        self.table = stage.table
        self.law = law
        self.rng = rng
        self.crew = Crew(stage.table)
        self.diary = Diary(stage.table.scheduler)
        self.tray = Tray(stage.table.mint)
        self.hands = 0
        """hands over the layout that will still move chips"""
        self.announces_at = 0
        """instant at which the dealer will press the announcement's key; 0 while he has not made up his mind"""
        self.ending = False
        """the dealer has closed the decisions"""
        self.hovering: list[Chip] = []
        """chips in a hand over a spot: a reader hears them, nobody takes them"""
        self.strange: list[Chip] = []
        """chips that are not the house's"""
        self.laid_at: dict[int, int] = {}
        """when each of them came to its spot, by the identity of its tag"""
        self.bodies: dict[str, Chip] = {}
        """every chip that has been on the layout, by its label"""

    # --- what people see ----------------------------------------------------------------------------------------------

    @property
    def now(self) -> int:
        """The instant, in nanoseconds."""
        return self.table.now

    @property
    def seats(self) -> list[int]:
        """Numbers of the seats."""
        return sorted({seat for seat, _bet in self.table.spots})

    def locked(self) -> Until:
        """Wait until every bet made before the deal is locked."""

        def seen() -> bool:
            red = self.stage.bar() == "red"
            return red and all(any(self.lamp(seat, bet) == "red" for seat in self.seats) for bet in self.law.carded)

        return Until(seen, "locked bets")

    def bar(self, colour: str) -> Until:
        """Wait for the bar's colour."""
        return Until(lambda: self.stage.bar() == colour, f"a bar that is {colour}")

    def lamp(self, seat: int, bet: str) -> str:
        """Colour of a spot's lamp."""
        return self.stage.lamp(Spot(seat, bet))

    def lying(self, seat: int, bet: str) -> list[Chip]:
        """The chips on a spot."""
        pieces = self.table.felt.lying_on(self.table.spot(seat, bet))
        return [piece for piece in pieces if isinstance(piece, Chip) and piece not in self.hovering]

    def cents(self, seat: int, bet: str) -> int:
        """What lies on a spot."""
        return sum(chip.cents for chip in self.lying(seat, bet))

    def entries(self, after: int = 0) -> list[Entry]:
        """What the host's screen has told, behind record ``after``."""
        self.stage.witness.look()
        entries = self.stage.witness.entries
        first = len(entries)
        while first and entries[first - 1].sequence > after:
            first -= 1
        return list(entries[first:])

    @property
    def newest(self) -> int:
        """Number of the newest record that the host's screen has told."""
        self.stage.witness.look()
        entries = self.stage.witness.entries
        return entries[-1].sequence if entries else 0

    def told(self, name: str, after: int, patience_ms: int = 15_000) -> Until:
        """Wait for a record of that name behind record ``after``."""
        return Until(
            lambda: any(entry.name == name for entry in self.entries(after)), f"the record '{name}'", patience_ms
        )

    def open_questions(self, after: int) -> list[Open]:
        """The irregularities that the host's screen shows as open, of those told behind record ``after``."""
        shown: dict[int, Open] = {}
        for entry in self.entries(after):
            if entry.family == IRREGULAR and int(entry.fields["severity"]):
                number = int(entry.fields["id"])
                shown[number] = Open(
                    number,
                    entry.name,
                    int(entry.fields["severity"]),
                    int(entry.fields.get("seat", 0)),  # 0: of the table, such as what outlives a power cut
                    str(entry.fields.get("bet", "")),
                    entry.when,
                    tuple(str(row["uid"]) for row in entry.rows),
                )
            elif entry.family == "card_fault" and int(entry.fields["id"]):
                number = int(entry.fields["id"])
                shown[number] = Open(number, entry.name, 3, 0, "", entry.when, ())
            elif entry.name == "resolved":
                shown.pop(int(entry.fields["id"]), None)
        return list(shown.values())

    # --- hands --------------------------------------------------------------------------------------------------------

    def lay(self, chips: Sequence[Chip], seat: int, bet: str) -> None:
        """Lower chips onto a spot, now; the last of them touches down within 12 ms."""
        antenna = self.table.spot(seat, bet)
        self._meet(chips)
        for chip in chips:
            self.table.felt.place(chip, antenna, self.now + self.rng.randrange(_JITTER_NS))

    def _meet(self, chips: Sequence[Chip]) -> None:
        for chip in chips:
            self.bodies[chip.label] = chip
            self.laid_at[id(chip.tag)] = self.now

    def lift(self, chips: Sequence[Chip]) -> None:
        """Lift chips from where they lie, now."""
        for chip in chips:
            self.table.felt.remove(chip, self.now)

    def pass_over(self, chips: Sequence[Chip], seat: int, bet: str, ms: float) -> Script:
        """A hand with chips stays over a spot, and goes on."""
        antenna = self.table.spot(seat, bet)
        self._meet(chips)
        self.hovering += chips
        now = self.now
        for chip in chips:
            self.table.felt.place(chip, antenna, now)
            self.table.felt.remove(chip, now + round(ms * NS_PER_MS))
        yield ms + 1
        for chip in chips:
            self.hovering.remove(chip)

    def take(self, chips: Sequence[Chip]) -> None:
        """The house takes chips; those that are not its own it keeps apart."""
        self.tray.put([chip for chip in chips if chip not in self.strange])

    def say(self, who: str, text: str) -> None:
        """Enter an act in the diary."""
        self.diary.say(who, text)

    def press(self, key: str) -> None:
        """The dealer presses a key, now."""
        self.diary.press(key)
        self.table.press(key, hold=_HOLD_NS)

    def busy(self, script: Script) -> Script:
        """The same script, with a hand over the layout for as long as it lasts."""
        self.hands += 1
        try:
            yield from script
        finally:
            self.hands -= 1

    def hands_off(self) -> Until:
        """Wait until no hand is over the layout."""
        return Until(lambda: self.hands == 0, "hands off the layout")


def shown(chips: Sequence[Chip]) -> str:
    """Chips in words."""
    return " + ".join(dollars(chip.cents) for chip in chips) or "nothing"
