"""`sabot build`: a release from the sources of a clone. Entry point: `command`."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import click

from sabot_host.cli.surroundings import echo
from sabot_host.cli.values import FOLDER, IN_FILE, OUT_FOLDER
from sabot_host.files import UF2_BYTES, read_bytes, write_whole
from sabot_host.flash.boards import BOARDS, board_named
from sabot_host.release import bundle as bundles
from sabot_host.release.make import find_root, make

EPILOG = """\b
Examples:
  sabot build --micropython RPI_PICO2-v1.29.0.uf2
  sabot build --board pico --micropython RPI_PICO-v1.29.0.uf2 --out dist
"""


@click.command("build", epilog=EPILOG)
@click.option(
    "--board",
    default=BOARDS[0].name,
    show_default=True,
    type=click.Choice([board.name for board in BOARDS]),
    help="The board it is for.",
)
@click.option(
    "--micropython",
    type=IN_FILE,
    help="MicroPython's own UF2 for the board; without it the release cannot be flashed onto a blank board.",
)
@click.option(
    "--out",
    type=OUT_FOLDER,
    default=Path("dist"),
    show_default=True,
    help="Folder that the release is written into.",
)
@click.option("--source", type=FOLDER, help="A clone; the one of this command.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(board: str, micropython: Path | None, out: Path, source: Path | None, as_json: bool) -> None:
    """Make a release: compiled firmware, its manifest and, with MicroPython joined in, a UF2 for blank boards.

    The same sources give the same bytes.
    """
    stock = read_bytes(micropython, UF2_BYTES) if micropython is not None else None
    made = make(find_root(source), board_named(board), stock, micropython.name if micropython is not None else "")
    stem = f"sabot-{made.manifest.version}-{board}"
    products = {f"{stem}.sabot": bundles.write(made)}
    if made.uf2:
        products[f"{stem}.uf2"] = made.uf2
    out.mkdir(parents=True, exist_ok=True)
    told = []
    for name, data in products.items():
        write_whole(out / name, data)
        told.append({"file": str(out / name), "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()})
    if as_json:
        click.echo(json.dumps({"version": made.manifest.version, "release": made.manifest.sha256, "files": told}))
        return
    echo(f"version {made.manifest.version} for {board}: {len(made.files)} files, {made.manifest.size} bytes")
    for product in told:
        click.echo(f"{product['sha256']}  {product['file']}  {product['bytes']} bytes")
