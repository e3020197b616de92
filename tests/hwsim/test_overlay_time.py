"""Virtual time as the firmware sees it: what each call costs, sleeping, wrapping counters, the board's clock."""

import itertools
import re
from pathlib import Path

import pytest

from hwsim import costs
from tests.hwsim.overlay_rig import Rig, play

FRAME = """
    from machine import Pin, SPI
    spi = SPI(0, 7_000_000, sck=Pin(2), mosi=Pin(3), miso=Pin(4))
    nss = Pin(5, Pin.OUT, value=1)
    busy = Pin(6, Pin.IN)
    command = bytes(7)
    start = time.ticks_us()
    nss.value(0)
    spi.write(command)
    high = busy.value()
    nss.value(1)
    low = busy.value()
    print(time.ticks_diff(time.ticks_us(), start), high, low)
"""


@pytest.mark.parametrize("frame_us", sorted(costs.CALL_NS_BY_FRAME_US))
def test_reader_frame_costs_five_calls_and_its_wire_time(tmp_path: Path, frame_us: int) -> None:
    call_ns = costs.CALL_NS_BY_FRAME_US[frame_us]
    assert costs.FRAME_CALLS * call_ns == frame_us * 1000
    wire_us = 7 * 8 / 7  # 7 bytes at 7 Mbit/s
    closing_call_us = call_ns // 1000  # the second reading of the clock
    assert play(tmp_path, FRAME, call_ns=call_ns) == [f"{frame_us + wire_us + closing_call_us:.0f} 1 0"]


def test_outputs_act_at_their_own_instant_though_they_are_posted(tmp_path: Path) -> None:
    program = """
        from machine import Pin, SPI
        spi = SPI(0, 1_000_000)
        nss = Pin(5, Pin.OUT, value=1)
        nss(0)
        spi.write(b"abcd")
        nss(1)
        """
    with Rig(tmp_path, program) as rig:
        rig.finish()
        (select, _), (transfer, what), (deselect, _) = rig.chip.log
    assert what == "transfer 4 8000"
    assert transfer - select == costs.CALL_NS
    assert deselect - transfer == 4 * 8000 + costs.CALL_NS


def test_what_is_charged(tmp_path: Path) -> None:
    program = """
        import gc, hashlib
        def measure(name, action):
            start = time.ticks_us()
            action()
            print(name, time.ticks_diff(time.ticks_us(), start) - 8)
        hashes = hashlib.sha256()
        measure("sleep", lambda: time.sleep_us(1234))
        measure("collect", gc.collect)
        measure("half a block", lambda: hashes.update(bytes(32)))
        measure("the other half and one more", lambda: hashes.update(bytes(96)))
        measure("digest", hashes.digest)
        measure("digest of 56 bytes", lambda: hashlib.sha256(bytes(56)).digest())
        measure("arithmetic", lambda: time.ticks_add(1, 2))
        """
    assert play(tmp_path, program) == [
        "sleep 1242",
        "collect 10008",
        "half a block 8",
        "the other half and one more 88",
        "digest 48",
        "digest of 56 bytes 96",  # 56 bytes and the padding take two blocks; two calls
        "arithmetic 0",
    ]


def test_hash_is_the_real_one(tmp_path: Path) -> None:
    program = """
        import hashlib
        h = hashlib.sha256(b"ab")
        h.update(b"c")
        print(h.digest().hex())
        """
    assert play(tmp_path, program) == ["ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"]


def test_counters_wrap_at_two_to_the_thirty(tmp_path: Path) -> None:
    start = 2**30 - 300_000
    program = """
        before = time.ticks_us()
        while True:
            now = time.ticks_us()
            if now < before:
                break
            before = now
        print(before < 2**30, 2**30 - before <= 8, now < 8, time.ticks_diff(now, before))
        print(time.ticks_add(2**30 - 1, 2), time.ticks_diff(1, 2**30 - 1), time.ticks_diff(2**30 - 1, 1))
        """
    assert play(tmp_path, program, ticks_us=start) == ["True True True 8", "1 2 -2"]


def test_ticks_add_refuses_half_the_range(tmp_path: Path) -> None:
    program = """
        try:
            time.ticks_add(0, 2**29)
        except OverflowError:
            print("refused")
        """
    assert play(tmp_path, program) == ["refused"]


def test_clock_starts_in_2021(tmp_path: Path) -> None:
    program = """
        print(time.gmtime()[:5], time.time() - time.mktime((2021, 1, 1, 0, 0, 0, 0, 0)))
        """
    assert play(tmp_path, program) == ["(2021, 1, 1, 0, 0) 0"]


def test_task_step_and_idle_loop(tmp_path: Path) -> None:
    """Each step of a task: the loop reads the clock and polls once (two calls), and the step itself is charged."""
    program = """
        import asyncio
        async def main():
            await asyncio.sleep_ms(5)
            stamps = []
            for _ in range(4):
                stamps.append(time.ticks_us())
                await asyncio.sleep_ms(0)
            for a, b in zip(stamps, stamps[1:]):
                print(time.ticks_diff(b, a))
        asyncio.run(main())
        """
    # ticks_us here, ticks_ms in sleep_ms, ticks_ms and poll in the loop: four calls and the step.
    expected = (4 * costs.CALL_NS + costs.TASK_STEP_NS) // 1000
    assert play(tmp_path, program) == [str(expected)] * 3


def test_asyncio_behaves(tmp_path: Path) -> None:
    """The parts of asyncio that lean on tasks and their queue: order, gather, cancel, time-outs, events, flags."""
    program = """
        import asyncio
        async def worker(name, ms):
            try:
                await asyncio.sleep_ms(ms)
                print(name, "done")
                return name
            except asyncio.CancelledError:
                print(name, "cancelled")
                raise
        async def failing():
            raise ValueError("x")
        async def waiter(event):
            await event.wait()
            print("event")
        async def main():
            print(await asyncio.gather(worker("b", 20), worker("a", 10), worker("c", 10)))
            task = asyncio.create_task(worker("d", 1000))
            await asyncio.sleep_ms(1)
            print(task.done(), task.cancel())
            try:
                await task
            except asyncio.CancelledError:
                print("seen", task.done(), task.cancel())
            try:
                await asyncio.wait_for_ms(worker("e", 1000), 30)
            except asyncio.TimeoutError:
                print("time-out")
            try:
                await asyncio.create_task(failing())
            except ValueError as error:
                print("error", error)
            event = asyncio.Event()
            tasks = [asyncio.create_task(waiter(event)) for _ in range(2)]
            await asyncio.sleep_ms(1)
            event.set()
            await asyncio.gather(*tasks)
            lock = asyncio.Lock()
            async with lock:
                late = asyncio.create_task(lock.acquire())
                await asyncio.sleep_ms(1)
                print(late.cancel())
                await asyncio.sleep_ms(1)
                print(late.done())
            finished = asyncio.create_task(worker("f", 0))
            await asyncio.sleep_ms(5)
            print(await finished)
        asyncio.run(main())
        """
    assert play(tmp_path, program) == [
        "a done",
        "c done",
        "b done",
        "['b', 'a', 'c']",
        "False True",
        "d cancelled",
        "seen True False",
        "e cancelled",
        "time-out",
        "error x",
        "event",
        "event",
        "True",
        "True",
        "f done",
        "f",
    ]


def test_sleeping_needs_no_round_trip(tmp_path: Path) -> None:
    """Calls that nothing can change are answered in the interpreter."""
    program = """
        for _ in range(10_000):
            time.sleep_us(10)
        """
    with Rig(tmp_path, program) as rig:
        rig.finish()
        assert rig.controller.calls > 10_000
        assert rig.controller.round_trips < 100


def test_tracing_changes_nothing(tmp_path: Path) -> None:
    """With a trace every call is answered by the simulator; what the firmware sees is the same."""
    seen: list[tuple[int, int]] = []
    program = FRAME * 3
    plain = play(tmp_path / "a", program)
    with Rig(tmp_path / "b", program) as rig:
        rig.fabric.trace = lambda ordinal, when, operation, unit, value: seen.append((ordinal, when))
        assert rig.finish() == plain
    ordinals = [ordinal for ordinal, _ in seen]
    assert sorted(set(ordinals)) == list(range(1, max(ordinals) + 1))
    assert all(a[1] <= b[1] for a, b in itertools.pairwise(seen))


def test_document_agrees_with_the_constants() -> None:
    text = (Path(__file__).parents[2] / "docs" / "timing-model.md").read_text()
    rows = dict(re.findall(r"^\| `(\w+)` \| ([^|]+?) \|", text, re.MULTILINE))
    constants = {name: getattr(costs, name) for name in vars(costs) if name.isupper() and not name.startswith("NS_")}
    assert rows.keys() == constants.keys()
    for name, value in constants.items():
        assert rows[name] == _written(value), name


def _written(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} → {_written(item)}" for key, item in value.items())
    if isinstance(value, tuple):
        return " – ".join(_written(item) for item in value)
    return f"{value:,}"
