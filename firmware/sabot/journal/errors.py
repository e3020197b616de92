"""What can be wrong with a journal. Entry point: :class:`JournalError`; what the codes mean is in ``opening``."""


class JournalError(Exception):
    """The journal cannot do what was asked; ``code`` is one of `opening.CODES`, ``sequence`` the record or 0."""

    def __init__(self, code: str, sequence: int = 0) -> None:
        super().__init__("%s (record %d)" % (code, sequence) if sequence else code)
        self.code = code
        self.sequence = sequence
