"""What the configuration of one table says, once it has been checked.

Entry points: :class:`Settings`, :data:`ANTENNAS_A_READER`.

Apart from ``config``, which reads and checks it: that is needed at the start only, and this for as long as the table
plays.
"""

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

ANTENNAS_A_READER = 8


class Settings:
    """One table's configuration: an attribute a field (``docs/configuration.md``), and what follows from them.

    Money in cents, times in milliseconds. ``game`` is the house's version of the game, ``game_hash`` its fingerprint;
    ``antennas`` are place bytes, eight a reader, 0 where nothing is wired; ``hash`` stands for the whole file.
    """

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> "Any":
            """Every field has an attribute."""

        def __setattr__(self, name: str, value: "Any") -> None:
            """``config`` sets them."""
