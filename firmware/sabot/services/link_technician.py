"""What a technician asks of the controller, seldom: clock, self-test, release, seal.

Entry point: `answer`. Loaded for one request. The replies are those of `link_commands`.
"""

import json
import struct

from micropython import const

from sabot.wire import messages as m
from sabot.wire.codes import ROLES
from sabot.wire.records import code_of

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_MOST_TRIES = const(100)  # of a self-test at each antenna
_EARLIEST = 1577836800  # 2020 and 2100, UTC: no clock is set before or after
_LATEST = 4102444800


def answer(commands: "Any", app: "Any", name: str, arguments: bytes) -> "tuple[int, bytes]":
    """Status and body of the reply to the command ``name``.

    ``commands``: ``may_leave()``, ``test`` (`link_commands.Commands`); ``app``: as there.
    """
    if name == "set_time":
        return _set_time(app, arguments)
    if name == "self_test":
        return _self_test(commands, app, arguments)
    if name == "release":
        return _release(commands, app, arguments)
    return _seal(commands, app, arguments)


def _set_time(app: "Any", arguments: bytes) -> "tuple[int, bytes]":
    if len(arguments) != 4:
        return m.BAD_ARGUMENTS, b""
    journal = app.journal
    if not journal or journal.full:
        return m.NOT_NOW, b""
    before = app.clock.wall()[0]
    after = struct.unpack("<I", arguments)[0]
    if not _EARLIEST <= after < _LATEST:
        return m.BAD_ARGUMENTS, b""
    app.clock.set_wall(after)
    journal.append(code_of("clock_set"), {"before": before, "after": after, "by": ROLES.index("technician")})
    return m.OK, b""


def _self_test(commands: "Any", app: "Any", arguments: bytes) -> "tuple[int, bytes]":
    """Begin with so many tries, or, with none, fetch what has come out."""
    if len(arguments) != 1 or arguments[0] > _MOST_TRIES:
        return m.BAD_ARGUMENTS, b""
    test = commands.test
    if test and not test.done:
        return m.NOT_NOW, b""
    if arguments[0]:
        commands.test = app.self_test(arguments[0])
        return (m.OK if commands.test else m.NOT_NOW), b""
    if not test:
        return m.NOT_FOUND, b""
    commands.test = None
    app.end_self_test()
    return m.OK, json.dumps(test.found).encode()


def _release(commands: "Any", app: "Any", arguments: bytes) -> "tuple[int, bytes]":
    """Between rounds only: every file is read meanwhile, and nothing else is done."""
    if len(arguments) != m.CHALLENGE_SIZE:
        return m.BAD_ARGUMENTS, b""
    if not commands.may_leave():
        return m.NOT_NOW, b""
    answer = app.answer(arguments)
    return (m.OK if answer else m.NOT_FOUND), answer


def _seal(commands: "Any", app: "Any", arguments: bytes) -> "tuple[int, bytes]":
    """Put the seal on; or take it off with the supervisor's key as well: two people, as when the case was open."""
    if len(arguments) != 1 or arguments[0] > 1:
        return m.BAD_ARGUMENTS, b""
    on = arguments[0] == 1
    second = 0 if on else ROLES.index("supervisor")
    if second and app.access.before != "supervisor":
        return m.NOT_AUTHORISED, b""
    if on == app.sealed:
        return m.OK, b""
    if on and app.published:
        return m.PUBLISHED, b""
    journal = app.journal
    if not journal or journal.full or not commands.may_leave() or (on and not app.ready):
        return m.NOT_NOW, b""
    values = {"on": arguments[0], "by": ROLES.index("technician"), "second": second, "settings": app.settings}
    journal.append(code_of("seal"), values)
    app.sealed = on
    return m.OK, b""
