"""`sabot build`: a release from the sources of a clone, signed. Entry point: `command`."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import click

from sabot_host.cli.surroundings import echo
from sabot_host.cli.values import FOLDER, IN_FILE, OUT_FILE, OUT_FOLDER
from sabot_host.errors import UsageError
from sabot_host.files import UF2_BYTES, read_bytes, write_whole
from sabot_host.flash.boards import BOARDS, board_named
from sabot_host.release import bundle as bundles
from sabot_host.release.make import find_root, make, whole_uf2
from sabot_host.release.signing import development, make_key, named, read_key

EPILOG = """\b
Examples:
  sabot build --micropython RPI_PICO2-v1.29.0.uf2
  sabot build --board pico --micropython RPI_PICO-v1.29.0.uf2 --out dist
  sabot build --new-key release.pem
  sabot build --micropython RPI_PICO2-v1.29.0.uf2 --key release.pem
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
@click.option(
    "--key", type=IN_FILE, help="The key that signs; without it the development key, which a sealed table refuses."
)
@click.option("--new-key", type=OUT_FILE, help="Make a key that signs, and beside it its public part; build nothing.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(
    board: str,
    micropython: Path | None,
    out: Path,
    source: Path | None,
    key: Path | None,
    new_key: Path | None,
    as_json: bool,
) -> None:
    """Make a release: compiled firmware, its signed manifest and, with MicroPython joined in, a UF2 for blank boards.

    The same sources and key give the same bytes.
    """
    if new_key is not None:
        if key is not None or micropython is not None:
            raise UsageError("build-what", "--new-key makes a key and builds nothing", "sabot build --help")
        public = make_key(new_key)
        echo(f"{new_key}: guard it; {public}: give it to whoever installs what it signs (sabot flash --signer)")
        return
    signing = development() if key is None else read_key(key)
    stock = read_bytes(micropython, UF2_BYTES) if micropython is not None else None
    name = micropython.name if micropython is not None else ""
    made = make(find_root(source), board_named(board), stock, name, signing)
    stem = f"sabot-{made.manifest.version}-{board}"
    products = {f"{stem}.sabot": bundles.write(made)}
    if made.uf2:
        products[f"{stem}.uf2"] = whole_uf2(made, board_named(board))
    out.mkdir(parents=True, exist_ok=True)
    told = []
    for name, data in products.items():
        write_whole(out / name, data)
        told.append({"file": str(out / name), "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()})
    if as_json:
        values = {"version": made.manifest.version, "release": made.manifest.sha256, "signer": made.signer}
        click.echo(json.dumps({**values, "files": told}))
        return
    echo(f"version {made.manifest.version} for {board}: {len(made.files)} files, {made.manifest.size} bytes")
    echo(f"signed by {named(made.signer)}")
    for product in told:
        click.echo(f"{product['sha256']}  {product['file']}  {product['bytes']} bytes")
