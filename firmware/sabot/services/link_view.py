"""What a monitor draws of the whole controller: head and texts of a view, then the table's part. Entry point: `pack`.

A tenth of the status as JSON, for a host that asks for it twice a second. The layout is that of `sabot.wire.view`.
"""

from sabot.wire import view as layout

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def pack(app: "Any") -> bytes:
    """The view of `app`: its ``ready fault faults journal table``, ``confides()``, and ``lines()`` of the display."""
    journal = app.journal
    refused = [app.fault[0]] if app.fault[0] else []
    faults = ["%s: %s" % (part, app.faults[part]) for part in sorted(app.faults)[: layout.MAX_FAULTS]]
    lines = app.lines()
    flags = layout.READY if app.ready else 0
    flags |= layout.FULL if journal and journal.full else 0
    flags |= layout.HAS_TABLE if app.table else 0
    out = bytearray()
    layout.head(out, flags, journal.last if journal else 0, len(refused), len(faults), len(lines))
    for words in refused + faults + lines:
        layout.text(out, words)
    if app.table:
        out.extend(app.table.view(app.confides()))
    return bytes(out)
