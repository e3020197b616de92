"""What holds for every journal a table writes, whatever happened. Entry point: `judge`.

The reference model accepts it, the books balance, intervals contain what really happened, records come before their
consequences, and nothing of a face-down card is in a record before the reveal.
"""

from typing import Any

from sabot.rules.cards import card_name
from sabot.wire import codes
from sabot.wire.commitment import opens
from sabot_host.model.replay import Model, replay
from tests.model.three_card_reference import settle_player
from tests.table.bookkeeper import Account, audit
from tests.table.on_board.rig import BETS, LINES, Rig


def judge(rig: Rig) -> tuple[Model, Account]:
    """Judge what a rig has recorded; AssertionError or Misfit names what is wrong."""
    model = replay(rig.records)
    assert_same_states(rig, model)
    account = audit(rig.records)
    assert_true_intervals(rig)
    assert_commitments(rig.records)
    assert_settled_by_the_articles(rig.records)
    return model, account


def assert_same_states(rig: Rig, model: Model) -> None:
    """The model, driven by the journal alone, is where the table is."""
    status = rig.table.status()
    state = status["state"]
    # Which of idle and betting it is, is no record's business; the deal record tells of the first card and of the last.
    unrecorded = {"idle": "betting", "dealing": "locked"}
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
        antenna = rig.config.antennas.index(fields["place"])
        instants = [instant for instant, _chip, where, _came in rig.truth if where == antenna]
        assert [instant for instant in instants if fields["earliest"] <= instant <= fields["latest"]]


def assert_commitments(records: list[dict[str, Any]]) -> None:
    """Every hand that is opened is the one that was committed to, and no fold without a side bet is opened."""
    committed: dict[int, bytes] = {}
    for record in records:
        if record["name"] == "deal":
            committed = {row[0]: row[3] for row in record["fields"]["hands"]}
        elif record["name"] == "reveal":
            for seat, nonce, cards in record["fields"]["hands"]:
                assert opens(committed[seat], nonce, cards)


def assert_settled_by_the_articles(records: list[dict[str, Any]]) -> None:
    """Settlement against the reference written straight from the articles, hand by hand."""
    hands: dict[int, list[str]] = {}
    decisions: dict[int, str] = {}
    for record in records:
        fields = record["fields"]
        if record["name"] == "lock":
            hands, decisions = {}, {}
        elif record["name"] == "reveal":
            hands.update({seat: [card_name(card) for card in cards] for seat, _nonce, cards in fields["hands"]})
        elif record["name"] == "decisions":
            decisions.update({seat: codes.DECISIONS[decision] for seat, decision in fields["seats"]})
        elif record["name"] == "seat_state" and fields["trigger"] in ("play", "fold"):
            decisions[fields["seat"]] = fields["trigger"]
        elif record["name"] == "settlement":
            for seat in {codes.place_seat(row[0]) for row in fields["bets"]}:
                assert_seat(seat, fields["bets"], hands, decisions.get(seat))


def assert_seat(seat: int, rows: list[Any], hands: dict[int, list[str]], decision: str | None) -> None:
    """One seat's lines."""
    lines = {LINES[codes.place_spot(row[0])]: row[1:] for row in rows if codes.place_seat(row[0]) == seat}
    bets = {bet: lines[bet][1] for bet in BETS if bet in lines}
    player = {"cards": hands.get(seat, ["2c", "3d", "7h"]), "bets": bets, "decision": decision}
    due = settle_player(player, hands[0])
    expected = {"extra" if bet == "ante_bonus" else bet: line for bet, line in due["bets"].items()}
    assert {
        bet: {"result": codes.RESULTS[row[0]], "stake": row[1], "paid": row[2], "returned": row[3]}
        for bet, row in lines.items()
    } == expected
