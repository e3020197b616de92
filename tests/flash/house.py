"""A house with one table, as a technician commissions it.

Entry points: :data:`HOUSE` (its file), :func:`prepare` (all that is brought along), :func:`on_board` (what is there).
"""

from pathlib import Path

from hwsim.provisioning import DEVELOPMENT_KEYS, RANKS, SUITS
from hwsim.table import SimTable
from hwsim.usb import filesystem
from hwsim.usb.board import Board

HOUSE = """\
house = "Casino <d'essai>"
casino = 514

[defaults]
game = "three_card"
seats = 2
sign_on = "off"
payment_order = "none"
limits = {ante = [500, 50000], pair_plus = [100, 10000]}

[[table]]
table = 12
deck = "deck.csv"
"""


def prepare(folder: Path, release: bytes) -> None:
    """What a technician brings along: the release, the house's file, the deck's list, the house's key."""
    (folder / "sabot.sabot").write_bytes(release)
    (folder / "house.toml").write_text(HOUSE)
    pack = [card for cards in SimTable(folder / "cards").packs for card in cards]
    lines = [f"{card.uid.hex()},{card.code}\n" for card in pack]
    assert {line.split(",")[1][0] for line in lines} == set(RANKS)
    assert {line.strip()[-1] for line in lines} == set(SUITS)
    (folder / "deck.csv").write_text("".join(lines))
    (folder / "keys").mkdir(mode=0o700)
    key = folder / "keys" / "casino.key"
    key.touch(0o600)
    key.write_text(DEVELOPMENT_KEYS["casino"].hex())


def on_board(board: Board) -> set[str]:
    """What lies on the board besides the firmware; the board is off afterwards."""
    board.unplug()
    found = filesystem.find(board.flash)
    assert found is not None
    return {path for path in found.files() if not path.startswith(("sabot/", "lib/"))} - {"boot.py", "main.py"}
