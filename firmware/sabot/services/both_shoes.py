"""A shoe with a reader and optical sensors, one checking the other. Entry point: :class:`BothShoes`.

Both answer for each edge of the beam; the table is told when both have. Two different cards are an alien card: its tag
and its face do not belong together (decisions/BOTH-SHOES.md). Loaded by tables that have both.
"""

from micropython import const

from sabot.services.deck import ALIEN
from sabot.services.mouth import RING, UNREAD, Gate
from sabot.services.optical import NO_CARD, PENDING, PUSHED_BACK, Strip, why
from sabot.services.shoe import AGAIN, TWO_CARDS, Shoe

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_SICK = const(5)  # cards in a row that the reader has read and the sensors have not


def agreed(tag: int, face: int) -> int:
    """What the table is told when the reader says ``tag`` and the sensors say ``face``. Allocates nothing."""
    if tag == TWO_CARDS or face == TWO_CARDS:
        return TWO_CARDS
    if tag >= 0 and face >= 0:
        if (tag ^ face) & (AGAIN - 1):
            return ALIEN
        return face if face >= AGAIN <= tag else tag
    if face == NO_CARD and tag >= AGAIN:
        return face
    if tag != UNREAD:
        return tag  # the sensors may not have read the card; and only the reader knows this very card again
    return face


class BothShoes(Shoe):
    """``on_card(code, ticks)`` as :class:`~sabot.services.shoe.Shoe`.

    ``on_sensors(code)`` is told when the sensors read no card any more, and ``""`` when they do again;
    ``on_refused(words)`` why they did not read one that the reader has not read either. A card that breaks no beam
    leaves when the sensors have had it, and the beam is a fault.
    """

    def __init__(
        self,
        strip: Strip,
        reader: "Any",
        make: "Any",
        beam: "Any",
        gate: Gate,
        deck: "Any",
        afi: int,
        on_edge: "Callable[[int], None]",
        on_card: "Callable[[int, int], Any]",
        on_fault: "Callable[[str], None]",
        on_sensors: "Callable[[str], None]",
        on_refused: "Callable[[str], None]",
    ) -> None:
        super().__init__(reader, make, beam, gate, deck, afi, on_edge, self._tag, on_fault)
        self._on_agreed = on_card
        self.strip = strip
        self._on_sensors = on_sensors
        self._on_refused = on_refused
        # By edge, in the order of the ring: what the reader has said, what the sensors have, and when it was.
        self._tags = [0] * RING
        self._faces = [0] * RING
        self._causes = [0] * RING
        self._when = [0] * RING
        self._done = 0  # edges before this one have been told to the table
        self._tagged = 0  # ... and answered by the reader
        self._faced = 0  # ... and by the sensors
        self._unseen = 0  # cards in a row that the sensors have not read
        self._blind = False  # the beam has missed a card

    def listening(self) -> bool:
        """Whether a card is on its way, or the field is on. Allocates nothing."""
        return super().listening() or self.strip.busy()

    def _tag(self, code: int, ticks: int) -> None:
        """Take the reader's word, on the next edge or on a second card that had none."""
        at = self._tagged
        if at == self._seen or ticks != self._edges[at]:
            self._on_agreed(code, ticks)
            return
        self._tags[at] = code
        self._tagged = (at + 1) % RING

    def bind(self, now: int) -> None:
        """Let both answer, and tell the table what they agree on."""
        super().bind(now)
        self._ask(now)
        while self._done != self._tagged and self._done != self._faced:
            at = self._done
            self._done = (at + 1) % RING
            tag, face = self._tags[at], self._faces[at]
            self._judge_sensors(tag, face)
            code = agreed(tag, face)
            if code == NO_CARD:
                continue
            if code == face and code < 0:
                self._on_refused(why(self._causes[at]))
            self._on_agreed(code, self._when[at])

    def _ask(self, now: int) -> None:
        """Take the sensors' answers for the edges that have been seen."""
        while True:
            at = self._faced
            if at == self._seen:
                face = self.strip.take(now, False)
                self._see()
            else:
                face = self.strip.answer(now, self._edges[at], (at + 1) % RING != self._seen)
            if face == PENDING:
                return
            if at == self._seen:
                self._beam_works(False)
                self.edge(None)
                self._see()
            else:
                self._beam_works(True)
            if at != self._seen:
                self._when[at] = self._edges[at]
                self._faces[at] = face
                self._causes[at] = self.strip.cause
                self._faced = (at + 1) % RING

    def _beam_works(self, works: bool) -> None:
        if works == self._blind:
            self._blind = not works
            self._on_fault(self.told if works else "beam")

    def _judge_sensors(self, tag: int, face: int) -> None:
        if face >= 0:
            if self._unseen >= _SICK:
                self._on_sensors("")
            self._unseen = 0
        elif tag >= 0 and face != PUSHED_BACK and face != NO_CARD and self._unseen < _SICK:
            self._unseen += 1
            if self._unseen == _SICK:
                self._on_sensors("strip")
