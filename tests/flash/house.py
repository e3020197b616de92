"""A house with one table, as a technician commissions it.

Entry points: :data:`HOUSE` (its file), :func:`prepare` (all that is brought along), :func:`on_board` (what is there),
:func:`flash_in_place` (the firmware), :func:`commission` (a whole table) without the tools,
:func:`own_keys`, :func:`house_release` and :func:`signer_of`.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from hwsim.provisioning import DEVELOPMENT_KEYS, RANKS, SUITS, provision, small_table
from hwsim.table import SimTable
from hwsim.usb import filesystem, firmware
from hwsim.usb.board import Board
from sabot.wire.signed import MANIFEST, SIGNATURE, signer
from sabot_host.flash import uf2
from sabot_host.flash.boards import FLASH_BASE, board_named
from sabot_host.release import bundle
from sabot_host.release.bundle import Bundle
from sabot_host.release.make import whole_uf2
from sabot_host.release.signing import make_key, read_key

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


COMMISSIONED = {"config.json", "keys.json", "deck.json", "config.copy", "keys.copy", "deck.copy"}
"""What lies on the board of a table that has started."""


def on_board(board: Board) -> set[str]:
    """What lies on the board besides the firmware; the board is off afterwards."""
    board.unplug()
    found = filesystem.find(board.flash)
    assert found is not None
    return {path for path in found.files() if not path.startswith(("sabot/", "lib/"))} - {
        "boot.py",
        "main.py",
        MANIFEST,
        SIGNATURE,
    }


def flash_in_place(board: Board, made: Bundle) -> None:
    """Put a release into the flash of ``board``, which is unplugged."""
    for address, page in uf2.read(whole_uf2(made, board_named(made.manifest.board)), "sabot.uf2").pages.items():
        board.flash.data[address - FLASH_BASE : address - FLASH_BASE + len(page)] = page


def own_keys() -> dict[str, bytes]:
    """Keys of a house's own; the chips and cards of the simulated table are of other ones."""
    return {name: hashlib.sha256(f"a house's own {name}".encode()).digest() for name in DEVELOPMENT_KEYS}


def signer_of(files: Mapping[str, bytes]) -> str:
    """Who has signed a release that lies on a board."""
    return signer(files[SIGNATURE], hashlib.sha256(files[MANIFEST]).digest()).decode()


def house_release(release: bytes, keys: Path) -> bytes:
    """The release signed with a key of the house's own, whose public part then lies in ``keys``."""
    keys.mkdir(mode=0o700, exist_ok=True)
    private = keys.parent / "house.pem"
    make_key(private).rename(keys / "release.pub")
    path = keys.parent / "unsigned.sabot"
    path.write_bytes(release)
    made = bundle.read(path)
    return bundle.write(replace(made, signature=read_key(private).sign(made.manifest.text())))


def commission(
    board: Board,
    firmware_files: Mapping[str, bytes],
    folder: Path,
    number: int = 12,
    own: Mapping[str, bytes] = DEVELOPMENT_KEYS,
) -> None:
    """Make ``board``, which is unplugged, table ``number``; its keys lie in ``folder``/keys, as a house's do.

    Whoever has signed the firmware is the one who has to.
    """
    signer = signer_of(firmware_files)
    program = firmware.synthetic(board.chip)
    board.flash.data[: len(program)] = program
    root = folder / f"files-{number}"
    for path, content in firmware_files.items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
    provision(root, small_table(table=number), SimTable(folder / f"cards-{number}").packs, own_keys=own, release=signer)
    filesystem.ensure(board.chip, board.flash).store(root)
    keys = folder / "keys" / f"table-{number}"
    keys.mkdir(mode=0o700, parents=True)
    for name, key in own.items():
        (keys / f"{name}.key").touch(0o600)
        (keys / f"{name}.key").write_text(key.hex())
