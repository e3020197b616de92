"""MCP23017 16-bit port expander on I2C: antenna selection, reader resets and the dealer's keys.

Entry points: :class:`Mcp23017` (an :class:`~hwsim.core.I2cDevice`); world side ``dead``, ``power_cycle()`` and the
port lines themselves.

Modelled: BANK 0 and 1, SEQOP, auto-increment, IOCON at both of its addresses, polarity, pull-ups, interrupt on change
and on difference from DEFVAL, capture once, clearing by a read of INTCAP or GPIO, MIRROR, ODR, INTPOL, reset pin.

Limits:

* All bytes of one read show the chip as it was at START. The interrupt is cleared at the least significant bit of the
  byte that clears it; a pin that moved between START and that bit raises a new interrupt after a GPIO read, whereas
  the part would sometimes have shown it in the GPIO byte of that same read.
* Slew rate, input filter and the few hundred nanoseconds from pin to INT are not modelled.
* DEFVAL is compared with the level of the pin, before IPOL.
* An interrupt that is pending when its GPINTEN bit is cleared stays until it is read.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hwsim.core import Line, Scheduler, SimFault
from hwsim.nets import SharedLine, Tap

# Registers, by their order within a port (BANK = 1 numbering; BANK = 0 interleaves the two ports).
IODIR, IPOL, GPINTEN, DEFVAL, INTCON, IOCON, GPPU, INTF, INTCAP, GPIO, OLAT = range(11)
NAMES = ("IODIR", "IPOL", "GPINTEN", "DEFVAL", "INTCON", "IOCON", "GPPU", "INTF", "INTCAP", "GPIO", "OLAT")

IOCON_BANK = 0x80
IOCON_MIRROR = 0x40
IOCON_SEQOP = 0x20
IOCON_ODR = 0x04
IOCON_INTPOL = 0x02
IOCON_IMPLEMENTED = 0xFE  # bit 0 reads 0

_BITS_PER_BYTE = 9  # eight data bits and the acknowledge


class _Port:
    """Registers and interrupt logic state of one half of the chip."""

    def __init__(self) -> None:
        self.registers = [0] * len(NAMES)
        self.registers[IODIR] = 0xFF
        self.reference = 0  # levels that the "previous value" mode compares with
        self.captured_at = -1


class Mcp23017:
    """One expander. ``port_lines`` are the nets at GPA0..7 then GPB0..7.

    A plain Line at an input keeps the level its owner gives it; at an output the chip drives it, and lets it fall back
    to its level of construction time when the pin becomes an input again. A :class:`~hwsim.nets.SharedLine` is driven
    through a tap of its own and feels the chip's pull-up.

    Args:
        scheduler: virtual time.
        name: for messages.
        port_lines: 16 nets.
        interrupt: net at INTA, or a tap of a shared one.
        interrupt_b: net at INTB, when wired.
        reset_n: reset input, low = reset, not answering; None = tied high.
        bit_ns: one I2C clock period; the bus sets it when its rate is not 400 kHz.
        bit7_input_fault: True models newer revisions of the part, whose GPA7 and GPB7 must not be inputs that move:
            such an edge is then a SimFault.
    """

    def __init__(
        self,
        scheduler: Scheduler,
        name: str,
        port_lines: Sequence[Line],
        interrupt: Line | None = None,
        *,
        interrupt_b: Line | None = None,
        reset_n: Line | None = None,
        bit_ns: int = 2_500,
        bit7_input_fault: bool = False,
    ) -> None:
        if len(port_lines) != 16:
            raise ValueError(f"{name}: an MCP23017 has 16 port pins, not {len(port_lines)}")
        self.name = name
        self.bit_ns = bit_ns
        self._dead = False
        self._scheduler = scheduler
        self._lines = list(port_lines)
        self._idle = [line.level for line in port_lines]
        self._taps = [
            line.tap(f"{name} {pin_name(i)}") if isinstance(line, SharedLine) else None
            for i, line in enumerate(port_lines)
        ]
        self._driving = [False] * 16
        self._interrupts = (interrupt, interrupt_b)
        self._reset_n = reset_n
        self._bit7_input_fault = bit7_input_fault
        self._life = 0  # counts resets, so that what was under way before one has no effect after it
        self._ports = (_Port(), _Port())
        self._iocon = 0
        self._pointer: int | None = 0
        self._address_at = (-1, 0)  # instant and clocks of a write that a read follows without a STOP
        for pin, line in enumerate(port_lines):
            line.listen(self._listener(pin))
        if reset_n is not None:
            reset_n.listen(lambda _line, level: None if level else self.power_cycle())
        self.power_cycle()

    @property
    def dead(self) -> bool:
        """Whether the chip has no supply: it does not answer, drives nothing and interrupts nobody. Then it is new."""
        return self._dead

    @dead.setter
    def dead(self, dead: bool) -> None:
        self._dead = dead
        self.power_cycle()

    @property
    def acknowledges(self) -> bool:
        """Whether the chip answers to its address: not while dead or held in reset."""
        return not self._dead and (self._reset_n is None or bool(self._reset_n.level))

    def power_cycle(self) -> None:
        """All registers as after power-up; pins become inputs. The same as a pulse on the reset pin."""
        self._life += 1
        self._ports = (_Port(), _Port())
        self._iocon = 0
        self._pointer = 0
        for port in (0, 1):
            self._apply_pins(port, 0xFF, 0, 0)
            self._ports[port].reference = self._levels(port)
        self._drive_interrupts()

    def register(self, port: int, register: int) -> int:
        """World side: a register of port 0 (A) or 1 (B) without side effects; INTF, INTCAP as they stand."""
        if register == IOCON:
            return self._iocon
        state = self._ports[port].registers
        return self._levels(port) ^ state[IPOL] if register == GPIO else state[register]

    # I2C side

    def write(self, data: bytes) -> int:
        """Pointer, then data. Returns the bytes acknowledged: all, or none while dead or in reset.

        Raises:
            SimFault: a register that does not exist.
        """
        if not self.acknowledges:
            return 0
        if not data:
            return 0
        self._address_at = (self._scheduler.now, 1 + _BITS_PER_BYTE * (1 + len(data)))
        self._decode(data[0])
        self._pointer = data[0]
        for i, value in enumerate(data[1:]):
            port, register = self._decode(self._pointer)
            self._store(port, register, value, self.bit_ns * _BITS_PER_BYTE * (3 + i))
            self._advance()
        return len(data)

    def read(self, count: int) -> bytes:
        """``count`` bytes from the pointer on; empty while dead or in reset (the address is not acknowledged).

        Raises:
            SimFault: a register that does not exist.
        """
        if not self.acknowledges:
            return b""
        answer = bytearray()
        began, clocks = self._address_at
        before = clocks if began == self._scheduler.now else 0  # a bus may call both at the instant of the first START
        for i in range(count):
            port, register = self._decode(self._pointer)
            answer.append(self.register(port, register))
            if register in (INTCAP, GPIO):
                # Address byte, i data bytes, seven bits: the least significant bit of this one is clocked out.
                self._clear_later(port, register, self.bit_ns * (before + _BITS_PER_BYTE * (1 + i) + 8))
            self._advance()
        return bytes(answer)

    def stop(self) -> None:
        """STOP condition: the pointer stays where it is."""
        self._address_at = (-1, 0)

    def _decode(self, address: int | None) -> tuple[int, int]:
        """(port, register) of a register address under the present BANK."""
        if address is None:
            raise SimFault(f"{self.name}: pointer undefined after a change of BANK, at {self._scheduler.now} ns")
        if self._iocon & IOCON_BANK:
            port, register = address >> 4, address & 0x0F
        else:
            port, register = address & 1, address >> 1
        if port > 1 or register >= len(NAMES):
            bank = 1 if self._iocon & IOCON_BANK else 0
            raise SimFault(f"{self.name}: no register {address:02X} in BANK {bank}, at {self._scheduler.now} ns")
        return port, register

    def _advance(self) -> None:
        if self._pointer is None:
            return
        banked = self._iocon & IOCON_BANK
        if self._iocon & IOCON_SEQOP:
            if not banked:
                self._pointer ^= 1  # byte mode walks between the two ports of the pair
        elif banked:
            self._pointer += 1  # past the end of a port: refused when a byte is moved there
        else:
            self._pointer = (self._pointer + 1) % (2 * len(NAMES))

    def _store(self, port: int, register: int, value: int, delay: int) -> None:
        """Write a register; its effect on the pins comes ``delay`` ns after START, at the acknowledge."""
        state = self._ports[port]
        if register == IOCON:
            self._store_iocon(value & IOCON_IMPLEMENTED)
            return
        if register in (INTF, INTCAP):
            return  # read only: the part takes the byte and forgets it
        if register == GPIO:
            register = OLAT
        state.registers[register] = value
        if register in (IODIR, GPPU, OLAT):
            self._apply_pins_later(port, delay)
        self._evaluate(port)

    def _store_iocon(self, value: int) -> None:
        if (value ^ self._iocon) & IOCON_BANK:
            self._pointer = None  # where the pointer stands in the other numbering is not documented
        self._iocon = value
        self._drive_interrupts()

    # Pins

    def _levels(self, port: int) -> int:
        """The eight pins of a port as one byte, pin 0 in bit 0."""
        byte = 0
        for bit in range(8):
            byte |= self._lines[8 * port + bit].level << bit
        return byte

    def _apply_pins_later(self, port: int, delay: int) -> None:
        registers = self._ports[port].registers
        direction, latch, pull_up = registers[IODIR], registers[OLAT], registers[GPPU]
        life = self._life

        def apply() -> None:
            if life == self._life:
                self._apply_pins(port, direction, latch, pull_up)
                self._evaluate(port)

        self._scheduler.after(delay, apply)

    def _apply_pins(self, port: int, direction: int, latch: int, pull_up: int) -> None:
        for bit in range(8):
            pin = 8 * port + bit
            output = not direction >> bit & 1
            level = latch >> bit & 1
            tap = self._taps[pin]
            if tap is not None:
                tap.configure(level if output else 1, push_pull=output, pull_up=bool(pull_up >> bit & 1))
            elif output:
                self._lines[pin].drive(level)
            elif self._driving[pin]:
                self._lines[pin].drive(self._idle[pin])
            self._driving[pin] = output

    def _listener(self, pin: int) -> Callable[[Line, int], None]:
        port, bit = divmod(pin, 8)

        def edge(_line: Line, _level: int) -> None:
            is_input = self._ports[port].registers[IODIR] >> bit & 1
            moved_by_itself = self._driving[pin]  # an output that is let go falls back to its idle level
            if bit == 7 and is_input and self._bit7_input_fault and not moved_by_itself and not self._dead:
                raise SimFault(
                    f"{self.name}: {pin_name(pin)} moved as an input at {self._scheduler.now} ns; "
                    "newer revisions of the part have it as an output only"
                )
            self._evaluate(port)

        return edge

    # Interrupts

    def _evaluate(self, port: int) -> None:
        """Look for an interrupt condition; the first event of a port is captured, the next wait for the read."""
        if self._dead:
            return
        state = self._ports[port]
        registers = state.registers
        pending = registers[INTF]
        now = self._scheduler.now
        if pending and state.captured_at != now:
            return
        levels = self._levels(port)
        enabled = registers[GPINTEN] & registers[IODIR]
        by_default = registers[INTCON]
        condition = enabled & ((by_default & (levels ^ registers[DEFVAL])) | (~by_default & (levels ^ state.reference)))
        if condition:
            registers[INTF] = pending | condition
            registers[INTCAP] = levels ^ registers[IPOL]
            state.captured_at = now
        state.reference = levels
        self._drive_interrupts()

    def _clear_later(self, port: int, register: int, delay: int) -> None:
        shown = self._levels(port) if register == GPIO else None
        life = self._life

        def clear() -> None:
            if life == self._life:
                self._clear(port, shown)

        self._scheduler.after(delay, clear)

    def _clear(self, port: int, shown: int | None) -> None:
        """End a pending interrupt. ``shown`` are the levels a GPIO read delivered, None after a read of INTCAP."""
        state = self._ports[port]
        registers = state.registers
        levels = self._levels(port)
        standing = registers[GPINTEN] & registers[IODIR] & registers[INTCON] & (levels ^ registers[DEFVAL])
        if registers[INTF] & standing:
            return  # DEFVAL mode: it lasts as long as the level differs
        registers[INTF] = 0
        state.captured_at = -1
        self._drive_interrupts()
        state.reference = levels if shown is None else shown
        self._evaluate(port)

    def _drive_interrupts(self) -> None:
        pending = [bool(port.registers[INTF]) for port in self._ports]
        if self._iocon & IOCON_MIRROR:
            pending = [any(pending)] * 2
        open_drain = self._dead or bool(self._iocon & IOCON_ODR)
        active = 1 if self._iocon & IOCON_INTPOL and not open_drain else 0  # open drain can only pull low
        for line, on in zip(self._interrupts, pending, strict=True):
            level = active if on else 1 - active
            if isinstance(line, Tap):
                line.configure(level, push_pull=not open_drain)
            elif line is not None:
                line.drive(level)


def pin_name(pin: int) -> str:
    """GPA0..GPA7, GPB0..GPB7 for 0..15."""
    return f"GP{'AB'[pin // 8]}{pin % 8}"
