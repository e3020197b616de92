"""What is made smaller of a program that others import from: what it keeps to itself, and nothing else."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from sabot_build.compiler import LINES_KEPT, compile_module
from sabot_build.interpreter import SPARE
from sabot_build.names import names_in
from sabot_build.program import ShrinkError
from sabot_build.shrink import shrink_private

MODULES = {
    "_clock.py": """\
        from micropython import const

        _STEP = const(7)
        moment = 0
        _calls = 0


        def advance(by_ns, again=1):
            global moment, _calls
            moment += by_ns * again * _STEP
            _calls += 1


        def calls():
            return _calls


        class Lamp:
            def __init__(self, colour, *, bright=0):
                self._colour = colour
                self.brightness = bright

            def blink(self, times=1, pause=2):
                advance(times, again=pause)
                return self._shown(times)

            def fade(self, until):
                return self._shown(until)

            def _shown(self, seen=0):
                return self._colour, self.brightness, seen
        """,
    "lamps.py": """\
        import _clock
        from _clock import Lamp


        def wait(duration_ms, unit=1):
            _clock.advance(duration_ms * unit)
            return _clock.moment


        def asked(reason):
            return _clock.calls()


        def _unused(first, second=1):
            return first
        """,
}
STARTED = """\
import lamps
lamp = lamps.Lamp("red", bright=3)
print(lamps.wait(duration_ms=2, unit=3), lamp.blink(times=4, pause=5), lamp.fade(6), lamps.wait(0), lamps.asked(1))
"""


def private(*, started: str = STARTED, **more: str) -> dict[str, str]:
    modules = {**MODULES, **{f"{name}.py": text for name, text in more.items()}}
    return shrink_private({name: dedent(text) for name, text in modules.items()}, {"main.py": dedent(started)})


def played(folder: Path) -> str:
    return subprocess.run(
        [Path(sys.executable).with_name("micropython"), "main.py"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    ).stdout


def test_it_does_what_it_did(tmp_path: Path) -> None:
    for name, text in MODULES.items():
        (tmp_path / name).write_text(dedent(text))
    (tmp_path / "main.py").write_text(STARTED)
    before = played(tmp_path)
    for name, text in private().items():
        (tmp_path / name).unlink()
        compile_module(text, name, tmp_path / Path(name).with_suffix(".mpy"), LINES_KEPT)
    assert played(tmp_path) == before == "42 ('red', 3, 4) ('red', 3, 6) 182 3\n"


def test_what_others_may_use_keeps_its_name() -> None:
    made = private()
    for kept in (
        "class Lamp:",
        "def __init__(self, colour, *, bright=0):",
        "self.brightness =",
        "def blink(self, times",
    ):
        assert kept in made["_clock.py"]
    assert "def wait(duration_ms, unit=1):" in made["lamps.py"]


def test_what_is_its_own_brings_no_name_but_those_that_are_there(tmp_path: Path) -> None:
    made = private()
    for name, text in made.items():
        compile_module(text, name, tmp_path / Path(name).with_suffix(".mpy"), LINES_KEPT)
    brought = {name for file in tmp_path.glob("*.mpy") for name in names_in(file.read_bytes())}
    own = {"advance", "moment", "calls", "_calls", "_STEP", "_colour", "_shown", "by_ns", "seen", "until", "reason"}
    assert not brought & (own | {"_unused", "first", "second"})
    theirs = {"_clock", "_clock.py", "lamps", "lamps.py", "Lamp", "colour", "bright", "brightness", "blink", "times"}
    theirs |= {"pause", "fade", "wait", "duration_ms", "unit", "asked", "again", "const"}
    assert {name for name in brought - theirs if len(name) > 1} <= set(SPARE)


def test_a_number_that_has_no_name_gets_none() -> None:
    assert "_STEP = const(7)" in private()["_clock.py"]


def test_lines_stay_where_they_are() -> None:
    made = private()
    assert {name: text.count("\n") for name, text in made.items()} == {
        name: dedent(text).count("\n") for name, text in MODULES.items()
    }


@pytest.mark.parametrize(
    "text", ["import _clock\nprint(_clock)\n", "import _clock\n_clock = None\nprint(_clock.calls())\n"]
)
def test_a_private_module_as_a_value_is_refused(text: str) -> None:
    with pytest.raises(ShrinkError, match=r"^other\.py:\d: _clock, a module, as a value: use its names"):
        private(other=text)


def test_what_is_started_as_source_imports_from_private_modules_by_name() -> None:
    assert "def calls():" in private(started="from _clock import calls\nprint(calls())\n")["_clock.py"]
    with pytest.raises(ShrinkError, match=r"^main\.py:2: _clock, a module, as a value"):
        private(started="import _clock\nprint(_clock.calls())\n")
