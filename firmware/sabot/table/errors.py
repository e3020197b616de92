"""Errors of the table. Entry points: `TableError` and `TransitionError`.

Neither is expected in a round: an input that does not fit the state is answered by a record or by False. They tell that
the controller's own logic, or its configuration, is wrong; `code` is stable.
"""

NO_TRANSITION = "no_transition"  # a trigger that the state machine does not list for its state
NO_EDGE = "no_edge"  # a bet that the first card locks, at a table that sees no card
NO_SPOTS = "no_spots"  # an antenna names a seat or bet that the table does not have


class TableError(Exception):
    """The table's logic or configuration is wrong; `code` is one of this module's constants."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class TransitionError(TableError):
    """A trigger that is not listed for the state that a machine is in."""

    def __init__(self, state: str, trigger: str) -> None:
        super().__init__(NO_TRANSITION, "%s is not listed for state %s" % (trigger, state))
        self.state = state
        self.trigger = trigger
