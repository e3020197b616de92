"""Says in one line what this machine lacks, before `make setup` starts to install.

Entry point: `python tools/preflight.py`, exit status 0 (all there) or 2 (something is missing, named on standard
error with what to do). Runs on any Python 3, old ones included, so it uses nothing newer than 3.6.
"""

import platform
import sys

MINIMUM = (3, 11)


def problem() -> "tuple[str, str] | None":
    """Return (what, what to do) for the first thing missing, or None."""
    if sys.version_info < MINIMUM:
        return (
            f"Python {platform.python_version()} is too old: Sabot needs {MINIMUM[0]}.{MINIMUM[1]} or newer",
            "install one and say which: make PYTHON=/path/to/python3.11",
        )
    try:
        import ensurepip  # noqa: F401
        import venv  # noqa: F401
    except ImportError:
        return (
            "this Python has no venv module",
            "install it (on Debian and Ubuntu: apt-get install python3-venv) and run make again",
        )
    if (sys.platform, platform.machine()) != ("linux", "x86_64"):
        return (
            f"the simulator's interpreter exists for x86-64 Linux only, this is {sys.platform} {platform.machine()}",
            "for the host tools alone: python3 -m pip install .",
        )
    return None


def main() -> int:
    """Print the first problem, if any, and return the exit status."""
    found = problem()
    if found is None:
        return 0
    what, what_to_do = found
    sys.stderr.write(f"error: {what}\nwhat to do: {what_to_do}\n")
    return 2


if __name__ == "__main__":
    sys.exit(main())
