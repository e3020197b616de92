"""What must, and what may, be told of the motions after a lock. Entry points: :class:`Duty`, :class:`After`.

A duty is a motion with the kinds it may be told as. ``must`` says whether it has to be told; where physics or procedure
leaves that open it may be, and docs/fuzz.md says why.
"""

from __future__ import annotations

from dataclasses import dataclass

from hwsim.fuzz.bookkeeper.locks import Held, Locked
from hwsim.fuzz.bookkeeper.stays import CLONE, FOREIGN, FORGED, HOUSE, Stay, Stays
from hwsim.fuzz.bookkeeper.visits import FOREVER, Spot, Visits

MS = 1_000_000
DWELL = 500 * MS
RESTORE = 5_000 * MS
MOVED_BACK = 15_000 * MS
TURN = 120 * MS  # the table looks at what has lasted every 50 ms
SWAP_SPREAD = 1_200 * MS  # motions of one exchange
MORE = frozenset(("capped", "late"))  # by what the bet is then
WORTHLESS = {FOREIGN: "foreign", FORGED: "bad_mac"}


@dataclass
class Duty:
    """A motion at ``spot``: the chip, the instants that it may be told by, the kinds that it may be told as."""

    spot: Spot
    uid: str
    instants: tuple[int, ...]
    kinds: frozenset[str]
    must: bool
    words: str
    cents: int = 0
    """what it adds to the bet when it is told as a change of its amount"""
    origin: Spot | None = None
    """where the chip was before, when one of the instants is there"""
    group: str = ""
    """of duties of one group at a spot, one that is told is enough"""
    told: bool = False


class After:
    """The motions at one spot from its lock to the instant at which its bet was settled."""

    def __init__(
        self, spot: Spot, lock: int, due: int, until: int, stays: Stays, visits: Visits, locked: Locked
    ) -> None:
        """``due``: when the settlement was reached; ``until``: when the bet was settled, later where it waited.

        ``locked``: which body is part of a locked bet, and from when: a chip may be laid again after its bet was
        exchanged, and be part of a later lock's.
        """
        self.spot = spot
        self.lock = lock
        self.due = min(due, until)
        self.until = until
        self._stays = stays
        self._visits = visits
        self._locked = locked
        self.lost = FOREVER
        """when the bet was lost by a fold: what comes from then on is the next round's"""
        self._arrived: list[Stay] = []
        self.changes: list[tuple[int, str]] = []
        """instants of departures that must leave a notice, with words"""

    # --- how long something was to be seen ----------------------------------------------------------------------------

    def heard(self, stay: Stay) -> int:
        """By when its coming is certainly known."""
        return self._visits.window(stay.spot, stay.came)[1]

    def missed(self, stay: Stay) -> int:
        """By when its going is certainly known."""
        return self._visits.window(stay.spot, stay.went)[1]

    def dwells(self, stay: Stay, end: int = FOREVER) -> bool | None:
        """Whether it lay there long enough for an alarm; None when that depends on the visits."""
        end = min(stay.went, end)
        if end - stay.came < DWELL:
            return False
        seen = self._visits.whole_between(stay.spot, stay.came, min(end, stay.came + 60_000 * MS))
        return True if seen >= 3 and end >= self.heard(stay) + DWELL + TURN + self._period(stay) else None

    def _period(self, stay: Stay) -> int:
        low, high = self._visits.window(stay.spot, stay.came)
        return min(high - low, 1_000 * MS)

    # --- duties -------------------------------------------------------------------------------------------------------

    def duties(self, held: Held) -> list[Duty]:
        """Everything that happened at the spot after the lock."""
        here = [stay for stay in self._stays.at(self.spot) if self.lock < stay.came < self.until]
        doubted = {stay.label for stay in [*held.came, *held.went]}
        counted = {stay.label for stay in held.counted}
        gone = [stay for stay in held.counted if stay.went < self.until and stay.sort not in WORTHLESS]
        own = doubted | counted
        self._arrived = [
            stay
            for stay in here
            if stay.label not in own and not self._locked.at(stay.label, stay.came)
            if stay.sort == HOUSE and self.dwells(stay) is not False
        ]
        taken = [stay for stay in gone if self._back(stay) is None and self._away(stay) is None]
        together = self._net(taken)
        found = [duty for stay in gone for duty in self._left(stay, together, held)]
        for stay in here:
            if stay.label not in doubted | counted:  # its going was the duty; its coming back ends it
                found += self._came(stay, together, held)
        return found

    def _net(self, taken: list[Stay]) -> frozenset[str]:
        """Kinds by which an exchange is told: by the difference, and apart when its motions lie apart."""
        arrived = self._arrived
        if not taken or not arrived:
            return frozenset()
        added, removed = sum(stay.value for stay in arrived), sum(stay.value for stay in taken)
        kinds = {"equal_swap" if added == removed else "capped" if added > removed else "pinched"}
        instants = [stay.went for stay in taken] + [stay.came for stay in arrived]
        apart = max(instants) - min(instants) > SWAP_SPREAD
        if apart or any(self.dwells(stay, self.due) is not True for stay in arrived):
            kinds |= {"capped", "pinched", "withdrawn", "late", "equal_swap"}
        return frozenset(kinds)

    def _next(self, stay: Stay) -> Stay | None:
        """When the same body lay on the same spot again."""
        return next(
            (later for later in self._stays.at(self.spot) if later.label == stay.label and later.came >= stay.went),
            None,
        )

    def _back(self, stay: Stay) -> Stay | None:
        """The same, if it came back in time to have been handled only."""
        later = self._next(stay)
        return later if later and later.came - stay.went < RESTORE and later.came < self.until else None

    def _away(self, stay: Stay) -> Stay | None:
        """Where the same body lay next, if that was another spot, and before its bet was judged in another way."""
        judged = min([self.due, *(self.heard(other) + DWELL for other in self._arrived)])
        for later in self._stays.of(stay.label):
            if later.came >= stay.went and later.spot != stay.spot and later.came - stay.went < RESTORE:
                return later if self.dwells(later) is not False and later.came < judged else None
        return None

    def _left(self, stay: Stay, together: frozenset[str], held: Held) -> list[Duty]:
        """A chip of the locked bet was taken off."""
        words = f"{stay.label} was taken off at {stay.went / 1e9:.3f}"
        back, away = self._back(stay), self._away(stay)
        noticed = self.missed(stay) < min(self.until, back.came if back else FOREVER)
        if noticed:
            self.changes.append((stay.went, words))
        returns = [
            Duty(self.spot, stay.uid, (later.came,), frozenset(("handled",)), False, words)
            for later in self._stays.at(self.spot)
            if later.label == stay.label and later.came > stay.went
        ]
        if away is not None:
            return self._moved(stay, away, back) + returns
        near = self._visits.window(self.spot, self.lock)[1] > stay.went  # it may look as if it had left before
        doubt = frozenset(("ambiguous", "ambiguous_large")) if near else frozenset()
        unsure = near or stay.went < self.lost < self.missed(stay)  # what a fold has lost the dealer takes
        less = together or self._less(held, min(stay.went + RESTORE, self.due))
        if back is None:
            must = self.missed(stay) + TURN < self.due and not unsure
            return [Duty(self.spot, stay.uid, (stay.went,), less | doubt, must, words, -stay.value), *returns]
        known = self.heard(back)  # by when its return is certainly known
        in_time = known - stay.went + TURN < RESTORE and known < self.due
        kinds = frozenset(("handled",)) if in_time else less | {"handled"}
        if not in_time and back.came > self.due and self.missed(stay) + TURN < self.due:
            kinds = less
        text = f"{words} and put back {(back.came - stay.went) / 1e9:.3f} s later"
        must = noticed and not unsure
        return [Duty(self.spot, stay.uid, (stay.went, back.came), kinds | doubt, must, text, -stay.value), *returns]

    def _less(self, held: Held, at: int) -> frozenset[str]:
        """What it is called when chips of the bet are gone, judged at an instant."""
        certain, possible = [], []
        for stay in held.counted:
            back = self._next(stay)
            if self.missed(stay) < at and (back is None or back.came > at):
                certain.append(stay)
            if stay.went < at + TURN and (back is None or self.heard(back) > at - TURN):
                possible.append(stay)
        kinds = {
            "withdrawn" if sum(stay.value for stay in gone) >= held.cents else "pinched" for gone in (certain, possible)
        }
        times = [stay.went for stay in possible]
        if times and max(times) - min(times) > TURN:
            kinds |= {"pinched", "withdrawn"}
        return frozenset(kinds)

    def _moved(self, stay: Stay, away: Stay, back: Stay | None) -> list[Duty]:
        """A chip of the locked bet lies on another spot: told there."""
        certain = self.dwells(away, self.due) is True and self.missed(stay) < self.due
        words = f"{stay.label} lay on seat {away.spot[0]} {away.spot[1]} from {away.came / 1e9:.3f}"
        moved = Duty(
            away.spot, stay.uid, (stay.went, away.came), frozenset(("moved",)), certain, words, stay.value, self.spot
        )
        if certain:
            return [moved]
        instants = (stay.went, back.came) if back is not None else (stay.went,)
        kinds = frozenset(("handled", "pinched", "withdrawn"))
        return [moved, Duty(self.spot, stay.uid, instants, kinds, False, words, -stay.value)]

    def _came(self, stay: Stay, together: frozenset[str], held: Held) -> list[Duty]:
        """A chip came that was no part of the locked bet."""
        words = f"{stay.label} came at {stay.came / 1e9:.3f}"
        if stay.went < FOREVER:
            words += f" and left at {stay.went / 1e9:.3f}"
        dwells = self.dwells(stay)
        if dwells is False:
            return []
        must = dwells is True and self.heard(stay) + TURN < self.until
        if (
            self._locked.at(stay.label, stay.came) and stay.sort not in WORTHLESS
        ):  # told as moved, from there, unless its going has been judged already
            return [Duty(self.spot, stay.uid, (stay.came,), MORE, False, words, stay.value)]
        if stay.sort == CLONE:
            # An answer that was lost at the wrong time costs a visit more.
            must = must and min(stay.went, self.until) > self.heard(stay) + DWELL + TURN + 3 * self._period(stay)
            return [Duty(self.spot, stay.uid, (stay.came,), frozenset(("clone",)), must, words, stay.value)]
        kinds = frozenset((WORTHLESS[stay.sort],)) if stay.sort in WORTHLESS else together or MORE
        known = self.heard(stay) + TURN + self._period(stay)  # its memory is read in the visit after the first
        if known + DWELL > self.lost or (not held.cents and known > self.until):
            kinds, must = kinds | {"next_round"}, False
        return [Duty(self.spot, stay.uid, (stay.came,), kinds, must, words, stay.value)]
