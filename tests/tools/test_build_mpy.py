"""`make mpy` lays the board's filesystem out, names file and line of a syntax error, and notices what is stale."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from sabot_build import tree as board_tree
from tools import build_mpy

MODULES = {
    "firmware/boot.py": "",
    "firmware/main.py": "from sabot import app\napp.main()\n",
    "firmware/sabot/__init__.py": "",
    "firmware/sabot/app.py": "import pn5180\ndef main():\n    print(pn5180.NAME, 0x7FFFFFFF)\n",
    "drivers/pn5180/__init__.py": "from pn5180.names import NAME\n",
    "drivers/pn5180/names.py": "NAME = 'reader'\n",
    "drivers/pn5180/package.json": "{}\n",
    "drivers/pn5180/manifest.py": "package('pn5180')\n",
    "drivers/pn5180/README.md": "a driver\n",
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name, text in MODULES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def _files(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def test_the_build_mirrors_the_board(tree: Path) -> None:
    build_mpy.build(tree, tree / "out")
    for architecture in ("armv7emsp", "armv6m"):
        assert _files(tree / "out" / architecture) == [
            "boot.py",
            "lib/pn5180/names.mpy",  # what it holds is written into the code that uses it
            "main.py",
            "sabot/__init__.mpy",
            "sabot/app.mpy",
        ]


def test_the_build_runs_on_the_interpreter(tree: Path) -> None:
    build_mpy.build(tree, tree / "out")
    root = tree / "out" / "armv7emsp"
    ran = subprocess.run(
        [Path(sys.executable).with_name("micropython"), "-X", "heapsize=256k", "main.py"],
        cwd=root,
        env={**os.environ, "MICROPYPATH": f"{root}:{root}/lib:.frozen"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout == "reader 2147483647\n"


def test_files_are_for_32_bit_chips(tree: Path) -> None:
    build_mpy.build(tree, tree / "out")
    assert (tree / "out/armv6m/sabot/app.mpy").read_bytes()[:4] == b"M\x06\x00\x1f"


def test_the_report_names_each_size(tree: Path) -> None:
    build_mpy.build(tree, tree / "out")
    report = json.loads((tree / "out" / "sizes.json").read_text())
    sizes = {module["target"]: module["bytes"].get("armv6m") for module in report["modules"]}
    assert sizes["sabot/app.mpy"] == (tree / "out/armv6m/sabot/app.mpy").stat().st_size
    assert sizes["lib/pn5180/__init__.mpy"] is None  # joined to the application
    assert len(sizes) == 6


def test_a_syntax_error_names_file_and_line(tree: Path) -> None:
    (tree / "firmware/sabot/app.py").write_text("x = 1\n\ndef main(:\n    pass\n")
    with pytest.raises(board_tree.BuildError) as refused:
        build_mpy.build(tree, tree / "out")
    assert str(refused.value) == "firmware/sabot/app.py:3: SyntaxError: invalid syntax"
    assert not (tree / "out").exists()


def test_syntax_that_only_cpython_has_is_refused(tree: Path) -> None:
    (tree / "drivers/pn5180/names.py").write_text("def f(a, /):\n    return a\nONE = f(1)\n")
    with pytest.raises(board_tree.BuildError, match=r"^drivers/pn5180/names\.py:1: SyntaxError"):
        build_mpy.build(tree, tree / "out")


def test_compiled_code_among_the_sources_is_refused(tree: Path) -> None:
    (tree / "firmware/sabot/old.mpy").write_bytes(b"M\x06\x00\x1f")
    with pytest.raises(board_tree.BuildError, match=r"^firmware/sabot/old\.mpy: "):
        build_mpy.build(tree, tree / "out")


def test_a_fresh_build_is_not_stale(tree: Path) -> None:
    build_mpy.build(tree, tree / "out")
    assert build_mpy.stale(tree, tree / "out") == []


def test_what_is_stale_is_named(tree: Path) -> None:
    out = tree / "out"
    assert build_mpy.stale(tree, out) == ["out/sizes.json: not built"]
    build_mpy.build(tree, out)
    (tree / "firmware/sabot/app.py").write_text("def main():\n    print('newer')\n")
    (tree / "drivers/pn5180/names.py").unlink()
    (tree / "firmware/sabot/new.py").write_text("")
    (out / "armv6m/sabot/__init__.mpy").unlink()
    assert build_mpy.stale(tree, out) == [
        "armv6m/sabot/__init__.mpy: gone from the build",
        "lib/pn5180/names.mpy: left over, its source is gone",
        "sabot/app.mpy: older than firmware/sabot/app.py",
        "sabot/new.mpy: not built",
    ]
