"""Numbers of the pipe protocol between this interpreter and the simulator.

The simulator keeps its own copy in ``hwsim/protocol.py``, which also explains the frames; a test compares the two.
A request is a batch of operations, 8-byte little-endian words: first the batch length in bytes with the count of calls
above it, then for each operation its instant in nanoseconds and its code word, then its payload padded to 8 bytes.
"""

from micropython import const

# Code word: operation, unit (pin, bus, timer ...) and value.
UNIT_SHIFT = const(8)
VALUE_SHIFT = const(16)

# First word of a batch: bytes in the batch, "interrupts are on", calls since the process started.
CALLS_SHIFT = const(32)
INTERRUPTS_ON = const(1 << 31)

# Posted operations: no answer, they travel with the next batch.
PIN_MODE = const(1)
PIN_SET = const(2)
PIN_IRQ = const(3)
SPI_SETUP = const(4)
SPI_WRITE = const(5)
I2C_SETUP = const(6)
PWM_SET = const(7)
WDT_START = const(8)
WDT_FEED = const(9)
TIMER_START = const(10)
TIMER_STOP = const(11)
PIO_PUT = const(12)
UART_SETUP = const(13)
UART_WRITE = const(14)
KEYBOARD = const(15)

# Synchronous operations: always the last of their batch, each is answered.
HELLO = const(32)
SYNC = const(33)
SLEEP = const(34)
POLL = const(35)
SPI_READ = const(36)
SPI_EXCHANGE = const(37)
I2C_TRANSFER = const(38)
PIO_ATTACH = const(39)
UART_READ = const(40)
UART_ANY = const(41)
RESET = const(42)
HEAP = const(43)
FLASH = const(44)

# Answer: now, horizon, levels, flags, value; then pending interrupts, four words each; then data.
ANSWER_WORDS = const(5)
PENDING_WORDS = const(4)
PENDING_MAX = const(32)

# Flags word of the answer; the number of pending interrupts stands above them.
STDIN_EMPTY = const(1)
STDOUT_FULL = const(2)
PENDING_MORE = const(4)
KEYBOARD_INTERRUPT = const(8)
WANT_HEAP = const(16)
PENDING_SHIFT = const(8)

# Interrupt sources: GPIO numbers, then timers.
TIMER_SOURCE = const(64)
TIMERS = const(16)

# What HELLO is answered with after the five words: eight words, then 32 bytes of seed and 8 of board id.
HELLO_WORDS = const(8)
SEED_BYTES = const(32)
ID_BYTES = const(8)
