"""Draws the three state machines of a round into docs/round.md, from `sabot.wire.states`.

Entry points: `python tools/round_diagrams.py` fails when the page is older than the tables; `--write` draws it anew.
The diagrams stand between the page's markers; the text around them is written by hand.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "firmware"))

from sabot.wire import states  # noqa: E402

PAGE = Path("docs/round.md")
MACHINES = {
    "table": (states.rules(states.TABLE), states.TABLE_STATES),
    "seat": (states.rules(states.SEAT), states.SEAT_STATES),
    "spot": (states.rules(states.SPOT), states.SPOT_STATES),
}
Table = tuple[tuple[str, tuple[str, ...], str], ...]


def entered_from(table: Table, state: str) -> list[str]:
    """States that a state is entered from, in the table's order."""
    found: list[str] = []
    for _, sources, destination in table:
        if destination == state:
            found += [source for source in sources if source not in found]
    return found


def mermaid(table: Table, names: tuple[str, ...]) -> str:
    """One machine as a Mermaid state diagram: an arrow for each pair of states, with the triggers that take it."""
    arrows: dict[tuple[str, str], list[str]] = {}
    for trigger, sources, destination in table:
        for source in sources:
            targets = entered_from(table, source) if destination == states.BACK else [destination]
            for target in targets:
                arrows.setdefault((source, target), []).append(trigger)
    lines = ["```mermaid", "stateDiagram-v2", f"    [*] --> {names[0]}"]
    for (source, target), triggers in arrows.items():
        lines.append(f"    {source} --> {target}: {', '.join(triggers)}")
    return "\n".join([*lines, "```"])


def as_table(table: Table) -> str:
    """One machine as a table in Markdown: trigger, from, to."""
    lines = ["| trigger | from | to |", "|---|---|---|"]
    for trigger, sources, destination in table:
        to = "where it came from" if destination == states.BACK else destination
        lines.append(f"| `{trigger}` | {', '.join(sources)} | {to} |")
    return "\n".join(lines)


def drawn(page: str) -> str:
    """The page with every diagram drawn anew; ValueError when a marker is missing."""
    for name, (table, names) in MACHINES.items():
        begin, end = f"<!-- {name} begin: written by make docs -->", f"<!-- {name} end -->"
        if page.count(begin) != 1 or page.count(end) != 1:
            raise ValueError(f"{PAGE} has no place for the {name} diagram: {begin} … {end}")
        body = f"{begin}\n{mermaid(table, names)}\n\n{as_table(table)}\n{end}"
        page = re.sub(re.escape(begin) + ".*" + re.escape(end), lambda _: body, page, flags=re.DOTALL)  # noqa: B023
    return page


def main() -> int:
    """Write the page, or say whether it is stale; return the exit status."""
    path = ROOT / PAGE
    page = path.read_text(encoding="utf-8")
    new = drawn(page)
    if "--write" in sys.argv[1:]:
        path.write_text(new, encoding="utf-8")
    elif new != page:
        print(f"{PAGE} is older than firmware/sabot/wire/states.py; run make docs")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
