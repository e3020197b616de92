"""Numbers and names that journal and link share: spots, results, decisions, irregularities, keys, prompts.

Entry points: the tuples below (index = number on the wire) and :func:`name` / :func:`number` to go from one to the
other; :func:`place` and its parts name a bet spot in one byte. Numbers are never reused: a name is added at the end.
"""

RESULTS = ("none", "win", "lose", "push", "forfeit")
DECISIONS = ("none", "play", "fold", "stay", "withdraw", "war", "surrender")
# Of the wall clock: not known; the clock's chip has lost the time; as the chip says; the chip has failed since, and the
# controller's own crystal carries the time on.
CLOCK_QUALITY = ("none", "stopped", "set", "coasting")
UNSTEADY = "unsteady"  # the fault of a reader that works and fails by turns: it is heard, and its seats play on
ROLES = ("none", "dealer", "supervisor", "technician", "auditor")

# Keys of the dealer's panel. "rnvp" has its own line; the others sit on the expanders.
KEYS = (
    "none", "rnvp", "p1", "p2", "p3", "p4", "p5", "p6", "p7", "oui", "non", "fin", "devoiler", "abandon",
    "maldonne", "superviseur", "plus",
)  # fmt: skip

# Irregularities, each on a line: name, severity, visibility, who clears it, whether the pit is told at once.
# Severities: 0 notice (journal only), 1 prompt, 2 seat hold, 3 table stop.
# Visibility: "public" lamp, "dealer" display, or "silent" (pit and surveillance only: it would warn a cheat).
# Clears: who may end it: "A" by itself, "D" dealer's key, "S" supervisor, "S2" two badges, "T" technician.
# Last: "V" told silently at once, "-" not. It is one text because it lies in the controller's heap.
_KINDS = """
none 0 public A -
handled 0 dealer A -
transit 1 dealer D -
next_round 1 dealer A -
early_play 1 dealer A -
play_without_ante 1 dealer D -
limit 1 dealer D -
relation 1 dealer D -
missing 1 dealer D -
moved 1 dealer A -
equal_swap 1 dealer D -
ambiguous 1 dealer D -
ambiguous_large 2 dealer S V
late 2 silent S V
capped 2 silent S V
pinched 2 silent S V
withdrawn 2 silent S V
foreign 1 dealer D -
bad_mac 2 silent S2 V
clone 2 silent S2 V
card_before_lock 3 public S -
two_cards 3 public S -
pushed_back 3 public S -
alien_card 3 public S V
duplicate_card 3 public S V
wrong_count 3 public S V
unread_card 3 dealer S -
reader_fault 2 dealer T -
lid 3 public S V
case 3 public T V
play_too_high 2 dealer S -
toke 0 dealer D -
keyed_bet 1 dealer D -
dispute 2 dealer S V
overpaid 1 dealer D -
underpaid 1 dealer D -
loser_left 1 dealer D -
winner_taken 1 dealer D -
wrong_seat_paid 1 dealer D -
absent 2 dealer S -
seen_late 2 dealer S V
exposed 3 public S -
misplaced 3 public S -
foul_hand 3 public S -
nobody 3 public S V
hand_differs 2 dealer S2 V
misdeal 3 public S -
unruled 3 dealer S -
"""

RESOLUTIONS = ("none", "valid", "refused", "cleared", "keyed", "void", "expired")

# Why a key press did nothing but leave its record.
KEY_NOTES = ("none", "glitch", "elsewhere", "stuck", "held_seat", "no_bets", "called", "nobody")

VOID_REASONS = ("none", "supervisor", "misdeal", "card_fault", "power_cut", "fault", "house")

# What the dealer, or the supervisor, says that no antenna can see; a kind of irregularity has a record of its own.
DECLARATIONS = ("none", "keyed_bet", "toke", "dispute", "absent", "seen_late", "change", "buy_in")

# What became of a badge: held to the reader; nobody has enrolled it; it has another UID each time, so it is nobody's;
# who showed it may not do that, or not now; it was enrolled; it was revoked.
BADGE_SHOWN = 1
BADGE_UNKNOWN = 2
BADGE_RANDOM = 3
BADGE_REFUSED = 4
BADGE_ENROLLED = 5
BADGE_REVOKED = 6

# What a link prompt asks of the dealer (operations: prompts before the lock are not irregularities).
PROMPTS = (
    "none", "missing", "minimum", "maximum", "ratio", "deal_seat", "deal_dealer", "doubt", "do_not_pay",
    "pay", "take", "push", "call_supervisor", "early", "next_round", "void_return", "amount", "reveal", "sign_on",
    "language", "second", "last_round", "discard", "badge_on", "badge_sup", "badge_off", "badge_unknown",
    "badge_random", "badge_denied",
)  # fmt: skip

# How a page of the payment ended. "cleared": the player took all before it was seen whole. "not_verified" is a normal
# end: a dealer pays into the hand too. "wrong" was told, "corrected" was put right.
PAYMENTS = ("none", "verified", "cleared", "not_verified", "corrected", "wrong")

# What a spot's lamp, or the bar, says: numbers of the lamp driver's colours.
LAMP_OFF = 0
LAMP_OPEN = 1  # a bet may be made here
LAMP_LOCKED = 2  # "Rien ne va plus"
LAMP_ATTENTION = 3  # a question to the dealer waits at this spot
LAMP_SETTLED = 4
LAMP_FAULT = 5

FAULTS = (
    "none", "reader", "expander", "fram", "clock", "journal_full", "journal_half", "configuration", "task", "watchdog",
    "shoe", "link", "display", "badge_reader", "integrity", "flash", "key",
)  # fmt: skip


def number(names: "tuple[str, ...]", name: str) -> int:
    """Number on the wire of ``name``; ValueError when the table has no such name."""
    return names.index(name)


def kinds() -> "list[str]":
    """Names of all irregularities; the index is the number on the wire."""
    return [line.split(" ")[0] for line in _KINDS.split("\n") if line]


def badges() -> "list[str]":
    """Names of what became of a badge; the index is the number on the wire."""
    return "none shown unknown random refused enrolled revoked".split(" ")


def _kind(name: str) -> int:
    """Where the line of an irregularity begins; ValueError when there is none of that name."""
    at = _KINDS.find("\n" + name + " ")
    if at < 0:
        raise ValueError("no such irregularity: " + name)
    return at + 1


def _word(name: str, column: int) -> str:
    at = _kind(name)
    return _KINDS[at : _KINDS.find("\n", at)].split(" ")[column]


def kind_number(name: str) -> int:
    """Number on the wire of an irregularity; ValueError when there is none of that name."""
    return _KINDS[: _kind(name)].count("\n") - 1


def kind_name(number: int) -> str:
    """Name of an irregularity, or ``kind_N`` for a number of a later version."""
    at = 1
    for _ in range(number):
        at = _KINDS.find("\n", at) + 1
        if at == len(_KINDS):
            return "kind_%d" % number
    return _KINDS[at : _KINDS.find(" ", at)]


def severity(kind: str) -> int:
    """Severity of an irregularity when it is raised, 0 to 3; ValueError when there is none of that name."""
    return int(_word(kind, 1))


def visibility(kind: str) -> str:
    """Who may see an irregularity: ``public``, ``dealer`` or ``silent``; ValueError when there is none of that name."""
    return _word(kind, 2)


def clears(kind: str) -> str:
    """Who may end an irregularity: ``A D S S2 T``; ValueError when there is none of that name."""
    return _word(kind, 3)


def calls(kind: str) -> bool:
    """Whether pit and surveillance are told of an irregularity at once; ValueError when there is none of that name."""
    return _word(kind, 4) == "V"


def place(seat: int, spot: int) -> int:
    """One byte for a bet spot: seat 1 to 7 in the high nibble, index of the bet in the game's order in the low one."""
    return (seat << 4) | spot


def place_seat(value: int) -> int:
    """Seat, 1 to 7, of a place byte."""
    return value >> 4


def place_spot(value: int) -> int:
    """Index of the bet, in the game's order, of a place byte."""
    return value & 15
