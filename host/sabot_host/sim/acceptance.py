"""The acceptance of a paytable that favours the player, as two authorities of a simulated table give it.

Entry point: :func:`with_acceptance`. Signed with the published development keys, which a sealed controller refuses.
"""

from __future__ import annotations

import hashlib
import hmac
from typing import Any

from hwsim.provisioning import DEVELOPMENT_KEYS
from sabot.rules import games
from sabot.rules.game import fingerprint
from sabot.rules.variants import configure

LABEL = b"sabot accept"
ROLES = ("auditor", "supervisor")


def with_acceptance(config: dict[str, Any]) -> dict[str, Any]:
    """The configuration with the acceptances of its paytable; one that names no game is left alone."""
    if config.get("game") not in games.GAMES or "accepted" in config:
        return config
    try:
        game = configure(games.load(config["game"]), **config.get("options", {}))
        message = LABEL + fingerprint(game) + bytes([config["decks"]])
    except (TypeError, ValueError, KeyError):
        return config  # a configuration that is wrong on purpose: the controller will say so
    accepted = {role: hmac.new(DEVELOPMENT_KEYS[role], message, hashlib.sha256).hexdigest() for role in ROLES}
    return {**config, "accepted": accepted}
