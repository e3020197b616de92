"""Collects what the host tools say to people, as templates, and holds the French catalogue against it.

Entry points: :func:`collected` (the templates and where each stands); `python tools/messages.py` fails when
`host/sabot_host/lang/fr.po` lacks one, or has one that nobody says; with `--missing` it prints those as entries to be
filled in.

What counts: message and hint of every `SabotError` and its families, and the argument of each function of `SAID`. An
f-string is a template: each of its parts in braces becomes a name.
"""

from __future__ import annotations

import ast
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from sabot_host.lang import read

PART = re.compile(r"\{\w+\}")
A_COMMAND = re.compile(r"(sabot|openssl|--output) [-\w{}<>. ]+|\{path\} --help|[a-z]+(-[a-z]+)+")
"""What is typed, and stable names: the same in every language."""
LEAST_LETTERS = 3  # of its own: a template without words has nothing to translate
ROOT = Path(__file__).parents[1]
HOST = ROOT / "host" / "sabot_host"
FAMILIES = ("SabotError", "UsageError", "DeviceError", "RefusedError", "FileError", "MissingPartError")
SAID = {
    "mention": (0,),
    "say": (0,),
    "agree": (0,),
    "echo": (0,),
    "result": (0,),
    "Check": (0, 2, 3),
    "_check": (0, 2, 3),
    "tell": (0,),
    "said": (0,),
    "asker": (0,),
    "_section": (0,),
}
"""Functions and methods whose arguments, at these places, are said to people."""

TABLES = {
    "link/refusals.py": ("REFUSALS",),
    "flash/file_copy.py": ("_REASONS",),
    "provision/board.py": ("_HINTS",),
    "flash/devices.py": ("State",),
    "diag/self_test.py": ("_MENDS",),
}
"""Tables of texts, and a class of them, by file: what they hold is said as it stands."""
LISTS = {
    "cli/devices.py": ("_print",),
    "cli/several.py": ("_print",),
    "cli/diag.py": ("_print",),
    "cli/status.py": ("_facts", "_bets"),
}
"""Functions by file whose lists of words are said: what they go through in a loop, and what they yield."""
ASSIGNED = ("words", "heard", "found", "hint")
"""Names to which the files of diag/ give texts before they are said."""
PAIRS = ("provision/sheet.py",)
"""Files in which the first of each pair written out is said."""
ELSEWHERE = (
    *("ok", "no", "none", "open", "shut", "passed", "failed", "seal", "unseal", "table {number}", "[y/N]", "written"),
    *("read settings", "copy", "change settings", "erase", "write", "verify", ", seat {seat}"),
    "; FULL: no round opens before a pull with --ack",
    # What diag puts together
    *("changed", "not tested", "answers", "firmware {code}", "spare {antenna}", "no chip lies anywhere", "self-test"),
    *("{x} since {x2}", "{x}; unlike its neighbours", "{x}; {ghosts} times a chip where none lay"),
    # What click answers to a wrong command line
    "No such command {x}.",
    "No such option: {x}",
    "No such option: {x} Did you mean {x2}?",
    "Missing option {x}.",
    "Missing argument {x}.",
    "Got unexpected extra argument ({x})",
    "Got unexpected extra arguments ({x})",
    "Option {x} requires an argument.",
    "Invalid value: {x}",
    "Invalid value for {x}: {x2}",
    "Directory {x} does not exist.",
    "{x} is not one of {x2}.",
    "{x} is not a valid integer.",
    "{x} is not in the range {x2}.",
)
"""Words that are put into others, and texts of libraries."""
CHECKS = ("provision/dialogue.py",)
"""Files whose ValueErrors are answers to a person."""
SKIPPED = ("sim", "odds", "sheet", "lang")
SKIPPED_FILES = ("cli/odds.py", "cli/rules.py", "cli/sim.py")
"""What the technician does not use, or has its own words."""


class Template:
    """A template in the making: its text, and the names that stand for its parts."""

    def __init__(self) -> None:
        self.text = ""
        self.names: list[str] = []
        self.also: list[str] = []  # texts that may stand in its place

    def add(self, node: ast.expr) -> bool:
        """Take a part of the expression; False for what is no text written out."""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            self.text += node.value
        elif isinstance(node, ast.JoinedStr):
            for part in node.values:
                self.add(part.value if isinstance(part, ast.FormattedValue) and text_of(part.value) else part)
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            return self.add(node.left) and self.add(node.right)
        elif isinstance(node, ast.FormattedValue):
            self._name(node.value)
        elif self.text or isinstance(node, ast.IfExp):
            self._name(node)
        else:
            return False
        return True

    def _name(self, node: ast.expr) -> None:
        self.also += [text_of(each) for each in ast.walk(node) if is_words(text_of(each))]
        plain = name_of(node)
        self.names.append(plain)
        count = self.names.count(plain)
        self.text += "{" + plain + (str(count) if count > 1 else "") + "}"


def text_of(node: ast.AST) -> str:
    """The text written out there; empty for anything else."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def is_words(text: str) -> bool:
    """Whether it is more than a name."""
    return " " in text.strip() and any(letter.isalpha() for letter in text)


def name_of(node: ast.expr) -> str:
    """What a translator reads for a part of a text."""
    if isinstance(node, ast.Attribute):
        return node.attr
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.BoolOp):
        return name_of(node.values[0])
    if isinstance(node, ast.Call) and node.args:
        return name_of(node.args[0])
    return "x"


def said(tree: ast.Module) -> Iterator[tuple[ast.expr, int]]:
    """Every expression of a module that is said to people, with its line."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        places = (1, 2) if name in FAMILIES else SAID.get(name, ())
        for place in places:
            if place < len(node.args):
                yield node.args[place], node.lineno


def of_expression(node: ast.expr) -> Iterator[str]:
    """The templates that an expression may give."""
    if isinstance(node, ast.IfExp):
        yield from of_expression(node.body)
        yield from of_expression(node.orelse)
        return
    template = Template()
    if template.add(node):
        yield template.text
        yield from template.also


def listed(tree: ast.Module, name: str) -> Iterator[tuple[ast.expr, int]]:
    """What the tables and lists of the file ``name`` hold, and what its checks answer."""
    for node in tree.body:
        names = [each.id for each in getattr(node, "targets", []) if isinstance(each, ast.Name)]
        names += [node.name] if isinstance(node, ast.ClassDef | ast.FunctionDef) else []
        if set(names) & set(TABLES.get(name, ())):
            for each in ast.walk(node):
                held = [each.value] if isinstance(each, ast.Assign) else []
                held += each.elts if isinstance(each, ast.Tuple) else each.values if isinstance(each, ast.Dict) else []
                yield from ((part, part.lineno) for part in held if text_of(part))
        if set(names) & set(LISTS.get(name, ())):
            for each in ast.walk(node):
                among = getattr(each, "iter", None) or (each.value if isinstance(each, ast.Yield) else None)
                for part in among.elts if isinstance(among, ast.Tuple) else ():
                    yield part, part.lineno
    for each in ast.walk(tree):
        to = each.targets[0] if isinstance(each, ast.Assign) else getattr(each, "target", None)
        if name.startswith("diag/") and getattr(to, "id", "") in ASSIGNED and isinstance(each, ast.Assign):
            yield each.value, each.lineno
        if name in PAIRS and isinstance(each, ast.List):
            pairs = (pair for pair in each.elts if isinstance(pair, ast.Tuple) and len(pair.elts) == 2)
            yield from ((pair.elts[0], pair.lineno) for pair in pairs if text_of(pair.elts[0]))
        if name in CHECKS and isinstance(each, ast.Call) and getattr(each.func, "id", "") == "ValueError":
            yield each.args[0], each.lineno


def collected() -> dict[str, list[str]]:
    """Every template, and where it is said."""
    found: dict[str, list[str]] = {}
    for path in sorted(HOST.rglob("*.py")):
        name = path.relative_to(HOST).as_posix()
        if name.split("/")[0] in SKIPPED or name in SKIPPED_FILES:
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node, line in [*said(tree), *listed(tree, name)]:
            for text in of_expression(node):
                for one in text.split("\n"):
                    if A_COMMAND.fullmatch(one):
                        continue
                    if sum(letter.isalpha() for letter in PART.sub("", one)) >= LEAST_LETTERS:
                        found.setdefault(one, []).append(f"{path.relative_to(ROOT)}:{line}")
    return found


def wrong() -> list[str]:
    """What is wrong with the French catalogue, a line each."""
    entries = read((HOST / "lang" / "fr.po").read_text(encoding="utf-8"))
    templates = {**collected(), **{text: ["tools/messages.py"] for text in ELSEWHERE}}
    found = [f"{places[0]}: not in French: {text}" for text, places in templates.items() if text not in entries]
    found += [f"nobody says: {text}" for text in entries if text not in templates]
    found += [f"other parts: {text}" for text, french in entries.items() if parts(text) != parts(french)]
    found += [f"empty: {text}" for text, french in entries.items() if not french.strip()]
    return found


def parts(text: str) -> list[str]:
    """The parts of a template, in the order of their names."""
    return sorted(PART.findall(text))


if __name__ == "__main__":
    if "--missing" in sys.argv:
        known = read((HOST / "lang" / "fr.po").read_text(encoding="utf-8"))
        for text, places in collected().items():
            if text not in known:
                print(f'#: {places[0].rpartition(":")[0]}\nmsgid {json.dumps(text)}\nmsgstr ""\n')
        sys.exit(0)
    problems = wrong()
    print("\n".join(problems) or "French: nothing is missing")
    sys.exit(1 if problems else 0)
