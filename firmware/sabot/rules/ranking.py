"""The value of a hand as one integer. Entry points: `rank_hand`, `kind_of`, `at_least`, `matches`.

A hand's rank is `strength << 26 | detail`: the strength of its kind (pair, flush, ...) in the order of the game's own
article, then what decides between two hands of that kind. Of two ranks of the same size the greater integer is the
better hand, equal integers are equal hands. Ranks are below 2**30, ranking allocates nothing, and one and two packs are
treated alike:

- five of a rank is four of a kind whose odd card has the same rank; two identical cards are a pair;
- a flush that contains pairs is a flush; a straight needs distinct ranks; the ace is also low, and never in the middle.

Detail, by kind. A *set* is a 13-bit mask of ranks (bit 0 the two, bit 12 the ace); as an integer it orders hands of
distinct ranks from their highest card down, which is the tie rule (67.24, 67.55, 67.66, 67.77; decision TIEBREAK).

    straight, straight flush, royal   bit of the lowest card (bit 0: ace low)
    flush                             two bits a rank: how many cards of it, so that repeated ranks compare too
    all others                        set of the paired ranks << 13 | set of the odd cards

In a full house the first set is the triplet and the second the pair.
"""

HIGH = 0
PAIR = 1
TWO_PAIR = 2
TRIPS = 3
STRAIGHT = 4
FLUSH = 5
FULL_HOUSE = 6
QUADS = 7
STRAIGHT_FLUSH = 8
ROYAL = 9

# The kinds of each hand size, weakest first, as the articles list them; the place in the list is the strength.
_ORDER_1 = (HIGH,)  # 67.34
_ORDER_3 = (HIGH, PAIR, FLUSH, STRAIGHT, TRIPS, STRAIGHT_FLUSH)  # 67.23, 67.43, 67.53
_ORDER_4 = (HIGH, PAIR, TWO_PAIR, STRAIGHT, FLUSH, TRIPS, STRAIGHT_FLUSH, QUADS)  # 67.65
_ORDER_5 = (HIGH, PAIR, TWO_PAIR, TRIPS, STRAIGHT, FLUSH, FULL_HOUSE, QUADS, STRAIGHT_FLUSH, ROYAL)  # 67.44, 67.54
_ORDERS = ((), _ORDER_1, (), _ORDER_3, _ORDER_4, _ORDER_5)

_SHIFT = 26
_PLACE = 1 << _SHIFT
_ROYAL_RUN = 1 << 9  # a five-card run that starts at the ten

# By card: its rank's bit, the same with its suit's bit above, its suit's counter (four bits a suit), its rank's counter
# (two bits a rank).
_RANK_BIT = tuple([1 << (card >> 2) for card in range(52)])
_RANK_AND_SUIT = tuple([1 << (card >> 2) | 8192 << (card & 3) for card in range(52)])
_SUIT_ONE = tuple([1 << 4 * (card & 3) for card in range(52)])
_RANK_ONE = tuple([1 << 2 * (card >> 2) for card in range(52)])
# By hand size: added to the suit counters, it sets bit 3 of a suit that has at least that many cards.
_SUIT_FILL = (0, 0, 0, 0x5555, 0x4444, 0x3333)
# By set of five ranks in a row: the rank of that straight.
_RUNS = {(31 << low - 1 if low else 4111): 4 * _PLACE | 1 << low for low in range(10)}
_BITS = bytes([sum([mask >> bit & 1 for bit in range(7)]) for mask in range(128)])


def rank_hand(cards: "list[int] | tuple[int, ...] | bytearray", count: int, size: int) -> int:
    """Rank of the best `size`-card hand (1, 3, 4 or 5) among the first `count` cards (at most 7)."""
    if count == 5 and size == 5:
        # A rank held twice drops out of the exclusive or: without a search, hands of five ranks, one pair and two pair.
        word, other = _RANK_AND_SUIT[cards[0]], _RANK_AND_SUIT[cards[1]]
        union, odd = word | other, word ^ other
        word, other = _RANK_AND_SUIT[cards[2]], _RANK_AND_SUIT[cards[3]]
        union, odd = union | word | other, odd ^ word ^ other
        word = _RANK_AND_SUIT[cards[4]]
        union, odd = union | word, odd ^ word
        if _BITS[union >> 13] > 1:
            union &= 8191
            odd &= 8191
            number = _BITS[union & 127] + _BITS[union >> 7]
            if number == 5:
                run = _RUNS.get(union)
                return union if run is None else run
            if number == 4:
                return _PLACE | (union ^ odd) << 13 | odd
            if number == 3 and union != odd:
                return 2 * _PLACE | (union ^ odd) << 13 | odd
    ones = pairs = trips = quads = fives = suits = 0  # sets of ranks held at least once, twice, ...
    for place in range(count):
        card = cards[place]
        bit = _RANK_BIT[card]
        fives |= quads & bit
        quads |= trips & bit
        trips |= pairs & bit
        pairs |= ones & bit
        ones |= bit
        suits += _SUIT_ONE[card]
    suited = (suits + _SUIT_FILL[size]) & 0x8888 if size > 1 else 0
    if size == 5:
        if suited:
            run = _run(_suit_set(cards, count, suited), 5)
            if run:
                return (9 * _PLACE if run == _ROYAL_RUN else 8 * _PLACE) | run
        if quads:
            return 7 * _PLACE | quads << 13 | _top(ones ^ quads | fives, 1)
        best = _top(trips, 1)
        if best and pairs ^ best:
            return 6 * _PLACE | best << 13 | _top(pairs ^ best, 1)
        if suited:
            return 5 * _PLACE | _flush(cards, count, suited, 5)
        run = _run(ones, 5)
        if run:
            return 4 * _PLACE | run
        if best:
            return 3 * _PLACE | best << 13 | _top(ones ^ best, 2)
        return _pairs_or_high(ones, pairs, 5)
    if size == 4:
        if quads:
            return 7 * _PLACE | quads << 13
        if suited:
            run = _run(_suit_set(cards, count, suited), 4)
            if run:
                return 6 * _PLACE | run
        best = _top(trips, 1)
        if best:
            return 5 * _PLACE | best << 13 | _top(ones ^ best, 1)
        if suited:
            return 4 * _PLACE | _flush(cards, count, suited, 4)
        run = _run(ones, 4)
        if run:
            return 3 * _PLACE | run
        return _pairs_or_high(ones, pairs, 4)
    if size == 3:
        run = _run(ones, 3)
        if suited and run:
            return 5 * _PLACE | run
        if trips:
            # Three identical cards cannot be suited: two packs hold a card twice.
            return 4 * _PLACE | trips << 13
        if run:
            return 3 * _PLACE | run
        if suited:
            return 2 * _PLACE | _flush(cards, count, suited, 3)
        if pairs:
            return _PLACE | pairs << 13 | ones ^ pairs
        return ones
    return _top(ones, 1)


def _pairs_or_high(ones: int, pairs: int, size: int) -> int:
    """Two pair, pair or no combination at all, of four or five cards."""
    if not pairs:
        return _top(ones, size)
    best = _top(pairs, 2)
    if best & (best - 1):
        return 2 * _PLACE | best << 13 | (_top(ones ^ best, 1) if size == 5 else 0)
    return _PLACE | best << 13 | _top(ones ^ best, size - 2)


def _top(ranks: int, keep: int) -> int:
    """The highest `keep` ranks of a set."""
    extra = _BITS[ranks & 127] + _BITS[ranks >> 7] - keep
    while extra > 0:
        ranks &= ranks - 1
        extra -= 1
    return ranks


def _run(ranks: int, size: int) -> int:
    """The best run of `size` successive ranks in a set, as the bit of its lowest card (bit 0: ace low), or 0."""
    ladder = ranks << 1 | ranks >> 12
    runs = ladder & ladder >> 1 & ladder >> 2
    if size > 3:
        runs &= ladder >> 3
        if size > 4:
            runs &= ladder >> 4
    while runs & (runs - 1):
        runs &= runs - 1
    return runs


def _suit_set(cards: "list[int] | tuple[int, ...] | bytearray", count: int, suited: int) -> int:
    """The ranks held in the suit whose flag is set in `suited` (of at most 7 cards only one suit makes a hand)."""
    ranks = 0
    for place in range(count):
        card = cards[place]
        if suited >> 4 * (card & 3) & 8:
            ranks |= _RANK_BIT[card]
    return ranks


def _flush(cards: "list[int] | tuple[int, ...] | bytearray", count: int, suited: int, size: int) -> int:
    """The highest `size` cards of the flush suit, two bits a rank."""
    ranks = 0
    extra = -size
    for place in range(count):
        card = cards[place]
        if suited >> 4 * (card & 3) & 8:
            ranks += _RANK_ONE[card]
            extra += 1
    one = 1
    while extra > 0:
        if ranks & 3 * one:
            ranks -= one
            extra -= 1
        else:
            one <<= 2
    return ranks


def kind_of(rank: int, size: int) -> int:
    """The kind (HIGH, PAIR, ...) of a rank of that hand size."""
    kind: int = _ORDERS[size][rank >> _SHIFT]
    return kind


def at_least(kind: int, lead: int, size: int) -> int:
    """The lowest rank of that kind and size whose leading rank (0 the two, 12 the ace) is `lead` or better.

    For HIGH the lead is the highest card, for pairs, triplets and quadruplets the (highest) paired rank.
    ValueError when hands of that size have no such kind.
    """
    detail = 1 << lead if kind == HIGH else 1 << lead + 13
    return _ORDERS[size].index(kind) << _SHIFT | detail


def matches(rank: int, size: int, kind: int, lead: int) -> bool:
    """Whether a hand is of that kind, and its leading rank `lead` or better (lead 0: any)."""
    if _ORDERS[size][rank >> _SHIFT] != kind:
        return False
    return lead == 0 or (rank & _PLACE - 1) >> 13 >= 1 << lead
