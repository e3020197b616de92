"""What holds for every journal a table writes, whatever happened. Entry point: `judge`.

The reference model accepts it, the books balance, intervals contain what really happened, records come before their
consequences, and nothing of a face-down card is in a record before the reveal.
"""

from typing import Any

from sabot.rules.cards import card_name
from sabot.wire import codes
from sabot.wire.commitment import opens
from sabot_host.model.replay import Model, replay
from tests.model import (
    bataille_reference,
    boston_reference,
    crazy_four_reference,
    four_card_reference,
    poker_357_reference,
    three_card_reference,
)
from tests.table.bookkeeper import Account, audit
from tests.table.on_board.rig import Rig

REFERENCES = {
    "bataille": bataille_reference.settle_player,
    "boston": boston_reference.settle_player,
    "crazy_four": crazy_four_reference.settle_player,
    "four_card": four_card_reference.settle_player,
    "poker_357": poker_357_reference.settle_player,
    "three_card": three_card_reference.settle_player,
}


def judge(rig: Rig) -> tuple[Model, Account]:
    """Judge what a rig has recorded; AssertionError or Misfit names what is wrong."""
    model = replay(rig.records)
    assert_same_states(rig, model)
    account = audit(rig.records)
    assert_true_intervals(rig)
    assert_commitments(rig.records)
    assert_settled_by_the_articles(rig)
    return model, account


def assert_same_states(rig: Rig, model: Model) -> None:
    """The model, driven by the journal alone, is where the table is."""
    status = rig.table.status()
    state = status["state"]
    # Which of idle and betting it is, is no record's business; the deal record tells of the first card and of the last.
    latest = [record["name"] for record in rig.records if record["name"] in ("lock", "decisions")][-1:]
    unrecorded = {"idle": "betting", "dealing": "revealing" if latest == ["decisions"] else "locked"}
    assert unrecorded.get(model.table(), model.table()) == unrecorded.get(state, state), (model.table(), state)
    if state in ("idle", "betting", "last_bets", "locked", "dealing", "suspended"):
        return  # chips lie down and go without a record, and decisions open before the deal record
    for seat in status["seats"]:
        assert model.seat(seat["seat"]) == seat["state"]
    for spot in status["spots"]:
        if spot["state"] in ("locked", "settled"):
            assert model.spot(spot["place"]) == spot["state"]


def assert_true_intervals(rig: Rig) -> None:
    """Each reported change of a chip contains an instant at which that chip was really moved."""
    for fields in rig.named("irregularity"):
        kind = codes.kind_name(fields["kind"])
        if kind in ("transit", "relation", "moved", "foreign", "bad_mac", "clone"):
            continue
        if (kind.startswith("ambiguous") or kind == "equal_swap") and rig.noise:
            continue  # a chip that did not answer before the lock: in doubt, though nobody may have touched it
        for (uid,) in fields["uids"]:
            chip = uid[0] | (uid[1] << 8)
            moves = [instant for instant, moved, _antenna, _came in rig.truth if moved == chip]
            inside = [instant for instant in moves if fields["earliest"] <= instant <= fields["latest"]]
            assert inside, (codes.kind_name(fields["kind"]), moves, fields)
    for fields in rig.named("change"):
        seat, spot = codes.place_seat(fields["place"]), codes.place_spot(fields["place"])
        antenna = rig.antenna(seat, rig.bets[spot])
        instants = [instant for instant, _chip, where, _came in rig.truth if where == antenna]
        assert [instant for instant in instants if fields["earliest"] <= instant <= fields["latest"]]


def assert_commitments(records: list[dict[str, Any]]) -> None:
    """Every hand that is opened is the one that was committed to, and no fold without a side bet is opened."""
    committed: dict[int, bytes] = {}
    for record in records:
        if record["name"] == "lock":
            committed = {}
        elif record["name"] == "deal":
            committed.update({row[0]: row[3] for row in record["fields"]["hands"]})
        elif record["name"] == "redealt":
            committed.update({row[0]: row[2] for row in record["fields"]["hands"]})
        elif record["name"] == "reveal":
            for seat, nonce, cards in record["fields"]["hands"]:
                assert opens(committed[seat], nonce, cards)


class Settled:
    """What the records of one round say of each seat: hands, decisions, lines."""

    def __init__(self, rig: Rig) -> None:
        self.rig = rig
        self.hands: dict[int, list[str]] = {}
        self.decisions: dict[int, str] = {}
        self.lines: dict[int, dict[str, Any]] = {}

    def take(self, name: str, fields: dict[str, Any]) -> None:
        """Enter one record; at the round's end every seat is judged."""
        asked = self.rig.game.decision
        if name == "lock":
            self.hands, self.decisions, self.lines = {}, {}, {}
        elif name == "reveal":
            self.hands.update({hand: [card_name(card) for card in cards] for hand, _nonce, cards in fields["hands"]})
        elif name == "keyed_hands":
            self.hands.update({hand: [card_name(card) for card in cards] for hand, cards in fields["hands"]})
        elif name == "decisions":
            self.decisions.update({seat: codes.DECISIONS[decision] for seat, decision in fields["seats"]})
        elif name == "seat_state" and fields["trigger"] in ("play", "fold", "withdraw"):
            self.decisions[fields["seat"]] = asked.taken if fields["trigger"] == "play" else asked.refused
        elif name == "seat_state" and fields["trigger"] == "out":
            self.lines.pop(fields["seat"], None)  # what was not settled has gone back
        elif name == "settlement":
            for place, result, stake, paid, returned in fields["bets"]:
                line = {"result": codes.RESULTS[result], "stake": stake, "paid": paid, "returned": returned}
                self.lines.setdefault(codes.place_seat(place), {})[self.rig.lines[codes.place_spot(place)]] = line
        elif name == "round_end":
            for seat, lines in self.lines.items():
                self.judge(seat, lines)

    def judge(self, seat: int, lines: dict[str, Any]) -> None:
        """One seat's lines against the reference written straight from the articles."""
        game = self.rig.game
        if self.hands.get(seat) == [] or self.hands.get(0) == []:
            return  # judged by the dealer: nothing here has seen a card
        war = game.id == "bataille"
        count = game.cards[0]
        own = self.hands.get(seat, ["2c", "3d", "7h", "9s", "Jd"][:count])  # a hand that nothing shown rests on
        player: dict[str, Any] = {
            "cards": own + ([] if war else self.hands.get(8 + seat, [])),
            "bets": {bet: lines[bet]["stake"] for bet in self.rig.bets if bet in lines},
            "decision": self.decisions.get(seat),
        }
        if war and 8 + seat in self.hands:
            player["war_player"] = self.hands[8 + seat][0]
            player["war_dealer"] = self.hands[16 + seat if 16 + seat in self.hands else 8][0]
        ruled_away = [bet for bet in game.openings[0] if len(game.openings) == 1 and bet not in lines]
        player["bets"].update(dict.fromkeys(ruled_away, 100))  # by a supervisor, after a first settlement
        due = REFERENCES[game.id](player, self.hands[0] + ([] if war else self.hands.get(8, [])))
        expected = {"extra" if bet == "ante_bonus" else bet: line for bet, line in due["bets"].items()}
        expected = {bet: line for bet, line in expected.items() if bet not in ruled_away}
        if game.fold_side_bets == "forfeit" and player["decision"] == game.decision.refused:  # the house's option
            for bet in game.bets:
                if bet.side and bet.name in expected:
                    expected[bet.name] = {
                        "result": "forfeit",
                        "stake": player["bets"][bet.name],
                        "paid": 0,
                        "returned": 0,
                    }
        assert lines == expected


def assert_settled_by_the_articles(rig: Rig) -> None:
    """Settlement against the references, seat by seat."""
    settled = Settled(rig)
    for record in rig.records:
        settled.take(record["name"], record["fields"])
