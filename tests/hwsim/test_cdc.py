"""The simulated USB serial port: the rules of the rp2 port, seen by the firmware and by the host."""

from pathlib import Path

from hwsim import costs
from hwsim.core import NS_PER_MS, NS_PER_S
from tests.hwsim.overlay_rig import START_NS, Rig

WRITE_BLINDLY = """
    from machine import Pin
    import select, sys
    lamp = Pin(11, Pin.OUT, value=0)
    poll = select.poll()
    poll.register(sys.stdout, select.POLLOUT)
    time.sleep_ms(100)
    lamp.on()
    sys.stdout.buffer.write(bytes(200))
    sys.stdout.buffer.write(bytes(200))
    lamp.off()
    lamp.on()
    time.sleep_ms(1000)
"""


def stop_reading(rig: Rig) -> None:
    rig.controller.run_until(START_NS + 50 * NS_PER_MS)
    rig.fabric.cdc.host_reads = False


def test_writing_without_asking_loses_half_a_second(tmp_path: Path) -> None:
    """DTR on, nobody reads: the first write fits the FIFO, the second waits 500 ms and loses its rest."""
    with Rig(tmp_path, WRITE_BLINDLY) as rig:
        stop_reading(rig)
        rig.controller.run_for(2 * NS_PER_S)
        (first, _), (off, _), (on, _) = rig.lamp_log
        assert off - first == costs.CDC_BLOCK_NS + costs.CALL_NS
        assert on - off == costs.CALL_NS
        assert rig.fabric.cdc.dropped == 400 - 256


def test_each_write_waits_for_itself(tmp_path: Path) -> None:
    last = "write(bytes(200))\n    lamp"
    program = WRITE_BLINDLY.replace(last, "write(bytes(200))\n    sys.stdout.buffer.write(b'x')\n    lamp")
    with Rig(tmp_path, program) as rig:
        stop_reading(rig)
        rig.controller.run_for(2 * NS_PER_S)
        (first, _), (off, _), _ = rig.lamp_log
        assert off - first == 2 * costs.CDC_BLOCK_NS + costs.CALL_NS


def test_asking_first_loses_nothing(tmp_path: Path) -> None:
    program = """
        import select, sys
        poll = select.poll()
        poll.register(sys.stdout, select.POLLOUT)
        sent = 0
        worst = 0
        time.sleep_ms(100)
        for _ in range(1000):
            start = time.ticks_us()
            if poll.poll(0):
                sys.stdout.buffer.write(b".")
                sent += 1
            worst = max(worst, time.ticks_diff(time.ticks_us(), start))
        time.sleep_ms(300)
        print()
        print(sent, worst)
        """
    with Rig(tmp_path, program) as rig:
        stop_reading(rig)
        rig.controller.run_for(200 * NS_PER_MS)
        rig.fabric.cdc.host_reads = True
        assert rig.finish() == ["." * 256, f"256 {2 * costs.CALL_NS // 1000}"]
        assert rig.fabric.cdc.dropped == 0


def test_nobody_there_the_last_256_bytes_are_kept(tmp_path: Path) -> None:
    program = """
        import sys
        start = time.ticks_us()
        for i in range(100):
            sys.stdout.buffer.write(b"%04d" % i)
        took = time.ticks_diff(time.ticks_us(), start)
        time.sleep_ms(100)
        print("/", took)
        """
    with Rig(tmp_path, program) as rig:
        rig.controller.run_until(START_NS - NS_PER_MS)
        rig.fabric.cdc.host_close()
        rig.controller.run_for(50 * NS_PER_MS)
        opened = rig.scheduler.now
        arrived: list[int] = []
        collect = rig.fabric.cdc.on_data
        assert collect is not None

        def note(data: bytes) -> None:
            arrived.append(rig.scheduler.now)
            collect(data)

        rig.fabric.cdc.on_data = note
        rig.fabric.cdc.host_open()
        (line,) = rig.finish()
        kept = "".join(f"{i:04d}" for i in range(100))[-256:]
        assert line == f"{kept}/ {costs.CALL_NS // 1000}"
        assert arrived[0] - opened == costs.USB_FIRST_FLUSH_NS


def test_closing_discards_what_was_not_sent(tmp_path: Path) -> None:
    program = """
        import sys
        sys.stdout.buffer.write(b"lost")
        time.sleep_ms(1)
        time.sleep_ms(100)
        """
    with Rig(tmp_path, program) as rig:
        rig.controller.run_until(START_NS - NS_PER_MS)
        rig.fabric.cdc.host_reads = False
        rig.controller.run_for(20 * NS_PER_MS)
        rig.fabric.cdc.host_close()
        rig.fabric.cdc.host_open()
        rig.fabric.cdc.host_reads = True
        assert rig.finish() == []


def test_what_the_host_sends_arrives_in_order_and_the_ring_holds_512(tmp_path: Path) -> None:
    program = """
        import micropython, select, sys
        micropython.kbd_intr(-1)
        poll = select.poll()
        poll.register(sys.stdin, select.POLLIN)
        print("ready")
        time.sleep_ms(500)
        count = 0
        good = True
        while count < 2000:
            if not poll.poll(100):
                break
            good = good and sys.stdin.buffer.read(1)[0] == count % 251
            count += 1
        print(count, good)
        """
    data = bytes(n % 251 for n in range(2000))
    with Rig(tmp_path, program) as rig:
        rig.controller.run_while(lambda: "ready" not in rig.printed)
        assert rig.fabric.cdc.host_write(data) == 2000
        rig.controller.run_for(400 * NS_PER_MS)
        process = rig.controller._process
        assert process is not None
        assert process.unread() == 512
        assert rig.finish() == ["ready", "2000 True"]


def test_text_gets_carriage_returns_and_bytes_do_not(tmp_path: Path) -> None:
    program = """
        import sys
        sys.stdout.write("a\\nb")
        sys.stdout.buffer.write(b"c\\nd")
        sys.stdout.buffer.write(b"xxd\\n", 2, 2)
        """
    received = bytearray()
    with Rig(tmp_path, program) as rig:
        rig.fabric.cdc.on_data = received.extend
        rig.controller.run_until(START_NS + 100 * NS_PER_MS)
    assert received == b"a\r\nbc\ndd\nend\n"


def test_host_buffer_is_bounded(tmp_path: Path) -> None:
    with Rig(tmp_path, "time.sleep(10)") as rig:
        rig.controller.run_until(START_NS)
        taken = rig.fabric.cdc.host_write(bytes(100_000))
        assert 65_536 <= taken < 100_000
        assert rig.fabric.cdc.host_write(b"x") == 0


def test_poll_wakes_at_the_instant_of_the_byte(tmp_path: Path) -> None:
    program = """
        import micropython, select, sys
        micropython.kbd_intr(-1)
        poll = select.poll()
        poll.register(sys.stdin, select.POLLIN)
        events = poll.poll(5000)
        print(time.ticks_us(), events[0][1], sys.stdin.buffer.read(1))
        start = time.ticks_us()
        print(poll.poll(30), time.ticks_diff(time.ticks_us(), start))
        """
    with Rig(tmp_path, program) as rig:
        rig.controller.run_until(START_NS + NS_PER_S)
        sent = rig.scheduler.now
        rig.fabric.cdc.host_write(b"x")
        arrived_us = (sent + costs.USB_PACKET_NS + costs.CALL_NS - costs.BOOT_NS) // 1000
        assert rig.finish() == [f"{arrived_us} 1 b'x'", f"[] {30_000 + 2 * costs.CALL_NS // 1000}"]


def test_control_c_interrupts_until_it_is_switched_off(tmp_path: Path) -> None:
    program = """
        import micropython, select, sys
        poll = select.poll()
        poll.register(sys.stdin, select.POLLIN)
        try:
            time.sleep(10)
        except KeyboardInterrupt:
            print("interrupted", len(poll.poll(0)))
        micropython.kbd_intr(-1)
        time.sleep(1)
        print(sys.stdin.buffer.read(1))
        """
    with Rig(tmp_path, program) as rig:
        rig.controller.run_until(START_NS + NS_PER_MS)
        rig.fabric.cdc.host_write(b"ab\x03")
        rig.controller.run_until(START_NS + 500 * NS_PER_MS)
        rig.fabric.cdc.host_write(b"\x03")
        assert rig.finish() == ["interrupted 0", r"b'\x03'"]


def test_asyncio_streams_over_the_port(tmp_path: Path) -> None:
    """A task that waits for input and one that works: bytes wake the first, the second keeps its pace."""
    program = """
        import asyncio, micropython, sys
        micropython.kbd_intr(-1)
        got = bytearray()
        async def reader():
            stream = asyncio.StreamReader(sys.stdin.buffer)
            while len(got) < 5:
                got.extend(await stream.read(1))
        async def main():
            task = asyncio.create_task(reader())
            steps = 0
            while not task.done():
                await asyncio.sleep_ms(10)
                steps += 1
            print(bytes(got), steps > 20)
        asyncio.run(main())
        """
    with Rig(tmp_path, program) as rig:
        for n in range(5):
            rig.controller.run_until(START_NS + 60 * (n + 1) * NS_PER_MS)
            rig.fabric.cdc.host_write(b"hello"[n : n + 1])
        assert rig.finish() == ["b'hello' True"]


def test_port_vanishes_with_a_reset_and_returns(tmp_path: Path) -> None:
    seen: list[tuple[int, bool]] = []
    program = """
        import machine
        if machine.reset_cause() == machine.PWRON_RESET:
            machine.reset()
        """
    with Rig(tmp_path, program) as rig:
        rig.fabric.cdc.on_attach = lambda there: seen.append((rig.scheduler.now, there))
        rig.controller.run_until(START_NS + NS_PER_S)
        assert rig.controller.restarts == 1
        assert not rig.fabric.cdc.dtr, "the host must open it again"
    reset = START_NS + costs.CALL_NS
    boot_to_port = costs.BOOT_NS + costs.USB_ATTACH_NS
    assert seen[:3] == [(boot_to_port, True), (reset, False), (reset + boot_to_port, True)]
