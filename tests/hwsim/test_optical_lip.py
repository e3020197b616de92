"""The optical shoe's lip: which edges come when, for cards that go out in every way, and the sensors' own faults."""

import random
from itertools import pairwise

import pytest

from hwsim.chips.beam import ExitBeam
from hwsim.chips.icode_slix2 import IcodeSlix2
from hwsim.chips.optical_lip import OpticalLip
from hwsim.core import Line, Scheduler
from hwsim.rf.antenna import Antenna, Tag
from hwsim.world.cards import CODES, Card, make_pack, stacked
from hwsim.world.shoe import Leg, Shoe
from hwsim.world.strip import printed
from hwsim.world.truth import Truth, WorldError
from hwsim.world.uids import UidSource

MS = 1_000_000


def make_tag(uid: bytes, afi: int, memory: bytes) -> Tag:
    return IcodeSlix2(uid, afi=afi, memory=memory)


class Bench:
    """A shoe with a beam and an optical lip, and every edge of the three lines."""

    def __init__(self, *top: str) -> None:
        self.time = Scheduler()
        lines = {name: Line(name) for name in ("A", "B", "beam")}
        self.lip = OpticalLip(self.time, (lines["A"], lines["B"]))
        self.shoe = Shoe(
            self.time,
            Truth(self.time),
            Antenna(self.time, "mouth"),
            ExitBeam(self.time, lines["beam"]),
            lip=self.lip,
        )
        self.shoe.load(stacked(make_pack(make_tag, UidSource(1), strips=True), top, 0))
        self.edges: list[tuple[float, str]] = []
        for line in lines.values():
            line.listen(self._edge)

    def _edge(self, line: Line, level: int) -> None:
        self.edges.append((self.time.now / MS, line.name + "-+"[level]))

    @property
    def card(self) -> Card:
        return self.shoe.cards[0]

    def order(self) -> list[str]:
        """The sensors' edges."""
        return [name for _when, name in self.edges if name[0] in "AB"]

    def finish(self) -> list[str]:
        """Let everything happen; the sensors' edges, which end in the dark."""
        self.time.run_until(self.time.now + 20_000 * MS)
        assert [sensor.level for sensor in self.lip.sensors] == [0, 0]
        return self.order()


def told_by_the_page(code: str) -> list[str]:
    """The sequence of the page's table of edges."""
    bars = [first / 900 for first, _last in printed(code).below.bars]
    order = ["A+", "B+", "A-", "A+", "B-"]
    for before, after in pairwise(bars):
        narrow = after - before == 2
        order += ["A-", "B+", "A+", "B-"] if narrow else ["B+", "A-", "A+", "B-"]
    return [*order, "B+", "A-", "B-"]


@pytest.mark.parametrize("speed", [50, 500, 2000])
def test_a_whole_pull_to_the_nanosecond(speed: int) -> None:
    bench = Bench("2c")
    bench.shoe.pull(0, speed)
    bench.finish()
    # A sees what is printed at x when the card has gone 28.5 + 7 + x mm, B 1.35 mm later (the page, "The lip").
    expected = [(38.5 / speed * 1000, "beam-"), (101.5 / speed * 1000, "beam+")]
    borders = [0, *(at / 1000 for bar in printed("2c").below.bars for at in bar), 63]
    for number, x in enumerate(borders):
        sign = "-+"[(number + 1) % 2]
        expected += [((35.5 + x) / speed * 1000, "A" + sign), ((36.85 + x) / speed * 1000, "B" + sign)]
    expected.sort()
    assert [name for _when, name in bench.edges] == [name for _when, name in expected]
    assert [when for when, _name in bench.edges] == pytest.approx([when for when, _name in expected], abs=2e-6)
    gaps = [after - before for (before, _), (after, _) in pairwise(bench.edges)]
    assert min(gaps) >= 0.45 / speed * 1000 - 1e-5


@pytest.mark.parametrize("code", CODES)
def test_every_card_gives_the_pages_hundred_edges(code: str) -> None:
    bench = Bench(code)
    bench.shoe.pull(0, 1234)
    assert bench.finish() == told_by_the_page(code)
    assert len(bench.order()) == 100


@pytest.mark.parametrize("seed", range(20))
def test_speeds_and_stops_anywhere_change_no_order(seed: int) -> None:
    source = random.Random(seed)
    bench = Bench("Kh")
    places = sorted(source.sample(range(-30_000, 45_000), 30))
    legs = [Leg(to, source.randint(50, 2000), source.choice((0, 0, 3, 400)) * MS) for to in places]
    bench.shoe.pull_along(0, [*legs, Leg(60_000, 777)])
    assert bench.finish() == told_by_the_page("Kh")


@pytest.mark.parametrize("to", [-20_000, -3_333, 0, 12_345, 38_499, 39_000])
def test_a_push_back_gives_the_same_edges_backwards(to: int) -> None:
    bench = Bench("7d")
    pull = bench.shoe.pull(0, 1000, to=to)
    bench.time.run_until(200 * MS)
    out = bench.order()
    pull.push_back(200 * MS, 300)
    back = bench.finish()[len(out) :]
    opposite = {"+": "-", "-": "+"}
    assert back == [name[0] + opposite[name[1]] for name in reversed(out)]
    assert bench.shoe.cards[0].code == "7d"
    bench.edges.clear()
    bench.shoe.pull(bench.time.now, 500)
    assert bench.finish() == told_by_the_page("7d")


def test_a_card_that_stops_on_an_edge_does_not_chatter() -> None:
    for nudge in range(-2, 3):
        bench = Bench("2c")
        pull = bench.shoe.pull(0, 500, to=-20_000 + nudge)  # the first bar reaches A
        bench.time.run_until(5_000 * MS)
        assert bench.order() == ["A+", "B+"] + ["A-"] * (nudge >= 0)
        pull.go_on(5_000 * MS, 500)
        assert bench.finish() == told_by_the_page("2c")


def test_the_sensors_see_the_card_that_left_first() -> None:
    bench = Bench("2c", "As")
    bench.shoe.draw_two(0, 1000, stagger=20_000)
    order = bench.finish()
    assert order[:96] == told_by_the_page("2c")[:96]
    # Behind it comes what is left of the other: no dark between unless a bar lies just there.
    alone = Bench("As")
    alone.shoe.pull(20 * MS, 1000)
    alone.finish()
    end = 98.5  # A has seen the end of the first card
    assert [edge for edge in bench.edges if edge[1][0] == "A" and edge[0] > end] == [
        edge for edge in alone.edges if edge[1][0] == "A" and edge[0] > end
    ]


def test_two_cards_that_do_not_overlap_are_two_cards() -> None:
    bench = Bench("2c", "As")
    bench.shoe.draw_two(0, 1000, stagger=65_000)
    assert bench.finish() == told_by_the_page("2c") + told_by_the_page("As")


def test_dirt_and_a_card_without_a_strip() -> None:
    bench = Bench("2c", "As")
    bench.card.face.below.spoil(0, 63_000, sensors="B")
    bench.shoe.pull(0)
    order = bench.finish()
    assert [name for name in order if name[0] == "B"] == []
    assert len(order) == 50
    bench.edges.clear()
    bench.card.face.up = True
    bench.shoe.pull(bench.time.now)
    assert bench.finish() == ["A+", "B+", "A-", "B-"]


def test_stray_light_and_a_covered_sensor() -> None:
    bench = Bench("2c")
    a, b = bench.lip.sensors
    a.force(10 * MS, True, 500 * MS)
    b.force(20 * MS, False, 2_000 * MS)
    bench.shoe.pull(0, 500)
    bench.time.run_until(400 * MS)
    assert bench.edges[0] == (10.0, "A+")
    assert [name for name in bench.order() if name[0] == "B"] == []
    bench.finish()
    assert bench.edges[-1] == (510.0, "A-")


def test_light_that_ends_over_a_card_shows_what_is_there() -> None:
    bench = Bench("2c")
    bench.lip.sensors[0].force(0, False, 100 * MS)
    bench.shoe.pull(0, 1000, to=-22_000)  # the margin lies over A
    bench.time.run_until(200 * MS)
    assert [edge for edge in bench.edges if edge[1][0] == "A"] == [(100.0, "A+")]


def test_flicker_and_bounces_end_where_they_should() -> None:
    bench = Bench("2c")
    a, b = bench.lip.sensors
    a.flicker(0, 30 * MS, 2 * MS, seed=3)
    bench.time.run_until(35 * MS)
    assert bench.order() == ["A+", "A-"] * 15
    bench.edges.clear()
    b.bounce(1, 10_000)
    bench.shoe.pull(bench.time.now, 1000, to=-22_000)
    bench.time.run_until(200 * MS)
    assert bench.order() == ["A+", "B+", "B-", "B+"]


def test_a_melted_bar_is_two_edges_less() -> None:
    bench = Bench("2c")
    pull = bench.shoe.pull(0, 1000, to=-22_000)
    bench.time.run_until(200 * MS)
    bench.lip.sensors[0].melt()
    pull.go_on(200 * MS)
    expected = told_by_the_page("2c")
    del expected[3], expected[2]  # A's first bar
    assert bench.finish() == expected


def test_faults_that_no_edge_has_met_can_be_forgotten() -> None:
    bench = Bench("2c")
    for sensor in bench.lip.sensors:
        sensor.bounce(3)
        sensor.melt()
        sensor.steady()
    bench.shoe.pull(0)
    assert bench.finish() == told_by_the_page("2c")


def test_a_broken_sensor_is_dark() -> None:
    bench = Bench("2c")
    pull = bench.shoe.pull(0, 1000, to=-22_000)
    bench.time.run_until(200 * MS)
    bench.lip.sensors[1].dead = True
    assert bench.order() == ["A+", "B+", "B-"]
    pull.go_on(200 * MS)
    assert [name for name in bench.finish() if name[0] == "B"] == ["B+", "B-"]
    assert bench.lip.sensors[1].log == [(36_850_000, 1), (200_000_000, 0)]


def test_a_turned_card_is_read_the_same_way() -> None:
    bench = Bench("Qd")
    bench.card.face.turned = True
    bench.shoe.pull(0)
    assert bench.finish() == told_by_the_page("Qd")


@pytest.mark.parametrize(
    "legs", [[], [Leg(-60_000)], [Leg(60_001)], [Leg(0, 49)], [Leg(0, 500, -1)], [Leg(60_000), Leg(0)]]
)
def test_ways_that_no_card_can_go(legs: list[Leg]) -> None:
    with pytest.raises(WorldError):
        Bench("2c").shoe.pull_along(0, legs)
