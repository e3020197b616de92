"""A picture of the table as the dealer sees it: the display's dots and the lamps of the layout. Needs Pillow.

Entry points: :class:`Sight` (what is to be seen at an instant), :func:`draw` (a sight to an image), :func:`lamp_at` and
:func:`bar_at` (where a lamp is drawn), :data:`GLASS` (where the display is).

The dealer's side is below: seat 1 at the dealer's left, seats in an arc, a seat's spots from the players' side to the
dealer's in the game's order. A lamp has its own colour as bright as it goes; a dark one is an empty ring.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from PIL import Image, ImageDraw, ImageFont

from hwsim.chips.ws2812 import Pixel
from hwsim.scenario.values import clock
from hwsim.table import BAR_LAMPS, SimTable

SIZE = (1280, 900)
SCALE = 4  # picture dots a dot of the display
GLASS = (384, 600)  # upper left corner of the display
LAMP = 13  # radius
_CENTRE = (640, 620)
_OUTER, _STEP = 500, 62  # radius of the spots farthest from the dealer, and from one to the next
_SWEEP = 150  # degrees from the first seat to the last, at seven seats
_BAR_Y, _BAR_STEP = 540, 44
_BEZEL = 14

_FELT, _LINE, _INK = (22, 72, 52), (196, 214, 204), (232, 240, 236)
_CASE, _GLASS_DARK, _GLASS_LIT = (24, 24, 28), (4, 8, 16), (150, 214, 255)


@dataclass(frozen=True)
class Sight:
    """What is to be seen at one instant (ns): spots in the order of their lamps, all lamps, the glass, ``1`` = lit."""

    when: int
    spots: tuple[tuple[int, str], ...]
    lamps: tuple[Pixel, ...]
    glass: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, table: SimTable, spots: Sequence[tuple[int, str]]) -> Sight:
        """What ``table`` shows now; ``spots`` are its spots in the order of the chain of lamps."""
        glass = tuple(tuple(row) for row in table.hardware.display.pixels())
        return cls(table.now, tuple(spots), tuple(table.hardware.lamps.pixels), glass)

    @property
    def seats(self) -> list[int]:
        """The seats, from the dealer's left."""
        return sorted({seat for seat, _ in self.spots})


def lamp_at(sight: Sight, seat: int, bet: str) -> tuple[int, int]:
    """The middle of a spot's lamp."""
    of_seat = [name for number, name in sight.spots if number == seat]
    return _on_arc(sight, seat, _OUTER - _STEP * of_seat.index(bet))


def bar_at(number: int) -> tuple[int, int]:
    """The middle of a lamp of the bar, 0 to 7 from the dealer's left."""
    return (SIZE[0] // 2 + round((number - (BAR_LAMPS - 1) / 2) * _BAR_STEP), _BAR_Y)


def shown(pixel: Pixel) -> Pixel:
    """The colour of a lamp as an eye takes it: dim lamps are told by their colour, not by their brightness."""
    most = max(pixel)
    return (0, 0, 0) if not most else (pixel[0] * 255 // most, pixel[1] * 255 // most, pixel[2] * 255 // most)


def draw(sight: Sight) -> Image.Image:
    """The picture."""
    image = Image.new("RGB", SIZE, _FELT)
    pen = ImageDraw.Draw(image)
    font = ImageFont.load_default(15)
    for seat in sight.seats:
        x, y = _on_arc(sight, seat, _OUTER + 46)
        pen.text((x, y), f"P{seat}", _INK, ImageFont.load_default(24), "mm")
    for index, (seat, bet) in enumerate(sight.spots):
        x, y = lamp_at(sight, seat, bet)
        _lamp(pen, (x, y), sight.lamps[index])
        pen.text((x, y + LAMP + 11), bet.replace("_", " "), _INK, font, "mm")
    for number in range(BAR_LAMPS):
        _lamp(pen, bar_at(number), sight.lamps[len(sight.spots) + number])
    pen.text((SIZE[0] // 2, _BAR_Y - 32), "RIEN NE VA PLUS", _INK, ImageFont.load_default(20), "mm")
    _display(image, pen, sight.glass)
    pen.text((SIZE[0] - 16, SIZE[1] - 16), f"{clock(sight.when)} s", _INK, font, "rs")
    return image


def _on_arc(sight: Sight, seat: int, radius: int) -> tuple[int, int]:
    seats = sight.seats
    sweep = _SWEEP * (len(seats) - 1) / 6
    share = seats.index(seat) / (len(seats) - 1) if len(seats) > 1 else 0.5
    angle = math.radians(90 + sweep / 2 - sweep * share)
    return round(_CENTRE[0] + radius * math.cos(angle)), round(_CENTRE[1] - radius * math.sin(angle))


def _lamp(pen: ImageDraw.ImageDraw, middle: tuple[int, int], pixel: Pixel) -> None:
    x, y = middle
    lit = any(pixel)
    pen.ellipse((x - LAMP, y - LAMP, x + LAMP, y + LAMP), shown(pixel) if lit else _FELT, _LINE, 2)


def _display(image: Image.Image, pen: ImageDraw.ImageDraw, glass: Sequence[Sequence[int]]) -> None:
    left, top = GLASS
    height, width = len(glass), len(glass[0])
    pen.rounded_rectangle(
        (left - _BEZEL, top - _BEZEL, left + width * SCALE + _BEZEL, top + height * SCALE + _BEZEL), 10, _CASE
    )
    dots = Image.new("RGB", (width, height), _GLASS_DARK)
    for y, row in enumerate(glass):
        for x, dot in enumerate(row):
            if dot:
                dots.putpixel((x, y), _GLASS_LIT)
    image.paste(dots.resize((width * SCALE, height * SCALE), Image.Resampling.NEAREST), GLASS)
