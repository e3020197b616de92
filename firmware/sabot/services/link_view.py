"""What a monitor draws of the whole controller: the head and texts of a view, then the table's. Entry point: `pack`.

A tenth of the status as JSON, for a host that asks for it twice a second (`wire.messages.VIEW_*`).
"""

from struct import pack_into

from sabot.wire import messages as m

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def pack(app: "Any") -> bytes:
    """The view of `app`: its ``ready fault faults journal table access`` and ``lines()`` of the display."""
    journal = app.journal
    refused = [app.fault[0]] if app.fault[0] else []
    faults = ["%s: %s" % (part, app.faults[part]) for part in sorted(app.faults)[: m.VIEW_FAULTS]]
    lines = app.lines()
    head = bytearray(m.VIEW_HEAD_SIZE)
    flags = m.VIEW_READY if app.ready else 0
    flags |= m.VIEW_FULL if journal and journal.full else 0
    flags |= m.VIEW_HAS_TABLE if app.table else 0
    last = journal.last if journal else 0
    pack_into(m.VIEW_HEAD, head, 0, flags, last, len(refused), len(faults), len(lines))
    for text in refused + faults + lines:
        data = text.encode()[: m.VIEW_TEXT]
        head.append(len(data))
        head.extend(data)
    if app.table:
        head.extend(app.table.view(bool(app.access.role)))
    return bytes(head)
