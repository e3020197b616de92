"""The far end of the firmware's ``machine`` module: which net, chip or part hangs on which pin and bus.

Entry points: :class:`Fabric`, whose ``pin``, ``spi``, ``i2c``, ``uart``, ``pio`` and ``pwm`` attach parts. The server
(:mod:`hwsim.server`) calls the methods under "the firmware's side".
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Protocol

from hwsim import costs, protocol
from hwsim.cdc import UsbCdc
from hwsim.chips.qspi_flash import QspiFlash
from hwsim.core import NS_PER_MS, NS_PER_S, Event, I2cDevice, Line, Scheduler, SimFault, SpiDevice
from hwsim.uart import UartPort

GPIO_COUNT = 30
EIO = 5
ETIMEDOUT = 110
IN = "in"
OUT = "out"
BOTH = "both"

Trace = Callable[[int, int, int, int, int], None]
"""Called with the call's ordinal since the process started, its instant (ns), operation, unit and value."""


class WordConsumer(Protocol):
    """What hangs on a PIO state machine."""

    def feed(self, words: list[int]) -> None:
        """Take words, at the instant at which the last bit of the last one is out."""


class _SpiBus:
    """Chips on one SPI bus and which of them are selected."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.baudrate = 1_000_000
        self.devices: list[SpiDevice] = []
        self.selected: list[SpiDevice] = []

    def attach(self, chip_select: Line, device: SpiDevice) -> None:
        def edge(line: Line, level: int) -> None:
            if level:
                self.selected.remove(device)
                device.deselect()
            else:
                self.selected.append(device)
                device.select()

        self.devices.append(device)
        if not chip_select.level:
            raise SimFault(f"SPI{self.number}: {chip_select.name} is low at power-up; chip selects idle high")
        chip_select.listen(edge)

    def transfer(self, mosi: bytes) -> bytes:
        if len(self.selected) == 1:
            return self.selected[0].transfer(mosi, 8 * NS_PER_S // self.baudrate)
        if self.selected:
            raise SimFault(f"SPI{self.number}: {len(self.selected)} chips selected at once")
        return b"\xff" * len(mosi)

    def wire_ns(self, count: int) -> int:
        return (count * 8 * NS_PER_S + self.baudrate - 1) // self.baudrate


class I2cBus:
    """Chips on one I2C bus. ``stuck`` holds the clock low: every transaction ends in ETIMEDOUT."""

    def __init__(self) -> None:
        self.freq = 400_000
        self.timeout_ns = 50 * NS_PER_MS
        self.devices: dict[int, I2cDevice] = {}
        self.stuck = False
        self.stretched_ns = 0
        """How long the chip held the clock in the last transaction."""

    def wire_ns(self, count: int) -> int:
        """A START or repeated START, the address and ``count`` bytes."""
        return ((1 + count) * costs.I2C_BYTE_BITS + costs.I2C_FRAME_BITS) * NS_PER_S // self.freq


class _Pio:
    def __init__(self, consumer: WordConsumer, bit_ns: int) -> None:
        self.consumer = consumer
        self.bit_ns = bit_ns
        self.bits = 32
        self.shift_right = False
        self.done = 0


class Fabric:
    """All nets and parts of one board, and the state of the microcontroller's peripherals."""

    def __init__(self, scheduler: Scheduler) -> None:
        self.scheduler = scheduler
        self.cdc = UsbCdc(scheduler)
        self.flash: QspiFlash | None = None
        """Where the segments of the journal lie; without it the firmware finds no folder for them."""
        self.levels = 0
        self.pending: list[tuple[int, int, int, int]] = []
        """Interrupts not delivered yet: source, edge flags, instant, levels."""
        self.trace: Trace | None = None
        """Sees every call, at the price of a round trip each."""
        self.bitten = False
        """The watchdog has expired; the server restarts the firmware."""
        self.call_actions: list[tuple[int, Callable[[], None]]] = []
        self.spi_buses = [_SpiBus(0), _SpiBus(1)]
        self.i2c_buses = [I2cBus(), I2cBus()]
        self._uarts: list[UartPort | None] = [None, None]
        self._lines: list[Line | None] = [None] * GPIO_COUNT
        self._directions = [IN] * GPIO_COUNT
        self._idle = [0] * GPIO_COUNT
        self._modes = [protocol.MODE_IN] * GPIO_COUNT
        self._latches = [0] * GPIO_COUNT
        self._armed = [0] * GPIO_COUNT
        self._pios: dict[int, _Pio] = {}
        self._machines: dict[int, _Pio] = {}
        self._pwms: dict[int, Callable[[int, int], None]] = {}
        self._timers: dict[int, Event] = {}
        self._wdt_timeout = 0
        self._wdt_deadline = 0
        self._wdt_event: Event | None = None

    # --- attaching parts ---------------------------------------------------------------------------------------

    def pin(self, gpio: int, line: Line, direction: str = BOTH) -> None:
        """Connect GPIO ``gpio`` to ``line``; its present level is the one the board's resistors give it.

        ``direction``: "in" when the world drives it (a firmware that drives it too is a SimFault), "out" when the
        firmware does, "both" for open-drain nets.
        """
        if self._lines[gpio] is not None:
            raise ValueError(f"GPIO {gpio} is connected already")
        bit = 1 << gpio
        self._lines[gpio] = line
        self._directions[gpio] = direction
        self._idle[gpio] = line.level
        self.levels = self.levels | bit if line.level else self.levels & ~bit
        armed = self._armed

        def edge(line: Line, level: int) -> None:
            if level:
                self.levels |= bit
                flag = protocol.EDGE_RISING
            else:
                self.levels &= ~bit
                flag = protocol.EDGE_FALLING
            if armed[gpio] & flag:
                self.pending.append((gpio, flag, self.scheduler.now, self.levels))

        line.listen(edge)

    def spi(self, bus: int, chip_select: Line, device: SpiDevice) -> None:
        """Put ``device`` on SPI ``bus``; it is selected while ``chip_select`` is low."""
        self.spi_buses[bus].attach(chip_select, device)

    def i2c(self, bus: int, address: int, device: I2cDevice) -> None:
        """Put ``device`` on I2C ``bus`` at the 7-bit ``address``."""
        if address in self.i2c_buses[bus].devices:
            raise ValueError(f"I2C{bus}: address {address:#x} is taken")
        self.i2c_buses[bus].devices[address] = device

    def uart(self, number: int, port: UartPort) -> None:
        """Connect UART ``number``."""
        self._uarts[number] = port

    def pio(self, gpio: int, consumer: WordConsumer, bit_ns: int = costs.WS2812_BIT_NS) -> None:
        """Hang ``consumer`` on the output pin of a state machine; each bit takes ``bit_ns``."""
        self._pios[gpio] = _Pio(consumer, bit_ns)

    def pwm(self, gpio: int, consumer: Callable[[int, int], None]) -> None:
        """Call ``consumer(frequency, duty_u16)`` at each change of the PWM on ``gpio``; (0, 0) when it stops."""
        self._pwms[gpio] = consumer

    def at_call(self, ordinal: int, action: Callable[[], None]) -> None:
        """Run ``action`` at the boundary just before the firmware's call ``ordinal``.

        Calls are counted from 1 since the process started. The action runs at the instant at which that call begins,
        before anything of it happens. The remaining ones are forgotten when the board is reset.
        """
        self.call_actions.append((ordinal, action))
        self.call_actions.sort(key=lambda item: item[0])

    # --- the firmware's side -----------------------------------------------------------------------------------

    def reset(self, *, soft: bool = False) -> None:
        """The microcontroller is reset: pins are inputs again, peripherals stop. Chips keep their state.

        A ``soft`` reset restarts the interpreter only: the watchdog runs on and the serial port stays.
        """
        for event in self._timers.values():
            event.cancel()
        self._timers.clear()
        self._machines.clear()
        if not soft:
            if self._wdt_event is not None:
                self._wdt_event.cancel()
                self._wdt_event = None
            self._wdt_timeout = 0
            self.cdc.detach()
        self.bitten = False
        self.pending.clear()
        self.call_actions.clear()
        for gpio in range(GPIO_COUNT):
            self._armed[gpio] = 0
            self._latches[gpio] = 0
            self.set_mode(gpio, protocol.MODE_IN)
        for consumer in self._pwms.values():
            consumer(0, 0)

    def set_mode(self, gpio: int, value: int) -> None:
        """PIN_MODE."""
        if value & 1 << 8:
            self._latches[gpio] = value >> 9 & 1
        was = self._modes[gpio]
        mode = self._modes[gpio] = value & 0xF
        if mode in (protocol.MODE_OUT, protocol.MODE_OPEN_DRAIN):
            self._drive(gpio)
        elif mode == protocol.MODE_IN:
            line = self._lines[gpio]
            if line is None:
                bit = 1 << gpio
                pulled_up = value >> 4 & 3 == protocol.PULL_UP
                self.levels = self.levels | bit if pulled_up else self.levels & ~bit
            elif was != protocol.MODE_IN:
                line.drive(self._idle[gpio])

    def set_pin(self, gpio: int, level: int) -> None:
        """PIN_SET."""
        self._latches[gpio] = level
        if self._modes[gpio] in (protocol.MODE_OUT, protocol.MODE_OPEN_DRAIN):
            self._drive(gpio)

    def _drive(self, gpio: int) -> None:
        level = self._latches[gpio]
        line = self._lines[gpio]
        if line is None:
            self.levels = self.levels | 1 << gpio if level else self.levels & ~(1 << gpio)
        elif self._directions[gpio] == IN:
            raise SimFault(f"GPIO {gpio} ({line.name}) is driven by the firmware and by the board")
        else:
            line.drive(level)

    def arm(self, gpio: int, edges: int) -> None:
        """PIN_IRQ."""
        self._armed[gpio] = edges

    def i2c_transfer(self, bus: int, value: int, out: bytes) -> tuple[int, bytes]:
        """I2C_TRANSFER at the instant of its START; returns the value and the bytes read. Time is the caller's.

        A chip may have ``acknowledges`` (False: an address alone is not answered) and ``stretch_ns`` (how long it held
        the clock in its last call; beyond the bus's time-out the transaction fails).
        """
        address, stop, count = value & 0x7F, value & 0x80, value >> 24 & 0xFFFF
        wires = self.i2c_buses[bus]
        wires.stretched_ns = 0
        device = wires.devices.get(address)
        if device is None:
            return -EIO, b""
        acknowledged = 0
        data = b""
        if not out and not count and hasattr(device, "acknowledges"):
            device.write(b"")  # the address alone: it may wake the chip
            if not device.acknowledges:
                return -EIO, b""
        if out:
            acknowledged = device.write(out)
            wires.stretched_ns += getattr(device, "stretch_ns", 0)
            if acknowledged < len(out):
                device.stop()
                return -EIO, b""
        if count:
            data = device.read(count)
            wires.stretched_ns += getattr(device, "stretch_ns", 0)
        if stop or len(data) < count:
            device.stop()
        if wires.stretched_ns > wires.timeout_ns:
            wires.stretched_ns = wires.timeout_ns
            return -ETIMEDOUT, b""
        return (acknowledged, data) if len(data) == count else (-EIO, b"")

    def i2c_wire_ns(self, bus: int, value: int) -> int:
        """How long the transaction of ``value`` takes on the wire."""
        wires = self.i2c_buses[bus]
        if wires.stuck:
            return wires.timeout_ns
        if value & 0x7F not in wires.devices:
            return wires.wire_ns(0)
        count_out, count_in = value >> 8 & 0xFFFF, value >> 24 & 0xFFFF
        total = wires.wire_ns(count_out) if count_out or not count_in else 0
        return total + wires.wire_ns(count_in) if count_in else total

    def uart_port(self, number: int) -> UartPort:
        """What is connected to UART ``number``."""
        port = self._uarts[number]
        if port is None:
            raise SimFault(f"UART{number} is used, but nothing is connected to it")
        return port

    def set_pwm(self, gpio: int, value: int) -> None:
        """PWM_SET."""
        consumer = self._pwms.get(gpio)
        if consumer is not None:  # a pin with nothing on it may be modulated like any other
            consumer(value >> 16, value & 0xFFFF)

    def attach_machine(self, machine: int, value: int) -> int:
        """PIO_ATTACH: returns the nanoseconds a word takes."""
        gpio = value & 0xFF
        pio = self._pios.get(gpio)
        if pio is None:
            raise SimFault(f"GPIO {gpio}: a state machine drives it, but nothing is attached that takes words")
        pio.shift_right = bool(value & 1 << 8)
        pio.bits = value >> 16
        self._machines[machine] = pio
        return pio.bits * pio.bit_ns

    def put_words(self, machine: int, words: tuple[int, ...]) -> None:
        """PIO_PUT: each word reaches the part when its last bit is out."""
        pio = self._machines[machine]
        drop = 0 if pio.shift_right else 32 - pio.bits
        mask = (1 << pio.bits) - 1
        pio.done = max(pio.done, self.scheduler.now)
        for word in words:
            pio.done += pio.bits * pio.bit_ns
            self.scheduler.at(pio.done, partial(pio.consumer.feed, [word >> drop & mask]))

    def start_timer(self, slot: int, value: int) -> None:
        """TIMER_START."""
        self.stop_timer(slot)
        periodic, period = value & 1, value >> 1

        def fire() -> None:
            self.pending.append((protocol.TIMER_SOURCE + slot, 0, self.scheduler.now, self.levels))
            if periodic:
                self._timers[slot] = self.scheduler.after(period, fire)

        self._timers[slot] = self.scheduler.after(period, fire)

    def stop_timer(self, slot: int) -> None:
        """TIMER_STOP."""
        event = self._timers.pop(slot, None)
        if event is not None:
            event.cancel()
        source = protocol.TIMER_SOURCE + slot
        self.pending[:] = [entry for entry in self.pending if entry[0] != source]

    def start_watchdog(self, timeout_ms: int) -> None:
        """WDT_START."""
        self._wdt_timeout = timeout_ms * NS_PER_MS
        self._wdt_deadline = self.scheduler.now + self._wdt_timeout
        if self._wdt_event is not None:
            self._wdt_event.cancel()
        self._wdt_event = self.scheduler.at(self._wdt_deadline, self._watch)

    def feed_watchdog(self) -> None:
        """WDT_FEED."""
        self._wdt_deadline = self.scheduler.now + self._wdt_timeout

    @property
    def watchdog_deadline(self) -> int | None:
        """Instant of the bite, None while the watchdog is not running."""
        return self._wdt_deadline if self._wdt_timeout else None

    def _watch(self) -> None:
        # Feeding only moves the deadline; the event follows it, so that a feed costs nothing.
        if self.scheduler.now < self._wdt_deadline:
            self._wdt_event = self.scheduler.at(self._wdt_deadline, self._watch)
        else:
            self._wdt_event = None
            self.bitten = True
