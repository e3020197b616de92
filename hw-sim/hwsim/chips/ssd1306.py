"""SSD1306 display controller on I2C and the glass in front of it: the dealer's display.

Entry points: :class:`Ssd1306` (an :class:`~hwsim.core.I2cDevice`); world side ``pixels()``, ``picture()``, ``lit``,
``contrast``, ``updates``, ``dead``, ``power_cycle()``.

Modelled: control bytes, the commands of an initialisation, three addressing modes, display RAM, start line, offset,
multiplex ratio, column remap, scan direction, COM pin wiring, charge pump, inverse, all on, reset pin. ``pixels()`` is
what an eye sees: a module's upright picture is the one with A1 and C8, as modules are mounted.

Limits: I2C only, nothing can be read back; scrolling, zoom and fading are not in the sheet and refused; brightness is
the contrast register, clock and pre-charge are stored only.
"""

from __future__ import annotations

import random
from collections import deque
from typing import NamedTuple

from hwsim.chips import ssd1306_map as command_map
from hwsim.chips.ssd1306_map import COLUMNS, HORIZONTAL, LINES, PAGE, PAGES, VERTICAL
from hwsim.core import NS_PER_US, Line, Scheduler, SimFault

CONTROL_MORE = 0x80  # Co: one byte, then the next control byte
CONTROL_DATA = 0x40  # D/C
RESET_LOW_NS = 3 * NS_PER_US
UPDATES_KEPT = 4096


class Update(NamedTuple):
    """Data that one transaction stored: instant of its START (ns), page and column of the first byte, bytes."""

    when: int
    page: int
    column: int
    length: int


class Ssd1306:
    """One module.

    Args:
        scheduler: virtual time.
        height: 64 (COM lines wired alternately, as 128 x 64 modules are) or 32 (in sequence).
        name: for messages.
        reset_n: RES pin, low = reset; None = the module resets itself at power-up.
        external_vcc: the panel has its own supply; otherwise it is dark until the charge pump runs.
        revision_b: the newer part, which knows command AD (current reference); the older one does not.
        seed: decides what is in the display RAM at power-up.

    Raises:
        ValueError: another height.
    """

    def __init__(
        self,
        scheduler: Scheduler,
        height: int = 64,
        *,
        name: str = "SSD1306",
        reset_n: Line | None = None,
        external_vcc: bool = False,
        revision_b: bool = False,
        seed: int = 0,
    ) -> None:
        if height not in (32, 64):
            raise ValueError(f"{name}: no glass with {height} lines")
        self.name = name
        self.height = height
        self.dead = False
        self.updates: deque[Update] = deque(maxlen=UPDATES_KEPT)
        """Stores of data, the oldest given up."""
        self._scheduler = scheduler
        self._reset_n = reset_n
        self._reset_began: int | None = None
        self._external_vcc = external_vcc
        self._parameters = dict(command_map.PARAMETERS)
        if revision_b:
            self._parameters[command_map.CURRENT] = 1
        self._random = random.Random(f"{seed}/{name}")
        if reset_n is not None:
            reset_n.listen(self._reset_edge)
        self.power_cycle()

    # World side

    @property
    def acknowledges(self) -> bool:
        """Whether the chip answers to its address: not while dead or in reset."""
        return not self.dead and (self._reset_n is None or bool(self._reset_n.level))

    @property
    def lit(self) -> bool:
        """Whether the panel is on and has the voltage for it."""
        return (
            self.acknowledges and self._on and (self._external_vcc or self._register(command_map.CHARGE_PUMP) == 0x14)
        )

    @property
    def contrast(self) -> int:
        """The contrast register, 0-255."""
        return self._register(command_map.CONTRAST)

    def power_cycle(self) -> None:
        """The supply went and came back: registers as after reset, anything in the display RAM."""
        self._ram = [bytearray(self._random.randbytes(COLUMNS)) for _ in range(PAGES)]  # by segment, not by column
        self._reset()

    def pixels(self) -> list[list[int]]:
        """The glass as seen, ``height`` rows of 128 pixels from the upper left, 1 = lit."""
        rows = [[0] * COLUMNS for _ in range(self.height)]
        if not self.lit:
            return rows
        multiplex = self._register(command_map.MULTIPLEX) + 1
        for com in range(LINES):
            y = self._glass_row(com)
            row = self._row_on(com, multiplex)
            if y is None or row >= multiplex:
                continue
            line = (row + self._start_line) % LINES
            page, bit = divmod(line, 8)
            for segment in range(COLUMNS):
                on = self._ram[page][segment] >> bit & 1 ^ self._inverse | self._all_on
                rows[y][COLUMNS - 1 - segment] = on
        return rows

    def picture(self) -> str:
        """The glass as text, ``#`` = lit, without trailing dark pixels; for messages of tests."""
        return "\n".join("".join(" #"[on] for on in row).rstrip() for row in self.pixels())

    # I2C side

    def write(self, data: bytes) -> int:
        """Control bytes with commands and display data. Returns the bytes acknowledged: all, or none when absent.

        Raises:
            SimFault: a control byte, command or parameter that the sheet does not have; data inside a command.
        """
        if not self.acknowledges:
            return 0
        position = 0
        self._stored = 0
        while position < len(data):
            control = data[position]
            if control & ~(CONTROL_MORE | CONTROL_DATA):
                raise self._fault(f"control byte {control:02X}")
            end = position + 2 if control & CONTROL_MORE else len(data)
            payload = data[position + 1 : end]
            if control & CONTROL_DATA:
                self._take_data(payload)
            else:
                for byte in payload:
                    self._take_command(byte)
            position = end
        return len(data)

    def read(self, count: int) -> bytes:
        """Refused: the sheet has nothing to read."""
        if not self.acknowledges:
            return b""
        raise self._fault(f"a read of {count} bytes")

    def stop(self) -> None:
        """STOP condition. A command may be spread over transactions: the parameters still to come stay awaited."""

    def _fault(self, what: str) -> SimFault:
        return SimFault(f"{self.name}: {what} is not in the sheet, at {self._scheduler.now} ns")

    # Commands

    def _reset_edge(self, _line: Line, level: int) -> None:
        now = self._scheduler.now
        if not level:
            self._reset_began = now
        elif self._reset_began is not None and now - self._reset_began < RESET_LOW_NS:
            raise SimFault(f"{self.name}: RES low for {now - self._reset_began} ns only, at {now} ns")
        self._reset()

    def _reset(self) -> None:
        self._pending: list[int] = []
        self._registers = {
            command_map.ADDRESSING: PAGE,
            command_map.CONTRAST: 0x7F,
            command_map.CHARGE_PUMP: 0x10,
            command_map.MULTIPLEX: 0x3F,
            command_map.OFFSET: 0,
            command_map.CLOCK: 0x80,
            command_map.PRECHARGE: 0x22,
            command_map.COM_PINS: 0x12,
            command_map.VCOMH: 0x20,
            command_map.CURRENT: 0x00,
        }
        self._on = self._remapped = self._scans_down = False
        self._all_on = self._inverse = 0
        self._start_line = 0
        self._column = self._page = self._column_start = 0
        self._columns = (0, COLUMNS - 1)
        self._pages = (0, PAGES - 1)
        self._stored = 0

    def _register(self, command: int) -> int:
        return self._registers[command]

    def _take_command(self, byte: int) -> None:
        if not self._pending and byte not in self._parameters:
            raise self._fault(f"command {byte:02X}")
        self._pending.append(byte)
        command, *parameters = self._pending
        if len(parameters) < self._parameters[command]:
            return
        self._pending = []
        reason = command_map.refusal(command, parameters, self._register(command_map.ADDRESSING))
        if reason:
            raise self._fault(reason)
        self._execute(command, parameters)

    def _execute(self, command: int, parameters: list[int]) -> None:
        if command == command_map.COLUMN_WINDOW:
            self._columns = (parameters[0], parameters[1])
            self._column = parameters[0]
        elif command == command_map.PAGE_WINDOW:
            self._pages = (parameters[0], parameters[1])
            self._page = parameters[0]
        elif parameters:
            self._registers[command] = parameters[0]
        elif command in command_map.COLUMN_LOW:
            self._column = self._column_start = self._column_start & 0x70 | command
        elif command in command_map.COLUMN_HIGH:
            if command & 0x0F > 7:
                raise self._fault(f"column {(command & 0x0F) << 4}")
            self._column = self._column_start = self._column_start & 0x0F | (command & 0x07) << 4
        elif command in command_map.START_LINE:
            self._start_line = command - command_map.START_LINE.start
        elif command in command_map.PAGE_START:
            self._page = command & 0x07
        elif command in command_map.REMAP:
            self._remapped = bool(command & 1)
        elif command in command_map.ALL_ON:
            self._all_on = command & 1
        elif command in command_map.INVERSE:
            self._inverse = command & 1
        elif command in command_map.DISPLAY:
            self._on = bool(command & 1)
        else:
            self._scans_down = command == command_map.SCAN[1]

    # Display RAM

    def _take_data(self, payload: bytes) -> None:
        if not payload:
            return
        if self._pending:
            raise SimFault(
                f"{self.name}: data inside command {self._pending[0]:02X}, which wants "
                f"{self._parameters[self._pending[0]]} parameters, at {self._scheduler.now} ns"
            )
        if self._stored:
            self.updates[-1] = self.updates[-1]._replace(length=self._stored + len(payload))
        else:
            self.updates.append(Update(self._scheduler.now, self._page, self._column, len(payload)))
        self._stored += len(payload)
        for byte in payload:
            # The remap is in the way of the data, so what is stored already stays where it is.
            segment = COLUMNS - 1 - self._column if self._remapped else self._column
            self._ram[self._page][segment] = byte
            self._advance()

    def _advance(self) -> None:
        mode = self._register(command_map.ADDRESSING)
        if mode == PAGE:
            self._column = self._column + 1 if self._column < COLUMNS - 1 else self._column_start
        elif mode == HORIZONTAL:
            if self._next_column():
                self._next_page()
        elif mode == VERTICAL and self._next_page():
            self._next_column()

    def _next_column(self) -> bool:
        """One column on inside the window; True when it wrapped."""
        first, last = self._columns
        wrapped = self._column == last
        self._column = first if wrapped else (self._column + 1) % COLUMNS
        return wrapped

    def _next_page(self) -> bool:
        first, last = self._pages
        wrapped = self._page == last
        self._page = first if wrapped else (self._page + 1) % PAGES
        return wrapped

    # The way to the glass

    def _row_on(self, com: int, multiplex: int) -> int:
        """Which row (0-63) of the picture COM line ``com`` shows; beyond the multiplex ratio it stays dark."""
        offset = self._register(command_map.OFFSET)
        line = multiplex - 1 - com if self._scans_down else com
        return (line + offset) % LINES

    def _glass_row(self, com: int) -> int | None:
        """Where COM line ``com`` is seen, counted from above; None when the glass has no such line."""
        pins = self._register(command_map.COM_PINS)
        pad = com // 2 + LINES // 2 * (com & 1) if pins & 0x10 else com
        if pins & 0x20:
            pad ^= LINES // 2  # left and right exchanged
        if self.height == LINES:
            wired = 2 * (pad % (LINES // 2)) + pad // (LINES // 2)
        elif pad < self.height:
            wired = pad
        else:
            return None
        return self.height - 1 - wired
