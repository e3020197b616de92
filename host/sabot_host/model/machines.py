"""One state machine of the round as a `transitions` machine. Entry points: `Stateful`, `build`, `KINDS`, `NotListed`.

Nothing is interpreted twice: `transitions` knows only what `sabot.wire.states` lists, without automatic transitions, so
an unlisted trigger is an error there too.
"""

from transitions import Machine, MachineError

from sabot.wire import states

Table = tuple[tuple[str, tuple[str, ...], str], ...]

KINDS: dict[str, tuple[Table, tuple[str, ...]]] = {
    "table": (states.rules(states.TABLE), states.TABLE_STATES),
    "seat": (states.rules(states.SEAT), states.SEAT_STATES),
    "spot": (states.rules(states.SPOT), states.SPOT_STATES),
}


class NotListed(Exception):
    """A trigger that the table of the machine does not list for its state."""


class Stateful:
    """What a machine moves: `state`, and `came_from` for the triggers that lead back, the latest last."""

    state: str

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.came_from: list[str] = []
        self.machine = build(kind, self)

    def fire(self, trigger: str) -> None:
        """Fire a trigger by name; NotListed when the state does not list it, or the machine does not know it."""
        before = self.state
        try:
            moved = bool(self.machine.events[trigger].trigger(self))
        except (MachineError, KeyError):
            moved = False
        if not moved:
            raise NotListed(f"{self.kind}: {trigger} is not listed for state {before}")


def build(kind: str, model: Stateful) -> Machine:
    """The machine of a kind (`table`, `seat`, `spot`), moving `model`.

    A trigger that leads back becomes one transition for each state that its source can be entered from, each on the
    condition that the machine did come from there.
    """
    table, names = KINDS[kind]
    returning = {source for _, sources, destination in table if destination == states.BACK for source in sources}

    def remember(event: object) -> None:
        source = event.transition.source  # type: ignore[attr-defined]
        model.came_from.append(source)

    def go_back(event: object) -> None:
        model.came_from.pop()

    def leave(event: object) -> None:
        model.came_from.clear()

    listed: list[dict[str, object]] = []
    for trigger, sources, destination in table:
        for source in sources:
            if destination != states.BACK:
                entry: dict[str, object] = {"trigger": trigger, "source": source, "dest": destination}
                entry["before"] = remember if destination in returning else leave
                listed.append(entry)
                continue
            for _, origins, entered in table:
                if entered == source:
                    listed += [
                        {
                            "trigger": trigger,
                            "source": source,
                            "dest": origin,
                            "conditions": _from(model, origin),
                            "before": go_back,
                        }
                        for origin in origins
                    ]
    return Machine(
        model=model,
        states=list(names),
        initial=names[0],
        transitions=listed,
        auto_transitions=False,
        send_event=True,
    )


def _from(model: Stateful, origin: str) -> object:
    def came_from(event: object) -> bool:
        return model.came_from[-1:] == [origin]

    return came_from
