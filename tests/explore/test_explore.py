"""A small depth of the search, the record of a greater one, and tables wrong on purpose: each must be found."""

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from sabot.journal import recovery
from sabot.table.dealing import Dealing
from sabot.table.ending import Ending
from sabot.table.first_card import FirstCard
from sabot.table.settlement import Settlement
from sabot.table.showdown import Showdown
from sabot.table.watch import Watch
from sabot.wire.records import parse
from tests.explore.record import COVERED, GAMES, RESULT, explore
from tests.explore.search import Fault, Search, digest
from tests.explore.stations import stations
from tests.explore.world import World
from tests.records import ROOT, read_record, stale

DEALT = ("key fin", "while", "chip 0 on ante 1", "while", "key rnvp", "while", *("card",) * 6)
"""Seat 1 has bet, and may play or fold."""
PLAYED = (*DEALT, "chip 1 on play 1", "while")


def behind(game: str, *acts: str) -> World:
    """A world in which these things have happened."""
    world = World(game)
    for act in acts:
        world.do(act)
    return world


def test_the_record_is_of_this_code() -> None:
    """If this fails: make model DEPTH=2."""
    assert stale(RESULT, COVERED) == []
    record = read_record(RESULT)
    assert record["commit"] and record["command"].startswith("make model DEPTH=")
    for game in GAMES:
        found = record["games"][game]
        assert found["states"] > 1_000 and found["states that only a void of the whole round ends"] == []
        assert {"locked", "dealing", "deciding", "settling", "suspended"} < set(found["states by the table's state"])


@pytest.mark.parametrize("game", GAMES)
def test_every_event_in_every_instant_of_a_round(game: str) -> None:
    found = Search(World(game)).run(stations(game)[::3], 1)
    assert found.states > 300 and found.rounds_ended and not found.voided


@pytest.mark.campaign
@pytest.mark.parametrize("game", GAMES)
def test_every_event_behind_every_station(game: str) -> None:
    found = explore(game, 1)
    assert found.states > 1_000 and found.rounds_ended > 10 and not found.voided


def test_a_bad_depth_is_refused() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.explore.record", "--depth", "9"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 2 and "what to do" in done.stderr and "Traceback" not in done.stderr


# --- states ---------------------------------------------------------------------------------------------------------


def test_states_are_put_back_whole() -> None:
    world = World("bataille")
    begin, mark = world.memory.take(), digest(world)
    for station in (stations("bataille")[20], stations("bataille")[-1]):
        for act in station:
            world.do(act)
        assert digest(world) != mark
        kept = world.journal.kept
        world.memory.put(begin)
        assert digest(world) == mark and not world.journal.kept
        for act in station:
            world.do(act)
        assert world.journal.kept == kept
        world.memory.put(begin)


def test_when_it_was_does_not_matter_and_what_it_is_does() -> None:
    early, late = World(), World()
    late.clock.now += 1_000_000
    late.do("key fin")
    early.do("key fin")
    late.passes((200,))
    early.passes((200,))
    assert digest(early) == digest(late)
    late.do("chip 0 on ante 1")
    assert digest(early) != digest(late)
    early.do("chip 1 on ante 1")
    assert digest(early) != digest(late)


# --- tables that are wrong ------------------------------------------------------------------------------------------


def accepts_after_the_lock(monkeypatch: pytest.MonkeyPatch) -> None:
    right = Watch.came

    def came(self: Watch, item: int, spot: int, before: int) -> None:
        right(self, item, spot, before)
        if self._core.spots.state(spot) == "locked":
            self._core.spots.locked[spot] = self._core.spots.seen[spot]

    monkeypatch.setattr(Watch, "came", came)


def settles_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    right = Settlement.settle

    def settle(self: Settlement, rows: Any, settled: Any) -> None:
        right(self, rows, settled)
        self._core.append("settlement", {"round": self._core.round, "bets": rows})

    monkeypatch.setattr(Settlement, "settle", settle)


def pays_before_it_settles(monkeypatch: pytest.MonkeyPatch) -> None:
    right = Settlement.settle

    def settle(self: Settlement, rows: Any, settled: Any) -> None:
        for place, _result, stake, _paid, _returned in rows:
            self._core.prompt("pay", place, stake)
        right(self, rows, settled)

    monkeypatch.setattr(Settlement, "settle", settle)


def never_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Ending, "finish", lambda _self: False)
    right = Ending.void
    monkeypatch.setattr(Ending, "void", lambda self, reason, by: reason == "power_cut" and right(self, reason, by))


def recovers_what_was_laid_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forgets what the close of the decisions locked."""
    right = recovery.OpenRound.take

    def take(self: recovery.OpenRound, name: str, fields: dict[str, Any]) -> None:
        if name != "decisions":
            right(self, name, fields)

    monkeypatch.setattr(recovery.OpenRound, "take", take)


def shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Showdown, "reveal", lambda self, _step: self._core.machine.fire("reveal"))


def forgets_a_card(monkeypatch: pytest.MonkeyPatch) -> None:
    """As the table did before the search found it: a card that left behind the last one of the deal."""

    def bind_early(self: Dealing) -> None:
        while self._deal.planned() and self._deal.early_count and self._core.machine.name in ("locked", "dealing"):
            self.bind(*self._deal.next_early())

    monkeypatch.setattr(Dealing, "bind_early", bind_early)


def confirms_late(monkeypatch: pytest.MonkeyPatch) -> None:
    """As the table did before the search found it: between the edge and the next turn nobody judged."""

    def strike(self: FirstCard, edge: int) -> None:
        self._core.carded = True
        self._lock.lock_spots(edge)

    def confirm(self: FirstCard) -> None:
        if self._core.carded and not self._begun:
            self._begun = True
            self._core.ports.journal.seal()
            self.confirmation.begin(self._core.spots.carded, self._lock.edge)

    monkeypatch.setattr(FirstCard, "strike", strike)
    monkeypatch.setattr(FirstCard, "confirm", confirm)


_FIRST = ("key fin", "while", "chip 0 on initial 1", "while", "key rnvp", "while", "card", "card")
WRONG: list[tuple[Callable[[pytest.MonkeyPatch], None], str, tuple[str, ...], int, str]] = [
    (accepts_after_the_lock, "three_card", (*DEALT, "chip 1 on ante 1"), 1, "changed without a record"),
    (settles_twice, "three_card", (*PLAYED, "key devoiler"), 1, "do not balance"),
    (pays_before_it_settles, "three_card", (*PLAYED, "key devoiler"), 1, "payment asked for before"),
    (never_ends, "three_card", ("key fin", "while", "chip 0 on ante 1", "while"), 1, "no way out"),
    (recovers_what_was_laid_first, "three_card", PLAYED, 2, "do not balance at void"),
    (shows_nothing, "three_card", PLAYED, 2, "before the dealer's hand was shown"),
    (forgets_a_card, "bataille", _FIRST, 1, "nothing says what it was"),
    (confirms_late, "bataille", (*_FIRST[:-2], "beam", "chip 0 off"), 1, "less confirmed than lay there"),
]


@pytest.mark.parametrize(
    ("spoil", "game", "station", "depth", "why"), WRONG, ids=lambda each: getattr(each, "__name__", "")
)
def test_what_is_wrong_is_found(
    monkeypatch: pytest.MonkeyPatch,
    spoil: Callable[[pytest.MonkeyPatch], None],
    game: str,
    station: tuple[str, ...],
    depth: int,
    why: str,
) -> None:
    Search(World(game)).run([station], 1)
    spoil(monkeypatch)
    with pytest.raises(Fault, match=why) as fault:
        Search(World(game)).run([station], depth)
    assert len(fault.value.path) <= len(station) + depth


def test_a_card_too_many_while_the_lock_is_confirmed_stops_the_table() -> None:
    world = behind("bataille", *_FIRST, "card", "while")
    assert world.table.state == "suspended" and [issue["kind"] for issue in world.issues()] == ["wrong_count"]


def test_a_bet_lifted_right_behind_the_first_card_is_asked_about() -> None:
    world = behind("bataille", *_FIRST[:-2], "beam", "chip 0 off", "moment", "card", "while")
    assert [(issue["kind"], issue["place"]) for issue in world.issues()] == [("ambiguous", 0x10)]
    (row,) = next(parse(raw) for raw in world.journal.kept if parse(raw)["name"] == "confirmed")["fields"]["spots"]
    assert row[2] & 1, "its amount waits for the ruling"
