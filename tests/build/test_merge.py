"""Modules that are always loaded together become one that does what they did."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from hwsim.compiled import BuildError, compiled, in_sources
from sabot_build.compiler import LINES_DROPPED, LINES_KEPT, compile_module
from sabot_build.names import names_in
from sabot_build.program import ShrinkError
from sabot_build.shrink import shrink

INTERPRETER = str(Path(sys.executable).with_name("micropython"))

PROGRAM = {
    "sabot/__init__.py": "__version__ = '1.0'\n",
    "sabot/app.py": """\
import sys
from sabot import __version__
from sabot.near import Table, place as place_of
from sabot.far import Table as Far, count
from sabot.far import deep as way
from drv import Chip
import drv as driver

def run():
    from sabot import late
    place = 7
    print(__version__, place, place_of(place), Table().name(), Far().name(), count(2), late.go(3))
    print(Chip(1).step(), driver.LIMIT_[0], way.depth(4), len(sys.argv) >= 0)
""",
    "sabot/near.py": """\
from sabot.far import count as _count
_shared = ["near"]
def _own(x):
    return x + 1
def place(value):
    return _own(value) * _count(1)
class Table:
    def name(self):
        return _shared[0]
""",
    "sabot/far/__init__.py": """\
from . import deep
_shared = ["far"]
def _own(x):
    return x * 2
def count(list_):
    len = _own(list_)
    return len
def len_(x):
    return len(x)
class Table:
    def name(self):
        return _shared[0] + str(len_(_shared))
""",
    "sabot/far/deep.py": "from time import sleep_ms as rest\ndef depth(n):\n    rest(0)\n    return n * 10\n",
    "sabot/late.py": """\
from sabot import far
from sabot.near import Table, place as put
from sabot.other import thing
def go(n):
    return far.count(n), put(n), Table().name(), thing(n)
""",
    "sabot/other.py": "from .far import count\ndef thing(n):\n    return count(n) + 1\n",
    "drv/__init__.py": "from drv.chip import Chip\n__all__ = ('Chip',)\nLIMIT_ = [5]\n",
    "drv/chip.py": "class Chip:\n    def __init__(self, x):\n        self._x = x\n    def step(self):\n        return self._x + 1\n",
}
MAIN = {"main.py": "if True:\n    from sabot import app\n    app.run()\n"}


def texts_of(join: bool) -> dict[str, str]:
    return shrink(PROGRAM, MAIN, join=join).texts


def said(texts: dict[str, str], folder: Path) -> str:
    for path, text in texts.items():
        compile_module(text, path, folder / Path(path).with_suffix(".mpy"), LINES_KEPT)
    (folder / "main.py").write_text(MAIN["main.py"])
    done = subprocess.run([INTERPRETER, "main.py"], cwd=folder, capture_output=True, text=True, timeout=30, check=False)
    return done.stdout + done.stderr


def test_the_whole_does_what_its_parts_did(tmp_path: Path) -> None:
    apart = said(texts_of(join=False), tmp_path / "apart")
    assert said(texts_of(join=True), tmp_path / "joined") == apart
    assert apart.splitlines() == ["1.0 7 16 near far1 4 (6, 8, 'near', 7)", "2 5 40 True"]


def test_what_is_always_loaded_is_joined_and_nothing_else() -> None:
    assert sorted(texts_of(join=True)) == ["sabot/__init__.py", "sabot/app.py", "sabot/late.py", "sabot/other.py"]


def test_what_the_start_drops_stays_apart_and_what_it_needs_is_joined() -> None:
    texts = {
        "sabot/__init__.py": "",
        "sabot/app.py": "def run():\n    from sabot import start\n    start.go()\n",
        "sabot/start.py": "from sabot.check import ok\nfrom sabot.kept import keep\nONLY = ('sabot.start', 'sabot.check')\n"
        "def go():\n    return ok(keep())\n",
        "sabot/check.py": "from sabot.kept import keep\ndef ok(x):\n    return x\n",
        "sabot/kept.py": "def keep():\n    return 1\n",
    }
    made = shrink(texts, MAIN).texts
    assert sorted(made) == ["sabot/__init__.py", "sabot/app.py", "sabot/check.py", "sabot/start.py"]
    kept = re.findall(r"def (\w+)", made["sabot/app.py"])
    assert f"from sabot.app import {kept[0]} as {kept[0]}" in made["sabot/check.py"]


@pytest.mark.parametrize(
    ("path", "text", "problem"),
    [
        ("sabot/far/deep.py", "def depth(n):\n    return n\n", ""),
        (
            "sabot/near.py",
            "from sabot import far\ndef place(x):\n    return far\nclass Table: pass\n",
            "near.py:3: far, a mo",
        ),
        ("sabot/near.py", "import sabot.far.deep\ndef place(x): pass\nclass Table: pass\n", "near.py:1: `import` of"),
        (
            "sabot/near.py",
            "if 1:\n    import sys\ndef place(x): pass\nclass Table: pass\n",
            "near.py:2: an import below",
        ),
        (
            "sabot/near.py",
            "def place(x):\n    from sabot.far import count\n    return count(x)\nclass Table: pass\n",
            "near.py:2: an import in a",
        ),
        ("sabot/late.py", "from sabot.far import nothing\ndef go(n): pass\n", "late.py:1: sabot.far has no nothing"),
    ],
)
def test_what_cannot_be_joined_is_refused(path: str, text: str, problem: str) -> None:
    if not problem:
        shrink({**PROGRAM, path: text}, MAIN)
        return
    with pytest.raises(ShrinkError, match=problem):
        shrink({**PROGRAM, path: text}, MAIN)


def test_names_used_most_come_first() -> None:
    first = texts_of(join=True)["sabot/app.py"].splitlines()[0]
    assert first.startswith("if __name__ is None: __name__.")
    assert first.count("__name__.") <= 128


def test_long_words_that_stand_there_several_times_are_names(tmp_path: Path) -> None:
    said = (
        "\nprint(('many_long_words', 'once_a_long_word', 'two words, long'), ('many_long_words', 'two words, long'))\n"
    )
    text = PROGRAM["sabot/app.py"] + said
    path = "sabot/app.py"
    made = shrink({**PROGRAM, path: text}, MAIN).texts[path]
    compile_module(made, path, tmp_path / "app.mpy", LINES_DROPPED)
    held = names_in((tmp_path / "app.mpy").read_bytes())
    assert [text for text in ("many_long_words", "once_a_long_word", "two words, long") if text in held] == [
        "many_long_words"
    ]


def _written(folder: Path, texts: dict[str, str]) -> None:
    for path, text in {**texts, **MAIN}.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)


def test_tracebacks_and_refusals_point_into_the_sources(tmp_path: Path) -> None:
    failing = {**PROGRAM, "sabot/near.py": PROGRAM["sabot/near.py"].replace("return x + 1", "return x + None")}
    _written(tmp_path / "src", failing)
    folder = compiled([tmp_path / "src"], tmp_path / "out")
    assert json.loads((folder / "parts.json").read_text())
    command = [INTERPRETER, "-c", MAIN["main.py"]]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=30, check=False)
    said = in_sources(done.stdout + done.stderr, [folder])
    assert 'File "sabot/near.py", line 4, in ' in said
    assert 'File "sabot/app.py", line 12, in run' in said
    _written(tmp_path / "src", {"sabot/near.py": "def place(x, /):\n    return x\nclass Table: pass\n"})
    with pytest.raises(BuildError, match=r"^sabot/near\.py:1: SyntaxError"):
        compiled([tmp_path / "src"], tmp_path / "out")


def test_names_of_the_whole_are_those_that_its_attributes_have() -> None:
    texts = {
        "sabot/__init__.py": "",
        "sabot/app.py": "class Shown:\n    def __init__(self):\n        self.first = first()\n"
        "def first():\n    return 1\ndef second():\n    return Shown().first\ndef run():\n    return second()\n",
    }
    made = shrink(texts, MAIN)
    assert set(made.globals["sabot.app"]) == {"Shown", "first", "second"}
    assert made.attributes["first"] in made.globals["sabot.app"].values()
    assert "run" not in made.globals["sabot.app"]


def test_a_number_that_the_compiler_writes_in_is_not_called_as_a_local_name_is(tmp_path: Path) -> None:
    texts = {
        "sabot/__init__.py": "",
        "sabot/app.py": "from micropython import const\nBIG = const(1 << 30)\ndef f(rows):\n    for kind in rows:\n"
        "        print('kind', kind)\ndef run():\n    f([BIG, BIG, BIG])\n",
    }
    assert said(shrink(texts, MAIN).texts, tmp_path) == "kind 1073741824\n" * 3
