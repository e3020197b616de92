"""What a journal's errors mean. Entry points: :data:`CODES`, :func:`meaning`. Needed at the start only."""

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from .errors import JournalError

# code, what it means. Only `full` and `sequence` leave the journal usable; after the others play does not start.
CODES = (
    ("unformatted", "the memory holds no journal: the controller was never provisioned"),
    ("formatted", "the memory holds a journal already; it is never replaced silently"),
    ("version", "the memory holds a journal of another version"),
    ("size", "the memory is too small, or of another size than the journal was made for"),
    ("superblock", "both copies of the superblock are damaged"),
    ("head", "both copies of the head are damaged: the chain cannot be continued"),
    ("meters", "the meters are damaged and cannot be added up again from the records"),
    ("ring", "a record is damaged; the error's sequence says which, those before it can still be read"),
    ("storage", "the memory did not keep what was written"),
    ("full", "no room without overwriting a record that the host has not acknowledged"),
    ("unsealed", "a prepared record waits for its seal; seal() first"),
    ("sequence", "there is no such record yet"),
    ("closed", "the journal is not open, or failed before"),
)


def meaning(error: "JournalError") -> str:
    """The error in words, with the record that it is about."""
    found = [text for code, text in CODES if code == error.code][0]
    return "%s (record %d)" % (found, error.sequence) if error.sequence else found
