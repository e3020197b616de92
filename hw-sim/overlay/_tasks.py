"""What ``asyncio`` takes from ``_asyncio``: :class:`Task` and :class:`TaskQueue`, on virtual time.

The interpreter's own reads the machine's clock. This one keeps a list sorted by due time, first come first served
among equals, threaded through the tasks: nothing is allocated by ``push`` or ``pop``. Taking a task from the main queue
is a task step and is charged.
"""

from time import ticks_diff, ticks_ms

import _sim


class TaskQueue:
    """Tasks in order of ``ph_key``, their due time in ticks_ms."""

    def __init__(self) -> None:
        self._first = None

    def peek(self) -> "Task | None":
        """The next task, or None."""
        return self._first

    def push(self, task: "Task", key: int | None = None) -> None:
        """Insert ``task``, due at ``key`` or now."""
        task.data = None
        task.ph_key = key = ticks_ms() if key is None else key
        before = None
        after = self._first
        while after is not None and ticks_diff(after.ph_key, key) <= 0:
            before = after
            after = after.next
        task.next = after
        if before is None:
            self._first = task
        else:
            before.next = task

    def pop(self) -> "Task":
        """Take the next task out."""
        task = self._first
        self._first = task.next
        task.next = None
        if task.core["_task_queue"] is self:
            _sim.charge(_sim.task_ns)
        return task

    def remove(self, task: "Task") -> None:
        """Take ``task`` out."""
        before = None
        here = self._first
        while here is not task:
            before = here
            here = here.next
        if before is None:
            self._first = task.next
        else:
            before.next = task.next
        task.next = None


class Task:
    """A coroutine and its state; ``core`` is the namespace of ``asyncio.core``.

    ``state``: True running and nobody waits, a TaskQueue of waiters, None finished, False finished and collected.
    """

    def __init__(self, coro: object, core: dict | None = None) -> None:
        self.coro = coro
        self.core = core
        self.data = None
        self.state = True
        self.ph_key = 0
        self.next = None

    def __iter__(self) -> "Task":
        if not self.state:
            # Finished: whoever awaits gets its outcome at once.
            self.state = False
        elif self.state is True:
            self.state = TaskQueue()
        return self

    def __next__(self) -> None:
        if not self.state:
            raise self.data
        core = self.core
        self.state.push(core["cur_task"])
        core["cur_task"].data = self

    def done(self) -> bool:
        """Whether the coroutine has ended."""
        return not self.state

    def cancel(self) -> bool:
        """Raise CancelledError in the task; False when it has ended already."""
        core = self.core
        if not self.state:
            return False
        if self is core["cur_task"]:
            raise RuntimeError("can't cancel self")
        while isinstance(self.data, Task):
            self = self.data
        queue = core["_task_queue"]
        if hasattr(self.data, "remove"):
            # Waiting elsewhere: for an event, a lock or a stream.
            self.data.remove(self)
            queue.push(self)
        elif ticks_diff(self.ph_key, ticks_ms()) > 0:
            queue.remove(self)
            queue.push(self)
        self.data = core["CancelledError"]
        return True
