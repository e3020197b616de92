"""Chips: what is written in their tags, hands that move them, and the truth about it."""

import hashlib
import hmac

import pytest

from hwsim.chips.icode_slix2 import IcodeSlix2
from hwsim.core import Scheduler
from hwsim.rf.air import AirFrame
from hwsim.rf.antenna import Antenna, Tag
from hwsim.world.chips import HAND_NS, NUDGE_NS, Felt, Mint, chip_memory
from hwsim.world.truth import PLACED, REMOVED, Truth, WorldError
from hwsim.world.uids import UidSource, slix2_uid

KEY = b"house key"


def make_tag(uid: bytes, afi: int, memory: bytes) -> Tag:
    return IcodeSlix2(uid, afi=afi, memory=memory)


class Bench:
    def __init__(self) -> None:
        self.time = Scheduler()
        self.truth = Truth(self.time)
        self.felt = Felt(self.time, self.truth)
        self.ante, self.play = Antenna(self.time, "1.ante"), Antenna(self.time, "1.play")
        self.mint = Mint(make_tag, UidSource(1), casino=7, key=KEY)


def test_memory_layout() -> None:
    uid = slix2_uid(0x123A)
    memory = chip_memory(uid, KEY, casino=0x0201, cents=2500, series=0x0403, currency=9)
    data = bytes.fromhex("01 01 02 09 C4 09 00 00 03 04 00 00 00 00 00 00")
    assert uid == bytes.fromhex("3A 12 00 00 08 01 04 E0")
    assert memory[:16] == data
    assert memory[16:] == hmac.new(KEY, uid + data, hashlib.sha256).digest()[:8]
    assert len(memory) == 24


def test_published_example_stays_what_it_is() -> None:
    """A fixed vector, so that the format cannot drift on both sides at once."""
    memory = chip_memory(slix2_uid(1), bytes(32), casino=1, cents=500)
    assert memory.hex(" ", 8) == "01010000f4010000 0100000000000000 214ac0b4ed9e26d8"


def test_mint_makes_tags_of_the_chips_family() -> None:
    asked: list[tuple[bytes, int, bytes]] = []

    def note(uid: bytes, afi: int, memory: bytes) -> Tag:
        asked.append((uid, afi, memory))
        return make_tag(uid, afi, memory)

    chip = Mint(note, UidSource(1), casino=7, key=KEY).chip(500)
    assert asked == [(chip.uid, 0x71, chip_memory(chip.uid, KEY, 7, 500))]


def test_chips_clones_and_foreigners() -> None:
    bench = Bench()
    first, second = bench.mint.chips(500, 2500)
    assert first.uid != second.uid
    assert (first.label, second.label) == ("5.00#1", "25.00#2")
    clone = bench.mint.clone(first)
    assert (clone.uid, clone.memory, clone.cents) == (first.uid, first.memory, first.cents)
    assert clone.tag is not first.tag
    forger = Mint(make_tag, UidSource(2), casino=7, key=b"guess", name="forged ")
    forged = forger.chip(500, uid=first.uid)
    assert forged.memory[:16] == first.memory[:16]
    assert forged.memory[16:] != first.memory[16:]


def test_hands_and_truth() -> None:
    bench = Bench()
    chip, other = bench.mint.chips(500, 500)
    bench.felt.place(chip, bench.ante, 100)
    bench.felt.place(other, bench.ante, 150)
    bench.felt.move(chip, bench.play, 200)
    bench.felt.remove(other, 300)
    bench.time.run_until(99)
    assert len(bench.ante.tags) == 0
    bench.time.run_until(150)
    assert list(bench.ante.tags) == [chip.tag, other.tag]
    assert bench.felt.lying_on(bench.ante) == [chip, other]
    bench.time.run_until(250)
    assert bench.felt.where(chip) is None
    assert list(bench.ante.tags) == [other.tag]
    bench.time.run_until(200 + HAND_NS)
    assert bench.felt.where(chip) is bench.play
    assert [(fact.when, fact.act, fact.place) for fact in bench.truth.of(chip.uid)] == [
        (100, "placed", "1.ante"),
        (200, "removed", "1.ante"),
        (200 + HAND_NS, "placed", "1.play"),
    ]
    assert bench.truth.present("1.ante", 99) == set()
    assert bench.truth.present("1.ante", 199) == {chip.uid, other.uid}
    assert bench.truth.present("1.ante", 200) == {other.uid}
    assert bench.truth.present("1.play", 200 + HAND_NS) == {chip.uid}
    assert [fact.act for fact in bench.truth.between(200, 300)] == ["removed", "removed"]
    assert len(bench.truth.at("1.play")) == 1
    line = bench.truth.lines().splitlines()[0]
    assert line == f"0.000000100 placed 1.ante 5.00#1 {chip.uid[::-1].hex().upper()}"


def test_chip_cannot_lie_in_two_places() -> None:
    bench = Bench()
    chip = bench.mint.chip(500)
    bench.felt.place(chip, bench.ante, 1)
    bench.felt.place(chip, bench.play, 2)
    with pytest.raises(WorldError, match=r"5.00#1 lies on 1\.ante"):
        bench.time.run_until(2)


def test_chip_that_lies_nowhere_cannot_be_taken() -> None:
    bench = Bench()
    bench.felt.remove(bench.mint.chip(500), 1)
    with pytest.raises(WorldError, match="lies nowhere"):
        bench.time.run_until(1)


def test_clone_may_lie_beside_its_original() -> None:
    bench = Bench()
    chip = bench.mint.chip(500)
    clone = bench.mint.clone(chip)
    bench.felt.place(chip, bench.ante, 1)
    bench.felt.place(clone, bench.ante, 1)
    bench.time.run_until(1)
    assert len(bench.ante.tags) == 2


def test_a_dead_chip_lies_there_and_says_nothing() -> None:
    bench = Bench()
    chip = bench.mint.dead(500)
    bench.felt.place(chip, bench.ante, 0)
    bench.time.run_until(0)
    assert bench.felt.lying_on(bench.ante) == [chip]
    request = AirFrame(0, 0, b"")
    assert bench.ante.request(request, True) == []
    assert chip.tag.hear_eof(0, 0, False) is None
    bench.felt.remove(chip, 1)
    bench.time.run_until(1)
    assert not bench.ante.tags


def test_a_nudged_chip_flickers_and_lies_as_before() -> None:
    bench = Bench()
    chip = bench.mint.chip(500)
    bench.felt.place(chip, bench.ante, 0)
    bench.time.run_until(1000)
    bench.felt.nudge(chip, 1000)
    bench.time.run_until(1000 + NUDGE_NS)
    assert bench.felt.where(chip) is bench.ante
    acts = [fact.act for fact in bench.truth.of(chip.uid)]
    assert len(acts) >= 5
    assert acts == [PLACED, REMOVED] * (len(acts) // 2) + [PLACED]
    bench.time.run_until(2 * NUDGE_NS)
    assert len(bench.truth.of(chip.uid)) == len(acts)
    with pytest.raises(WorldError, match="nudged"):
        bench.felt.nudge(bench.mint.chip(500), bench.time.now)
        bench.time.run_until(bench.time.now)
