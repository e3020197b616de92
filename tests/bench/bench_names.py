"""How many names the whole firmware brings into the interpreter's table of names: every module there is, at once.

Entry points: :func:`measure`, and :func:`table_size` of any names. The interpreter's own names lie in its program and
take no room. With the firmware's go those of the simulator's own part, and the path of each module's file (`__file__`).
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

from hwsim.compiled import compiled, compiled_overlay
from hwsim.process import OVERLAY, STORE
from hwsim.table import REPOSITORY, SOURCES
from sabot_build.compiler import LINES_DROPPED, dotted
from sabot_build.names import names_in

DOUBLING = 2540  # names on the 64-bit interpreter, beyond which its table takes 28 KB more at once

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


def measure() -> dict[str, Any]:
    """Compile the firmware and return the number of names, and how many more there may be."""
    firmware = names(compiled(SOURCES, REPOSITORY / "build" / "sim", LINES_DROPPED))
    size = table_size(firmware | names(compiled_overlay(OVERLAY, STORE)))
    return {"whole_firmware": size, "before_the_next_doubling": DOUBLING - size}
