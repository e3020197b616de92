"""The FRAM's model: every opcode, every part, protection, sleep, and power cuts at each byte."""

import random

import pytest

from hwsim.chips.mb85rs import PARTS, Mb85rs, replay
from hwsim.core import Line, Scheduler, SimFault

BYTE_NS = 400  # 20 MHz


def command(chip: Mb85rs, *data: int, answer: int = 0) -> bytes:
    """One chip select window: bytes out, then ``answer`` bytes in. Moves time as the fabric does."""
    time = chip._scheduler
    chip.select()
    chip.transfer(bytes(data), BYTE_NS)
    time.run_until(time.now + len(data) * BYTE_NS)
    got = chip.transfer(bytes(answer), BYTE_NS)
    time.run_until(time.now + answer * BYTE_NS)
    chip.deselect()
    return got


def address(chip: Mb85rs, value: int) -> list[int]:
    return list(value.to_bytes(chip.part.address_bytes, "big"))


def write(chip: Mb85rs, where: int, data: bytes) -> None:
    command(chip, 0x06)
    command(chip, 0x02, *address(chip, where), *data)


def read(chip: Mb85rs, where: int, count: int) -> bytes:
    return command(chip, 0x03, *address(chip, where), answer=count)


def status(chip: Mb85rs) -> int:
    return command(chip, 0x05, answer=1)[0]


def set_status(chip: Mb85rs, value: int) -> None:
    command(chip, 0x06)
    command(chip, 0x01, value)


@pytest.mark.parametrize(
    ("part", "size", "address_bytes", "rdid"),
    [
        ("MB85RS16", 2048, 2, "047f0101"),
        ("MB85RS64V", 8192, 2, "047f0302"),
        ("MB85RS64T", 8192, 2, "047f2303"),
        ("MB85RS128B", 16384, 2, "047f0409"),
        ("MB85RS128TY", 16384, 2, "047f2403"),
        ("MB85RS256B", 32768, 2, "047f0509"),
        ("MB85RS256TY", 32768, 2, "047f2503"),
        ("MB85RS512T", 65536, 2, "047f2603"),
        ("MB85RS1MT", 131072, 3, "047f2703"),
        ("MB85RS2MTA", 262144, 3, "047f4803"),
        ("MB85RS4MT", 524288, 3, "047f4903"),
    ],
)
def test_every_part(part: str, size: int, address_bytes: int, rdid: str) -> None:
    chip = Mb85rs(Scheduler(), part)
    assert len(chip.image) == size
    assert chip.part.address_bytes == address_bytes
    assert command(chip, 0x9F, answer=4).hex() == rdid
    write(chip, size - 2, b"abcd")  # wraps to address 0
    assert chip.image[-2:] + chip.image[:2] == b"abcd"
    assert read(chip, size - 2, 4) == b"abcd"
    unused_bits = 8 * address_bytes - (size - 1).bit_length()
    if unused_bits:
        assert read(chip, size | 1, 1) == b"d"  # upper unused address bits mean nothing
    assert len(PARTS) == 11


def test_part_without_identification() -> None:
    chip = Mb85rs(Scheduler(), "MB85RS256B", identifies=False)
    assert command(chip, 0x9F, answer=4) == b"\xff\xff\xff\xff"


@pytest.mark.parametrize("opcode", [0x00, 0x0A, 0x20, 0xAB, 0xC7, 0xFF])
def test_unknown_opcode_fails_loudly(opcode: int) -> None:
    chip = Mb85rs(Scheduler(), name="U4")
    with pytest.raises(SimFault, match=rf"U4: unknown opcode {opcode:02X} at 0 ns"):
        command(chip, opcode)


@pytest.mark.parametrize("opcode", [0x0B, 0xB9])
def test_small_parts_have_no_fast_read_and_no_sleep(opcode: int) -> None:
    with pytest.raises(SimFault, match="unknown opcode"):
        command(Mb85rs(Scheduler(), "MB85RS64V"), opcode)


def test_clocked_without_chip_select() -> None:
    with pytest.raises(SimFault, match="without chip select"):
        Mb85rs(Scheduler()).transfer(b"\x05", BYTE_NS)


def test_clock_beyond_the_part() -> None:
    chip = Mb85rs(Scheduler(), "MB85RS64V")
    chip.select()
    chip.transfer(b"\x05", 400)
    with pytest.raises(SimFault, match="part ends at 20 MHz"):
        chip.transfer(b"\x00", 320)


def test_write_enable_latch() -> None:
    chip = Mb85rs(Scheduler())
    assert status(chip) == 0
    command(chip, 0x06)
    assert status(chip) == 0x02
    command(chip, 0x04)
    assert status(chip) == 0
    write(chip, 0, b"x")
    assert status(chip) == 0  # each WRITE needs its own WREN
    command(chip, 0x02, 0, 0, 0, ord("y"))
    assert chip.image[0] == ord("x")
    assert chip.ignored[-1].opcode == 0x02
    set_status(chip, 0x00)
    assert status(chip) == 0


def test_write_in_the_window_of_wren_is_not_a_write() -> None:
    chip = Mb85rs(Scheduler())
    command(chip, 0x06, 0x02, 0, 0, 0, ord("x"))
    assert chip.image[0] == 0
    assert status(chip) == 0x02


def test_status_register_repeats_and_keeps_its_stored_bits() -> None:
    chip = Mb85rs(Scheduler())
    set_status(chip, 0xFF)
    assert command(chip, 0x05, answer=3) == b"\xfc\xfc\xfc"
    command(chip, 0x01, 0x00)  # without WREN
    assert status(chip) == 0xFC
    chip.power_off()
    chip.power_on()
    assert status(chip) == 0xFC


def test_status_register_takes_one_byte() -> None:
    chip = Mb85rs(Scheduler())
    command(chip, 0x06)
    with pytest.raises(SimFault, match="WRSR takes one byte"):
        command(chip, 0x01, 0x00, 0x00)


@pytest.mark.parametrize(("bp", "first"), [(0x00, 0x80000), (0x04, 0x60000), (0x08, 0x40000), (0x0C, 0)])
def test_block_protection(bp: int, first: int) -> None:
    chip = Mb85rs(Scheduler())
    set_status(chip, bp)
    chip.journal = []
    if first:
        write(chip, first - 1, b"ab")
        assert chip.image[first - 1] == ord("a")
        assert chip.image[first % len(chip.image)] == (ord("b") if bp == 0 else 0)
    if bp:
        write(chip, first, b"z")
        assert chip.image[first] == 0
        assert "protected" in chip.ignored[-1].reason
        assert status(chip) & 0x02 == 0


def test_status_write_protection_by_pin() -> None:
    pin = Line("WP", 0)
    chip = Mb85rs(Scheduler(), write_protect_n=pin)
    set_status(chip, 0x80)
    set_status(chip, 0x0C)
    assert status(chip) == 0x80
    pin.drive(1)
    set_status(chip, 0x0C)
    assert status(chip) == 0x0C


def test_read_in_pieces_and_fast_read() -> None:
    chip = Mb85rs(Scheduler(), image=bytearray(random.Random(1).randbytes(524288)))
    chip.select()
    assert chip.transfer(b"\x03\x07\xff\xfeAB", BYTE_NS)[4:] == chip.image[-2:]
    assert chip.transfer(bytes(5), BYTE_NS) == chip.image[:5]
    chip.deselect()
    assert command(chip, 0x0B, 0x01, 0x02, 0x03, 0x55, answer=4) == chip.image[0x10203:0x10207]


def test_sleep_and_wake_up() -> None:
    chip = Mb85rs(Scheduler())
    time = chip._scheduler
    write(chip, 5, b"q")
    command(chip, 0xB9)
    assert chip.asleep
    assert read(chip, 5, 1) == b"\xff"  # this select wakes it, but it does not hear yet
    assert not chip.asleep
    assert chip.ignored[-1].reason == "waking up"
    write(chip, 5, b"r")
    assert chip.image[5] == ord("q")
    time.run_until(time.now + 400_000)
    assert read(chip, 5, 1) == b"q"


def test_journal_rebuilds_the_image_after_every_byte() -> None:
    source = random.Random(7)
    base = source.randbytes(2048)
    chip = Mb85rs(Scheduler(), "MB85RS16", bytearray(base))
    chip.journal = []
    states = [base]
    for _ in range(20):
        write(chip, source.randrange(2040), source.randbytes(source.randint(1, 8)))
        states.append(bytes(chip.image))
    write(chip, 2046, b"wrap")
    states += [bytes(chip.image)]
    assert [entry.address for entry in chip.journal[-2:]] == [2046, 0]
    assert replay(base, chip.journal, len(chip.journal)) == states[-1]
    for i, entry in enumerate(chip.journal[:20]):
        assert replay(base, chip.journal, i) == states[i]
        assert replay(base, chip.journal, i, torn=len(entry.data)) == states[i + 1]
        torn = replay(base, chip.journal, i, torn=0, in_flight=0xA5)
        assert torn[entry.address] == 0xA5
        assert torn[entry.address + 1 :] == states[i][entry.address + 1 :]
    with pytest.raises(ValueError, match="has 22 writes"):
        replay(base, chip.journal, 23)
    with pytest.raises(ValueError, match="bytes"):
        replay(base, chip.journal, 0, torn=len(chip.journal[0].data), in_flight=0)


def test_journal_has_the_instant_of_the_first_byte_and_nothing_of_ignored_writes() -> None:
    chip = Mb85rs(Scheduler())
    chip.journal = []
    command(chip, 0x02, 0, 0, 0, 1)
    assert chip.journal == []
    start = chip._scheduler.now
    write(chip, 0x10, b"ab")
    assert chip.journal == [(start + 5 * BYTE_NS, 0x10, b"ab")]  # WREN, then opcode and address


@pytest.mark.parametrize("n", range(9))
def test_power_cut_inside_a_write(n: int) -> None:
    chip = Mb85rs(Scheduler(), seed=3)
    write(chip, 0, bytes(8))
    cut_at: list[int] = []
    chip.cut_after(n, lambda: cut_at.append(chip._scheduler.now))
    start = chip._scheduler.now
    write(chip, 0, b"ABCDEFGH")
    write(chip, 100, b"later")
    if n < 8:
        assert chip.image[:n] == b"ABCDEFGH"[:n]
        assert chip.image[n + 1 : 8] == bytes(7 - n)
        assert cut_at == [start + (5 + n) * BYTE_NS]
        assert chip.image[100:105] == bytes(5)
    else:
        assert chip.image[:8] == b"ABCDEFGH"
        assert chip.image[101:105] == bytes(4)  # the byte in flight was the first of the next write
    assert not chip.powered
    assert read(chip, 0, 3) == b"\xff\xff\xff"
    chip.power_on()
    assert status(chip) == 0
    assert read(chip, 0, 8) == chip.image[:8]
    write(chip, 0, b"again")
    assert read(chip, 0, 5) == b"again"


def test_clean_cut_leaves_the_next_byte_alone() -> None:
    chip = Mb85rs(Scheduler(), "MB85RS16", bytearray(b"\x11" * 2048))
    chip.journal = []
    chip.cut_after(3, in_flight=False)
    write(chip, 0, b"ABCDEFGH")
    assert chip.image[:8] == b"ABC\x11\x11\x11\x11\x11"
    assert replay(b"\x11" * 2048, chip.journal, 1) == chip.image


def test_byte_in_flight_depends_on_the_seed_only() -> None:
    def torn(seed: int) -> int:
        chip = Mb85rs(Scheduler(), seed=seed)
        chip.cut_after(0)
        write(chip, 0, b"A")
        return chip.image[0]

    assert [torn(seed) for seed in range(20)] == [torn(seed) for seed in range(20)]
    assert len({torn(seed) for seed in range(20)}) > 10


def test_power_loss_clears_the_latch() -> None:
    chip = Mb85rs(Scheduler())
    command(chip, 0x06)
    chip.power_off()
    chip.power_on()
    command(chip, 0x02, 0, 0, 0, 1)
    assert chip.image[0] == 0


def test_image_of_another_size() -> None:
    with pytest.raises(ValueError, match="holds 2048 bytes"):
        Mb85rs(Scheduler(), "MB85RS16", bytearray(5))
    with pytest.raises(ValueError, match="unknown part"):
        Mb85rs(Scheduler(), "MB85RS5")


@pytest.mark.parametrize("seed", range(40))
def test_a_transfer_in_one_piece_is_its_bytes_one_by_one(seed: int) -> None:
    """Reads, writes across protection and the memory's end, and a cut somewhere: time, memory and records alike."""

    def played(whole: bool) -> tuple[object, ...]:
        draw = random.Random(seed)
        chip = Mb85rs(Scheduler(), "MB85RS16", seed=seed)
        chip.journal = []
        time = chip._scheduler
        heard = bytearray()
        set_status(chip, draw.choice([0x00, 0x04, 0x08]))
        chip.cut_after(draw.randrange(1, 4000), in_flight=draw.random() < 0.5)
        for _ in range(40):
            out = bytes((draw.choice([0x02, 0x03]),)) + draw.randrange(2048).to_bytes(2, "big")
            out += draw.randbytes(draw.randrange(200))
            if draw.random() < 0.9:
                command(chip, 0x06)
            chip.select()
            at = 0
            while at < len(out):
                size = draw.randrange(1, 80)
                for piece in (
                    [out[at : at + size]] if whole else [out[i : i + 1] for i in range(at, min(at + size, len(out)))]
                ):
                    heard += chip.transfer(piece, BYTE_NS)
                    time.run_until(time.now + len(piece) * BYTE_NS)
                at += size
            chip.deselect()
            if not chip.powered:
                chip.power_on()
        return bytes(heard), bytes(chip.image), chip.journal, chip.ignored, chip.status

    assert played(whole=True) == played(whole=False)
