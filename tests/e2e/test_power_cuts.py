"""The power goes at each storage write of a whole round of the real firmware: nothing lost, nothing torn.

One run gives the log of every write; every image that a cut can leave is rebuilt from it. All of them go through the
journal's own recovery here; some, and in the campaign all of the clean ones, through a boot of the whole firmware.
"""

import random
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import pytest

from hwsim.chips.mb85rs import Write, replay
from hwsim.provisioning import DEVELOPMENT_KEYS
from sabot.journal.errors import JournalError
from sabot.journal.journal import Journal
from sabot.wire import meters
from sabot.wire.records import TAG_SIZE, chain_tag, next_key, parse, whole
from sabot_host.sim.play import Session
from sabot_host.sim.pytest_plugin import TestTable
from tests.journal.fast_memory import FastMemory
from tests.journal.on_board.journal_memory import FakeClock

SEED = 21
BOOTS = 12
ROUND = """
cards As Ad 7c 9h 5c 2d Qs 3c 2c
power on
plug host
wait until host up
press fin
wait until bar green
seat 1 ante 25.00
seat 1 pair_plus 5.00
seat 2 ante 10.00
wait 1.0
press rnvp
+0.4 seat 2 pair_plus 5.00
expect late seat 2 pair_plus
wait until gate open
draw 9 every 0.4
supervisor rules late seat 2 pair_plus refused
seat 1 play 25.00
+0.3 press abandon
+0.3 press p2
+0.3 press devoiler
expect settlement
wait 0.3
press fin
expect round_end
"""


class Life(NamedTuple):
    """A round without a cut: the memory before it, its writes, the records and after which write each is whole."""

    blank: bytes
    log: list[Write]
    records: dict[int, bytes]
    whole_after: dict[int, int]


@cache
def life() -> Life:
    table = TestTable(seed=SEED)
    try:
        blank = bytes(table.table.hardware.fram.image)
        table.play(ROUND)
        log = list(table.table.hardware.fram.journal or [])
    finally:
        table.close()
    records, whole_after = {}, {}
    for index, write in enumerate(log):
        if whole(write.data, len(write.data)) == len(write.data):
            sequence = parse(write.data)["sequence"]
            records[sequence], whole_after[sequence] = write.data[:-TAG_SIZE], index + 1
    assert sorted(records) == list(range(1, len(records) + 1))
    assert len(records) >= 15
    return Life(blank, log, records, whole_after)


def cuts(index: int) -> Iterator[tuple[int | None, int | None]]:
    """Ways in which the write with this index can be cut: before it, and inside it with a byte in flight."""
    yield None, None
    size = len(life().log[index].data)
    source = random.Random(index)
    for torn in sorted({0, 1, size // 2, size - 1}):
        yield torn, source.randrange(256)


def first_record() -> int:
    """Number of writes before the first record: the memory has been given its key by then."""
    return life().whole_after[1] - 1


def recovered(image: bytearray, writes: int) -> None:
    """The journal's own recovery finds every record that was whole, none torn, meters that are their sum."""
    memory = FastMemory(image=image)
    journal = Journal(memory, FakeClock(now=5))
    journal.open()
    must = max((number for number, after in life().whole_after.items() if after <= writes), default=0)
    assert must <= journal.last <= must + 1
    key, tag, sums = DEVELOPMENT_KEYS["journal"], bytes(TAG_SIZE), meters.new()
    sequences = []
    for sequence, record in journal.records_from(1):
        assert whole(record, len(record)) == len(record)
        assert record[:-TAG_SIZE] == life().records[sequence]
        assert record[-TAG_SIZE:] == chain_tag(key, tag, record)
        key, tag = next_key(key), record[-TAG_SIZE:]
        parsed = parse(record)
        meters.apply(sums, parsed["code"], parsed["fields"])
        sequences.append(sequence)
    assert sequences == list(range(1, journal.last + 1))
    assert bytes(journal.meters) == bytes(sums)
    assert journal.append(0x06, {"up": 1}) == journal.last == len(sequences) + 1


def test_every_image_of_a_round_recovers() -> None:
    log = life().log
    judged = 0
    for index in range(first_record(), len(log)):
        for torn, in_flight in cuts(index):
            recovered(replay(life().blank, log, index, torn, in_flight), index)
            judged += 1
    assert judged > 4 * len(life().records)


def test_a_memory_that_never_got_its_key_whole_is_no_journal() -> None:
    # Provisioning writes the whole memory once; what identifies it as a journal comes last.
    log = life().log
    for index in (*range(0, first_record() - 8, 97), *range(first_record() - 8, first_record() - 1)):
        for torn, in_flight in cuts(index):
            with pytest.raises(JournalError) as caught:
                recovered(replay(life().blank, log, index, torn, in_flight), index)
            assert caught.value.code in ("unformatted", "superblock")


def boot(image: bytearray, writes: int) -> None:
    """The whole firmware starts on the image: its journal verifies, the open round is void with bets as locked."""
    with Session(seed=SEED, image=image) as session:
        session.table.start()
        session.table.run_for(1500)
        verdict, pulled = session.judge()
        assert verdict.good, verdict.lines()
        assert session.table.controller.restarts == 0
    records = [parse(record) for record in pulled.records]
    kept = [record[:-TAG_SIZE] == life().records.get(number) for number, record in enumerate(pulled.records, 1)]
    before = records[: kept.index(False)]
    must = max((number for number, after in life().whole_after.items() if after <= writes), default=0)
    assert must <= len(before) <= must + 1
    after = records[len(before) :]
    assert after[0]["name"] == "power_on"
    names = [record["name"] for record in after]
    lost = _open_round(before)
    assert ("power_lost_in_play" in names) == (lost is not None)
    assert ("void" in names) == (lost is not None)
    if lost is not None:
        void = after[names.index("void")]["fields"]
        assert dict(void["spots"]) == lost


def _open_round(records: list[dict[str, Any]]) -> dict[int, int] | None:
    """Bets that go back, by place, when the power went behind ``records``; None when no round was on."""
    bets: dict[int, int] | None = None
    for record in records:
        fields = record["fields"]
        if record["name"] == "lock":
            bets = dict(fields["spots"])
        elif record["name"] in ("confirmed", "decisions") and bets is not None:
            bets.update({place: amount for place, amount, _flags in fields["spots"]})
        elif record["name"] == "settlement" and bets is not None:
            for place, *_amounts in fields["bets"]:
                bets.pop(place, None)
        elif record["name"] in ("round_end", "void", "unlock"):
            bets = None
    return None if bets is None else {place: amount for place, amount in bets.items() if amount}


def clean_images() -> list[int]:
    """Numbers of writes after which the power goes, all of those behind the first record."""
    return list(range(first_record(), len(life().log) + 1))


@pytest.mark.parametrize("part", range(BOOTS))
def test_the_firmware_boots_on_an_image(part: int) -> None:
    images = clean_images()
    index = images[(len(images) - 1) * part // (BOOTS - 1)]
    boot(replay(life().blank, life().log, index), index)


@pytest.mark.campaign
def test_the_firmware_boots_on_every_image() -> None:
    for index in clean_images():
        boot(replay(life().blank, life().log, index), index)
        if index < len(life().log):
            size = len(life().log[index].data)
            boot(replay(life().blank, life().log, index, size // 2, 0xA5), index)


def test_a_cut_inside_a_byte_of_the_running_firmware() -> None:
    table = TestTable(seed=SEED)
    try:
        table.open()
        table.play("seat 1 ante 25.00\nwait 1.0\npress rnvp\nexpect lock\ncut power after 60 bytes")
        table.play("+1.0 power on\nexpect power_lost_in_play round 1\nexpect void seat 1 ante 25.00\nwait 0.5")
        table.check_journal()
    finally:
        table.close()
