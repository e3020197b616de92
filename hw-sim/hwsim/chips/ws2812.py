"""Chain of WS2812B LEDs: a lamp a spot and the "Rien ne va plus" bar.

Entry points: :class:`Ws2812Chain`: ``feed()`` from whoever shifts the data out; world side ``pixels``, ``changed``,
``power_cycle()``.

Modelled: 24 bits a pixel in the order G R B; the first words stay in the first pixels, the rest travels on; a low of
the latch time shows what has arrived; a pixel reached by part of its 24 bits keeps its old value; a pause in the middle
of a stream longer than the latch time is a latch, and what follows starts again at pixel 0.

Limits: words, not waveforms: the time of a bit and the widths of pulses are the business of the state machine that
makes them. A pause is counted from the last bit of a word to the last bit of the next.
"""

from __future__ import annotations

from typing import NamedTuple

from hwsim.core import NS_PER_US, Event, Scheduler, SimFault

BITS_PER_PIXEL = 24
LATCH_NS = 300 * NS_PER_US  # newer batches need 280 us; older ones are content with 50 us

Pixel = tuple[int, int, int]  # red, green, blue, 0-255 each


class Change(NamedTuple):
    """A latch that changed something: its instant (ns) and all pixels after it."""

    when: int
    pixels: tuple[Pixel, ...]


class Ws2812Chain:
    """``count`` LEDs in a row, dark at power-up. ``latch_ns`` is 50 us for the old batches."""

    def __init__(self, scheduler: Scheduler, count: int, *, name: str = "WS2812", latch_ns: int = LATCH_NS) -> None:
        if count < 1:
            raise ValueError(f"{name}: a chain of {count} LEDs")
        self.name = name
        self.count = count
        self.pixels: list[Pixel] = [(0, 0, 0)] * count
        self.changed: list[Change] = []
        self._scheduler = scheduler
        self._latch_ns = latch_ns
        self._arrived: list[Pixel] = []
        self._latch: Event | None = None

    def feed(self, words24: list[int], last_bits: int = BITS_PER_PIXEL) -> None:
        """Take words, G in bits 23-16, R in 15-8, B in 7-0, at the instant at which the last bit is out.

        ``last_bits`` below 24: the data stopped inside the last word.

        Raises:
            SimFault: a word wider than 24 bits.
        """
        if not words24:
            return
        if not 1 <= last_bits <= BITS_PER_PIXEL:
            raise ValueError(f"{self.name}: {last_bits} bits of a word")
        for word in words24:
            if not 0 <= word < 1 << BITS_PER_PIXEL:
                raise SimFault(f"{self.name}: word {word:X} is not 24 bits, at {self._scheduler.now} ns")
        if self._latch is not None:
            self._latch.cancel()
        whole = words24 if last_bits == BITS_PER_PIXEL else words24[:-1]
        self._arrived += [(word >> 8 & 0xFF, word >> 16, word & 0xFF) for word in whole]
        self._latch = self._scheduler.after(self._latch_ns, self._show)

    def power_cycle(self) -> None:
        """Dark, and nothing under way. Not entered in ``changed``."""
        if self._latch is not None:
            self._latch.cancel()
        self._latch = None
        self._arrived = []
        self.pixels = [(0, 0, 0)] * self.count

    def _show(self) -> None:
        self._latch = None
        shown = self._arrived[: self.count]
        self._arrived = []
        pixels = shown + self.pixels[len(shown) :]
        if pixels != self.pixels:
            self.pixels = pixels
            self.changed.append(Change(self._scheduler.now, tuple(pixels)))
