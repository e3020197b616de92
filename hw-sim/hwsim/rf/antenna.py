"""One antenna: the tags in its field, and what they hear and say.

Entry points: :class:`Antenna` (world side: ``enter``, ``leave``, ``reach``, ``release`` and the fault hooks; reader
side: ``power_on``, ``power_off``, ``request``, ``slot``, ``garble``), :class:`Tag` (what the field expects of a tag),
:class:`FieldSource` (what it tells the reader).

Antennas that couple (:meth:`Antenna.couple`) disturb each other: while both fields are on no tag there understands a
request. A field may reach a tag that lies on a neighbour (:meth:`Antenna.reach`): with its own field off it answers
there too. Limits: a tag lies on one antenna; answers of one request share one delay unless their commands differ.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from hwsim.core import Scheduler, SimFault
from hwsim.rf.air import T1_MAX_CYCLES, T2_CYCLES, AirFrame, Answer, cycles_ns

# Shortest wait for the next EOF after an empty slot (ISO/IEC 15693-3 t3): t1 max plus the SOF of an answer with
# 100 % modulation, the whole of a 12-byte answer plus t2 with 10 % (both unverified).
_T3_DEEP_NS = cycles_ns(T1_MAX_CYCLES + 2048)
_T3_SHALLOW_NS = cycles_ns(T1_MAX_CYCLES + 53_248 + T2_CYCLES)
_T2_NS = cycles_ns(T2_CYCLES)

#: A tag's answer: delay after the EOF in carrier cycles, frame with CRC, carrier cycles of one bit.
Reply = tuple[int, bytes, int]


class Tag(Protocol):
    """What the field expects of a tag. Instants are nanoseconds of the scheduler."""

    antenna: Antenna | None
    deaf_until: int

    def power_up(self, now: int) -> None:
        """The tag is in a field from now on."""

    def power_down(self, now: int) -> None:
        """The tag has lost its field."""

    def hear(self, request: AirFrame) -> Reply | None:
        """Take a whole request; called at the end of its EOF."""

    def hear_eof(self, start: int, end: int, early: bool) -> Reply | None:
        """Take a lone EOF; ``early`` when it came before the slot it ends was over."""

    def hear_garbage(self, start: int) -> None:
        """Take a transmission with a SOF that cannot be decoded."""


class FieldSource(Protocol):
    """What an antenna tells the reader that feeds it."""

    name: str

    def tag_gone(self, tag: Tag) -> None:
        """``tag`` has left the field at this instant."""


class Antenna:
    """One antenna and the tags above it.

    Fault hooks, each None (nothing happens) or a callable; frames carry their CRC:

    - ``air_fault(tag, answer) -> bytes | None``: what arrives of a tag's answer; None loses it on its way. The tag
      has sent it all the same and hears nothing until its answer and t2 are over.
    - ``request_fault(tag, request) -> bytes | None``: what a tag hears of a request; None: nothing it can decode.
    - ``capture(tags) -> tags``: which of the tags that answer at once the receiver hears at all.
    - ``noise() -> int | None``: asked once after each transmission; a number is a burst in place of an answer,
      received as 0 bytes with these RX_STATUS error bits, or added to the answers that are there.
    """

    __slots__ = (
        "_neighbours",
        "_scheduler",
        "_slot_not_before",
        "_source",
        "_strays",
        "_tags",
        "air_fault",
        "capture",
        "name",
        "noise",
        "on_field",
        "request_fault",
    )

    def __init__(self, scheduler: Scheduler, name: str) -> None:
        self._scheduler = scheduler
        self.name = name
        self._tags: list[Tag] = []
        self._strays: list[Tag] = []
        self._source: FieldSource | None = None
        self._slot_not_before = 0
        self._neighbours: list[Antenna] = []
        self.air_fault: Callable[[Tag, bytes], bytes | None] | None = None
        self.request_fault: Callable[[Tag, bytes], bytes | None] | None = None
        self.capture: Callable[[Sequence[Tag]], Sequence[Tag]] | None = None
        self.noise: Callable[[], int | None] | None = None
        self.on_field: Callable[[bool], None] | None = None
        """Told when a reader's field comes, and when it goes: the begin and the end of a visit."""

    # World side.

    @property
    def tags(self) -> tuple[Tag, ...]:
        """The tags above the antenna, in the order in which they came."""
        return tuple(self._tags)

    @property
    def field_on(self) -> bool:
        """Whether a reader feeds the antenna now."""
        return self._source is not None

    def enter(self, tag: Tag) -> None:
        """Put ``tag`` on the antenna. Raises ValueError when it lies on one already."""
        if tag.antenna is not None:
            raise ValueError(f"{tag} lies on {tag.antenna.name} already")
        tag.antenna = self
        self._tags.append(tag)
        if self._source is not None:
            tag.power_up(self._scheduler.now)

    def leave(self, tag: Tag) -> None:
        """Take ``tag`` away, in the middle of its answer too. Raises ValueError when it is not here."""
        if tag.antenna is not self:
            raise ValueError(f"{tag} is not on {self.name}")
        for neighbour in self._neighbours:
            neighbour.release(tag)
        tag.antenna = None
        self._tags.remove(tag)
        if self._source is not None:
            self._source.tag_gone(tag)
            tag.power_down(self._scheduler.now)

    def reach(self, tag: Tag) -> None:
        """From now on the field reaches ``tag``, which lies on a neighbour; ValueError when it lies elsewhere.

        It hears and answers here while its own antenna's field is off, until :meth:`release` or until it is taken away.
        """
        if tag.antenna not in self._neighbours:
            raise ValueError(f"{tag} does not lie on a neighbour of {self.name}")
        if tag not in self._strays:
            self._strays.append(tag)
            if self._source is not None and not tag.antenna.field_on:
                tag.power_up(self._scheduler.now)

    def release(self, tag: Tag) -> None:
        """The field reaches ``tag`` no more, if it did."""
        if tag in self._strays:
            self._strays.remove(tag)
            if self._source is not None and tag.antenna is not None and not tag.antenna.field_on:
                self._source.tag_gone(tag)
                tag.power_down(self._scheduler.now)

    def _hearing(self) -> Sequence[Tag]:
        """The tags that the field feeds: those that lie here, and those of neighbours that it reaches."""
        if not self._strays:
            return self._tags
        return [*self._tags, *(tag for tag in self._strays if tag.antenna is None or not tag.antenna.field_on)]

    def couple(self, other: Antenna) -> None:
        """From now on the two antennas disturb each other."""
        self._neighbours.append(other)
        other._neighbours.append(self)

    @property
    def neighbours(self) -> tuple[Antenna, ...]:
        """The antennas that couple with this one."""
        return tuple(self._neighbours)

    @property
    def disturbed(self) -> bool:
        """Whether the field of an antenna that couples with this one is on."""
        return any(neighbour.field_on for neighbour in self._neighbours)

    # Reader side.

    def power_on(self, source: FieldSource) -> None:
        """``source`` feeds the antenna from now on. Raises SimFault when another reader does."""
        if self._source is not None and self._source is not source:
            raise SimFault(f"{source.name} and {self._source.name} both feed {self.name} at {self._scheduler.now} ns")
        if self._source is None and self.on_field is not None:
            self.on_field(True)
        self._source = source
        now = self._scheduler.now
        for tag in self._hearing():
            tag.power_up(now)

    def power_off(self) -> None:
        """The field is gone."""
        if self._source is not None and self.on_field is not None:
            self.on_field(False)
        self._source = None
        now = self._scheduler.now
        for tag in self._hearing():
            tag.power_down(now)

    def request(self, request: AirFrame, deep: bool) -> list[Answer]:
        """A request whose EOF ends now; ``deep`` for 100 % modulation. Returns the answers that will arrive."""
        fault = self.request_fault
        replies: list[tuple[Tag, Reply]] = []
        if self._neighbours and self.disturbed:
            self.garble(request.start)
            return self._on_air(replies, request.end, deep)
        deaf_until = request.end + _T2_NS
        for tag in self._hearing():
            heard = request
            if fault is not None:
                frame = fault(tag, request.frame)
                if frame is None:
                    tag.hear_garbage(request.start)
                    continue
                if frame != request.frame:
                    heard = AirFrame(request.start, request.end, frame)
            reply = tag.hear(heard)
            if reply is not None:
                replies.append((tag, reply))
            elif tag.deaf_until < deaf_until:
                tag.deaf_until = deaf_until
        return self._on_air(replies, request.end, deep)

    def slot(self, start: int, end: int, deep: bool) -> list[Answer]:
        """A lone EOF from ``start`` to ``end`` (now): the next slot begins. Returns the answers that will arrive."""
        early = start < self._slot_not_before
        replies: list[tuple[Tag, Reply]] = []
        if self._neighbours and self.disturbed:
            self.garble(start)
            return self._on_air(replies, end, deep)
        deaf_until = end + _T2_NS
        for tag in self._hearing():
            reply = tag.hear_eof(start, end, early)
            if reply is not None:
                replies.append((tag, reply))
            elif tag.deaf_until < deaf_until:
                tag.deaf_until = deaf_until
        return self._on_air(replies, end, deep)

    def garble(self, start: int) -> None:
        """A transmission that began with a SOF at ``start`` and cannot be decoded."""
        for tag in self._hearing():
            tag.hear_garbage(start)

    def _on_air(self, replies: list[tuple[Tag, Reply]], eof: int, deep: bool) -> list[Answer]:
        if not replies:
            self._slot_not_before = eof + (_T3_DEEP_NS if deep else _T3_SHALLOW_NS)
            return []
        answers = []
        fault = self.air_fault
        for tag, (delay, frame, bit_cycles) in replies:
            answer = Answer(tag, frame, eof + cycles_ns(delay), bit_cycles)
            tag.deaf_until = answer.end + _T2_NS
            if fault is not None:
                arrived = fault(tag, frame)
                if arrived is None:
                    continue
                if arrived != frame:
                    answer = Answer(tag, arrived, answer.start, bit_cycles)
            answers.append(answer)
        if len(answers) > 1 and self.capture is not None:
            heard = self.capture([answer.tag for answer in answers])
            answers = [answer for answer in answers if answer.tag in heard]
        if answers:
            self._slot_not_before = max(answer.end for answer in answers) + _T2_NS
        else:
            self._slot_not_before = eof + (_T3_DEEP_NS if deep else _T3_SHALLOW_NS)
        return answers
