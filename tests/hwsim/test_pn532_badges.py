"""Badges: UIDs, the memory of NTAG21x with its locks and password, and the pad they are held to."""

import pytest

from hwsim.core import Scheduler, SimFault
from hwsim.world.badges import Badge, BadgePad, BadgeUids, NtagBadge, PhoneBadge, Shown, SmartBadge
from hwsim.world.truth import WorldError

SEVEN = bytes.fromhex("04A1B2C3D4E580")


def ntag(model: int = 213, user: bytes = b"") -> NtagBadge:
    badge = NtagBadge(SEVEN, model, user)
    badge.select()
    return badge


def test_uids_are_given_once_and_by_seed() -> None:
    uids, same = BadgeUids(5), BadgeUids(5)
    drawn = [uids.four() for _ in range(500)] + [uids.seven() for _ in range(500)]
    assert len(set(drawn)) == 1000
    assert all(uid[0] not in (0x08, 0x88) for uid in drawn)
    assert all(uid[0] == 0x04 for uid in drawn if len(uid) == 7)
    assert [same.four() for _ in range(500)] == drawn[:500]


@pytest.mark.parametrize("uid", ["", "0102030405", "08112233", "88112233"])
def test_what_no_badge_is_called(uid: str) -> None:
    with pytest.raises(WorldError, match="no badge has the UID"):
        Badge(bytes.fromhex(uid))


@pytest.mark.parametrize(
    ("model", "pages", "container", "version"), [(213, 45, 0x12, 0x0F), (215, 135, 0x3E, 0x11), (216, 231, 0x6D, 0x13)]
)
def test_sizes(model: int, pages: int, container: int, version: int) -> None:
    badge = ntag(model)
    assert len(badge.memory) == 4 * pages
    assert badge.exchange(b"\x30\x03") == bytes([0xE1, 0x10, container, 0]) + bytes(12)
    assert badge.exchange(b"\x60") == bytes([0, 4, 4, 2, 1, 0, version, 3])
    assert badge.exchange(bytes([0x30, pages - 1]))[4:8] == bytes.fromhex("04A1B29F")  # type: ignore[index]
    assert badge.exchange(bytes([0x30, pages])) == "nak"
    assert badge.exchange(b"\x30\x04") is None  # idle after the refusal


def test_no_such_ntag() -> None:
    for uid, model in ((SEVEN, 214), (bytes(range(1, 5)), 213)):
        with pytest.raises(WorldError):
            NtagBadge(uid, model)
    with pytest.raises(WorldError, match="too many"):
        NtagBadge(SEVEN, 213, bytes(145))


def test_lock_bits_and_one_time_bits_stay() -> None:
    badge = ntag()
    assert badge.exchange(bytes.fromhex("A2 02 FF FF 20 01")) == "ack"  # pages 5 and 8
    assert badge.memory[8:12] == bytes.fromhex("72 48 20 01")
    assert badge.exchange(bytes.fromhex("A2 02 00 00 00 00")) == "ack"
    assert badge.memory[10:12] == bytes.fromhex("20 01")
    assert badge.exchange(bytes.fromhex("A2 03 00 00 00 0F")) == "ack"
    assert badge.memory[12:16] == bytes.fromhex("E1 10 12 0F")
    assert badge.exchange(bytes.fromhex("A2 04 01 02 03 04")) == "ack"
    for page in (5, 8):
        assert badge.exchange(bytes([0xA2, page, 1, 2, 3, 4])) == "nak"
        badge.select()


@pytest.mark.parametrize("reads_too", [False, True])
def test_password(reads_too: bool) -> None:
    badge = ntag(user=bytes(range(64)))
    badge.protect(b"pass", b"OK", 8, reads_too=reads_too)
    assert badge.exchange(bytes.fromhex("A2 08 00 00 00 00")) == "nak"
    badge.select()
    assert badge.exchange(b"\x30\x08") == ("nak" if reads_too else bytes(range(16, 32)))
    badge.select()
    assert badge.exchange(b"\x1bPASS") == "nak"
    badge.select()
    assert badge.exchange(b"\x1bpass") == b"OK"
    assert badge.exchange(bytes.fromhex("A2 08 CA FE CA FE")) == "ack"
    assert badge.exchange(b"\x30\x08") == bytes.fromhex("CAFECAFE") + bytes(range(20, 32))
    assert badge.exchange(bytes([0x30, 43])) == bytes(8) + bytes(badge.memory[:8])  # neither password nor PACK
    badge.power(True)
    badge.select()
    assert badge.exchange(bytes.fromhex("A2 08 00 00 00 00")) == "nak"


def test_read_protection_wraps_before_the_protected_pages() -> None:
    badge = ntag(user=bytes(range(64)))
    badge.protect(b"pass", b"OK", 8, reads_too=True)
    assert badge.exchange(b"\x30\x07") == bytes(range(12, 16)) + bytes(badge.memory[:12])


def test_unknown_tag_command_is_refused_loudly() -> None:
    with pytest.raises(SimFault, match="tag command 3A 00 04 is not in the sheet"):
        ntag().exchange(bytes.fromhex("3A 00 04"))


def test_phones_change() -> None:
    phone = PhoneBadge(1)
    seen = set()
    for _ in range(20):
        phone.power(True)
        seen.add(phone.uid)
        phone.power(False)
    assert len(seen) == 20
    assert {(uid[0], len(uid)) for uid in seen} == {(0x08, 4)}
    assert SmartBadge(SEVEN).uid == SmartBadge(SEVEN).uid


def test_pad() -> None:
    time = Scheduler()
    pad = BadgePad(time)
    badge = Badge(b"\x11\x22\x33\x44", "Anne")
    pad.show(badge, 500, at=1000)
    time.run_until(1200)
    assert pad.badges == (badge,)
    assert pad.cards() == ()  # no field
    pad.set_field(True)
    assert pad.cards() == (badge,)
    with pytest.raises(WorldError, match="Anne is on the pad already"):
        pad.enter(badge)
    time.run_until(1500)
    assert pad.cards() == ()
    with pytest.raises(WorldError, match="Anne is not on the pad"):
        pad.leave(badge)
    assert pad.log == [Shown(1000, "shown", "Anne", badge.uid), Shown(1500, "withdrawn", "Anne", badge.uid)]
