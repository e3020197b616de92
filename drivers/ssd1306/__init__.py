"""Solomon Systech SSD1306, monochrome OLED of 128 x 64 or 128 x 32 dots, on I2C.

Entry points: `SSD1306`, `DisplayFault`. Draw into ``buffer`` (laid out as ``framebuf.MONO_VLSB``: a byte is eight dots
above each other, bit 0 on top, 128 bytes a page), tell what was touched, and call ``step()`` until it returns False.
Each step is one I2C transaction of at most 65 bytes, 1.5 ms at 400 kHz, and only touched blocks of 16 columns are
sent; steps allocate nothing.
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

ADDRESS = const(0x3C)
WIDTH = const(128)
PAGE_ROWS = const(8)

# Control byte: what follows in the transaction (data sheet, 8.1.5.2)
_COMMANDS = const(0x00)
_DATA = const(0x40)

_OFF = const(0xAE)
_ON = const(0xAF)
_SHOW = const(0xA4)  # what the memory holds
_CONTRAST = const(0x81)
_MODE = const(0x20)  # 0: addresses run along the columns, then to the next page
_COLUMNS = const(0x21)
_PAGES = const(0x22)

_BLOCK = const(16)  # columns
_RUN = const(4)  # blocks sent in one transaction


class DisplayFault(Exception):
    """The display cannot be used. ``code``: ``absent`` (no acknowledge, or the bus timed out)."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class SSD1306:
    """The display at ``address`` (0x3C or 0x3D) of ``i2c``, 400 kHz at most.

    ``rows``: 64 or 32. ``external_vcc``: the panel's 7 to 15 V come from outside, not from the charge pump.
    """

    def __init__(self, i2c: "I2cBus", address: int = ADDRESS, rows: int = 64, external_vcc: bool = False) -> None:
        self._i2c = i2c
        self._address = address
        self._external_vcc = external_vcc
        self.rows = rows
        self.pages = rows // PAGE_ROWS
        self.buffer = bytearray(WIDTH * self.pages)
        self._touched = bytearray(self.pages)  # a bit a block
        self._page = 0
        self._first = 0  # block
        self._count = 0  # blocks in the window that is set, 0: no window
        self._lit = False
        # With the addressing mode: a chip whose supply has dropped alone would take the window for something else.
        self._window = bytearray((_COMMANDS, _MODE, 0, _COLUMNS, 0, 0, _PAGES, 0, 0))
        self._command = bytearray(2)
        self._all = bytearray((_COMMANDS, _OFF) + self._settings() + (_OFF,))
        chunk = bytearray(1 + _RUN * _BLOCK)
        chunk[0] = _DATA
        self._chunk = chunk
        # Whole buffers only go over the bus, so there is a view for each length.
        self._views = tuple([memoryview(chunk)[: 1 + count * _BLOCK] for count in range(_RUN + 1)])

    def start(self) -> None:
        """Configure the display and leave it dark; it is lit when the whole buffer has been sent. One transaction.

        Raises:
            DisplayFault: ``absent``.
        """
        self._lit = False
        self._count = 0
        self.touch_all()
        self._configure(_OFF, _OFF)

    def renew(self) -> None:
        """Send the configuration again, and then the whole buffer, while the display stays lit. One transaction.

        Allocates nothing. The chip cannot be asked whether it still has them; a discharge may have taken them.

        Raises:
            DisplayFault: ``absent``.
        """
        self._count = 0
        self.touch_all()
        self._configure(_SHOW, _ON)

    def _configure(self, first: int, last: int) -> None:
        self._all[1] = first
        self._all[-1] = last
        self._write(self._all)

    def _settings(self) -> "tuple[int, ...]":
        return (
            _MODE, 0x00,
            0x40,  # first line of the memory on top
            0xA1,  # column 127 is SEG0, and rows from the last: the connector is above
            0xA8, self.rows - 1,  # multiplex ratio
            0xC8,
            0xD3, 0x00,  # no offset
            0xDA, 0x12 if self.rows == 64 else 0x02,  # wiring of the rows
            0xD5, 0x80,  # oscillator and divider as after reset
            0xD9, 0x22 if self._external_vcc else 0xF1,  # pre-charge
            0xDB, 0x30,  # deselect level
            _CONTRAST, 0xFF,
            _SHOW,
            0xA6,  # 1 is light
            0x8D, 0x10 if self._external_vcc else 0x14,  # charge pump
        )  # fmt: skip

    def contrast(self, level: int) -> None:
        """Set the brightness, 0 to 255. Raises DisplayFault: ``absent``."""
        self._write(bytearray((_COMMANDS, _CONTRAST, level & 0xFF)))

    def touch(self, page: int, first: int, last: int) -> None:
        """Say that columns ``first`` to ``last`` (0..127) of ``page`` have changed in the buffer."""
        bits = self._touched[page]
        for block in range(first // _BLOCK, last // _BLOCK + 1):
            bits |= 1 << block
        self._touched[page] = bits

    def touch_all(self) -> None:
        """Say that the whole buffer has changed."""
        for page in range(self.pages):
            self._touched[page] = 0xFF

    def step(self) -> bool:
        """Send one transaction of what has changed; False when there was nothing to send.

        After a fault what was not sent is still touched; if the display may have lost its power, ``start()`` it.

        Raises:
            DisplayFault: ``absent``.
        """
        if self._count:
            self._send_run()
            return True
        for page in range(self.pages):
            if self._touched[page]:
                self._set_window(page)
                return True
        if not self._lit:
            self._command[0] = _COMMANDS
            self._command[1] = _ON
            self._write(self._command)
            self._lit = True
            return True
        return False

    def _set_window(self, page: int) -> None:
        """Address the first run of touched blocks of a page."""
        bits = self._touched[page]
        first = 0
        while not bits >> first & 1:
            first += 1
        count = 1
        while count < _RUN and bits >> (first + count) & 1:
            count += 1
        window = self._window
        window[4] = first * _BLOCK
        window[5] = (first + count) * _BLOCK - 1
        window[7] = window[8] = page
        self._write(window)
        self._page = page
        self._first = first
        self._count = count

    def _send_run(self) -> None:
        """Send the blocks that the window addresses."""
        count = self._count
        self._count = 0  # after a fault nobody knows where the chip's pointer stands
        chunk = self._chunk
        source = self._page * WIDTH + self._first * _BLOCK
        for i in range(count * _BLOCK):
            chunk[1 + i] = self.buffer[source + i]
        self._write(self._views[count])
        self._touched[self._page] &= ~(((1 << count) - 1) << self._first) & 0xFF

    def _write(self, buf: "bytearray | memoryview") -> None:
        try:
            self._i2c.writeto(self._address, buf)
        except OSError:
            raise DisplayFault("absent")
