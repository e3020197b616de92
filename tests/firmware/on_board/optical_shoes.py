"""The optical shoe on MicroPython: cards moved past it by hand. Run by tests/firmware/test_optical_shoes.py."""

import micropython
from optical_strip import encode
from shoe_bench import BEAM, SENSOR_B, TURN_US, Bench

from sabot.services.mouth import UNREAD
from sabot.services.optical import PUSHED_BACK, OpticalShoe
from sabot.services.shoe import AGAIN, TWO_CARDS

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def optical_bench() -> Bench:
    bench = Bench()
    bench.shoe = OpticalShoe(
        bench.strip, bench.card_beam, bench.gate, bench.edge, bench.card, bench.fault, bench.refuse
    )
    bench.shoe.start(4)
    return bench


def every_card() -> None:
    bench = optical_bench()
    for code in range(53):
        bench.pull(code)
    bench.expect(*[(code, code) for code in range(53)])
    if bench.shoe.listening() or bench.faults:
        raise AssertionError("not at rest")


def every_card_in_one_turn() -> None:
    """The program was busy elsewhere: two cards have left before the shoe's turn comes."""
    bench = optical_bench()
    for code in (7, 8):
        for _, line in sorted(bench.way(code), key=lambda each: each[0]):
            line.change()
    bench.let(TURN_US)
    bench.expect((7, 0), (8, 1))


def gone_between_two_looks() -> None:
    """A card leaves the beam just behind a look at it, long after its edge: it was read all the same."""
    bench = optical_bench()
    last = BEAM + encode.CARD_UM
    bench.move(bench.way(21), -30000, last - 1)
    bench.beam.hasty = True
    bench.let(2 * TURN_US)
    bench.pull(22)
    bench.expect((21, 0), (22, 1))
    if bench.faults or bench.refused:
        raise AssertionError(bench.faults, bench.refused)


def dirt() -> None:
    bench = optical_bench()
    begin, end = encode.bars(11)[5]  # nothing is seen of this bar
    gone = (begin, end, begin + SENSOR_B, end + SENSOR_B)
    dirty = [each for each in bench.way(11) if each[0] not in gone]
    bench.move(dirty, -30000, 90000)
    bench.pull(12)
    bench.expect((UNREAD, 0), (12, 1))


def no_strip() -> None:
    bench = optical_bench()
    bench.pull(-1)
    bench.beam.change()  # a finger
    bench.beam.change()
    bench.let(200000)
    bench.pull(3)
    bench.expect((UNREAD, 0), (UNREAD, 1), (3, 2))


def half_pulls() -> None:
    bench = optical_bench()
    way = bench.way(20)
    bench.move(way, -30000, 2500)  # not as far as the beam: nothing has left
    bench.move(way, 2500, -30000)
    bench.let(50000)
    bench.expect()
    bench.move(way, -30000, 30000)
    bench.let(3000000)  # held there
    bench.move(way, 30000, -30000)
    bench.let(50000)
    bench.pull(20)
    bench.expect((PUSHED_BACK, 0), (20, 1))


def turned_back_on_the_last_bar() -> None:
    """Where the last gap is narrow, a card that turns back while B is on its last bar gives a whole card's edges."""
    for out in (59000, 59310, 59800):
        bench = optical_bench()
        way = bench.way(20)
        bench.move(way, -30000, out)
        bench.move(way, out, -30000)
        bench.let(50000)
        bench.expect((PUSHED_BACK, 0))
        bench.pull(20)
        bench.expect((PUSHED_BACK, 0), (20, 1))
        bench.move(way, -30000, out)
        bench.move(way, out, 20000)
        bench.move(way, 20000, 90000)
        bench.let(50000)
        bench.expect((PUSHED_BACK, 0), (20, 1), (UNREAD, 2))


def pushed_back_in() -> None:
    """A card that was out goes back in, and comes again; the same face from another pack is another card."""
    bench = optical_bench()
    bench.pull(33)
    bench.pull(33)
    bench.move(bench.way(33), 90000, -30000)
    bench.let(50000)
    bench.pull(33)
    bench.expect((33, 0), (33, 1), (PUSHED_BACK, 2), (33 + 2 * AGAIN, 3))
    if bench.refused != ["card: pushed in"]:
        raise AssertionError(bench.refused)
    bench = optical_bench()
    bench.pull(5)
    bench.move(bench.way(5), 90000, -30000)
    bench.let(50000)
    bench.pull(-1)  # it was that one, perhaps
    bench.pull(5)  # of another pack
    bench.expect((5, 0), (PUSHED_BACK, 1), (UNREAD, 2), (5, 3))


def slipped_back() -> None:
    """A card slips back until the beam is clear, and comes on: it is one, whatever can be read of it."""
    for far, back, code, causes in (
        (3500, 2800, 21, []),
        (4300, 1600, 21, []),
        (4300, 700, UNREAD, ["card: dirt"]),
        (30000, 2500, UNREAD, ["card: push-back"]),
        (52000, 500, UNREAD, ["card: push-back"]),
    ):
        bench = optical_bench()
        way = bench.way(21)
        bench.move(way, -30000, far)
        bench.move(way, far, back)
        bench.let(300000)
        bench.move(way, back, 90000)
        bench.let(50000)
        bench.pull(22)
        bench.expect((code, 0), (22, 1))
        if len(bench.refused) != len(causes):
            raise AssertionError(far, back, bench.refused)


def dipped_again() -> None:
    """A card that has left dips into the mouth with its margin and is taken out: none has left since."""
    bench = optical_bench()
    way = bench.way(21)
    bench.pull(21)
    for into in (64200, 63500, 62000):
        bench.move(way, 90000, into)
        bench.let(300000)
        bench.move(way, into, 90000)
        bench.let(50000)
    bench.pull(22)
    if [code for code, _ in bench.cards] != [21, 22] or bench.refused:
        raise AssertionError(bench.cards, bench.refused)


def flickering_light() -> None:
    """Light that comes and goes on the lip, at an open gate and no card: told of once, and nothing stops."""
    source = 12345
    for both in (False, True):
        bench = optical_bench()
        for _ in range(60):
            source = (source * 1103515245 + 12345) & 0x3FFFFFFF
            first = bench.sensors[source >> 20 & 1]
            other = bench.sensors[1 - (source >> 20 & 1)]
            order = (first, other, other, first) if both else (first, first)
            for line in order:
                line.change()
                bench.let(300)
            bench.let((source >> 8) % 9000)
        bench.let(300000)
        bench.expect()
        bench.pull(7)
        bench.expect((7, 0))
        if bench.faults != ["light", ""]:
            raise AssertionError(bench.faults)


def turned_at_its_end() -> None:
    """A single card that goes back over its last bars, and out, is unread.

    It gives the edges of two in their order where it turns behind no narrow gap: then a person has to look.
    """
    for code in range(0, 53, 4):
        last = encode.bars(code)[23][1]
        for far in range(last - 900, last + 2700, 300):
            for back in (2000, 6000, 15000):
                bench = optical_bench()
                way = bench.way(code)
                bench.move(way, -30000, far)
                bench.move(way, far, far - back)
                bench.move(way, far - back, 90000)
                bench.let(50000)
                if bench.cards != [(UNREAD, 0)] and far - back < encode.bars(code)[19][1]:
                    raise AssertionError(code, far, back, bench.cards)


def two_cards_at_any_distance() -> None:
    """From where the last bar of the second shows: nearer, it shows nothing but white."""
    for code, other in ((4, 5), (20, 33), (51, 52)):
        for behind in range(6000, encode.CARD_UM, 700):
            bench = optical_bench()
            pull_two(bench, code, other, behind)
            bench.expect((TWO_CARDS, 0))
            if bench.refused != ["card: two cards"]:
                raise AssertionError(code, other, behind, bench.refused)


def pull_two(bench: Bench, code: int, other: int, behind: int) -> None:
    """Pull two cards, the second ``behind`` (um) after the first: what lies under the first is not seen."""
    both = []
    for line, shift in ((bench.sensors[0], 0), (bench.sensors[1], SENSOR_B)):
        level = 0
        for place, white in seen(code, other, behind):
            if white != level:
                level = white
                both.append((place + shift, line))
    both.append((BEAM, bench.beam))
    both.append((BEAM + behind + encode.CARD_UM, bench.beam))
    bench.move(both, -30000, 160000)
    bench.let(50000)


def seen(code: int, other: int, behind: int) -> "list[tuple[int, int]]":
    """Where what a sensor sees of two cards changes, or may, and whether it is white there."""
    found = []
    for which, start in ((code, 0), (other, behind)):
        places = [0]
        for bar in encode.bars(which):
            places.extend(bar)
        for number in range(len(places)):
            if start + places[number] >= encode.CARD_UM or not start:
                found.append((start + places[number], 1 - number % 2))
            elif number + 1 == len(places) or start + places[number + 1] > encode.CARD_UM:
                found.append((encode.CARD_UM, 1 - number % 2))
    found.append((behind + encode.CARD_UM, 0))
    found.sort(key=lambda each: each[0])
    return found


def two_cards() -> None:
    bench = optical_bench()
    seen_from = (encode.bars(5)[19][1] + encode.bars(5)[20][0]) // 2  # the first hides the second up to a gap
    behind = encode.CARD_UM - seen_from
    both = []
    for line, shift in ((bench.sensors[0], 0), (bench.sensors[1], SENSOR_B), (bench.beam, BEAM)):
        of_sensor = line is not bench.beam
        for place, changes in bench.way(4):
            if changes is line and place < encode.CARD_UM + shift:
                both.append((place, line))
        for place, changes in bench.way(5):
            if changes is line and place > (seen_from if of_sensor else BEAM) + shift * of_sensor:
                both.append((place + behind, line))
    bench.move(both, -30000, 110000)
    bench.let(50000)
    bench.pull(6)
    bench.expect((TWO_CARDS, 0), (6, 1))


def held() -> None:
    """A card that stays is not waited for for ever, and not told twice."""
    bench = optical_bench()
    way = bench.way(40)
    bench.move(way, -30000, 30000)
    bench.let(9900000)
    bench.expect()
    bench.let(300000)
    bench.expect((UNREAD, 0))
    bench.move(way, 30000, 90000)
    bench.let(50000)
    bench.pull(41)
    bench.expect((UNREAD, 0), (41, 1))


def a_beam_that_sees_nothing() -> None:
    bench = optical_bench()
    bench.pull(1, False)
    bench.let(200000)
    bench.move(bench.way(30, False), -30000, 40000)
    bench.move(bench.way(30, False), 40000, 20000)
    bench.move(bench.way(30, False), 20000, 90000)
    bench.let(200000)
    bench.sensors[0].change()  # a flash is no card
    bench.sensors[0].change()
    bench.let(200000)
    bench.pull(2)
    bench.expect((1, 0), (UNREAD, 1), (2, 2))
    if bench.faults != ["beam", ""]:
        raise AssertionError(bench.faults)


def a_blind_sensor() -> None:
    bench = optical_bench()
    for code in (1, 2):
        bench.move([each for each in bench.way(code) if each[1] is not bench.sensors[1]], -30000, 90000)
    bench.let(50000)
    bench.expect((UNREAD, 0), (UNREAD, 1))


def a_sensor_in_the_light() -> None:
    """B sees white for ever: every card gets its answer when the next one comes, or in time."""
    bench = optical_bench()
    bench.sensors[1].change()
    for code in (1, 2, 3):
        bench.move([each for each in bench.way(code) if each[1] is not bench.sensors[1]], -30000, 90000)
    bench.expect((UNREAD, 0), (UNREAD, 1))
    bench.let(11000000)
    bench.expect((UNREAD, 0), (UNREAD, 1), (UNREAD, 2))


def nothing_is_allocated() -> None:
    bench = optical_bench()
    order = sorted(bench.way(25), key=lambda each: each[0])
    shoe: Any = bench.shoe
    heard = [0, 0]

    def edge(ticks: int) -> None:
        heard[0] += 1

    def card(code: int, ticks: int) -> None:
        heard[1] = code

    shoe._on_edge = edge
    shoe._on_card = card
    micropython.heap_lock()
    for index in range(len(order)):
        order[index][1].change()
        if index % 9 == 0:
            shoe.step()
    shoe.step()
    micropython.heap_unlock()
    if heard != [1, 25]:
        raise AssertionError(heard)


for act in (
    every_card,
    every_card_in_one_turn,
    gone_between_two_looks,
    dirt,
    no_strip,
    half_pulls,
    turned_back_on_the_last_bar,
    pushed_back_in,
    slipped_back,
    dipped_again,
    flickering_light,
    turned_at_its_end,
    two_cards_at_any_distance,
    two_cards,
    held,
    a_beam_that_sees_nothing,
    a_blind_sensor,
    a_sensor_in_the_light,
    nothing_is_allocated,
):
    print(act.__name__)
    act()
print("ok")
