"""A paytable that favours the player is dealt only when two authorities have accepted this very paytable."""

from copy import deepcopy
from typing import Any

import pytest

from hwsim.provisioning import DEVELOPMENT_KEYS, configuration
from sabot.config import checked
from sabot.services.acceptance import missing
from sabot_host.sim.acceptance import with_acceptance

KEYS = {
    "device": DEVELOPMENT_KEYS["device"].hex(),
    "casino": DEVELOPMENT_KEYS["casino"].hex(),
    "roles": {role: DEVELOPMENT_KEYS[role].hex() for role in ("supervisor", "technician", "auditor")},
}


def reason(config: dict[str, Any]) -> str:
    return missing(checked(deepcopy(config), KEYS))


@pytest.mark.parametrize("game", ["three_card", "bataille", "poker_357", "boston", "four_card"])
def test_a_paytable_in_the_houses_favour_needs_no_acceptance(game: str) -> None:
    assert reason(configuration(game, 2)) == ""


def test_the_printed_fou_du_poker_waits_for_two_authorities() -> None:
    config = configuration("crazy_four", 2)
    assert "favours the player: ante; 0 of 2" in reason(config)
    accepted = with_acceptance(config)
    assert reason(accepted) == ""
    one = {**accepted, "accepted": {"auditor": accepted["accepted"]["auditor"]}}
    assert "1 of 2" in reason(one)
    twice = {**accepted, "accepted": {**accepted["accepted"], "supervisor": accepted["accepted"]["auditor"]}}
    assert "1 of 2" in reason(twice)


def test_an_acceptance_is_of_one_paytable_and_one_number_of_packs() -> None:
    accepted = with_acceptance(configuration("crazy_four", 2))
    assert "0 of 2" in reason({**accepted, "decks": 2})
    assert "0 of 2" in reason({**accepted, "options": {"fold_side_bets": "forfeit"}})
    two_packs = configuration("three_card", 2, decks=2)
    assert "favours the player: pair_plus" in reason(two_packs)
    assert reason(with_acceptance(two_packs)) == ""
