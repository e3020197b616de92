"""Rounds as they are played, each instant of which is a station where the search begins. Entry point: `stations`."""

_OPEN = ("key fin", "while")
_TAKEN = ("while", "chip 0 off", "chip 1 off", "while", "key fin", "while")

_SCRIPTS = {
    "three_card": (
        # One seat, which plays; two seats, of which one folds; two chips on one bet, by packets of time.
        (
            *_OPEN, "chip 0 on ante 1", "while", "key rnvp", "moment", "while", *("card",) * 6,
            "chip 1 on play 1", "while", "key devoiler", "moment", "key devoiler", *_TAKEN,
        ),
        (
            *_OPEN, "chip 0 on ante 1", "chip 1 on ante 2", "while", "key rnvp", "while", *("card",) * 9,
            "keys abandon p2", "key devoiler", "while", "key oui", "key devoiler", *_TAKEN,
        ),
        (
            *_OPEN, "chip 0 on ante 1", "chip 1 on ante 1", "while", "key rnvp", "moment", "card", "card unread",
            "rule keyed", "while", "key oui",
        ),
    ),
    "bataille": (
        # A war, which the seat wins; two seats without one; an initial bet and a tie bet; the announcement withdrawn.
        (
            *_OPEN, "chip 0 on initial 1", "while", "key rnvp", "while", "beam", "card", "while", "card",
            "chip 1 on additional 1", "while", "key rnvp", "while", *("card",) * 8, *_TAKEN,
        ),
        (
            *_OPEN, "chip 0 on initial 1", "chip 1 on initial 2", "while", "key rnvp", "moment", "card", "moment",
            "card", "card", *_TAKEN,
        ),
        (
            *_OPEN, "chip 0 on initial 1", "chip 1 on tie 1", "while", "key rnvp", "moment", "card", "moment", "card",
            *_TAKEN,
        ),
        (*_OPEN, "chip 0 on initial 1", "while", "key rnvp", "while", "withdraw", "while"),
    ),
}  # fmt: skip


def stations(game: str) -> list[tuple[str, ...]]:
    """Every beginning of these rounds."""
    return [script[:length] for script in _SCRIPTS[game] for length in range(1, len(script) + 1)]
