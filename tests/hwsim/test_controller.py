"""The simulated board as a whole: power, watchdog, resets, death, determinism, heap figures, real time."""

import hashlib
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hwsim import costs, process
from hwsim.controller import PWRON_RESET, WDT_RESET, ControllerDied
from hwsim.core import NS_PER_MS, NS_PER_S
from tests.hwsim.overlay_rig import START_NS, Rig, play

BITE = """
    import machine
    from machine import Pin, SPI, WDT
    print(machine.reset_cause())
    lamp = Pin(11, Pin.OUT, value=1)
    if machine.reset_cause() == machine.PWRON_RESET:
        SPI(0, 1_000_000)
        nss = Pin(5, Pin.OUT, value=1)
        nss(0)
        SPI(0, 1_000_000).write(b"kept")
        nss(1)
        wdt = WDT(timeout=1000)
        for _ in range(3):
            time.sleep_ms(900)
            wdt.feed()
        HANG
"""


@pytest.mark.parametrize(
    ("hang", "backstop"),
    [("time.sleep(10)", 5.0), ("while True: time.ticks_us()", 5.0), ("while True: pass", 0.3)],
)
def test_watchdog_bites_and_the_board_starts_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hang: str, backstop: float
) -> None:
    """Sleeping, polling and computing without a call: the bite comes one second after the last feed."""
    monkeypatch.setattr(costs, "CPU_BACKSTOP_S", backstop)
    with Rig(tmp_path, BITE.replace("HANG", hang)) as rig:
        rig.controller.run_while(lambda: len(rig.lamp_log) < 3)
        (on, _), (off, level), _ = rig.lamp_log
        assert level == 0, "pins are inputs after the bite"
        fed = 3 * (900 * NS_PER_MS) + 8 * costs.CALL_NS
        assert abs((off - on) - fed - NS_PER_S) < 20 * costs.CALL_NS
        assert rig.controller.bites == 1
        rig.fabric.cdc.host_open()
        assert rig.finish() == [str(PWRON_RESET), str(WDT_RESET)]
        assert rig.chip.frames == [b"kept"], "the chip has seen one boot's frame and keeps its state"


CATCH_ALL = """
while True:
    try:
        time.sleep_ms(1)
    except BaseException:
        pass
"""


def test_watchdog_range_is_the_chips(tmp_path: Path) -> None:
    program = """
        from machine import WDT
        for timeout in (8388, 8389, 16777, 16778):
            try:
                WDT(timeout=timeout).feed()
                print(timeout, "runs")
            except ValueError as error:
                print(timeout, "refused")
        try:
            WDT(1)
        except ValueError as error:
            print(error)
        """
    refused = "WDT(1) doesn't exist"
    assert play(tmp_path / "2350", program) == ["8388 runs", "8389 runs", "16777 runs", "16778 refused", refused]
    assert play(tmp_path / "2040", program, chip=2040)[:3] == ["8388 runs", "8389 refused", "16777 refused"]


def test_watchdog_runs_on_through_a_soft_reset(tmp_path: Path) -> None:
    program = """
        import machine, os
        if "mark" not in os.listdir():
            open("mark", "w").close()
            machine.WDT(timeout=2000)
            time.sleep_ms(1000)
            raise SystemExit
        """
    with Rig(tmp_path, program) as rig:
        rig.controller.run_until(START_NS + 1900 * NS_PER_MS)
        assert (rig.controller.restarts, rig.controller.bites) == (1, 0)
        rig.controller.run_until(START_NS + 2100 * NS_PER_MS)
        assert (rig.controller.restarts, rig.controller.bites) == (2, 1)


def test_loop_without_calls_and_without_watchdog_ends_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(costs, "CPU_BACKSTOP_S", 0.3)
    with Rig(tmp_path, "while True: pass") as rig, pytest.raises(ControllerDied, match="without a call"):
        rig.controller.run_for(NS_PER_S)


def test_death_is_reported_with_its_output(tmp_path: Path) -> None:
    with Rig(tmp_path, "raise ValueError('of the firmware')") as rig:
        with pytest.raises(ControllerDied, match="ValueError: of the firmware"):
            rig.controller.run_for(NS_PER_S)
        assert "ValueError" in rig.controller.stderr


def test_blocking_read_of_the_port_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "STALL_MS", 500)
    program = "import sys; sys.stdin.buffer.read(1)"
    with Rig(tmp_path, program) as rig, pytest.raises(ControllerDied, match="outside the simulator's clock"):
        rig.controller.run_for(NS_PER_S)


ABANDON = """
import os, sys
from pathlib import Path
from tests.hwsim.overlay_rig import Rig, START_NS
rig = Rig(Path(sys.argv[1]), sys.argv[2])
rig.controller.start()
rig.controller.run_until(START_NS)
print(rig.controller._process._popen.pid, flush=True)
os._exit(0)
"""


@pytest.mark.parametrize("program", ["time.sleep(1)", CATCH_ALL])
def test_interpreter_ends_with_its_simulator(tmp_path: Path, program: str) -> None:
    """Also a firmware that catches everything does not stay behind when the simulator is killed."""
    repository = Path(__file__).parents[2]
    environment = {**os.environ, "PYTHONPATH": f"{repository}:{repository / 'hw-sim'}:{repository / 'host'}"}
    command = [sys.executable, "-c", ABANDON, str(tmp_path), program]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=30)
    pid = int(done.stdout)
    deadline = time.monotonic() + 10
    while Path(f"/proc/{pid}").exists():
        assert time.monotonic() < deadline, "the interpreter is still there"
        time.sleep(0.02)


def test_power_cut_and_reset_button(tmp_path: Path) -> None:
    program = """
        import machine
        from machine import Pin
        Pin(11, Pin.OUT, value=1)
        Pin(5, Pin.OUT, value=0)
        print(machine.reset_cause())
        time.sleep(100)
        """
    with Rig(tmp_path, program) as rig:
        rig.controller.run_until(START_NS + NS_PER_MS)
        assert (rig.lamp.level, rig.nss.level) == (1, 0)
        rig.controller.kill()
        assert (rig.lamp.level, rig.nss.level) == (0, 1), "nets are where the board's resistors hold them"
        rig.controller.run_for(NS_PER_S)
        rig.fabric.cdc.host_open()
        rig.controller.start()
        rig.controller.run_for(START_NS + NS_PER_MS)
        assert rig.lamp.level == 1
        rig.controller.reset()
        assert rig.lamp.level == 0
        rig.controller.run_for(START_NS + NS_PER_MS)
        assert rig.lamp.level == 1
        assert rig.printed == ["1", "1"]


def test_files_are_in_the_root(tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "helper.py").write_text("NAME = 'helper'\n")
    (tmp_path / "boot.py").write_text("booted = True\nwith open('boot.txt', 'w') as f: f.write('yes')\n")
    program = """
        import os, helper
        print(sorted(os.listdir()), open("boot.txt").read(), helper.NAME, hasattr(os, "system"))
        os.rename("boot.txt", "moved.txt")
        os.sync()
        """
    lines = play(tmp_path, program, path=[tmp_path / "lib"])
    assert lines == ["['boot.py', 'boot.txt', 'lib', 'main.py'] yes helper False"]
    assert (tmp_path / "moved.txt").read_text() == "yes"


ENTROPY = """
    import machine, os, random
    print(os.urandom(40).hex(), random.getrandbits(30), random.random(), machine.unique_id().hex())
    random.seed()
    print(random.getrandbits(30))
"""


def test_entropy_comes_from_the_seed(tmp_path: Path) -> None:
    first = play(tmp_path / "a", ENTROPY, seed=1)
    assert first == play(tmp_path / "b", ENTROPY, seed=1)
    assert not set(" ".join(first).split()) & set(" ".join(play(tmp_path / "c", ENTROPY, seed=2)).split())


def test_random_numbers_of_two_boots_differ(tmp_path: Path) -> None:
    program = """
        import machine, os
        with open("drawn.txt", "a") as f:
            f.write(os.urandom(8).hex() + " " + machine.unique_id().hex() + "\\n")
        if machine.reset_cause() == machine.PWRON_RESET:
            machine.reset()
        """
    with Rig(tmp_path, program) as rig:
        rig.controller.run_for(2 * NS_PER_S)
    (first, board), (second, again) = (line.split() for line in (tmp_path / "drawn.txt").read_text().splitlines())
    assert first != second
    assert board == again


WORK = """
    import asyncio, hashlib, os, random
    from machine import Pin, SPI
    spi = SPI(0, 7_000_000)
    nss = Pin(5, Pin.OUT, value=1)
    busy = Pin(6, Pin.IN)
    lamp = Pin(11, Pin.OUT, value=0)
    presses = []
    stamps = []
    key = Pin(10, Pin.IN)
    def pressed(pin):
        stamps[0] = time.ticks_us()
    stamps.append(0)
    key.irq(pressed, Pin.IRQ_FALLING, hard=True)
    async def scan():
        frame = bytearray(12)
        answer = bytearray(12)
        while True:
            nss(0)
            spi.write_readinto(frame, answer)
            while not busy(): pass
            nss(1)
            while busy(): pass
            frame[random.randrange(12)] = answer[3] ^ os.urandom(1)[0]
            await asyncio.sleep_ms(random.randrange(3))
    async def report():
        while True:
            lamp.toggle()
            print(time.ticks_us(), stamps[0], hashlib.sha256(os.urandom(70)).digest().hex()[:8])
            await asyncio.sleep_ms(50)
    async def main():
        asyncio.create_task(scan())
        await report()
    asyncio.run(main())
"""


def history(root: Path) -> str:
    """Digest of everything that happened at the pins, on the bus and on the port in two seconds."""
    with Rig(root, WORK, seed=7) as rig:
        for n in range(20):
            rig.press(START_NS + n * 77_777_777 + 12_345, 3_333_333)
        rig.controller.run_until(START_NS + 2 * NS_PER_S)
        assert len(rig.chip.frames) > 500
        assert len(rig.printed) > 30
        return hashlib.sha256(repr((rig.chip.log, rig.chip.frames, rig.lamp_log, rig.printed)).encode()).hexdigest()


def test_same_seed_same_history_also_under_load(tmp_path: Path) -> None:
    idle = history(tmp_path / "idle")
    processor = {next(iter(os.sched_getaffinity(0)))}
    burner = subprocess.Popen([sys.executable, "-c", "import time\nwhile time.process_time() < 30: pass"])
    try:
        os.sched_setaffinity(burner.pid, processor)
        assert history(tmp_path / "loaded") == idle
    finally:
        burner.kill()
        burner.wait()


def test_stopping_often_changes_nothing(tmp_path: Path) -> None:
    """How a test slices its run leaves no trace in what the firmware does."""

    def run(root: Path, slice_ns: int) -> object:
        with Rig(root, WORK, seed=7) as rig:
            rig.press(START_NS + 333_333_333)
            while rig.scheduler.now < START_NS + NS_PER_S:
                rig.controller.run_for(slice_ns)
            end = START_NS + NS_PER_S
            return [entry for entry in rig.chip.log if entry[0] < end], rig.printed[:15]

    assert run(tmp_path / "a", NS_PER_S) == run(tmp_path / "b", 777_777)


def test_run_while_stops_at_the_event(tmp_path: Path) -> None:
    with Rig(tmp_path, "time.sleep(10)") as rig:
        rig.press(START_NS + 500 * NS_PER_MS)
        assert rig.controller.run_while(lambda: rig.key.level == 1)
        assert rig.scheduler.now == START_NS + 500 * NS_PER_MS
        assert not rig.controller.run_while(lambda: rig.key.level == 0, 50 * NS_PER_MS)


def test_heap_figures(tmp_path: Path) -> None:
    program = """
        ballast = bytearray(20_000)
        while True: time.sleep_ms(10)
        """
    with Rig(tmp_path, program) as rig:
        rig.controller.run_until(START_NS + NS_PER_MS)
        used, free, overlay = rig.controller.heap()
        assert 20_000 < used - overlay < 24_000
        assert 0.97 * 448 * 1024 < used + free <= 448 * 1024
        assert overlay < 80_000


def test_calls_allocate_nothing(tmp_path: Path) -> None:
    """Every call a hot path may make works under a locked heap."""
    program = """
        import micropython, select, sys, machine, rp2, asyncio
        from machine import Pin, SPI, I2C, PWM, WDT
        spi = SPI(0, 7_000_000)
        i2c = I2C(0)
        nss = Pin(5, Pin.OUT, value=1)
        busy = Pin(6, Pin.IN)
        wdt = WDT(timeout=8000)
        poll = select.poll()
        poll.register(sys.stdin, select.POLLIN)
        poll.register(sys.stdout, select.POLLOUT)
        out, into, long = b"a line that is out.\\n", bytearray(20), bytes(1500)
        @rp2.asm_pio(autopull=True, pull_thresh=24)
        def program(): pass
        machine_0 = rp2.StateMachine(0, program, sideset_base=Pin(0))
        machine_0.active(1)
        words = [1, 2, 3, 4, 5, 6]
        def everything():
            nss(0); nss.value(1); nss.off(); nss.on(); nss.toggle(); nss.toggle()
            spi.write(out); spi.write(long)
            spi.readinto(into); spi.write_readinto(out, into)
            i2c.writeto_mem(0x20, 1, out); i2c.readfrom_mem_into(0x20, 1, into)
            busy(); busy.value()
            time.sleep_us(10); time.sleep_ms(1); time.ticks_ms(); time.ticks_us(); time.ticks_diff(1, 2)
            for _ in poll.ipoll(0): pass
            wdt.feed()
            state = machine.disable_irq(); machine.enable_irq(state)
            machine_0.put(words); machine_0.put(7, 8)
            sys.stdout.buffer.write(out)
        everything()
        micropython.heap_lock()
        everything()
        micropython.heap_unlock()
        """
    with Rig(tmp_path, program) as rig:
        rig.fabric.i2c(0, 0x20, Memory())
        rig.fabric.pio(0, Words())
        rig.finish()


class Memory:
    """An I2C device that takes anything."""

    def write(self, data: bytes) -> int:
        return len(data)

    def read(self, count: int) -> bytes:
        return bytes(count)

    def stop(self) -> None:
        pass


class Words:
    """Takes words from a state machine."""

    def feed(self, words: list[int]) -> None:
        pass


def test_real_time_paces_and_wakes(tmp_path: Path) -> None:
    """Content only: a second of firmware takes about a second, and input from outside is seen while it sleeps."""
    program = """
        import micropython, select, sys
        micropython.kbd_intr(-1)
        poll = select.poll()
        poll.register(sys.stdin, select.POLLIN)
        if poll.poll(20_000):
            print("got", sys.stdin.buffer.read(1))
        """
    read, write = os.pipe()
    began = time.monotonic()  # the pace counts from the rig's making
    with Rig(tmp_path, program, realtime=True) as rig:
        rig.controller.realtime.watch(read, lambda: rig.fabric.cdc.host_write(os.read(read, 1)))
        rig.controller.run_for(START_NS + 200 * NS_PER_MS)
        assert time.monotonic() - began > 0.5
        os.write(write, b"x")
        assert rig.finish() == ["got b'x'"]
        assert time.monotonic() - began < 15
    os.close(read)
    os.close(write)
