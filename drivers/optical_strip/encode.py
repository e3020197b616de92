"""The strip as it is printed. Entry points: :func:`gaps`, :func:`bars`. Lengths in micrometres."""

from .words import GAPS, word_of

MODULE_UM = 900
CARD_UM = 70 * MODULE_UM  # the card's short axis, along which it moves
MARGIN_UM = 5 * MODULE_UM  # white before the first bar, and behind the last one


def gaps(code: int) -> "tuple[int, ...]":
    """Widths of the 23 gaps of card ``code`` (0 to 52), in modules (1 or 2). Raises ValueError for any other code."""
    word = word_of(code)
    return tuple([2 if word >> shift & 1 else 1 for shift in range(GAPS - 1, -1, -1)])


def bars(code: int) -> "tuple[tuple[int, int], ...]":
    """Where the 24 bars of card ``code`` begin and end, from the leading long edge on. Raises ValueError as above."""
    at = MARGIN_UM
    printed = [(at, at + MODULE_UM)]
    for width in gaps(code):
        at += MODULE_UM + width * MODULE_UM
        printed.append((at, at + MODULE_UM))
    return tuple(printed)
