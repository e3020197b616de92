"""The file system's image: MicroPython's own littlefs mounts it and reads every file, and one more can be written."""

import hashlib
import json
import subprocess
import sys
from pathlib import Path

import pytest
from littlefs import LittleFS

from sabot_host.errors import FileError
from sabot_host.flash import uf2
from sabot_host.flash.boards import BOARDS, FLASH_BASE, PAGE_BYTES, SECTOR_BYTES, Board, board_named
from sabot_host.release import binary_info, image
from sabot_host.release.binary_info import BinaryInfo
from sabot_host.release.join import join
from tests.flash import synthetic

FILES = {
    "boot.py": b"",
    "main.py": b"print('hello')\n",
    "sabot/__init__.mpy": bytes(range(256)),
    "sabot/table/long.mpy": bytes(number * 11 % 251 for number in range(20_000)),
    "lib/pn5180/__init__.mpy": b"x" * 4096,
}

# What the rp2 port does at its start, with a file of the computer for the flash.
ON_BOARD = """
import vfs, os, sys, hashlib, binascii, json
class Flash:
    def __init__(self, path, size):
        self.file = open(path, 'r+b')
        self.size = size
    def readblocks(self, block, buffer, offset=0):
        self.file.seek(block * 4096 + offset)
        self.file.readinto(buffer)
    def writeblocks(self, block, buffer, offset=0):
        assert offset % 256 == 0 and len(buffer) % 256 == 0
        self.file.seek(block * 4096 + offset)
        self.file.write(buffer)
    def ioctl(self, op, arg):
        if op == 4:
            return self.size // 4096
        if op == 5:
            return 4096
        if op == 6:
            self.file.seek(arg * 4096)
            self.file.write(b'\\xff' * 4096)
            return 0
        return 0
vfs.mount(vfs.VfsLfs2(Flash(sys.argv[1], int(sys.argv[2])), progsize=256), '/board')
found = {}
def walk(path):
    for entry in os.ilistdir(path):
        if entry[1] & 0x4000:
            walk(path + '/' + entry[0])
        else:
            with open(path + '/' + entry[0], 'rb') as file:
                found[path[6:] + '/' + entry[0]] = binascii.hexlify(hashlib.sha256(file.read()).digest()).decode()
walk('/board')
with open('/board/config.json', 'w') as file:
    file.write('{}')
with open('/board/sabot/table/long.mpy', 'rb') as file:
    assert len(file.read()) == 20000
print(json.dumps(found))
"""


def flash_of(blocks: dict[int, bytes], board: Board) -> bytes:
    data = bytearray(b"\0" * board.filesystem_bytes)  # what was there before must not matter
    for address, block in blocks.items():
        at = address - board.filesystem
        data[at : at + len(block)] = block
    return bytes(data)


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.name)
def test_micropython_mounts_the_image_and_reads_every_file(board: Board, tmp_path: Path) -> None:
    flash = tmp_path / "flash"
    flash.write_bytes(flash_of(image.make(FILES, board), board))
    (tmp_path / "mount.py").write_text(ON_BOARD)
    interpreter = Path(sys.executable).with_name("micropython")
    ran = subprocess.run(
        [str(interpreter), str(tmp_path / "mount.py"), str(flash), str(board.filesystem_bytes)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    expected = {"/" + path: hashlib.sha256(data).hexdigest() for path, data in FILES.items()}
    assert json.loads(ran.stdout) == expected
    written = image.read(flash.read_bytes(), board)
    assert written is not None
    assert written == {**FILES, "config.json": b"{}"}


def test_the_same_files_make_the_same_bytes() -> None:
    board = board_named("pico2")
    assert image.make(FILES, board) == image.make(dict(reversed(FILES.items())), board)


def test_only_blocks_in_use_are_written_and_both_heads() -> None:
    board = board_named("pico2")
    blocks = image.make({}, board)
    assert list(blocks) == [board.filesystem, board.filesystem + 4096]
    assert all(address % 4096 == 0 and len(block) == 4096 for address, block in image.make(FILES, board).items())


def test_files_that_do_not_fit_are_refused() -> None:
    board = board_named("pico")
    with pytest.raises(FileError) as refusal:
        image.make({"big": bytes(board.filesystem_bytes)}, board)
    assert refusal.value.code == "image-too-large"


def test_noise_holds_no_file_system() -> None:
    board = board_named("pico")
    assert image.read(b"\xff" * board.filesystem_bytes, board) is None


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.name)
def test_what_micropython_says_of_itself_is_read(board: Board) -> None:
    info = binary_info.read(synthetic.image(board))
    assert info == BinaryInfo("MicroPython", synthetic.VERSION, board.name, board.filesystem, board.filesystem_bytes)
    assert binary_info.read(synthetic.image(board, silent=True)) is None


@pytest.mark.parametrize("silent", [False, True])
def test_a_joined_file_holds_both(silent: bool) -> None:
    board = board_named("pico2")
    stock = synthetic.image(board, silent=silent)
    blocks = image.make(FILES, board)
    joined, info = join(stock, "stock.uf2", blocks, board)
    again = uf2.read(uf2.write(joined), "joined.uf2")
    assert again == joined
    assert again.region(FLASH_BASE, stock.size) == stock.region(FLASH_BASE, stock.size)
    assert image.read(again.region(board.filesystem, board.filesystem_bytes), board) == FILES
    assert info.version == ("" if silent else synthetic.VERSION)


@pytest.mark.parametrize(
    ("stock", "code"),
    [
        (synthetic.image(board_named("pico")), "uf2-family"),
        (synthetic.image(board_named("pico2"), filesystem=FLASH_BASE + (2 << 20)), "join-other-board"),
        (synthetic.image(board_named("pico2"), size=(1 << 20) + 256), "join-overlap"),
    ],
    ids=["chip", "place", "overlap"],
)
def test_another_boards_micropython_is_refused(stock: uf2.Image, code: str) -> None:
    board = board_named("pico2")
    with pytest.raises(FileError) as refusal:
        join(stock, "stock.uf2", image.make(FILES, board), board)
    assert refusal.value.code == code


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.name)
def test_nothing_that_lay_in_the_flash_wins_over_what_is_written(board: Board) -> None:
    """Every block holds an old folder that has been written a thousand times: each would be newer than a new one."""
    files = {f"folder{number}/file{number}.mpy": bytes([number]) * 3000 for number in range(20)}
    old = LittleFS(block_size=SECTOR_BYTES, block_count=8, prog_size=PAGE_BYTES)
    old.mkdir("old")
    for turn in range(1000):
        with old.open("old/file", "wb") as file:
            file.write(bytes([turn % 256]))
    stale = bytes(old.context.buffer)
    newest = max((stale[at : at + SECTOR_BYTES] for at in range(0, len(stale), SECTOR_BYTES)), key=revision)
    assert revision(newest) > 5
    flash = bytearray(newest * (board.filesystem_bytes // SECTOR_BYTES))
    for address, block in image.make(files, board).items():
        at = address - board.filesystem
        flash[at : at + SECTOR_BYTES] = block
    assert image.read(bytes(flash), board) == files


def revision(block: bytes) -> int:
    """Of a folder's block; 0 for others."""
    number = int.from_bytes(block[:4], "little")
    return number if number < 1 << 20 else 0
