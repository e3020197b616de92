"""What a controller says of itself on request, held against the form of docs/protocol.md. Entry point: :func:`read`.

Nobody has to be what he says at the other end of a cable: whatever uses a status may rely on the kinds of its values.
"""

from __future__ import annotations

from typing import Any

from sabot_host.files import json_of
from sabot_host.wording import printable

_SPOT = {"place": int, "bet": str, "state": str, "seen": int, "locked": int}
_ISSUE = {"id": int, "kind": str, "severity": int, "place": int}
_JOURNAL = {"first": int, "last": int, "acknowledged": int, "used": int, "capacity": int, "full": bool}
_REFUSED = {"code": str, "text": str}
_ROUND = {"state": str, "round": int, "spots": [_SPOT], "issues": [_ISSUE]}
_FORM: dict[str, Any] = {"ready": bool, "faults": dict, "refused": _REFUSED, "journal": _JOURNAL, "round": _ROUND}
"""The parts that are used here; each may be missing, but not a field of one. A controller may tell more."""


def read(body: bytes) -> dict[str, Any]:
    """The status in the body of an answer, its texts printable. ValueError when it is of another form."""
    status = _shown(json_of(body))
    if not isinstance(status, dict):
        raise ValueError("it is no object")
    for name, form in _FORM.items():
        if name in status:
            _check(name, status[name], form)
    return status


def _shown(value: Any) -> Any:
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, list):
        return [_shown(each) for each in value]
    if isinstance(value, dict):
        return {printable(name): _shown(each) for name, each in value.items()}
    return value


def _check(name: str, value: Any, form: Any) -> None:
    if isinstance(form, type):
        if type(value) is not form:
            raise ValueError(f"{name} is no {form.__name__}")
    elif isinstance(form, list):
        _check(name, value, list)
        for each in value:
            _check(name, each, form[0])
    else:
        _check(name, value, dict)
        for field, inner in form.items():
            _check(f"{name}.{field}", value.get(field), inner)
