"""Numbers and names that journal and link share: spots, results, decisions, irregularities, keys, prompts.

Entry points: the tuples below (index = number on the wire) and :func:`name` / :func:`number` to go from one to the
other; :func:`place` and its parts name a bet spot in one byte. Numbers are never reused: a name is added at the end.
"""

RESULTS = ("none", "win", "lose", "push", "forfeit")
DECISIONS = ("none", "play", "fold", "stay", "withdraw", "war", "surrender")
CLOCK_QUALITY = ("none", "stopped", "set")
ROLES = ("none", "dealer", "supervisor", "technician", "auditor")

# Keys of the dealer's panel. "rnvp" has its own line; the others sit on the expanders.
KEYS = (
    "none", "rnvp", "p1", "p2", "p3", "p4", "p5", "p6", "p7", "oui", "non", "fin", "devoiler", "abandon",
    "maldonne", "superviseur", "plus",
)  # fmt: skip

# Severities: 0 notice (journal only), 1 prompt, 2 seat hold, 3 table stop.
# Visibility: "public" lamp, "dealer" display, or "silent" (pit and surveillance only: it would warn a cheat).
# Clears: who may end it: "A" by itself, "D" dealer's key, "S" supervisor, "S2" two badges, "T" technician.
# They are names here so that the table is no constant: one would be loaded with a copy of each string in each row.
_PUBLIC = "public"
_DEALER = "dealer"
_SILENT = "silent"
KINDS = (
    # name, severity, visibility, clears, sent silently to pit and surveillance at once
    ("none", 0, _PUBLIC, "A", False),
    ("handled", 0, _DEALER, "A", False),
    ("transit", 1, _DEALER, "D", False),
    ("next_round", 1, _DEALER, "A", False),
    ("early_play", 1, _DEALER, "A", False),
    ("play_without_ante", 1, _DEALER, "D", False),
    ("limit", 1, _DEALER, "D", False),
    ("relation", 1, _DEALER, "D", False),
    ("missing", 1, _DEALER, "D", False),
    ("moved", 1, _DEALER, "A", False),
    ("equal_swap", 1, _DEALER, "D", False),
    ("ambiguous", 1, _DEALER, "D", False),
    ("ambiguous_large", 2, _DEALER, "S", True),
    ("late", 2, _SILENT, "S", True),
    ("capped", 2, _SILENT, "S", True),
    ("pinched", 2, _SILENT, "S", True),
    ("withdrawn", 2, _SILENT, "S", True),
    ("foreign", 1, _DEALER, "D", False),
    ("bad_mac", 2, _SILENT, "S2", True),
    ("clone", 2, _SILENT, "S2", True),
    ("card_before_lock", 3, _PUBLIC, "S", False),
    ("two_cards", 3, _PUBLIC, "S", False),
    ("pushed_back", 3, _PUBLIC, "S", False),
    ("alien_card", 3, _PUBLIC, "S", True),
    ("duplicate_card", 3, _PUBLIC, "S", True),
    ("wrong_count", 3, _PUBLIC, "S", True),
    ("unread_card", 3, _DEALER, "S", False),
    ("reader_fault", 2, _DEALER, "T", False),
    ("lid", 3, _PUBLIC, "S", False),
    ("case", 3, _PUBLIC, "T", True),
    ("play_too_high", 2, _DEALER, "S", False),
    ("toke", 0, _DEALER, "D", False),
    ("keyed_bet", 1, _DEALER, "D", False),
    ("dispute", 2, _DEALER, "S", True),
    ("overpaid", 1, _DEALER, "D", False),
    ("underpaid", 1, _DEALER, "D", False),
    ("loser_left", 1, _DEALER, "D", False),
    ("winner_taken", 1, _DEALER, "D", False),
    ("wrong_seat_paid", 1, _DEALER, "D", False),
)

RESOLUTIONS = ("none", "valid", "refused", "cleared", "keyed", "void", "expired")

# Why a key press did nothing but leave its record.
KEY_NOTES = ("none", "glitch", "elsewhere", "stuck", "held_seat", "no_bets")

VOID_REASONS = ("none", "supervisor", "misdeal", "card_fault", "power_cut", "fault")

# What a link prompt asks of the dealer (operations: prompts before the lock are not irregularities).
PROMPTS = (
    "none", "missing", "minimum", "maximum", "ratio", "deal_seat", "deal_dealer", "doubt", "do_not_pay",
    "pay", "take", "push", "call_supervisor", "early", "next_round", "void_return", "amount", "reveal",
)  # fmt: skip

# What a spot's lamp, or the bar, says: numbers of the lamp driver's colours.
LAMP_OFF = 0
LAMP_OPEN = 1  # a bet may be made here
LAMP_LOCKED = 2  # "Rien ne va plus"
LAMP_ATTENTION = 3  # a question to the dealer waits at this spot
LAMP_SETTLED = 4
LAMP_FAULT = 5

FAULTS = (
    "none", "reader", "expander", "fram", "clock", "journal_full", "journal_half", "configuration", "task", "watchdog",
    "shoe", "link",
)  # fmt: skip


def number(names: "tuple[str, ...]", name: str) -> int:
    """Number on the wire of ``name``; ValueError when the table has no such name."""
    return names.index(name)


def kind_number(name: str) -> int:
    """Number on the wire of an irregularity; ValueError when there is none of that name."""
    for index in range(len(KINDS)):
        if KINDS[index][0] == name:
            return index
    raise ValueError("no such irregularity: " + name)


def kind_name(number: int) -> str:
    """Name of an irregularity, or ``kind_N`` for a number of a later version."""
    return KINDS[number][0] if number < len(KINDS) else "kind_%d" % number


def place(seat: int, spot: int) -> int:
    """One byte for a bet spot: seat 1 to 7 in the high nibble, index of the bet in the game's order in the low one."""
    return (seat << 4) | spot


def place_seat(value: int) -> int:
    """Seat, 1 to 7, of a place byte."""
    return value >> 4


def place_spot(value: int) -> int:
    """Index of the bet, in the game's order, of a place byte."""
    return value & 15
