"""The discard: which cards lie on the antenna under it. Entry points: :class:`Discard`, :class:`DiscardScan`.

Its reader visits it like its other antennas, but asks for cards. A card is there from its first answer on, and gone
after a whole run of clean non-answers; what came before the round began is no part of it. Loaded by tables that have
such an antenna.
"""

from micropython import const

from sabot.services.reader_scan import ReaderScan

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

UNKNOWN_CARD = const(255)  # code of a card that is none of the decks'
_UID = const(8)


class Discard:
    """``known`` and ``fresh``: tables of UIDs (`iso15693.uid_table`); ``deck`` knows the cards.

    ``on_cards(codes)`` is told of the cards that have come since :meth:`begin`, each time that they change.
    """

    def __init__(
        self,
        antenna: int,
        afi: int,
        known: "Any",
        fresh: "Any",
        deck: "Any",
        on_cards: "Callable[[bytes], None]",
    ) -> None:
        self.antenna = antenna
        self.afi = afi
        self.known = known
        self.dead = False  # its reader hears nothing any more
        self.before = 0  # raw ticks at which the visit before the latest began
        self._begun = 0
        self._fresh = fresh
        self._deck = deck
        self._on_cards = on_cards
        self._old = bytearray(known.capacity)  # it lay there when the round began
        self._gone = bytearray(known.capacity)
        self._uid = bytearray(_UID)

    def begin(self) -> None:
        """A round begins: what lies there is the round's before."""
        for index in range(self.known.count):
            self._old[index] = 1

    # --- what a visit hears -------------------------------------------------------------------------------------------

    def begun(self, ticks: int) -> None:
        """The visit begins."""
        self.before = self._begun
        self._begun = ticks
        self._fresh.clear()
        for index in range(self.known.count):
            self._gone[index] = 0

    def answered(self, index: int, low: int, high: int) -> None:
        """A card is still there."""

    def stranger(self, uid: bytearray, low: int, high: int) -> None:
        """A card has come; what finds no room in this visit is heard in the next."""
        self._fresh.add(uid)

    def silent(self, index: int, first: int, count: int) -> None:
        """A card is gone."""
        self._gone[index] = 1

    def unknown(self, index: int) -> None:
        """A card may be there or not: it stays."""

    def finished(self, clean: bool, ticks: int) -> None:
        """The visit is over."""

    def over(self) -> None:
        """Take in what the visit has found; not before it is over."""
        changed = False
        known = self.known
        for index in range(known.count - 1, -1, -1):
            if self._gone[index]:
                changed = changed or not self._old[index]
                known.remove(index)
                self._old[index] = self._old[known.count]
        for index in range(self._fresh.count):
            self._fresh.get_into(index, self._uid)
            at = known.add(self._uid)
            if at >= 0:
                self._old[at] = 0
                changed = True
        if changed:
            self._on_cards(self._came())

    def _came(self) -> bytes:
        codes = []
        for index in range(self.known.count):
            if not self._old[index]:
                self.known.get_into(index, self._uid)
                code = self._deck.card(self._uid)
                codes.append(code if code >= 0 else UNKNOWN_CARD)
        return bytes(codes)


class DiscardScan(ReaderScan):
    """The reader that the discard's antenna belongs to; the arguments are a `ReaderScan`'s, after the discard."""

    def __init__(self, discard: Discard, *parts: "Any") -> None:
        ReaderScan.__init__(self, *parts)
        self._discard = discard
        self._afi = self._visit.afi

    def _choose(self) -> int:
        discard = self._discard
        visit = self._visit
        visit.listener = self
        visit.afi = self._afi
        wait = ReaderScan._choose(self)
        if self.on == discard.antenna:  # else all that are left must stay off
            visit.listener = discard
            visit.afi = discard.afi
            visit.start(discard.known)
        return wait

    def failed(self, code: str) -> int:
        """The discard is not read until the reader is back."""
        wait = ReaderScan.failed(self, code)
        self._discard.dead = self.dead()
        return wait

    def _finish(self) -> None:
        self._discard.dead = False
        if self._antenna == self._discard.antenna:
            self._discard.over()
            self._done()
        else:
            ReaderScan._finish(self)
