"""Microchip MCP23017, 16-bit port expander on I2C.

Entry points: `MCP23017`, `ExpanderPin`, `ExpanderFault`. Ports A and B are seen as one of 16 bits (GPA0 is bit 0, GPB0
is bit 8) and always written and read in one transaction. INTA and INTB are one open-drain, active-low line. After
``start()`` nothing is allocated, and every method is one I2C transaction, tried twice when the bus was disturbed.
A chip whose supply dropped alone is found by ``check()``, and set up again.
"""

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
    from .interfaces import I2cBus

# Registers, BANK = 0; port A's address, port B's is the next one (data sheet DS20001952, table 3-1)
_IODIR = const(0x00)  # 1 = input
_SETTING = const(14)  # bytes from IODIR to GPPU
_IOCON = const(0x0A)
_INTF = const(0x0E)  # pins that caused the interrupt; INTCAP and GPIO follow
_GPIO = const(0x12)
_OLAT = const(0x14)  # output latch
_IOCON_BANK_1 = const(0x05)  # IOCON while BANK = 1; GPINTENB while BANK = 0

# IOCON: MIRROR (6) one interrupt line for both ports, ODR (2) open drain; BANK and SEQOP 0: addresses run on
_IOCON_VALUE = const(0x44)


class ExpanderFault(Exception):
    """The expander cannot be used.

    ``code``: ``absent`` (twice no acknowledge, or the bus timed out), ``config`` (a register did not keep its value);
    of `line.check_line` also ``interrupt low``, ``interrupt lost``.
    The text names the chip's address too.
    """

    def __init__(self, code: str, address: int) -> None:
        super().__init__("%s at 0x%x" % (code, address))
        self.code = code


class ExpanderPin:
    """One pin of an expander, with the ``value()`` of a machine.Pin."""

    def __init__(self, expander: "MCP23017", number: int) -> None:
        self._expander = expander
        self._mask = 1 << number

    def value(self, level: "int | None" = None) -> int:
        """Read the pin, or drive it to ``level``; returns the level. Raises ExpanderFault: ``absent``."""
        if level is not None:
            self._expander.write_port(self._mask, self._mask if level else 0)
            return 1 if level else 0
        return 1 if self._expander.read_port() & self._mask else 0


class MCP23017:
    """The expander at ``address`` (0x20..0x27) of ``i2c``."""

    def __init__(self, i2c: "I2cBus", address: int) -> None:
        self._i2c = i2c
        self._address = address
        self.outputs = 0  # what the output latches hold
        # A register address and data in one buffer: writeto() sends it as it is, without building another.
        self._single = bytearray(2)
        self._latch = bytearray((_OLAT, 0, 0))
        self._pair = bytearray(2)
        self._setting = bytearray(1 + _SETTING)  # register address and what stands there
        self._wanted = bytearray(_SETTING)
        self._kept = bytearray(_SETTING)

    def start(self, direction: int, pullups: int, interrupt: int, outputs: int = 0) -> None:
        """Configure the chip, whatever state it was left in: output latches first, then directions.

        ``direction``: 1 = input; ``pullups``, ``interrupt`` (on change): 1 = on; all 16 bits.

        Raises:
            ExpanderFault: ``absent`` or ``config``.
        """
        at = 1
        # IODIR, IPOL, GPINTEN, DEFVAL, INTCON (0: compare with the previous level), IOCON, GPPU
        for word in (direction, 0, interrupt, 0, 0, _IOCON_VALUE << 8 | _IOCON_VALUE, pullups):
            self._setting[at] = self._wanted[at - 1] = word & 0xFF
            self._setting[at + 1] = self._wanted[at] = word >> 8
            at += 2
        self._configure(outputs)

    def check(self) -> bool:
        """Whether the chip still has its configuration; one that has lost it is given it again. Two transactions.

        Raises:
            ExpanderFault: ``absent`` or ``config``.
        """
        if self._is_set():
            return True
        self._configure(self.outputs)
        return False

    def insist(self) -> None:
        """See, in one short transaction, that the outputs are driven still; a chip that lost its directions lost all.

        Raises:
            ExpanderFault: ``absent``; ``config``: nothing was driven, and is now.
        """
        self._read(_IODIR, self._pair)
        if self._pair[0] != self._wanted[0] or self._pair[1] != self._wanted[1]:
            self.check()
            raise ExpanderFault("config", self._address)

    def _configure(self, outputs: int) -> None:
        # Only the host was reset, perhaps: BANK may be 1. If so this clears it; if not, it stops port B's interrupts,
        # which are set up again below. The other order would write to an output latch.
        self._write_single(_IOCON_BANK_1, 0)
        self._write_single(_IOCON, _IOCON_VALUE)
        self.write_port(0xFFFF, outputs)
        self._write(self._setting)
        if not self._is_set():
            raise ExpanderFault("config", self._address)

    def _is_set(self) -> bool:
        self._read(_IODIR, self._kept)
        if self._kept != self._wanted:
            return False
        self._read(_OLAT, self._pair)
        return self._pair[0] == self._latch[1] and self._pair[1] == self._latch[2]

    def write_port(self, mask: int, levels: int) -> None:
        """Drive the outputs of ``mask`` to ``levels``, both ports at once, the others as they are.

        Raises:
            ExpanderFault: ``absent``.
        """
        outputs = (self.outputs & ~mask | levels & mask) & 0xFFFF
        self._latch[1] = outputs & 0xFF
        self._latch[2] = outputs >> 8
        self._write(self._latch)
        self.outputs = outputs

    def read_port(self) -> int:
        """Read all pins; this also ends a pending interrupt. Raises ExpanderFault: ``absent``."""
        self._read(_GPIO, self._pair)
        return self._pair[0] | self._pair[1] << 8

    def read_changes(self, buf: bytearray) -> None:
        """Fill the 6 bytes of ``buf``: INTF A and B, INTCAP A and B, GPIO A and B, in that order on the bus.

        INTF: which pins changed first; INTCAP: the levels at that instant, which a short press leaves nowhere else;
        GPIO: the levels now.

        Raises:
            ExpanderFault: ``absent``.
        """
        self._read(_INTF, buf)

    def pin(self, number: int) -> ExpanderPin:
        """Make a pin object of pin 0..15. Raises ValueError out of this range."""
        if not 0 <= number <= 15:
            raise ValueError("pin out of range")
        return ExpanderPin(self, number)

    def _write_single(self, register: int, value: int) -> None:
        self._single[0] = register
        self._single[1] = value
        self._write(self._single)

    def _write(self, buf: bytearray) -> None:
        try:
            self._i2c.writeto(self._address, buf)
        except OSError:
            # A spike on the bus costs one transaction. Register and data go together, so repeating it is harmless.
            try:
                self._i2c.writeto(self._address, buf)
            except OSError:
                raise ExpanderFault("absent", self._address)

    def _read(self, register: int, buf: bytearray) -> None:
        try:
            self._i2c.readfrom_mem_into(self._address, register, buf)
        except OSError:
            # Once more: what a first attempt may have cleared, INTF and INTCAP, GPIO still tells of a key held down.
            try:
                self._i2c.readfrom_mem_into(self._address, register, buf)
            except OSError:
                raise ExpanderFault("absent", self._address)
