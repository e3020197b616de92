"""docs/technician.md: each command on the page is run, in the page's order, at an emulated desk."""

import io
import re
import shlex
import shutil
from pathlib import Path

import pytest

from hwsim.provisioning import card_number
from hwsim.table import SimTable
from hwsim.usb.table import TableBoard
from sabot import __version__
from sabot_host.cli import diag
from sabot_host.cli.main import COMMANDS
from sabot_host.diag import antennas
from sabot_host.errors import Exit
from sabot_host.flash import udev
from sabot_host.link.refusals import REFUSALS
from sabot_host.release import bundle
from tests.flash.conftest import Desk
from tests.flash.house import flash_in_place, house_release
from tests.flash.technician import act

PAGE = (Path(__file__).parents[2] / "docs" / "technician.md").read_text()
LINES = re.findall(r"^    (?:sudo )?sabot (.*)$", PAGE, re.MULTILINE)
REFUSED = {name for name, _, _ in REFUSALS.values()}
RELEASE = "sabot-0.1.0-pico2.sabot"


class Person(io.StringIO):
    """Somebody at the keyboard who agrees, or takes what is proposed, and knows the answers given."""

    def __init__(self, *answers: str) -> None:
        super().__init__("".join(answer + "\n" for answer in answers))

    def isatty(self) -> bool:
        return True


class Story:
    """What happens at the desk before each command of the page."""

    def __init__(self, desk: Desk, stock: bytes, release: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
        self.desk = desk
        self.board = desk.bus.boards[0]
        self.monkeypatch = monkeypatch
        self.flashed = 0
        monkeypatch.setattr(diag, "_tell", self.do)
        monkeypatch.setattr(antennas, "LOOKS", 3)
        Path(RELEASE).write_bytes(house_release(release, desk.folder / "keys"))
        self.release = bundle.read(Path(RELEASE))
        Path("RPI_PICO2-v1.29.0.uf2").write_bytes(stock)
        packs = SimTable(desk.folder / "cards").packs
        Path("decks").mkdir()
        for number in (7, 12):
            lines = [f"{card.uid.hex()},{card.code}\n" for pack in packs for card in pack]
            Path(f"decks/table-{number}.csv").write_text("".join(lines))
        assert card_number("2c") == 0
        shutil.rmtree(desk.folder / "cards", ignore_errors=True)

    def before(self, line: str) -> None:
        answers = ["y"]
        if line.startswith("udev --install"):
            self.monkeypatch.setattr(udev, "PATH", self.desk.folder / "60-sabot.rules")
            self.monkeypatch.setattr(udev.install, "__defaults__", (udev.PATH,))
            self.monkeypatch.setattr(udev, "reload", lambda: None)
        elif line.startswith("provision --dialogue"):
            answers = [
                "Maison",
                "514",
                "7",
                "three_card",
                "2",
                "1",
                "5",
                "500",
                "5",
                "500",
                "5",
                "500",
                "cards",
                "",
                "fr",
                "y",
            ]
        elif line.startswith("flash") and line.endswith("--all"):
            self.blank()
        elif line == "provision tables.toml --all":
            tables = Path("tables.toml").read_text().partition("\n[[table]]")[0]
            tables += f'\n[[table]]\ntable = 12\ndeck = "decks/table-12.csv"\nserial = "{self.board.serial}"\n'
            Path("tables.toml").write_text(tables)
        elif line.startswith("flash"):
            if self.flashed and "--keys" not in line:
                self.bootsel()
            self.flashed += 1
        elif line.startswith("provision tables.toml") and self.flashed == 1:
            # Table 7 was commissioned by the dialogue; table 12 is another table with another board.
            file = Path("tables.toml")
            file.write_text(file.read_text().replace("seats = 5", "seats = 2"))
            self.blank()
            self.board.unplug()
            flash_in_place(self.board, self.release)
            self.board.plug()
            self.desk.bus.settle()
        self.monkeypatch.setattr("sys.stdin", Person(*answers))
        if line.startswith("repl"):
            self.monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"print('as asked')")))

    def do(self, words: str) -> None:
        """What `sabot diag` asks for is done at the table."""
        application = self.board.application
        assert isinstance(application, TableBoard)
        with application.lock:
            act(application.table, words)

    def blank(self) -> None:
        """Another board, of another table, is plugged in."""
        self.board.unplug()
        self.board.flash.data[:] = b"\xff" * len(self.board.flash.data)
        self.desk.bus.application = TableBoard()
        self.board.plug()
        self.desk.bus.settle()

    def bootsel(self) -> None:
        """Hold BOOTSEL while plugging in."""
        self.board.unplug()
        self.board.button = True
        self.board.plug()
        self.desk.bus.settle()
        self.board.button = False


@pytest.mark.campaign
@pytest.mark.timeout(600)  # half a minute and more, in real time: a busy computer takes longer
def test_every_command_of_the_page_does_what_the_page_says(
    desk: Desk, stock: bytes, release: bytes, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    desk.bus.application = TableBoard()
    story = Story(desk, stock, release, monkeypatch)
    told = {}
    for line in LINES:
        command, _, target = line.partition(" > ")
        story.before(line)
        capsys.readouterr()
        status = desk.run(*shlex.split(command))
        out, err = capsys.readouterr()
        assert status == Exit.OK, (line, out, err)
        told[line] = out
        if target:
            Path(target).write_text(out)
    assert "boot loader RP2350" in told["devices"]
    assert __version__ in told[f"flash --bundle {RELEASE}"]
    assert "table 7 is commissioned" in told["provision --dialogue table-7.toml"]
    assert "table 12 is commissioned" in told["provision tables.toml --table 12"]
    assert "Table 12" in told["status"]
    assert Path("table-12.html").exists()
    assert "table 12: passed" in told["diag --keys keys"]
    assert "table 12: Sabot, sealed" in told["seal --keys keys"]
    assert "table 12: Sabot, /" in told["unseal --keys keys --supervisor-keys keys"]
    assert told["badge list --keys keys"].split() == ["dealer", "4711", "04A1B2C3D4E580"]
    assert told["repl --keys keys"].strip() == "as asked"
    # Two seats of three spots, by looks and by single requests.
    assert Path("table-12-diag.html").read_text().count("<circle") == 2 * 6
    assert Path("table-12-reference.json").exists()
    # Flashing kept the settings the first time, and not the second, after which table 12 was made anew.
    assert LINES.count("provision tables.toml --table 12") == 2


def test_the_page_runs_each_command_that_it_is_about() -> None:
    assert {line.split()[0] for line in LINES} == {
        "attest",
        "badge",
        "build",
        "completion",
        "config",
        "console",
        "devices",
        "diag",
        "flash",
        "provision",
        "repl",
        "seal",
        "staff",
        "status",
        "time",
        "udev",
        "unseal",
    }
    for named in re.findall(r"`sabot (\w+)", PAGE):
        assert named in COMMANDS
    for code in re.findall(r"\| `([a-z0-9-]+)`", PAGE):
        if code.startswith("link-") and code.removeprefix("link-") in REFUSED:
            code = "link-*"
        assert f"`{code}`" in (Path(__file__).parents[2] / "docs" / "errors.md").read_text()


def test_the_release_of_the_page_is_of_this_version() -> None:
    assert set(re.findall(r"sabot-([\d.]+)-pico2", PAGE)) == {__version__}
