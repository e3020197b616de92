"""A paytable that gives the player the edge is lawful where the by-law prints it, but two authorities accept it first.

Entry point: :func:`missing`. An acceptance is HMAC-SHA-256 under a role's key over the hash of the game in force and
the number of packs: another paytable, another option or another pack needs another one.
"""

from sabot.rules.edges import favoured
from sabot.services.keyed import hmac_sha256, same

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def missing(settings: "Any") -> str:
    """Why the table may not deal this paytable, or an empty text. ``settings`` is the checked configuration."""
    bets = favoured(settings.game, settings.decks)
    if bets is not None and not bets:
        return ""
    message = b"sabot accept" + settings.game_hash + bytes((settings.decks,))
    accepted = 0
    for role in sorted(settings.accepted):
        key = settings.role_keys.get(role)
        if key and same(hmac_sha256(key, message), settings.accepted[role]):
            accepted += 1
    if accepted >= 2:
        return ""
    which = "was never counted" if bets is None else "favours the player: " + " ".join(bets)
    return "the paytable of %s with %d packs %s; %d of 2 acceptances are in config.json, field accepted" % (
        settings.game_id,
        settings.decks,
        which,
        accepted,
    )
