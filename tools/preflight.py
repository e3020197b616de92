"""Says in one line what this machine lacks, before `make setup` starts to install.

Entry point: `python tools/preflight.py`, exit status 0 (all there) or 2 (something is missing, named on standard
error with what to do). Runs on any Python 3, old ones included, so it uses nothing newer than 3.6.
"""

import platform
import sys

MINIMUM = (3, 11)


def problem():
    """Return (what, what to do) for the first thing missing, or None."""
    if sys.version_info < MINIMUM:
        return (
            "Python %d.%d is too old: Sabot needs %d.%d or newer" % (sys.version_info[:2] + MINIMUM),
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
            "the simulator's MicroPython interpreter exists for x86-64 Linux only, this is %s %s"
            % (sys.platform, platform.machine()),
            "for the host tools alone: python3 -m pip install .",
        )
    return None


def main():
    """Print the first problem, if any, and return the exit status."""
    found = problem()
    if found is None:
        return 0
    sys.stderr.write("error: %s\nwhat to do: %s\n" % found)
    return 2


if __name__ == "__main__":
    sys.exit(main())
