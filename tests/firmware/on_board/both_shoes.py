"""The optical shoe beside a reader, on MicroPython: cards moved by hand. Run by tests/firmware/test_optical_shoes."""

from shoe_bench import CLOCK, Bench

from sabot.services.both_shoes import BothShoes, agreed
from sabot.services.deck import ALIEN
from sabot.services.mouth import UNREAD
from sabot.services.optical import NO_CARD, PUSHED_BACK
from sabot.services.shoe import AGAIN, TWO_CARDS

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Parts:
    """Driver objects of a reader that hears nothing by itself."""

    fault = ValueError

    class Part:
        """Field and inventory: always ready."""

        listener: "Any" = None

        def step(self) -> int:
            return -1

        def step_start(self) -> int:
            return -1

        def begin_start(self) -> None: ...

        def start_on(self) -> None: ...

        def start_off(self) -> None: ...

        def start(self, afi: int, single: bool) -> None: ...

    def __init__(self) -> None:
        self.field = self.inventory = self.reader = self.Part()


class Uids:
    """A deck: the first byte of a UID is the card."""

    def card(self, uid: bytearray) -> int:
        return uid[0] if uid[0] < 53 else ALIEN


def both_bench() -> Bench:
    bench = Bench()
    parts = Parts()
    sensors = bench.fault
    bench.shoe = BothShoes(
        bench.strip,
        parts.reader,
        parts,
        bench.card_beam,
        bench.gate,
        Uids(),
        1,
        bench.edge,
        bench.card,
        bench.fault,
        sensors,
        bench.refuse,
    )
    bench.shoe.start(4)
    return bench


def pull_tagged(bench: Bench, tags: "tuple[int, ...]", face: int, beam: bool = True) -> None:
    """Pull a card whose tags are heard shortly before it breaks the beam, or does not."""
    way = bench.way(face, beam)
    bench.move(way, -30000, 1000)
    for tag in tags:
        bench.shoe.tag(bytearray((tag, len(bench.edges), 0, 0, 0, 0, 0, 0)), 0, CLOCK.ticks_us())
    bench.move(way, 1000, 90000)
    bench.let(300000)


def both() -> None:
    bench = both_bench()
    pull_tagged(bench, (9,), 9)
    pull_tagged(bench, (9,), 10)  # a tag under another face
    pull_tagged(bench, (11,), -1)  # a strip that nobody can read
    pull_tagged(bench, (), 12)  # a dead tag
    pull_tagged(bench, (), -1)
    pull_tagged(bench, (200,), 13)  # another pack's
    pull_tagged(bench, (14, 15), 14)
    pull_tagged(bench, (52,), 52)
    bench.expect((9, 0), (ALIEN, 1), (11, 2), (12, 3), (UNREAD, 4), (ALIEN, 5), (TWO_CARDS, 6), (52, 7))
    for _ in range(6):
        pull_tagged(bench, (16,), -1)
    pull_tagged(bench, (17,), 17)
    if bench.faults != ["strip", ""]:
        raise AssertionError(bench.faults)


def a_beam_that_sees_nothing() -> None:
    """The card is told by what has read it, and takes no other's place."""
    bench = both_bench()
    pull_tagged(bench, (9,), 9)
    pull_tagged(bench, (10,), 10, False)
    pull_tagged(bench, (), 11, False)
    pull_tagged(bench, (12,), 12)
    bench.expect((9, 0), (10, 1), (11, 2), (12, 3))
    if bench.faults != ["beam", ""]:
        raise AssertionError(bench.faults)


def both_agree() -> None:
    for tag, face, told in (
        (3, 3, 3),
        (3 + AGAIN, 3, 3 + AGAIN),
        (3, 3 + 2 * AGAIN, 3),
        (3 + AGAIN, 3 + 2 * AGAIN, 3 + 2 * AGAIN),
        (UNREAD, 3 + 2 * AGAIN, 3 + 2 * AGAIN),
        (3 + AGAIN, 4 + 2 * AGAIN, ALIEN),
        (UNREAD, NO_CARD, NO_CARD),
        (3, NO_CARD, 3),
        (3 + AGAIN, NO_CARD, NO_CARD),
        (3, 4, ALIEN),
        (3, PUSHED_BACK, 3),
        (UNREAD, PUSHED_BACK, PUSHED_BACK),
        (UNREAD, 5, 5),
        (UNREAD, UNREAD, UNREAD),
        (ALIEN, 5, ALIEN),
        (ALIEN, UNREAD, ALIEN),
        (3, TWO_CARDS, TWO_CARDS),
        (TWO_CARDS, 3, TWO_CARDS),
    ):
        if agreed(tag, face) != told:
            raise AssertionError((tag, face, agreed(tag, face)))


for act in (both, a_beam_that_sees_nothing, both_agree):
    print(act.__name__)
    act()
print("ok")
