"""What a person does at an emulated board with a table around it, and what he brings along.

Entry points: :class:`Hands` (a typed line is done), :func:`bring` (MicroPython, the cards' list, the chips' key).
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from hwsim.provisioning import DEVELOPMENT_KEYS
from hwsim.scenario.matcher import PARTS
from hwsim.scenario.parts import fail
from hwsim.scenario.stage import Impossible
from hwsim.table import SimTable
from hwsim.usb import firmware
from hwsim.usb.board import Board
from hwsim.usb.chips import RP2040, RP2350, Chip
from hwsim.usb.table import TableBoard

HELP = """\
lay 1 ante 2500     a chip or more worth so many cents, on a spot
take 1 ante         what lies there
press plus          a key: rnvp p1 ... p7 oui non fin devoiler abandon maldonne superviseur plus
draw                the next card;  shuffle: all cards back into the shoe
break reader 0      a part fails: display clock gate, shoe reader, reader 0 to 3, expander 0 or 1;  mend: it works again
unplug, plug        the cable;  bootsel: unplug, and plug in with BOOTSEL held"""
DONE = "done"
CARDS, CASINO_KEY = "decks/table-12.csv", "keys/casino.key"
MICROPYTHON = {
    chip: f"RPI_{name}-v{firmware.STOCK_VERSION}.uf2" for chip, name in ((RP2350, "PICO2"), (RP2040, "PICO"))
}
"""As docs/technician.md names them."""


class Hands:
    """Somebody at the table around ``board``, whose application ``table_board`` is."""

    def __init__(self, board: Board, table_board: TableBoard) -> None:
        self._board = board
        self._table_board = table_board
        self._at_board: dict[str, Callable[[], None]] = {
            "unplug": board.unplug,
            "plug": board.plug,
            "bootsel": self._bootsel,
        }
        self._at_table: dict[tuple[str, int], Callable[..., object]] = {
            ("lay", 3): lambda table, seat, bet, cents: table.place(_number(seat), bet, _number(cents)),
            ("take", 2): lambda table, seat, bet: table.clear(_number(seat), bet),
            ("press", 1): self._press,
            ("draw", 0): SimTable.draw,
            ("shuffle", 0): SimTable.shuffle,
        }

    def do(self, line: str) -> str:
        """Do what the line says; in words what hinders it, or HELP, or ``done``."""
        words = line.split()
        if not words:
            return HELP
        try:
            if len(words) == 1 and words[0] in self._at_board:
                self._at_board[words[0]]()
                return DONE
            if words[0] in ("break", "mend"):
                with self._table_board.lock:
                    _fail(self._table_board.table, words[1:], words[0] == "break")
                return DONE
            act = self._at_table.get((words[0], len(words) - 1))
            if act is None:
                return HELP
            with self._table_board.lock:
                act(self._table_board.table, *words[1:])
        except (RuntimeError, ValueError, Impossible) as wrong:
            return str(wrong)
        return DONE

    def _bootsel(self) -> None:
        if self._board.state != "unplugged":
            self._board.unplug()
        self._board.button = True
        self._board.plug()
        self._board.button = False

    @staticmethod
    def _press(table: SimTable, key: str) -> None:
        if key not in table.hardware.keys:
            raise ValueError(f"no key {key}; keys are {' '.join(table.hardware.keys)}")
        table.press(key)


def _number(word: str) -> int:
    if not (word.isascii() and word.isdigit() and len(word) < 10):
        raise ValueError(f"{word} is no number")
    return int(word)


def _fail(table: SimTable, words: list[str], dead: bool) -> None:
    """A part by its name, and its number where there are several."""
    numbered = bool(words) and words[-1].isdigit()
    name = " ".join(words[:-1] if numbered else words)
    if name not in PARTS or numbered != bool(PARTS[name]):
        raise ValueError(f"no part {' '.join(words)}: an empty line shows them")
    fail(table.hardware, name, _number(words[-1]) if numbered else 0, dead)


def bring(folder: Path, chip: Chip) -> None:
    """Write into ``folder`` what goes with a table of one pack.

    MICROPYTHON stands for MicroPython's own UF2, for `sabot build`; CARDS is the list of the table's cards; CASINO_KEY
    the published key that its chips carry. OSError when it cannot be written, or the key is there already.
    """
    key = folder / CASINO_KEY
    key.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    key.touch(0o600, exist_ok=False)
    key.write_text(DEVELOPMENT_KEYS["casino"].hex() + "\n")
    (folder / MICROPYTHON[chip]).write_bytes(firmware.synthetic_uf2(chip))
    with TemporaryDirectory() as root:
        packs = SimTable(Path(root)).packs
    (folder / CARDS).parent.mkdir(exist_ok=True)
    (folder / CARDS).write_text("".join(f"{card.uid.hex()},{card.code}\n" for pack in packs for card in pack))
