"""The shoe: cards that leave it as motions in time, through the mouth's field and the exit beam.

Entry points: :class:`Shoe` (``load``, ``pull``, ``pull_along``, ``draw_two``, ``pull_packet``), :class:`Pull` (a card,
or a packet of them, under way: ``go_on``, ``stop``, ``push_back``, ``along``), :class:`Leg`, :class:`Geometry`.

A shuffler gives its cards in packets through the same mouth: they move as one body.

Positions are micrometres along the way out, of the middle of the card, counted from the middle of the mouth's antenna.
A card moves on its short axis at constant speed between two orders. In order, on a whole pull, it enters the field,
blocks the beam, clears it, and leaves the field; an optical lip meets its strip meanwhile. Limits: the gate holds a
card that has not started and no other; the coil couples as a whole from the moment it overlaps the field; cards waiting
in the shoe are out of the field.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from hwsim.chips.beam import ExitBeam
from hwsim.chips.gate import Gate
from hwsim.chips.optical_lip import SMALLEST, OpticalLip, Profile
from hwsim.core import Event, Scheduler
from hwsim.rf.antenna import Antenna
from hwsim.world.cards import Card
from hwsim.world.truth import Truth, WorldError

SLOWEST, FASTEST = 50, 2_000  # mm/s
USUAL = 500

PACKET_REST_NS = 500_000_000  # a packet lies in the shuffler's mouth until the dealer takes it (est.)

_NS_PER_UM = 1_000_000  # at 1 mm/s

# Acts in the truth, in the order of a whole pull; the others are what else may happen.
PULLED, IN_FIELD, BEAM_BLOCKED, BEAM_CLEARED, OUT_OF_FIELD, DEALT = (
    "pulled",
    "in_field",
    "beam_blocked",
    "beam_cleared",
    "out_of_field",
    "dealt",
)
HALTED, PUSHED_BACK, BACK, GATE_HELD, SHOE_EMPTY = "halted", "pushed_back", "back", "gate_held", "shoe_empty"


@dataclass(frozen=True)
class Geometry:
    """Micrometres. ``card`` and ``coil`` are lengths along the way out, the others positions or half widths."""

    rest: int = -60_000  # a card waiting
    out: int = 60_000  # a card in the dealer's hand
    half_field: int = 30_000
    beam: int = 10_000
    card: int = 63_000
    coil: int = 40_000

    def in_field(self, position: int) -> bool:
        """Whether a card there couples with the mouth's antenna."""
        reach = self.half_field + self.coil // 2
        return -reach <= position < reach

    def in_beam(self, position: int) -> bool:
        """Whether a card there blocks the exit beam."""
        return -(self.card // 2) <= position - self.beam < self.card // 2

    def thresholds(self) -> tuple[int, ...]:
        """Positions at which one of the two changes."""
        reach = self.half_field + self.coil // 2
        return (-reach, reach, self.beam - self.card // 2, self.beam + self.card // 2)


@dataclass(frozen=True)
class Leg:
    """A piece of a pull: to the position ``to`` (um) at ``speed`` (mm/s), and ``rest_ns`` there."""

    to: int
    speed: int = USUAL
    rest_ns: int = 0


class Pull:
    """What is being pulled: a card, or a packet. Made by the shoe; ``cards`` is empty until, and unless, it starts."""

    def __init__(self, shoe: Shoe) -> None:
        self.cards: tuple[Card, ...] = ()
        self._shoe = shoe
        self._scheduler = shoe.scheduler
        self._in_field = False
        self._in_beam = False
        self._events: list[Event] = []
        self._began = 0
        self._from = shoe.geometry.rest
        self._to = shoe.geometry.rest
        self._duration = 0
        self._finish: Callable[[], None] | None = None
        self._profile: Profile = ((), ())
        self._over = False

    @property
    def card(self) -> Card | None:
        """The card, or the first of the packet; None until it starts, and when it never does."""
        return self.cards[0] if self.cards else None

    @property
    def position(self) -> int:
        """Where the middle of the card is now."""
        elapsed = self._scheduler.now - self._began
        if elapsed >= self._duration:
            return self._to
        way = abs(self._to - self._from) * elapsed // self._duration
        return self._from + way if self._to > self._from else self._from - way

    def go_on(self, at: int, speed: int = USUAL) -> None:
        """From ``at`` (ns) on the card moves out, all the way, at ``speed`` (mm/s)."""
        self.along(at, [Leg(self._shoe.geometry.out, speed)])

    def stop(self, at: int) -> None:
        """At ``at`` (ns) the card stops where it is."""
        self._scheduler.at(at, self._halt)

    def push_back(self, at: int, speed: int = USUAL) -> None:
        """From ``at`` (ns) on the card moves back into the shoe."""
        self.along(at, [Leg(self._shoe.geometry.rest, speed)])

    def along(self, at: int, legs: Sequence[Leg]) -> None:
        """From ``at`` (ns) on the card goes these legs, one after the other, until it is out, or back in the shoe."""
        self._shoe.check(legs)
        self._scheduler.at(at, lambda: self._follow(tuple(legs)))

    def begin(self, cards: tuple[Card, ...], legs: tuple[Leg, ...]) -> None:
        """The shoe's own order: take ``cards`` and move them along ``legs`` from this instant on."""
        self.cards = cards
        if self._shoe.lip is not None:
            strip = cards[0].face.below  # a packet shows what is lowest
            self._profile = (strip.changes("A", SMALLEST), strip.changes("B", SMALLEST))
        self._follow(legs)

    def _follow(self, legs: tuple[Leg, ...]) -> None:
        leg, others = legs[0], legs[1:]
        self._record(PULLED if leg.to > self.position or leg.to == self._shoe.geometry.out else PUSHED_BACK)
        self._start(leg.to, leg.speed, lambda: self._reached(leg, others))

    def _reached(self, leg: Leg, others: tuple[Leg, ...]) -> None:
        if leg.to == self._shoe.geometry.out:
            self._dealt()
        elif leg.to == self._shoe.geometry.rest:
            self._is_back()
        elif others and not leg.rest_ns:
            self._follow(others)
        else:
            self._record(HALTED)
            if others:
                self._events.append(self._scheduler.after(leg.rest_ns, lambda: self._follow(others)))

    def _record(self, act: str) -> tuple[Card, ...]:
        """Enter ``act`` in the truth; returns the cards, which must be between shoe and hand."""
        if not self.cards or self._over:
            raise WorldError(f"{act} at {self._scheduler.now} ns: this card is not between shoe and hand")
        for card in self.cards:
            self._shoe.truth.record(act, card, self._shoe.antenna.name)
        return self.cards

    def _start(self, to: int, speed: int, finish: Callable[[], None]) -> None:
        here = self.position
        self._cancel()
        way = abs(to - here)
        self._began = self._scheduler.now
        self._from = here
        self._to = to
        self._duration = way * _NS_PER_UM // speed
        self._finish = finish
        self._sense()
        for threshold in (*self._shoe.geometry.thresholds(), *self._strip_thresholds()):
            # Outwards a threshold is crossed on reaching it, backwards on falling below it.
            distance = threshold - here if to > here else here - threshold + 1
            if 0 < distance <= way:
                when = self._began - (-distance * self._duration // way)
                self._events.append(self._scheduler.at(when, self._sense))
        self._events.append(self._scheduler.at(self._began + self._duration, self._arrive))

    def _strip_thresholds(self) -> list[int]:
        return [] if self._shoe.lip is None else self._shoe.lip.thresholds(self._profile)

    def _cancel(self) -> None:
        for event in self._events:
            event.cancel()
        self._events = []

    def _halt(self) -> None:
        here = self.position
        self._record(HALTED)
        self._cancel()
        self._began = self._scheduler.now
        self._from = self._to = here
        self._duration = 0
        self._sense()

    def _arrive(self) -> None:
        self._sense()
        if self._finish is not None:
            self._finish()

    def _sense(self) -> None:
        """Enter or leave the field and the beam according to the position of this instant."""
        geometry, shoe, here = self._shoe.geometry, self._shoe, self.position
        if geometry.in_field(here) != self._in_field:
            self._in_field = not self._in_field
            for card in self._record(IN_FIELD if self._in_field else OUT_OF_FIELD):
                if self._in_field:
                    shoe.antenna.enter(card.tag)
                else:
                    shoe.antenna.leave(card.tag)
        if geometry.in_beam(here) != self._in_beam:
            self._in_beam = not self._in_beam
            self._record(BEAM_BLOCKED if self._in_beam else BEAM_CLEARED)
            if shoe.beam is not None:
                if self._in_beam:
                    shoe.beam.block(self._scheduler.now)
                else:
                    shoe.beam.clear(self._scheduler.now)
        if shoe.lip is not None:
            shoe.lip.moved(id(self), self._profile, here)

    def _dealt(self) -> None:
        self._shoe.dealt.extend(self._record(DEALT))
        self._end()

    def _is_back(self) -> None:
        self._shoe.cards[:0] = self._record(BACK)
        self._end()

    def _end(self) -> None:
        self._over = True
        if self._shoe.lip is not None:
            self._shoe.lip.gone(id(self))


class Shoe:
    """The cards in order, top first, and the way out.

    Args:
        scheduler: virtual time.
        truth: where the acts are entered; the place is the antenna's name.
        antenna: the mouth's antenna.
        beam: the exit beam, when fitted.
        gate: the gate, when fitted; a card cannot start while it is closed.
        lip: the optical sensors, when fitted.
        geometry: where things are.
    """

    def __init__(
        self,
        scheduler: Scheduler,
        truth: Truth,
        antenna: Antenna,
        beam: ExitBeam | None = None,
        gate: Gate | None = None,
        geometry: Geometry | None = None,
        lip: OpticalLip | None = None,
    ) -> None:
        self.scheduler = scheduler
        self.truth = truth
        self.antenna = antenna
        self.beam = beam
        self.lip = lip
        self.geometry = Geometry() if geometry is None else geometry
        self.cards: list[Card] = []
        self.dealt: list[Card] = []
        self._gate = gate

    def load(self, cards: Iterable[Card]) -> None:
        """Put ``cards`` in, top first, in place of what was there; the dealt ones are forgotten."""
        self.cards = list(cards)
        self.dealt = []

    def pull(self, at: int, speed: int = USUAL, to: int | None = None) -> Pull:
        """Pull the top card from ``at`` (ns) on at ``speed`` (mm/s, 50-2000): out, or to a position and no farther.

        With the gate closed at that instant, or no card left, nothing moves and the truth says so.
        """
        return self.pull_along(at, [Leg(self.geometry.out if to is None else to, speed)])

    def pull_along(self, at: int, legs: Sequence[Leg]) -> Pull:
        """Pull the top card from ``at`` (ns) on along ``legs``: other speeds, stops, ways back; a gate may hold it."""
        self.check(legs)
        if legs[0].to == self.geometry.rest:
            raise WorldError("a card that waits cannot be pulled to where it is")
        pull = Pull(self)
        self.scheduler.at(at, lambda: self._begin(pull, 1, tuple(legs)))
        return pull

    def check(self, legs: Sequence[Leg]) -> None:
        """WorldError when no card can go these legs, or would go on after it is out or back."""
        if not legs:
            raise WorldError("a card that moves needs a way")
        for leg in legs:
            _check_speed(leg.speed)
            if not self.geometry.rest <= leg.to <= self.geometry.out:
                raise WorldError(f"a card cannot be pulled to {leg.to} um")
            if leg.rest_ns < 0:
                raise WorldError(f"a rest of {leg.rest_ns} ns")
        if any(leg.to in (self.geometry.rest, self.geometry.out) for leg in legs[:-1]):
            raise WorldError("a card that is out, or back in the shoe, goes no farther")

    def draw_two(self, at: int, speed: int = USUAL, stagger: int = 5_000) -> tuple[Pull, Pull]:
        """Two cards at once, the second one ``stagger`` micrometres behind the first."""
        return self.pull(at, speed), self.pull(at + stagger * _NS_PER_UM // speed, speed)

    def pull_packet(self, count: int, at: int, rest_ns: int = PACKET_REST_NS, speed: int = USUAL) -> Pull:
        """``count`` cards come into the mouth as one packet at ``at`` (ns), lie there, and are taken after ``rest_ns``.

        With fewer cards left it is a smaller packet.
        """
        _check_speed(speed)
        if count < 1:
            raise WorldError(f"a packet of {count} cards")
        pull = Pull(self)
        self.scheduler.at(at, lambda: self._begin(pull, count, (Leg(0, speed),)))
        way_ns = -self.geometry.rest * _NS_PER_UM // speed

        def take() -> None:
            if pull.cards:
                pull.go_on(self.scheduler.now, speed)

        self.scheduler.at(at + way_ns + rest_ns, take)
        return pull

    def _begin(self, pull: Pull, count: int, legs: tuple[Leg, ...]) -> None:
        if not self.cards:
            self.truth.record(SHOE_EMPTY, None, self.antenna.name)
        elif self._gate is not None and self._gate.holds:
            self.truth.record(GATE_HELD, self.cards[0], self.antenna.name)
        else:
            cards, self.cards = tuple(self.cards[:count]), self.cards[count:]
            pull.begin(cards, legs)


def _check_speed(speed: int) -> None:
    if not SLOWEST <= speed <= FASTEST:
        raise WorldError(f"a card moves at {SLOWEST} to {FASTEST} mm/s, not {speed}")
