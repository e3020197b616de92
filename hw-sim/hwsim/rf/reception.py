"""What a receiver makes of answers that come at once.

Entry points: :class:`Reception` (the answers of one exchange that a receiver hears), :func:`superpose` (their bits,
Manchester-coded, on top of each other).
"""

from __future__ import annotations

from collections.abc import Sequence

from hwsim.rf.air import DELIMITER_BITS, SOF_SILENCE_BITS_X2, Answer, cycles_ns


def superpose(answers: Sequence[Answer]) -> tuple[int, int, int | None]:
    """Bits of answers that began together: ``(value, bit count, first collided bit or None)``.

    The value's bit 0 is the first bit on air. In a collided bit both halves carry the subcarrier; it reads as 1. A
    complete answer's EOF over another's data collides at the first bit after the shorter frame; a tag that has left
    only stops adding its bits.
    """
    either = both = int.from_bytes(answers[0].frame, "little") & ((1 << answers[0].bits) - 1)
    count = answers[0].bits
    if len(answers) == 1:
        return either, count, None
    if all(answer.bits == count for answer in answers):
        for answer in answers:
            value = int.from_bytes(answer.frame, "little") & ((1 << count) - 1)
            either |= value
            both &= value
        different = either ^ both
    else:
        different = 0
        for answer in answers:
            bits = answer.bits
            value = int.from_bytes(answer.frame, "little") & ((1 << bits) - 1)
            either |= value
            count = max(count, bits)
            for other in answers:
                shorter = min(bits, other.bits)
                different |= (value ^ int.from_bytes(other.frame, "little")) & ((1 << shorter) - 1)
                if bits < other.bits and answer.complete:
                    different |= 1 << bits
    return either, count, (different & -different).bit_length() - 1 if different else None


class Reception:
    """The answers of one exchange that begin first and together, at the receiver's rate.

    ``start`` is the SOF's beginning, ``end`` the instant at which the receiver has seen the end of the frame (ns).
    ``locked`` is False when no answer comes at the receiver's rate: there is subcarrier, but never a SOF.
    ``disturbed`` when answers of another start or rate overlap.
    """

    __slots__ = ("_bit_ns", "answers", "disturbed", "end", "locked", "start")

    def __init__(self, answers: Sequence[Answer], bit_cycles: int) -> None:
        self._bit_ns = cycles_ns(bit_cycles)
        self.start = min(answer.start for answer in answers)
        self.answers = [answer for answer in answers if answer.start == self.start and answer.bit_cycles == bit_cycles]
        self.locked = bool(self.answers)
        self.end = max((answer.end for answer in self.answers), default=self.start)
        self.disturbed = len(self.answers) != len(answers) and any(
            answer.start < self.end for answer in answers if answer not in self.answers
        )

    @property
    def subcarrier_at(self) -> int:
        """Instant at which the SOF's silence is over and its subcarrier begins (ns)."""
        return self.start + self._bit_ns * SOF_SILENCE_BITS_X2 // 2

    @property
    def sof_at(self) -> int:
        """Instant of the end of the SOF (ns)."""
        return self.start + self._bit_ns * DELIMITER_BITS

    def cut(self, answer: Answer, now: int) -> None:
        """The tag behind ``answer`` stops at ``now``: what is left decides when the frame ends.

        With nobody left the receiver misses the subcarrier for one bit before it gives up.
        """
        answer.cut(now)
        if answer.bits == 0:
            self.answers.remove(answer)
        complete = [other.end for other in self.answers if other.complete]
        self.end = max(complete) if complete else now + self._bit_ns
