"""The whole firmware stays clear of the next doubling of the interpreter's table of names.

The table takes 11 bytes a name on the 64-bit interpreter and doubles when it is full: beyond 2,540 names 28 KB go at
once (18 KB on the board), out of a heap of 448.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from hwsim.compiled import compiled, compiled_overlay
from hwsim.process import OVERLAY, STORE
from hwsim.table import REPOSITORY, SOURCES
from sabot_build.compiler import LINES_DROPPED, dotted
from sabot_build.names import names_in

DOUBLING = 2540
CLEAR_OF_IT = 200

COUNT = """
import sys, micropython
class Names: pass
for line in sys.stdin:
    setattr(Names, line[:-1].replace("\\x00", "\\n"), None)
micropython.qstr_info()
"""


def names(folder: Path) -> set[str]:
    """What the modules in ``folder`` bring: their names, and the name of each file (`__file__`)."""
    files = sorted(folder.rglob("*.mpy"))
    found = {name for file in files for name in names_in(file.read_bytes())}
    return (
        found
        | {str(file) for file in files}
        | {dotted(str(file.relative_to(folder).with_suffix(".py"))) for file in files}
    )


def table_size(found: set[str]) -> int:
    """How many of the names the interpreter must put into its table."""
    lines = "".join(name.replace("\n", "\x00") + "\n" for name in sorted(found))
    done = subprocess.run(
        [Path(sys.executable).with_name("micropython"), "-X", "heapsize=2M", "-c", COUNT],
        input=lines,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return int(done.stdout.partition("n_qstr=")[2].partition(",")[0])


def test_all_modules_at_once_stay_clear_of_the_next_doubling() -> None:
    firmware = names(compiled(SOURCES, REPOSITORY / "build" / "sim", LINES_DROPPED))
    size = table_size(firmware | names(compiled_overlay(OVERLAY, STORE)))
    assert len(firmware) / 2 < size <= DOUBLING - CLEAR_OF_IT, size


def test_names_that_the_interpreter_has_take_no_room() -> None:
    assert table_size({"append", "self_made_1"}) == table_size({"self_made_1"})
    assert table_size({"self_made_1", "self_made_2"}) == table_size({"self_made_1"}) + 1
