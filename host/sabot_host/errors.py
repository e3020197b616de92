"""Every error the host tools raise on purpose, and the exit status each one gives the command line.

Entry points: `SabotError` (what, and what to do about it), its families below, the `Exit` statuses, `how_to_install`.
Raise the family that fits, with a code written out as a literal: `make docs` collects the codes from the source into
docs/errors.md, and `make docs-check` fails when that page is stale.

    raise DeviceError("link-silent", "the controller does not answer on ttyACM0", "unplug it, plug it in, try again")
"""

from enum import IntEnum


class Exit(IntEnum):
    """Exit status of every `sabot` command. Scripts depend on the numbers: add, never renumber."""

    OK = 0
    """the command did what was asked"""
    FINDING = 1
    """it ran to its end and found something wrong: a refused round, a broken journal, a failed scenario"""
    USAGE = 2
    """the command line itself is wrong"""
    DEVICE = 3
    """no controller, or it does not answer, or it answers nonsense"""
    REFUSED = 4
    """the controller answered and refused: wrong key, wrong version, not now"""
    FILE = 5
    """a file or stream cannot be read or written, or holds something else"""
    MISSING = 6
    """a part that the command needs is not installed"""
    INTERNAL = 70
    """a mistake in Sabot itself"""
    INTERRUPTED = 130
    """stopped by Ctrl-C"""
    PIPE = 141
    """whoever read the output closed it"""
    ENDED = 143
    """stopped by another signal: SIGTERM, SIGHUP"""


class SabotError(Exception):
    """Something went wrong that a person can do something about.

    Args:
        code: stable name of the error, lower case with hyphens, listed in docs/errors.md.
        message: one line, what went wrong; no full stop needed, no advice.
        hint: one line, what to do about it.
        exit_status: status of the command that ends with it; each family below has its own.
    """

    def __init__(self, code: str, message: str, hint: str, exit_status: int = Exit.FINDING) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint
        self.exit_status = int(exit_status)
        self.add_note(f"what to do: {hint}")  # for those who see a traceback: a test run of an integrator's

    def __reduce__(self) -> tuple[type["SabotError"], tuple[object, ...]]:
        """Errors cross process boundaries whole (the families take one argument fewer)."""
        if type(self) is SabotError:
            return (SabotError, (self.code, self.message, self.hint, self.exit_status))
        return (type(self), (self.code, self.message, self.hint))


class UsageError(SabotError):
    """The command line is wrong."""

    def __init__(self, code: str, message: str, hint: str) -> None:
        super().__init__(code, message, hint, Exit.USAGE)


class DeviceError(SabotError):
    """No controller, or one that does not answer as a controller does."""

    def __init__(self, code: str, message: str, hint: str) -> None:
        super().__init__(code, message, hint, Exit.DEVICE)


class RefusedError(SabotError):
    """The controller answered, and the answer is no."""

    def __init__(self, code: str, message: str, hint: str) -> None:
        super().__init__(code, message, hint, Exit.REFUSED)


class FileError(SabotError):
    """A file or stream cannot be read or written, or holds something else."""

    def __init__(self, code: str, message: str, hint: str) -> None:
        super().__init__(code, message, hint, Exit.FILE)


class MissingPartError(SabotError):
    """An optional part of the installation is needed and not there."""

    def __init__(self, code: str, message: str, hint: str) -> None:
        super().__init__(code, message, hint, Exit.MISSING)


def how_to_install(extra: str) -> str:
    """What to do where an optional part of the distribution, an *extra*, is missing; it comes from the clone alone."""
    return f"in the clone of Sabot: python -m pip install '.[{extra}]'"
