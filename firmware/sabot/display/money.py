"""Money in the words of the display. Entry point: `money`."""

from sabot.display.words import FRENCH


def money(cents: int, language: int, grouped: bool = True) -> str:
    """Write an amount: ``7,50 $``, ``1 250 $`` in French, ``$7.50``, ``$1,250`` in English; cents only when there are.

    ``grouped``: thousands are set apart. Raises ValueError for an amount below 0.
    """
    if cents < 0:
        raise ValueError("an amount is not below 0")
    dollars = cents // 100
    rest = cents % 100
    if not rest and (dollars < 1000 or not grouped):
        return "%d $" % dollars if language == FRENCH else "$%d" % dollars
    whole = ""
    while grouped and dollars >= 1000:
        whole = "%s%03d%s" % (" " if language == FRENCH else ",", dollars % 1000, whole)
        dollars //= 1000
    whole = "%d%s" % (dollars, whole)
    if language == FRENCH:
        return "%s,%02d $" % (whole, rest) if rest else whole + " $"
    return "$%s.%02d" % (whole, rest) if rest else "$" + whole
