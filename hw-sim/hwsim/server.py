"""Serves the firmware's calls: runs the world up to each call's instant, applies it, answers.

Entry points: :class:`Server`, whose ``run`` is a generator that pauses at the limit which the controller sets;
:class:`Restart`, which it raises.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Generator

from hwsim import costs, protocol
from hwsim.chips.qspi_flash import PAGE, SECTORS
from hwsim.core import Scheduler, SimFault
from hwsim.fabric import ETIMEDOUT, Fabric
from hwsim.pace import STEP_NS, RealClock
from hwsim.process import Process

WDT_RESET = 3
NEVER = 1 << 61
CALLS_MASK = (1 << 29) - 1
LENGTH_MASK = (1 << 31) - 1

_OPERATION = struct.Struct("<QQ")
_ANSWER = struct.Struct("<5q")
_PENDING = struct.Struct("<4q")
_WORD = struct.Struct("<Q")

Pause = Generator[None, None, None]


class Restart(Exception):
    """The board starts over: a reset the firmware asked for (``soft`` or not), or the watchdog's bite.

    With ``boot_loader`` it does not come back by itself.
    """

    def __init__(self, *, soft: bool = False, boot_loader: bool = False) -> None:
        super().__init__()
        self.soft = soft
        self.boot_loader = boot_loader


class Server:
    """One boot of the firmware, from HELLO to its end.

    ``limit`` (ns) is the instant beyond which nothing happens until the controller moves it; ``paused`` is asked at
    each event of a wait and before each answer, and holds the firmware there while it says so.
    """

    def __init__(
        self, fabric: Fabric, process: Process, hello: bytes, hello_value: int, call_ns: int, clock: RealClock | None
    ) -> None:
        self.limit = 0
        self.paused: Callable[[], bool] | None = None
        self.want_heap = False
        self.heap: tuple[int, int, int] | None = None
        """Bytes used, bytes free, the overlay's share of the used ones; after a collection."""
        self.calls = 0
        """Calls the firmware has made since its process started, the one it waits in included."""
        self.round_trips = 0
        self._fabric = fabric
        self._process = process
        self._scheduler: Scheduler = fabric.scheduler
        self._hello = hello
        self._hello_value = hello_value
        self._call_ns = call_ns
        self._clock = clock
        self._now = self._scheduler.now
        self._interrupts_on = True
        self._value = 0

    # --- time --------------------------------------------------------------------------------------------------

    def _advance(self, when: int) -> Pause:
        """Run the world up to ``when``, pausing at the limit."""
        scheduler = self._scheduler
        while scheduler.now < when:
            if scheduler.now >= self.limit:
                yield
                continue
            self._step(min(when, self.limit))

    def _step(self, goal: int) -> None:
        """Run the world up to ``goal``; less far in real time when input has come from outside."""
        if self._clock is None:
            self._scheduler.run_until(goal)
        else:
            self._clock.run_until(goal)
        if self._fabric.bitten:
            raise Restart

    def _wait(self, until: int, ready: Callable[[], int] | None) -> Pause:
        """Run the world event by event up to ``until``, or until something is ready or interrupts."""
        scheduler, fabric = self._scheduler, self._fabric
        if self._clock is not None:
            self._clock.forget_lag()
        while scheduler.now < until:
            if scheduler.now >= self.limit:
                yield
                continue
            if (fabric.pending and self._interrupts_on) or fabric.cdc.interrupted or (ready is not None and ready()):
                break
            event = scheduler.next_time()
            step = until if event is None or event > until else event
            self._step(min(step, self.limit))
            while self.paused is not None and self.paused():
                yield
        self._now = scheduler.now

    # --- the service -------------------------------------------------------------------------------------------

    def run(self) -> Pause:
        """Serve batch after batch. Raises Restart, and ControllerDied and CpuBackstop of the process."""
        scheduler, fabric, process = self._scheduler, self._fabric, self._process
        set_pin = fabric.set_pin
        buses = fabric.spi_buses
        while True:
            batch = process.receive()
            self.round_trips += 1
            head = _WORD.unpack_from(batch)[0]
            made = ((head >> protocol.CALLS_SHIFT) - self.calls) & CALLS_MASK
            self.calls += made
            self._interrupts_on = bool(head & protocol.INTERRUPTS_ON)
            size = head & LENGTH_MASK
            skew = 0
            if process.packets:
                skew = yield from self._write_out()
            if made and (fabric.trace is not None or fabric.call_actions):
                yield from self._observe(batch)
            data = b""
            self._value = 0  # an error of the batch before is not one of this
            at = 8
            while at < size:
                stamp, code = _OPERATION.unpack_from(batch, at)
                stamp += skew
                at += 16
                if stamp > scheduler.now:
                    if stamp <= self.limit and self._clock is None:
                        scheduler.run_until(stamp)
                        if fabric.bitten:
                            raise Restart
                    else:
                        yield from self._advance(stamp)
                self._now = stamp
                operation = code & 0xFF
                if operation == protocol.SYNC:
                    pass
                elif operation == protocol.PIN_SET:
                    set_pin(code >> 8 & 0xFF, code >> 16)
                elif operation == protocol.SPI_WRITE:
                    bus = buses[code >> 8 & 0xFF]
                    count = code >> 16
                    bus.transfer(batch[at : at + count])
                    self._now += bus.wire_ns(count)
                    at += (count + 7) & ~7
                elif operation == protocol.SPI_READ:
                    bus = buses[code >> 8 & 0xFF]
                    count = code >> 16 & 0xFFFFFF
                    data = bus.transfer(bytes([code >> 40]) * count)
                    self._now += bus.wire_ns(count)
                elif operation == protocol.SLEEP:
                    yield from self._wait(stamp + _WORD.unpack_from(batch, at)[0], None)
                    at += 8
                elif operation == protocol.POLL:
                    yield from self._poll(code >> 8 & 0xFF, stamp, _WORD.unpack_from(batch, at)[0] - 1)
                    at += 8
                elif operation < protocol.HELLO:
                    at += self._apply(operation, code >> 8 & 0xFF, code >> 16, batch, at)
                else:
                    used, data = self._ask(operation, code >> 8 & 0xFF, code >> 16, batch, at)
                    at += used
            if self._now > scheduler.now:
                yield from self._advance(self._now)
            while self.paused is not None and self.paused():
                yield
            process.answer(self._answer(data))

    def _answer(self, data: bytes) -> bytes:
        scheduler, fabric = self._scheduler, self._fabric
        cdc, pending = fabric.cdc, fabric.pending
        now = self._now = max(self._now, scheduler.now)
        event = scheduler.next_time()
        horizon = NEVER if event is None else event
        if horizon > self.limit:
            horizon = self.limit
        flags = 0
        if not cdc.readable:
            flags = protocol.STDIN_EMPTY
        if not cdc.writable:
            flags |= protocol.STDOUT_FULL
        interrupts = b""
        if pending:
            if self._interrupts_on:
                count = min(len(pending), protocol.PENDING_MAX)
                interrupts = b"".join(_PENDING.pack(*entry) for entry in pending[:count])
                del pending[:count]
                flags |= count << protocol.PENDING_SHIFT
            if pending:
                flags |= protocol.PENDING_MORE
        if cdc.interrupted:
            cdc.interrupted = False
            flags |= protocol.KEYBOARD_INTERRUPT
        if self.want_heap:
            self.want_heap = False
            flags |= protocol.WANT_HEAP
        if fabric.trace is not None:
            horizon = now
        elif fabric.call_actions:
            # No call but the last before the wanted one can be that late; from there on each is sent alone.
            left = fabric.call_actions[0][0] - 1 - self.calls
            horizon = min(horizon, now + max(left, 0) * self._call_ns)
        if self._clock is not None:
            horizon = min(horizon, now + STEP_NS)
        return _ANSWER.pack(now, horizon, fabric.levels, flags, self._value) + interrupts + data

    def _observe(self, batch: bytes) -> Pause:
        """Trace the call, and run what was asked for at its boundary.

        While either is wanted every call is sent alone, so the call begins where the last answer left the clock.
        """
        fabric = self._fabric
        begin = self._now
        while fabric.call_actions and fabric.call_actions[0][0] <= self.calls:
            if begin > self._scheduler.now:
                yield from self._advance(begin)
            fabric.call_actions.pop(0)[1]()
        if fabric.trace is not None:
            code = _OPERATION.unpack_from(batch, 8)[1]
            fabric.trace(self.calls, begin, code & 0xFF, code >> 8 & 0xFF, code >> 16)

    def _write_out(self) -> Generator[None, None, int]:
        """Hand what the firmware has written to the port; returns for how long the writes blocked (ns).

        The port's rule: wait for room, lose the rest after half a second without progress.
        """
        cdc, scheduler = self._fabric.cdc, self._scheduler
        start = self._now
        for packet in self._process.packets:
            rest = packet[cdc.accept(packet) :]
            while rest:
                until = self._now + costs.CDC_BLOCK_NS
                while scheduler.now < until and not cdc.writable:
                    event = scheduler.next_time()
                    yield from self._advance(until if event is None or event > until else event)
                self._now = max(self._now, scheduler.now)
                taken = cdc.accept(rest)
                if not taken:
                    cdc.dropped += len(rest)
                    break
                rest = rest[taken:]
        self._process.packets.clear()
        return self._now - start

    # --- operations --------------------------------------------------------------------------------------------

    def _poll(self, interest: int, stamp: int, timeout: int) -> Pause:
        cdc = self._fabric.cdc

        def ready() -> int:
            bits = 1 if interest & 1 and cdc.readable else 0
            return bits | 2 if interest & 2 and cdc.writable else bits

        yield from self._wait(NEVER if timeout < 0 else stamp + timeout, ready)
        self._value = ready()

    def _apply(self, operation: int, unit: int, value: int, batch: bytes, at: int) -> int:
        """The posted operations that are not on the hot path; returns the bytes of payload."""
        fabric = self._fabric
        if operation == protocol.PIN_MODE:
            fabric.set_mode(unit, value)
        elif operation == protocol.PIN_IRQ:
            fabric.arm(unit, value)
        elif operation == protocol.SPI_SETUP:
            fabric.spi_buses[unit].baudrate = value & (1 << 30) - 1
        elif operation == protocol.I2C_SETUP:
            fabric.i2c_buses[unit].freq = value & 0xFFFFFF
            fabric.i2c_buses[unit].timeout_ns = (value >> 24) * 1000
        elif operation == protocol.PWM_SET:
            fabric.set_pwm(unit, value)
        elif operation == protocol.WDT_START:
            fabric.start_watchdog(value)
        elif operation == protocol.WDT_FEED:
            fabric.feed_watchdog()
        elif operation == protocol.TIMER_START:
            fabric.start_timer(unit, value)
        elif operation == protocol.TIMER_STOP:
            fabric.stop_timer(unit)
        elif operation == protocol.PIO_PUT:
            fabric.put_words(unit, struct.unpack_from(f"<{value}I", batch, at))
            return (4 * value + 7) & ~7
        elif operation == protocol.UART_SETUP:
            fabric.uart_port(unit).setup(value & 0xFFFFFF, value >> 24)
        elif operation == protocol.UART_WRITE:
            fabric.uart_port(unit).write(batch[at : at + value])
            return (value + 7) & ~7
        elif operation == protocol.KEYBOARD:
            fabric.cdc.interrupt_character = value - 1
        else:
            raise SimFault(f"operation {operation} is not part of the protocol")
        return 0

    def _ask(self, operation: int, unit: int, value: int, batch: bytes, at: int) -> tuple[int, bytes]:
        """The answered operations that are not on the hot path; returns bytes of payload and data for the answer."""
        fabric = self._fabric
        if operation == protocol.SPI_EXCHANGE:
            bus = fabric.spi_buses[unit]
            data = bus.transfer(batch[at : at + value])
            self._now += bus.wire_ns(value)
            return (value + 7) & ~7, data
        if operation == protocol.I2C_TRANSFER:
            count = value >> 8 & 0xFFFF
            wire = fabric.i2c_wire_ns(unit, value)
            if fabric.i2c_buses[unit].stuck:
                self._value, data = -ETIMEDOUT, b""
            else:
                self._value, data = fabric.i2c_transfer(unit, value, batch[at : at + count])
                wire += fabric.i2c_buses[unit].stretched_ns
            self._now += wire
            return (count + 7) & ~7, data
        if operation == protocol.HELLO:
            self._now = self._scheduler.now
            self._value = self._hello_value
            return 0, self._hello
        if operation == protocol.PIO_ATTACH:
            self._value = fabric.attach_machine(unit, value)
        elif operation == protocol.UART_ANY:
            self._value = fabric.uart_port(unit).any()
        elif operation == protocol.UART_READ:
            return 0, fabric.uart_port(unit).read(value)
        elif operation == protocol.RESET:
            raise Restart(soft=unit == 1, boot_loader=unit == 2)
        elif operation == protocol.HEAP:
            used, free, overlay = struct.unpack_from("<3Q", batch, at)
            self.heap = (used, free, overlay)
            return 24, b""
        elif operation == protocol.FLASH:
            return self._flash(unit, value & 0xFFFFFF, value >> 24, batch, at)
        else:
            raise SimFault(f"operation {operation} is not part of the protocol")
        return 0, b""

    def _flash(self, unit: int, address: int, count: int, batch: bytes, at: int) -> tuple[int, bytes]:
        """FLASH: each page and sector takes its time."""
        flash = self._fabric.flash
        if flash is None:
            return 0, b""
        if unit == 0:
            return 0, flash.read(address, count)
        if unit == 1:
            self._now += flash.erase(address, self._now)
        elif unit == 2:
            for start in range(0, count, PAGE):
                page = batch[at + start : at + start + PAGE]
                self._now += flash.program(address + start, page, self._now)
            return (count + 7) & ~7, b""
        else:
            self._value = SECTORS
        return 0, b""
