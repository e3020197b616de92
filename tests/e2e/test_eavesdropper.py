"""An eavesdropper at the table: two games that differ in nothing but what face-down cards are, and what he can tell.

The same tags leave the shoe at the same instants in both; only the deck's list says other faces. Until the reveal he
compares every call on every bus with its instant, every byte of the link, display, lamps, buzzer and gate, and the
journal's memory. Commitments, and checks over them, may differ: no eight bytes that he has seen open one.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from hwsim import provisioning
from hwsim.chips.icode_slix2 import IcodeSlix2
from hwsim.world.cards import CARD_AFI
from sabot.rules.cards import card_from_name
from sabot.wire import messages as m
from sabot.wire.commitment import SIZE, commitment
from sabot.wire.frame import Deframer
from sabot.wire.records import CHECK_SIZE, TAG_SIZE, parse
from sabot_host.sim.pytest_plugin import TestTable
from tests.hwsim.iso15693_field import Field

RING = 0x1000  # of the journal's memory (docs/journal.md)
HEADS = range(0x0080, 0x0200)
# Which deck is there, in both blocks of the meters, and their checks.
INSTALLED = [
    at
    for block in (0x0200, 0x0900)
    for at in (*range(block + 0x5C8, block + 0x5D0), *range(block + 0x6DC, block + 0x6E0))
]
DEALT = """
power on
plug host
wait until host up
press fin
wait until bar green
"""
# Fou du poker: with a pair of aces a player may bet three times his ante; with the other hand he may not (67.81).
CRAZY = DEALT + (
    "seat 1 ante 10.00\nseat 1 super_bonus 10.00\nwait 2.0\npress rnvp\nexpect lock\nwait until gate open\n"
    "draw 10 every 0.3\nseat 1 play 30.00\nwait 1.5"
)
FOLDED = DEALT + (
    "seat 1 ante 10.00\nseat 2 ante 10.00\nwait 2.0\npress rnvp\nexpect lock\nwait until gate open\n"
    "draw 9 every 0.3\nseat 1 play 10.00\nwait 1.0\npress devoiler\nexpect settlement\n"
    "take all from seat 2 ante\nwait 2.0\npress fin\nexpect round_end\nwait 1.0"
)


def name_cards(table: TestTable, faces: str) -> list[int]:
    """The first cards in the shoe are these: the tags stay where they are, and the deck's list says other faces."""
    waiting = table.table.shoe.cards
    for place, face in enumerate(faces.split()):
        other = next(card for card in waiting if card.code == face)
        assert waiting.index(other) >= place, "twice the same card"
        here = waiting[place].code
        object.__setattr__(waiting[place], "code", face)
        object.__setattr__(other, "code", here if other is not waiting[place] else face)
    entries = provisioning.deck_entries(table.table.packs, provisioning.DEVELOPMENT_KEYS["device"])
    (table.folder / "board" / "deck.json").write_text(json.dumps(entries), encoding="ascii")
    return [card_from_name(face) for face in faces.split()]


class Ear:
    """Everything that leaves a table, with its instant. Begin to listen before it is switched on."""

    def __init__(self, table: TestTable) -> None:
        self.table = table
        self.calls: list[tuple[int, ...]] = []
        self.written: list[tuple[int, int]] = []  # instant, and how many bytes the controller put into the port
        self.said = bytearray()
        fabric = table.table.fabric
        fabric.trace = lambda *call: self.calls.append(call)
        accept = fabric.cdc.accept

        def heard(data: bytes) -> int:
            taken: int = accept(data)
            self.written.append((table.table.now, taken))
            self.said += data[:taken]
            return taken

        fabric.cdc.accept = heard  # type: ignore[method-assign]

    def signs(self) -> dict[str, Any]:
        """What has been seen, heard and measured, but for commitments and checks over them."""
        hardware = self.table.table.hardware
        return {
            "bus calls and their instants": self.calls,
            "bytes of the link and their instants": self.written,
            "display": (list(hardware.display.updates), hardware.display.picture(), self.table.display),
            "lamps": list(hardware.lamps.changed),
            "buzzer": list(hardware.buzzer.log),
            "files": self.files(),
            "frames": [blank(frame) for frame in self.frames()],
        }

    def files(self) -> list[tuple[str, int]]:
        """Names and sizes of what lies in the flash; the deck's list is masked, and another one."""
        board = self.table.folder / "board"
        found = [path for path in sorted(board.rglob("*")) if path.is_file() and path.stem != "deck"]
        return [(path.relative_to(board).as_posix(), path.stat().st_size) for path in found]

    def frames(self) -> list[bytes]:
        """Payloads of the link's frames."""
        deframer = Deframer()
        found = []
        for byte in bytes(self.said):
            length = deframer.push(byte)
            if length:
                found.append(bytes(deframer.buffer[:length]))
        return found

    @property
    def image(self) -> bytes:
        """What a thief of the journal's memory reads."""
        return bytes(self.table.table.hardware.fram.image)

    def ring(self) -> list[bytes]:
        """The records in the memory, one behind the other."""
        records, at = [], RING
        image = self.image
        while size := int.from_bytes(image[at : at + 2], "little"):
            records.append(image[at : at + size])
            at += size
        return records


def blank(frame: bytes) -> bytes:
    """A frame without what is made from hidden cards: a record's commitments, its check and its chain tag."""
    if frame[0] != m.D_RECORD:
        return frame
    begin, end = m.HEADER_SIZE + m.PART_SIZE, len(frame) - m.MARK_SIZE
    return frame[:begin] + blank_record(frame[begin:end]) + frame[end:]


def blank_record(raw: bytes) -> bytes:
    """The same of a record, as long as it was."""
    record = parse(raw)
    body = raw[: -TAG_SIZE - CHECK_SIZE]
    for row in record["fields"]["hands"] if record["name"] == "deal" else ():
        body = body.replace(row[3], bytes(SIZE))
    if record["name"] == "configured":  # which deck is there: the list of faces, which differs so that no tag has to
        body = body.replace(record["fields"]["deck"], bytes(8))
    return body + bytes(TAG_SIZE + CHECK_SIZE)


def committed(ear: Ear) -> list[bytes]:
    """The commitments of the last deal, hand by hand."""
    deals = [found["fields"] for raw in ear.ring() if (found := parse(raw))["name"] == "deal"]
    return [row[3] for row in deals[-1]["hands"]]


def listen(make_table: Callable[..., TestTable], game: str, faces: str, script: str) -> tuple[Ear, list[int]]:
    table = make_table(game=game, seats=2, seed=5)
    codes = name_cards(table, faces)
    ear = Ear(table)
    table.play(script)
    return ear, codes


def assert_tells_nothing(one: Ear, other: Ear) -> None:
    """Nothing that can be seen, heard, measured or read tells which of the two games it is."""
    signs, others = one.signs(), other.signs()
    for name, sign in signs.items():
        assert sign == others[name], name
    assert len(signs["bus calls and their instants"]) > 100_000 and len(signs["frames"]) > 10
    assert [blank_record(raw) for raw in one.ring()] == [blank_record(raw) for raw in other.ring()]
    end = RING + sum(map(len, one.ring()))
    apart = [at for at, (here, there) in enumerate(zip(one.image, other.image, strict=True)) if here != there]
    assert apart and not [at for at in apart if at not in (*HEADS, *INSTALLED) and not RING <= at < end], (
        "only the chain, and records"
    )


def assert_nothing_opens(ear: Ear, hands: list[bytes]) -> None:
    """No eight bytes of the link or the memory are the nonce of a commitment, and the key is not in it either."""
    end = RING + sum(map(len, ear.ring()))
    seen = b"".join(ear.frames()) + ear.image[:end]
    windows = {seen[at : at + 8] for at in range(len(seen) - 7)}
    for wanted, hand in zip(committed(ear), hands, strict=True):
        assert not [nonce for nonce in windows if commitment(nonce, hand) == wanted]


@pytest.mark.timeout(300)  # two whole tables, with a look at every call
def test_the_right_to_three_times_shows_nowhere_before_the_reveal(make_table: Callable[..., TestTable]) -> None:
    first, cards = listen(make_table, "crazy_four", "As Ad 7c 2h 3d Ks Kc 2c 3h Ts", CRAZY)
    second, others = listen(make_table, "crazy_four", "Qs Jd 7c 2h 4d 8s Kc 2c 3h Js", CRAZY)
    assert_tells_nothing(first, second)
    for ear, codes in ((first, cards), (second, others)):
        assert_nothing_opens(ear, [bytes(codes[:5]), bytes(codes[5:])])
    assert committed(first) != committed(second), "the commitments are to these cards"
    for ear in (first, second):
        ear.table.table.fabric.trace = None
        ear.table.play("press devoiler\nexpect reveal\nwait 1.0")
    assert [ear.table.records("play_too_high") == [] for ear in (first, second)] == [True, False]


@pytest.mark.campaign
def test_a_folded_hand_shows_nowhere_in_its_round_or_after_it(make_table: Callable[..., TestTable]) -> None:
    first, cards = listen(make_table, "three_card", "7c 7d 2h As Ad Ac Qs 3c 2d", FOLDED)
    second, others = listen(make_table, "three_card", "7c 7d 2h 4s 9d Jc Qs 3c 2d", FOLDED)
    assert_tells_nothing(first, second)
    for ear, codes in ((first, cards), (second, others)):
        assert not [record for record in ear.table.records("reveal") if "seat 2" in str(record.rows)]
        seen = b"".join(ear.frames())
        windows = {seen[at : at + 8] for at in range(len(seen) - 7)}
        wanted, hand = committed(ear)[1], bytes(codes[3:6])
        assert not [nonce for nonce in windows if commitment(nonce, hand) == wanted]


def test_a_phone_at_the_cards_reads_the_same_of_each(make_table: Callable[..., TestTable]) -> None:
    """All that a tag answers to anybody: inventory, system information, blocks, signature. Only the UID differs."""
    table = make_table(game="three_card", seats=2, seed=5)
    told = set()
    for card in table.table.packs[0]:
        assert isinstance(card.tag, IcodeSlix2) and card.tag.afi == CARD_AFI
        field = Field(card.tag)
        asked = ("26 01 00", "02 2B", "42 23 00 4F", "02 AB 04", "02 BD 04")
        said = [field.ask(request) for request in asked]
        assert all(said[:3])
        told.add(tuple((answer or b"").replace(card.uid, b"") for answer in said))
    assert len(told) == 1
    table.close()
