"""Pages that are seldom shown, loaded for it.

Entry points: `refused` (a controller that does not play), `languages` (the choice of a language).
"""

from sabot.display.pages import page
from sabot.display.screen import COLUMNS
from sabot.display.words import FRENCH, say


def refused(code: str, language: int) -> "list[str]":
    """Compose the page of a controller that does not play; ``code`` says why, for the technician."""
    rows = ["", say("x_internal", language), code[:COLUMNS]]
    return page(say("ph_closed", language), rows, ["", say("p_sup", language)])


def languages(language: int) -> "list[str]":
    """Compose the page that shows which language has been chosen."""
    marks = ("> ", "  ") if language == FRENCH else ("  ", "> ")
    rows = ["", marks[0] + say("x_french", language), marks[1] + say("x_english", language)]
    return page("", rows, [])
