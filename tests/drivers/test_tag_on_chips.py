"""One tag command by command: memory, states, passwords, EAS, signature, double rate; on the chip models."""

from __future__ import annotations

from typing import Any

import pytest
from iso15693 import ReaderFault, icode
from iso15693.tag import Icode, SystemInformation, Tag, TagError
from pn5180.fast import FastPN5180

from hwsim.chips.iso15693_tag import Iso15693Tag
from tests.drivers.faulty import UnaddressedTag
from tests.drivers.table import Rig, uid

NS_MS = 1_000_000
SERIAL = 0x1234
PRIVACY = 0x0F0F0F0F  # as delivered


def rig(*serials: int, **options: Any) -> Rig:
    made = Rig(make=FastPN5180)
    made.put(*(serials or (SERIAL,)), **options)
    made.reader.start()
    made.field_on()
    return made


def tag(made: Rig, serial: int = SERIAL) -> Icode:
    return Icode(made.reader, uid(serial))


def field_cycle(made: Rig) -> None:
    made.reader.rf_off()
    made.board.scheduler.run_until(made.board.scheduler.now + 5 * NS_MS)
    made.field_on()


def refused(act: Any, *arguments: Any, code: str = "refused") -> None:
    with pytest.raises(TagError) as caught:
        act(*arguments)
    assert caught.value.code == code


# The frames of the fact sheet, without their CRC.
FRAMES = {
    "random": (icode.custom, (icode.RANDOM_NUMBER, uid(0x123A)), "22 B2 04 3A 12 00 00 08 01 04 E0"),
    "signature": (icode.custom, (icode.READ_SIGNATURE, uid(0x123A)), "22 BD 04 3A 12 00 00 08 01 04 E0"),
    "password": (
        icode.custom,
        (icode.SET_PASSWORD, uid(0x123A), b"\x04" + icode.scrambled(PRIVACY, b"\x34\x12")),
        "22 B3 04 3A 12 00 00 08 01 04 E0 04 3B 1D 3B 1D",
    ),
    "one slot": (icode.inventory_read, (0, 2), "26 A0 04 00 00 01"),
    "sixteen": (icode.inventory_read, (0, 2, 0, b"", 0, False), "06 A0 04 00 00 01"),
    "afi and mask": (icode.inventory_read, (3, 1, 12, b"\x5a\xf3", 0x70), "36 A0 04 70 0C 5A 03 03 00"),
    "extended, quiet": (
        icode.inventory_read,
        (0, 1, 8, b"\x5a", 0, True, False, False, icode.NO_DATA | icode.GO_QUIET),
        "26 A0 04 88 30 5A",
    ),
    "fast, with UID": (icode.inventory_read, (0, 4, 0, b"", 0, True, True, True), "66 A1 04 00 00 03"),
    "selected": (icode.selected_read, (0, 4, True), "12 A1 04 00 00 03"),
}


@pytest.mark.parametrize(("build", "arguments", "frame"), FRAMES.values(), ids=FRAMES)
def test_frames(build: Any, arguments: tuple[Any, ...], frame: str) -> None:
    buf = bytearray(16)
    assert buf[: build(buf, *arguments)] == bytes.fromhex(frame)


def test_what_cannot_be_asked() -> None:
    buf = bytearray(16)
    for arguments in ((0, 0), (0, 257), (0, 1, 65, bytes(9)), (0, 1, 64, bytes(8), 0, False)):
        with pytest.raises(ValueError, match=r"mask|blocks"):
            icode.inventory_read(buf, *arguments)
    with pytest.raises(ValueError, match="blocks"):
        icode.selected_read(buf, 0, 0, fast=False)
    made = rig()
    for bad in (lambda: tag(made).read(0, 65), lambda: tag(made).write(0, b"abc"), lambda: tag(made).write(0, b"")):
        with pytest.raises(ValueError, match="blocks"):
            bad()


def test_blocks_are_written_and_read_back_and_no_other_tag_is_touched() -> None:
    made = rig(SERIAL, 0x99)
    other = tag(made, 0x99).read(0, 79 - 16)
    tag(made).write(2, b"four whole block")
    assert tag(made).read(2, 4) == b"four whole block"
    assert tag(made, 0x99).read(0, 79 - 16) == other
    refused(tag(made).write, 200, b"none")


class Forgetful(Iso15693Tag):
    """Says that it has written, and has not."""

    def _store(self, block: int, data: bytes) -> bool:
        return True


def plain(made: Rig, serial: int = 0x77, make: type[Iso15693Tag] = Iso15693Tag) -> tuple[Iso15693Tag, Tag]:
    """A tag of another maker, which knows Write Multiple, in the same field."""
    body = make(uid(serial)[:5] + b"\x10\x02\xe0", blocks=64)
    made.antenna.enter(body)
    made.board.scheduler.run_until(made.board.scheduler.now + 2 * NS_MS)
    return body, Tag(made.reader, body.uid)


def test_many_blocks_are_written_with_one_command_where_the_tag_has_it() -> None:
    made = rig()
    body, one = plain(made)
    heard: list[bytes] = []

    def listen(who: object, request: bytes) -> bytes:
        if who is body:
            heard.append(request)
        return request

    made.antenna.request_fault = listen
    before = tag(made).read(0, 60)
    heard.clear()
    for first, count in ((3, 1), (4, 2), (3, 61), (0, 16)):
        data = bytes(7 * number + count & 0xFF for number in range(4 * count))
        one.write_multiple(first, data)
        assert body.memory[4 * first : 4 * (first + count)] == data
    assert [request[1] for request in heard] == [0x24, 0x23] * 4
    assert heard[0][:12] == b"\x22\x24" + body.uid + b"\x03\x00" and len(heard[0]) == 12 + 4 + 2
    assert tag(made).read(0, 60) == before, "another tag is none the wiser"


def test_a_write_multiple_that_cannot_be_is_told_and_writes_nothing() -> None:
    made = rig()
    body, one = plain(made)
    before = bytes(body.memory)
    refused(tag(made).write_multiple, 0, b"an ICODE")  # SLIX2: no command 24
    refused(one.write_multiple, 63, b"past the")
    body.locked.add(9)
    refused(one.write_multiple, 8, b"one of themlocked...")
    assert bytes(body.memory) == before
    for bad in (b"", b"abc", bytes(62 * 4)):
        with pytest.raises(ValueError, match="blocks"):
            one.write_multiple(0, bad)
    forgetful = plain(made, 0x78, Forgetful)[1]
    refused(forgetful.write_multiple, 0, b"not kept", code="verify")
    short = Rig()
    short.put(SERIAL)
    short.reader.start()
    short.field_on()
    with pytest.raises(ReaderFault, match="length"):
        Tag(short.reader, uid(SERIAL)).write_multiple(0, b"too much")


def test_a_write_multiple_whose_answer_is_lost_is_found_by_reading_back() -> None:
    made = rig()
    body, one = plain(made)
    made.antenna.air_fault = lambda who, answer: None if len(answer) == 3 else answer
    one.write_multiple(5, b"it is there, and whole  ")
    assert body.memory[20:44] == b"it is there, and whole  "


def test_a_write_whose_answer_is_lost_is_found_by_reading_back() -> None:
    made = rig()
    lost: list[int] = []

    def fault(one: object, answer: bytes) -> bytes | None:
        if len(answer) == 3 and len(lost) < 4:
            lost.append(1)
            return None
        return answer

    made.antenna.air_fault = fault
    tag(made).write(1, b"here")
    assert len(lost) == 4
    made.antenna.air_fault = None
    assert tag(made).read(1, 1) == b"here"


def test_a_write_that_did_not_come_to_pass_is_told() -> None:
    made = rig()
    tag(made).write(1, b"old.")
    made.antenna.request_fault = lambda one, request: None if request[1] == 0x21 else request
    refused(tag(made).write, 1, b"new.", code="verify")


def test_a_driver_that_writes_unaddressed_hits_the_neighbour() -> None:
    made = rig(SERIAL, 0x99)
    UnaddressedTag(made.reader, uid(SERIAL)).write(0, b"mine")
    assert tag(made, 0x99).read(0, 1) == b"mine"


def test_states() -> None:
    made = rig(SERIAL, 0x99)
    tag(made).stay_quiet()
    made.take_inventory()
    assert made.heard.tags == [uid(0x99)]
    made.heard.clear()
    tag(made).reset_to_ready()
    made.take_inventory()
    assert set(made.heard.tags) == {uid(SERIAL), uid(0x99)}
    tag(made).select()
    assert tag(made).selected_read(0, 2) == tag(made).read(0, 2)


def test_system_information() -> None:
    made = rig(afi=0x70, dsfid=0x11)
    found = tag(made).system_information()
    assert (found.dsfid, found.afi, found.blocks, found.block_bytes, found.reference) == (0x11, 0x70, 80, 4, 1)
    # DSFID and IC reference alone
    part = SystemInformation(bytes.fromhex("09" + "3A12000008010 4E0".replace(" ", "") + "2233"))
    assert (part.dsfid, part.afi, part.blocks, part.block_bytes, part.reference) == (0x22, -1, -1, -1, 0x33)
    for bad in ("", "0F3A12", "003A12000008010 4E0FF".replace(" ", "")):
        with pytest.raises(TagError, match="length"):
            SystemInformation(bytes.fromhex(bad))


def test_a_tag_that_knows_no_custom_command_refuses_or_is_silent() -> None:
    made = Rig(make=FastPN5180)
    plain = Iso15693Tag(bytes.fromhex("0011223344550780e0")[1:], memory=bytes(64))
    made.antenna.enter(plain)
    made.reader.start()
    made.field_on()
    with pytest.raises(TagError, match=r"refused|silent"):
        Icode(made.reader, plain.uid).signature()
    assert Tag(made.reader, plain.uid).read(0, 2) == bytes(8)


def test_inventory_reads_in_all_modes() -> None:
    made = rig(SERIAL, 0x99)
    one = tag(made)
    one.write(0, b"blocks 0 and 1..")
    assert one.inventory_read(0, 4) == b"blocks 0 and 1.."
    assert one.inventory_read(0, 4, options=0) == b"blocks 0 and 1.."
    assert one.inventory_read(0, 1, options=icode.NO_DATA | icode.GO_QUIET) == b""
    made.take_inventory()
    assert made.heard.tags == [uid(0x99)]


def test_reading_at_double_rate_takes_less_air_and_the_right_receiver() -> None:
    made = rig()
    one = tag(made)
    one.write(0, bytes(range(64)))
    one.select()
    board = made.board
    began = board.scheduler.now
    assert one.selected_read(0, 16) == bytes(range(64))
    plain = board.scheduler.now - began
    refused(one.selected_read, 0, 16, True, code="silent")  # at the wrong rate nothing is heard
    made.reader.listen_fast(True)  # type: ignore[attr-defined]
    board.scheduler.run_until(board.scheduler.now + 20 * NS_MS)  # the answers that nobody heard are over
    began = board.scheduler.now
    assert one.selected_read(0, 16, fast=True) == bytes(range(64))
    assert board.scheduler.now - began < plain
    made.reader.listen_fast(False)  # type: ignore[attr-defined]
    assert one.read(0, 1) == bytes(range(4))


def test_passwords_are_proved_over_a_random_number() -> None:
    made = rig()
    one = tag(made)
    assert len({one.random_number() for _ in range(4)}) > 1
    one.write(0, b"free")
    one.set_password(icode.PASSWORD_READ, 0)
    one.set_password(icode.PASSWORD_WRITE, 0)
    one.write_password(icode.PASSWORD_WRITE, 0x12345678)
    one.set_password(icode.PASSWORD_WRITE, 0x12345678)
    one.protect_page(0, 0x20)  # all of it: a write needs the password
    field_cycle(made)
    refused(one.write, 0, b"shut")
    one.set_password(icode.PASSWORD_WRITE, 0x12345678)
    one.write(0, b"open")
    assert one.nxp_system_information()[:2] == b"\x00\x20"


def test_a_wrong_password_leaves_the_tag_deaf_until_the_field_goes() -> None:
    made = rig()
    one = tag(made)
    with pytest.raises(TagError):
        one.set_password(icode.PASSWORD_WRITE, 1)
    refused(one.read, 0, 1, code="silent")
    field_cycle(made)
    assert len(one.read(0, 1)) == 4


def test_privacy_and_back() -> None:
    made = rig()
    one = tag(made)
    one.enable_privacy(PRIVACY)
    field_cycle(made)
    made.take_inventory()
    assert made.heard.tags == []
    one.set_password(icode.PASSWORD_PRIVACY, PRIVACY)
    made.take_inventory()
    assert made.heard.tags == [uid(SERIAL)]


def test_destroyed_is_for_ever() -> None:
    made = rig()
    one = tag(made)
    one.destroy(PRIVACY)
    field_cycle(made)
    refused(one.read, 0, 1, code="silent")


def test_the_alarm() -> None:
    made = rig()
    one = tag(made)
    one.write_eas_id(0x1234)
    one.set_eas(True)
    assert one.eas_alarm()[:4] == bytes.fromhex("2FB36270")
    assert one.eas_id() == 0x1234
    one.set_eas(False)
    refused(one.eas_alarm, code="silent")
    one.lock_eas()
    refused(one.set_eas, True)


def test_the_signature_and_persistent_quiet() -> None:
    made = rig(signature=bytes(range(32)))
    one = tag(made)
    assert one.signature() == bytes(range(32))
    one.stay_quiet_persistent()
    field_cycle(made)
    made.take_inventory()
    assert made.heard.tags == []
    one.reset_to_ready()
    made.take_inventory()
    assert made.heard.tags == [uid(SERIAL)]


def test_every_answer_damaged_is_told_as_such() -> None:
    made = rig()
    made.antenna.air_fault = lambda one, answer: answer[:-1] + bytes([answer[-1] ^ 1])
    refused(tag(made).read, 0, 1, code="damaged")


def test_a_tag_that_is_gone_is_silent_and_nothing_hangs() -> None:
    made = rig()
    made.antenna.leave(made.antenna.tags[0])
    began = made.board.scheduler.now
    refused(tag(made).write, 0, b"gone", code="silent")
    assert made.board.scheduler.now - began < 300 * NS_MS
