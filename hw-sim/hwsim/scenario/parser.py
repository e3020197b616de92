"""The text of a scenario to a :class:`~hwsim.scenario.script.Script`.

Entry point: :func:`parse`. Every line is checked before anything runs: words, names used before they are given, and
instants. What is wrong is raised as a :class:`~hwsim.scenario.errors.ScenarioError` with file and line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from hwsim.scenario.claims import COVERS
from hwsim.scenario.errors import ScenarioError, near
from hwsim.scenario.matcher import Context, NoMatch, match, shown
from hwsim.scenario.phrases import ACTS, CONDITIONS, HEADINGS, Phrase
from hwsim.scenario.script import Claim, Lexicon, Pieces, Script, Sentence, Setting, Step, When
from hwsim.scenario.values import Misread, seconds, split

LONGEST_TEXT = 1_000_000
MAX_SEATS = 7
EXPECT, WAIT_UNTIL = "expect", "wait_until"
_INSTANT = re.compile(r"(@|\+|[A-Za-z_]\w*\+)(\d[\d.]*)")
_GIVES = ("chips", "foreign", "forged", "dead", "clone")  # acts that name chips
_FROM_HAND = {"place": "pieces", "stack": "pieces", "pass_over": "pieces", "swap": "other"}
_SINCE = ("keys", "few_keys", "few_prompts", "no_buzzer")  # conditions that count from a mark on
_HINT = "docs/scenarios.md lists what a line can say"


def parse(text: str, file: str, lexicon: Lexicon, after: Setting | None = None) -> Script:
    """The scenario in ``text``; ScenarioError names the first line that is wrong.

    ``file`` is for messages only; ``after`` is what lines played before have left behind.
    """
    if len(text) > LONGEST_TEXT:
        raise ScenarioError("too-long", f"more than {LONGEST_TEXT} characters", "split the scenario", file)
    reader = _Reader(file, lexicon, after or Setting())
    for number, line in enumerate(text.splitlines(), 1):
        reader.take(number, line)
    if not reader.script.steps:
        raise ScenarioError("empty", "nothing happens in this scenario", "write acts and expectations", file)
    return reader.script


class _Reader:
    def __init__(self, file: str, lexicon: Lexicon, after: Setting) -> None:
        self.script = Script(file, game=after.game, seats=after.seats)
        self._lexicon = lexicon
        self._context = Context(lexicon, self.script.game, self.script.seats)
        self._line = 0
        self._marks = set(after.marks)
        self._chips = set(after.chips)

    def take(self, line: int, text: str) -> None:
        self._line = line
        try:
            words = split(text)
        except Misread as error:
            raise self._error("words", f"expected {error}", 'write texts as "FAITES VOS MISES"') from None
        if not words:
            return
        when, rest = self._when(words)
        if not rest:
            raise self._error("nothing-happens", "an instant, and nothing that happens then", "write an act after it")
        if rest[0] in {phrase.pattern.split()[0] for phrase in HEADINGS}:
            if when != When():
                raise self._error("heading-late", f"'{rest[0]}' belongs to no instant", "write the line without it")
            self._heading(rest)
            return
        sentence = self._sentence(rest)
        self._check_names(sentence)
        self.script.steps.append(Step(line, " ".join(words), when, sentence))

    def _error(self, code: str, message: str, hint: str) -> ScenarioError:
        return ScenarioError(code, message, hint, self.script.file, self._line)

    def _when(self, words: list[str]) -> tuple[When, list[str]]:
        found = _INSTANT.fullmatch(words[0])
        if found is None:
            if words[0][0] in "@+" or words[0][0].isdigit():
                raise self._error(
                    "instant", f"'{words[0]}' is no instant", "write @12.5, +0.3 or MARK+0.3 (seconds), then the act"
                )
            return When(), words
        try:
            ns = seconds(found[2])
        except Misread as error:
            raise self._error("instant", f"'{words[0]}': {error}", "write @12.5, +0.3 or MARK+0.3") from None
        if found[1] == "@":
            return When("absolute", ns), words[1:]
        if found[1] == "+":
            return When("after", ns), words[1:]
        mark = found[1][:-1]
        if mark not in self._marks:
            raise self._unmarked(mark)
        return When("mark", ns, mark), words[1:]

    def _unmarked(self, mark: str) -> ScenarioError:
        message = f"no line above says 'mark {mark}'"
        return self._error("mark-unknown", message, near(mark, self._marks) + "mark the instant first")

    # --- heading ------------------------------------------------------------------------------------------------------

    def _heading(self, words: Sequence[str]) -> None:
        if self.script.steps:
            raise self._error("heading-late", f"'{words[0]}' comes after an act", "move it above the first act")
        phrase, values = self._match(HEADINGS, words)
        script = self.script
        script.headed = True
        if phrase.act == "title":
            script.title = values["text"]
        elif phrase.act == "table":
            if not 1 <= values["number"] <= MAX_SEATS:
                raise self._error("seats", f"{values['number']} seats", f"1 to {MAX_SEATS} seats")
            script.game, script.seats = values["game"], values["number"]
            self._context = Context(self._lexicon, script.game, script.seats)
        elif phrase.act == "seed":
            script.seed = values["number"]
        elif phrase.act == "limit":
            script.limits[values["bet"]] = [values["low"], values["high"]]
        else:
            try:
                script.config[values["name"]] = _json_or_word(values["text"])
            except RecursionError:
                raise self._error("words", f"config {values['name']}: nested too deep", _HINT) from None

    # --- acts ---------------------------------------------------------------------------------------------------------

    def _sentence(self, words: list[str]) -> Sentence:
        if words[0] == "expect":
            return self._condition(EXPECT, words[1:])
        if words[:2] == ["wait", "until"]:
            return self._condition(WAIT_UNTIL, words[2:])
        phrase, values = self._match(ACTS, words)
        return Sentence(phrase.act, values)

    def _condition(self, act: str, words: list[str]) -> Sentence:
        within = None
        if len(words) > 2 and words[-2] == "within":
            try:
                within = seconds(words[-1])
            except Misread as error:
                raise self._error("words", f"'{words[-1]}' is not {error}", "write: within 0.5") from None
            words = words[:-2]
        elif words and words[-1] == "now":
            within = 0
            words = words[:-1]
        phrase, values = self._match(CONDITIONS, words, "expect" if act == EXPECT else "wait until")
        condition = phrase.act
        if condition == "record":
            values = {"claim": replace(values["claim"], absent="no" in values, following="next" in values)}
        return Sentence(act, {"condition": condition, "within": within, **values})

    def _match(self, phrases: Sequence[Phrase], words: Sequence[str], lead: str = "") -> tuple[Phrase, dict[str, Any]]:
        """The phrase that ``words`` are, which stand behind ``lead`` in the line."""
        try:
            return match(phrases, words, self._context)
        except NoMatch as error:
            at = error.position
            found = f"'{words[at]}'" if at < len(words) else "the end of the line"
            alike = near(words[at], error.names) if at < len(words) else ""
            if at == 0 and lead:
                first = sorted({shown(phrase.pattern).split()[0] for phrase in phrases if phrase.pattern[0] != "["})
                message = f"{found} cannot stand after '{lead}'"
                hint = f"{alike}expected a record, or: {' '.join(first)}; {_HINT}"
                raise self._error("words", message, hint) from None
            if at == 0:
                first = sorted({shown(phrase.pattern).split()[0] for phrase in phrases})
                raise self._error(
                    "words", f"{found} begins no line", f"{alike}{_HINT}; lines begin with: {' '.join(first)}"
                ) from None
            form = f" (the line: {shown(error.phrase.pattern)})" if error.phrase is not None else ""
            message = f"{found} cannot stand after '{' '.join(words[:at])}'"
            raise self._error("words", message, alike + "expected " + " or ".join(error.expected) + form) from None

    # --- names --------------------------------------------------------------------------------------------------------

    def _check_names(self, sentence: Sentence) -> None:
        values = sentence.values
        if sentence.act == "mark":
            self._marks.add(values["name"])
        for value in values.values():
            if isinstance(value, Pieces) and value.name:
                self._known(value.name)
            if isinstance(value, Claim):
                self._check_claim(value)
        if sentence.act in _FROM_HAND and values[_FROM_HAND[sentence.act]].everything:
            raise self._error("words", "'all' says nothing of chips that are not there yet", "give an amount or a name")
        if values.get("condition") in _SINCE and values["name"] not in self._marks:
            raise self._unmarked(values["name"])
        if "of" in values and isinstance(values["of"], str):
            self._known(values["of"])
        if sentence.act in ("flip", "change", "lose", "hear"):
            self._known(values["name"])
        if sentence.act in _GIVES:
            self._chips.add(values["name"])

    def _known(self, name: str) -> None:
        if name not in self._chips:
            hint = near(name, self._chips) + "name them: chips A 25.00"
            raise self._error("chips-unknown", f"no chips are called {name}", hint)

    def _check_claim(self, claim: Claim) -> None:
        for group in claim.groups:
            for name, word in group.terms:
                if name == COVERS and word not in self._marks:
                    raise self._unmarked(word)
                if name == COVERS and "earliest" not in self._lexicon.records[claim.record]:
                    raise self._error("covers", f"'{claim.record}' tells no interval", "use it with an irregularity")


def _json_or_word(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text
