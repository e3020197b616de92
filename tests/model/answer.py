"""The form of an answer, for the references. Entry points: `player_answer`, `line` and its like."""

from collections.abc import Mapping, Sequence
from typing import Any

Line = dict[str, Any]


def line(result: str, stake: int, paid: int, returned: int) -> Line:
    """One bet's result."""
    return {"result": result, "stake": stake, "paid": paid, "returned": returned}


def wins(stake: int, ratio: int) -> Line:
    """A bet paid `ratio` to 1."""
    return line("win", stake, stake * ratio, stake)


def loses(stake: int) -> Line:
    """A losing bet."""
    return line("lose", stake, 0, 0)


def pushes(stake: int) -> Line:
    """A bet that is « nulle »."""
    return line("push", stake, 0, stake)


def forfeits(stake: int) -> Line:
    """A bet lost by the player's own act."""
    return line("forfeit", stake, 0, 0)


def half_back(stake: int) -> Line:
    """A bet of which half is lost by the player's own act; a part of a cent goes to the player."""
    return line("forfeit", stake, 0, stake - stake // 2)


def table_bet(stake: int, ratio: int | None) -> Line:
    """A bet paid by a table, or lost when the table does not list the hand."""
    return loses(stake) if ratio is None else wins(stake, ratio)


def player_answer(bets: Mapping[str, int], out: Mapping[str, Line], order: Sequence[str]) -> Line:
    """One player's answer from the lines of his bets."""
    staked = sum(bets.values())
    received = sum(each["paid"] + each["returned"] for each in out.values())
    return {
        "bets": {bet: out[bet] for bet in order if bet in out},
        "staked": staked,
        "received": received,
        "net": received - staked,
    }
