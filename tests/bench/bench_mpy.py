"""Bytes of each compiled module, by architecture, and their sum: what the firmware takes of the flash."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tools import build_mpy


def measure() -> dict[str, Any]:
    """Build the firmware and return the sizes in bytes."""
    with TemporaryDirectory() as folder:
        modules: Any = build_mpy.build(build_mpy.ROOT, Path(folder) / "mpy")["modules"]
    return {
        "bytes": {module["target"]: module["bytes"] for module in modules},
        "total_bytes": {
            architecture: sum(module["bytes"].get(architecture, 0) for module in modules)
            for architecture in build_mpy.ARCHITECTURES
        },
    }
