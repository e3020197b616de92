"""Numbers of the pipe protocol between the simulator and the interpreter under test.

The interpreter's copy is ``hw-sim/overlay/_protocol.py``; a test compares the two.

All words are 64-bit little-endian. **Request**, a batch: one word (bytes in the batch; bit 31 = interrupts are on;
calls since the start above bit 32), then the operations: instant (ns), code word (operation in bits 0-7, unit in bits
8-15, value from bit 16), payload padded to 8 bytes. Posted operations act at their instant; the last operation of a
batch, usually a synchronous one, is answered when it is over. **Answer**: now, horizon, levels, flags, value; then
the pending interrupts (source, edge flags, instant, levels), as many as the flags say; then the data of a read.
"""

from __future__ import annotations

from typing import Final

UNIT_SHIFT: Final = 8
VALUE_SHIFT: Final = 16
CALLS_SHIFT: Final = 32
INTERRUPTS_ON: Final = 1 << 31

PIN_MODE: Final = 1  # value: mode, pull << 4, 1 << 8 when a level comes along, level << 9
PIN_SET: Final = 2  # value: level of the output latch
PIN_IRQ: Final = 3  # value: edges
SPI_SETUP: Final = 4  # value: bit/s, polarity << 30, phase << 31
SPI_WRITE: Final = 5  # value: bytes; payload: MOSI
I2C_SETUP: Final = 6  # value: bit/s, time-out (us) << 24
PWM_SET: Final = 7  # value: duty, frequency << 16; 0 stops
WDT_START: Final = 8  # value: ms
WDT_FEED: Final = 9
TIMER_START: Final = 10  # value: 1 periodic, period (ns) << 1
TIMER_STOP: Final = 11
PIO_PUT: Final = 12  # value: words; payload: 32-bit words
UART_SETUP: Final = 13  # value: bit/s, receive buffer << 24
UART_WRITE: Final = 14  # value: bytes; payload
KEYBOARD: Final = 15  # value: interrupt character + 1

HELLO: Final = 32
SYNC: Final = 33
SLEEP: Final = 34  # payload: ns
POLL: Final = 35  # unit: interest; payload: ns + 1, 0 for ever
SPI_READ: Final = 36  # value: bytes, fill byte << 24
SPI_EXCHANGE: Final = 37  # value: bytes; payload: MOSI
I2C_TRANSFER: Final = 38  # value: address, STOP << 7, bytes out << 8, bytes in << 24; payload: bytes out
PIO_ATTACH: Final = 39  # value: GPIO, shift right << 8, bits a word << 16; answered with ns a word
UART_READ: Final = 40  # value: bytes
UART_ANY: Final = 41
RESET: Final = 42  # unit: 0 reset, 1 soft reset, 2 into the boot loader
HEAP: Final = 43  # payload: used, free, overlay's share
FLASH: Final = 44  # unit: 0 read, 1 erase, 2 program, 3 how many blocks; value: address, bytes << 24; payload: pages

ANSWER_WORDS: Final = 5
PENDING_WORDS: Final = 4
PENDING_MAX: Final = 32

STDIN_EMPTY: Final = 1
STDOUT_FULL: Final = 2
PENDING_MORE: Final = 4
KEYBOARD_INTERRUPT: Final = 8
WANT_HEAP: Final = 16
PENDING_SHIFT: Final = 8

TIMER_SOURCE: Final = 64
TIMERS: Final = 16

HELLO_WORDS: Final = 8
SEED_BYTES: Final = 32
ID_BYTES: Final = 8

MODE_IN: Final = 0
MODE_OUT: Final = 1
MODE_OPEN_DRAIN: Final = 2
PULL_UP: Final = 1
EDGE_FALLING: Final = 4
EDGE_RISING: Final = 8
