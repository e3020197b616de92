"""Plays a scenario on a table, line by line.

Entry points: :class:`Runner` (``run()``), :class:`Line` (what came of one line).

A line begins at its instant; ``draw``, ``wait`` and whatever waits for the controller end later, all others at once. An
expectation that is not met does not end the scenario; what was waited for in vain, or cannot be done, does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from hwsim.core import NS_PER_S
from hwsim.scenario import badges, dealer, disturbances, machinery, parts, people, strips
from hwsim.scenario.conditions import is_negated, met
from hwsim.scenario.errors import ScenarioError
from hwsim.scenario.parser import EXPECT, WAIT_UNTIL
from hwsim.scenario.script import Claim, Script, Step, When
from hwsim.scenario.stage import Impossible, Stage
from hwsim.scenario.values import clock

PATIENCE_NS = 5 * NS_PER_S  # of an expectation
WAIT_NS = 60 * NS_PER_S  # of a wait
_MODULES = (people, dealer, badges, machinery, disturbances, parts, strips)
HANDLERS = {act: handler for module in _MODULES for act, handler in module.ACTS.items()}


class Line(NamedTuple):
    """One line that was played: where it stands, when it began (ns), whether it went well, and what came of it."""

    number: int
    text: str
    when: int
    kind: str
    """``act``, ``expect`` or ``wait``."""
    good: bool
    detail: str


class Runner:
    """Plays ``script`` on ``stage``; ``on_line`` is told of each line when it is over.

    No line begins once ``over()`` is true.
    """

    def __init__(
        self, script: Script, stage: Stage, on_line: Callable[[Line], None], over: Callable[[], bool] = lambda: False
    ) -> None:
        self._script = script
        self._stage = stage
        self._on_line = on_line
        self._over = over
        self.lines: list[Line] = []

    @property
    def good(self) -> bool:
        """Whether every line so far went well."""
        return all(line.good for line in self.lines)

    def run(self) -> bool:
        """Play everything; whether all went well. ScenarioError for what cannot happen at its moment.

        The line that could not is then the last of ``lines``, and ``on_line`` has not been told of it.
        What no real part would forgive, and a firmware that ends, come through as they are, with the line as a note.
        """
        for step in self._script.steps:
            if self._over():
                break
            try:
                if not self._play(step):
                    return False
            except Impossible as error:
                self.lines.append(Line(step.line, step.text, self._stage.table.now, _kind(step), False, str(error)))
                raise ScenarioError(
                    "impossible", f"{step.text}: {error}", error.hint, self._script.file, step.line
                ) from error
            except Exception as error:
                error.add_note(f"{self._script.file}:{step.line}: {step.text}")
                raise
        return self.good

    def _play(self, step: Step) -> bool:
        """One line; False ends the scenario."""
        self._reach(step)
        begun = self._stage.table.now
        sentence = step.sentence
        kind, good, detail = _kind(step), True, ""
        if kind != "act":
            good, detail = self._await(sentence.values, PATIENCE_NS if kind == "expect" else WAIT_NS)
        elif sentence.act == "wait":
            self._stage.table.controller.run_for(sentence.values["seconds"])
        elif sentence.act == "mark":
            self._stage.marks[sentence.values["name"]] = begun
        elif sentence.act == "note":
            detail = sentence.values["text"]
        else:
            HANDLERS[sentence.act](self._stage, sentence.values)
        line = Line(step.line, step.text, begun, kind, good, detail)
        self.lines.append(line)
        self._on_line(line)
        return good or kind == "expect"

    def _reach(self, step: Step) -> None:
        when: When = step.when
        now = self._stage.table.now
        goal = {
            "next": now,
            "after": now + when.ns,
            "absolute": when.ns,
            "mark": self._stage.marks.get(when.mark, 0) + when.ns,
        }[when.kind]
        if goal < now:
            raise Impossible(
                f"it is {clock(now)} s already, {clock(goal)} s is past",
                "give a later instant, or an instant relative to the line above: +0.5",
            )
        self._stage.table.controller.run_until(goal)

    def _await(self, values: Mapping[str, Any], patience: int) -> tuple[bool, str]:
        """Let time pass until a condition holds; what must not come is watched for the whole time given."""
        stage = self._stage
        claim = values.get("claim")
        absent = claim.absent if isinstance(claim, Claim) else is_negated(values)
        limit = values["within"]
        if limit is None:
            limit = 0 if absent else patience
        good, detail = met(stage, values)
        if limit and good == absent:
            state = {"result": (good, detail)}

            def waiting() -> bool:
                state["result"] = met(stage, values)
                return state["result"][0] == absent

            stage.table.controller.run_while(waiting, limit)
            good, detail = state["result"]
        return good, detail


def _kind(step: Step) -> str:
    """What :attr:`Line.kind` says of a line."""
    return {EXPECT: "expect", WAIT_UNTIL: "wait"}.get(step.sentence.act, "act")
