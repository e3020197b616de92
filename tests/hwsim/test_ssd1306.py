"""The display's model: control bytes, addressing modes, and what reaches the glass through remap, scan and wiring."""

import pytest

from hwsim.chips.ssd1306 import Ssd1306, Update
from hwsim.core import Line, Scheduler, SimFault

INIT_64 = "AE 20 00 40 A1 A8 3F C8 D3 00 DA 12 D5 80 D9 F1 DB 30 81 FF A4 A6 8D 14 AF"
INIT_32 = "AE 20 00 40 A1 A8 1F C8 D3 00 DA 02 D5 80 D9 F1 DB 30 81 FF A4 A6 8D 14 AF"


class Bench:
    def __init__(self, init: str = INIT_64, height: int = 64, **options: object) -> None:
        self.time = Scheduler()
        self.chip = Ssd1306(self.time, height, name="DISP", **options)  # type: ignore[arg-type]
        self.command(init)

    def command(self, text: str) -> None:
        if text:
            self.send("00" + text)

    def data(self, data: bytes) -> None:
        assert self.chip.write(b"\x40" + data) == 1 + len(data)
        self.chip.stop()

    def send(self, text: str) -> None:
        data = bytes.fromhex(text)
        assert self.chip.write(data) == len(data)
        self.chip.stop()

    def clear(self) -> None:
        self.command("21 00 7F 22 00 07")
        self.data(bytes(1024))

    def dot(self, column: int, page: int, byte: int = 0x01) -> None:
        self.command(f"21 {column:02X} 7F 22 {page:02X} 07")
        self.data(bytes([byte]))

    def lit(self) -> list[tuple[int, int]]:
        """Lit pixels as (x, y)."""
        return [(x, y) for y, row in enumerate(self.chip.pixels()) for x, on in enumerate(row) if on]


def clean(init: str = INIT_64, height: int = 64, **options: object) -> Bench:
    bench = Bench(init, height, **options)
    bench.clear()
    return bench


def test_display_ram_is_not_empty_at_power_up() -> None:
    assert 3000 < len(Bench().lit()) < 5200
    assert Bench().chip.pixels() == Bench().chip.pixels()  # by the seed
    assert Bench().chip.pixels() != Bench(seed=1).chip.pixels()


@pytest.mark.parametrize("init", ["", INIT_64.replace("8D 14 ", ""), INIT_64.replace("AF", "AE")])
def test_dark_without_initialisation_charge_pump_or_display_on(init: str) -> None:
    assert Bench(init).lit() == []


def test_external_supply_needs_no_charge_pump() -> None:
    assert Bench(INIT_64.replace("8D 14", "8D 10"), external_vcc=True).chip.lit


@pytest.mark.parametrize(("init", "height"), [(INIT_64, 64), (INIT_32, 32)])
def test_upright_picture_of_the_usual_initialisation(init: str, height: int) -> None:
    bench = clean(init, height)
    for column, page, byte, x, y in ((0, 0, 0x01, 0, 0), (127, 0, 0x02, 127, 1), (5, 3, 0x80, 5, 31)):
        bench.dot(column, page, byte)
        assert bench.lit() == [(x, y)]
        bench.clear()


def test_a0_and_c0_turn_the_picture_round() -> None:
    bench = clean(INIT_64.replace("A1", "A0").replace("C8", "C0"))
    bench.dot(0, 0)
    assert bench.lit() == [(127, 63)]


def test_remap_acts_on_data_to_come() -> None:
    bench = clean()
    bench.dot(10, 0)
    bench.command("A0")
    assert bench.lit() == [(10, 0)]
    bench.dot(10, 0)
    assert bench.lit() == [(10, 0), (117, 0)]


def test_scan_direction_acts_at_once() -> None:
    bench = clean()
    bench.dot(10, 0)
    bench.command("C0")
    assert bench.lit() == [(10, 63)]


def test_wrong_com_wiring_shuffles_the_lines() -> None:
    bench = clean(INIT_64.replace("DA 12", "DA 02"))
    bench.dot(0, 0, 0x03)
    bench.dot(0, 4, 0x01)
    assert bench.lit() == [(0, 0), (0, 1), (0, 2)]  # lines 0, 32 and 1
    bench = clean(INIT_32.replace("DA 02", "DA 12"), 32)
    bench.dot(0, 0, 0xFF)
    assert len(bench.lit()) == 4  # every other line is wired nowhere


def test_left_and_right_exchanged() -> None:
    bench = clean(INIT_64.replace("DA 12", "DA 32"))
    bench.dot(0, 0, 0x03)
    assert bench.lit() == [(0, 0), (0, 1)]
    bench.command("DA 22")
    assert [y for _x, y in bench.lit()] != [0, 1]


@pytest.mark.parametrize(("offset", "start", "y"), [(0, 0, 8), (0, 8, 0), (8, 0, 0), (0, 16, 56), (60, 0, 12)])
def test_offset_and_start_line(offset: int, start: int, y: int) -> None:
    bench = clean()
    bench.dot(0, 1)
    bench.command(f"D3 {offset:02X} {0x40 + start:02X}")
    assert bench.lit() == [(0, y)]


def test_multiplex_ratio_leaves_lines_dark() -> None:
    bench = clean()
    bench.command("A5 A8 1F")
    assert len({y for _x, y in bench.lit()}) == 32
    assert len(bench.lit()) == 32 * 128


def test_all_on_inverse_and_off() -> None:
    bench = clean()
    bench.dot(0, 0)
    bench.command("A7")
    assert len(bench.lit()) == 128 * 64 - 1
    bench.command("A6 A5")
    assert len(bench.lit()) == 128 * 64
    bench.command("A4")
    assert len(bench.lit()) == 1
    bench.command("AE")
    assert bench.lit() == []


def test_contrast() -> None:
    bench = Bench("")
    assert bench.chip.contrast == 0x7F
    bench.command("81 10")
    assert bench.chip.contrast == 0x10


def where(bench: Bench) -> list[tuple[int, int]]:
    """Columns and pages of the bytes that hold FF."""
    ram = bench.chip._ram
    return [(127 - s, p) for p in range(8) for s in reversed(range(128)) if ram[p][s] == 0xFF]


def test_horizontal_window_wraps() -> None:
    bench = clean()
    bench.command("21 7E 7F 22 06 07")
    bench.data(bytes([0xFF, 0, 0xFF]))
    assert where(bench) == [(126, 6), (126, 7)]
    bench.data(bytes([0, 0xFF]))  # the last column of the window, then its beginning again
    bench.data(bytes([0xFF]))
    assert where(bench) == [(126, 6), (127, 6), (126, 7)]


def test_vertical_window_wraps() -> None:
    bench = clean()
    bench.command("20 01 21 03 04 22 01 02")
    bench.data(bytes([0xFF, 0, 0xFF, 0, 0, 0xFF]))
    assert where(bench) == [(4, 1), (3, 2)]


def test_page_mode_stays_on_its_page() -> None:
    bench = clean()
    bench.command("20 02 B3 0E 17")  # page 3, column 126
    bench.data(bytes([0xFF, 0, 0xFF]))
    assert where(bench) == [(126, 3)]
    bench.command("B2 05 11")
    bench.data(b"\xff")
    assert where(bench) == [(21, 2), (126, 3)]


@pytest.mark.parametrize(
    "command",
    [
        *("26", "27", "29", "2A", "2E", "2F", "A3", "23", "D6", "E3", "AD", "82", "FF", "20 02 18", "B8"),
        *("20 03", "20 10", "8D 15", "A8 0E", "A8 40", "D3 40", "DA 10", "DB 35", "D9 F0", "D9 0F"),
        *("21 00 80", "21 05 04", "22 00 08", "22 03 02", "B0", "00", "10", "20 02 21 00 7F", "20 02 22 00 07"),
    ],
)
def test_what_the_sheet_does_not_have_is_refused(command: str) -> None:
    with pytest.raises(SimFault, match=r"DISP: .* at \d+ ns"):
        Bench().command(command)


def test_newer_revision_has_a_current_reference() -> None:
    Bench(revision_b=True).command("AD 30 AF")
    with pytest.raises(SimFault, match="parameter 40 of command AD"):
        Bench(revision_b=True).command("AD 40")


@pytest.mark.parametrize("control", ["01", "20", "41", "BF"])
def test_control_byte_has_two_bits(control: str) -> None:
    with pytest.raises(SimFault, match=f"control byte {control}"):
        Bench().send(control + "00")


def test_reading_is_refused() -> None:
    with pytest.raises(SimFault, match="a read of 1 bytes"):
        Bench().chip.read(1)


def test_control_bytes_one_by_one() -> None:
    bench = clean()
    bench.send("80 21 80 05 80 05 80 22 80 00 80 00 C0 01 C0 02 40 80")
    assert bench.lit() == [(5, 7)]


def test_command_spread_over_transactions() -> None:
    bench = clean()
    for byte in (0x81, 0x42):
        bench.send(f"80 {byte:02X}")
    assert bench.chip.contrast == 0x42


def test_data_inside_a_command_is_refused() -> None:
    bench = Bench()
    bench.send("80 21 80 00")
    with pytest.raises(SimFault, match="data inside command 21, which wants 2 parameters"):
        bench.data(b"\x00")


def test_update_log() -> None:
    bench = clean()
    bench.chip.updates.clear()
    bench.time.run_until(5_000_000)
    bench.command("21 08 0F 22 02 03")
    bench.data(bytes(10))
    bench.send("C0 01 C0 02")
    bench.command("A6")
    assert list(bench.chip.updates) == [Update(5_000_000, 2, 8, 10), Update(5_000_000, 3, 10, 2)]


def test_update_log_has_a_cap() -> None:
    bench = Bench()
    for _ in range(5_000):
        bench.data(b"\x00")
    assert len(bench.chip.updates) == 4096


def test_reset_pin() -> None:
    pin = Line("RES", 1)
    bench = clean(reset_n=pin)
    bench.dot(0, 0)
    pin.drive(0)
    assert bench.chip.write(b"\x00\xaf") == 0
    assert bench.chip.read(1) == b""
    bench.time.run_until(bench.time.now + 3_000)
    pin.drive(1)
    assert bench.lit() == []
    bench.command(INIT_64)
    assert bench.lit() == [(0, 0)]  # the display RAM is not touched by a reset


def test_reset_pulse_has_a_minimum() -> None:
    pin = Line("RES", 1)
    bench = Bench(reset_n=pin)
    pin.drive(0)
    bench.time.run_until(bench.time.now + 2_999)
    with pytest.raises(SimFault, match="RES low for 2999 ns only"):
        pin.drive(1)


def test_absent() -> None:
    bench = clean()
    bench.chip.dead = True
    assert bench.chip.write(b"\x00\xae") == 0
    assert bench.lit() == []
    bench.chip.dead = False
    bench.chip.power_cycle()
    assert bench.lit() == []
    bench.command(INIT_64)
    assert len(bench.lit()) > 3000


def test_picture_as_text() -> None:
    bench = clean(INIT_32, 32)
    bench.dot(1, 0, 0x05)
    assert bench.chip.picture().splitlines()[:4] == [" #", "", " #", ""]


def test_no_other_glass() -> None:
    with pytest.raises(ValueError, match="48 lines"):
        Ssd1306(Scheduler(), 48)
