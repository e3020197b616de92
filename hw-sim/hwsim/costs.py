"""The cost model: what each thing the firmware does takes on the board, in nanoseconds of virtual time.

This is the only place where these figures stand; ``docs/timing-model.md`` explains them and a test compares the two.
They change only by a decision. Wire time follows from the bit rate a bus was set up with and is not in this table.
"""

from __future__ import annotations

from typing import Final

from hwsim.core import NS_PER_MS, NS_PER_US

CALL_NS: Final = 8 * NS_PER_US
"""One call into machine, time, select, random, os, hashlib or rp2."""

FRAME_CALLS: Final = 5
"""Calls of one PN5180 frame: NSS low, transfer, BUSY high, NSS high, BUSY low."""

CALL_NS_BY_FRAME_US: Final = {25: 5 * NS_PER_US, 40: CALL_NS, 100: 20 * NS_PER_US}
"""Cost of a call for each cost of a frame (us) at which ratios are printed; 40 is judged."""

TASK_STEP_NS: Final = 120 * NS_PER_US
"""One step of an asyncio task."""

SHA256_BLOCK_NS: Final = 40 * NS_PER_US
"""One block of 64 bytes."""

GC_COLLECT_NS: Final = 10 * NS_PER_MS
"""One ``gc.collect()``."""

IRQ_LATENCY_NS: Final = 4 * NS_PER_US
"""From an edge, or from interrupts being on again, to the first call in a hard handler."""

POST_WINDOW_NS: Final = 200 * NS_PER_US
"""Longest time an output may wait in the batch. Outputs act at their own instant whatever this is; it bounds how late
an interrupt that they cause is noticed by a firmware which reads nothing."""

FLASH_ERASE_NS: Final = (45 * NS_PER_MS, 400 * NS_PER_MS)
"""Erase of one flash sector, typical and longest, with interrupts held off."""

FLASH_PROGRAM_NS: Final = (400 * NS_PER_US, 3 * NS_PER_MS)
"""Programming of one flash page, typical and longest, with interrupts held off."""

BOOT_NS: Final = 100 * NS_PER_MS
"""From reset to the first statement of boot.py (estimate)."""

WS2812_BIT_NS: Final = 1_250
"""One bit of a WS2812 chain."""

I2C_BYTE_BITS: Final = 9
"""Clocks of one byte on I2C, acknowledge included."""

I2C_FRAME_BITS: Final = 2
"""Clocks' worth of a START and STOP, or of a repeated START."""

UART_BYTE_BITS: Final = 10
"""Bits of one byte at 8N1."""

USB_ATTACH_NS: Final = 200 * NS_PER_MS
"""From the first statement of boot.py to the serial port being there for the host (estimate)."""

USB_PACKET_NS: Final = 64 * NS_PER_US
"""One bulk packet of 64 bytes: about 1 MB/s at full speed."""

USB_FIRST_FLUSH_NS: Final = 16 * NS_PER_MS
"""From DTR on to the first byte for the host."""

CDC_BLOCK_NS: Final = 500 * NS_PER_MS
"""A write to the port that makes no progress for so long loses its rest."""

CPU_BACKSTOP_S: Final = 5.0
"""Processor time (real seconds) without a call after which the watchdog has bitten: time stands still then."""
