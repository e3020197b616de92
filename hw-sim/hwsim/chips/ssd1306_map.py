"""What an SSD1306 accepts: each command, its parameters, and the values that the sheet gives a meaning.

Entry points: :data:`PARAMETERS` (bytes that follow a command), :func:`refusal` (why a command would not be understood).
"""

from __future__ import annotations

ADDRESSING, COLUMN_WINDOW, PAGE_WINDOW = 0x20, 0x21, 0x22
CONTRAST, CHARGE_PUMP, MULTIPLEX, OFFSET = 0x81, 0x8D, 0xA8, 0xD3
CLOCK, PRECHARGE, COM_PINS, VCOMH, CURRENT = 0xD5, 0xD9, 0xDA, 0xDB, 0xAD

COLUMN_LOW, COLUMN_HIGH = range(0x10), range(0x10, 0x20)
START_LINE = range(0x40, 0x80)
REMAP = (0xA0, 0xA1)
ALL_ON = (0xA4, 0xA5)
INVERSE = (0xA6, 0xA7)
DISPLAY = (0xAE, 0xAF)
PAGE_START = range(0xB0, 0xB8)
SCAN = (0xC0, 0xC8)

HORIZONTAL, VERTICAL, PAGE = range(3)
COLUMNS, PAGES, LINES = 128, 8, 64

_SINGLE = frozenset(
    [*COLUMN_LOW, *COLUMN_HIGH, *START_LINE, *REMAP, *ALL_ON, *INVERSE, *DISPLAY, *PAGE_START, *SCAN],
)
PARAMETERS = {
    **dict.fromkeys(_SINGLE, 0),
    ADDRESSING: 1,
    COLUMN_WINDOW: 2,
    PAGE_WINDOW: 2,
    CONTRAST: 1,
    CHARGE_PUMP: 1,
    MULTIPLEX: 1,
    OFFSET: 1,
    CLOCK: 1,
    PRECHARGE: 1,
    COM_PINS: 1,
    VCOMH: 1,
}
_VALUES: dict[int, tuple[int, ...]] = {
    ADDRESSING: (HORIZONTAL, VERTICAL, PAGE),
    CHARGE_PUMP: (0x10, 0x14),
    COM_PINS: (0x02, 0x12, 0x22, 0x32),
    VCOMH: (0x00, 0x20, 0x30, 0x40),
    CURRENT: (0x00, 0x10, 0x20, 0x30),
}


def refusal(command: int, parameters: list[int], mode: int) -> str:
    """Why a complete command has no documented effect in addressing ``mode``; empty when it has."""
    values = _VALUES.get(command)
    if values is not None and parameters[0] not in values:
        return f"parameter {parameters[0]:02X} of command {command:02X}"
    if command == MULTIPLEX and not 15 <= parameters[0] < LINES:
        return f"multiplex ratio {parameters[0] + 1}"
    if command == OFFSET and parameters[0] >= LINES:
        return f"display offset {parameters[0]}"
    if command == PRECHARGE and (parameters[0] & 0x0F == 0 or parameters[0] >> 4 == 0):
        return f"pre-charge phase of 0 clocks ({parameters[0]:02X})"
    if command in (COLUMN_WINDOW, PAGE_WINDOW):
        first, last = parameters
        if not first <= last < (COLUMNS if command == COLUMN_WINDOW else PAGES):
            return f"window {first}-{last} of command {command:02X}"
        if mode == PAGE:
            return f"command {command:02X} in page addressing mode"
    if mode != PAGE and (command in COLUMN_LOW or command in COLUMN_HIGH or command in PAGE_START):
        return f"command {command:02X} outside page addressing mode"
    return ""
