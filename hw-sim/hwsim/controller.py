"""The simulated board: starts the firmware, lets it run in virtual or real time, cuts its power.

Entry points: :class:`Controller`; :class:`hwsim.process.ControllerDied` is what an unexpected end raises.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Callable, Generator, Sequence
from pathlib import Path

from hwsim import costs
from hwsim.core import NS_PER_S, PowerFailure, Scheduler
from hwsim.fabric import Fabric
from hwsim.pace import RealClock
from hwsim.process import PROCESSOR, ControllerDied, CpuBackstop, Process
from hwsim.server import WDT_RESET, Restart, Server

PWRON_RESET = 1
RTC_START = 1_609_459_200  # 2021-01-01, where the port's clock starts
NEVER = 1 << 60

__all__ = ["PWRON_RESET", "WDT_RESET", "Controller", "ControllerDied"]


class Controller:
    """One board with its firmware.

    ``root`` is the board's filesystem root (boot.py, main.py), ``path`` the directories searched for modules after the
    overlay; ``seed`` feeds all entropy. When a method returns, the firmware waits inside a call and the world stands
    at ``scheduler.now``. ``ticks_us`` is what the firmware's counter reads when it starts; ``uid`` the board's id, 8
    bytes, made from ``seed`` when none is given.
    """

    def __init__(
        self,
        fabric: Fabric,
        *,
        root: Path,
        path: Sequence[Path] = (),
        heap: str = "448k",
        seed: int = 0,
        realtime: bool = False,
        chip: int = 2350,
        call_ns: int = costs.CALL_NS,
        ticks_us: int = 0,
        uid: bytes | None = None,
    ) -> None:
        self.fabric = fabric
        self.scheduler: Scheduler = fabric.scheduler
        self.restarts = 0
        """Resets of any kind since ``start``."""
        self.bites = 0
        """Those that were the watchdog's, a loop without calls included."""
        self.in_boot_loader = False
        """The firmware has called ``machine.bootloader``: nothing runs on the board until ``start``."""
        self.stays_off: Callable[[], bool] | None = None
        """Asked when the firmware has called ``machine.reset``, or was bitten: True leaves the board to the caller."""
        self.is_off = False
        """It was answered so: nothing runs on the board until ``start``."""
        self._root = Path(root).resolve()
        self._path = [Path(place).resolve() for place in path] or [self._root]
        self._heap = heap
        self._seed = seed
        self._chip = chip
        self._call_ns = call_ns
        self._ticks_us = ticks_us
        self._uid = hashlib.sha256(f"board {seed}".encode()).digest()[:8] if uid is None else uid
        self._clock = RealClock(self.scheduler) if realtime else None
        self._process: Process | None = None
        self._server: Server | None = None
        self._serving: Generator[None, None, None] | None = None
        self._boot_at = 0
        self._cause = PWRON_RESET
        self._boots = 0
        self._last_words = ""
        self._failed = False  # the last boot ended without the board being reset

    # --- power -------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Switch the board on: boot.py begins ``costs.BOOT_NS`` later."""
        if self._process is not None:
            raise RuntimeError("the board is on already")
        self.in_boot_loader = self.is_off = False
        self._cause = PWRON_RESET
        if self._failed:
            self._failed = False
            self.fabric.reset()
        self._boot()

    def kill(self) -> None:
        """Cut the power (SIGKILL). Chips keep what they keep; ``start`` switches it on again."""
        if self._process is not None:
            self._end_process()
            self.fabric.reset()

    def reset(self) -> None:
        """Press the reset button."""
        self._restart(PWRON_RESET, soft=False)

    def _boot(self) -> None:
        if self._clock is None:
            PROCESSOR.take()
        self._boots += 1
        self._boot_at = self.scheduler.now + costs.BOOT_NS
        self._process = Process(self._root, self._path, self._heap)
        self._server = Server(
            self.fabric, self._process, self._hello(), self._chip | self._cause << 16, self._call_ns, self._clock
        )
        self.fabric.cdc.connect(self._process.deliver, self._process.unread, self._boot_at)
        self._serving = self._server.run()

    def _hello(self) -> bytes:
        words = struct.pack(
            "<8q",
            self._call_ns,
            costs.TASK_STEP_NS,
            costs.SHA256_BLOCK_NS,
            costs.GC_COLLECT_NS,
            costs.IRQ_LATENCY_NS,
            costs.POST_WINDOW_NS,
            self._boot_at - self._ticks_us * 1000,
            RTC_START,
        )
        entropy = hashlib.sha256(f"entropy {self._seed} {self._boots}".encode()).digest()
        return words + entropy + self._uid

    def _end_process(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._last_words = self._process.stderr
            if self._clock is None:
                PROCESSOR.release()
        self._process = self._server = self._serving = None

    def _restart(self, cause: int, *, soft: bool) -> None:
        self.restarts += 1
        self._end_process()
        self.fabric.reset(soft=soft)
        self._cause = cause
        self._boot()

    # --- running -----------------------------------------------------------------------------------------------

    def run_until(self, when: int) -> None:
        """Run board and world until ``when`` (ns), where the firmware is left waiting inside a call."""
        self._run(when, None)

    def run_for(self, duration: int) -> None:
        """Run ``duration`` nanoseconds."""
        self._run(self.scheduler.now + duration, None)

    def run_while(self, condition: Callable[[], bool], limit: int = 60 * NS_PER_S) -> bool:
        """Run while ``condition()`` holds, ``limit`` nanoseconds at most; returns whether it has ended by then.

        It is asked at each event while the firmware waits and before each answer to it.
        """
        if not condition():
            return True
        done = False

        def paused() -> bool:
            nonlocal done
            done = done or not condition()
            return done

        self._run(self.scheduler.now + limit, paused)
        return done

    def _run(self, limit: int, paused: Callable[[], bool] | None) -> None:
        scheduler = self.scheduler
        while scheduler.now < limit and (paused is None or not paused()):
            if self._server is None or self._serving is None or scheduler.now < self._boot_at:
                # Nothing runs on the board: the world goes on alone.
                goal = limit if self._server is None else min(limit, self._boot_at)
                if self._clock is None:
                    event = scheduler.next_time()
                    goal = goal if event is None or event > goal or paused is None else event
                    scheduler.run_until(goal)
                else:
                    self._clock.run_until(goal)
                continue
            self._server.limit = limit
            self._server.paused = paused
            try:
                next(self._serving)
            except Restart as restart:
                if restart.boot_loader:
                    self.in_boot_loader = True
                    self.kill()
                    continue
                if self.fabric.bitten:
                    self.bites += 1
                if not restart.soft and self.stays_off is not None and self.stays_off():
                    self.is_off = True
                    self.kill()
                    continue
                self._restart(self._cause if restart.soft else WDT_RESET, soft=restart.soft)
            except CpuBackstop:
                self._bite()
            except PowerFailure:
                self.kill()
                raise
            except BaseException:
                self._end_process()
                self._failed = True
                raise

    def _bite(self) -> None:
        """The firmware loops without calls: time does not pass for it until the watchdog bites."""
        deadline = self.fabric.watchdog_deadline
        if deadline is None:
            self._end_process()
            self._failed = True
            raise ControllerDied(
                f"{costs.CPU_BACKSTOP_S:g} s of processor time without a call and no watchdog\n{self._last_words}"
            )
        self.bites += 1
        self.scheduler.run_until(deadline)
        self._restart(WDT_RESET, soft=False)

    # --- looking in --------------------------------------------------------------------------------------------

    @property
    def realtime(self) -> RealClock:
        """The real clock, for registering inputs; RuntimeError in virtual time."""
        if self._clock is None:
            raise RuntimeError("the board runs in virtual time")
        return self._clock

    @property
    def ticks_zero(self) -> int:
        """Instant (ns) at which the firmware's microsecond counter of this boot stood at 0."""
        return self._boot_at - self._ticks_us * 1000

    @property
    def calls(self) -> int:
        """Calls the firmware has made since its process started."""
        return self._server.calls if self._server is not None else 0

    @property
    def round_trips(self) -> int:
        """Of these, how many had to be answered by the simulator."""
        return self._server.round_trips if self._server is not None else 0

    @property
    def cpu_seconds(self) -> float:
        """Processor time (real seconds) of the firmware's process."""
        return self._process.cpu_seconds if self._process is not None else 0.0

    @property
    def exit_status(self) -> int | None:
        """Exit status of the firmware's process, None while it runs or is off."""
        return self._process.exit_status if self._process is not None else None

    @property
    def stderr(self) -> str:
        """What the firmware's process has written to standard error."""
        return self._process.stderr if self._process is not None else self._last_words

    def heap(self, limit: int = NS_PER_S) -> tuple[int, int, int]:
        """Bytes used, bytes free and the overlay's share of the used ones, after a collection that costs no time.

        The firmware runs until its next call for it. TimeoutError when none comes within ``limit`` ns.
        """
        server = self._server
        if server is None:
            raise RuntimeError("the board is off")
        server.heap = None
        server.want_heap = True
        if not self.run_while(lambda: server.heap is None, limit) or server.heap is None:
            raise TimeoutError("the firmware made no call")
        return server.heap
