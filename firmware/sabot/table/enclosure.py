"""The shoe's lid and the case: opened where they should not be, they stop the table. Entry point: `Enclosure`.

The lid is opened to load the shoe: at a closed table, in a shuffle or a change of shoe that is routine, and no more
than a notice. The case is opened by nobody while the table is in use: that stops it until a supervisor and a technician
have both said that it is in order, whatever happens meanwhile: a void, a power cut, a case that is shut again.
"""

from sabot.table.issues import TABLE_STOP, Issue
from sabot.wire.codes import ROLES

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from sabot.table.core import Core
    from sabot.table.issues import Issues

_WHO = (ROLES.index("supervisor"), ROLES.index("technician"))


class Enclosure:
    """Both contacts of one table."""

    def __init__(self, core: "Core", issues: "Issues") -> None:
        self._core = core
        self._issues = issues
        self._lid_open = False
        self._case_open = False
        self._tampered = False  # the case has been opened, and not everybody has cleared it

    def moved(self, name: str, is_open: bool, at: int) -> None:
        """`lid` or `case` has been opened or shut, at the raw instant `at`."""
        if name == "case":
            self._case_open = is_open
            if is_open:
                self.tampered(at)
            return
        if is_open and not self._lid_open and not self._in_play():
            self._issues.note_card("lid", at)
        self._lid_open = is_open
        self._tell(at)

    def tampered(self, at: int) -> None:
        """The case has been opened, now or before the controller started."""
        self._tampered = True
        self._tell(at)

    def tick(self) -> None:
        """Time passes: what is still so when play goes on, or when a void has ended its irregularity, is told again."""
        if (self._lid_open and self._in_play()) or self._tampered:
            self._tell(self._core.now)

    def _in_play(self) -> bool:
        return self._core.machine.name == "suspended" or self._core.machine.can("suspend")

    def _tell(self, at: int) -> None:
        in_play = self._in_play()
        if self._lid_open and in_play and not self._issues.of("lid"):
            self._issues.raise_card("lid", at, 0)
        if self._tampered and not self._issues.of("case"):
            for index in range(len(_WHO)):
                issue = self._issues.raise_card("case", at, index) if in_play else self._issues.raise_closed("case", at)
                if issue is not None:
                    issue.by = _WHO[index]
        if self._issues.stops():
            self._core.machine.attempt("suspend")

    def clears(self, issue: Issue, by: int) -> bool:
        """Whether `by` (`codes.ROLES`) may say that this is in order; it is then, and must be shut by now."""
        if issue.kind == "lid":
            return not self._lid_open and by == _WHO[0]
        if self._case_open or by != issue.by:
            return False
        self._tampered = len(self._issues.of("case")) > 1
        return True

    def blocks(self) -> bool:
        """Whether a closed table must stay closed."""
        return self._tampered or len([issue for issue in self._issues.open if issue.severity == TABLE_STOP]) > 0
