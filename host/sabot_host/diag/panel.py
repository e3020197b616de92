"""The dealer's keys, each pressed once. Entry point: :func:`checks`.

A key that does nothing in a closed table leaves its record, which the auditor's key lets us read; PLUS shows the menu;
FIN, the last, opens the table where nobody has to sign on first.
"""

from __future__ import annotations

from collections.abc import Callable

from sabot.wire.codes import KEYS
from sabot_host.diag.bench import FAILED, PASSED, UNTESTED, Bench, Check
from sabot_host.monitor.picture import Picture

LABELS = {"rnvp": "RIEN NE VA PLUS", "devoiler": "DÉVOILER"}
FIRST = [name for name in KEYS[1:] if name not in ("plus", "fin")]


def checks(bench: Bench, *, may_read: bool) -> list[Check]:
    """One line for each key. ``may_read``: the session has proved the auditor's role."""
    if not may_read:
        names = [_label(name) for name in (*FIRST, "plus", "fin")]
        return [Check(f"key {name}", UNTESTED, "", "give --keys: the auditor's key is needed") for name in names]
    found = [_pressed(bench, name, _recorded(bench, name)) for name in FIRST]
    closed = bench.picture()
    found.append(_pressed(bench, "plus", lambda picture: picture.lines != closed.lines))
    if found[-1].result == PASSED:
        # FIN says nothing while the menu is there. It goes by itself after half a minute, so that NON is judged above.
        bench.tell("press NON: the menu goes")
        bench.until(lambda picture: picture.lines == closed.lines)
    recorded = _recorded(bench, "fin")
    found.append(_pressed(bench, "fin", lambda picture: picture.state != closed.state or recorded(picture)))
    return found


def _label(name: str) -> str:
    return LABELS.get(name, name.upper())


def _pressed(bench: Bench, name: str, reached: Callable[[Picture], bool]) -> Check:
    bench.tell(f"press {_label(name)}")
    done = bench.until(reached) is not None
    hint = "" if done else "the key, its wire, its expander"
    return Check(f"key {_label(name)}", PASSED if done else FAILED, "pressed" if done else "nothing came", hint)


def _recorded(bench: Bench, name: str) -> Callable[[Picture], bool]:
    """Whether the journal tells of this key, asked after each look."""
    number = KEYS.index(name)
    read_to = bench.picture().last

    def reached(picture: Picture) -> bool:
        nonlocal read_to
        if picture.last <= read_to:
            return False
        records = bench.records(read_to + 1, picture.last)
        read_to = picture.last
        return any(record["name"] == "key" and record["fields"]["key"] == number for record in records)

    return reached
