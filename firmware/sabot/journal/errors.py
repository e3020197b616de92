"""What can be wrong with a journal. Entry points: :class:`JournalError`, :data:`WORDS`, :func:`in_words`."""

# What can be wrong while records are appended and read, each on a line: code, what it means; the rest is in
# `opening.WORDS`. Only `full`, `sequence`, `segment` and `flash` leave the journal usable.
WORDS = """
storage the memory did not keep what was written
full no room without overwriting a record that the host has not acknowledged
unsealed a prepared record waits for its seal; seal() first
sequence there is no such record yet
segment a segment in the flash is damaged or gone; the error's sequence says which record is missing
flash the flash does not take a segment; the records stay in the memory while it has room
closed the journal is not open, or failed before
"""


def in_words(words: str, code: str, sequence: int) -> str:
    """What a code means, and the record that it is about; empty when the words do not know it."""
    at = words.find("\n" + code + " ")
    if at < 0:
        return ""
    text = words[at + len(code) + 2 : words.find("\n", at + 1)]
    return "%s (record %d)" % (text, sequence) if sequence else text


class JournalError(Exception):
    """The journal cannot do what was asked; ``code`` begins a line of the words, ``sequence`` is the record or 0."""

    def __init__(self, code: str, sequence: int = 0) -> None:
        super().__init__(in_words(WORDS, code, sequence) or code)
        self.code = code
        self.sequence = sequence
