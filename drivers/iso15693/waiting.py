"""For programs that have nothing else to do meanwhile: tasks of steps run to their end.

Entry points: `run`; `present` (the UIDs in the field). A table in play, which reads several antennas in turn, does not
load this module.
"""

import time

from .field import Field
from .inventory import Inventory

try:
    from micropython import const
except ImportError:

    def const(value: int) -> int:
        """Stand in for MicroPython's compile-time constant."""
        return value


try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False

if TYPE_CHECKING:
    from .interfaces import Buffer, Reader, Task

TRIES = const(4)  # inventories, until one has left nothing in doubt


class _Heard:
    """Each UID once."""

    def __init__(self) -> None:
        self.uids: list[bytes] = []

    def tag(self, uid: "Buffer", t_request_us: int, t_answer_us: int) -> None:
        """A clean answer."""
        found = bytes(uid)
        if found not in self.uids:
            self.uids.append(found)


def run(task: "Task") -> None:
    """Wait from step to step until ``task``, which has been started, is over. Raises what its steps raise."""
    wait = task.step()
    while wait >= 0:
        time.sleep_us(wait)
        wait = task.step()


def present(reader: "Reader") -> list[bytes]:
    """UIDs of the tags at the antenna, in the order heard, least significant byte first; the field is off afterwards.

    One that stays weak, or comes or goes meanwhile, may lack. Raises ReaderFault.
    """
    heard = _Heard()
    field = Field(reader)
    inventory = Inventory(reader, heard)
    field.start_on()
    run(field)
    for _ in range(TRIES):
        inventory.start()
        run(inventory)
        if inventory.clean:
            break
    field.start_off()
    run(field)
    return heard.uids
