"""Interrupts on the simulated board: whose time they see, what they may do, how they are held off."""

from pathlib import Path

import pytest

from hwsim import costs
from hwsim.core import NS_PER_MS, NS_PER_US
from tests.hwsim.overlay_rig import START_NS, Rig, play

LATENCY_US = costs.IRQ_LATENCY_NS // NS_PER_US
CALL_US = costs.CALL_NS // NS_PER_US

# Counts on the board from its start; the world's clock is BOOT_NS ahead.
HANDLER = """
    import asyncio
    from machine import Pin, SPI
    from array import array
    log = array("l", [0] * 60)
    count = 0
    def note(pin):
        global count
        log[count] = time.ticks_us()
        log[count + 1] = pin.value()
        log[count + 2] = irq.flags()
        count += 3
    key = Pin(10, Pin.IN, Pin.PULL_UP)
    irq = key.irq(note, Pin.IRQ_FALLING | Pin.IRQ_RISING, hard=True)
    async def nap():
        await asyncio.sleep_ms(100)
    def show():
        for i in range(0, count, 3):
            print(log[i], log[i + 1], log[i + 2])
"""


def seen(edge_ns: int) -> int:
    """What ticks_us gives as a handler's first statement for an edge at ``edge_ns``."""
    return (edge_ns - costs.BOOT_NS + costs.IRQ_LATENCY_NS + costs.CALL_NS) // NS_PER_US


@pytest.mark.parametrize(
    "busy",
    [
        "time.sleep_ms(100)",
        "while time.ticks_us() < 400_000: pass",
        "SPI(0, 10_000).write(bytes(125))",
        "SPI(0, 10_000).readinto(bytearray(125))",
        "asyncio.run(nap())",
    ],
)
def test_handler_sees_the_edges_own_instant(tmp_path: Path, busy: str) -> None:
    """Whatever the firmware is doing: sleeping, polling its clock, or inside a transfer of 100 ms."""
    edges = [START_NS + 20 * NS_PER_MS, START_NS + 23 * NS_PER_MS + 5_000]
    with Rig(tmp_path, HANDLER + "    " + busy + "\n    show()") as rig:
        rig.press(edges[0], edges[1] - edges[0])
        assert rig.finish() == [f"{seen(edges[0])} 0 4", f"{seen(edges[1])} 1 8"]


def test_handler_runs_when_the_edge_comes_not_later(tmp_path: Path) -> None:
    """A sleep is interrupted: what the handler switches on is on at the edge, not at the end of the sleep."""
    edge = START_NS + 20 * NS_PER_MS
    program = """
        from machine import Pin
        lamp = Pin(11, Pin.OUT, value=0)
        Pin(10, Pin.IN).irq(lambda pin: lamp.on(), Pin.IRQ_FALLING, hard=True)
        time.sleep_ms(100)
        """
    with Rig(tmp_path, program) as rig:
        rig.press(edge)
        rig.finish()
        assert rig.lamp_log == [(edge + costs.IRQ_LATENCY_NS + costs.CALL_NS, 1)]


def test_handlers_time_is_added_to_what_it_interrupted(tmp_path: Path) -> None:
    program = """
        from machine import Pin
        Pin(10, Pin.IN).irq(lambda pin: time.sleep_us(500), Pin.IRQ_FALLING, hard=True)
        start = time.ticks_us()
        while time.ticks_us() < 300_000: pass
        before = time.ticks_us()
        for _ in range(100): time.ticks_us()
        print(time.ticks_diff(time.ticks_us(), before))
        """
    with Rig(tmp_path, program) as rig:
        rig.press(costs.BOOT_NS + 300 * NS_PER_MS + 400 * NS_PER_US)
        assert rig.finish() == [str(101 * CALL_US + LATENCY_US + CALL_US + 500)]


def test_heap_is_locked_and_buses_refuse_in_a_hard_handler(tmp_path: Path) -> None:
    program = """
        from machine import Pin, SPI
        import select
        spi = SPI(0, 1_000_000)
        poll = select.poll()
        buffer = bytearray(4)
        outcome = [None, None, None, None]
        def attempt(index, action):
            try:
                action()
                outcome[index] = "done"
            except MemoryError:
                outcome[index] = "no memory"
            except RuntimeError:
                outcome[index] = "refused"
        def allocate(): return [outcome, 1]
        def read(): spi.readinto(buffer)
        def long_write(): spi.write(long)
        def wait(): poll.ipoll(0)
        long = bytes(1100)
        def handler(pin):
            attempt(0, allocate)
            attempt(1, read)
            attempt(2, long_write)
            attempt(3, wait)
        Pin(10, Pin.IN).irq(handler, Pin.IRQ_FALLING, hard=True)
        time.sleep_ms(100)
        print(outcome)
        print([1, 2], "heap free again")
        """
    with Rig(tmp_path, program) as rig:
        rig.press(START_NS + 20 * NS_PER_MS)
        assert rig.finish() == ["['no memory', 'refused', 'refused', 'refused']", "[1, 2] heap free again"]


def test_short_bus_write_in_a_hard_handler_is_refused_too(tmp_path: Path) -> None:
    program = """
        from machine import Pin, SPI, I2C
        spi = SPI(0, 1_000_000)
        outcome = None
        data = bytes(3)
        def handler(pin):
            global outcome
            try:
                spi.write(data)
                outcome = "done"
            except RuntimeError:
                outcome = "refused"
        Pin(10, Pin.IN).irq(handler, Pin.IRQ_FALLING, hard=True)
        time.sleep_ms(100)
        print(outcome)
        """
    with Rig(tmp_path, program) as rig:
        rig.press(START_NS + 20 * NS_PER_MS)
        assert rig.finish() == ["refused"]
        assert rig.chip.frames == []


def test_interrupts_off_hold_the_handler_and_join_its_edges(tmp_path: Path) -> None:
    program = HANDLER + (
        """
    import machine
    state = machine.disable_irq()
    time.sleep_ms(50)
    assert count == 0
    on = time.ticks_us()
    machine.enable_irq(state)
    show()
    print(time.ticks_diff(log[0], on))
    """
    )
    with Rig(tmp_path, program) as rig:
        rig.press(START_NS + 20 * NS_PER_MS, 2 * NS_PER_MS)
        lines = rig.finish()
    assert len(lines) == 2, "two edges while interrupts were off are one interrupt"
    assert lines[0].endswith(" 1 12"), "with the flags of both, and the level after the last"
    assert lines[1] == str(LATENCY_US + CALL_US), "when interrupts are on again"


def test_edges_while_the_handler_runs_are_one_more_interrupt(tmp_path: Path) -> None:
    program = HANDLER.replace("count += 3", "count += 3; time.sleep_us(300)") + "    time.sleep_ms(100)\n    show()"
    first = START_NS + 20 * NS_PER_MS
    with Rig(tmp_path, program) as rig:
        for bounce in range(3):  # six edges within 300 us
            rig.press(first + bounce * 60_000, 30_000)
        lines = rig.finish()
    handler_us = LATENCY_US + 3 * CALL_US + 300  # clock, level and sleep are a call each
    assert lines == [f"{seen(first)} 0 4", f"{seen(first) + handler_us} 1 12"]


def test_soft_handler_runs_later_with_the_heap_free(tmp_path: Path) -> None:
    program = """
        from machine import Pin, SPI
        spi = SPI(0, 1_000_000)
        got = []
        def handler(pin):
            got.append([time.ticks_us(), spi.read(2)])
        Pin(10, Pin.IN).irq(handler, Pin.IRQ_FALLING)
        time.sleep_ms(100)
        print(len(got), got[0][1])
        """
    with Rig(tmp_path, program) as rig:
        rig.press(START_NS + 20 * NS_PER_MS)
        assert rig.finish() == [r"1 b'\xff\xff'"]


def test_schedule_takes_eight(tmp_path: Path) -> None:
    program = """
        import micropython
        from machine import Pin
        done = []
        outcome = 0
        def callback(n): done.append(n)
        def handler(pin):
            global outcome
            try:
                while True:
                    micropython.schedule(callback, outcome)
                    outcome += 1
            except RuntimeError:
                pass
        Pin(10, Pin.IN).irq(handler, Pin.IRQ_FALLING, hard=True)
        time.sleep_ms(100)
        print(outcome, done)
        micropython.schedule(callback, "now")
        print(done[-1])
        """
    with Rig(tmp_path, program) as rig:
        rig.press(START_NS + 20 * NS_PER_MS)
        assert rig.finish() == ["8 [0, 1, 2, 3, 4, 5, 6, 7]", "now"]


def test_exception_in_a_handler_is_reported_and_ends_it(tmp_path: Path) -> None:
    program = """
        from machine import Pin
        count = 0
        def handler(pin):
            global count
            count += 1
            raise ValueError("of the handler")
        Pin(10, Pin.IN).irq(handler, Pin.IRQ_FALLING, hard=True)
        time.sleep_ms(100)
        print(count)
        """
    with Rig(tmp_path, program) as rig:
        rig.press(START_NS + 20 * NS_PER_MS, NS_PER_MS)
        rig.press(START_NS + 40 * NS_PER_MS, NS_PER_MS)
        assert rig.finish() == ["1"]
        assert "ValueError: of the handler" in rig.controller.stderr


def test_timers(tmp_path: Path) -> None:
    program = """
        from machine import Timer
        from array import array
        times = array("l", [0] * 10)
        count = 0
        def tick(timer):
            global count
            times[count] = time.ticks_us()
            count += 1
        start = time.ticks_us()
        timer = Timer(mode=Timer.PERIODIC, period=10, callback=tick, hard=True)
        time.sleep_ms(35)
        timer.deinit()
        time.sleep_ms(30)
        print(count, [times[i] - times[0] for i in range(count)], times[0] - start)
        once = []
        Timer(mode=Timer.ONE_SHOT, period=5, callback=lambda t: once.append(1))
        time.sleep_ms(30)
        print(once)
        try:
            Timer(0)
        except ValueError as error:
            print(error)
        """
    first = 10_000 + CALL_US + LATENCY_US + CALL_US
    assert play(tmp_path, program) == [f"3 [0, 10000, 20000] {first}", "[1]", "Timer doesn't exist"]


def test_interrupt_an_output_causes_is_noticed_within_the_window(tmp_path: Path) -> None:
    """A firmware that only writes: the edge its own output causes interrupts at its own instant, seen soon."""
    program = """
        from machine import Pin
        lamp = Pin(11, Pin.OUT, value=0)
        seen_at = 0
        def handler(pin):
            global seen_at
            seen_at = time.ticks_us()
        Pin(10, Pin.IN).irq(handler, Pin.IRQ_FALLING, hard=True)
        time.sleep_ms(1)
        start = time.ticks_us()
        lamp.on()
        count = 0
        while not seen_at:
            lamp.off()
            count += 1
        print(time.ticks_diff(seen_at, start), count)
        """
    with Rig(tmp_path, program) as rig:
        rig.lamp.listen(lambda line, level: rig.key.drive(1 - level))
        (line,) = rig.finish()
    delay, count = (int(word) for word in line.split())
    assert delay == CALL_US + LATENCY_US + CALL_US
    assert count <= costs.POST_WINDOW_NS // costs.CALL_NS + 1


def test_event_at_a_call_boundary(tmp_path: Path) -> None:
    """The n-th call's boundary can be hit exactly, without and with round trips in between."""
    program = HANDLER + "    for _ in range(200): time.ticks_us()\n    show()"
    for ordinal in (100, 101, 150):
        starts: dict[int, int] = {}
        pressed: list[int] = []
        with Rig(tmp_path / f"trace{ordinal}", program) as rig:
            rig.fabric.trace = lambda n, when, operation, unit, value, starts=starts: starts.setdefault(n, when)
            rig.finish()
        with Rig(tmp_path / f"press{ordinal}", program) as rig:

            def press(rig: Rig = rig, pressed: list[int] = pressed) -> None:
                pressed.append(rig.scheduler.now)
                rig.key.drive(0)

            rig.fabric.at_call(ordinal, press)
            assert rig.finish() == [f"{seen(starts[ordinal])} 0 4"]
        assert pressed == [starts[ordinal]]


def test_outputs_of_handlers_have_room_in_the_batch_and_an_end(tmp_path: Path) -> None:
    """Twenty outputs in one handler act; a handler that never stops setting outputs fails loudly."""
    program = """
        from machine import Pin
        lamp = Pin(11, Pin.OUT, value=0)
        def some(pin):
            for _ in range(10):
                lamp.on()
                lamp.off()
        key = Pin(10, Pin.IN)
        key.irq(some, Pin.IRQ_FALLING, hard=True)
        time.sleep_ms(50)
        def endless(pin):
            while True:
                lamp.on()
        key.irq(endless, Pin.IRQ_RISING, hard=True)
        time.sleep_ms(100)
        """
    with Rig(tmp_path, program) as rig:
        rig.press(START_NS + 20 * NS_PER_MS)
        rig.finish()
        assert [level for _, level in rig.lamp_log] == [1, 0] * 10 + [1]
        assert "RuntimeError: interrupt handlers set more outputs" in rig.controller.stderr
