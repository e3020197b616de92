"""Collects what the host tools say to people, as templates, and holds the French catalogue against it.

Entry points: :func:`collected` (the templates and where each stands), :func:`words` (names of codes that need a word);
`python tools/messages.py` fails when `host/sabot_host/lang/fr.po` or `fr_words.po` lacks one, or has one that nobody
says; with `--missing` it prints those as entries to be filled in.

What counts: message and hint of every `SabotError` and its families, the argument of each function of `SAID`, each
sentence of a command's help, and what the firmware answers where it refuses to play. An f-string is a template, and so
is a text with `%`: each of its parts becomes a name.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from sabot.journal import errors, opening
from sabot.rules import games
from sabot.wire import codes, records, states
from sabot_host.cli import helping
from sabot_host.cli.main import COMMANDS, cli
from sabot_host.journal import show, verify
from sabot_host.lang import CONTEXT, read

PART = re.compile(r"\{\w+\}")
A_COMMAND = re.compile(r"(sabot|openssl|--output) [-\w{}<>. ]+|\{\w+\} --help|[a-z]+(-[a-z]+)+")
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
    "_note": (0,),
    "_Bad": (2,),
    "Misfit": (2,),
    "fail": (0,),
    "_unfit": (1,),
    "_wrong": (2,),
    "BadParameter": (0,),
    "Inconsistent": (0,),
    "Astray": (0,),
    "Differs": (0,),
    "NotListed": (0,),
}
"""Functions and methods whose arguments, at these places, are said to people."""

TABLES = {
    "link/refusals.py": ("REFUSALS",),
    "flash/file_copy.py": ("_REASONS",),
    "provision/board.py": ("_HINTS",),
    "flash/devices.py": ("State",),
    "diag/self_test.py": ("_MENDS",),
    "journal/verify.py": ("KINDS",),
    "journal/rounds.py": ("_ENDS",),
    "cli/monitor.py": ("_LINKS",),
}
"""Tables of texts, and a class of them, by file: what they hold is said as it stands."""
LISTS = {
    "cli/devices.py": ("_print",),
    "cli/several.py": ("_print",),
    "cli/diag.py": ("_print",),
    "cli/status.py": ("_facts", "_bets"),
}
"""Functions by file whose lists of words are said: what they go through in a loop, and what they yield."""
ASSIGNED = ("what", "hint")
"""Names to which texts are given before they are said."""
OF_DIAG = ("words", "heard", "found")
"""The same in the files of diag/."""
PAIRS = ("provision/sheet.py",)
"""Files in which the first of each pair written out is said."""
ELSEWHERE = (
    *("ok", "no", "none", "open", "shut", "passed", "failed", "seal", "unseal", "table {number}", "[y/N]", "written"),
    *("read settings", "copy", "change settings", "erase", "write", "verify", ", seat {seat}"),
    "; FULL: no round opens before a pull with --ack",
    # What diag puts together
    *("changed", "not tested", "answers", "firmware {code}", "no chip lies anywhere", "self-test"),
    "version since {tested}",
    *("air seat {seat} {bet}", "air spare {antenna}", "memory", "badge reader"),
    "discard",
    *("{x}; unlike its neighbours", "{x}; {ghosts} times a chip where none lay"),
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
    "{x} is not {x2}.",
    "{x} is not a valid float range.",
    "{x} is not a valid integer range.",
    "Directory {x} is a file.",
    "Missing command.",
    "Missing argument {x}. Choose from:",
    "No such option {x}.",
    "No such option {x}. Did you mean {x2}?",
    "No such option {x}. (Did you mean one of: {x2}?)",
    "Option {x} does not take a value.",
    "No such command {x}. Did you mean {x2}?",
    "No such command {x}. (Did you mean one of: {x2}?)",
    # What operating systems say of files
    *("No such file or directory", "Permission denied", "Is a directory", "Not a directory", "Read-only file system"),
    *("No space left on device", "File exists", "File name too long", "Too many levels of symbolic links"),
    *("Input/output error", "Too many open files", "No such device or address"),
    *("check that the file or device is there and may be used", "check who may read and write it", "name a file in it"),
    "free some space and run it again",
    # What click writes into help
    *("Options", "Commands", "Show this message and exit.", "default:", "required"),
    # What the firmware puts around what is wrong
    *("{x} is {x2}; allowed: {x3}", "{x} is {x2}; allowed: {x3} (article {x4})", "{text} (record {sequence})"),
    *("favours the player: {x}", "was never counted"),
    "a line is longer than {_LONGEST_LINE} bytes",
    # Numbers of things
    *("{x} boot", "{x} boots", "{x} line", "{x} lines", "{x} round", "{x} rounds", "running"),
    *("record {x} ({x2}) does not fit: {x3}", "{name}, signed by {signer}"),
    "at its default",
    *("nobody", "the firmware cannot judge it: {error}"),
    *("the development key, which everybody has", "the key {signed_by}"),
)
"""Words that are put into others, and texts of libraries."""
CHECKS = ("provision/dialogue.py",)
"""Files whose ValueErrors are answers to a person."""
SKIPPED = ("odds", "sheet", "lang")
SKIPPED_FILES = ("cli/odds.py", "cli/rules.py")
"""What the technician does not use, or has its own words."""
ERRORS_ONLY = ("sim", "cli/sim.py", "cli/sim_torture.py")
"""Folders and files that speak of scenarios, which are English, as what comes of one is: their errors are said."""
ALL_OF = ("sim/serve.py",)
"""Files of those folders of which the rest is said too."""


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
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod) and text_of(node.left):
            parts = node.right.elts if isinstance(node.right, ast.Tuple) else [node.right]
            for at, piece in enumerate(re.split("%[sdr]", text_of(node.left))):
                if at:
                    self._name(parts[at - 1])
                self.text += piece
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            for part in (node.left, node.right):
                if not self.add(part):
                    self._name(part)
            return any(letter.isalpha() for letter in PART.sub("", self.text))
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


FIRMWARE = {
    "config.py": (("ConfigError", 2),),
    "config_parts.py": (("ConfigError", 2),),
    "config_spots.py": (("ConfigError", 2),),
    "start.py": (("Refused", 1), ("ValueError", 0), ("tell", 2)),
}
"""Functions by file of the firmware whose argument at that place reaches a person through these tools."""
ANSWERED = {"config.py": ("allowed",), "config_spots.py": ("allowed",), "start.py": ("text",)}
"""Names to which the firmware gives such a text before."""
RETURNED = ("integrity.py", "services/acceptance.py")
"""Files of the firmware whose functions return such texts."""


def of_firmware() -> Iterator[tuple[ast.expr, str]]:
    """What the firmware says where it refuses to play, and where."""
    for name in sorted({*FIRMWARE, *RETURNED}):
        path = ROOT / "firmware" / "sabot" / name
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            found: list[ast.expr] = []
            if isinstance(node, ast.Call):
                called = name_of(node.func)
                places = [at for each, at in FIRMWARE.get(name, ()) if each == called and at < len(node.args)]
                found += [node.args[at] for at in places]
            elif isinstance(node, ast.Assign):
                found += [value for name_to, value in assigned(node) if name_to in ANSWERED.get(name, ())]
            elif isinstance(node, ast.Return) and node.value is not None and name in RETURNED:
                found += node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
            yield from ((each, f"{path.relative_to(ROOT)}:{each.lineno}") for each in found)


def meanings() -> Iterator[str]:
    """What can be wrong with the controller's journal, as the firmware has it in its tables."""
    for line in (errors.WORDS + opening.WORDS).split("\n"):
        yield line.partition(" ")[2]


def assigned(node: ast.Assign) -> Iterator[tuple[str, ast.expr]]:
    """Names and what is given to them."""
    to, value = node.targets[0], node.value
    if isinstance(to, ast.Tuple) and isinstance(value, ast.Tuple):
        yield from ((name_of(each), given) for each, given in zip(to.elts, value.elts, strict=True))
    else:
        yield name_of(to), value


def helps() -> Iterator[tuple[str, str]]:
    """Each sentence of help, and the command that it is of."""
    for name, entry in COMMANDS.items():
        yield entry.summary, name
        if f"cli/{entry.module}.py" not in SKIPPED_FILES:
            yield from _helps(importlib.import_module(f"sabot_host.cli.{entry.module}").command, name)
    yield from _helps(cli, "sabot")


def _helps(command: click.Command, name: str) -> Iterator[tuple[str, str]]:
    texts = [command.help or "", command.epilog or "", *(getattr(each, "help", None) or "" for each in command.params)]
    for paragraph in (each for text in texts for each in re.split(r"\n[ \t]*\n", inspect.cleandoc(text))):
        lines = paragraph.split("\n") if paragraph.startswith("\b") else helping.sentences(paragraph)
        yield from ((line, name) for line in lines if not line.startswith(("  ", "\b")))
    if isinstance(command, click.Group) and command is not cli:
        for each in command.commands.values():
            yield from _helps(each, name)


def words() -> set[str]:
    """Every name of a code that is shown to people, with its table before it, as the catalogue has them."""
    fields = [records.layout(records.code_of(name))[2] for name in records.names()]
    columns = [kind for fields_of in fields for _, kind in fields_of if isinstance(kind, tuple)]
    tables = {
        **show.TABLES,
        "record": records.names(),
        "field": [name for each in [*fields, *columns] for name, _ in each],
        "bet": [bet.name for game in games.GAMES for bet in games.load(game).bets],
        "spot": states.SPOT_STATES,
        "prompt": codes.PROMPTS,
        "verdict": tuple(verify.KINDS),
    }
    return {table + CONTEXT + name for table, names in tables.items() if table != "key" for name in names}


def said(tree: ast.Module, functions: dict[str, tuple[int, ...]]) -> Iterator[tuple[ast.expr, int]]:
    """Every expression of a module that is said to people by its errors and by these functions, with its line."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        places = (1, 2) if name in FAMILIES else functions.get(name, ())
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
        given = ASSIGNED + OF_DIAG if name.startswith("diag/") else ASSIGNED
        if getattr(to, "id", "") in given and isinstance(each, ast.Assign):
            yield each.value, each.lineno
        if name in PAIRS and isinstance(each, ast.List):
            pairs = (pair for pair in each.elts if isinstance(pair, ast.Tuple) and len(pair.elts) == 2)
            yield from ((pair.elts[0], pair.lineno) for pair in pairs if text_of(pair.elts[0]))
        if name in CHECKS and isinstance(each, ast.Call) and getattr(each.func, "id", "") == "ValueError":
            yield each.args[0], each.lineno


def collected() -> dict[str, list[str]]:
    """Every template, and where it is said."""
    found: dict[str, list[str]] = {}

    def add(text: str, place: str) -> None:
        for one in text.split("\n"):
            letters = sum(letter.isalpha() for letter in PART.sub("", one))
            if letters >= LEAST_LETTERS and not A_COMMAND.fullmatch(one):
                found.setdefault(one, []).append(place)

    for path in sorted(HOST.rglob("*.py")):
        name = path.relative_to(HOST).as_posix()
        if name.split("/")[0] in SKIPPED or name in SKIPPED_FILES:
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        little = name not in ALL_OF and bool({name, name.split("/")[0]} & set(ERRORS_ONLY))
        for node, line in [*said(tree, {} if little else SAID), *listed(tree, name)]:
            for text in of_expression(node):
                add(text, f"{path.relative_to(ROOT)}:{line}")
    for node, place in of_firmware():
        for text in of_expression(node):
            add(text, place)
    for text in meanings():
        add(text, "firmware/sabot/journal/opening.py:0")
    for text, name in helps():
        add(text, f"sabot {name}:help")
    return found


def wrong() -> list[str]:
    """What is wrong with the French catalogue, a line each."""
    entries = read((HOST / "lang" / "fr.po").read_text(encoding="utf-8"))
    templates = {**collected(), **{text: ["tools/messages.py"] for text in ELSEWHERE}}
    found = [f"{places[0]}: not in French: {text}" for text, places in templates.items() if text not in entries]
    found += [f"nobody says: {text}" for text in entries if text not in templates]
    found += [f"other parts: {text}" for text, french in entries.items() if parts(text) != parts(french)]
    found += [f"empty: {text}" for text, french in entries.items() if not french.strip()]
    named = read((HOST / "lang" / "fr_words.po").read_text(encoding="utf-8"))
    found += [f"no word: {each}".replace(CONTEXT, " ") for each in sorted(words() - set(named))]
    found += [f"nobody shows: {each}".replace(CONTEXT, " ") for each in sorted(set(named) - words())]
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
