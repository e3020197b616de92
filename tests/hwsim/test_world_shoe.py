"""Packs and the shoe: order by seed, and the instants at which a card meets the field and the beam."""

import pytest

from hwsim.chips.beam import ExitBeam
from hwsim.chips.gate import Gate
from hwsim.chips.icode_slix2 import IcodeSlix2
from hwsim.core import Line, Scheduler
from hwsim.rf.antenna import Antenna, Tag
from hwsim.world.cards import CODES, Card, deck_list, make_cut_card, make_pack, shuffled, stacked
from hwsim.world.shoe import Geometry, Pull, Shoe
from hwsim.world.truth import Truth, WorldError
from hwsim.world.uids import UidSource

MS = 1_000_000


def make_tag(uid: bytes, afi: int, memory: bytes) -> Tag:
    return IcodeSlix2(uid, afi=afi, memory=memory)


def pack(seed: int = 1, decks: int = 1) -> list[Card]:
    return make_pack(make_tag, UidSource(seed), decks)


class Bench:
    """A shoe with a field, a beam and, when wanted, a gate."""

    def __init__(self, top: list[str], gated: bool = False) -> None:
        self.time = Scheduler()
        self.truth = Truth(self.time)
        self.antenna = Antenna(self.time, "mouth")
        self.beam_line = Line("BEAM")
        self.gate_line = Line("GATE")
        self.beam = ExitBeam(self.time, self.beam_line)
        gate = Gate(self.time, self.gate_line) if gated else None
        self.shoe = Shoe(self.time, self.truth, self.antenna, self.beam, gate)
        self.shoe.load(stacked(pack(), top, 0))

    def story(self) -> list[tuple[float, str, str]]:
        return [(fact.when / MS, fact.act, fact.label) for fact in self.truth.facts]


# Packs


def test_pack_has_every_card_once_a_deck_and_uids_never_repeat() -> None:
    cards = pack(decks=2)
    assert sorted(card.code for card in cards) == sorted(CODES * 2)
    assert len(deck_list(cards)) == 104
    assert len(CODES) == 52
    for card in cards:
        assert (card.uid[7], card.uid[6], card.uid[5], card.uid[4] & 0x18) == (0xE0, 0x04, 0x01, 0x08)


def test_same_seed_same_cards_in_the_same_order() -> None:
    assert deck_list(pack(3)) == deck_list(pack(3))
    assert deck_list(pack(3)) != deck_list(pack(4))
    orders = {tuple(card.code for card in shuffled(pack(), seed)) for seed in range(20)}
    assert len(orders) == 20
    assert [c.code for c in shuffled(pack(), 5)] == [c.code for c in shuffled(pack(), 5)]


def test_stacked_pack_keeps_every_card() -> None:
    cards = stacked(pack(), ["Qs", "3c", "2d"], 9)
    assert [card.code for card in cards[:3]] == ["Qs", "3c", "2d"]
    assert sorted(card.code for card in cards) == sorted(CODES)
    with pytest.raises(WorldError, match="no Qs"):
        stacked(pack(), ["Qs", "Qs"], 9)


def test_card_tags_are_blank_and_of_their_own_family() -> None:
    asked: list[tuple[bytes, int, bytes]] = []

    def note(uid: bytes, afi: int, memory: bytes) -> Tag:
        asked.append((uid, afi, memory))
        return make_tag(uid, afi, memory)

    card = make_cut_card(note, UidSource(1))
    assert card.code == "cut"
    assert asked == [(card.uid, 0x72, b"")]


@pytest.mark.parametrize("bits", [0, 1, 4, 17, 31, 34, 37, 38, 39])
def test_uids_that_share_their_lowest_bits(bits: int) -> None:
    source = UidSource(2)
    first = source.next()
    second = source.sharing(first, bits)
    differing = int.from_bytes(first, "little") ^ int.from_bytes(second, "little")
    assert differing & -differing == 1 << bits
    assert second[4] & 0x18 == 0x08


@pytest.mark.parametrize("bits", [35, 36, 40, -1])
def test_uids_cannot_differ_first_in_fixed_bits(bits: int) -> None:
    source = UidSource(2)
    with pytest.raises(WorldError, match="cannot first differ"):
        source.sharing(source.next(), bits)


# The shoe


@pytest.mark.parametrize(("speed", "per_mm"), [(50, 20.0), (500, 2.0), (1000, 1.0), (2000, 0.5)])
def test_whole_pull(speed: int, per_mm: float) -> None:
    bench = Bench(["As"])
    pull = bench.shoe.pull(100 * MS, speed)
    bench.time.run_until(10_000 * MS)
    distances = {"pulled": 0, "in_field": 10, "beam_blocked": 38.5, "beam_cleared": 101.5, "out_of_field": 110}
    expected = [(100 + mm * per_mm, act, "As") for act, mm in distances.items()]
    assert bench.story() == [*expected, (100 + 120 * per_mm, "dealt", "As")]
    assert [when / MS for when, _blocked in bench.beam.log] == [100 + 38.5 * per_mm, 100 + 101.5 * per_mm]
    assert pull.card is bench.shoe.dealt[0]
    assert len(bench.shoe.cards) == 51
    assert not bench.antenna.tags


@pytest.mark.parametrize("speed", [70, 333, 707, 1999])
def test_instants_that_are_no_whole_nanoseconds(speed: int) -> None:
    bench = Bench(["As"])
    bench.shoe.pull(0, speed)
    bench.time.run_until(10_000 * MS)
    expected = [mm * 1000 / speed for mm in (0, 10, 38.5, 101.5, 110, 120)]
    assert [when for when, _act, _label in bench.story()] == pytest.approx(expected, abs=2e-6)


def test_tag_is_in_the_field_exactly_between_its_instants() -> None:
    bench = Bench(["As"])
    pull = bench.shoe.pull(0, 1000)
    for ms, tags in ((9.999, 0), (10, 1), (60, 1), (109.999, 1), (110, 0)):
        bench.time.run_until(int(ms * MS))
        assert len(bench.antenna.tags) == tags
    assert pull.card is not None
    assert not bench.antenna.tags


def test_half_pull_then_on() -> None:
    bench = Bench(["As"])
    pull = bench.shoe.pull(0, 1000, to=0)
    bench.time.run_until(500 * MS)
    assert pull.position == 0
    assert (len(bench.antenna.tags), bench.beam_line.level) == (1, 0)
    pull.go_on(500 * MS, 500)
    bench.time.run_until(2_000 * MS)
    assert bench.story() == [
        (0, "pulled", "As"),
        (10, "in_field", "As"),
        (38.5, "beam_blocked", "As"),
        (60, "halted", "As"),
        (500, "pulled", "As"),
        (583, "beam_cleared", "As"),
        (600, "out_of_field", "As"),
        (620, "dealt", "As"),
    ]


def test_push_back_in_the_middle_of_a_pull() -> None:
    bench = Bench(["As", "Kd"])
    pull = bench.shoe.pull(0, 1000)
    pull.push_back(50 * MS, 1000)
    bench.time.run_until(1_000 * MS)
    assert bench.story() == [
        (0, "pulled", "As"),
        (10, "in_field", "As"),
        (38.5, "beam_blocked", "As"),
        (50, "pushed_back", "As"),
        (61.501, "beam_cleared", "As"),  # a micrometre farther than where it was blocked
        (90.001, "out_of_field", "As"),
        (100, "back", "As"),
    ]
    assert [card.code for card in bench.shoe.cards[:2]] == ["As", "Kd"]
    assert bench.shoe.dealt == []
    again = bench.shoe.pull(1_000 * MS)
    bench.time.run_until(3_000 * MS)
    assert again.card is not None
    assert again.card.code == "As"
    pull.go_on(3_000 * MS)
    with pytest.raises(WorldError, match="not between shoe and hand"):
        bench.time.run_until(3_000 * MS)


def test_stop_and_jerks_keep_field_and_beam_consistent() -> None:
    geometry = Geometry()
    for instant in range(1, 120):  # one order at each millimetre of the way, thresholds included
        bench = Bench(["As"])
        pull = bench.shoe.pull(0, 1000)
        pull.stop(instant * MS)
        bench.time.run_until(500 * MS)
        assert bool(bench.antenna.tags) == geometry.in_field(pull.position)
        assert bench.beam.blocked == geometry.in_beam(pull.position)
        pull.push_back(500 * MS, 2000)
        pull.go_on((500 + instant // 4) * MS, 50)
        bench.time.run_until(10_000 * MS)
        assert bench.shoe.dealt == [pull.card]
        assert not bench.antenna.tags
        assert not bench.beam.blocked


def test_two_cards_at_once() -> None:
    bench = Bench(["As", "Kd"])
    first, second = bench.shoe.draw_two(0, 1000, stagger=5_000)
    bench.time.run_until(60 * MS)
    assert len(bench.antenna.tags) == 2
    bench.time.run_until(1_000 * MS)
    assert [pull.card.code for pull in (first, second) if pull.card is not None] == ["As", "Kd"]
    assert bench.beam.log == [(38_500_000, True), (106_500_000, False)]  # the beam sees one long card


def test_closed_gate_holds_a_card() -> None:
    bench = Bench(["As"], gated=True)
    held = bench.shoe.pull(10 * MS)
    bench.time.run_until(1_000 * MS)
    assert bench.story() == [(10, "gate_held", "As")]
    assert held.card is None
    bench.gate_line.drive(1)
    freed: Pull = bench.shoe.pull(1_000 * MS)
    bench.time.at(1_050 * MS, lambda: bench.gate_line.drive(0))  # too late for this card
    bench.time.run_until(2_000 * MS)
    assert bench.shoe.dealt == [freed.card]


def test_empty_shoe() -> None:
    bench = Bench([])
    bench.shoe.load([])
    bench.shoe.pull(5)
    bench.time.run_until(10)
    assert [fact.act for fact in bench.truth.facts] == ["shoe_empty"]


@pytest.mark.parametrize("speed", [49, 2001])
def test_speed_out_of_range(speed: int) -> None:
    with pytest.raises(WorldError, match="mm/s"):
        Bench([]).shoe.pull(0, speed)


@pytest.mark.parametrize("to", [-60_000, 60_001])
def test_position_out_of_range(to: int) -> None:
    with pytest.raises(WorldError, match="cannot be pulled"):
        Bench([]).shoe.pull(0, to=to)


def test_a_packet_lies_in_the_mouth_and_is_taken_as_one_body() -> None:
    bench = Bench(["As", "Kd", "7c", "2s"])
    pull = bench.shoe.pull_packet(3, 0, rest_ns=500 * MS)
    bench.time.run_until(400 * MS)
    assert [card.code for card in pull.cards] == ["As", "Kd", "7c"]
    assert len(bench.antenna.tags) == 3
    assert bench.beam_line.level == 0
    bench.time.run_until(1000 * MS)
    assert not bench.antenna.tags
    assert [card.code for card in bench.shoe.dealt] == ["As", "Kd", "7c"]
    assert bench.shoe.cards[0].code == "2s"
    assert bench.beam_line.level == 1
    edges = [act for _, act, label in bench.story() if label == "As" and act.startswith("beam")]
    assert edges == ["beam_blocked", "beam_cleared"]


def test_a_packet_stays_behind_a_shut_gate() -> None:
    bench = Bench(["As", "Kd"], gated=True)
    pull = bench.shoe.pull_packet(2, 0)
    bench.time.run_until(2000 * MS)
    assert pull.cards == ()
    assert bench.story() == [(0, "gate_held", "As")]


def test_the_last_packet_is_smaller() -> None:
    bench = Bench([])
    bench.shoe.load(bench.shoe.cards[:2])
    bench.shoe.pull_packet(3, 0)
    bench.time.run_until(2000 * MS)
    assert len(bench.shoe.dealt) == 2
    with pytest.raises(WorldError):
        bench.shoe.pull_packet(0, bench.time.now)
