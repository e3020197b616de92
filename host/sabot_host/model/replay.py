"""A journal replayed through the reference model. Entry points: `replay`, `Model`, `Misfit`.

The model is driven by the records alone, through `sabot.wire.expand`; `consistency` adds what they must agree on beside
the states, `money` follows every cent, and `recompute` works every settlement out again. The first record that does not
fit is named with its sequence number and the reason.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from sabot.wire.expand import RESET, Expander
from sabot_host.model.consistency import Consistency, Inconsistent
from sabot_host.model.machines import NotListed, Stateful
from sabot_host.model.money import Astray, Money
from sabot_host.model.recompute import Differs, Recomputed


class Misfit(Exception):
    """A record that the model does not allow; `sequence` and `name` say which, `why` what it contradicts."""

    def __init__(self, sequence: int, name: str, why: str) -> None:
        super().__init__(f"record {sequence} ({name}) does not fit: {why}")
        self.sequence = sequence
        self.name = name
        self.why = why


class Model:
    """The machines of one table: the table's, and those of the seats and spots that the journal names."""

    def __init__(self) -> None:
        self._machines: dict[tuple[str, int], Stateful] = {}
        self._expander = Expander(self)
        self._consistency = Consistency()
        self._money = Money()
        self.recomputed = Recomputed()
        self._last = (0, "nothing")  # number and name of the record
        self._reset()

    def _reset(self) -> None:
        self._machines = {("table", 0): Stateful("table")}

    def _machine(self, kind: str, number: int) -> Stateful:
        if (kind, number) not in self._machines:
            self._machines[kind, number] = Stateful(kind)
        return self._machines[kind, number]

    def table(self) -> str:
        """State of the table."""
        return self._machine("table", 0).state

    def seat(self, number: int) -> str:
        """State of a seat."""
        return self._machine("seat", number).state

    def spot(self, place: int) -> str:
        """State of a spot."""
        return self._machine("spot", place).state

    def seats(self) -> list[int]:
        """Seats met so far, in order."""
        return sorted(number for kind, number in self._machines if kind == "seat")

    def spots(self) -> list[int]:
        """Places of the spots met so far, in order."""
        return sorted(number for kind, number in self._machines if kind == "spot")

    def apply(self, record: dict[str, Any]) -> None:
        """Replay one parsed record (`sabot.wire.records.parse`); Misfit when it does not fit."""
        name, fields = record["name"], record["fields"]
        self._last = record["sequence"], name
        with self._fitting():
            self._consistency.check(name, fields)
            self._money.check(name, fields)
            self.recomputed.check(name, fields)
            for kind, number, trigger in self._expander.expand(name, fields):
                if trigger == RESET:
                    self._reset()
                else:
                    self._machine(kind, number).fire(trigger)

    def finish(self) -> None:
        """No more records: what the running round has settled so far is worked out too; Misfit as `apply`."""
        with self._fitting():
            self.recomputed.finish()

    @contextmanager
    def _fitting(self) -> Iterator[None]:
        sequence, name = self._last
        try:
            yield
        except (IndexError, ValueError):
            raise Misfit(sequence, name, "a number in it stands for nothing") from None
        except (NotListed, Inconsistent, Astray, Differs) as why:
            raise Misfit(sequence, name, str(why)) from None


def replay(records: Iterable[dict[str, Any]]) -> Model:
    """Replay parsed records in their order; returns the model in its last state. Misfit names the first wrong one."""
    model = Model()
    for record in records:
        model.apply(record)
    model.finish()
    return model
