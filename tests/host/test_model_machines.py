"""The two readings of `sabot.wire.states`, the firmware's and `transitions`, agree on every (state, trigger) pair."""

from collections.abc import Iterator

import pytest

from sabot.table.errors import TransitionError
from sabot.table.machine import Machines
from sabot.wire.states import BACK
from sabot_host.model.machines import KINDS, NotListed, Stateful

UNKNOWN = "no_such_trigger"


def paths(kind: str) -> dict[str, list[list[str]]]:
    """Triggers that lead to each state, the shortest way.

    A state with a way back has one way for each state it is entered from, so that every way back is tried.
    """
    table, names = KINDS[kind]
    ways: dict[str, list[list[str]]] = {names[0]: [[]]}
    queue = [names[0]]
    while queue:
        state = queue.pop(0)
        for trigger, sources, destination in table:
            if state in sources and destination != BACK and destination not in ways:
                ways[destination] = [[*ways[state][0], trigger]]
                queue.append(destination)
    for _, sources, destination in table:
        if destination != BACK:
            continue
        for source in sources:
            ways[source] = [
                [*ways[origin][0], trigger]
                for trigger, origins, entered in table
                if entered == source
                for origin in origins
            ]
    return ways


def pairs() -> Iterator[tuple[str, str, list[str], str]]:
    for kind, (table, names) in KINDS.items():
        ways = paths(kind)
        assert sorted(ways) == sorted(names)
        for state in names:
            for way in ways[state]:
                for trigger in [*sorted({entry[0] for entry in table}), UNKNOWN]:
                    yield kind, state, way, trigger


@pytest.mark.parametrize("kind", KINDS)
def test_every_state_and_trigger_on_both(kind: str) -> None:
    tried = 0
    listed = {(trigger, source) for trigger, sources, _ in KINDS[kind][0] for source in sources}
    for _kind, state, way, trigger in (pair for pair in pairs() if pair[0] == kind):
        ours, reference = Machines(*KINDS[kind]), Stateful(kind)
        for step in way:
            ours.fire(step)
            reference.fire(step)
        assert ours.name == reference.state == state
        assert ours.can(trigger) == ((trigger, state) in listed)
        if (trigger, state) in listed:
            ours.fire(trigger)
            reference.fire(trigger)
        else:
            with pytest.raises(TransitionError) as refused:
                ours.fire(trigger)
            assert (refused.value.state, refused.value.trigger) == (state, trigger)
            with pytest.raises(NotListed):
                reference.fire(trigger)
        assert ours.name == reference.state
        tried += 1
    assert tried >= len(KINDS[kind][1]) * len({entry[0] for entry in KINDS[kind][0]})


def test_a_way_back_leads_where_the_machine_came_from() -> None:
    for source in ("locked", "dealing", "revealing"):
        way = paths("table")[source][0]
        ours, reference = Machines(*KINDS["table"]), Stateful("table")
        for step in [*way, "suspend", "resume"]:
            ours.fire(step)
            reference.fire(step)
        assert ours.name == reference.state == source


def test_there_are_no_automatic_transitions() -> None:
    reference = Stateful("seat")
    assert not hasattr(reference, "to_held")
    with pytest.raises(NotListed):
        reference.fire("to_held")


def test_machines_of_a_kind_share_the_table_and_not_the_state() -> None:
    machines = Machines(*KINDS["spot"], 2)
    machines.fire("open", 1)
    assert (machines.name_of(0), machines.name_of(1)) == ("shut", "open")
    assert machines.attempt("open", 1) is False
    assert machines.attempt("lock", 1) is True
