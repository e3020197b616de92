"""The power goes at each byte that a whole round of the real firmware stores: nothing lost, nothing torn, meters true.

One run gives the log of every write; every image that a cut can leave is rebuilt from it. All of them go through the
journal's own recovery here; some of them, in the campaign one a write, through a start of the whole firmware. `make
cuts` does all of it with every game.
"""

import pytest

from sabot_host.sim.fuzz import GAMES
from sabot_host.sim.pytest_plugin import TestTable
from tests.cuts.boots import boot
from tests.cuts.images import LOST, METERS, TORN, Wrong, before_its_key, cut_again, images, recovered
from tests.cuts.life import LATE_BET, life
from tests.cuts.long import COVERED, RESULT, Count, harmless, rows, two_a_write
from tests.records import read_record, shown, stale

BOOTS = 12


def test_the_record_is_of_this_journal() -> None:
    """If this fails: make cuts."""
    assert stale(RESULT, COVERED) == []


def test_the_page_shows_what_was_recorded() -> None:
    record = read_record(RESULT)
    assert shown("journal.md", "cuts") == rows(record)
    assert list(record["games"]) == list(GAMES)
    assert all(harmless(numbers) for numbers in record["games"].values())


def test_every_image_of_a_round_recovers() -> None:
    count = Count(life(LATE_BET))
    count.recover("cuts", images(life(LATE_BET), 8))
    assert count.good
    assert count.numbers["cuts"] > 2000


def test_a_recovery_that_is_cut_recovers() -> None:
    count = Count(life(LATE_BET))
    for writes, image in two_a_write(life(LATE_BET))[::40]:
        count.recover("cuts_in_recovery", cut_again(life(LATE_BET), image, writes))
    assert count.good
    assert count.numbers["cuts_in_recovery"] > 900


@pytest.mark.campaign
@pytest.mark.parametrize("game", GAMES[1::2])
def test_every_image_of_a_round_of_each_game_recovers(game: str) -> None:
    count = Count(life(game))
    count.recover("cuts", images(life(game), 4))
    for writes, image in two_a_write(life(game))[::47]:
        count.recover("cuts_in_recovery", cut_again(life(game), bytearray(image), writes))
        count.start(writes, image)
    assert count.good, count.numbers


@pytest.mark.parametrize("kind", [LOST, TORN, METERS])
def test_what_a_cut_must_not_do_is_found(kind: str) -> None:
    whole = life(LATE_BET)
    *_, (writes, image) = images(whole, 1000)
    if kind == LOST:
        whole = whole._replace(durable=[number + 1 for number in whole.durable])
    elif kind == TORN:
        whole = whole._replace(records={**whole.records, 3: whole.records[2]})
    else:
        whole = whole._replace(sums=[whole.sums[0]] * len(whole.sums))
    with pytest.raises(Wrong) as caught:
        recovered(whole, image, writes)
    assert caught.value.kind == kind


def test_a_memory_that_never_got_its_key_whole_is_no_journal() -> None:
    # Provisioning writes the whole memory once; what identifies it as a journal comes last.
    for image in before_its_key(life(LATE_BET)):
        with pytest.raises(Wrong, match=r"unformatted|superblock"):
            recovered(life(LATE_BET), image, 0)


@pytest.mark.parametrize("part", range(BOOTS))
def test_the_firmware_starts_on_an_image(part: int) -> None:
    left = two_a_write(life(LATE_BET))
    writes, image = left[(len(left) - 1) * part // (BOOTS - 1)]
    boot(life(LATE_BET), image, writes)


@pytest.mark.campaign
def test_the_firmware_starts_on_an_image_of_each_write() -> None:
    two = two_a_write(life(LATE_BET))
    for writes, image in (*two[::4], *two[3::4]):  # clean and torn by turns
        boot(life(LATE_BET), image, writes)


def test_a_cut_inside_a_byte_of_the_running_firmware() -> None:
    table = TestTable(seed=21)
    try:
        table.open()
        table.play("seat 1 ante 25.00\nwait 1.0\npress rnvp\nexpect lock\ncut power after 60 bytes")
        table.play("+1.0 power on\nexpect power_lost_in_play round 1\nexpect void seat 1 ante 25.00\nwait 0.5")
        table.check_journal()
    finally:
        table.close()
