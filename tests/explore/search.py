"""The search: every event in every state, to a depth. Entry points: `search`, `Fault`, `Found`.

States that behave alike are explored once (`memory`). In each state the power is cut, and what comes back is compared
with what the table itself would have given back; and people who do what is due bring the round to its end.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from sabot.journal import recovery
from sabot.rules.errors import RuleError
from sabot.table.errors import TableError
from sabot.wire import codes
from sabot.wire.records import parse
from tests.explore.books import Broken, require
from tests.explore.memory import Snapshot
from tests.explore.world import Kept, World

MOST_ACTS = 60
"""So many acts of dealer, supervisor and time end any round."""
Path = tuple[str, ...]


class Fault(AssertionError):
    """Something does not hold after `path`, the shortest there is from one of the stations."""

    def __init__(self, path: Path, why: object) -> None:
        super().__init__(f"after {', '.join(path)}: {why}")
        self.path = path


class Found:
    """What a search has seen."""

    def __init__(self) -> None:
        self.states = 0
        self.events = 0
        self.levels: list[int] = []  # new states at each depth
        self.rounds_ended = 0  # events that ended a round with its settlement
        self.voided: list[Path] = []  # states in which only the void of the whole round ends it
        self.table_states: dict[str, int] = {}


def digest(world: World) -> bytes:
    """What state the world is in, what its journal says of the open round included."""
    return world.memory.digest(world.clock.ticks(), _open_round(world.journal.kept, world.journal))


@lru_cache(1000)
def _open_round(_records: tuple[bytes, ...], journal: Kept) -> recovery.OpenRound | None:
    return recovery.last_round(journal)  # type: ignore[arg-type]


class Search:
    """One search of a world."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.found = Found()
        self._seen: set[bytes] = set()
        self._back: set[bytes] = set()  # states behind a power cut in which the table has been used
        self._ends: set[bytes] = set()  # states from which the round has been brought to its end

    def run(self, stations: Iterable[Path], depth: int) -> Found:
        """Explore to `depth` events from the beginning and behind each station; Fault for the first that is wrong."""
        world = self.world
        begin = world.memory.take()
        frontier: list[tuple[Snapshot, Path]] = []
        for station in ((), *stations):
            world.memory.put(begin)
            for at, act in enumerate(station):
                self._do(station[: at + 1], act)
            self._enter(station, frontier, True)
        self.found.levels.append(len(frontier))
        for level in range(1, depth + 1):
            following: list[tuple[Snapshot, Path]] = []
            before = self.found.states
            for snapshot, path in frontier:
                for act in world.acts:
                    world.memory.put(snapshot)
                    longer = (*path, act)
                    self._do(longer, act)
                    self.found.events += 1
                    self._enter(longer, following, level < depth)
            frontier = following
            self.found.levels.append(self.found.states - before)
        world.memory.put(begin)
        return self.found

    def _do(self, path: Path, act: str) -> None:
        rounds = self.world.books.account.rounds
        try:
            self.world.do(act)
        except (AssertionError, TableError, RuleError, LookupError, TypeError, ValueError) as why:
            raise Fault(path, f"{type(why).__name__}: {why}") from why
        self.found.rounds_ended += self.world.books.account.rounds - rounds

    def _enter(self, path: Path, frontier: list[tuple[Snapshot, Path]], expand: bool) -> None:
        """The state behind `path`: if it is new, it is judged, and expanded later."""
        mark = digest(self.world)
        if mark in self._seen:
            return
        self._seen.add(mark)
        self.found.states += 1
        state = self.world.table.state
        self.found.table_states[state] = self.found.table_states.get(state, 0) + 1
        here = self.world.memory.take()
        try:
            self._cut(here)
            self._end(mark, path)
        except Broken as why:
            raise Fault(path, why) from why
        if expand:
            frontier.append((here, path))

    # --- in every state -------------------------------------------------------------------------------------------

    def _cut(self, here: Snapshot) -> None:
        """A power cut gives back what the table, asked for a void in this very state, gives back; then it plays on."""
        world = self.world
        expected = self._void_rows(lambda: world.table.void(codes.VOID_REASONS.index("power_cut"), 0))
        world.memory.put(here)
        found = self._void_rows(world.power_cut)
        require(found == expected, "what a power cut gives back is not what was locked", found, expected)
        mark = digest(world)
        if mark not in self._back:
            self._back.add(mark)
            for _issue in world.issues():  # what waited for the supervisor still does
                world.do("key fin")
                require(world.table.state == "closed", "opened while something waits", world.issues())
                world.do("rule valid")
            world.do("key fin")
            world.do("while")
            require(world.table.state in ("idle", "betting"), "not usable after a power cut", world.table.state)
        world.memory.put(here)

    def _void_rows(self, act: Any) -> Any:
        kept = len(self.world.journal.kept)
        act()
        records = [parse(raw) for raw in self.world.journal.kept[kept:]]
        return [record["fields"]["spots"] for record in records if record["name"] == "void"]

    def _end(self, mark: bytes, path: Path) -> None:
        """People who do what is due end the round; the void is the last they try."""
        world = self.world
        way = [mark]
        for act in range(MOST_ACTS):
            if way[-1] in self._ends or self._over():
                self._ends.update(way)
                return
            self._due(act)
            way.append(digest(world))
        require(world.table.void(codes.VOID_REASONS.index("supervisor"), 2), "no way out", world.table.status())
        self.found.voided.append(path)

    def _over(self) -> bool:
        core = self.world.table._core
        return not core.in_round and self.world.table.state != "suspended"

    def _due(self, act: int) -> None:
        world = self.world
        for issue in world.issues()[:1]:
            if issue["severity"]:
                word = "valid" if issue["severity"] > 2 else "refused"
                if issue["severity"] == 2 and act > MOST_ACTS // 3:
                    word = "void"  # the seat's bets go back: there is nothing else to be said of them
                world.do("rule keyed" if issue["kind"] == "unread_card" else "rule " + word)
                world.do("while")
                if [issue for issue in world.issues() if issue["second"] or issue["kind"] == "unread_card"]:
                    world.do("key oui")
                return
        state = world.table.state
        if world.beam >= 0 or (state in ("locked", "dealing") and world.table._round.gate):
            world.do("card")
        elif state in ("deciding", "revealing"):
            world.do("key devoiler")
        elif state == "settling":
            world.do("key fin")
        world.do("long" if act % 4 == 3 else "while")
