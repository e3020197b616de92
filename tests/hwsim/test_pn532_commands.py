"""What a PN532's model does in its field: cards found, read, lost, and the limits of each command."""

import pytest

from hwsim.chips.pn532_air import Card, Reply, discovery_order
from hwsim.core import NS_PER_MS, SimFault
from hwsim.world.badges import Badge, BadgeUids, NtagBadge, PhoneBadge, SmartBadge
from tests.hwsim.pn532_bench import ACK, ERROR, FIRMWARE_ANSWER, I2cBench, frame

FOUR = bytes.fromhex("DEADBEEF")
SEVEN = bytes.fromhex("04A1B2C3D4E580")
LIST = "4A 01 00"
FEW_RETRIES = "32 05 FF 01 01"


def bench(*badges: Badge) -> I2cBench:
    made = I2cBench()
    made.command(FEW_RETRIES)
    for badge in badges:
        made.pad.enter(badge)
    return made


def test_firmware_version() -> None:
    made = I2cBench()
    made.write(frame("02"))
    assert made.take() == ACK
    assert made.take() == FIRMWARE_ANSWER


def test_configuration_commands() -> None:
    made = I2cBench()
    assert made.command("14 01 14 01") == b"\x15"
    assert made.command("14 01") == b"\x15"
    assert made.command("12 14") == b"\x13"
    assert made.command("32 01 01") == b"\x33"
    assert made.command("32 0A" + "00" * 11) == b"\x33"
    assert made.command("00 00 01 02 03") == bytes.fromhex("01 00 01 02 03")
    assert made.command("04") == bytes.fromhex("05 00 00 00 00")


@pytest.mark.parametrize(
    "command",
    [
        *("02 00", "12", "14", "14 01 00 00 00", "16", "32", "32 01", "32 05 01 02", "4A 01", "4A 00 00", "4A 03 00"),
        *("44", "52", "54", "4A 01 00 DE AD BE", "42", "40", "00"),
    ],
)
def test_wrong_length_or_range_is_answered_by_the_error_frame(command: str) -> None:
    made = bench(Badge(FOUR))
    made.write(frame(command))
    assert made.take() == ACK
    assert made.take() == ERROR
    assert made.command("02") == bytes.fromhex("03 32 01 06 07")


@pytest.mark.parametrize(
    "command",
    [
        *("60 01 01 00", "06 63 05", "08 63 05 00", "10 04", "5A", "FF", "14 02", "16 04", "16 00", "16 80 01"),
        *("32 03 00", "4A 01 01 00", "00 06"),
    ],
)
def test_what_the_sheet_does_not_have_is_refused(command: str) -> None:
    made = I2cBench()
    with pytest.raises(SimFault, match=r"PN532: .* at \d+ ns"):
        made.command(command)


def test_unknown_command_may_be_answered_as_the_chip_does() -> None:
    made = I2cBench(strict=False)
    made.write(frame("5A"))
    assert made.take() == ACK
    assert made.take() == ERROR


@pytest.mark.parametrize("command", [LIST, "32 01 01", "40 01 30 04", "52 00"])
def test_field_commands_want_sam_configuration_first(command: str) -> None:
    made = I2cBench(awake=False)
    made.write(b"")
    made.run(1)
    assert made.command("02") == bytes.fromhex("03 32 01 06 07")
    with pytest.raises(SimFault, match="before SAMConfiguration"):
        made.command(command)


# Finding cards


def test_card_with_4_bytes() -> None:
    made = bench(Badge(FOUR))
    began = made.time.now
    assert made.command(LIST) == bytes.fromhex("4B 01 01 00 04 08 04 DE AD BE EF")
    assert 5 < (made.time.now - began) / NS_PER_MS < 20  # the field had to come first


def test_card_with_7_bytes() -> None:
    made = bench(NtagBadge(SEVEN))
    assert made.command(LIST) == bytes.fromhex("4B 01 01 00 44 00 07") + SEVEN


def test_smart_card_has_an_ats_while_parameters_ask_for_it() -> None:
    made = bench(SmartBadge(SEVEN))
    found = bytes.fromhex("4B 01 01 03 44 20 07") + SEVEN
    assert made.command(LIST) == found + bytes.fromhex("06 75 77 81 02 80")
    made.command("12 04")
    assert made.command(LIST) == found


def test_random_uid_changes_with_the_field() -> None:
    made = bench(PhoneBadge(seed=3))
    first = made.command(LIST)
    assert first[6:8] == b"\x04\x08"
    assert made.command(LIST) == first
    made.command("32 01 00")
    second = made.command(LIST)
    assert second[7] == 0x08
    assert second != first


def test_no_card() -> None:
    made = bench()
    began = made.time.now
    assert made.command(LIST) == b"\x4b\x00"
    assert (made.time.now - began) / NS_PER_MS < 30


def test_retries_are_endless_by_default() -> None:
    made = I2cBench()
    made.write(frame(LIST))
    assert made.take() == ACK
    assert made.take(ms=20_000) == b""
    assert made.chip.busy
    made.pad.enter(Badge(FOUR))
    assert made.take()[5:8] == bytes.fromhex("D5 4B 01")


def test_card_that_comes_between_two_tries_is_found() -> None:
    made = bench()
    made.command("32 05 FF 01 03")
    made.write(frame(LIST))
    made.pad.show(Badge(FOUR), 100 * NS_PER_MS, made.time.now + 12 * NS_PER_MS)
    assert made.take() == ACK
    assert made.take()[5:8] == bytes.fromhex("D5 4B 01")


def test_two_cards() -> None:
    made = bench(NtagBadge(SEVEN), Badge(FOUR))
    both = made.command("4A 02 00")
    assert both[:2] == bytes.fromhex("4B 02")
    assert both.count(FOUR) == both.count(SEVEN) == 1
    assert made.command("04")[3:5] == bytes([2, 1])
    only = made.command(LIST)
    assert only[1:3] == b"\x01\x01"
    assert FOUR in only  # on the air DE begins 0 1, the cascade tag 0 0


def test_order_of_discovery_follows_the_ones() -> None:
    uids = BadgeUids(1)
    cards = [Badge(uids.four()) for _ in range(20)] + [NtagBadge(uids.seven()) for _ in range(5)]
    ordered = discovery_order(cards)

    def on_air(card: Card) -> str:
        data = card.uid if len(card.uid) == 4 else b"\x88" + card.uid
        return "".join(f"{byte:08b}"[::-1] for byte in data)

    assert [on_air(card) for card in ordered] == sorted((on_air(card) for card in cards), reverse=True)


@pytest.mark.parametrize(("data", "found"), [("DE AD BE EF", FOUR), ("88" + SEVEN.hex(), SEVEN), ("01 02 03 04", None)])
def test_known_uid_only(data: str, found: bytes | None) -> None:
    made = bench(NtagBadge(SEVEN), Badge(FOUR))
    answer = made.command(f"4A 01 00 {data}")
    assert answer[1] == (0 if found is None else 1)
    assert found is None or answer.endswith(found)


def test_card_lost_on_air_is_not_found_in_that_try() -> None:
    made = bench(Badge(FOUR))
    heard: list[bytes] = []

    def fault(card: Card, request: bytes, reply: Reply) -> Reply:
        heard.append(request)
        return None if len(heard) == 1 else reply

    made.pad.air_fault = fault
    assert made.command(LIST)[1] == 1
    assert heard == [b"", b""]


# Talking to cards


def ntag_bench() -> I2cBench:
    made = bench(NtagBadge(SEVEN, user=bytes(range(144))))
    made.command(LIST)
    return made


def test_read_four_pages() -> None:
    made = ntag_bench()
    assert made.command("40 01 30 04") == bytes([0x41, 0x00, *range(16)])
    assert made.command("40 01 30 00") == bytes.fromhex("4100 04A1B29F C3D4E580 72480000 E1101200")
    assert made.command("40 01 30 2C")[2:] == bytes(4) + bytes.fromhex("04A1B29F C3D4E580 72480000")


def test_read_beyond_the_end_is_refused_and_the_tag_must_be_listed_again() -> None:
    made = ntag_bench()
    assert made.command("40 01 30 2D") == b"\x41\x13"
    began = made.time.now
    assert made.command("40 01 30 04") == b"\x41\x01"
    assert (made.time.now - began) / NS_PER_MS > 51
    made.command(LIST)
    assert made.command("40 01 30 04")[1] == 0


def test_write_and_read_back() -> None:
    made = ntag_bench()
    assert made.command("40 01 A2 05 CA FE BA BE") == b"\x41\x00"
    assert made.command("40 01 30 05")[2:6] == bytes.fromhex("CAFEBABE")
    assert made.command("40 01 A2 00 00 00 00 00") == b"\x41\x13"


def test_version_signature_and_password_go_through() -> None:
    made = ntag_bench()
    assert made.command("42 60") == bytes.fromhex("43 00 00 04 04 02 01 00 0F 03")
    assert len(made.command("42 3C 00")) == 2 + 32
    assert made.command("42 1B FF FF FF FF") == bytes.fromhex("43 00 00 00")
    assert made.command("42 1B 00 00 00 00") == b"\x43\x13"
    with pytest.raises(SimFault, match="it wants InCommunicateThru"):
        made.command("40 01 1B FF FF FF FF")


def test_tag_gone_is_a_timeout() -> None:
    made = ntag_bench()
    made.pad.leave(made.pad.badges[0])
    assert made.command("40 01 30 04") == b"\x41\x01"


def test_tag_that_goes_in_the_middle_is_a_timeout() -> None:
    made = ntag_bench()
    made.write(frame("40 01 30 04"))
    badge = made.pad.badges[0]
    made.time.after(2 * NS_PER_MS, lambda: made.pad.leave(badge))
    assert made.take() == ACK
    assert made.take()[5:8] == bytes.fromhex("D5 41 01")


def test_communication_retries() -> None:
    made = ntag_bench()
    made.command("32 04 02")
    lost: list[bytes] = []

    def fault(card: Card, request: bytes, reply: Reply) -> Reply:
        lost.append(request)
        return None if len(lost) < 3 else reply

    made.pad.air_fault = fault
    assert made.command("40 01 30 04", ms=500)[1] == 0
    assert len(lost) == 3


@pytest.mark.parametrize("command", ["40 02 30 04", "44 02", "54 02", "52 03"])
def test_target_that_is_not_listed(command: str) -> None:
    made = ntag_bench()
    assert made.command(command)[1:] == b"\x27"


def test_release_and_deselect() -> None:
    made = ntag_bench()
    assert made.command("44 01") == b"\x45\x00"
    assert made.command("40 01 30 04") == b"\x41\x01"  # halted
    assert made.command("54 01") == b"\x55\x00"
    assert made.command("40 01 30 04")[1] == 0
    assert made.command("52 01") == b"\x53\x00"
    assert made.command("40 01 30 04") == b"\x41\x27"
    assert made.command("42 60") == b"\x43\x27"
    assert made.command("52 00") == b"\x53\x00"
    assert made.command(LIST)[1] == 1


def test_select_of_a_card_that_has_gone() -> None:
    made = ntag_bench()
    made.pad.leave(made.pad.badges[0])
    assert made.command("54 01") == b"\x55\x01"


def test_field_off_takes_the_power_from_the_cards() -> None:
    made = ntag_bench()
    assert made.pad.field
    made.command("32 01 00")
    assert not made.pad.field
    assert made.command("40 01 30 04") == b"\x41\x01"
    assert made.command(LIST)[1] == 1
    assert made.pad.field


def test_last_error_is_in_the_general_status() -> None:
    made = ntag_bench()
    made.command("40 02 30 04")
    assert made.command("04")[:4] == bytes.fromhex("05 27 00 01")


def test_smart_card_answers_something() -> None:
    made = bench(SmartBadge(SEVEN))
    made.command(LIST)
    assert made.command("40 01 00 A4 04 00") == bytes.fromhex("41 00 6D 00")


def test_classic_card_is_an_identity_only() -> None:
    made = bench(Badge(FOUR))
    made.command(LIST)
    assert made.command("40 01 30 04") == b"\x41\x13"
    made.command(LIST)
    with pytest.raises(SimFault, match="authentication of MIFARE Classic is not modelled"):
        made.command("40 01 60 04 FF FF FF FF FF FF DE AD BE EF")
