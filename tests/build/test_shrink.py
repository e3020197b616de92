"""What the shrinking of the program does to its text, rule by rule, and that it refuses what it cannot prove safe."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from sabot_build.compiler import LINES_DROPPED, CompileError, compile_module
from sabot_build.interpreter import SPARE
from sabot_build.names import names_in
from sabot_build.program import ShrinkError
from sabot_build.shrink import shrink

A, B, C, D = SPARE[:4]  # the first names that things get
GUARDS = """\
try:
    from micropython import const
except ImportError:

    def const(value: int) -> int:
        return value


try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any
"""


def shrunk(started: str = "", **modules: str) -> dict[str, str]:
    """The modules (`p_m` is p/m.py, `p_` the package) made smaller, by the same names."""
    paths = {name: f"{name.replace('_', '/')}{'__init__' * name.endswith('_')}.py" for name in modules}
    made = shrink(
        {paths[name]: dedent(modules[name]) for name in modules}, {"main.py": dedent(started)}, drop=False
    ).texts
    return {name: made[paths[name]] for name in modules}


def lines(text: str) -> list[str]:
    """What is left to run, a line each."""
    return [line for line in map(str.strip, text.splitlines()) if line and line != "pass"]


# --- guards -----------------------------------------------------------------------------------------------------------


def test_guards_for_cpython_and_the_type_checker_go() -> None:
    text = "class C:\n    if TYPE_CHECKING:\n        x: int\n\ndef f(x: 'Any') -> 'Any':\n    return x\n"
    made = shrunk(m=GUARDS + text)["m"]
    assert lines(made) == ["class C:", f"def f({A}: 'Any') -> 'Any':", f"return {A}"]


def test_const_stays_imported_where_it_is_still_used() -> None:
    made = shrunk(m=GUARDS + "_BIG = const(1 << 30)\n")["m"]
    assert lines(made)[0] == "from micropython import const"


def test_type_checking_used_otherwise_is_refused() -> None:
    with pytest.raises(ShrinkError, match=r"^m\.py:15: TYPE_CHECKING in an expression"):
        shrunk(m=GUARDS + "print(not TYPE_CHECKING)\n")


def test_a_type_checking_block_with_an_else_is_refused() -> None:
    with pytest.raises(ShrinkError, match=r"^m\.py:13: `if TYPE_CHECKING` with an else"):
        shrunk(m=GUARDS + "else:\n    Any = None\n")


# --- constants --------------------------------------------------------------------------------------------------------


def test_constants_are_written_in_and_their_imports_go() -> None:
    made = shrunk(
        p_="",
        p_numbers="A = const(3)\nB = A << 2\n_C = -B\nTEXT = 'short'\ndef f():\n    return A + B, _C, TEXT\n",
        m="from p.numbers import A, B as BB, f\nC = BB | 1\nprint(A, BB, C, f())\n",
        n="from p import numbers\nprint(numbers.B, numbers.TEXT)\n",
        o="def g():\n    from p.numbers import (\n        A,\n        B,\n    )\n    return A * B\n",
    )
    assert lines(made["p_numbers"]) == [f"def {A}():", "return 3 + 12, (-12), 'short'"]
    assert lines(made["m"]) == [f"from p.numbers import {A} as {A}", f"print(3, 12, 13, {A}())"]
    assert lines(made["n"]) == ["from p import numbers", "print(12, 'short')"]
    assert lines(made["o"]) == ["def g():", "return 3 * 12"]
    assert made["o"].splitlines()[5] == "    return 3 * 12"


def test_relative_imports_and_imports_passed_on_are_followed() -> None:
    made = shrunk(
        p_="from .numbers import A\n",
        p_numbers="A = 3\n",
        p_user="from . import A, numbers\nprint(A, numbers.A)\n",
        m="from p import A\nimport p\nprint(A, p.A, p.numbers.A)\n",
    )
    assert lines(made["p_"]) == lines(made["p_numbers"]) == []
    assert lines(made["p_user"]) == ["from . import numbers", "print(3, 3)"]
    assert lines(made["m"]) == ["import p", "print(3, 3, 3)"]


def test_a_local_name_is_not_the_constant() -> None:
    made = shrunk(m="A = 3\ndef f():\n    A = 4\n    return A\ndef g(A):\n    return [A for _ in (1, 2)]\n")["m"]
    assert lines(made) == ["def f():", "A = 4", "return A", f"def g({A}):", f"return [{A} for _ in (1, 2)]"]


@pytest.mark.parametrize(
    "kept",
    [
        "A = 1 << 30\n",  # an object on the board
        "A = 'eleven long'\n",
        "A = 3\nA = 4\n",
        "A = 3\ndef f(x):\n    return x.A\n",  # x may be this module
        "A = 3\ndef f(x):\n    return getattr(x, 'A')\n",
        "A = 3\ndef f(x):\n    x.A = 4\n",
    ],
)
def test_a_definition_stays_where_the_name_may_be_reached_otherwise(kept: str) -> None:
    assert lines(shrunk(m=kept)["m"])[0] == kept.splitlines()[0]


def test_a_definition_stays_for_what_is_started_as_source() -> None:
    made = shrunk("from m import A\nimport n\nprint(A, n.B)\n", m="A = const(3)\nC = 4\n", n="from m import C\nB = C\n")
    assert lines(made["m"]) == ["A = 3"]
    assert lines(made["n"]) == ["B = 4"]


def test_an_import_bound_twice_keeps_its_constant() -> None:
    made = shrunk(n="A = 3\n", m="if f():\n    from n import A\nelse:\n    A = 4\nprint(A)\n")
    assert lines(made["n"]) == [f"{A} = 3"]
    assert lines(made["m"])[1] == f"from n import {A} as A"


def test_no_import_goes_of_a_module_that_does_something() -> None:
    with pytest.raises(ShrinkError, match=r"^m\.py:1: only constants are imported from n, which does more"):
        shrunk(n="A = 3\nprint(A)\n", m="from n import A\nprint(A)\n")


# --- what nothing uses ------------------------------------------------------------------------------------------------


def test_what_nothing_names_goes_and_what_only_that_has_used() -> None:
    text = """\
        class Used:
            def step(self):
                return 1
            def read(self):
                return helper()
            def unused(self):
                return other()
        class Unused:
            pass
        def helper():
            return Used().read
        def other():
            return Unused()
        def by_text():
            pass
        print(Used().step, "by_text")
        """
    made = shrink({"m.py": dedent(text)}, {}).texts["m.py"]
    assert len(re.findall("def ", made)) == 4
    assert "def read(self)" in made
    assert "def by_text()" in made
    assert made.count("class ") == 1
    assert made.count("\n") == dedent(text).count("\n")


# --- parameters -------------------------------------------------------------------------------------------------------


def test_parameters_get_names_of_a_pool_by_position() -> None:
    made = shrunk(m="def f(first, second=1):\n    second = first\n    return second\ndef g(one):\n    return one\n")[
        "m"
    ]
    assert lines(made) == [
        f"def f({A}, {B}=1):",
        f"{B} = {A}",
        f"return {B}",
        f"def g({A}):",
        f"return {A}",
    ]


def test_a_function_in_a_function_gets_other_names_than_the_one_around() -> None:
    text = "def outer(first, second):\n    def inner(third):\n        return first, third\n    return inner, second\n"
    assert lines(shrunk(m=text)["m"]) == [
        f"def outer({A}, {B}):",
        f"def inner({C}):",
        f"return {A}, {C}",
        f"return inner, {B}",
    ]


def test_what_is_passed_by_keyword_keeps_its_name() -> None:
    made = shrunk(
        "import m\nm.g(other=2)\n", m="def f(named, plain):\n    pass\ndef g(other):\n    pass\nf(named=1)\n"
    )["m"]
    assert lines(made) == [f"def f(named, {B}):", "def g(other):", "f(named=1)"]


def test_what_a_dictionary_is_spread_into_keeps_its_names() -> None:
    text = """\
        class C:
            def __init__(self, first):
                self.first = first
            def other(self, first):
                pass
        def f(first):
            pass
        def g(values):
            f(**values)
            C(**values)
        """
    made = lines(shrunk(m=text)["m"])
    assert made[1] == "def __init__(self, first):"
    assert made[3] == f"def {B}(self, {B}):"
    assert made[4:] == ["def f(first):", f"def g({A}):", f"f(**{A})", f"C(**{A})"]


def test_a_dictionary_spread_into_anything_else_is_refused() -> None:
    with pytest.raises(ShrinkError, match=r"^m\.py:2: `\*\*` into made\(\)"):
        shrunk(m="def f(values):\n    made()(**values)\n")


def test_a_decorated_function_keeps_its_parameters() -> None:
    text = "import rp2\n@rp2.asm_pio()\ndef f(first):\n    pass\n"
    assert "def f(first):" in shrunk(m=text)["m"]


def test_too_many_parameters_are_refused() -> None:
    many = ", ".join(f"p{number}" for number in range(41))
    with pytest.raises(ShrinkError, match=r"^m\.py:1: a function of more than 40 parameters"):
        shrunk(m=f"def f({many}):\n    pass\n")


# --- attributes ----------------------------------------------------------------------------------------------------

FAMILY = """\
class Base:
    _kept_at = 0
    def __init__(self):
        self._one = 1
        self.public = 2
    def _step(self):
        return self._one
class Derived(Base):
    def go(self):
        self._two = self._step()
        return self._two, self._one
class Other:
    def __init__(self):
        self._three = 3
"""


def attributes(**modules: str) -> dict[str, str]:
    texts = {f"{name}.py": dedent(text) for name, text in modules.items()}
    return shrink(texts, {}, drop=False).attributes


def test_attributes_share_names_between_classes_that_are_not_related() -> None:
    new = attributes(m=FAMILY)
    assert sorted(new) == ["_kept_at", "_one", "_step", "_three", "_two", "go", "public"]
    assert len({new[name] for name in ("_kept_at", "_one", "_step", "_two", "go", "public")}) == 6
    assert len({new[name] for name in ("_kept_at", "_one", "_step", "_two")}) == 4
    assert new["_three"] in {new[name] for name in ("_kept_at", "_one", "_step", "_two")}


def test_classes_related_over_modules_do_not_share() -> None:
    new = attributes(
        m=FAMILY, n="from m import Derived\nclass Third(Derived):\n    def f(self):\n        self._four = 4\n"
    )
    assert new["_four"] not in {new[name] for name in ("_kept_at", "_one", "_step", "_two")}


@pytest.mark.parametrize(
    "more",
    [
        "WORDS = ('say _one here',)\n",
        "def f():\n    from n import _one\n    return _one\n",
        "class C(Base):\n    def f(self, name):\n        return getattr(self, '_' + name)()\n",
        "import io\nclass C(Base, io.IOBase):\n    pass\n",
    ],
)
def test_an_attribute_that_may_be_reached_otherwise_is_kept(more: str) -> None:
    assert "_one" in attributes(m=FAMILY, n="")
    assert "_one" not in attributes(m=FAMILY + more, n="")


def test_an_attribute_that_a_module_or_an_object_of_the_interpreter_may_have_is_kept() -> None:
    text = "class C:\n    def __init__(self):\n        self.value, self.shown, self.other = 1, 2, 3\n"
    assert sorted(attributes(m=text, n="def shown():\n    pass\n")) == ["other"]


def test_an_attribute_that_the_started_file_uses_is_kept() -> None:
    text = "class C:\n    def __init__(self):\n        self.shown = self.other = 1\n"
    assert sorted(shrink({"m.py": text}, {"main.py": "import m\nprint(m.C().shown)\n"}, drop=False).attributes) == [
        "other"
    ]


def test_an_attribute_that_is_used_on_any_object_has_one_name_everywhere() -> None:
    made = shrunk(m=FAMILY + "def f(x):\n    return x._one + x.public\n")["m"]
    one, public = re.findall(r"self\.(\w+) = [12]", made)
    assert f"return {A}.{one} + {A}.{public}" in made


@pytest.mark.parametrize(
    "more",
    [
        "def f(x):\n    x.public = 4\n",
        "class C:\n    @staticmethod\n    def f(self):\n        self.public = 2\n",
        "class C:\n    def f(self, other):\n        self = other\n        self.public = 2\n",
    ],
)
def test_an_attribute_that_is_set_from_outside_shares_its_name_with_none(more: str) -> None:
    new = attributes(m=FAMILY + more)
    assert new["public"] not in {new[name] for name in new if name != "public"}


def test_exceptions_are_classes_like_others() -> None:
    assert "_one" in attributes(m="class E(ValueError):\n    def __init__(self):\n        self._one = 1\n")


def test_private_names_of_modules_are_shared_between_modules() -> None:
    made = shrunk(
        m="_TABLE = (1, 2)\ndef _f(x):\n    return _TABLE[x]\nprint(_f(0))\n",
        n="class _C:\n    pass\nprint(_C())\n",
        o="_kept = {}\n_said = []\nprint('_said')\n",
        p="from o import _kept\nprint(_kept)\n",
    )
    assert lines(made["m"]) == [f"{C} = (1, 2)", f"def {D}({A}):", f"return {C}[{A}]", f"print({D}(0))"]
    assert lines(made["n"]) == [f"class {C}:", f"print({C}())"]
    assert lines(made["o"])[:2] == [f"{B} = {{}}", "_said = []"]
    assert lines(made["p"]) == [f"from o import {B} as {B}", f"print({B})"]


# --- refusals ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("x = 1\ndef f():\n    global x\n", "3: `global`"),
        ("def f():\n    x = 1\n    def g():\n        nonlocal x\n", "4: `nonlocal`"),
        ("if (x := f()):\n    pass\n", "1: `:=`"),
        ("x = 1\ny = f'{x}'\n", "2: f-strings"),
        ("from n import *\n", r"1: `import \*`"),
        ("x = globals()\n", r"1: globals\(\)"),
        ("def f(x):\n    return x.__dict__\n", "2: __dict__"),
        ("class C:\n    def __getattr__(self, name):\n        return name\n", "2: __getattr__"),
        ("C = type('C', (), {})\n", r"1: a class made by type\(\)"),
        ("def f(x, n):\n    return getattr(x.y, '_%s' % n)\n", r"2: getattr\(\) of a name made up here"),
        ("def f(self, n):\n    name = '_' + n\n    return getattr(self, name)\n", "2: a private name put together"),
        ("_x = 1\nclass C:\n    _x = _x\n", "3: _x is a name of the class and of the module"),
        ("def f(:\n", "1: SyntaxError"),
    ],
)
def test_what_cannot_be_proven_safe_is_refused(text: str, problem: str) -> None:
    with pytest.raises(ShrinkError, match=rf"^m\.py:{problem}"):
        shrunk(m=text)


# --- as a whole -------------------------------------------------------------------------------------------------------


def test_the_same_program_gives_the_same_text() -> None:
    texts = {"m.py": FAMILY, "n.py": GUARDS + "_A = (1,)\nB = const(2)\nprint(_A, B)\n"}
    assert shrink(texts, {}) == shrink(dict(reversed(texts.items())), {})


def test_lines_stay_where_they_are() -> None:
    text = '"""Text\nof two lines."""\nfrom n import (\n    A,\n    B,\n)\n\n\ndef f(é):\n    raise E(B, é)  # é\n'
    made = shrunk(m=text, n="A = 1\nB = 2\n")["m"]
    assert made.splitlines()[9] == f"    raise E(2, {A})  # é"
    assert made.count("\n") == text.count("\n")


PROGRAM = """\
class Counter:
    def __init__(self, zero, step):
        self._value = zero
        self._step = step
    def more(self):
        self._value += self._step * FACTOR
        return self._value
class Caller:
    def call(self, name):
        return getattr(self, "_by_" + name)()
    def _by_name(self):
        return _words("by", last="name")
def _words(first, last):
    return [first + last for _ in range(2)]
FACTOR = const(1 + 2)
counter = Counter(5, step=2)
counter.more()
print(counter.more(), Caller().call("name"))
"""


def test_the_program_does_what_it_did(tmp_path: Path) -> None:
    said: list[str] = []
    interpreter = str(Path(sys.executable).with_name("micropython"))
    for name, text in (("plain", PROGRAM), ("small", shrunk(m=PROGRAM)["m"])):
        compile_module("from micropython import const\n" + text, "m.py", tmp_path / name / "m.mpy", LINES_DROPPED)
        command = [interpreter, "-c", "import m"]
        done = subprocess.run(command, cwd=tmp_path / name, capture_output=True, text=True, check=True, timeout=30)
        said.append(done.stdout)
    assert said == ["17 ['byname', 'byname']\n"] * 2
    plain, small = (set(names_in((tmp_path / name / "m.mpy").read_bytes())) for name in ("plain", "small"))
    assert plain - small == {"FACTOR", "_step", "_value", "_words", "first", "more", "zero"}


SHARING = {
    "p/__init__.py": "from p.parts import Part, count as counted\n",
    "p/parts.py": "from p.deep import Part, total\ndef count(x):\n    return total(x) + 1\n",
    "p/deep.py": "class Part:\n    def __init__(self, x):\n        self.size = x\ndef total(x):\n    return len(x)\n",
    "q.py": "from p import Part, counted\nfrom p import parts\nfrom p.deep import total as whole\n"
    "def f():\n    from p.parts import count\n    return count((1,)), whole((1, 2)), parts.count(())\n",
    "r.py": "from q import f\nfrom p import Part, counted\nprint(f(), Part(7).size, counted((1, 2, 3)))\n",
}


def test_names_that_modules_share_are_changed_wherever_they_are_passed_on(tmp_path: Path) -> None:
    made = shrink(SHARING, {"main.py": "import r\n"}, drop=False)
    assert "total" not in made.texts["q.py"]
    assert "def f" not in made.texts["q.py"]
    assert "def count" in made.texts["p/parts.py"]  # it is used as an attribute of the module
    for folder, texts in (("before", SHARING), ("after", made.texts)):
        for path, text in texts.items():
            (tmp_path / folder / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / folder / path).write_text(text)
        command = [str(Path(sys.executable).with_name("micropython")), "-c", "import r"]
        done = subprocess.run(command, cwd=tmp_path / folder, capture_output=True, text=True, check=True, timeout=30)
        assert done.stdout == "(2, 2, 1) 7 4\n", folder


def test_documentation_and_annotations_bring_no_names(tmp_path: Path) -> None:
    text = '"""Doc"""\ndef f(a: "T", b: U = 1) -> V:\n    """Doc2"""\n    a.c: "W" = b\n    d: X = a\n    return d\n'
    compile_module(text, "p/m.py", tmp_path / "m.mpy", LINES_DROPPED)
    assert sorted(names_in((tmp_path / "m.mpy").read_bytes())) == ["a", "b", "c", "f", "p.m"]


def test_what_the_compiler_refuses_is_named(tmp_path: Path) -> None:
    with pytest.raises(CompileError, match=r"^p/m\.py:2: SyntaxError") as refused:
        compile_module("x = 1\ndef f(a, /):\n    pass\n", "p/m.py", tmp_path / "m.mpy", LINES_DROPPED)
    assert refused.value.line == 2


def test_what_is_no_compiled_module_has_no_names() -> None:
    with pytest.raises(ValueError, match="no \\.mpy file"):
        names_in(b"print(1)\n")
